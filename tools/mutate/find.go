package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// mutant is one small change of a source file, compiled into it beside what is
// there and switched on by its number.
type mutant struct {
	Number   int
	File     string // below the module's root
	Line     int
	Column   int
	Function string
	Operator string
	From, To string
}

// ID names a mutant across runs, also when lines above it come or go.
func (m *mutant) ID() string {
	return fmt.Sprintf("%s %s: %s: %s -> %s", m.File, m.Function, m.Operator, m.From, m.To)
}

// insertion is text that is put in before offset at.
type insertion struct {
	at   int
	text string
}

// finder walks one file and collects mutants and what they put into it. Everything
// that was there stays and is still compiled, so no variable and no import goes unused.
type finder struct {
	fset       *token.FileSet
	file       *token.File
	source     []byte
	info       *types.Info
	pkg        *types.Package
	path       string
	next       *int // the number of the next mutant, of all files
	skip       map[string]bool
	function   string
	seen       map[string]int
	mutants    []*mutant
	insertions []insertion
}

func (f *finder) text(n ast.Node) string {
	return string(f.source[f.file.Offset(n.Pos()):f.file.Offset(n.End())])
}

// add numbers a mutant, 0 where the line is one that does not compile with it.
func (f *finder) add(n ast.Node, operator, from, to string) int {
	p := f.fset.Position(n.Pos())
	m := &mutant{File: f.path, Line: p.Line, Column: p.Column, Function: f.function, Operator: operator, From: oneLine(from), To: oneLine(to)}
	// The same text twice in a function: the second has its place in the name.
	key := m.ID()
	f.seen[key]++
	if f.seen[key] > 1 {
		m.Operator += fmt.Sprintf(" #%d", f.seen[key])
	}
	if f.skip[m.ID()] {
		return 0
	}
	m.Number = *f.next
	*f.next++
	f.mutants = append(f.mutants, m)
	return m.Number
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (f *finder) insert(at token.Pos, format string, args ...any) {
	f.insertions = append(f.insertions, insertion{f.file.Offset(at), fmt.Sprintf(format, args...)})
}

// boolean lets a condition be one of the alternatives in place of what it is.
func (f *finder) boolean(e ast.Expr, operator string, alternatives ...string) {
	var before strings.Builder
	var numbers []string
	for _, a := range alternatives {
		if n := f.add(e, operator, f.text(e), a); n > 0 {
			fmt.Fprintf(&before, "mutant__.On(%d) && (%s) || ", n, a)
			numbers = append(numbers, fmt.Sprint(n))
		}
	}
	if len(numbers) == 0 {
		return
	}
	f.insert(e.Pos(), "(%smutant__.None(%s) && (", before.String(), strings.Join(numbers, ", "))
	f.insert(e.End(), "))")
}

// value lets an expression be another one. Both are computed, so neither may do
// anything.
func (f *finder) value(e ast.Expr, operator, alternative string) {
	name, ok := f.typeName(f.info.TypeOf(e))
	if !ok || calls(f.info, e) {
		return
	}
	if n := f.add(e, operator, f.text(e), alternative); n > 0 {
		f.insert(e.Pos(), "mutant__.Value[%s](%d, %s, ", name, n, alternative)
		f.insert(e.End(), ")")
	}
}

// typeName writes a type as this file can.
func (f *finder) typeName(t types.Type) (string, bool) {
	switch t := t.(type) {
	case *types.Basic:
		return t.Name(), t.Info()&types.IsUntyped == 0
	case *types.Named:
		if t.Obj().Pkg() == f.pkg && t.TypeArgs() == nil {
			return t.Obj().Name(), true
		}
	}
	return "", false
}

// calls reports whether e calls a function; conversions and len do nothing.
func calls(info *types.Info, e ast.Node) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if t := info.Types[n.Fun]; !t.IsType() && !t.IsBuiltin() {
				found = true
			}
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		case *ast.IndexExpr, *ast.SliceExpr:
			found = true // may be out of range where the other is not
		}
		return !found
	})
	return found
}

var comparisons = map[token.Token][]string{
	token.LSS: {"<=", ">="}, token.LEQ: {"<", ">"}, token.GTR: {">=", "<="}, token.GEQ: {">", "<"}, token.EQL: {"!="}, token.NEQ: {"=="},
}

var arithmetic = map[token.Token]string{
	token.ADD: "-", token.SUB: "+", token.MUL: "+", token.QUO: "*", token.REM: "*", token.AND: "|", token.OR: "&", token.XOR: "&", token.SHL: ">>", token.SHR: "<<",
}

// expression finds the mutants of e itself, not of what is in it.
func (f *finder) expression(e ast.Expr) {
	t, ok := f.info.Types[e]
	if !ok {
		return
	}
	if t.Value != nil {
		f.literal(e)
		return
	}
	switch e := e.(type) {
	case *ast.BinaryExpr:
		x, y := f.text(e.X), f.text(e.Y)
		if list, ok := comparisons[e.Op]; ok {
			var alternatives []string
			for _, op := range list {
				alternatives = append(alternatives, x+" "+op+" "+y)
			}
			f.boolean(e, "comparison", alternatives...)
		} else if e.Op == token.LAND || e.Op == token.LOR {
			f.boolean(e, "condition left out", x, y)
		} else if b, ok := t.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			f.value(e, "arithmetic", "("+x+") "+arithmetic[e.Op]+" ("+y+")")
		}
	case *ast.UnaryExpr:
		switch e.Op {
		case token.NOT:
			f.boolean(e, "negation", f.text(e.X))
		case token.SUB:
			f.value(e, "sign", f.text(e.X))
		}
	}
}

// literal changes a whole number by one.
func (f *finder) literal(e ast.Expr) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.INT {
		return
	}
	if b, ok := f.info.TypeOf(e).Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		f.value(e, "number", "("+l.Value+" + 1)")
	}
}

// statement finds the mutants of a statement that stands in a list.
func (f *finder) statement(s ast.Stmt, inLoop bool) {
	switch s := s.(type) {
	case *ast.ExprStmt:
		if c, ok := s.X.(*ast.CallExpr); ok && f.text(c.Fun) != "panic" {
			f.leaveOut(s)
		}
	case *ast.AssignStmt:
		if s.Tok != token.DEFINE {
			f.leaveOut(s)
		}
	case *ast.IncDecStmt:
		to := strings.NewReplacer("++", "--", "--", "++").Replace(f.text(s))
		if n := f.add(s, "increment", f.text(s), to); n > 0 {
			f.insert(s.Pos(), "if mutant__.On(%d) { %s } else { ", n, to)
			f.insert(s.End(), " }")
		}
	case *ast.BranchStmt:
		to := map[token.Token]string{token.CONTINUE: "break", token.BREAK: "continue"}[s.Tok]
		if s.Label == nil && to != "" && (inLoop || s.Tok == token.CONTINUE) {
			if n := f.add(s, "branch", f.text(s), to); n > 0 {
				f.insert(s.Pos(), "if mutant__.On(%d) { %s }; ", n, to)
			}
		}
	case *ast.ReturnStmt:
		f.returned(s)
	}
}

func (f *finder) leaveOut(s ast.Stmt) {
	if n := f.add(s, "statement left out", f.text(s), ""); n > 0 {
		f.insert(s.Pos(), "if mutant__.None(%d) { ", n)
		f.insert(s.End(), " }")
	}
}

// returned changes one result at a time.
func (f *finder) returned(s *ast.ReturnStmt) {
	for i, r := range s.Results {
		t := f.info.TypeOf(r)
		if t == nil {
			continue
		}
		text, to := f.text(r), ""
		b, basic := t.Underlying().(*types.Basic)
		switch {
		case basic && b.Info()&types.IsBoolean != 0:
			if _, is := ast.Unparen(r).(*ast.BinaryExpr); is {
				continue // changed as an expression
			}
			to = "!(" + text + ")"
		case basic && b.Info()&types.IsInteger != 0 && f.info.Types[r].Value == nil:
			to = "(" + text + ") + 1"
		case basic && b.Info()&types.IsString != 0 && text != `""`:
			to = `""`
		case basic && b.Kind() == types.UntypedNil:
			continue
		default:
			switch t.Underlying().(type) {
			case *types.Interface, *types.Pointer, *types.Slice, *types.Map:
				to = "nil"
			}
		}
		if to == "" || text == to {
			continue
		}
		var results []string
		for j, other := range s.Results {
			if j == i {
				results = append(results, to)
			} else {
				results = append(results, f.text(other))
			}
		}
		if n := f.add(r, "result", text, to); n > 0 {
			f.insert(s.Pos(), "if mutant__.On(%d) { return %s }; ", n, strings.Join(results, ", "))
		}
	}
}

// condition negates the condition of an if that is no comparison.
func (f *finder) condition(e ast.Expr) {
	switch ast.Unparen(e).(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr:
	default:
		f.boolean(e, "condition", "!("+f.text(e)+")")
	}
}

// Visit walks into functions only: what stands outside is constant.
func (f *finder) walk(n ast.Node) {
	loops := []bool{}
	var visit func(n ast.Node) bool
	inLoop := func() bool { return len(loops) > 0 && loops[len(loops)-1] }
	list := func(statements []ast.Stmt) {
		for _, s := range statements {
			f.statement(s, inLoop())
			ast.Inspect(s, visit)
		}
	}
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			list(n.List)
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			loops = append(loops, true)
			children(n, visit)
			loops = loops[:len(loops)-1]
			return false
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			loops = append(loops, false)
			children(n, visit)
			loops = loops[:len(loops)-1]
			return false
		case *ast.FuncLit:
			loops = append(loops, false)
			children(n, visit)
			loops = loops[:len(loops)-1]
			return false
		case *ast.CaseClause:
			for _, e := range n.List {
				if f.info.Types[e].Value == nil { // a constant case must stay constant
					ast.Inspect(e, visit)
				}
			}
			list(n.Body)
			return false
		case *ast.IfStmt:
			f.condition(n.Cond)
		case *ast.ArrayType, *ast.GenDecl:
			if d, ok := n.(*ast.GenDecl); ok && d.Tok == token.VAR {
				return true
			}
			return false
		case ast.Expr:
			f.expression(n)
			if f.info.Types[n].Value != nil {
				return false
			}
		}
		return true
	}
	ast.Inspect(n, visit)
}

// children visits what is in n.
func children(n ast.Node, visit func(ast.Node) bool) {
	first := true
	ast.Inspect(n, func(c ast.Node) bool {
		if first {
			first = false
			return true
		}
		if c == nil {
			return false
		}
		ast.Inspect(c, visit)
		return false
	})
}

"""direct_jumps.py FILE...: jumps that C can say.

Go's compiler knows no jump into another block of WebAssembly's: it sets the number of the block and goes back to the
function's start, where a table says where to go on. wasm2c writes that down as it is,

    var_L3:
      var_i0 = var_p0;
      switch (var_i0) { case 25: goto var_B31; ... }
      ...
      var_i0 = 25u;
      var_p0 = var_i0;
      goto var_L3;

and here it becomes `goto var_B31`. What the switch assigns is assigned before as well, so nothing else changes.
"""

import re
import sys

FUNCTION = re.compile(r"^\w+ w2c_readpref_\w+\(w2c_readpref\* instance[^\n]*\) \{\n.*?^\}\n", re.DOTALL | re.MULTILINE)
TABLE = re.compile(
    r"^ *var_(L\d+): *\n *var_(i\d+) = var_(\w+);\n *switch \(var_\2\) \{\n((?: *case \d+: goto var_B\d+;\n)+)( *default: goto var_B\d+;\n)",
    re.MULTILINE,
)
CASE = re.compile(r"case (\d+): goto (var_B\d+);")


def direct(function: str) -> tuple[str, int]:
    """The function with direct jumps, and how many there are."""
    count = 0
    for table in TABLE.finditer(function):
        label, index, number, cases, _ = table.groups()
        target = dict(CASE.findall(cases))
        jump = re.compile(rf"(?P<set>var_{index} = (?P<n>\d+)u;\n *var_{number} = var_{index};\n *)goto var_{label};")

        def to(m: re.Match[str], target: dict[str, str] = target) -> str:
            return m["set"] + "goto " + target[m["n"]] + ";" if m["n"] in target else m[0]

        function, n = jump.subn(to, function)
        count += n
    return function, count


def main() -> None:
    total = 0

    def change(m: re.Match[str]) -> str:
        nonlocal total
        function, n = direct(m[0])
        total += n
        return function

    for name in sys.argv[1:]:
        with open(name, encoding="utf-8") as f:
            text = f.read()
        with open(name, "w", encoding="utf-8") as f:
            f.write(FUNCTION.sub(change, text))
    if total < 10_000:
        sys.exit(
            f"portable: {total} jumps through a table where there should be some 16,000: wasm2c or Go writes them otherwise"
        )


if __name__ == "__main__":
    main()

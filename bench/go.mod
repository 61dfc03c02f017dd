module github.com/readpref/readpref/bench

go 1.26.0

require (
	github.com/readpref/readpref v0.0.0
	github.com/stretchr/testify v1.12.1
	github.com/tetratelabs/wazero v1.12.0
	golang.org/x/sys v0.48.0
)

require (
	github.com/josharian/intern v1.0.0 // indirect
	github.com/mailru/easyjson v0.9.2 // indirect
	go.yaml.in/yaml/v3 v3.0.5 // indirect
)

replace github.com/readpref/readpref => ..

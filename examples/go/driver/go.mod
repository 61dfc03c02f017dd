module github.com/readpref/readpref/examples/go/driver

go 1.26.0

require (
	github.com/readpref/readpref v0.0.0
	go.mongodb.org/mongo-driver/v2 v2.10.0
)

require (
	github.com/josharian/intern v1.0.0 // indirect
	github.com/mailru/easyjson v0.9.2 // indirect
)

replace github.com/readpref/readpref => ../../..

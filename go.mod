module github.com/readpref/readpref

go 1.26.0

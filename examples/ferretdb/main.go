// Command ferretdb is a MongoDB server that no one here wrote, for the example
// drivers: FerretDB with its SQLite handler, in memory, on an ephemeral port of 127.0.0.1.
//
// The first line on standard output is {"uri":"mongodb://…"}. It ends when its
// standard input does.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	server, err := ferretdb.New(&ferretdb.Config{
		Listener: ferretdb.ListenerConfig{TCP: "127.0.0.1:0"},
		Handler:  "sqlite", SQLiteURL: "file:./?mode=memory",
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, end := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		end()
	}()
	fmt.Printf("{\"uri\":%q}\n", server.MongoDBURI())
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}

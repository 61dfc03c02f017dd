// Command wazero runs the demo's selections with readpref.wasm, hosted by
// wazero: a runtime with no C and no JavaScript in it.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/readpref/readpref/wasm/host"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3], os.Args[4:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, module, cache, method string, files []string) error {
	bytes, err := os.ReadFile(module)
	if err != nil {
		return err
	}
	h, err := host.Open(ctx, bytes, host.Options{CacheDir: cache})
	if err != nil {
		return err
	}
	defer h.Close(ctx)
	for _, file := range files {
		request, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		times := make([]int64, 1000)
		var answer host.Answer
		for i := range times {
			start := time.Now()
			if answer, err = h.Call(ctx, method, request); err != nil {
				return err
			}
			times[i] = time.Since(start).Nanoseconds()
		}
		slices.Sort(times)
		line, err := json.Marshal(map[string]any{"file": file, "answer": string(answer.Document), "microseconds": float64(times[500]) / 1000})
		if err != nil {
			return err
		}
		fmt.Println(string(line))
	}
	return nil
}

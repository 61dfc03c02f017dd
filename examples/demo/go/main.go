// Command go runs the demo's selections with the Go engine.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/readpref/readpref/core/abi"
)

func main() {
	var c abi.Context
	for _, file := range os.Args[2:] {
		request, err := os.ReadFile(file)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		times := make([]int64, 1000)
		var answer []byte
		for i := range times {
			start := time.Now()
			answer, _ = c.Answer(os.Args[1], request)
			times[i] = time.Since(start).Nanoseconds()
		}
		slices.Sort(times)
		line, _ := json.Marshal(map[string]any{"file": file, "answer": string(answer), "microseconds": float64(times[500]) / 1000})
		fmt.Println(string(line))
	}
}

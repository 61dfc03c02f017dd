package report

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/readpref/readpref/bench/internal/contestant"
)

// Artifacts returns the sizes of what build has of what is shipped. What is left
// of a portable library that could not be run is not counted.
func Artifacts(build string, notRun []contestant.NotRun) ([]Artifact, error) {
	names := []string{"readpref.wasm", "libreadpref.so", "libreadpref.a", "libreadpref_portable.so", "libreadpref_portable.a"}
	for _, n := range notRun {
		if n.Name == "portable" {
			names = names[:3]
		}
	}
	var list []Artifact
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(build, name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// The program, since Go's own package makes 1 % more of it than what make lint measures with.
		compress := exec.Command("gzip", "-9nc")
		compress.Stdin = bytes.NewReader(data)
		compressed, err := compress.Output()
		if err != nil {
			return nil, err
		}
		list = append(list, Artifact{Name: name, Bytes: int64(len(data)), Gzip: int64(len(compressed))})
	}
	return list, nil
}

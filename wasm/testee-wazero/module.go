package main

import (
	"os"
	"path/filepath"
)

func readModule() ([]byte, error) {
	if path := os.Getenv("READPREF_WASM"); path != "" {
		return os.ReadFile(path)
	}
	if self, err := os.Executable(); err == nil {
		if module, err := os.ReadFile(filepath.Join(filepath.Dir(self), "readpref.wasm")); err == nil {
			return module, nil
		}
	}
	return os.ReadFile(filepath.Join("build", "readpref.wasm"))
}

// cacheDir is "" where there is no place for a cache; then every start compiles.
func cacheDir() string {
	if dir := os.Getenv("READPREF_WASM_CACHE"); dir != "" {
		return dir
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	dir = filepath.Join(dir, "readpref", "wazero")
	if os.MkdirAll(dir, 0o755) != nil {
		return ""
	}
	return dir
}

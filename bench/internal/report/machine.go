package report

import (
	"math"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// ThisMachine describes the machine, as far as Linux says.
func ThisMachine() Machine {
	kb, _ := strconv.ParseFloat(strings.TrimSuffix(valueIn("/proc/meminfo", "MemTotal:"), " kB"), 64)
	system := strings.Trim(valueIn("/etc/os-release", "PRETTY_NAME="), `"`)
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	if k := strings.TrimSpace(string(kernel)); k != "" {
		system += ", Linux " + k
	}
	return Machine{CPU: strings.TrimPrefix(valueIn("/proc/cpuinfo", "model name"), ": "), Cores: runtime.NumCPU(),
		MemoryGiB: math.Round(kb / (1 << 20)), OS: system + " " + runtime.GOARCH}
}

// valueIn returns the rest of the first line that begins with key, "" where
// there is none.
func valueIn(path, key string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// LoadAverage is the number of processes that wanted to run, over the last
// minute; 0 where the system does not say.
func LoadAverage() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	load, _ := strconv.ParseFloat(strings.Fields(string(text))[0], 64)
	return load
}

// ReadVersions reads the lines "name<TAB>version" that setup.sh wrote.
func ReadVersions(path string) ([]Version, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []Version
	for line := range strings.Lines(string(text)) {
		if name, version, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			list = append(list, Version{name, version})
		}
	}
	return list, nil
}

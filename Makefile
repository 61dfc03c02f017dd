# The front door. `make` prints the targets. Toolchains come from the machine or, where missing, into .tools/ (tools/setup.py).
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

RUNTIME ?=
REPORT ?=
FUZZTIME ?= 60s
BUDGET ?= 1h
FUZZCASES ?= 50000
export READPREF_WASM := $(CURDIR)/build/readpref.wasm
export PYTHONDONTWRITEBYTECODE := 1

-include .tools/env.mk

.PHONY: help
help: ## print this list
	@awk 'BEGIN {FS = ":.*## "} /^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.tools/env.mk: tools/setup.py tools/requirements.txt
	@python3 tools/setup.py

.PHONY: setup
setup: .tools/env.mk ## find the toolchains; bring missing ones into .tools/

# Every target that runs a tool asks make again, so that a new .tools/env.mk counts.
AGAIN = @$(MAKE) --no-print-directory

.PHONY: demo
demo: .tools/env.mk ## run the main job in every runtime, or in one: RUNTIME=go|c|python|node|wazero
	$(AGAIN) do-demo

.PHONY: do-demo
do-demo: $(if $(RUNTIME),demo-$(RUNTIME),demo-go demo-c demo-python demo-node demo-wazero)
	@$(PYTHON) examples/demo/run.py $(RUNTIME)

# What the demo needs for each runtime.
.PHONY: demo-go demo-c demo-python demo-node demo-wazero
demo-go:
	@./build.sh demo-go
demo-c:
	@./build.sh so
	@./build.sh demo-c
demo-python: python-package
demo-node: node-package
demo-wazero: build-wasm
	@./build.sh demo-wazero

.PHONY: explain
explain: .tools/env.mk ## why: the explanation of a saved request, FILE=request.json
	$(AGAIN) do-explain

.PHONY: do-explain
do-explain:
	@$(GO) run ./examples/explain "$(FILE)"

.PHONY: playground do-playground
playground: .tools/env.mk ## a page that shows the selection, on http://127.0.0.1:8137/ (PORT=); the files are in build/playground
	$(AGAIN) do-playground

do-playground: build-playground
	@cd $(PLAYGROUND) && $(NODE) start.js

.PHONY: build
build: .tools/env.mk ## build libreadpref, readpref.wasm and the testees into build/
	$(AGAIN) build-all

.PHONY: build-all build-so build-wasm python-package node-package
build-so:
	@./build.sh so
build-wasm:
	@./build.sh wasm

build-all: build-so build-wasm
	@./build.sh testees

PIP_INSTALL = $(PYTHON) -m pip install --quiet --disable-pip-version-check --no-build-isolation --force-reinstall --no-deps
python-package: build-portable
	@READPREF_LIB=$(CURDIR)/build/libreadpref_portable.a $(PIP_INSTALL) ./bindings/python

# The package as it is where there is no extension: the shared library, reached by ctypes. PYTHONPATH chooses it.
.PHONY: python-package-ctypes
python-package-ctypes: build-portable
	@rm -rf build/python-ctypes
	@READPREF_LIB=$(CURDIR)/build/libreadpref_portable.so $(PIP_INSTALL) --target build/python-ctypes ./bindings/python

node-package: build-wasm node-modules
	@cd bindings/node && $(NODE) scripts/build.js

node-modules: bindings/node/node_modules/.installed

bindings/node/node_modules/.installed: bindings/node/package-lock.json
	@cd bindings/node && $(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

# The variables reach build.sh through the environment: PREFIX LIBDIR INCLUDEDIR DESTDIR WITH_PORTABLE WITH_GO.
.PHONY: install do-install
install: .tools/env.mk ## install for C programs: PREFIX=/usr/local DESTDIR= LIBDIR= INCLUDEDIR= WITH_PORTABLE=1
	$(AGAIN) do-install

do-install:
	@./build.sh install

.PHONY: test-install
test-install: build-all build-portable ## install into a scratch folder, and use it with cc, pkg-config, CMake, C++ and cargo
	@echo "== install"
	@capi/ctest/install/run.sh

# Release builds: a quarter of an hour of two cores for all targets; TARGETS= names some of capi/dist/targets.
TARGETS ?=
.PHONY: dist dist-test dist-check do-dist do-dist-test do-dist-check
dist: .tools/env.mk ## release builds for all platforms into build/dist/, or for some: TARGETS="x86_64-windows"
	$(AGAIN) do-dist
dist-test: .tools/env.mk ## run what make dist made, with emulators; for all platforms it writes docs/platforms.md
	$(AGAIN) do-dist-test
dist-check: .tools/env.mk ## build what make dist made once more, from nothing, and compare
	$(AGAIN) do-dist-check

do-dist:
	@./build.sh dist $(TARGETS)
do-dist-test:
	@capi/dist/test.sh $(TARGETS)
do-dist-check:
	@capi/dist/twice.sh $(TARGETS)

# The Python package's wheels, of what make dist builds; TARGETS= as above.
.PHONY: wheels wheels-test do-wheels do-wheels-test
wheels: .tools/env.mk ## build the Python package's wheels for all platforms into build/wheels/
	$(AGAIN) do-wheels
wheels-test: .tools/env.mk ## try what make wheels made; for all platforms it writes docs/python-wheels.md
	$(AGAIN) do-wheels-test

do-wheels:
	@./build.sh wheels $(TARGETS)
do-wheels-test:
	@bindings/python/wheels/test.sh $(TARGETS)

.PHONY: test
test: .tools/env.mk ## set up and pass all tests, in every runtime
	$(AGAIN) do-test

.PHONY: do-test test-go test-c test-portable test-python test-pymongo test-node test-replicaset test-drivers test-readme test-differential
do-test: test-go test-c test-portable test-install test-python test-pymongo test-node test-mongodb test-js test-worker do-conformance test-replicaset test-drivers test-playground test-differential test-readme
	@echo "all tests passed"

test-go: build-all
	@echo "== go"
	@$(GO) vet ./...
	@$(GO) test ./...
	@GOOS=wasip1 GOARCH=wasm $(GO) build ./core/... ./wasm

test-c: build-all
	@echo "== c"
	@./build.sh a
	@capi/ctest/run.sh

# The module translated to C takes about two minutes the first time.
.PHONY: build-portable
build-portable: build-wasm
	@./build.sh portable

test-portable: build-portable
	@echo "== portable"
	@capi/ctest/run.sh readpref_portable

test-python: python-package python-package-ctypes
	@echo "== python"
	@cd bindings/python && $(PYTHON) -m pytest -q -p no:cacheprovider
	@echo "== python, by ctypes"
	@cd bindings/python && PYTHONPATH=$(CURDIR)/build/python-ctypes $(PYTHON) -m pytest -q -p no:cacheprovider --engine=ctypes

# The package with PyMongo: the newest is that of the other tests, the oldest has a folder of its own.
PYMONGO_OLDEST := $(CURDIR)/.tools/pymongo-oldest
test-pymongo: python-package
	@echo "== PyMongo"
	@./build.sh ferretdb
	@cd bindings/python && $(PYTHON) -m pytest -q -p no:cacheprovider tests/pymongo_with_ferretdb.py
	@cd bindings/python && PYTHONPATH=$(PYMONGO_OLDEST) $(PYTHON) -m pytest -q -p no:cacheprovider \
	  tests/pymongo_with_ferretdb.py tests/test_pymongo_client.py tests/test_pymongo_selector.py tests/test_pymongo_agrees.py

test-node: node-package node-modules
	@echo "== node"
	@cd bindings/node && $(NPM) test --silent

# The package with the official driver, on the replica set of the examples: the newest, and the newest of the major before; and the
# example that says why a read was slow.
SLOW_READS := examples/node
.PHONY: test-mongodb
test-mongodb: node-package node-modules $(SLOW_READS)/node_modules/.installed
	@echo "== mongodb driver"
	@cd bindings/node && $(NODE) --test test/mongodb/*.test.js
	@cd $(SLOW_READS) && $(NODE) --test slow-reads.test.js

$(SLOW_READS)/node_modules/.installed: $(SLOW_READS)/package-lock.json
	@cd $(SLOW_READS) && $(NPM) ci --no-audit --no-fund --loglevel=error --ignore-scripts
	@touch $@

# The packed package in Node.js, Deno, Bun, workerd, Chromium and bundlers. Chromium is the machine's, all else is pinned.
JS_RUNTIMES := bindings/node/runtimes

$(JS_RUNTIMES)/node_modules/.installed: $(JS_RUNTIMES)/package-lock.json
	@cd $(JS_RUNTIMES) && $(NPM) ci --no-audit --no-fund --loglevel=error --ignore-scripts
	@touch $@

.PHONY: test-js
test-js: node-package $(JS_RUNTIMES)/node_modules/.installed ## the npm package in every runtime and bundler; DOCS=-docs writes docs/javascript.md
	@echo "== javascript runtimes"
	@cd $(JS_RUNTIMES) && NPM='$(NPM)' GO='$(GO)' $(NODE) run.js $(DOCS)

# The example that runs in workerd, which is among the runtimes.
REGIONAL_WORKER := examples/worker
.PHONY: test-worker
test-worker: node-package $(JS_RUNTIMES)/node_modules/.installed $(REGIONAL_WORKER)/node_modules/.installed
	@echo "== worker"
	@cd $(REGIONAL_WORKER) && $(NODE) --test worker.test.js

$(REGIONAL_WORKER)/node_modules/.installed: $(REGIONAL_WORKER)/package-lock.json
	@cd $(REGIONAL_WORKER) && $(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

# The set that the example drivers are driven against, tried with PyMongo and the Node driver.
REPLICASET_NODE := examples/replicaset/tests/node

test-replicaset: $(REPLICASET_NODE)/node_modules/.installed
	@echo "== replica set"
	@cd examples && $(PYTHON) -m pytest -q -p no:cacheprovider
	@cd $(REPLICASET_NODE) && $(NODE) --test mongodb.test.js

$(REPLICASET_NODE)/node_modules/.installed: $(REPLICASET_NODE)/package-lock.json
	@cd $(REPLICASET_NODE) && $(NPM) ci --no-audit --no-fund --loglevel=error
	@touch $@

# The page that shows the selection. Its tests click through it in Chromium.
PLAYGROUND := examples/playground
.PHONY: build-playground test-playground
build-playground: node-package $(PLAYGROUND)/node_modules/.installed
	@cd $(PLAYGROUND) && $(NODE) build.js

test-playground: build-playground
	@echo "== playground"
	@cd $(PLAYGROUND) && $(NODE) test.js

$(PLAYGROUND)/node_modules/.installed: $(PLAYGROUND)/package-lock.json
	@cd $(PLAYGROUND) && $(NPM) ci --no-audit --no-fund --loglevel=error --ignore-scripts
	@touch $@

test-drivers: build-so python-package
	@echo "== example drivers"
	@examples/test_drivers.sh

test-readme: python-package node-package
	@echo "== README"
	@./build.sh demo
	@$(PYTHON) tools/check_readme.py
	@$(PYTHON) tools/make_docs.py --check

.PHONY: docs do-docs
docs: .tools/env.mk ## write the outputs that docs/cookbook.md and docs/history.md show
	$(AGAIN) do-docs

do-docs: python-package
	@$(PYTHON) tools/make_docs.py

.PHONY: conformance
conformance: .tools/env.mk ## run every case in every runtime; REPORT=file.json writes the rows
	$(AGAIN) do-conformance

.PHONY: do-conformance
do-conformance: build-all build-portable python-package node-package
	@echo "== conformance"
	@REPORT='$(REPORT)' $(GO) run ./conformance/runner -runtimes go,c,portable,python,wazero,node

.PHONY: lint
lint: .tools/env.mk ## gofmt, vet, staticcheck, generated files, ruff, mypy, pyright, tsc, C warnings
	$(AGAIN) do-lint

.PHONY: do-lint
do-lint: node-package node-modules $(PLAYGROUND)/node_modules/.installed
	@files=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$files" ]; then echo "gofmt: $$files"; exit 1; fi
	@$(GO) vet ./...
	@$(GO) tool staticcheck ./...
	@staticcheck=$$($(GO) tool -n staticcheck); for d in examples/go/driver examples/ferretdb; do \
	  (cd $$d && $(GO) vet ./... && $$staticcheck ./...); done
	@$(GO) run ./core/status/gen -root . -check
	@$(GO) run ./core/abi/gen -root . -check
	@cd bindings/python && $(PYTHON) -m ruff check . && $(PYTHON) -m ruff format --check . && $(PYTHON) -m mypy
	@$(PYTHON) bindings/python/tests/type_checking/check.py
	@$(PYTHON) -m ruff check --config bindings/python/pyproject.toml --ignore D,PLR,PLW,T tools examples/demo examples/testee differential
	@cd examples && $(PYTHON) -m ruff check . && $(PYTHON) -m ruff format --check . && $(PYTHON) -m mypy
	@cd bindings/node && $(NPM) run --silent check
	@cd $(PLAYGROUND) && $(NPM) run --silent check
	@./build.sh headers
	@$(GO) test -run Packages ./wasm/host
	@$(PYTHON) tools/check_wasm.py
	@echo "lint passed"

.PHONY: bench
bench: .tools/env.mk ## measure beside the official drivers (QUICK=1: a smoke test); REPORT=file.json writes the figures
	@$(MAKE) --no-print-directory do-bench

.PHONY: do-bench
do-bench: build-all build-portable
	@REPORT='$(REPORT)' bench/run.sh

# The official drivers are asked what readpref is asked: differential/README.md.
test-differential: $(REPLICASET_NODE)/node_modules/.installed
	@echo "== differential"
	@differential/run.sh quick

.PHONY: differential do-differential
differential: .tools/env.mk ## ask the official drivers the same; every difference must be of a known kind: CASES=20000 SEED=1
	$(AGAIN) do-differential

do-differential: $(REPLICASET_NODE)/node_modules/.installed
	@differential/run.sh
	@$(PYTHON) tools/testing_page.py

.PHONY: fuzz
fuzz: .tools/env.mk ## fuzz each Go target and the C library for FUZZTIME (60s), the Python package with FUZZCASES (50000) calls and for FUZZTIME
	@$(MAKE) --no-print-directory do-fuzz

# What all runs came to is kept in docs/testing/.
.PHONY: do-fuzz
do-fuzz: python-package
	@$(PYTHON) tools/fuzz.py $(FUZZTIME)
	@echo "== the C library"
	@FUZZTIME=$(FUZZTIME) capi/portable/sanitize/run.sh fuzz
	@echo "== python"
	@$(PYTHON) bindings/python/tests/fuzz_public_doors.py $(FUZZCASES) $(FUZZTIME)
	@$(PYTHON) tools/testing_page.py

.PHONY: races do-races
races: .tools/env.mk ## the Go race detector and TSan over the handles, from 16 threads
	$(AGAIN) do-races
do-races: build-portable
	@$(GO) test -race -run 'Hammer|Race|Discovery' ./core/abi ./core/cluster ./core/discovery
	@capi/portable/sanitize/run.sh threads
	@$(PYTHON) tools/testing_page.py

.PHONY: mutate do-mutate
mutate: .tools/env.mk ## mutation testing of core/ for BUDGET (1h), going on where the last run ended; scores in docs/testing/
	$(AGAIN) do-mutate
do-mutate:
	@nice -n 19 $(GO) run ./tools/mutate -quick -budget $(BUDGET)
	@nice -n 19 $(GO) run ./tools/mutate -quick -survivors -budget $(BUDGET)
	@nice -n 19 $(GO) run ./tools/mutate -survivors -budget $(BUDGET)
	@$(PYTHON) tools/testing_page.py

# SCALE=100 divides the calls by 100.
SCALE ?= 1
.PHONY: soak do-soak
soak: .tools/env.mk ## 50 million selections, 5 million by JSON, 1 million replies in each runtime; memory must stay flat: SCALE=1
	$(AGAIN) do-soak
do-soak: build-all build-portable python-package node-package
	@$(PYTHON) soak/soak.py --scale $(SCALE)
	@$(PYTHON) tools/testing_page.py

.PHONY: audit sbom
audit: .tools/env.mk ## ask the vulnerability databases about what is pinned
	@PYTHON='$(PYTHON)' tools/audit.sh
sbom: .tools/env.mk ## CycloneDX documents of what is published, into build/sbom/
	@$(PYTHON) tools/sbom.py

.PHONY: clean
clean: ## remove what was built, and .tools/
	@rm -rf build .tools bindings/node/node_modules $(JS_RUNTIMES)/node_modules $(REPLICASET_NODE)/node_modules $(SLOW_READS)/node_modules $(REGIONAL_WORKER)/node_modules $(PLAYGROUND)/node_modules bindings/node/dist bindings/python/src/readpref/_lib bindings/python/src/readpref/_engine.abi3.so

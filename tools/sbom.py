#!/usr/bin/env python3
"""Write CycloneDX documents of what is published into build/sbom/.

One for each artifact: the modules that are linked into the C libraries and the WebAssembly module (go list), and what
the npm package installs (npm sbom). The Python package has no dependencies but the library in it.
"""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "build" / "sbom"


def run(*command: str, cwd: Path = ROOT, **environment: str) -> str:
    words = [w for c in command[:1] for w in c.split()] + list(command[1:])
    return subprocess.run(
        words, cwd=cwd, env={**os.environ, **environment}, capture_output=True, text=True, check=True
    ).stdout


def modules(package: str, **environment: str) -> list[tuple[str, str]]:
    """Find the modules whose packages a program links, but ours."""
    template = "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}{{end}}{{end}}"
    lines = run(os.environ.get("GO", "go"), "list", "-deps", "-f", template, package, **environment).split("\n")
    return sorted({tuple(line.split()) for line in lines if line.strip()})


def document(name: str, version: str, components: list[dict]) -> dict:
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "component": {
                "type": "library",
                "name": name,
                "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            }
        },
        "components": components,
    }


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    version = (ROOT / "VERSION").read_text().strip()
    go = run(os.environ.get("GO", "go"), "env", "GOVERSION").strip().removeprefix("go")
    library = {"type": "library", "name": "Go standard library", "version": go, "purl": f"pkg:golang/std@{go}"}
    for name, package, environment in (
        ("libreadpref", "./capi", {"CGO_ENABLED": "1"}),
        ("readpref.wasm", "./wasm", {"GOOS": "wasip1", "GOARCH": "wasm"}),
    ):
        linked = [
            {"type": "library", "name": path, "version": v, "purl": f"pkg:golang/{path}@{v}"}
            for path, v in modules(package, **environment)
        ]
        write(name, document(name, version, [library, *linked]))
    npm = os.environ.get("NPM", "npm")
    text = run(
        npm,
        "sbom",
        "--sbom-format",
        "cyclonedx",
        "--package-lock-only",
        "--omit",
        "dev",
        cwd=ROOT / "bindings" / "node",
    )
    write("npm", json.loads(text))


def write(name: str, bom: dict) -> None:
    path = OUT / f"{name}.cdx.json"
    path.write_text(json.dumps(bom, indent=2) + "\n")
    print(f"{path.relative_to(ROOT)}: CycloneDX {bom['specVersion']}, {len(bom.get('components', []))} components")


if __name__ == "__main__":
    main()

"""Print the path of zig, the compiler of release builds: PyPI's ziglang, pinned as in tools/setup.py, brought into .tools/."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path[:0] = [str(ROOT / "capi" / "portable"), str(ROOT / "tools")]

from setup import ZIG_PIN  # noqa: E402
from tools import brought, run  # noqa: E402


def bring(folder: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
    run([*pip, "--target", str(folder), ZIG_PIN], ZIG_PIN)


if __name__ == "__main__":
    print(brought(ZIG_PIN.replace("==", "-"), "ziglang/zig", bring))

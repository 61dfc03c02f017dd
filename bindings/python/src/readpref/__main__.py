"""python -m readpref: the command line."""

from __future__ import annotations

if __name__ == "__main__":
    from readpref._cli.main import run

    run()

"""The examples in the docstrings and in the README run, and print what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import readpref
from conftest import PACKAGE

MODULES = ["readpref", *(f"readpref.{module.name}" for module in pkgutil.iter_modules(readpref.__path__))]
WITH_EXAMPLES = {"readpref", "readpref._call", "readpref._methods", "readpref._preference", "readpref._select"}


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0
    assert result.attempted > 0 or name not in WITH_EXAMPLES


def test_readme() -> None:
    result = doctest.testfile(str(PACKAGE / "README.md"), module_relative=False, encoding="utf-8")
    assert result.failed == 0
    assert result.attempted > 5

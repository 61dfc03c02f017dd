"""Completion scripts for shells, generated from the parser."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping

from readpref._cli.preference_options import CHOICES

_Parsers = Mapping[str, argparse.ArgumentParser]
_FORMATS = ("auto", "request", "description", "hello", "rs-status", "shard-map", "driver-log", "atlas-cluster")


def script(shell: str, commands: _Parsers) -> str:
    """Give the script for a shell that completes these commands."""
    return SHELLS[shell](commands)


def _options(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Give the long options with their help."""
    found = {}
    for action in parser._actions:
        for option in action.option_strings:
            if option.startswith("--"):
                found[option] = action.help or ""
    return found


def _values(parser: argparse.ArgumentParser) -> dict[str, list[str]]:
    """Give the words that options, and the positional argument (as ``), choose from."""
    found: dict[str, list[str]] = {}
    for action in parser._actions:
        name = next((option for option in action.option_strings if option.startswith("--")), "")
        words = list(action.choices or CHOICES.get(name, _FORMATS if name == "--format" else ()))
        if words:
            found[name] = words
    return found


def _summary(parser: argparse.ArgumentParser) -> str:
    return (parser.description or "").partition("\n")[0].rstrip(".")


def _quoted(text: str) -> str:
    """Quote for a POSIX shell and for zsh; fish reads this form as well where there is no backslash."""
    return "'" + re.sub(r"[\\\x00-\x1f]", " ", text).replace("'", "'\\''") + "'"


def _cases(commands: _Parsers) -> str:
    """Give the branches of a case over "command option" that set the words to choose from."""
    lines = []
    for name, parser in commands.items():
        lines += [
            f"    {_quoted(f'{name} {option}')}) choices={_quoted(' '.join(words))} ;;"
            for option, words in _values(parser).items()
        ]
        lines.append(f"    {_quoted(f'{name} options')}) choices={_quoted(' '.join(_options(parser)))} ;;")
    return "\n".join(lines)


def _bash(commands: _Parsers) -> str:
    return f"""# bash completion of readpref: source <(readpref completion bash)
_readpref() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command=${{COMP_WORDS[1]}} choices=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W {_quoted(" ".join([*commands, "--help", "--version"]))} -- "$current"))
    return
  fi
  # bash takes --option=value as three words.
  if [ "$previous" = = ]; then previous=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  if [ "$current" = = ]; then previous=${{COMP_WORDS[COMP_CWORD-1]}}; current=; fi
  case "$command $previous" in
{_cases(commands)}
  esac
  if [ -z "$choices" ]; then
    case "$current" in
    -*) previous=options ;;
    *) previous= ;;
    esac
    case "$command $previous" in
{_cases(commands)}
    esac
  fi
  if [ -n "$choices" ]; then
    COMPREPLY=($(compgen -W "$choices" -- "$current"))
  else
    compopt -o filenames 2>/dev/null
    local IFS=$'\\n'
    COMPREPLY=($(compgen -f -- "$current"))
  fi
}}
complete -F _readpref readpref
"""


def _zsh(commands: _Parsers) -> str:
    described = "\n".join(
        f"    {_quoted(name.replace(':', chr(92) + ':') + ':' + _summary(parser))}" for name, parser in commands.items()
    )
    return f"""#compdef readpref
# zsh completion of readpref: source <(readpref completion zsh)
_readpref() {{
  local current=$words[CURRENT] previous=$words[CURRENT-1] command=$words[2]
  if (( CURRENT == 2 )); then
    local -a commands
    commands=(
{described}
    )
    _describe command commands
    return
  fi
  _readpref_words "$command" "$previous" "$current"
  if [[ -n $reply ]]; then
    compadd -- ${{=reply}}
  else
    _files
  fi
}}
_readpref_words() {{
  local command=$1 previous=$2 current=$3 choices=
  case "$command $previous" in
{_cases(commands)}
  esac
  if [[ -z $choices ]]; then
    previous=
    [[ $current == -* ]] && previous=options
    case "$command $previous" in
{_cases(commands)}
    esac
  fi
  reply=$choices
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _readpref "$@"; else compdef _readpref readpref; fi
"""


def _fish(commands: _Parsers) -> str:
    lines = ["# fish completion of readpref: readpref completion fish | source"]
    for name, parser in commands.items():
        lines.append(
            f"complete -c readpref -n __fish_use_subcommand -f -a {_quoted(name)} -d {_quoted(_summary(parser))}"
        )
    for name, parser in commands.items():
        here = f"complete -c readpref -n {_quoted(f'__fish_seen_subcommand_from {name}')}"
        values = _values(parser)
        for option, text in _options(parser).items():
            words = f" -x -a {_quoted(' '.join(values[option]))}" if option in values else ""
            lines.append(f"{here} -l {option[2:]} -d {_quoted(text)}{words}")
        if "" in values:
            lines.append(f"{here} -f -a {_quoted(' '.join(values['']))}")
    return "\n".join(lines) + "\n"


SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}

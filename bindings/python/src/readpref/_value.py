"""Immutable values: what a frozen dataclass is, without dataclasses.

Importing that and making a class by it takes half a millisecond a class, which would be most of this package's import.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, ClassVar, NoReturn, TypeVar

T = TypeVar("T")

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform  # a type checker's own; nothing imports it
else:

    def dataclass_transform(**_: Any) -> Callable[[T], T]:
        return lambda kind: kind


class _Field:
    __slots__ = ("compared", "shown")

    def __init__(self, shown: bool, compared: bool) -> None:
        self.shown = shown
        self.compared = compared


def field(*, repr: bool = True, compare: bool = True) -> Any:  # noqa: A002 - the name that type checkers know
    """Say of a field that it is no part of the repr, or of the value."""
    return _Field(repr, compare)


class _Missing:
    """Stands where there is no default."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value:
    """The base. A class's annotations are its fields, behind those of its base; what is assigned is a default."""

    _types: ClassVar[dict[str, str]] = {}
    _defaults: ClassVar[dict[str, Any]] = {}
    _shown: ClassVar[tuple[str, ...]] = ()
    _compared: ClassVar[tuple[str, ...]] = ()
    _names: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        # Before 3.10 a class without annotations gives its base's; from 3.14 on they are not in its dictionary.
        own = cls.__annotations__ if sys.version_info >= (3, 10) else vars(cls).get("__annotations__", {})
        cls._types = {**cls._types, **own}
        cls._defaults = dict(cls._defaults)
        shown, compared = cls._shown, cls._compared
        for name in own:
            given = cls.__dict__.get(name, _Missing)
            if isinstance(given, _Field):
                delattr(cls, name)
            elif given is not _Missing:
                cls._defaults[name] = given
            if not isinstance(given, _Field) or given.shown:
                shown = (*shown, name)
            if not isinstance(given, _Field) or given.compared:
                compared = (*compared, name)
        cls._shown, cls._compared = shown, compared
        cls._names = tuple(cls._types)
        setattr(cls, "__match_args__", cls._names)  # noqa: B010 - type checkers make it themselves

    def __init__(self, *args: Any, **keywords: Any) -> None:
        names = self._names
        state = self.__dict__
        state.update(self._defaults)
        state.update(zip(names, args))
        state.update(keywords)
        if (
            state.keys() != self._types.keys()
            or len(args) > len(names)
            or (keywords and not keywords.keys().isdisjoint(names[: len(args)]))
        ):
            self._refuse(args, keywords)

    def _refuse(self, args: tuple[Any, ...], keywords: dict[str, Any]) -> NoReturn:
        given = [*self._names[: len(args)], *keywords]
        twice = [name for name in keywords if name in self._names[: len(args)]]
        unknown = [name for name in keywords if name not in self._types]
        missing = [name for name in self._types if name not in given and name not in self._defaults]
        what = (
            f"more than {len(self._types)} arguments"
            if len(args) > len(self._types)
            else f"{twice[0]} twice"
            if twice
            else f"no argument {unknown[0]}, which was given"
            if unknown
            else f"{missing[0]}, which was not given"
        )
        raise TypeError(f"{type(self).__name__}: {what}")

    def _key(self) -> tuple[Any, ...]:
        state = self.__dict__
        return tuple([state[name] for name in self._compared])

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self._shown)
        return f"{type(self).__qualname__}({shown})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        refuse_change("assign to", name)

    def __delattr__(self, name: str) -> NoReturn:
        refuse_change("delete", name)


def refuse_change(what: str, name: str) -> NoReturn:
    """Raise what a frozen dataclass raises."""
    from dataclasses import FrozenInstanceError  # noqa: PLC0415 - see above

    raise FrozenInstanceError(f"cannot {what} field {name!r}")

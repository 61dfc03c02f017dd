"""A read preference, checked and normalised by the engine."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

from readpref._call import answer
from readpref._encode import Encoded, encode
from readpref._errors import error_from_document, new_error
from readpref._handles import PreferenceHandle
from readpref._reading import class_name, is_a, reading
from readpref._value import refuse_change
from readpref._warning import EngineWarning, issue

if TYPE_CHECKING:
    from pymongo.read_preferences import _ServerMode

    from readpref._prepared import Prepared


class ReadPreference(Encoded, PreferenceHandle):
    """Which members may serve a read: a mode, tag sets, a maximum staleness.

    Immutable and hashable; two are equal when they mean the same. It is checked when it is built, and kept in its
    normal form: an empty list of tag sets and a maxStalenessSeconds of -1 are no part of it.

    Args:
        mode: ``"primary"``, ``"primaryPreferred"``, ``"secondary"``, ``"secondaryPreferred"`` or ``"nearest"``.
        tags: tag sets, tried in this order; ``{}`` matches every server. None: any server.
        max_staleness_seconds: how far a secondary may lag, in whole seconds. -1 or None: any lag. Replica sets take no
            less than 90, and no less than heartbeatFrequencyMS + 10 s, which is checked by `select`.
        hedge: ``{"enabled": bool}``. Deprecated since server 8.0.

    Raises:
        ReadPrefError: the first of the problems that `validate` finds.

    Warns:
        EngineWarning: each of `warnings`.

    >>> ReadPreference("secondaryPreferred", [{"dc": "ny"}, {}], max_staleness_seconds=120)
    ReadPreference('secondaryPreferred', tags=[{'dc': 'ny'}, {}], max_staleness_seconds=120)
    >>> ReadPreference("nearest", tags=[], max_staleness_seconds=-1) == ReadPreference("nearest")
    True
    """

    __slots__ = ("_document", "_json", "_prepared", "_warnings")
    __match_args__ = ("mode", "tags", "max_staleness_seconds", "hedge")

    _document: dict[str, Any]
    _json: bytes
    _prepared: Prepared  # set by _prepared.prepare
    _warnings: tuple[EngineWarning, ...]

    def __init__(
        self,
        mode: str = "primary",
        tags: Sequence[Mapping[str, str]] | None = None,
        max_staleness_seconds: int | None = None,
        hedge: Mapping[str, bool] | None = None,
    ) -> None:
        given = {"mode": mode, "tags": tags, "maxStalenessSeconds": max_staleness_seconds, "hedge": hedge}
        self._check({"readPreference": given}, stacklevel=3)

    @classmethod
    def from_document(cls, document: Mapping[str, Any]) -> ReadPreference:
        """Build from the wire's ``$readPreference`` document: ``{"mode", "tags", "maxStalenessSeconds", "hedge"}``.

        >>> ReadPreference.from_document({"mode": "secondary", "maxStalenessSeconds": 90})
        ReadPreference('secondary', max_staleness_seconds=90)
        """
        return cls._checked({"readPreference": document})

    @classmethod
    def from_uri_options(cls, options: str) -> ReadPreference:
        """Build from the options of a connection string, the part after its ``?``.

        An option that cannot be used is left out, as the connection string specification asks: `warnings` names it, and
        an `EngineWarning` is issued for it.

        >>> ReadPreference.from_uri_options("readPreference=secondary&readPreferenceTags=dc:ny&readPreferenceTags=")
        ReadPreference('secondary', tags=[{'dc': 'ny'}, {}])
        """
        return cls._checked({"uriOptions": options})

    @classmethod
    def from_uri(cls, uri: str) -> ReadPreference:
        """Build from a whole connection string; `warnings` are those that are about the read preference.

        >>> ReadPreference.from_uri("mongodb://a.example/?readPreference=secondary&maxStalenessSeconds=120")
        ReadPreference('secondary', max_staleness_seconds=120)
        """
        found = answer("parse_uri", encode({"uri": uri}))
        notes = tuple(EngineWarning._from_document(one) for one in found["warnings"] if _is_ours(one["path"]))
        preference = cls.__new__(cls)
        preference._set(found["readPreference"], notes)
        issue(notes, stacklevel=2)
        return preference

    @classmethod
    def from_mongosh(cls, *arguments: Any) -> ReadPreference:
        """Build from what mongosh's ``setReadPref(…)`` takes: the mode, tag sets, hedge options.

        >>> ReadPreference.from_mongosh("secondary", [{"region": "us-east"}, {}])
        ReadPreference('secondary', tags=[{'region': 'us-east'}, {}])
        """
        return cls._checked({"mongosh": arguments})

    @classmethod
    def from_pymongo(cls, preference: _ServerMode) -> ReadPreference:
        """Build from a read preference of PyMongo's, such as ``pymongo.ReadPreference.NEAREST``.

        Raises `WrongTypeError` for anything else. A client, database or collection has one as its ``read_preference``.

        >>> import pymongo
        >>> ReadPreference.from_pymongo(pymongo.read_preferences.Secondary(tag_sets=[{"dc": "ny"}], max_staleness=120))
        ReadPreference('secondary', tags=[{'dc': 'ny'}], max_staleness_seconds=120)
        """
        given: Any = preference
        with reading(("readPreference",)):
            if not is_pymongos(given):
                raise new_error(
                    "wrongType",
                    f"expected a read preference of PyMongo's, found a {class_name(given)}",
                    "readPreference",
                )
            document = given.document
        return cls._checked({"readPreference": document})

    def to_pymongo(self) -> _ServerMode:
        """Give the same read preference as PyMongo has it. It has to be installed, else that is an ImportError.

        PyMongo warns of hedge, which is deprecated.

        >>> ReadPreference("secondary", tags=[{"dc": "ny"}], max_staleness_seconds=120).to_pymongo()
        Secondary(tag_sets=[{'dc': 'ny'}], max_staleness=120, hedge=None)
        """
        from pymongo import read_preferences  # noqa: PLC0415 - an optional extra

        if self.mode == "primary":
            return read_preferences.Primary()
        kind = getattr(read_preferences, self.mode[0].upper() + self.mode[1:])
        options: dict[str, Any] = {"tag_sets": [dict(tag_set) for tag_set in self.tags] or None}
        if self.max_staleness_seconds is not None:
            options["max_staleness"] = self.max_staleness_seconds
        if self.hedge is not None:
            options["hedge"] = dict(self.hedge)
        preference: _ServerMode = kind(**options)
        return preference

    @classmethod
    def _checked(cls, request: Mapping[str, object]) -> ReadPreference:
        preference = cls.__new__(cls)
        preference._check(request, stacklevel=4)
        return preference

    @classmethod
    def _from_normal_form(cls, document: dict[str, Any]) -> ReadPreference:
        """Build from a document that the engine has printed."""
        preference = cls.__new__(cls)
        preference._set(document, ())
        return preference

    def _check(self, request: Mapping[str, object], stacklevel: int) -> None:
        found = answer("validate", encode(request))
        if not found["valid"]:
            raise error_from_document({"error": found["problems"][0]})
        notes = tuple(EngineWarning._from_document(warning) for warning in found["warnings"])
        self._set(found["readPreference"], notes)
        issue(notes, stacklevel)

    def _set(self, document: dict[str, Any], notes: tuple[EngineWarning, ...]) -> None:
        object.__setattr__(self, "_document", document)
        object.__setattr__(self, "_json", encode(document))
        object.__setattr__(self, "_warnings", notes)

    def _encoded(self) -> bytes:
        return self._json

    @property
    def mode(self) -> str:
        """The mode's name, such as ``"secondaryPreferred"``."""
        mode: str = self._document["mode"]
        return mode

    @property
    def tags(self) -> tuple[Mapping[str, str], ...]:
        """The tag sets, in order, read-only; empty where there are none."""
        return tuple(MappingProxyType(tag_set) for tag_set in self._document.get("tags", ()))

    @property
    def max_staleness_seconds(self) -> int | None:
        """The maximum staleness in seconds, or None."""
        return self._document.get("maxStalenessSeconds")

    @property
    def hedge(self) -> Mapping[str, bool] | None:
        """The hedge options, read-only, or None."""
        hedge = self._document.get("hedge")
        return None if hedge is None else MappingProxyType(hedge)

    @property
    def document(self) -> dict[str, Any]:
        """The normal form as a ``$readPreference`` document; a new dict each time.

        >>> ReadPreference("secondary", tags=[{"dc": "ny"}]).document
        {'mode': 'secondary', 'tags': [{'dc': 'ny'}]}
        """
        document: dict[str, Any] = json.loads(self._json)
        return document

    @property
    def uri_options(self) -> str:
        """The options of a connection string that say it, to be put behind its question mark.

        Raises a `ReadPrefError` where options cannot say it: hedge, a comma in a tag, a colon in a tag's name.

        >>> ReadPreference("secondary", tags=[{"dc": "ny"}, {}]).uri_options
        'readPreference=secondary&readPreferenceTags=dc:ny&readPreferenceTags='
        """
        query: str = answer("to_uri", encode({"readPreference": self}))["query"]
        return query

    @property
    def warnings(self) -> tuple[EngineWarning, ...]:
        """What its author should know, such as URI options that were ignored; no part of its value.

        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("ignore", EngineWarning)  # each is also issued as a Python warning
        ...     [warning] = ReadPreference.from_uri_options("readPreference=secondry").warnings
        >>> print(warning)
        uriOptions.readPreference: "secondry" is no read preference mode; the option is ignored (invalidURIOptionValue)
        """
        return self._warnings

    def _key(self) -> tuple[object, ...]:
        hedge = self._document.get("hedge")
        return (
            self.mode,
            tuple(frozenset(tag_set.items()) for tag_set in self._document.get("tags", ())),
            self.max_staleness_seconds,
            None if hedge is None else frozenset(hedge.items()),
        )

    def __eq__(self, other: Any) -> bool:
        if not is_a(other, ReadPreference):
            return NotImplemented
        return bool(self._key() == other._key())

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        parts = [repr(self.mode)]
        for name, key in (("tags", "tags"), ("max_staleness_seconds", "maxStalenessSeconds"), ("hedge", "hedge")):
            if key in self._document:
                parts.append(f"{name}={self._document[key]!r}")
        return f"ReadPreference({', '.join(parts)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return ReadPreference._from_normal_form, (self.document,)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        refuse_change("assign to", name)

    def __delattr__(self, name: str) -> NoReturn:
        refuse_change("delete", name)


def is_pymongos(value: object) -> bool:
    """Tell without PyMongo, which may not be there."""
    kind = type(value)
    modules = (base.__dict__.get("__module__") for base in type.mro(kind))
    return "pymongo.read_preferences" in modules and isinstance(getattr(kind, "document", None), property)


def _is_ours(path: str) -> bool:
    name = path.partition("options.")[2].lower()
    return name in ("readpreference", "readpreferencetags", "maxstalenessseconds")


_BY_MODE: dict[str, ReadPreference] = {}


def preference_of(given: Any, default: ReadPreference | None = None) -> ReadPreference:
    """Give the read preference that a `ReadPreference`, a document, a mode alone or None stands for."""
    if is_a(given, ReadPreference):
        found: ReadPreference = given
        return found
    if given is None and default is not None:
        return default
    if type(given) is str:
        known = _BY_MODE.get(given)
        if known is None:
            # There are five; what is none raises.
            known = _BY_MODE[given] = ReadPreference(given)
        return known
    return ReadPreference.from_document(preference_document(given))


def preference_document(given: Any) -> Any:
    """Give a read preference as requests have it: a mode alone becomes its document."""
    return {"mode": given} if is_a(given, str) else given

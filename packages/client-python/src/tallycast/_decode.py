"""Converts JSON values to dataclasses. Unknown fields are ignored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from .errors import UnexpectedAnswerError

T = TypeVar("T")
Reader = Callable[[Any, str], Any]


def decode(kind: type[T], value: Any) -> T:
    return cast(T, _reader_of(cast(Any, kind))(value, kind.__name__))


@lru_cache(maxsize=None)
def _reader_of(kind: Any) -> Reader:
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _maybe(_reader_of(next(option for option in get_args(kind) if option is not NoneType)))
    if origin is list:
        return _list_of(_reader_of(get_args(kind)[0]))
    if origin is dict:
        return _dict_of(_reader_of(get_args(kind)[1]))
    if is_dataclass(kind):
        return _object_of(cast("type[Any]", kind))
    return lambda value, _place: value


def _maybe(read: Reader) -> Reader:
    return lambda value, place: None if value is None else read(value, place)


def _list_of(read: Reader) -> Reader:
    def read_list(value: Any, place: str) -> list[Any]:
        if not isinstance(value, list):
            raise UnexpectedAnswerError(f"{place} is not a list")
        return [read(item, f"{place}[{index}]") for index, item in enumerate(value)]

    return read_list


def _dict_of(read: Reader) -> Reader:
    def read_dict(value: Any, place: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise UnexpectedAnswerError(f"{place} is not an object")
        return {name: read(item, f"{place}.{name}") for name, item in value.items()}

    return read_dict


def _object_of(kind: type[Any]) -> Reader:
    hints = get_type_hints(kind)
    # `from` is a Python keyword, so the field is `from_`.
    readers = {field.name: (field.name.rstrip("_"), _reader_of(hints[field.name])) for field in fields(kind)}
    required = [
        field.name.rstrip("_")
        for field in fields(kind)
        if field.default is MISSING and field.default_factory is MISSING
    ]

    def read_object(value: Any, place: str) -> Any:
        if not isinstance(value, dict):
            raise UnexpectedAnswerError(f"{place} is not an object")
        missing = [name for name in required if name not in value]
        if missing:
            raise UnexpectedAnswerError(f"{place}.{missing[0]} is missing")
        given = {
            name: read(value[wire_name], f"{place}.{wire_name}")
            for name, (wire_name, read) in readers.items()
            if wire_name in value
        }
        return kind(**given)

    return read_object

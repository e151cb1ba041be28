"""Converts responses to pandas frames; needs the extra `tallycast[pandas]`.

One row per record, or per element where a record is about a list (the signals of an event, the buckets of a
forecast); the record's own fields repeat in every such row. Fields of parts are named after the part
(`forecast_p50`). Times are UTC datetimes, whole numbers that may be missing are Int64.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Union, get_args, get_origin, get_type_hints

from . import models

if TYPE_CHECKING:
    import pandas

#: The list field of each record type that has one.
_ROWS_OF: dict[type[Any], str] = {
    models.CryptoRecord: "tokens",
    models.HourlyRecord: "hours",
    models.LadderRecord: "rows",
    models.PortfolioRecord: "positions",
    models.PredictionRecord: "markets",
    models.RebalancingRecord: "positions",
    models.SignalsRecord: "signals",
}


def to_frame(answer: Any) -> pandas.DataFrame:
    """Converts a response, a record, or any iterable of records, e.g. `client.every_post(...)`."""
    import pandas

    records, kind = _records_of(answer)
    columns = dict(_columns_of(kind)) if kind else {}
    rows = [row for record in records for row in _rows_of(record)]
    frame = pandas.DataFrame(rows, columns=list(columns))
    for name, type_name in columns.items():
        frame[name] = _to_column(pandas, frame[name], name, type_name)
    return frame


def _records_of(answer: Any) -> tuple[list[Any], type[Any] | None]:
    if is_dataclass(answer):
        hint = get_type_hints(type(answer)).get("data")
        if hint is None:
            return [answer], type(answer)
        element = get_args(hint)[0] if get_origin(hint) is list else hint
        data = getattr(answer, "data")
        return (data if isinstance(data, list) else [data]), element
    records = list(answer)
    return records, type(records[0]) if records else None


def _rows_of(record: Any) -> Iterator[dict[str, Any]]:
    own = dict(_values_of(record, ""))
    listed = _ROWS_OF.get(type(record))
    if listed is None:
        yield own
    else:
        for element in getattr(record, listed):
            yield {**own, **dict(_values_of(element, ""))}


def _values_of(record: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for field in fields(record):
        value = getattr(record, field.name)
        if is_dataclass(value):
            yield from _values_of(value, f"{prefix}{field.name}_")
        else:
            yield f"{prefix}{field.name}", value


def _columns_of(kind: type[Any], prefix: str = "", is_sure: bool = True) -> Iterator[tuple[str, str]]:
    """Returns column names and types, even for a response without records."""
    for name, hint in get_type_hints(kind).items():
        inner, is_optional = _without_none(hint)
        if is_dataclass(inner):
            yield from _columns_of(inner, f"{prefix}{name}_", is_sure and not is_optional)
        elif not _is_list_of_records(inner):
            yield f"{prefix}{name}", _type_name(inner, is_sure and not is_optional)
    listed = _ROWS_OF.get(kind)
    if listed is not None:
        yield from _columns_of(get_args(get_type_hints(kind)[listed])[0])


def _without_none(hint: Any) -> tuple[Any, bool]:
    if get_origin(hint) not in (Union, UnionType):
        return hint, False
    options = [option for option in get_args(hint) if option is not NoneType]
    return options[0], len(options) < len(get_args(hint))


def _is_list_of_records(hint: Any) -> bool:
    return get_origin(hint) is list and is_dataclass(get_args(hint)[0])


def _type_name(hint: Any, is_sure: bool) -> str:
    if hint is int:
        return "int64" if is_sure else "Int64"
    if hint is bool:
        return "bool" if is_sure else "boolean"
    return "float64" if hint is float else "object"


def _to_column(pandas: Any, column: Any, name: str, type_name: str) -> Any:
    if name == "timestamp" or name.endswith("_ts"):
        # Times are milliseconds, except for the history's ISO strings.
        unit = None if type_name == "object" else "ms"
        return pandas.to_datetime(column.astype("object" if unit is None else "Int64"), unit=unit, utc=True)
    return column.astype(type_name)


"""JSON with exact decimals, and its conversion to models."""

from __future__ import annotations

import dataclasses
import functools
import json
import types
import typing
from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, Union

from . import models


class Omit:
    """Marks a parameter that is not sent, where `None` is sent as null."""

    def __repr__(self) -> str:
        return "OMIT"


OMIT = Omit()


def parse(text: bytes) -> Any:
    """Parses JSON; numbers with a fraction become `Decimal`."""
    return json.loads(text, parse_float=Decimal)


def dump(value: Any) -> bytes:
    return json.dumps(value, default=_plain, ensure_ascii=False, allow_nan=False).encode()


def text_of(value: Any) -> str:
    """A value of a query parameter."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return _iso(value)
    if isinstance(value, (list, tuple)):
        return ",".join(map(text_of, value))
    return str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        # The service's amounts have at most 15 digits, which a float keeps.
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime):
        return _iso(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON")


def _iso(time: datetime) -> str:
    if time.tzinfo is None:
        raise ValueError("A time needs a time zone, such as datetime.now(timezone.utc)")
    return time.isoformat()


def decode(hint: Any, value: Any) -> Any:
    """Converts parsed JSON to the type that a hint names. Unknown fields are ignored: the service may add some."""
    if value is None:
        return None
    if hint is Decimal:
        return Decimal(value)
    if hint is datetime:
        return datetime.fromisoformat(value)
    if dataclasses.is_dataclass(hint):
        return _decode_model(hint, value)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is list:
        return [decode(arguments[0], each) for each in value]
    if origin is dict:
        return {name: decode(arguments[1], each) for name, each in value.items()}
    if origin in (Union, types.UnionType):
        return _decode_union(tuple(each for each in arguments if each is not type(None)), value)
    return value


def _decode_model(model: Any, value: Any) -> Any:
    hints = _hints(model)
    return model(**{name: decode(hint, value.get(name.removesuffix("_"))) for name, hint in hints.items()})


def _decode_union(options: tuple[Any, ...], value: Any) -> Any:
    if models.Unknown in options:
        by, variants = models.VARIANTS[Union[options]]
        model = variants.get(value.get(by))
        return models.Unknown(raw=value) if model is None else _decode_model(model, value)
    if len(options) == 1:
        return decode(options[0], value)
    # A choice of primitive types.
    return value


@functools.cache
def _hints(model: Any) -> dict[str, Any]:
    return typing.get_type_hints(model)

"""Sends requests: authentication, timeouts, retries and errors."""

from __future__ import annotations

import http.client
import platform
import random
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ._json import OMIT, Omit, decode, dump, parse, text_of
from ._version import VERSION
from .errors import PaylatchError, response_error

__all__ = ["OMIT", "Endpoint", "Omit", "OperationsBase", "send"]

USER_AGENT = f"paylatch-python/{VERSION} python/{platform.python_version()}"
FIRST_DELAY = 0.25


class Endpoint(NamedTuple):
    """Method and path of an operation, and where its input is sent."""

    method: str
    path: str
    sends: str


class OperationsBase:
    """Sends the calls of a client.

    Reads, and calls with an idempotency key, are retried. All other calls are sent once.
    """

    def __init__(
        self,
        *,
        base_url: str,
        token: str | Callable[[], str],
        headers: Mapping[str, str] | None = None,
        max_retries: int = 2,
        max_retry_delay: float = 60,
        timeout: float = 60,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._base_url = checked_url(base_url)
        self._token = token
        self._headers = dict(headers or {})
        self._max_retries = max_retries
        self._max_retry_delay = max_retry_delay
        self._timeout = timeout
        self._sleep = sleep

    def _call(
        self,
        endpoint: Endpoint,
        values: Mapping[str, Any],
        hint: Any,
        *,
        idempotency_key: str | None,
        timeout: float | None,
    ) -> Any:
        sent = {name: value for name, value in values.items() if value is not OMIT}
        url = self._base_url + endpoint.path
        body = dump(sent) if endpoint.sends == "body" else None
        if endpoint.sends == "query" and sent:
            url += "?" + urllib.parse.urlencode(dict(_query(sent)))
        is_repeatable = endpoint.method == "GET" or idempotency_key is not None
        attempt = 0
        forget = getattr(self._token, "forget", None)
        while True:
            token = None
            try:
                token = self._token() if callable(self._token) else self._token
                headers = {**self._headers, "authorization": f"Bearer {token}"}
                if idempotency_key is not None:
                    headers["idempotency-key"] = idempotency_key
                if body is not None:
                    headers["content-type"] = "application/json"
                response = send(endpoint.method, url, headers, body, self._timeout if timeout is None else timeout)
            except PaylatchError as error:
                # The service has not run the request, so every request can be repeated. Once, with another token.
                if error.code == "unauthorized" and token is not None and forget is not None:
                    forget(token)
                    forget = None
                    continue
                delay = _retry_delay(attempt, error)
                is_final = not is_repeatable or attempt >= self._max_retries or not error.retryable
                if is_final or delay > self._max_retry_delay:
                    raise
                self._sleep(delay)
                attempt += 1
            else:
                return decode(hint, response)


def _query(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """A mapping becomes one parameter per key, such as `metadata[order]`."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}[{key}]", text_of(each)) for key, each in value.items())
        else:
            yield name, text_of(value)


def _retry_delay(attempt: int, error: PaylatchError) -> float:
    """The delay that the service asks for, otherwise exponential backoff with jitter."""
    if error.retry_after is not None:
        return error.retry_after
    return FIRST_DELAY * float(2**attempt) * (0.5 + random.random() / 2)


def checked_url(base_url: str) -> str:
    """Keeps a path, for a service behind a reverse proxy. Other schemes, such as `file`, are rejected."""
    if urllib.parse.urlsplit(base_url).scheme not in ("http", "https"):
        raise ValueError(f"base_url must start with https:// or http://, not {base_url!r}")
    return base_url.rstrip("/")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """The API never redirects. Following a redirect would send the token elsewhere."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def send(method: str, url: str, headers: Mapping[str, str], body: bytes | None, timeout: float) -> Any:
    """Sends one request and returns the parsed body of a successful response. Raises `PaylatchError` otherwise."""
    sent = {"accept": "application/json", "user-agent": USER_AGENT, **headers}
    request = urllib.request.Request(url, data=body, headers=sent, method=method)
    try:
        try:
            response = _opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            status, received, text = response.status, response.headers, response.read()
    except (OSError, http.client.HTTPException) as cause:
        if isinstance(cause, TimeoutError) or isinstance(getattr(cause, "reason", None), TimeoutError):
            message = f"The service did not respond within {timeout:g} s."
            raise PaylatchError("timed_out", message, retryable=True) from cause
        message = "The service is unreachable. Check the base URL and the network."
        raise PaylatchError("unreachable", message, retryable=True) from cause
    try:
        parsed = parse(text)
    except ValueError:
        # Not a response from the service, which always sends JSON.
        parsed = None
    if not 200 <= status < 300 or parsed is None:
        raise response_error(status, received, parsed)
    return parsed


"""The error of a failed call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class FieldError:
    """An invalid field of the request."""

    pointer: str
    code: str
    detail: str


class PaylatchError(Exception):
    """A failed call. The message says what happened and what to do.

    `code` is stable: an error code of the service (docs/errors.md), or

    - `unreachable`: the service could not be reached
    - `timed_out`: the service did not respond in time
    - `unexpected_response`: the response is not from the service, such as a proxy's error page
    - `token_refused`: the client credentials were rejected

    Later releases may add codes.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        status: int | None = None,
        title: str = "",
        errors: tuple[FieldError, ...] = (),
        limit: str | None = None,
        retryable: bool = False,
        retry_after: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        #: HTTP status; None without a response.
        self.status = status
        #: Short, constant title of the problem; empty if the service sent none.
        self.title = title
        #: All invalid fields of the request.
        self.errors = errors
        #: The exceeded rate limit.
        self.limit = limit
        #: True if the same request may succeed later. Repeating it safely may still need an idempotency key.
        self.retryable = retryable
        #: Delay that the service asks for, in seconds.
        self.retry_after = retry_after
        #: Request ID for support.
        self.request_id = request_id


def response_error(status: int, headers: Any, body: Any) -> PaylatchError:
    """Creates the error for an unsuccessful response."""
    retry_after = _seconds(headers.get("retry-after"))
    if not isinstance(body, dict):
        body = {}
    code, detail = body.get("code"), body.get("detail")
    if isinstance(code, str) and isinstance(detail, str):
        return PaylatchError(
            code,
            detail,
            status=status,
            title=str(body.get("title", "")),
            errors=tuple(
                FieldError(pointer=str(each.get("pointer", "")), code=str(each.get("code", "")), detail=str(each.get("detail", "")))
                for each in body.get("errors") or ()
            ),
            limit=body.get("limit"),
            retryable=body.get("retryable") is True,
            retry_after=retry_after,
            request_id=body.get("request_id"),
        )
    # RFC 6749, section 5.2: error format of the token endpoint.
    if isinstance(body.get("error"), str):
        return PaylatchError("token_refused", str(body.get("error_description", body["error"])), status=status)
    return PaylatchError(
        "unexpected_response",
        f"Unexpected response with status {status}. Check the base URL, and any proxy in front of the service.",
        status=status,
        retryable=status in (429, 502, 503, 504),
        retry_after=retry_after,
        request_id=headers.get("request-id"),
    )


def _seconds(header: str | None) -> float | None:
    """Parses `Retry-After`, which the service sends in whole seconds."""
    return float(header) if header is not None and header.isascii() and header.isdigit() and len(header) < 10 else None

"""Verification of webhooks (Standard Webhooks)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from . import models
from ._json import decode, parse

#: Greatest difference between the time of a webhook and the clock, in seconds.
TOLERANCE = 300


class Headers(Protocol):
    """The headers of a request, of any web framework."""

    def items(self) -> Iterable[tuple[str, str]]: ...


class WebhookVerificationError(Exception):
    """A request that is not a valid webhook of the merchant. Respond with status 401."""


class WebhookVerifier:
    """Verifies webhooks.

    `secrets` are the webhook secrets (`whsec_…`): one, or several while you rotate them. `merchant_id` is your own: a
    webhook for another merchant is rejected.

    >>> event = WebhookVerifier(secret, merchant_id=1).verify(request.headers, raw_body)
    """

    def __init__(
        self,
        secrets: str | Sequence[str],
        *,
        merchant_id: int,
        tolerance: float = TOLERANCE,
        now: Callable[[], float] = time.time,
    ) -> None:
        self._keys = [_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
        if not self._keys:
            raise ValueError("Pass at least one webhook secret")
        self._merchant_id = merchant_id
        self._tolerance = tolerance
        self._now = now

    def verify(self, headers: Headers, body: bytes) -> models.WebhookEvent:
        """Returns the event. `body` is the request's body as received, before it is parsed."""
        given = {name.lower(): value for name, value in headers.items()}
        message_id, sent_at = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
        if not message_id or not (sent_at.isascii() and sent_at.isdigit() and len(sent_at) < 16):
            raise WebhookVerificationError("The headers of a webhook are missing or not valid")
        if abs(self._now() - int(sent_at)) > self._tolerance:
            raise WebhookVerificationError("The webhook is too old, or from the future. Check the clock")
        signed = f"{message_id}.{sent_at}.".encode() + body
        expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in self._keys]
        signatures = [_signature(each) for each in given.get("webhook-signature", "").split(" ")]
        # Compares every pair, so that the time does not depend on which one is equal.
        if not any([hmac.compare_digest(one, other) for one in expected for other in signatures]):
            raise WebhookVerificationError("The signature is not valid. Check the webhook secret")
        try:
            event = parse(body)
            merchant_id = event["data"]["merchant_id"]
            decoded: models.WebhookEvent = decode(models.WebhookEvent, event)
        except (ValueError, KeyError, TypeError, AttributeError) as cause:
            raise WebhookVerificationError("The body is not a webhook") from cause
        if merchant_id != self._merchant_id:
            raise WebhookVerificationError(f"The webhook is for merchant {merchant_id}")
        return decoded


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as cause:
        raise ValueError("A webhook secret is whsec_ and base64") from cause
    if not key or not secret.startswith("whsec_"):
        raise ValueError("A webhook secret is whsec_ and base64")
    return key


def _signature(text: str) -> bytes:
    """The bytes of a `v1` signature; none for other versions."""
    if not text.startswith("v1,"):
        return b""
    try:
        return base64.b64decode(text.removeprefix("v1,"), validate=True)
    except (binascii.Error, ValueError):
        return b""

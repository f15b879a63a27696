"""The client of the merchant API."""

from __future__ import annotations

import base64
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator

from . import models
from ._call import checked_url, send
from .operations import Operations

MAX_EVENTS = 100
WAIT_SECONDS = 30
#: Shortest timeout of a request that waits for events.
MIN_WAIT_TIMEOUT = WAIT_SECONDS + 10
#: Time before expiry at which a token is replaced: requests take time, and clocks differ.
EXPIRY_MARGIN = 60
TOKEN_TIMEOUT = 30


class Paylatch(Operations):
    """Client of the merchant API. Its methods raise a `PaylatchError` if a call fails.

    `token` is an access token, or a function that returns one and is called before every request. Threads may share
    a client.

    >>> paylatch = Paylatch(base_url="https://pay.example", token=os.environ["ACCESS_TOKEN"])
    >>> paylatch.get_transaction(transaction_id="order-1001").status

    - `headers`: sent with every request
    - `max_retries`: retries of reads and of calls with an idempotency key
    - `max_retry_delay`: longest delay before a retry, in seconds. If the service asks for more, the call raises
    - `timeout`: seconds to wait for a response
    """

    def follow_events(self, after: str | None = None) -> Iterator[models.ListEventsResponse]:
        """Yields events indefinitely, starting after `after`, or with the oldest stored event.

        Store `next` once you have processed `events`; pass it as `after` to resume without gaps. The timeout of its
        requests is at least 40 s: the service holds them for up to 30 s.
        """
        timeout = max(self._timeout, MIN_WAIT_TIMEOUT)
        while True:
            page = self.list_events(after=after, limit=MAX_EVENTS, wait=WAIT_SECONDS, timeout=timeout)
            if page.next is None:
                continue
            after = page.next
            if page.events:
                yield page


class ClientCredentials:
    """Gets access tokens with the client credentials grant (RFC 6749, section 4.4).

    Reuses each until it expires or the service rejects it.

    >>> Paylatch(base_url=url, token=ClientCredentials(base_url=url, client_id="…", client_secret="…"))

    `scope` lists scopes, separated by spaces. By default a token has all scopes of the client.
    """

    def __init__(
        self,
        *,
        base_url: str,
        client_id: str,
        client_secret: str,
        scope: str | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._url = checked_url(base_url) + "/oauth/token"
        form = {"grant_type": "client_credentials", **({} if scope is None else {"scope": scope})}
        self._body = urllib.parse.urlencode(form).encode()
        # RFC 6749, section 2.3.1. A proxy can route by this header, but not by the body.
        credentials = ":".join(urllib.parse.quote(each, safe="") for each in (client_id, client_secret))
        self._headers = {
            "authorization": "Basic " + base64.b64encode(credentials.encode()).decode(),
            "content-type": "application/x-www-form-urlencoded",
        }
        self._now = now
        self._lock = threading.Lock()
        self._token = ""
        self._expires_at = float("-inf")

    def __call__(self) -> str:
        # Concurrent callers share one token request.
        with self._lock:
            if self._now() >= self._expires_at:
                granted = send("POST", self._url, self._headers, self._body, TOKEN_TIMEOUT)
                self._token = granted["access_token"]
                self._expires_at = self._now() + granted["expires_in"] - EXPIRY_MARGIN
            return self._token

    def forget(self, token: str) -> None:
        """Called by the client if the service rejects a token."""
        with self._lock:
            # Another thread may have replaced it already.
            if token == self._token:
                self._expires_at = float("-inf")

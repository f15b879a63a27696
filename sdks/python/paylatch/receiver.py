"""Receives webhooks: verifies, deduplicates and acknowledges them, and processes them in order."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from . import models
from ._json import decode, parse
from .webhooks import Headers, WebhookVerificationError, WebhookVerifier

log = logging.getLogger("paylatch")

MAX_REMEMBERED = 100_000
MAX_RETRY_DELAY = 300.0


@dataclass(frozen=True, kw_only=True)
class StoredWebhook:
    """A verified webhook. Those of one `subject`, such as a payment, are processed by `sequence`."""

    id: str
    #: None if the event has no order.
    subject: str | None
    sequence: int
    body: bytes


class WebhookStore(Protocol):
    """Remembers webhooks. Threads share a store. Keep it in your database, so that no acknowledged webhook is lost."""

    def add(self, webhook: StoredWebhook) -> bool:
        """Stores a webhook; returns False if its ID is already known."""

    def pending(self) -> list[StoredWebhook]:
        """Returns the webhooks that are not processed yet."""

    def last_sequence(self, subject: str) -> int:
        """Returns the highest processed sequence of a subject; 0 if there is none."""

    def mark_processed(self, webhook: StoredWebhook) -> None:
        """Marks a webhook as processed. Keep its ID for as long as the service may send it again."""


class MemoryStore:
    """Keeps webhooks in memory: those that are not processed when the process ends are lost.

    Catch up with `Paylatch.follow_events`, or use `SqliteStore`.
    """

    def __init__(self, max_remembered: int = MAX_REMEMBERED) -> None:
        self._lock = threading.Lock()
        self._max_remembered = max_remembered
        self._ids: dict[str, None] = {}
        self._pending: dict[str, StoredWebhook] = {}
        self._sequences: dict[str, int] = {}

    def add(self, webhook: StoredWebhook) -> bool:
        with self._lock:
            if webhook.id in self._ids:
                return False
            self._ids[webhook.id] = None
            self._pending[webhook.id] = webhook
            _forget_oldest(self._ids, self._max_remembered)
            return True

    def pending(self) -> list[StoredWebhook]:
        with self._lock:
            return list(self._pending.values())

    def last_sequence(self, subject: str) -> int:
        with self._lock:
            return self._sequences.get(subject, 0)

    def mark_processed(self, webhook: StoredWebhook) -> None:
        with self._lock:
            self._pending.pop(webhook.id, None)
            if webhook.subject is not None:
                highest = max(self._sequences.pop(webhook.subject, 0), webhook.sequence)
                self._sequences[webhook.subject] = highest
                _forget_oldest(self._sequences, self._max_remembered)


def _forget_oldest(remembered: dict[str, Any], most: int) -> None:
    while len(remembered) > most:
        del remembered[next(iter(remembered))]


class SqliteStore:
    """Keeps webhooks in a SQLite file, for one process."""

    def __init__(self, path: str) -> None:
        self._lock = threading.Lock()
        self._database = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._database.executescript(
            """
            PRAGMA journal_mode = WAL;
            CREATE TABLE IF NOT EXISTS webhooks (
              id TEXT PRIMARY KEY, subject TEXT, sequence INTEGER NOT NULL, body BLOB, received_at INTEGER NOT NULL);
            CREATE INDEX IF NOT EXISTS pending_webhooks ON webhooks (id) WHERE body IS NOT NULL;
            CREATE INDEX IF NOT EXISTS processed_webhooks ON webhooks (subject, sequence) WHERE body IS NULL;
            """
        )

    def add(self, webhook: StoredWebhook) -> bool:
        with self._lock:
            values = (webhook.id, webhook.subject, webhook.sequence, webhook.body, int(time.time()))
            return self._database.execute("INSERT OR IGNORE INTO webhooks VALUES (?, ?, ?, ?, ?)", values).rowcount > 0

    def pending(self) -> list[StoredWebhook]:
        query = "SELECT id, subject, sequence, body FROM webhooks WHERE body IS NOT NULL"
        with self._lock:
            rows = self._database.execute(query).fetchall()
        return [StoredWebhook(id=row[0], subject=row[1], sequence=row[2], body=row[3]) for row in rows]

    def last_sequence(self, subject: str) -> int:
        query = "SELECT max(sequence) FROM webhooks WHERE subject = ? AND body IS NULL"
        with self._lock:
            return self._database.execute(query, (subject,)).fetchone()[0] or 0

    def mark_processed(self, webhook: StoredWebhook) -> None:
        # The body contains personal data of the payer, which is no longer needed.
        with self._lock:
            self._database.execute("UPDATE webhooks SET body = NULL WHERE id = ?", (webhook.id,))

    def prune(self, days: int = 90) -> None:
        """Forgets processed webhooks that were received more than `days` ago."""
        query = "DELETE FROM webhooks WHERE body IS NULL AND received_at < ?"
        with self._lock:
            self._database.execute(query, (int(time.time()) - days * 86_400,))

    def close(self) -> None:
        with self._lock:
            self._database.close()


def exponential_backoff(attempt: int) -> float:
    """Seconds before a failed handler runs again: 1, 2, 4 … up to 5 minutes."""
    return min(2.0 ** min(attempt, 16), MAX_RETRY_DELAY)


class WebhookReceiver:
    """Acknowledges webhooks quickly and processes them on its own threads.

    >>> with WebhookReceiver(verifier, handle_event, store=SqliteStore("webhooks.db")) as receiver:
    ...     status = receiver.receive(request.headers, raw_body)  # respond with this status

    - A webhook that was received before is acknowledged and not processed again.
    - Events of one payment, dispute, crypto transaction or withdrawal are processed one after another, in order. An
      event that is older than the last processed one is skipped, because each event contains the whole state.
    - If the handler raises, it runs again later; later events of the same payment wait for it.
    - Start one receiver per store. Unhandled webhooks of the store are processed at the start.
    """

    def __init__(
        self,
        verifier: WebhookVerifier,
        handler: Callable[[models.WebhookEvent], None],
        *,
        store: WebhookStore | None = None,
        workers: int = 4,
        retry_delay: Callable[[int], float] = exponential_backoff,
    ) -> None:
        self._verifier = verifier
        self._store = MemoryStore() if store is None else store
        self._lanes = [_Lane(handler, self._store, retry_delay) for _ in range(workers)]

    def __enter__(self) -> WebhookReceiver:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        for webhook in self._store.pending():
            self._enqueue(webhook)
        for lane in self._lanes:
            lane.start()

    def close(self) -> None:
        """Stops after the events that are being processed."""
        for lane in self._lanes:
            lane.close()
        for lane in self._lanes:
            lane.join()

    def receive(self, headers: Headers, body: bytes) -> int:
        """Stores a webhook for processing and returns the HTTP status to respond with."""
        try:
            self._verifier.verify(headers, body)
        except WebhookVerificationError as error:
            log.warning("Rejected a webhook: %s", error)
            return 401
        webhook = _to_store(headers, body)
        if self._store.add(webhook):
            self._enqueue(webhook)
        return 204

    def _enqueue(self, webhook: StoredWebhook) -> None:
        # One lane per subject keeps the order.
        self._lanes[zlib.crc32(_key(webhook).encode()) % len(self._lanes)].add(webhook)


def _key(webhook: StoredWebhook) -> str:
    return webhook.id if webhook.subject is None else webhook.subject


def _to_store(headers: Headers, body: bytes) -> StoredWebhook:
    event = parse(body)
    data = event["data"]
    message_id = next(value for name, value in headers.items() if name.lower() == "webhook-id")
    identity, sequence = data.get("transaction_id", data.get("id")), data.get("sequence")
    if identity is None or not isinstance(sequence, int):
        return StoredWebhook(id=message_id, subject=None, sequence=0, body=body)
    # `fiat.dispute` and `fiat.transaction` have different data, so neither replaces the other.
    kind = event["type"].rpartition(".")[0]
    subject = ":".join([kind, str(identity), *([str(data["number"])] if "number" in data else [])])
    return StoredWebhook(id=message_id, subject=subject, sequence=sequence, body=body)


class _Lane(threading.Thread):
    """Processes the events of some subjects one after another."""

    def __init__(
        self,
        handler: Callable[[models.WebhookEvent], None],
        store: WebhookStore,
        retry_delay: Callable[[int], float],
    ) -> None:
        super().__init__(daemon=True, name="paylatch-webhooks")
        self._handler, self._store, self._retry_delay = handler, store, retry_delay
        self._changed = threading.Condition()
        self._queues: dict[str, list[StoredWebhook]] = {}
        #: Failed attempts of a queue's first webhook, and the time of the next.
        self._failures: dict[str, tuple[int, float]] = {}
        self._is_closed = False

    def add(self, webhook: StoredWebhook) -> None:
        with self._changed:
            queue = self._queues.setdefault(_key(webhook), [])
            # The store's pending webhooks may include one that has just arrived.
            if any(each.id == webhook.id for each in queue):
                return
            queue.append(webhook)
            queue.sort(key=lambda each: each.sequence)
            self._changed.notify()

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def run(self) -> None:
        while (webhook := self._next()) is not None:
            key = _key(webhook)
            try:
                self._process(webhook)
            except Exception:
                log.exception("Processing webhook %s failed", webhook.id)
                with self._changed:
                    attempt = self._failures.get(key, (0, 0.0))[0]
                    self._failures[key] = (attempt + 1, time.monotonic() + self._retry_delay(attempt))
            else:
                with self._changed:
                    self._failures.pop(key, None)
                    self._queues[key].remove(webhook)
                    if not self._queues[key]:
                        del self._queues[key]

    def _next(self) -> StoredWebhook | None:
        """Waits for a webhook that is due; None once the receiver is closed."""
        with self._changed:
            while not self._is_closed:
                due = {key: self._failures.get(key, (0, 0.0))[1] for key in self._queues}
                first = min(due, key=due.__getitem__, default=None)
                delay = None if first is None else due[first] - time.monotonic()
                if first is not None and delay is not None and delay <= 0:
                    return self._queues[first][0]
                self._changed.wait(delay)
            return None

    def _process(self, webhook: StoredWebhook) -> None:
        if webhook.subject is None or webhook.sequence > self._store.last_sequence(webhook.subject):
            self._handler(decode(models.WebhookEvent, parse(webhook.body)))
        self._store.mark_processed(webhook)

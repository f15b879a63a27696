import json
import os
import queue
import tempfile
import threading
import unittest

from paylatch import MemoryStore, SqliteStore, WebhookReceiver, WebhookStore, WebhookVerifier, models

from .test_webhooks import NOW, SECRET, event, sign


class ReceiverTest(unittest.TestCase):
    def setUp(self) -> None:
        self.handled: queue.Queue[str] = queue.Queue()
        self.fail: set[str] = set()

    def handle(self, received: models.WebhookEvent) -> None:
        assert isinstance(received, models.FiatTransactionUpdatedWebhook)
        name = f"{received.data.transaction_id} {received.data.sequence}"
        if name in self.fail:
            self.fail.remove(name)
            raise RuntimeError("the database is down")
        self.handled.put(name)

    def receiver(self, store: WebhookStore | None = None) -> WebhookReceiver:
        verifier = WebhookVerifier(SECRET, merchant_id=1, now=lambda: NOW)
        return WebhookReceiver(verifier, self.handle, store=store, retry_delay=lambda _: 0.01)

    def send(self, receiver: WebhookReceiver, message_id: str, reference: str, sequence: int) -> None:
        body = event(transaction_id=reference, sequence=sequence)
        self.assertEqual(receiver.receive(sign(body, message_id), body), 204)

    def next(self, count: int) -> list[str]:
        return [self.handled.get(timeout=10) for _ in range(count)]

    def test_handles_each_webhook_once_and_in_order(self) -> None:
        receiver = self.receiver()
        # Received before it runs, so that the order is certain.
        for message_id, sequence in (("evt_3", 3), ("evt_1", 1), ("evt_2", 2), ("evt_1", 1)):
            self.send(receiver, message_id, "order-1", sequence)
        with receiver:
            self.assertEqual(self.next(3), ["order-1 1", "order-1 2", "order-1 3"])
            # Older than the last one, under an ID of its own.
            self.send(receiver, "evt_old", "order-1", 2)
            self.send(receiver, "evt_4", "order-1", 4)
            self.assertEqual(self.next(1), ["order-1 4"])

    def test_repeats_a_failed_handler_before_later_events(self) -> None:
        self.fail = {"order-1 1"}
        with self.assertLogs("paylatch", "ERROR"), self.receiver() as receiver:
            self.send(receiver, "evt_1", "order-1", 1)
            self.send(receiver, "evt_2", "order-1", 2)
            self.assertEqual(self.next(2), ["order-1 1", "order-1 2"])

    def test_rejects_forged_webhooks(self) -> None:
        body = event()
        with self.assertLogs("paylatch", "WARNING"):
            self.assertEqual(self.receiver().receive({**sign(body), "webhook-id": "evt_2"}, body), 401)

    def test_orders_disputes_apart_from_their_payment(self) -> None:
        kinds = []
        done = threading.Event()

        def handle(received: models.WebhookEvent) -> None:
            kinds.append(received.type if not isinstance(received, models.Unknown) else "unknown")
            if len(kinds) == 3:
                done.set()

        verifier = WebhookVerifier(SECRET, merchant_id=1, now=lambda: NOW)
        with WebhookReceiver(verifier, handle, workers=1) as receiver:
            data = {"merchant_id": 1, "transaction_id": "order-1", "sequence": 6}
            dispute = {"type": "fiat.dispute.created", "timestamp": "2026-11-21T09:00:00Z", "data": {**data, "number": 1}}
            test = {"type": "callback.test", "timestamp": "2026-11-21T09:00:00Z", "data": {"merchant_id": 1}}
            for number, body in enumerate((json.dumps(dispute).encode(), event(sequence=5), json.dumps(test).encode())):
                receiver.receive(sign(body, f"evt_{number}"), body)
            self.assertTrue(done.wait(10))
        self.assertEqual(sorted(kinds), ["callback.test", "fiat.dispute.created", "fiat.transaction.updated"])

    def test_handles_an_event_without_an_order_once(self) -> None:
        names: queue.Queue[str] = queue.Queue()

        def handle(received: models.WebhookEvent) -> None:
            assert isinstance(received, models.CallbackTestWebhook)
            names.put(received.data.message)

        verifier = WebhookVerifier(SECRET, merchant_id=1, now=lambda: NOW)
        with WebhookReceiver(verifier, handle, workers=1) as receiver:

            def send(message_id: str) -> None:
                data = {"merchant_id": 1, "message": message_id}
                body = json.dumps({"type": "callback.test", "timestamp": "2026-11-21T09:00:00Z", "data": data}).encode()
                self.assertEqual(receiver.receive(sign(body, message_id), body), 204)

            send("evt_1")
            self.assertEqual(names.get(timeout=10), "evt_1")
            # Not received for the first time: only the other one is handled.
            send("evt_1")
            send("evt_2")
            self.assertEqual(names.get(timeout=10), "evt_2")

    def test_keeps_webhooks_in_a_file(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "webhooks.db")
            store = SqliteStore(path)
            # The process ends before it handles the webhook.
            self.send(self.receiver(store), "evt_1", "order-1", 1)
            store.close()
            store = SqliteStore(path)
            with self.receiver(store) as receiver:
                self.assertEqual(self.next(1), ["order-1 1"])
            with self.receiver(store) as receiver:
                self.send(receiver, "evt_1", "order-1", 1)
                self.send(receiver, "evt_2", "order-1", 2)
                self.assertEqual(self.next(1), ["order-1 2"])
            self.assertEqual((store.pending(), store.last_sequence("fiat.transaction:order-1")), ([], 2))
            store.prune(days=-1)
            self.assertEqual(store.last_sequence("fiat.transaction:order-1"), 0)
            store.close()

    def test_forgets_the_oldest_webhooks_in_memory(self) -> None:
        store = MemoryStore(max_remembered=2)
        receiver = self.receiver(store)
        for message_id in ("evt_1", "evt_2", "evt_3"):
            self.send(receiver, message_id, message_id, 1)
        with receiver:
            self.assertEqual(sorted(self.next(3)), ["evt_1 1", "evt_2 1", "evt_3 1"])
        self.assertEqual(len(store._ids), 2)

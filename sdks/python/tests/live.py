"""Against a running sandbox: test/sdks/sdks.test.ts starts it and sets the environment."""

import os
import threading
import unittest
import uuid
from datetime import datetime, timedelta, timezone
from decimal import Decimal

from paylatch import ClientCredentials, Paylatch, PaylatchError, models

ENV = os.environ


def client(fault: str | None = None, **options: object) -> Paylatch:
    """`fault` is the name of a fault and how often it happens, such as `cut:1`."""
    if fault is None:
        return Paylatch(base_url=ENV["BASE_URL"], token=ENV["ACCESS_TOKEN"], **options)
    headers = {"x-fault": f"{fault}:{uuid.uuid4()}"}
    return Paylatch(base_url=ENV["FAULT_URL"], token=ENV["ACCESS_TOKEN"], headers=headers, **options)


def order(**fields: object) -> dict:
    return {
        "transaction_id": f"python-{uuid.uuid4()}",
        "payment_method": "credit_card",
        "amount": 12.50,
        "country": "USA",
        "currency": "USD",
        "description": "Two cups and a saucer",
        "line_items": [{"name": "Cup", "quantity": 2, "unit_amount": Decimal("4.25")}, {"name": "Saucer", "unit_amount": 4}],
        "success_redirect_url": "https://shop.example/paid",
        "fail_redirect_url": None,
        "type_of_calculation": "forward_without_fee",
        **fields,
    }


def card(reference: str, number: str = "4242424242424242") -> dict:
    return {
        "transaction_id": reference,
        "card_number": number,
        "card_expiry_month": "04",
        "card_expiry_year": "2040",
        "card_cvv": "123",
        "first_name": "Ada",
        "last_name": "Lovelace",
        "country": "GB",
        "city": "London",
        "postcode": "W1J 7NT",
        "address": "12 St James’s Square",
        "phone": "+44 20 7946 0000",
        "email": "ada@example.com",
    }


class LiveTest(unittest.TestCase):
    def fails(self, code: str, call, *arguments, **named) -> PaylatchError:
        with self.assertRaises(PaylatchError) as caught:
            call(*arguments, **named)
        self.assertEqual(caught.exception.code, code)
        return caught.exception

    def test_takes_and_refunds_a_payment(self) -> None:
        paylatch = client()
        expires_at = datetime.now(timezone.utc) + timedelta(hours=1)
        created = paylatch.create_transaction(**order(expires_at=expires_at))
        assert isinstance(created, models.LinkCreated)
        self.assertTrue(created.value.link.startswith(ENV["BASE_URL"]))
        self.assertEqual(created.expires_at, expires_at)
        declined = paylatch.submit_card(**card(created.transaction_id, "4000000000000002"))
        assert declined.decline is not None
        self.assertEqual(declined.response_type, "declined")
        paid = paylatch.submit_card(**card(created.transaction_id))
        self.assertEqual(paid.response_type, "confirmed")
        refunded = paylatch.refund_transaction(transaction_id=created.transaction_id, amount=Decimal("0.10"))
        detail = paylatch.get_transaction(transaction_id=created.transaction_id)
        self.assertEqual(detail.refunded_amount, Decimal("0.10"))
        self.assertEqual(detail.amount, Decimal("12.5"))
        self.assertEqual(refunded.transaction_id, created.transaction_id)
        self.assertEqual([item.unit_amount for item in detail.line_items or []], [Decimal("4.25"), 4])
        self.assertEqual(detail.created_at.tzinfo, timezone.utc)

    def test_lists_all_pages(self) -> None:
        paylatch = client()
        references = [paylatch.create_transaction(**order()).transaction_id for _ in range(5)]
        first = paylatch.list_transactions(per_page=2)
        self.assertEqual(len(first.transactions), 2)
        listed = [each.transaction_id for each in paylatch.iterate_transactions(per_page=2, order_direction="desc")]
        self.assertEqual(listed[:5], references[::-1])
        self.assertEqual(len(listed), len(set(listed)))

    def test_finds_records_by_metadata(self) -> None:
        paylatch = client()
        metadata = {"order id": "A&B 1001", "shop": "kettle"}
        reference = paylatch.create_transaction(**order(metadata=metadata)).transaction_id
        paylatch.create_transaction(**order(metadata={"order id": "another"}))
        found = paylatch.list_transactions(metadata=metadata)
        self.assertEqual([each.transaction_id for each in found.transactions], [reference])

    def test_retries_with_the_same_idempotency_key(self) -> None:
        direct = client()
        reference = direct.create_transaction(**order()).transaction_id
        direct.submit_card(**card(reference))
        # The service refunds, but its response is lost.
        client("cut:1").refund_transaction(transaction_id=reference, amount=2, idempotency_key=f"refund {reference}")
        self.assertEqual(direct.get_transaction(transaction_id=reference).refunded_amount, 2)
        client("bad_gateway:2").refund_transaction(transaction_id=reference, amount=2, idempotency_key=f"more {reference}")
        self.assertEqual(direct.get_transaction(transaction_id=reference).refunded_amount, 4)
        lost = self.fails("unreachable", client("cut:1").refund_transaction, transaction_id=reference, amount=1)
        self.assertTrue(lost.retryable)
        reused = self.fails(
            "idempotency_key_reused",
            direct.refund_transaction,
            transaction_id=reference,
            amount=3,
            idempotency_key=f"refund {reference}",
        )
        self.assertEqual(reused.status, 422)

    def test_retries_reads(self) -> None:
        delays: list[float] = []
        client("bad_gateway:2", sleep=delays.append).list_currencies()
        self.assertEqual(len(delays), 2)
        self.assertTrue(0.125 <= delays[0] <= 0.25 <= delays[1] <= 0.5, delays)
        busy = self.fails("rate_limited", client("busy:9", sleep=delays.append).list_currencies)
        self.assertEqual((busy.retry_after, busy.limit, delays[2:]), (1, "token", [1, 1]))
        self.fails("rate_limited", client("busy:1", max_retry_delay=0.5).list_currencies)
        flaky = client("bad_gateway:1", max_retries=0)

        def token() -> str:
            flaky.list_currencies()
            return ENV["ACCESS_TOKEN"]

        Paylatch(base_url=ENV["BASE_URL"], token=token, sleep=delays.append).list_currencies()
        bad = self.fails("unexpected_response", client("bad_gateway:1", max_retries=0).list_currencies)
        self.assertEqual((bad.status, bad.retryable), (502, True))
        self.fails("timed_out", client("hang:1", max_retries=0).list_currencies, timeout=0.2)
        self.fails("unexpected_response", client("redirect:1", max_retries=0).list_currencies)

    def test_maps_errors(self) -> None:
        wrong = self.fails("validation_failed", client().create_transaction, **order(amount=0.001, country="XXX"))
        self.assertEqual(sorted(each.pointer for each in wrong.errors), ["/amount", "/country"])
        self.assertEqual((wrong.status, wrong.retryable), (422, False))
        self.assertRegex(wrong.request_id or "", "^req_")
        missing = self.fails("not_found", client().get_transaction, transaction_id="order-of-nobody")
        self.assertIn("transaction_id", str(missing))
        stranger = Paylatch(base_url=ENV["BASE_URL"], token="pl_test_stranger")
        self.assertEqual(self.fails("unauthorized", stranger.list_currencies).status, 401)
        closed = Paylatch(base_url="http://127.0.0.1:9", token="", max_retries=0)
        self.fails("unreachable", closed.list_currencies)
        with self.assertRaises(ValueError):
            Paylatch(base_url="file:///etc/passwd", token="")

    def test_gets_tokens_with_client_credentials(self) -> None:
        url = ENV["FAULT_URL"]
        token = ClientCredentials(base_url=url, client_id=ENV["CLIENT_ID"], client_secret=ENV["CLIENT_SECRET"])
        paylatch = Paylatch(base_url=url, token=token)
        threads = [threading.Thread(target=paylatch.list_currencies) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(token(), token())
        rejected = token()
        fault = {"x-fault": f"unauthorized:1:{uuid.uuid4()}"}
        Paylatch(base_url=url, token=token, headers=fault).create_transaction(**order())
        self.assertNotEqual(token(), rejected)
        fault = {"x-fault": f"unauthorized:2:{uuid.uuid4()}"}
        self.fails("unauthorized", Paylatch(base_url=url, token=token, headers=fault).list_currencies)
        wrong = ClientCredentials(base_url=url, client_id=ENV["CLIENT_ID"], client_secret="wrong")
        self.fails("token_refused", Paylatch(base_url=url, token=wrong).list_currencies)

    def test_sends_null_and_omits_parameters(self) -> None:
        paylatch = client()
        paylatch.set_preference(key="brand-name", value="Kettle")
        self.assertEqual(paylatch.set_preference(key="brand-name", value=None).value, None)

    def test_follows_events(self) -> None:
        paylatch = client()
        reference = paylatch.create_transaction(**order()).transaction_id
        paylatch.submit_card(**card(reference))
        statuses = []
        # The service holds these requests longer than the client's timeout.
        for page in client("hang:0", timeout=0.0001, max_retries=0).follow_events():
            for event in page.events:
                if isinstance(event, models.TransactionEvent) and event.data.transaction_id == reference:
                    statuses.append(event.data.status)
            if "transaction_status_confirmed" in statuses:
                break


if __name__ == "__main__":
    unittest.main()

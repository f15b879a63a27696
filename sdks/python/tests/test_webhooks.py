import base64
import hashlib
import hmac
import json
import unittest

from paylatch import WebhookVerificationError, WebhookVerifier, models

NOW = 1_795_510_800
SECRET = "whsec_" + base64.b64encode(b"a secret of the merchant").decode()
OTHER = "whsec_" + base64.b64encode(b"another secret").decode()


def event(**data: object) -> bytes:
    given = {"merchant_id": 1, "transaction_id": "order-1", "status": "transaction_status_waiting", "sequence": 1, **data}
    body = {"type": "fiat.transaction.updated", "timestamp": "2026-11-21T09:00:00.000123Z", "data": given}
    return json.dumps(body).encode()


def sign(body: bytes, message_id: str = "evt_1", at: int | str = NOW, secret: str = SECRET) -> dict[str, str]:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = hmac.new(key, f"{message_id}.{at}.".encode() + body, hashlib.sha256).digest()
    signature = "v1," + base64.b64encode(digest).decode()
    return {"webhook-id": message_id, "webhook-timestamp": str(at), "webhook-signature": signature}


class VerifierTest(unittest.TestCase):
    def verify(self, headers: dict[str, str], body: bytes, secrets: object = SECRET) -> models.WebhookEvent:
        return WebhookVerifier(secrets, merchant_id=1, now=lambda: NOW).verify(headers, body)

    def test_returns_the_event(self) -> None:
        body = event(amount=12.34)
        received = self.verify({name.title(): value for name, value in sign(body).items()}, body)
        assert isinstance(received, models.FiatTransactionUpdatedWebhook)
        self.assertEqual((received.data.transaction_id, str(received.data.amount)), ("order-1", "12.34"))
        self.assertEqual(received.timestamp.microsecond, 123)

    def test_returns_events_of_unknown_types(self) -> None:
        body = json.dumps({"type": "new.type", "data": {"merchant_id": 1}}).encode()
        received = self.verify(sign(body), body)
        assert isinstance(received, models.Unknown)
        self.assertEqual(received.raw["type"], "new.type")

    def test_accepts_any_of_several_secrets_and_signatures(self) -> None:
        body = event()
        self.verify(sign(body, secret=OTHER), body, [SECRET, OTHER])
        both = sign(body)
        both["webhook-signature"] = f"v1a,AAAA {sign(body, secret=OTHER)['webhook-signature']} {both['webhook-signature']}"
        self.verify(both, body)

    def test_rejects_what_is_not_signed(self) -> None:
        body = event()
        signed = sign(body)
        forged = {
            "no headers": {},
            "no ID": {**signed, "webhook-id": ""},
            "another ID": {**signed, "webhook-id": "evt_2"},
            "no signature": {**signed, "webhook-signature": ""},
            "an empty signature": {**signed, "webhook-signature": "v1,"},
            "not base64": {**signed, "webhook-signature": "v1,Ä"},
            "another version": {**signed, "webhook-signature": signed["webhook-signature"].replace("v1,", "v2,")},
            "another secret": sign(body, secret=OTHER),
            "a time that is no number": sign(body, at="1e9"),
            "another time": {**signed, "webhook-timestamp": str(NOW + 1)},
            "too old": sign(body, at=NOW - 301),
            "from the future": sign(body, at=NOW + 301),
        }
        for name, headers in forged.items():
            with self.subTest(name), self.assertRaises(WebhookVerificationError):
                self.verify(headers, body)
        with self.assertRaises(WebhookVerificationError):
            self.verify(signed, event(amount=1))
        for at in (NOW - 300, NOW + 300):
            self.verify(sign(body, at=at), body)

    def test_rejects_webhooks_of_other_merchants_and_other_bodies(self) -> None:
        for body in (event(merchant_id=2), event(merchant_id=None), b"", b"[]", b"{}", b'{"data":[]}', b"\xff"):
            with self.subTest(body), self.assertRaises(WebhookVerificationError):
                self.verify(sign(body), body)

    def test_rejects_keys_that_are_not_secrets(self) -> None:
        for secrets in ([], "", "whsec_", "secret", "whsec_Ä", "whpk_AAAA"):
            with self.subTest(secrets), self.assertRaises(ValueError):
                WebhookVerifier(secrets, merchant_id=1)

"""A shop that creates payment links and receives webhooks. Run it with the SDK on the path:

    pip install ./sdks/python
    ACCESS_TOKEN=pl_test_… MERCHANT_ID=1 WEBHOOK_SECRET=whsec_… python3 sdks/python/examples/server.py

`POST /pay?order=order-1001` redirects to a payment page; `POST /webhooks` is the webhook endpoint.
"""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from paylatch import Paylatch, PaylatchError, SqliteStore, WebhookReceiver, WebhookVerifier, models

PORT = int(os.environ.get("PORT", "8091"))
MAX_BODY = 1 << 20

paylatch = Paylatch(base_url=os.environ.get("BASE_URL", "http://localhost:8080"), token=os.environ["ACCESS_TOKEN"])
verifier = WebhookVerifier(os.environ["WEBHOOK_SECRET"].split(","), merchant_id=int(os.environ["MERCHANT_ID"]))


def handle(event: models.WebhookEvent) -> None:
    match event:
        case models.FiatTransactionUpdatedWebhook(data=data):
            # Fulfill the order here, once: update it where its status is not yet `data.status`.
            print(f"{data.transaction_id}: {data.status}, {data.sequence}", flush=True)
        case _:
            print("another event", flush=True)


class Shop(BaseHTTPRequestHandler):
    timeout = 30

    def do_POST(self) -> None:
        url = urlsplit(self.path)
        if url.path == "/webhooks":
            length = int(self.headers.get("content-length", "0"))
            if length > MAX_BODY:
                self._respond(413)
            else:
                self._respond(receiver.receive(self.headers, self.rfile.read(length)))
        elif url.path == "/pay":
            self._pay(parse_qs(url.query)["order"][0])
        else:
            self._respond(404)

    def _pay(self, order: str) -> None:
        try:
            created = paylatch.create_transaction(
                transaction_id=order,
                payment_method="credit_card",
                amount=12.50,
                country="USA",
                currency="USD",
                description="Two cups and a saucer",
                success_redirect_url="https://shop.example/paid",
                fail_redirect_url="https://shop.example/failed",
                type_of_calculation="forward_without_fee",
                idempotency_key=order,
            )
        except PaylatchError as error:
            self.log_error("%s (%s, request %s)", error, error.code, error.request_id)
            self._respond(502)
            return
        match created:
            case models.LinkCreated(value=value):
                self._respond(303, {"location": value.link})
            case _:
                self._respond(502)

    def _respond(self, status: int, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if status != 204:
            self.send_header("content-length", "0")
        self.end_headers()


with WebhookReceiver(verifier, handle, store=SqliteStore(os.environ.get("STORE", "webhooks.db"))) as receiver:
    ThreadingHTTPServer(("127.0.0.1", PORT), Shop).serve_forever()

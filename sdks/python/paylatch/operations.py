# Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, Union

from . import inputs, models
from ._call import OMIT, Endpoint, Omit, OperationsBase


class Operations(OperationsBase):
    """Every operation of the API."""

    def create_transaction(
        self,
        *,
        transaction_id: str | int,
        payment_method: str,
        amount: Decimal | float,
        country: models.CountryAlpha3,
        currency: models.Currency,
        description: str | None = None,
        success_redirect_url: str | None | Omit = OMIT,
        fail_redirect_url: str | None | Omit = OMIT,
        type_of_calculation: Literal["forward_without_fee", "forward_with_fee"] | None = None,
        transaction_type: Literal["link", "custom_form"] | None = None,
        expires_at: datetime | str | None = None,
        capture: Literal["automatic", "manual"] | None = None,
        payer: inputs.PayerInput | None = None,
        line_items: Sequence[inputs.LineItemInput] | None = None,
        metadata: Mapping[str, str] | None = None,
        locale: models.PageLanguage | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CreateTransactionResponse:
        """Create a transaction.

        Returns a one-time payment link, or the data for your own form (`custom_form`).
        Repeating the request returns the same link, so retries are safe. A different body with
        the same `transaction_id` returns `transaction_id_conflict`.

        Needs the scope `link:write`.

        `transaction_id`: Your own reference, unique among your transactions.
        `payment_method`: A method that is enabled for the country and the currency.
        `amount`: In the currency’s own decimals, such as 12.50; at most the maximum of the
        currency.
        `country`: ISO 3166-1 alpha-3; NZD is read as NZL.
        `currency`: ISO 4217.
        `description`: Purpose of the payment; required for a link.
        `success_redirect_url`: Redirect after success; required for a link. With `null` the
        payer stays on the payment page.
        `fail_redirect_url`: Redirect after failure; required for a link. With `null` the payer
        stays on the payment page.
        `type_of_calculation`: Fee added to the amount or deducted from it; required for a link.
        `transaction_type`: Response type; `link` by default.
        `expires_at`: Expiry of the link, from 1 minute to 365 days ahead; set by the preference
        `link-lifetime-minutes` by default.
        `capture`: `manual`: an approval only authorizes the amount; capture or void it later.
        Requires a card method whose acquirer supports manual capture. `automatic` by default.
        `payer`: Known details of the payer; the payment page does not ask for them again.
        `line_items`: Purchased items, shown on the payment page and the receipt. The items must
        add up to `amount`.
        `metadata`: Set of key-value pairs that you attach to the object: at most 50, keys up to
        40 and values up to 500 characters. Payers never see it.
        `locale`: Initial language of the payment page, as a BCP 47 tag; the browser’s language
        by default. The payer can choose another.
        """
        result: models.CreateTransactionResponse = self._call(
            Endpoint("POST", "/fiat/v1/transaction", "body"),
            {
                "transaction_id": transaction_id,
                "payment_method": payment_method,
                "amount": amount,
                "country": country,
                "currency": currency,
                "description": OMIT if description is None else description,
                "success_redirect_url": success_redirect_url,
                "fail_redirect_url": fail_redirect_url,
                "type_of_calculation": OMIT if type_of_calculation is None else type_of_calculation,
                "transaction_type": OMIT if transaction_type is None else transaction_type,
                "expires_at": OMIT if expires_at is None else expires_at,
                "capture": OMIT if capture is None else capture,
                "payer": OMIT if payer is None else payer,
                "line_items": OMIT if line_items is None else line_items,
                "metadata": OMIT if metadata is None else metadata,
                "locale": OMIT if locale is None else locale,
            },
            models.CreateTransactionResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def get_transaction(
        self,
        *,
        transaction_id: str,
        timeout: float | None = None,
    ) -> models.TransactionDetail:
        """Retrieve a transaction.

        Needs the scope `transaction:read`.
        """
        result: models.TransactionDetail = self._call(
            Endpoint("GET", "/fiat/v1/transaction", "query"),
            {
                "transaction_id": transaction_id,
            },
            models.TransactionDetail,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def send_payment_link(
        self,
        *,
        transaction_id: str | int,
        email: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SendPaymentLinkResponse:
        """Send a payment link by email.

        Sends the link of an unpaid transaction in the payer’s language, with your branding.
        Without a mail server, returns `email_not_set_up`.

        Needs the scope `link:write`.

        `transaction_id`: Your own reference, unique among your transactions.
        `email`: The recipient; the payer’s email address by default.
        """
        result: models.SendPaymentLinkResponse = self._call(
            Endpoint("POST", "/fiat/v1/transaction/send", "body"),
            {
                "transaction_id": transaction_id,
                "email": OMIT if email is None else email,
            },
            models.SendPaymentLinkResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def list_transactions(
        self,
        *,
        order_direction: Literal["asc", "desc"] | None = None,
        order: Literal["created_at", "updated_at", "amount", "status", "transaction_id", "payment_method"] | None = None,
        page: int | None = None,
        per_page: int | None = None,
        cursor: str | None = None,
        counts: Literal["true"] | None = None,
        status: Sequence[Literal["transaction_status_pending", "transaction_status_waiting", "transaction_status_confirmed", "transaction_status_failed"]] | None = None,
        reason: Sequence[Literal["expired", "declined", "cancelled", "underpaid", "overpaid", "rejected", "reversed"]] | None = None,
        authorization_status: Sequence[Literal["authorized", "capture_pending", "captured", "void_pending", "voided", "expired"]] | None = None,
        awaiting_review: Literal["true"] | None = None,
        payment_method: Sequence[str] | None = None,
        since: str | None = None,
        till: str | None = None,
        updated_since: str | None = None,
        currency: Sequence[models.Currency] | None = None,
        country: Sequence[models.CountryAlpha3] | None = None,
        reusable_link_id: Sequence[str] | None = None,
        metadata: Mapping[str, str] | None = None,
        search: str | None = None,
        timeout: float | None = None,
    ) -> models.ListTransactionsResponse:
        """List transactions.

        All filters are optional. Newest first by default; ascending if `order` is given. `page`
        covers the first 10,000 rows; beyond that, use `pagination.next_cursor` or the `Link`
        header, which is as fast on every page.

        Needs the scope `transaction:read`.

        `order_direction`: `asc` by default if `order` is given.
        `order`: Field to sort by; newest first by default.
        `page`: Covers the first 10,000 rows; beyond that, use `cursor`.
        `per_page`: Page size; 20 by default.
        `cursor`: The `pagination.next_cursor` of the previous page; cannot be combined with
        `page`.
        `counts`: Adds `counts` to the response.
        `reason`: Failure reason.
        `authorization_status`: Status of the card authorization.
        `awaiting_review`: Only transactions with received funds awaiting review.
        `payment_method`: Method codes, or aliases: qr_scan, promptpay, online_bank_transfer,
        cards, virtual_bank_account, upi2, ewallet, wire, mobile_money, cup, p2p, cash, agent,
        alipay, wechat.
        `since`: Created at or after this time: a date (UTC), a date-time, or Unix seconds.
        `till`: Created before this time: a date (inclusive), or a date-time or Unix seconds
        (exclusive).
        `updated_since`: Changed at or after this time: a date (UTC), a date-time, or Unix
        seconds. A change can appear after changes with a later time. To synchronize, start five
        minutes before the latest change that you read, and skip records that you have with the
        same time of change; or use `GET /v1/events`, which misses no event.
        `reusable_link_id`: Only transactions that these reusable links created.
        `metadata`: Only records with these pairs, such as `metadata[order]=1001`: exact, and
        case-sensitive.
        `search`: Prefix of the `transaction_id` (case-sensitive), a complete `metadata` value,
        or a prefix of the payer’s first name, last name or email (with the scope
        `approval:write`); four digits also match the end of a card number, and a number such as
        `12.50` or `$1,250` the `amount`.
        """
        result: models.ListTransactionsResponse = self._call(
            Endpoint("GET", "/fiat/v1/transactions", "query"),
            {
                "order_direction": OMIT if order_direction is None else order_direction,
                "order": OMIT if order is None else order,
                "page": OMIT if page is None else page,
                "per_page": OMIT if per_page is None else per_page,
                "cursor": OMIT if cursor is None else cursor,
                "counts": OMIT if counts is None else counts,
                "status": OMIT if status is None else status,
                "reason": OMIT if reason is None else reason,
                "authorization_status": OMIT if authorization_status is None else authorization_status,
                "awaiting_review": OMIT if awaiting_review is None else awaiting_review,
                "payment_method": OMIT if payment_method is None else payment_method,
                "since": OMIT if since is None else since,
                "till": OMIT if till is None else till,
                "updated_since": OMIT if updated_since is None else updated_since,
                "currency": OMIT if currency is None else currency,
                "country": OMIT if country is None else country,
                "reusable_link_id": OMIT if reusable_link_id is None else reusable_link_id,
                "metadata": OMIT if metadata is None else metadata,
                "search": OMIT if search is None else search,
            },
            models.ListTransactionsResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def iterate_transactions(
        self,
        *,
        order_direction: Literal["asc", "desc"] | None = None,
        order: Literal["created_at", "updated_at", "amount", "status", "transaction_id", "payment_method"] | None = None,
        per_page: int | None = None,
        cursor: str | None = None,
        counts: Literal["true"] | None = None,
        status: Sequence[Literal["transaction_status_pending", "transaction_status_waiting", "transaction_status_confirmed", "transaction_status_failed"]] | None = None,
        reason: Sequence[Literal["expired", "declined", "cancelled", "underpaid", "overpaid", "rejected", "reversed"]] | None = None,
        authorization_status: Sequence[Literal["authorized", "capture_pending", "captured", "void_pending", "voided", "expired"]] | None = None,
        awaiting_review: Literal["true"] | None = None,
        payment_method: Sequence[str] | None = None,
        since: str | None = None,
        till: str | None = None,
        updated_since: str | None = None,
        currency: Sequence[models.Currency] | None = None,
        country: Sequence[models.CountryAlpha3] | None = None,
        reusable_link_id: Sequence[str] | None = None,
        metadata: Mapping[str, str] | None = None,
        search: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[models.TransactionListItem]:
        """Iterate over all pages of `list_transactions`, from `cursor` if given. Pages are fetched as needed."""
        while True:
            page = self.list_transactions(
                order_direction=order_direction,
                order=order,
                counts=counts,
                status=status,
                reason=reason,
                authorization_status=authorization_status,
                awaiting_review=awaiting_review,
                payment_method=payment_method,
                since=since,
                till=till,
                updated_since=updated_since,
                currency=currency,
                country=country,
                reusable_link_id=reusable_link_id,
                metadata=metadata,
                search=search,
                per_page=100 if per_page is None else per_page,
                cursor=cursor,
                timeout=timeout,
            )
            yield from page.transactions
            cursor = page.pagination.next_cursor
            if cursor is None:
                return

    def submit_card(
        self,
        *,
        transaction_id: str | int,
        card_number: str,
        card_expiry_month: str,
        card_expiry_year: str,
        card_cvv: str,
        first_name: str,
        last_name: str,
        country: models.CountryAlpha2,
        city: str,
        address: str,
        phone: str,
        email: str,
        state: str | None = None,
        postcode: str | None = None,
        browser: inputs.SubmitCardInputBrowser | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SubmitCardResponse:
        """Submit a card.

        Charges a card from your own form. This brings your servers into PCI DSS scope; the
        payment page and `<pay-form>` do not. A decline is not an error: `response_type` holds
        the outcome. A page can submit with the `client_token` of its transaction; its
        `Idempotency-Key` is ignored.

        Needs the scope `card:submit`.

        `transaction_id`: Your own reference, unique among your transactions.
        `card_number`: With or without spaces.
        `card_expiry_month`: From 1 to 12.
        `card_expiry_year`: Two or four digits.
        `card_cvv`: 3 digits, 4 for American Express; never stored.
        `country`: ISO 3166-1 alpha-2.
        `state`: State, province or region; required unless the country has none.
        `postcode`: Required unless the country has none.
        `address`: Street address for billing.
        `phone`: With the country code; spaces, periods, hyphens and parentheses are allowed.
        `browser`: Helps the issuer approve the payment without a challenge.
        """
        result: models.SubmitCardResponse = self._call(
            Endpoint("POST", "/fiat/v1/transaction/submit", "body"),
            {
                "transaction_id": transaction_id,
                "card_number": card_number,
                "card_expiry_month": card_expiry_month,
                "card_expiry_year": card_expiry_year,
                "card_cvv": card_cvv,
                "first_name": first_name,
                "last_name": last_name,
                "country": country,
                "state": OMIT if state is None else state,
                "city": city,
                "postcode": OMIT if postcode is None else postcode,
                "address": address,
                "phone": phone,
                "email": email,
                "browser": OMIT if browser is None else browser,
            },
            models.SubmitCardResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def accept_transaction(
        self,
        *,
        transaction_id: str | int,
        reason: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.TransactionDetail:
        """Approve a transaction.

        Needs the scope `approval:write`.

        `transaction_id`: Your own reference, unique among your transactions.
        `reason`: Stored with the decision, for your team.
        """
        result: models.TransactionDetail = self._call(
            Endpoint("POST", "/fiat/v1/transaction/accept", "body"),
            {
                "transaction_id": transaction_id,
                "reason": OMIT if reason is None else reason,
            },
            models.TransactionDetail,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def reject_transaction(
        self,
        *,
        transaction_id: str | int,
        reason: str | None = None,
        out_of_band: bool | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.TransactionDetail:
        """Reject a transaction.

        The transaction becomes `failed` with the reason `rejected`, and the amount received is
        refunded to its source; `refunds` shows it. Funds that arrive later are reviewed
        separately. If the acquirer cannot refund, as for crypto paid to a payment link, the
        request fails with `refund_not_supported`: refund the payer yourself, then reject the
        transaction with `out_of_band`.

        Needs the scope `approval:write`.

        `transaction_id`: Your own reference, unique among your transactions.
        `reason`: Stored with the decision, for your team.
        `out_of_band`: True records a refund that you made elsewhere; the acquirer is not
        called. By default the funds are returned to the original payment method.
        """
        result: models.TransactionDetail = self._call(
            Endpoint("POST", "/fiat/v1/transaction/reject", "body"),
            {
                "transaction_id": transaction_id,
                "reason": OMIT if reason is None else reason,
                "out_of_band": OMIT if out_of_band is None else out_of_band,
            },
            models.TransactionDetail,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def cancel_transaction(
        self,
        *,
        transaction_id: str | int,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.TransactionDetail:
        """Cancel a transaction.

        Needs the scope `link:write`.

        `transaction_id`: Your own reference, unique among your transactions.
        """
        result: models.TransactionDetail = self._call(
            Endpoint("POST", "/fiat/v1/transaction/cancel", "body"),
            {
                "transaction_id": transaction_id,
            },
            models.TransactionDetail,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def renew_transaction(
        self,
        *,
        transaction_id: str | int,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RenewTransactionResponse:
        """Renew an expired transaction.

        Issues a new link with the full lifetime, for the same `transaction_id` and price. The
        old link redirects to the new one.

        Needs the scope `link:write`.

        `transaction_id`: Your own reference, unique among your transactions.
        """
        result: models.RenewTransactionResponse = self._call(
            Endpoint("POST", "/fiat/v1/transaction/renew", "body"),
            {
                "transaction_id": transaction_id,
            },
            models.RenewTransactionResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def capture_transaction(
        self,
        *,
        transaction_id: str | int,
        amount: Decimal | float | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.TransactionDetail:
        """Capture a transaction.

        Captures an authorized payment, in full or in part. The remaining amount is released.
        One capture per authorization. The capture may still be pending in the response; a
        webhook reports when `authorization.status` is `captured`. If the acquirer rejects it,
        the amount stays `authorized`.

        Needs the scope `approval:write`.

        `transaction_id`: Your own reference, unique among your transactions.
        `amount`: In the currency’s decimals, at most the authorized amount, which is the
        default. The remaining amount is released.
        """
        result: models.TransactionDetail = self._call(
            Endpoint("POST", "/fiat/v1/transaction/capture", "body"),
            {
                "transaction_id": transaction_id,
                "amount": OMIT if amount is None else amount,
            },
            models.TransactionDetail,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def void_transaction(
        self,
        *,
        transaction_id: str | int,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.TransactionDetail:
        """Void an authorization.

        Releases the amount that is reserved on the card. The transaction fails with the reason
        `cancelled`. The void may still be pending in the response; a webhook reports when
        `authorization.status` is `voided`.

        Needs the scope `approval:write`.

        `transaction_id`: Your own reference, unique among your transactions.
        """
        result: models.TransactionDetail = self._call(
            Endpoint("POST", "/fiat/v1/transaction/void", "body"),
            {
                "transaction_id": transaction_id,
            },
            models.TransactionDetail,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def refund_transaction(
        self,
        *,
        transaction_id: str | int,
        amount: Decimal | float | None = None,
        out_of_band: bool | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.TransactionDetail:
        """Refund a transaction.

        Refunds the full amount or a part to the original payment method, through the acquirer.
        `refund_options` of the transaction shows the possible refunds. The refund may still be
        `pending` in the response; a webhook reports when it `succeeded` or `failed`. Record a
        refund that you made elsewhere with `out_of_band`. Send an `Idempotency-Key`: without
        one, a repeated partial refund is issued twice.

        Needs the scope `approval:write`.

        `transaction_id`: Your own reference, unique among your transactions.
        `amount`: In the currency’s decimals; the full remaining amount by default.
        `out_of_band`: True records a refund that you made elsewhere; the acquirer is not
        called. By default the funds are returned to the original payment method.
        """
        result: models.TransactionDetail = self._call(
            Endpoint("POST", "/fiat/v1/transaction/refund", "body"),
            {
                "transaction_id": transaction_id,
                "amount": OMIT if amount is None else amount,
                "out_of_band": OMIT if out_of_band is None else out_of_band,
            },
            models.TransactionDetail,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def erase_payer(
        self,
        *,
        transaction_id: str | None = None,
        email: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ErasePayerResponse:
        """Erase a payer’s data.

        Permanently removes a payer’s personal data: name, email, phone, address, network and
        language, from the payments of one `transaction_id`, or from all with an `email`. Copies
        in descriptions, line items, events, webhooks, stored responses and the audit log become
        `[erased]`. Amounts, IDs, times, statuses and the masked card are kept. Merchants’ own
        systems, acquirers, downloaded exports and backups are not affected.

        Needs the scope `payer:erase`.

        `transaction_id`: The payer of this transaction.
        `email`: All payments of the payer with this email address, case-insensitive. With
        transaction_id: an address to erase from that payment, for a payer who is no longer
        stored with it.
        """
        result: models.ErasePayerResponse = self._call(
            Endpoint("POST", "/v1/payers/erase", "body"),
            {
                "transaction_id": OMIT if transaction_id is None else transaction_id,
                "email": OMIT if email is None else email,
            },
            models.ErasePayerResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def create_reusable_link(
        self,
        *,
        title: str,
        country: models.CountryAlpha3,
        currency: models.Currency,
        payment_method: str,
        description: str | None | Omit = OMIT,
        image_url: str | None | Omit = OMIT,
        type_of_calculation: Literal["forward_without_fee", "forward_with_fee"] | None = None,
        amount: Decimal | float | None | Omit = OMIT,
        custom_amount: inputs.CustomAmountInput | None | Omit = OMIT,
        quantity: inputs.QuantityLimitsInput | None | Omit = OMIT,
        stock: int | None | Omit = OMIT,
        ask: Sequence[Literal["email", "name"]] | None = None,
        success_redirect_url: str | None | Omit = OMIT,
        fail_redirect_url: str | None | Omit = OMIT,
        metadata: Mapping[str, str] | None | Omit = OMIT,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ReusableLink:
        """Create a reusable link.

        Its page creates a transaction with a separate payment link for every buyer. With
        `stock`, open transactions reserve their quantity for at most 30 minutes, and never more
        than the stock is sold. A late payment for an expired transaction is still accepted:
        `sold` can then exceed `stock`.

        Needs the scope `link:write`.

        `title`: Name of the product or purpose; also the description of its transactions.
        `description`: Text below the title.
        `image_url`: An https:// URL of an image, which the buyer’s browser loads.
        `country`: ISO 3166-1 alpha-3; NZD is read as NZL.
        `currency`: ISO 4217.
        `payment_method`: A method that is enabled for the country and the currency; buyers can
        switch.
        `type_of_calculation`: Fee added to the amount or deducted from it;
        `forward_without_fee` by default.
        `amount`: Unit price, in the currency’s decimals; not with `custom_amount`.
        `custom_amount`: Limits of an amount that the buyer chooses.
        `quantity`: Lets the buyer choose a quantity; only with `amount`.
        `stock`: Maximum number sold in total; null for no limit.
        `ask`: Details that the buyer must enter; the payment page does not ask again.
        `success_redirect_url`: Redirect after success; null for our own page.
        `fail_redirect_url`: Redirect after failure; null for the page of the reusable link.
        `metadata`: Copied to its transactions; see `metadata` there.
        """
        result: models.ReusableLink = self._call(
            Endpoint("POST", "/fiat/v1/reusable-links", "body"),
            {
                "title": title,
                "description": description,
                "image_url": image_url,
                "country": country,
                "currency": currency,
                "payment_method": payment_method,
                "type_of_calculation": OMIT if type_of_calculation is None else type_of_calculation,
                "amount": amount,
                "custom_amount": custom_amount,
                "quantity": quantity,
                "stock": stock,
                "ask": OMIT if ask is None else ask,
                "success_redirect_url": success_redirect_url,
                "fail_redirect_url": fail_redirect_url,
                "metadata": metadata,
            },
            models.ReusableLink,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def list_reusable_links(
        self,
        *,
        status: Literal["active", "archived"] | None = None,
        metadata: Mapping[str, str] | None = None,
        per_page: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> models.ListReusableLinksResponse:
        """List reusable links.

        Needs the scope `transaction:read`.

        `metadata`: Only records with these pairs, such as `metadata[order]=1001`: exact, and
        case-sensitive.
        `per_page`: 20 by default.
        `cursor`: The `next_cursor` of the previous page.
        """
        result: models.ListReusableLinksResponse = self._call(
            Endpoint("GET", "/fiat/v1/reusable-links", "query"),
            {
                "status": OMIT if status is None else status,
                "metadata": OMIT if metadata is None else metadata,
                "per_page": OMIT if per_page is None else per_page,
                "cursor": OMIT if cursor is None else cursor,
            },
            models.ListReusableLinksResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def iterate_reusable_links(
        self,
        *,
        status: Literal["active", "archived"] | None = None,
        metadata: Mapping[str, str] | None = None,
        per_page: int | None = None,
        cursor: str | None = None,
        timeout: float | None = None,
    ) -> Iterator[models.ReusableLink]:
        """Iterate over all pages of `list_reusable_links`, from `cursor` if given. Pages are fetched as needed."""
        while True:
            page = self.list_reusable_links(
                status=status,
                metadata=metadata,
                per_page=100 if per_page is None else per_page,
                cursor=cursor,
                timeout=timeout,
            )
            yield from page.reusable_links
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_reusable_link(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> models.ReusableLink:
        """Retrieve a reusable link.

        Needs the scope `transaction:read`.

        `id`: The `id` of the reusable link.
        """
        result: models.ReusableLink = self._call(
            Endpoint("GET", "/fiat/v1/reusable-link", "query"),
            {
                "id": id,
            },
            models.ReusableLink,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def update_reusable_link(
        self,
        *,
        id: str,
        title: str | None = None,
        description: str | None | Omit = OMIT,
        image_url: str | None | Omit = OMIT,
        country: models.CountryAlpha3 | None = None,
        payment_method: str | None = None,
        type_of_calculation: Literal["forward_without_fee", "forward_with_fee"] | None = None,
        amount: Decimal | float | None | Omit = OMIT,
        custom_amount: inputs.CustomAmountInput | None | Omit = OMIT,
        quantity: inputs.QuantityLimitsInput | None | Omit = OMIT,
        stock: int | None | Omit = OMIT,
        ask: Sequence[Literal["email", "name"]] | None = None,
        success_redirect_url: str | None | Omit = OMIT,
        fail_redirect_url: str | None | Omit = OMIT,
        metadata: Mapping[str, str] | None | Omit = OMIT,
        timeout: float | None = None,
    ) -> models.ReusableLink:
        """Change a reusable link.

        Omitted fields stay unchanged. Open transactions keep their price. `amount` replaces
        `custom_amount`, and vice versa.

        Needs the scope `link:write`.

        `title`: Name of the product or purpose; also the description of its transactions.
        `description`: Text below the title.
        `image_url`: An https:// URL of an image, which the buyer’s browser loads.
        `country`: ISO 3166-1 alpha-3; NZD is read as NZL.
        `payment_method`: A method that is enabled for the country and the currency; buyers can
        switch.
        `type_of_calculation`: Fee added to the amount or deducted from it;
        `forward_without_fee` by default.
        `amount`: Unit price, in the currency’s decimals; not with `custom_amount`.
        `custom_amount`: Limits of an amount that the buyer chooses.
        `quantity`: Lets the buyer choose a quantity; only with `amount`.
        `stock`: Maximum number sold in total; null for no limit.
        `ask`: Details that the buyer must enter; the payment page does not ask again.
        `success_redirect_url`: Redirect after success; null for our own page.
        `fail_redirect_url`: Redirect after failure; null for the page of the reusable link.
        `metadata`: Copied to its transactions; see `metadata` there.
        `id`: The `id` of the reusable link.
        """
        result: models.ReusableLink = self._call(
            Endpoint("PATCH", "/fiat/v1/reusable-link", "body"),
            {
                "title": OMIT if title is None else title,
                "description": description,
                "image_url": image_url,
                "country": OMIT if country is None else country,
                "payment_method": OMIT if payment_method is None else payment_method,
                "type_of_calculation": OMIT if type_of_calculation is None else type_of_calculation,
                "amount": amount,
                "custom_amount": custom_amount,
                "quantity": quantity,
                "stock": stock,
                "ask": OMIT if ask is None else ask,
                "success_redirect_url": success_redirect_url,
                "fail_redirect_url": fail_redirect_url,
                "metadata": metadata,
                "id": id,
            },
            models.ReusableLink,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def archive_reusable_link(
        self,
        *,
        id: str,
        archived: bool | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ReusableLink:
        """Archive a reusable link.

        Its page accepts no new buyers. Open transactions can still be paid.

        Needs the scope `link:write`.

        `id`: The `id` of the reusable link.
        `archived`: False makes the link active again; true by default.
        """
        result: models.ReusableLink = self._call(
            Endpoint("POST", "/fiat/v1/reusable-link/archive", "body"),
            {
                "id": id,
                "archived": OMIT if archived is None else archived,
            },
            models.ReusableLink,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def create_invoice(
        self,
        *,
        txId: str,
        code: models.CryptoCurrencyCode,
        type: Literal["static", "revolver", "user", "invoice_type_default"],
        amount: str | None = None,
        expiredAt: datetime | str | None = None,
        comment: str | None = None,
        description: str | None = None,
        returnUrl: str | None = None,
        metadata: Mapping[str, str] | None = None,
        locale: models.PageLanguage | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CryptoTransaction:
        """Create a crypto invoice.

        Returns a deposit address. Repeating `txId` and `code` returns the same invoice; for the
        type `user`, `amount`, `description` and `returnUrl` may differ and are then updated.
        Amounts are whole numbers of the smallest unit (satoshi, wei); `GET /v1/currencies`
        returns the decimals.

        Needs the scope `invoice:write`.

        `txId`: Your reference, unique among your transactions of one currency.
        `code`: A cryptocurrency of `GET /v1/currencies`.
        `amount`: A whole number of the currency’s smallest unit, such as satoshi or wei;
        optional for the type `user`.
        `expiredAt`: Expiry, at most 24 hours from now; 30 minutes by default. Not for the type
        `user`.
        `comment`: Internal note; the payer does not see it.
        `description`: Description shown to the payer.
        `returnUrl`: URL of your page to which the payer returns from the invoice page.
        `metadata`: Set of key-value pairs that you attach to the object: at most 50, keys up to
        40 and values up to 500 characters. Payers never see it.
        `locale`: Initial language of the payment page, as a BCP 47 tag; the browser’s language
        by default. The payer can choose another.
        """
        result: models.CryptoTransaction = self._call(
            Endpoint("POST", "/v1/transaction/invoice", "body"),
            {
                "txId": txId,
                "code": code,
                "amount": OMIT if amount is None else amount,
                "type": type,
                "expiredAt": OMIT if expiredAt is None else expiredAt,
                "comment": OMIT if comment is None else comment,
                "description": OMIT if description is None else description,
                "returnUrl": OMIT if returnUrl is None else returnUrl,
                "metadata": OMIT if metadata is None else metadata,
                "locale": OMIT if locale is None else locale,
            },
            models.CryptoTransaction,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def get_crypto_transaction(
        self,
        *,
        txId: str | None = None,
        code: models.CryptoCurrencyCode | None = None,
        id: str | None = None,
        timeout: float | None = None,
    ) -> models.CryptoTransaction:
        """Retrieve a crypto transaction.

        Needs the scope `transaction:read`.

        `txId`: Your reference, unique among your transactions of one currency.
        `code`: A cryptocurrency of `GET /v1/currencies`.
        `id`: Instead of `txId` and `code`: the `id` of a response, for deposits without a
        `txId`.
        """
        result: models.CryptoTransaction = self._call(
            Endpoint("GET", "/v1/transaction", "query"),
            {
                "txId": OMIT if txId is None else txId,
                "code": OMIT if code is None else code,
                "id": OMIT if id is None else id,
            },
            models.CryptoTransaction,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def list_crypto_transactions(
        self,
        *,
        status: Sequence[models.CryptoStatus] | None = None,
        code: Sequence[models.CryptoCurrencyCode] | None = None,
        since: str | None = None,
        till: str | None = None,
        updated_since: str | None = None,
        metadata: Mapping[str, str] | None = None,
        search: str | None = None,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> models.ListCryptoTransactionsResponse:
        """List crypto transactions.

        `status=approved_required` is the review queue: late, underpaid, overpaid and duplicate
        deposits, and deposits without an invoice. `availableActions` lists the possible
        actions. Newest first.

        Needs the scope `transaction:read`.

        `since`: Created at or after this time: a date (UTC), a date-time, or Unix seconds.
        `till`: Created before this time: a date (inclusive), or a date-time or Unix seconds
        (exclusive).
        `updated_since`: Changed at or after this time: a date (UTC), a date-time, or Unix
        seconds. A change can appear after changes with a later time. To synchronize, start five
        minutes before the latest change that you read, and skip records that you have with the
        same time of change; or use `GET /v1/events`, which misses no event.
        `metadata`: Only records with these pairs, such as `metadata[order]=1001`: exact, and
        case-sensitive.
        `search`: Prefix of a `txId` (case-sensitive), a full `walletAddress` or `txHash`, or a
        complete `metadata` value.
        `cursor`: The `next_cursor` of the previous page.
        `per_page`: Page size; 20 by default.
        """
        result: models.ListCryptoTransactionsResponse = self._call(
            Endpoint("GET", "/v1/transactions", "query"),
            {
                "status": OMIT if status is None else status,
                "code": OMIT if code is None else code,
                "since": OMIT if since is None else since,
                "till": OMIT if till is None else till,
                "updated_since": OMIT if updated_since is None else updated_since,
                "metadata": OMIT if metadata is None else metadata,
                "search": OMIT if search is None else search,
                "cursor": OMIT if cursor is None else cursor,
                "per_page": OMIT if per_page is None else per_page,
            },
            models.ListCryptoTransactionsResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def iterate_crypto_transactions(
        self,
        *,
        status: Sequence[models.CryptoStatus] | None = None,
        code: Sequence[models.CryptoCurrencyCode] | None = None,
        since: str | None = None,
        till: str | None = None,
        updated_since: str | None = None,
        metadata: Mapping[str, str] | None = None,
        search: str | None = None,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> Iterator[models.CryptoTransaction]:
        """Iterate over all pages of `list_crypto_transactions`, from `cursor` if given. Pages are fetched as needed."""
        while True:
            page = self.list_crypto_transactions(
                status=status,
                code=code,
                since=since,
                till=till,
                updated_since=updated_since,
                metadata=metadata,
                search=search,
                per_page=100 if per_page is None else per_page,
                cursor=cursor,
                timeout=timeout,
            )
            yield from page.transactions
            cursor = page.next_cursor
            if cursor is None:
                return

    def approve_crypto_transaction(
        self,
        *,
        id: str,
        reason: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CryptoTransaction:
        """Approve a crypto transaction.

        Needs the scope `approval:write`.
        """
        result: models.CryptoTransaction = self._call(
            Endpoint("POST", "/v1/transaction/approve", "body"),
            {
                "id": id,
                "reason": OMIT if reason is None else reason,
            },
            models.CryptoTransaction,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def reject_crypto_transaction(
        self,
        *,
        id: str,
        reason: str | None = None,
        refundAddress: str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.CryptoTransaction:
        """Reject a crypto transaction.

        With `refundAddress`, the deposits are refunded: `refunding`, then `refunded`. This also
        needs the scope `withdrawal:write`, and a refund to a new address is held for the
        destination delay. Without it, the transaction becomes `failed`; until its funds are
        withdrawn, it can be rejected again with an address to refund it. For type `user`, only
        the deposits in review are rejected, and `refundAddress` is not allowed.

        Needs the scope `approval:write`.

        `refundAddress`: Refund address; needs the scope `withdrawal:write`. Without it nothing
        is sent. Not allowed for type `user`.
        """
        result: models.CryptoTransaction = self._call(
            Endpoint("POST", "/v1/transaction/reject", "body"),
            {
                "id": id,
                "reason": OMIT if reason is None else reason,
                "refundAddress": OMIT if refundAddress is None else refundAddress,
            },
            models.CryptoTransaction,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def list_currencies(
        self,
        *,
        timeout: float | None = None,
    ) -> models.ListCurrenciesResponse:
        """List cryptocurrencies.

        Needs the scope `transaction:read`.
        """
        result: models.ListCurrenciesResponse = self._call(
            Endpoint("GET", "/v1/currencies", "nothing"),
            {},
            models.ListCurrenciesResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def list_balances(
        self,
        *,
        timeout: float | None = None,
    ) -> models.ListBalancesResponse:
        """List balances.

        Funds of all wallets, by currency; currencies without funds are omitted. Amounts are in
        the smallest unit (`GET /v1/currencies` returns the decimals). `GET /v1/wallets` with
        `funded=true` lists the wallets that hold the funds.

        Needs the scope `transaction:read`.
        """
        result: models.ListBalancesResponse = self._call(
            Endpoint("GET", "/v1/balances", "nothing"),
            {},
            models.ListBalancesResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def list_wallets(
        self,
        *,
        state: Sequence[Literal["assigned", "free", "rotated", "retired"]] | None = None,
        code: Sequence[Literal["btc", "eth", "usdt", "usdc", "ltc"]] | None = None,
        funded: Literal["true"] | None = None,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> models.ListWalletsResponse:
        """List wallets.

        Newest first. Amounts are in the smallest unit (`GET /v1/currencies` returns the
        decimals): `balance` is the on-chain balance, `parts` splits it into credited, being
        sent, confirming, awaiting review, unattributed and rejected funds.

        Needs the scope `transaction:read`.

        `funded`: Only wallets with a balance.
        `cursor`: The `next_cursor` of the previous page.
        `per_page`: Page size; 20 by default.
        """
        result: models.ListWalletsResponse = self._call(
            Endpoint("GET", "/v1/wallets", "query"),
            {
                "state": OMIT if state is None else state,
                "code": OMIT if code is None else code,
                "funded": OMIT if funded is None else funded,
                "cursor": OMIT if cursor is None else cursor,
                "per_page": OMIT if per_page is None else per_page,
            },
            models.ListWalletsResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def iterate_wallets(
        self,
        *,
        state: Sequence[Literal["assigned", "free", "rotated", "retired"]] | None = None,
        code: Sequence[Literal["btc", "eth", "usdt", "usdc", "ltc"]] | None = None,
        funded: Literal["true"] | None = None,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> Iterator[models.Wallet]:
        """Iterate over all pages of `list_wallets`, from `cursor` if given. Pages are fetched as needed."""
        while True:
            page = self.list_wallets(
                state=state,
                code=code,
                funded=funded,
                per_page=100 if per_page is None else per_page,
                cursor=cursor,
                timeout=timeout,
            )
            yield from page.wallets
            cursor = page.next_cursor
            if cursor is None:
                return

    def rotate_wallet(
        self,
        *,
        walletAddress: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RotateWalletResponse:
        """Rotate a wallet.

        No new invoice uses the wallet; it is retired when its last invoice ends. A user’s
        wallet is retired immediately, and its invoice gets another address.

        Needs the scope `invoice:write` and a manager’s token.

        `walletAddress`: As in the invoice.
        """
        result: models.RotateWalletResponse = self._call(
            Endpoint("POST", "/v1/wallet/rotate", "body"),
            {
                "walletAddress": walletAddress,
            },
            models.RotateWalletResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def list_withdrawals(
        self,
        *,
        status: Sequence[Literal["waiting", "to_sign", "sent", "confirmed", "failed"]] | None = None,
        code: Sequence[models.CryptoCurrencyCode] | None = None,
        updated_since: str | None = None,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> models.ListWithdrawalsResponse:
        """List withdrawals.

        Newest first. `status=to_sign` lists withdrawals to sign; `waitsFor` states why one is
        `waiting`.

        Needs the scope `transaction:read`.

        `updated_since`: Changed at or after this time: a date (UTC), a date-time, or Unix
        seconds. A change can appear after changes with a later time. To synchronize, start five
        minutes before the latest change that you read, and skip records that you have with the
        same time of change; or use `GET /v1/events`, which misses no event.
        `cursor`: The `next_cursor` of the previous page.
        `per_page`: Page size; 20 by default.
        """
        result: models.ListWithdrawalsResponse = self._call(
            Endpoint("GET", "/v1/withdrawals", "query"),
            {
                "status": OMIT if status is None else status,
                "code": OMIT if code is None else code,
                "updated_since": OMIT if updated_since is None else updated_since,
                "cursor": OMIT if cursor is None else cursor,
                "per_page": OMIT if per_page is None else per_page,
            },
            models.ListWithdrawalsResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def create_withdrawal(
        self,
        *,
        code: models.CryptoCurrencyCode,
        walletAddress: str,
        source: Literal["credited", "unattributed", "rejected"],
        destination: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Withdrawal:
        """Create a withdrawal.

        Sends funds of a wallet to an address: credited, unattributed, or rejected without a
        refund. The operator’s fee limits apply; the merchant’s fee limit does not. A withdrawal
        to an address other than the effective destination of automatic withdrawals is held for
        the destination delay (`heldUntil`). A token has `withdrawal:write` only if it was
        requested.

        Needs the scope `withdrawal:write` and a manager’s token.

        `code`: A cryptocurrency of `GET /v1/currencies`.
        `walletAddress`: Wallet to withdraw from.
        `source`: `credited`, `unattributed` (received after the wallet was retired) or
        `rejected` (not refunded).
        `destination`: Destination address.
        """
        result: models.Withdrawal = self._call(
            Endpoint("POST", "/v1/withdrawals", "body"),
            {
                "code": code,
                "walletAddress": walletAddress,
                "source": source,
                "destination": destination,
            },
            models.Withdrawal,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def get_withdrawal(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> models.WithdrawalDetail:
        """Retrieve a withdrawal.

        Needs the scope `transaction:read`.
        """
        result: models.WithdrawalDetail = self._call(
            Endpoint("GET", "/v1/withdrawal", "query"),
            {
                "id": id,
            },
            models.WithdrawalDetail,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def submit_withdrawal(
        self,
        *,
        id: str,
        signed: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Withdrawal:
        """Submit a signed withdrawal.

        Broadcasts an externally signed transaction. It must match `unsigned` of `GET
        /v1/withdrawal`: the same inputs, destination and amount.

        Needs the scope `withdrawal:write`.

        `signed`: PSBT in base64 or the transaction in hexadecimal; on Ethereum the transaction
        in hexadecimal with 0x.
        """
        result: models.Withdrawal = self._call(
            Endpoint("POST", "/v1/withdrawal/submit", "body"),
            {
                "id": id,
                "signed": signed,
            },
            models.Withdrawal,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def cancel_withdrawal(
        self,
        *,
        id: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Withdrawal:
        """Cancel a withdrawal.

        Until `heldUntil`, any caller with `withdrawal:write` can cancel it; after that only a
        manager can, until its transaction is in a block. If nothing is signed yet, the
        withdrawal becomes `failed` immediately. Otherwise a replacement is created with a
        higher fee than every transaction sent: on Bitcoin and Litecoin it returns the same
        coins to one of their wallets, on Ethereum it uses the same nonce and moves nothing.
        `cancelling` is true until one of them is final: `failed` if the replacement is mined,
        `confirmed` if it was too late. Only the replacement’s fee is lost. If the keys are held
        externally, the replacement is `to_sign`. Repeating the request changes nothing. The
        funds can then be withdrawn again; with `auto-withdrawal`, credited funds are swept
        again. The transaction of a refund becomes `failed`: reject it again with another
        `refundAddress`, or withdraw returned coins manually as `rejected`.

        Needs the scope `withdrawal:write`.
        """
        result: models.Withdrawal = self._call(
            Endpoint("POST", "/v1/withdrawal/cancel", "body"),
            {
                "id": id,
            },
            models.Withdrawal,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def list_events(
        self,
        *,
        after: str | None = None,
        limit: int | None = None,
        wait: int | None = None,
        timeout: float | None = None,
    ) -> models.ListEventsResponse:
        """List events.

        For servers behind a firewall, and to catch up after an outage. Returns the same objects
        as webhooks, with the same `id`, in a fixed order: store `next` to receive each event
        exactly once. Events can be pulled for 90 days. `wait` long-polls until an event
        arrives.

        Needs the scope `transaction:read`.

        `after`: The `next` of the previous response; by default the oldest stored event.
        `limit`: Page size; 20 by default.
        `wait`: Seconds to wait for an event if there is none yet.
        """
        result: models.ListEventsResponse = self._call(
            Endpoint("GET", "/v1/events", "query"),
            {
                "after": OMIT if after is None else after,
                "limit": OMIT if limit is None else limit,
                "wait": OMIT if wait is None else wait,
            },
            models.ListEventsResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def list_transaction_events(
        self,
        *,
        transaction_id: str,
        timeout: float | None = None,
    ) -> models.ListTransactionEventsResponse:
        """List events of a transaction.

        Needs the scope `transaction:read`.
        """
        result: models.ListTransactionEventsResponse = self._call(
            Endpoint("GET", "/fiat/v1/transaction/events", "query"),
            {
                "transaction_id": transaction_id,
            },
            models.ListTransactionEventsResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def get_statistics(
        self,
        *,
        since: str | None = None,
        till: str | None = None,
        time_zone: str | None = None,
        timeout: float | None = None,
    ) -> models.Statistics:
        """Retrieve transaction statistics.

        Statistics of transactions created in a period of at most 366 days, the last 30 by
        default: paid counts and amounts received by currency, day, hour, method and country,
        and failure reasons. Days, hours, `since` and `till` are in `time_zone`.

        Needs the scope `transaction:read`.

        `since`: Start of the period: a date (in `time_zone`), a date-time, or Unix seconds; 30
        days ago by default.
        `till`: End of the period: a date (inclusive), or a date-time or Unix seconds
        (exclusive); today by default.
        `time_zone`: IANA time zone of days and hours, or an offset such as `+05:30`; UTC by
        default.
        """
        result: models.Statistics = self._call(
            Endpoint("GET", "/v1/statistics", "query"),
            {
                "since": OMIT if since is None else since,
                "till": OMIT if till is None else till,
                "time_zone": OMIT if time_zone is None else time_zone,
            },
            models.Statistics,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def list_rates(
        self,
        *,
        currency: models.Currency | None = None,
        timeout: float | None = None,
    ) -> models.ListRatesResponse:
        """List exchange rates.

        Prices of all cryptocurrencies and currencies, with the quotes of each source and their
        times. A price outside the operator’s limits is unavailable: payment links then do not
        offer the cryptocurrency, and invoices return `rate_unavailable`.

        Needs the scope `transaction:read`.

        `currency`: Currency of the prices; `USD` by default.
        """
        result: models.ListRatesResponse = self._call(
            Endpoint("GET", "/v1/rates", "query"),
            {
                "currency": OMIT if currency is None else currency,
            },
            models.ListRatesResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def list_callbacks(
        self,
        *,
        state: Sequence[Literal["pending", "delivered", "failed"]] | None = None,
        transaction_id: str | None = None,
        endpoint_id: str | None = None,
        type: Sequence[Literal["fiat.transaction.updated", "fiat.dispute.created", "fiat.dispute.updated", "fiat.dispute.closed", "crypto.transaction.created", "crypto.transaction.updated", "crypto.withdrawal.updated", "crypto.withdrawal.destination_changed", "callback.url_changed", "callback.endpoint_changed", "callback.test"]] | None = None,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> models.ListCallbacksResponse:
        """List webhooks.

        Needs the scope `callback:read`.

        `transaction_id`: Your reference for a fiat or crypto transaction, or the `id` of a
        crypto transaction or withdrawal.
        `endpoint_id`: An endpoint: `we_…` or `callback-url`.
        `type`: Event types.
        `cursor`: The `next_cursor` of the previous page.
        `per_page`: Page size; 20 by default.
        """
        result: models.ListCallbacksResponse = self._call(
            Endpoint("GET", "/v1/callbacks", "query"),
            {
                "state": OMIT if state is None else state,
                "transaction_id": OMIT if transaction_id is None else transaction_id,
                "endpoint_id": OMIT if endpoint_id is None else endpoint_id,
                "type": OMIT if type is None else type,
                "cursor": OMIT if cursor is None else cursor,
                "per_page": OMIT if per_page is None else per_page,
            },
            models.ListCallbacksResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def iterate_callbacks(
        self,
        *,
        state: Sequence[Literal["pending", "delivered", "failed"]] | None = None,
        transaction_id: str | None = None,
        endpoint_id: str | None = None,
        type: Sequence[Literal["fiat.transaction.updated", "fiat.dispute.created", "fiat.dispute.updated", "fiat.dispute.closed", "crypto.transaction.created", "crypto.transaction.updated", "crypto.withdrawal.updated", "crypto.withdrawal.destination_changed", "callback.url_changed", "callback.endpoint_changed", "callback.test"]] | None = None,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> Iterator[models.Callback]:
        """Iterate over all pages of `list_callbacks`, from `cursor` if given. Pages are fetched as needed."""
        while True:
            page = self.list_callbacks(
                state=state,
                transaction_id=transaction_id,
                endpoint_id=endpoint_id,
                type=type,
                per_page=100 if per_page is None else per_page,
                cursor=cursor,
                timeout=timeout,
            )
            yield from page.callbacks
            cursor = page.next_cursor
            if cursor is None:
                return

    def get_callback(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> models.CallbackDetail:
        """Retrieve a webhook and its delivery attempts.

        Needs the scope `callback:read`.

        `id`: The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the
        ID of the endpoint.
        """
        result: models.CallbackDetail = self._call(
            Endpoint("GET", "/v1/callback", "query"),
            {
                "id": id,
            },
            models.CallbackDetail,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def redeliver_callback(
        self,
        *,
        id: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.Callback:
        """Redeliver a webhook.

        Sends the webhook immediately with the same `webhook-id`, regardless of its state.
        Enables a disabled endpoint.

        Needs the scope `callback:send`.

        `id`: The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the
        ID of the endpoint.
        """
        result: models.Callback = self._call(
            Endpoint("POST", "/v1/callback/redeliver", "body"),
            {
                "id": id,
            },
            models.Callback,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def test_callback(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.TestCallbackResponse:
        """Send a test webhook.

        Sends `callback.test` to `callback-url` and returns the response. A successful delivery
        enables a disabled endpoint.

        Needs the scope `callback:send`.
        """
        result: models.TestCallbackResponse = self._call(
            Endpoint("POST", "/v1/callback/test", "body"),
            {},
            models.TestCallbackResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def rotate_callback_secret(
        self,
        *,
        keep_hours: int | None = None,
        timeout: float | None = None,
    ) -> models.RotateCallbackSecretResponse:
        """Rotate the webhook secret.

        For a transition period, webhooks are signed with both secrets, so that endpoints can
        switch without rejecting any. A signed-in user must have confirmed their identity in the
        last five minutes (`403 step_up_required`).

        Needs the scope `callback:manage`.

        `keep_hours`: Hours that the old secret also signs; 24 by default. Use 0 if it leaked.
        """
        result: models.RotateCallbackSecretResponse = self._call(
            Endpoint("POST", "/v1/callback/secret", "body"),
            {
                "keep_hours": OMIT if keep_hours is None else keep_hours,
            },
            models.RotateCallbackSecretResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def get_callback_keys(
        self,
        *,
        timeout: float | None = None,
    ) -> models.GetCallbackKeysResponse:
        """Retrieve webhook verification keys.

        Returns your merchant ID and the public keys for `v1a` signatures (Ed25519), which need
        no shared secret.

        Needs the scope `callback:read`.
        """
        result: models.GetCallbackKeysResponse = self._call(
            Endpoint("GET", "/v1/callback/keys", "nothing"),
            {},
            models.GetCallbackKeysResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def list_webhook_endpoints(
        self,
        *,
        timeout: float | None = None,
    ) -> models.ListWebhookEndpointsResponse:
        """List webhook endpoints.

        The endpoint of the preference `callback-url`, if it is set, and the added endpoints.

        Needs the scope `callback:read`.
        """
        result: models.ListWebhookEndpointsResponse = self._call(
            Endpoint("GET", "/v1/webhook-endpoints", "nothing"),
            {},
            models.ListWebhookEndpointsResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def add_webhook_endpoint(
        self,
        *,
        url: str,
        description: str | None | Omit = OMIT,
        event_types: Sequence[Literal["fiat.transaction.updated", "fiat.dispute.created", "fiat.dispute.updated", "fiat.dispute.closed", "crypto.transaction.created", "crypto.transaction.updated", "crypto.withdrawal.updated"]] | None | Omit = OMIT,
        timeout: float | None = None,
    ) -> models.AddWebhookEndpointResponse:
        """Add a webhook endpoint.

        It receives events created from now on. At most 16 in addition to `callback-url`. Needs
        `transaction:read` too, since the endpoint receives payments. Endpoints can be added and
        changed 60 times per hour (`429 rate_limited`). Your endpoints, and the previous URLs of
        the last day, receive `callback.endpoint_changed`. A signed-in user must have confirmed
        their identity in the last five minutes (`403 step_up_required`).

        Needs the scope `callback:manage`.

        `url`: Same rules as `callback-url`: https, and not in a private network.
        `event_types`: Types of events to send; null for all. Security notices are always sent.
        """
        result: models.AddWebhookEndpointResponse = self._call(
            Endpoint("POST", "/v1/webhook-endpoints", "body"),
            {
                "url": url,
                "description": description,
                "event_types": event_types,
            },
            models.AddWebhookEndpointResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def get_webhook_endpoint(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> models.WebhookEndpoint:
        """Retrieve a webhook endpoint.

        Needs the scope `callback:read`.

        `id`: `we_…`, or `callback-url` for the endpoint of that preference.
        """
        result: models.WebhookEndpoint = self._call(
            Endpoint("GET", "/v1/webhook-endpoint", "query"),
            {
                "id": id,
            },
            models.WebhookEndpoint,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def update_webhook_endpoint(
        self,
        *,
        id: str,
        url: str | None = None,
        description: str | None | Omit = OMIT,
        event_types: Sequence[Literal["fiat.transaction.updated", "fiat.dispute.created", "fiat.dispute.updated", "fiat.dispute.closed", "crypto.transaction.created", "crypto.transaction.updated", "crypto.withdrawal.updated"]] | None | Omit = OMIT,
        enabled: bool | None = None,
        timeout: float | None = None,
    ) -> models.WebhookEndpoint:
        """Change a webhook endpoint.

        Omitted fields stay unchanged. Pending webhooks go to the new URL; new event types apply
        to events from then on. `url` and `event_types` need `transaction:read` too. Endpoints
        can be added and changed 60 times per hour (`429 rate_limited`). Your endpoints, and the
        previous URLs of the last day, receive `callback.endpoint_changed`. A signed-in user
        must have confirmed their identity in the last five minutes (`403 step_up_required`).

        Needs the scope `callback:manage`.

        `id`: `we_…`, or `callback-url` for the endpoint of that preference.
        `url`: Same rules as `callback-url`: https, and not in a private network.
        `event_types`: Types of events to send; null for all. Security notices are always sent.
        `enabled`: true also enables an endpoint that was disabled after failures.
        """
        result: models.WebhookEndpoint = self._call(
            Endpoint("PATCH", "/v1/webhook-endpoint", "body"),
            {
                "id": id,
                "url": OMIT if url is None else url,
                "description": description,
                "event_types": event_types,
                "enabled": OMIT if enabled is None else enabled,
            },
            models.WebhookEndpoint,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def rotate_webhook_endpoint_secret(
        self,
        *,
        id: str,
        keep_hours: int | None = None,
        timeout: float | None = None,
    ) -> models.RotateWebhookEndpointSecretResponse:
        """Rotate a webhook endpoint’s secret.

        Works as `POST /v1/callback/secret`, for one endpoint. A signed-in user must have
        confirmed their identity in the last five minutes (`403 step_up_required`).

        Needs the scope `callback:manage`.

        `keep_hours`: Hours that the old secret also signs; 24 by default. Use 0 if it leaked.
        `id`: `we_…`, or `callback-url` for the endpoint of that preference.
        """
        result: models.RotateWebhookEndpointSecretResponse = self._call(
            Endpoint("POST", "/v1/webhook-endpoint/secret", "body"),
            {
                "keep_hours": OMIT if keep_hours is None else keep_hours,
                "id": id,
            },
            models.RotateWebhookEndpointSecretResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def test_webhook_endpoint(
        self,
        *,
        id: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.TestWebhookEndpointResponse:
        """Send a test webhook to an endpoint.

        Sends `callback.test` now, regardless of the event types and status of the endpoint, and
        returns the response. A successful delivery enables an endpoint that was disabled after
        failures.

        Needs the scope `callback:send`.

        `id`: `we_…`, or `callback-url` for the endpoint of that preference.
        """
        result: models.TestWebhookEndpointResponse = self._call(
            Endpoint("POST", "/v1/webhook-endpoint/test", "body"),
            {
                "id": id,
            },
            models.TestWebhookEndpointResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def redeliver_failed_callbacks(
        self,
        *,
        id: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RedeliverFailedCallbacksResponse:
        """Redeliver all failed webhooks of an endpoint.

        In order within a payment, invoice or withdrawal. Enables an endpoint that was disabled
        after failures.

        Needs the scope `callback:send`.

        `id`: `we_…`, or `callback-url` for the endpoint of that preference.
        """
        result: models.RedeliverFailedCallbacksResponse = self._call(
            Endpoint("POST", "/v1/webhook-endpoint/redeliver", "body"),
            {
                "id": id,
            },
            models.RedeliverFailedCallbacksResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def remove_webhook_endpoint(
        self,
        *,
        id: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RemoveWebhookEndpointResponse:
        """Remove a webhook endpoint.

        Its pending webhooks are not delivered; the events stay in `GET /v1/events`. Your
        endpoints, and the previous URLs of the last day, receive `callback.endpoint_changed`. A
        signed-in user must have confirmed their identity in the last five minutes (`403
        step_up_required`).

        Needs the scope `callback:manage`.

        `id`: `we_…`, or `callback-url` for the endpoint of that preference.
        """
        result: models.RemoveWebhookEndpointResponse = self._call(
            Endpoint("POST", "/v1/webhook-endpoint/remove", "body"),
            {
                "id": id,
            },
            models.RemoveWebhookEndpointResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def list_payment_methods(
        self,
        *,
        country: models.CountryAlpha3,
        currency: models.Currency | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.ListPaymentMethodsResponse:
        """List payment methods.

        Needs the scope `transaction:read`.

        `country`: ISO 3166-1 alpha-3; NZD is read as NZL.
        `currency`: If omitted: every currency of the country, and those in which the merchant
        has a method.
        """
        result: models.ListPaymentMethodsResponse = self._call(
            Endpoint("POST", "/fiat/v1/merchant/payment-methods", "body"),
            {
                "country": country,
                "currency": OMIT if currency is None else currency,
            },
            models.ListPaymentMethodsResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def set_payment_methods(
        self,
        *,
        payment_methods: Sequence[inputs.SetPaymentMethodsInputPaymentMethod],
        timeout: float | None = None,
    ) -> models.SetPaymentMethodsResponse:
        """Set a merchant’s payment methods.

        Sets which methods the merchant can use, and their fees. Applies all settings or none.
        An omitted fee stays unchanged; it is 0 initially.

        Needs the scope `preference:write` and a manager’s token.
        """
        result: models.SetPaymentMethodsResponse = self._call(
            Endpoint("PATCH", "/fiat/v1/merchant/payment-methods", "body"),
            {
                "payment_methods": payment_methods,
            },
            models.SetPaymentMethodsResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def list_preferences(
        self,
        *,
        timeout: float | None = None,
    ) -> models.ListPreferencesResponse:
        """List preferences.

        Needs the scope `preference:read`.
        """
        result: models.ListPreferencesResponse = self._call(
            Endpoint("GET", "/v1/merchant/preferences", "nothing"),
            {},
            models.ListPreferencesResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def set_preference(
        self,
        *,
        key: str,
        value: bool | Decimal | float | str | Sequence[str] | None,
        timeout: float | None = None,
    ) -> models.Preference:
        """Set a preference.

        `null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}`
        also need the scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To
        change `callback-url`, a signed-in user must have confirmed their identity in the last
        five minutes (`403 step_up_required`). Each of these addresses can be changed 60 times
        per hour (`429 rate_limited`); unsetting it is not limited.

        Needs the scope `preference:write`.

        `key`: Such as `callback-url`.
        `value`: A value of the key’s type, or its string form; lists also as a string that
        contains a JSON array. null unsets the preference.
        """
        result: models.Preference = self._call(
            Endpoint("PATCH", "/v1/merchant/preferences", "body"),
            {
                "key": key,
                "value": value,
            },
            models.Preference,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def set_preferences(
        self,
        *,
        preferences: Sequence[inputs.SetPreferencesInputPreference],
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SetPreferencesResponse:
        """Set several preferences.

        `null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}`
        also need the scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To
        change `callback-url`, a signed-in user must have confirmed their identity in the last
        five minutes (`403 step_up_required`). Each of these addresses can be changed 60 times
        per hour (`429 rate_limited`); unsetting it is not limited.

        Needs the scope `preference:write`.
        """
        result: models.SetPreferencesResponse = self._call(
            Endpoint("POST", "/v1/merchant/preferences", "body"),
            {
                "preferences": preferences,
            },
            models.SetPreferencesResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def list_preference_keys(
        self,
        *,
        key: str | None = None,
        timeout: float | None = None,
    ) -> models.ListPreferenceKeysResponse:
        """List preference keys.

        Returns each key with its meaning, allowed values, default, current value, and who set
        it. `{CODE}` is expanded for each cryptocurrency.

        Needs the scope `preference:read`.

        `key`: Only this key.
        """
        result: models.ListPreferenceKeysResponse = self._call(
            Endpoint("GET", "/v1/merchant/preferences/keys", "query"),
            {
                "key": OMIT if key is None else key,
            },
            models.ListPreferenceKeysResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def set_preferences_singular(
        self,
        *,
        preferences: Sequence[inputs.SetPreferencesSingularInputPreference],
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SetPreferencesSingularResponse:
        """Set several preferences (singular path).

        `null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}`
        also need the scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To
        change `callback-url`, a signed-in user must have confirmed their identity in the last
        five minutes (`403 step_up_required`). Each of these addresses can be changed 60 times
        per hour (`429 rate_limited`); unsetting it is not limited.

        Needs the scope `preference:write`.
        """
        result: models.SetPreferencesSingularResponse = self._call(
            Endpoint("POST", "/v1/merchant/preference", "body"),
            {
                "preferences": preferences,
            },
            models.SetPreferencesSingularResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def get_logo(
        self,
        *,
        timeout: float | None = None,
    ) -> models.GetLogoResponse:
        """Retrieve the logo.

        Needs the scope `preference:read`.
        """
        result: models.GetLogoResponse = self._call(
            Endpoint("GET", "/v1/merchant/logo", "nothing"),
            {},
            models.GetLogoResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def set_logo(
        self,
        *,
        image: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SetLogoResponse:
        """Upload a logo.

        Payment pages show it in place of the image at `brand-logo-url`. The image is re-encoded
        as PNG of at most 256 × 256 pixels, without metadata or animation. A new upload replaces
        it.

        Needs the scope `preference:write`.

        `image`: The file in Base64: PNG, JPEG or WebP of at most 1000000 bytes, 8000 pixels on
        each side and 10000000 pixels in total.
        """
        result: models.SetLogoResponse = self._call(
            Endpoint("POST", "/v1/merchant/logo", "body"),
            {
                "image": image,
            },
            models.SetLogoResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def remove_logo(
        self,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RemoveLogoResponse:
        """Remove the logo.

        Payment pages then show the image at `brand-logo-url`, or the initial of the name.

        Needs the scope `preference:write`.
        """
        result: models.RemoveLogoResponse = self._call(
            Endpoint("POST", "/v1/merchant/logo/remove", "body"),
            {},
            models.RemoveLogoResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def list_people(
        self,
        *,
        timeout: float | None = None,
    ) -> models.ListPeopleResponse:
        """List members and invitations.

        Needs the scope `team:manage`.
        """
        result: models.ListPeopleResponse = self._call(
            Endpoint("GET", "/v1/people", "nothing"),
            {},
            models.ListPeopleResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def invite_person(
        self,
        *,
        email: str,
        role: Literal["owner", "operator", "viewer"],
        timeout: float | None = None,
    ) -> models.InvitePersonResponse:
        """Invite a member.

        Returns the invitation link. If a mail server is set up, the service also
        [emails](email.md) it. It is valid for seven days and lets its recipient join with this
        email address and role; with an existing account, they sign in and accept. A new
        invitation to the same address replaces the previous one. You cannot assign a role with
        a scope that you do not have (`403 forbidden`).

        Needs the scope `team:manage`.

        `role`: `viewer` reads, `operator` reviews payments, `owner` also changes settings.
        """
        result: models.InvitePersonResponse = self._call(
            Endpoint("POST", "/v1/people/invite", "body"),
            {
                "email": email,
                "role": role,
            },
            models.InvitePersonResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def revoke_invitation(
        self,
        *,
        id: int,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RevokeInvitationResponse:
        """Revoke an invitation.

        Needs the scope `team:manage`.

        `id`: ID from the list of invitations.
        """
        result: models.RevokeInvitationResponse = self._call(
            Endpoint("POST", "/v1/people/uninvite", "body"),
            {
                "id": id,
            },
            models.RevokeInvitationResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def set_person_role(
        self,
        *,
        id: int,
        role: Literal["owner", "operator", "viewer"],
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.SetPersonRoleResponse:
        """Change the role of a member.

        You cannot assign a role with a scope that you do not have (`403 forbidden`). Access
        tokens and invitations that the member created and could not create with the new role
        are revoked.

        Needs the scope `team:manage`.

        `role`: `viewer` reads, `operator` reviews payments, `owner` also changes settings.
        """
        result: models.SetPersonRoleResponse = self._call(
            Endpoint("POST", "/v1/people/role", "body"),
            {
                "id": id,
                "role": role,
            },
            models.SetPersonRoleResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def remove_person(
        self,
        *,
        id: int,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RemovePersonResponse:
        """Remove a member.

        Ends their sessions for this merchant immediately, and revokes the access tokens and
        invitations that they created.

        Needs the scope `team:manage`.

        `id`: ID from the list of members.
        """
        result: models.RemovePersonResponse = self._call(
            Endpoint("POST", "/v1/people/remove", "body"),
            {
                "id": id,
            },
            models.RemovePersonResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def list_audit_entries(
        self,
        *,
        person: int | None = None,
        action: Sequence[str] | None = None,
        since: str | None = None,
        till: str | None = None,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> models.ListAuditEntriesResponse:
        """List audit log entries.

        Newest first. Contains every change and export in the account area, and every
        administrative change by an access token or on the command line, successful or rejected.
        Administrative changes concern settings, methods, the webhook secret, tokens, the team
        and withdrawals. Payments by access tokens are in the event log.

        Needs the scope `audit:read`.

        `person`: Only entries of this user.
        `action`: Actions, such as `createWithdrawal` or `sign_in`.
        `since`: At or after this time: a date (UTC), a date-time, or Unix seconds.
        `till`: Before this time: a date (inclusive), or a date-time or Unix seconds
        (exclusive).
        `cursor`: The `next_cursor` of the previous page.
        """
        result: models.ListAuditEntriesResponse = self._call(
            Endpoint("GET", "/v1/audit-log", "query"),
            {
                "person": OMIT if person is None else person,
                "action": OMIT if action is None else action,
                "since": OMIT if since is None else since,
                "till": OMIT if till is None else till,
                "cursor": OMIT if cursor is None else cursor,
                "per_page": OMIT if per_page is None else per_page,
            },
            models.ListAuditEntriesResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def iterate_audit_entries(
        self,
        *,
        person: int | None = None,
        action: Sequence[str] | None = None,
        since: str | None = None,
        till: str | None = None,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> Iterator[models.AuditEntry]:
        """Iterate over all pages of `list_audit_entries`, from `cursor` if given. Pages are fetched as needed."""
        while True:
            page = self.list_audit_entries(
                person=person,
                action=action,
                since=since,
                till=till,
                per_page=100 if per_page is None else per_page,
                cursor=cursor,
                timeout=timeout,
            )
            yield from page.entries
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_emails(
        self,
        *,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> models.ListEmailsResponse:
        """List emails.

        Emails of the last 30 days to payers and to members, newest first. A failed email was
        rejected by the mail server, or could not be sent for two days. Addresses of payers are
        masked without the scope `approval:write`, those of members without `team:manage`.

        Needs the scope `preference:read`.

        `cursor`: The `next_cursor` of the previous page.
        """
        result: models.ListEmailsResponse = self._call(
            Endpoint("GET", "/v1/emails", "query"),
            {
                "cursor": OMIT if cursor is None else cursor,
                "per_page": OMIT if per_page is None else per_page,
            },
            models.ListEmailsResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def iterate_emails(
        self,
        *,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> Iterator[models.Email]:
        """Iterate over all pages of `list_emails`, from `cursor` if given. Pages are fetched as needed."""
        while True:
            page = self.list_emails(
                per_page=100 if per_page is None else per_page,
                cursor=cursor,
                timeout=timeout,
            )
            yield from page.emails
            cursor = page.next_cursor
            if cursor is None:
                return

    def list_merchants(
        self,
        *,
        search: str | None = None,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> models.ListMerchantsResponse:
        """List merchants.

        Needs the scope `transaction:read` and a manager’s token.

        `search`: Prefix of a name, or an ID.
        `cursor`: The `next_cursor` of the previous page.
        """
        result: models.ListMerchantsResponse = self._call(
            Endpoint("GET", "/v1/merchants", "query"),
            {
                "search": OMIT if search is None else search,
                "cursor": OMIT if cursor is None else cursor,
                "per_page": OMIT if per_page is None else per_page,
            },
            models.ListMerchantsResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def iterate_merchants(
        self,
        *,
        search: str | None = None,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> Iterator[models.Merchant]:
        """Iterate over all pages of `list_merchants`, from `cursor` if given. Pages are fetched as needed."""
        while True:
            page = self.list_merchants(
                search=search,
                per_page=100 if per_page is None else per_page,
                cursor=cursor,
                timeout=timeout,
            )
            yield from page.merchants
            cursor = page.next_cursor
            if cursor is None:
                return

    def create_merchant(
        self,
        *,
        name: str,
        timeout: float | None = None,
    ) -> models.CreateMerchantResponse:
        """Create a merchant.

        Needs the scope `team:manage` and a manager’s token.
        """
        result: models.CreateMerchantResponse = self._call(
            Endpoint("POST", "/v1/merchants", "body"),
            {
                "name": name,
            },
            models.CreateMerchantResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def create_access_token(
        self,
        *,
        name: str,
        scopes: Sequence[models.TokenScope],
        expires_at: datetime | str | None = None,
        timeout: float | None = None,
    ) -> models.CreatedAccessToken:
        """Create an access token.

        The token is returned only once. It has the role `merchant` and cannot have a scope that
        you do not have (`403 forbidden`, with its name).

        Needs the scope `token:manage`.

        `name`: Name of the token.
        `scopes`: Permissions; only scopes that you have.
        `expires_at`: Expiry; by default it is valid until revoked.
        """
        result: models.CreatedAccessToken = self._call(
            Endpoint("POST", "/v1/tokens", "body"),
            {
                "name": name,
                "scopes": scopes,
                "expires_at": OMIT if expires_at is None else expires_at,
            },
            models.CreatedAccessToken,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def list_access_tokens(
        self,
        *,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> models.ListAccessTokensResponse:
        """List access tokens.

        Valid tokens, newest first, including those issued to OAuth clients.

        Needs the scope `token:manage`.

        `cursor`: The `next_cursor` of the previous page.
        `per_page`: Page size; 20 by default.
        """
        result: models.ListAccessTokensResponse = self._call(
            Endpoint("GET", "/v1/tokens", "query"),
            {
                "cursor": OMIT if cursor is None else cursor,
                "per_page": OMIT if per_page is None else per_page,
            },
            models.ListAccessTokensResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def iterate_access_tokens(
        self,
        *,
        cursor: str | None = None,
        per_page: int | None = None,
        timeout: float | None = None,
    ) -> Iterator[models.AccessToken]:
        """Iterate over all pages of `list_access_tokens`, from `cursor` if given. Pages are fetched as needed."""
        while True:
            page = self.list_access_tokens(
                per_page=100 if per_page is None else per_page,
                cursor=cursor,
                timeout=timeout,
            )
            yield from page.tokens
            cursor = page.next_cursor
            if cursor is None:
                return

    def revoke_access_token(
        self,
        *,
        id: int,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.RevokeAccessTokenResponse:
        """Revoke an access token.

        Takes effect immediately. A token can revoke itself.

        Needs the scope `token:manage`.

        `id`: Identifies the token in decisions and the audit log: `token 7`.
        """
        result: models.RevokeAccessTokenResponse = self._call(
            Endpoint("POST", "/v1/token/revoke", "body"),
            {
                "id": id,
            },
            models.RevokeAccessTokenResponse,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def list_acquirers(
        self,
        *,
        name: str | None = None,
        timeout: float | None = None,
    ) -> models.ListAcquirersResponse:
        """List acquirers.

        The acquirers of this release, with the credentials that their accounts need and the
        methods they offer.

        Needs the scope `acquirer:manage` and a manager’s token.

        `name`: Only this acquirer.
        """
        result: models.ListAcquirersResponse = self._call(
            Endpoint("GET", "/v1/acquirers", "query"),
            {
                "name": OMIT if name is None else name,
            },
            models.ListAcquirersResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def check_acquirer_credentials(
        self,
        *,
        acquirer: str,
        credentials: Mapping[str, str],
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.AcquirerCheck:
        """Test credentials.

        Calls the acquirer with credentials that are not stored. It charges nothing. A signed-in
        user must have confirmed their identity in the last five minutes (`403
        step_up_required`).

        Needs the scope `acquirer:manage` and a manager’s token.

        `acquirer`: Name of the acquirer.
        `credentials`: All fields of the credentials, by name. They are stored sealed, and
        secrets are never returned.
        """
        result: models.AcquirerCheck = self._call(
            Endpoint("POST", "/v1/acquirers/check", "body"),
            {
                "acquirer": acquirer,
                "credentials": credentials,
            },
            models.AcquirerCheck,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def list_acquirer_accounts(
        self,
        *,
        timeout: float | None = None,
    ) -> models.ListAcquirerAccountsResponse:
        """List acquirer accounts.

        The accounts that your merchant uses: its own, and those that all merchants share.

        Needs the scope `acquirer:manage` and a manager’s token.
        """
        result: models.ListAcquirerAccountsResponse = self._call(
            Endpoint("GET", "/v1/acquirer-accounts", "nothing"),
            {},
            models.ListAcquirerAccountsResponse,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def add_acquirer_account(
        self,
        *,
        acquirer: str,
        name: str,
        credentials: Mapping[str, str],
        shared: bool | None = None,
        routes: Sequence[inputs.AddAcquirerAccountInputRoute] | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.AcquirerAccount:
        """Add an acquirer account.

        Test the credentials first with `POST /v1/acquirers/check`. Then enter `webhook_url` in
        the acquirer’s dashboard. A signed-in user must have confirmed their identity in the
        last five minutes (`403 step_up_required`).

        Needs the scope `acquirer:manage` and a manager’s token.

        `acquirer`: Name of the acquirer.
        `name`: Your name for the account.
        `shared`: true if all merchants use it; only your merchant by default.
        `credentials`: All fields of the credentials, by name. They are stored sealed, and
        secrets are never returned.
        `routes`: Payment methods that the account accepts; one entry for each method, country
        and currency.
        """
        result: models.AcquirerAccount = self._call(
            Endpoint("POST", "/v1/acquirer-accounts", "body"),
            {
                "acquirer": acquirer,
                "name": name,
                "shared": OMIT if shared is None else shared,
                "credentials": credentials,
                "routes": OMIT if routes is None else routes,
            },
            models.AcquirerAccount,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def get_acquirer_account(
        self,
        *,
        id: str,
        timeout: float | None = None,
    ) -> models.AcquirerAccount:
        """Retrieve an acquirer account.

        Needs the scope `acquirer:manage` and a manager’s token.

        `id`: Identifies the account, in its webhook URL too.
        """
        result: models.AcquirerAccount = self._call(
            Endpoint("GET", "/v1/acquirer-account", "query"),
            {
                "id": id,
            },
            models.AcquirerAccount,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def update_acquirer_account(
        self,
        *,
        id: str,
        name: str | None = None,
        enabled: bool | None = None,
        routes: Sequence[inputs.UpdateAcquirerAccountInputRoute] | None = None,
        updated_at: datetime | str | None = None,
        timeout: float | None = None,
    ) -> models.AcquirerAccount:
        """Change an acquirer account.

        Changes its name, enables or disables it, or replaces its routes. Omitted fields stay
        unchanged. A signed-in user must have confirmed their identity in the last five minutes
        (`403 step_up_required`).

        Needs the scope `acquirer:manage` and a manager’s token.

        `id`: Identifies the account, in its webhook URL too.
        `name`: Your name for the account.
        `routes`: Replaces all routes.
        `updated_at`: The `updated_at` that you have read; the change is rejected if the account
        has changed since then.
        """
        result: models.AcquirerAccount = self._call(
            Endpoint("PATCH", "/v1/acquirer-account", "body"),
            {
                "id": id,
                "name": OMIT if name is None else name,
                "enabled": OMIT if enabled is None else enabled,
                "routes": OMIT if routes is None else routes,
                "updated_at": OMIT if updated_at is None else updated_at,
            },
            models.AcquirerAccount,
            idempotency_key=None,
            timeout=timeout,
        )
        return result

    def set_acquirer_credentials(
        self,
        *,
        id: str,
        credentials: Mapping[str, str],
        updated_at: datetime | str | None = None,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.AcquirerAccount:
        """Replace the credentials of an acquirer account.

        Replaces all credential fields, so that a stored secret is never sent to a new API URL.
        The webhook URL stays the same. A signed-in user must have confirmed their identity in
        the last five minutes (`403 step_up_required`).

        Needs the scope `acquirer:manage` and a manager’s token.

        `id`: Identifies the account, in its webhook URL too.
        `credentials`: All fields of the credentials, by name. They are stored sealed, and
        secrets are never returned.
        `updated_at`: The `updated_at` that you have read; the change is rejected if the account
        has changed since then.
        """
        result: models.AcquirerAccount = self._call(
            Endpoint("POST", "/v1/acquirer-account/credentials", "body"),
            {
                "id": id,
                "credentials": credentials,
                "updated_at": OMIT if updated_at is None else updated_at,
            },
            models.AcquirerAccount,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

    def check_acquirer_account(
        self,
        *,
        id: str,
        idempotency_key: str | None = None,
        timeout: float | None = None,
    ) -> models.AcquirerCheck:
        """Test the credentials of an acquirer account.

        Calls the acquirer with the stored credentials. It charges nothing.

        Needs the scope `acquirer:manage` and a manager’s token.

        `id`: Identifies the account, in its webhook URL too.
        """
        result: models.AcquirerCheck = self._call(
            Endpoint("POST", "/v1/acquirer-account/check", "body"),
            {
                "id": id,
            },
            models.AcquirerCheck,
            idempotency_key=idempotency_key,
            timeout=timeout,
        )
        return result

# Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.
from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Literal, Union


# ISO 3166-1 alpha-3; NZD is read as NZL
CountryAlpha3 = str


# ISO 4217
Currency = Literal[
    "AED",
    "AFN",
    "ALL",
    "AMD",
    "AOA",
    "ARS",
    "AUD",
    "AWG",
    "AZN",
    "BAM",
    "BBD",
    "BDT",
    "BHD",
    "BIF",
    "BMD",
    "BND",
    "BOB",
    "BRL",
    "BSD",
    "BTN",
    "BWP",
    "BYN",
    "BZD",
    "CAD",
    "CDF",
    "CHF",
    "CLP",
    "CNY",
    "COP",
    "CRC",
    "CVE",
    "CZK",
    "DJF",
    "DKK",
    "DOP",
    "DZD",
    "EGP",
    "ERN",
    "ETB",
    "EUR",
    "FJD",
    "FKP",
    "GBP",
    "GEL",
    "GHS",
    "GIP",
    "GMD",
    "GNF",
    "GTQ",
    "GYD",
    "HKD",
    "HNL",
    "HTG",
    "HUF",
    "IDR",
    "ILS",
    "INR",
    "IQD",
    "ISK",
    "JMD",
    "JOD",
    "JPY",
    "KES",
    "KGS",
    "KHR",
    "KMF",
    "KRW",
    "KWD",
    "KYD",
    "KZT",
    "LAK",
    "LBP",
    "LKR",
    "LRD",
    "LSL",
    "LYD",
    "MAD",
    "MDL",
    "MGA",
    "MKD",
    "MMK",
    "MNT",
    "MOP",
    "MRU",
    "MUR",
    "MVR",
    "MWK",
    "MXN",
    "MYR",
    "MZN",
    "NAD",
    "NGN",
    "NIO",
    "NOK",
    "NPR",
    "NZD",
    "OMR",
    "PAB",
    "PEN",
    "PGK",
    "PHP",
    "PKR",
    "PLN",
    "PYG",
    "QAR",
    "RON",
    "RSD",
    "RUB",
    "RWF",
    "SAR",
    "SBD",
    "SCR",
    "SDG",
    "SEK",
    "SGD",
    "SHP",
    "SLE",
    "SOS",
    "SRD",
    "SSP",
    "STN",
    "SVC",
    "SZL",
    "THB",
    "TJS",
    "TMT",
    "TND",
    "TOP",
    "TRY",
    "TTD",
    "TWD",
    "TZS",
    "UAH",
    "UGX",
    "USD",
    "UYU",
    "UZS",
    "VES",
    "VND",
    "VUV",
    "WST",
    "XAF",
    "XCD",
    "XCG",
    "XOF",
    "XPF",
    "YER",
    "ZAR",
    "ZMW",
    "ZWG",
]


# ISO 3166-1 alpha-2
CountryAlpha2 = str


# Initial language of the payment page, as a BCP 47 tag; the browser’s language by default. The
# payer can choose another
PageLanguage = Literal[
    "ar",
    "bg",
    "bn",
    "ca",
    "cs",
    "da",
    "de",
    "el",
    "en",
    "es",
    "et",
    "fa",
    "fi",
    "fil",
    "fr",
    "gu",
    "ha",
    "he",
    "hi",
    "hr",
    "hu",
    "id",
    "ig",
    "it",
    "ja",
    "kn",
    "ko",
    "lt",
    "lv",
    "ml",
    "mr",
    "ms",
    "nb",
    "nl",
    "pa",
    "pl",
    "pt",
    "ro",
    "ru",
    "sk",
    "sl",
    "sr",
    "sv",
    "sw",
    "ta",
    "te",
    "th",
    "tr",
    "uk",
    "ur",
    "vi",
    "yo",
    "zh-Hans",
    "zh-Hant",
]


# `transaction_status_pending`: created, or ready for another attempt after a decline;
# `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the
# payment is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`:
# ended without payment; `reason` states the cause
TransactionStatus = Literal[
    "transaction_status_pending",
    "transaction_status_waiting",
    "transaction_status_confirmed",
    "transaction_status_failed",
]


# A cryptocurrency of `GET /v1/currencies`
CryptoCurrencyCode = Literal[
    "btc",
    "eth",
    "usdt",
    "usdc",
    "ltc",
]


# `pending`: no deposit detected yet; `waiting`: deposit detected, not enough confirmations yet;
# `confirmed`: the deposit reached `min-confirmation-{CODE}` confirmations; `complete`: credited,
# less `processing-fee-{CODE}`; `approved_required`: awaiting review: approve or reject it;
# `refunding`: rejected with a refund address; the funds are being sent there; `refunded`: the
# refund is confirmed; `failed`: ended without payment, or rejected without a refund address
CryptoStatus = Literal[
    "pending",
    "waiting",
    "confirmed",
    "complete",
    "approved_required",
    "refunding",
    "refunded",
    "failed",
]


# `waiting`: not sent yet; `waitsFor` states the cause; `to_sign`: to be signed outside Paylatch,
# where the keys are; `sent`: broadcast, not enough confirmations yet; `confirmed`: reached
# `min-confirmation-{CODE}` confirmations; `failed`: no funds moved; `failure` states the cause
WithdrawalStatus = Literal[
    "waiting",
    "to_sign",
    "sent",
    "confirmed",
    "failed",
]


TokenScope = Literal[
    "link:write",
    "transaction:read",
    "card:submit",
    "invoice:write",
    "approval:write",
    "withdrawal:write",
    "preference:read",
    "preference:write",
    "callback:read",
    "callback:send",
    "callback:manage",
    "token:manage",
    "team:manage",
    "payer:erase",
    "audit:read",
    "acquirer:manage",
]


# Stable; programs should branch on it. Later releases may add codes.
ProblemCode = Literal[
    "malformed_json",
    "malformed_request",
    "unauthorized",
    "forbidden",
    "manager_only",
    "origin_not_allowed",
    "country_not_supported",
    "not_found",
    "sign_in_failed",
    "step_up_required",
    "second_factor_invalid",
    "second_factor_not_started",
    "passkey_rejected",
    "last_credential",
    "account_exists",
    "invitation_invalid",
    "last_owner",
    "cross_site_request",
    "merchant_required",
    "method_not_allowed",
    "request_timeout",
    "transaction_id_conflict",
    "tx_id_conflict",
    "nothing_to_review",
    "nothing_to_withdraw",
    "withdrawal_below_minimum",
    "withdrawal_not_cancellable",
    "nothing_to_sign",
    "submit_in_progress",
    "partially_paid",
    "too_many_payment_attempts",
    "overpaid",
    "already_paid",
    "already_authorized",
    "amount_changed",
    "card_key_changed",
    "nothing_to_accept",
    "not_renewable",
    "no_open_authorization",
    "authorization_update_pending",
    "refund_not_supported",
    "partial_refund_not_supported",
    "acquirer_account_missing",
    "not_refundable",
    "no_callback_url",
    "too_many_endpoints",
    "sold_out",
    "not_cancellable",
    "email_not_set_up",
    "challenge_not_open",
    "payment_method_mismatch",
    "edit_conflict",
    "idempotency_key_in_use",
    "link_expired",
    "link_cancelled",
    "link_failed",
    "body_too_large",
    "unsupported_media_type",
    "validation_failed",
    "idempotency_key_reused",
    "rate_limited",
    "headers_too_large",
    "internal_error",
    "acquirer_unavailable",
    "chain_unavailable",
    "rate_unavailable",
    "merchant_moving",
    "unavailable",
]


@dataclass(frozen=True, kw_only=True)
class LinkCreated:
    type: Literal["link"]
    # US dollars for one unit of the currency; 0 if there has never been a rate
    ex_rate: Decimal
    value: LinkCreatedValue
    transaction_id: str
    # `transaction_status_pending`: created, or ready for another attempt after a decline;
    # `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the
    # payment is awaiting review; `transaction_status_confirmed`: paid;
    # `transaction_status_failed`: ended without payment; `reason` states the cause
    status: TransactionStatus
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class LinkCreatedValue:
    # Payment link for the buyer; single use
    link: str


@dataclass(frozen=True, kw_only=True)
class CustomFormCreated:
    type: Literal["custom_form"]
    # Amount to show to the payer
    amount_charged: Decimal
    currency: str
    # US dollars for one unit of the currency; 0 if there has never been a rate
    ex_rate: Decimal
    transaction_id: str
    # `transaction_status_pending`: created, or ready for another attempt after a decline;
    # `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the
    # payment is awaiting review; `transaction_status_confirmed`: paid;
    # `transaction_status_failed`: ended without payment; `reason` states the cause
    status: TransactionStatus
    expires_at: datetime
    # Lets a browser submit this transaction for 30 minutes
    client_token: str
    # `src` of a `<pay-form>`
    embed_url: str


@dataclass(frozen=True, kw_only=True)
class TransactionDetail:
    transaction_id: str
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    # Amount of the transaction
    amount: Decimal
    # Amount that the buyer pays
    amount_charged: Decimal
    # Net amount after the fee
    amount_delivered: Decimal
    # Amount received
    amount_received: Decimal
    # The amount refunded so far
    refunded_amount: Decimal
    currency: str
    # ISO 3166-1 alpha-3
    country: str
    descriptions: str
    # Purchased items, as sent when the transaction was created
    line_items: list[LineItem] | None = None
    # Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values
    # up to 500 characters. Payers never see it
    metadata: dict[str, str] | None = None
    # Initial language of the payment page; absent if the browser’s language is used
    locale: str | None = None
    # The reusable link that created the transaction
    reusable_link_id: str | None = None
    payment_method: str
    # `transaction_status_pending`: created, or ready for another attempt after a decline;
    # `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the
    # payment is awaiting review; `transaction_status_confirmed`: paid;
    # `transaction_status_failed`: ended without payment; `reason` states the cause
    status: TransactionStatus
    # Failure reason
    reason: Literal["expired", "declined", "cancelled", "underpaid", "overpaid", "rejected", "reversed"] | None = None
    # Absent: captured automatically
    capture: Literal["manual"] | None = None
    # With `capture: "manual"`, once a payment was authorized. The status is `waiting` until the
    # capture
    authorization: Authorization | None = None
    # True if the funds arrived after the transaction failed
    late: bool | None = None
    # The last review decision; absent before the first
    decision: TransactionDetailDecision | None = None
    # Fee added to the amount or deducted from it
    type_of_fee_calculate: Literal["forward_without_fee", "forward_with_fee"]
    # Details of the payer that you provided when you created the transaction; absent from
    # webhooks, and without the scope `approval:write`
    payer: Payer | None = None
    # Payment link for the buyer; single use
    link: str
    merchant_fee_fix: Decimal
    merchant_fee_percent: Decimal
    # The preference `additional-currency` at creation, or the currency of the payment if there
    # was no rate between them
    additional_currency: str
    # Price of one unit of `currency` in `additional_currency`
    rate: Decimal
    # `rate` less your percentage fee
    rate_merchant_final: Decimal
    # Sources of `rate`, separated by commas; `sandbox-table` for the fixed table of the sandbox.
    # Absent if the currencies are the same, or the transaction is older than this field
    rate_source: str | None = None
    # Time of the oldest quote in `rate`. Absent whenever `rate_source` is
    rate_at: datetime | None = None
    # Detected country of the buyer (ISO 3166-1 alpha-2); absent if unknown
    buyer_country: str | None = None
    # Source of the country: `address` (IP database) or `header` (the operator’s proxy)
    buyer_country_source: str | None = None
    # Network of the buyer’s IP address: a /24 of IPv4, a /48 of IPv6
    buyer_network: str | None = None
    # Card payment attempts
    attempts: list[AttemptSummary]
    # The payment instructions shown to the buyer, with their status
    instructions: list[InstructionsSummary]
    # Receipts of funds by instructions
    receipts: list[ReceiptSummary]
    # Refunds, with their status
    refunds: list[RefundSummary]
    # Only in the response to a refund: `number` of each refund that the request created
    requested_refunds: list[int] | None = None
    # Disputes and chargebacks, with their status
    disputes: list[DisputeSummary]
    # Currently available actions. `refund_out_of_band` and `reject_out_of_band`: only with
    # `out_of_band`, because the acquirer cannot refund
    available_actions: list[Literal["cancel", "capture", "void", "accept", "reject", "reject_out_of_band", "renew", "refund", "refund_out_of_band"]]
    # Absent while nothing can be refunded
    refund_options: RefundOptions | None = None
    # Events of the transaction, in order
    timeline: list[TimelineEntry]


@dataclass(frozen=True, kw_only=True)
class LineItem:
    name: str
    # 1 by default
    quantity: int | None = None
    # Unit price, in the currency’s decimals; negative for a discount
    unit_amount: Decimal
    # An https:// URL of a square image, which the buyer’s browser loads without a referrer
    image_url: str | None = None


@dataclass(frozen=True, kw_only=True)
class Authorization:
    # `authorized`: the amount is reserved on the card until `expires_at`; `capture_pending`: a
    # capture was requested; the acquirer has not reported the outcome yet; `captured`:
    # `captured_amount` was captured; `void_pending`: a void was requested; the acquirer has not
    # reported the outcome yet; `voided`: you released the amount; `expired`: not captured in
    # time, so the amount was released
    status: Literal["authorized", "capture_pending", "captured", "void_pending", "voided", "expired"]
    # Authorized amount
    amount: Decimal
    # Captured amount; the requested one while a capture is pending
    captured_amount: Decimal
    # Reason for the last rejected capture or void
    failure: AuthorizationFailure | None = None
    created_at: datetime
    # If not captured by then, the amount is released
    expires_at: datetime


@dataclass(frozen=True, kw_only=True)
class AuthorizationFailure:
    """Reason for the last rejected capture or void"""

    code: str
    detail: str


@dataclass(frozen=True, kw_only=True)
class TransactionDetailDecision:
    """The last review decision; absent before the first"""

    # Stable ID: `token 2` or `person 3`
    by: str
    # Current name of the user; null for tokens, and always null in events and webhooks
    by_name: str | None
    at: datetime
    reason: str | None
    is_approved: bool


@dataclass(frozen=True, kw_only=True)
class Payer:
    first_name: str | None = None
    last_name: str | None = None
    # ISO 3166-1 alpha-2
    country: CountryAlpha2 | None = None
    # State, province or region of the billing address
    state: str | None = None
    city: str | None = None
    postcode: str | None = None
    # Street address for billing
    address: str | None = None
    # With the country code; spaces, periods, hyphens and parentheses are allowed
    phone: str | None = None
    email: str | None = None


@dataclass(frozen=True, kw_only=True)
class AttemptSummary:
    number: int
    # `submitting`: being sent to the acquirer; `challenge`: waiting for the buyer to complete the
    # 3-D Secure challenge; `unknown`: the acquirer has not reported the outcome yet; `approved`:
    # charged, or authorized with `capture: "manual"`; `declined`: not charged; `decline` states
    # the cause; `duplicate`: a second approval, which is being reversed; `reversed`: no longer
    # charged: a reversed duplicate, or a voided or expired authorization
    state: str
    brand: str | None
    first6: str
    last4: str
    three_d_secure: bool
    # Acquirer of the attempt, such as `Adyen`; absent if its account was removed
    acquirer_name: str | None = None
    # The acquirer’s reference of the charge, such as Adyen’s PSP reference; absent if none was
    # reported
    acquirer_reference: str | None = None
    decline: AttemptSummaryDecline | None = None
    charge_details: ChargeDetails | None = None
    # Entered with this card; absent from webhooks, and without the scope `approval:write`
    payer: AttemptSummaryPayer | None = None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class AttemptSummaryDecline:
    code: str
    # Decline code of the card network, if any
    network_code: str | None
    # True if the payment can be retried
    retryable: bool
    # Advice for the buyer; with `do_not_retry`, the network forbids another attempt with this
    # card
    advice: Literal["use_other_card", "check_details", "try_later", "do_not_retry"]


@dataclass(frozen=True, kw_only=True)
class ChargeDetails:
    # The issuer’s authorization code
    authorization_code: str | None = None
    # Response code of the card network, such as `51`
    network_code: str | None = None
    # Merchant advice code of the network: with `03` or `21`, do not charge this card again
    merchant_advice_code: str | None = None
    # Result of the address check (AVS), as reported by the acquirer
    avs_result: str | None = None
    # Result of the security code check (CVV), as reported by the acquirer
    cvv_result: str | None = None
    # Acquirer reference number, with which the payer’s bank can trace the payment
    arn: str | None = None


@dataclass(frozen=True, kw_only=True)
class AttemptSummaryPayer:
    """Entered with this card; absent from webhooks, and without the scope `approval:write`"""

    name: str | None
    email: str | None


@dataclass(frozen=True, kw_only=True)
class InstructionsSummary:
    number: int
    payment_method: str
    # Bank or wallet selected by the buyer
    choice: str | None
    # `issued`: shown to the buyer, not paid yet; `paid`: payment received; `refused`: declined by
    # the bank or acquirer; `withdrawn`: the buyer chose another method, or the transaction was
    # canceled; `expired`: not paid in time
    state: str
    # Payment reference at the buyer’s bank
    reference: str | None
    expires_at: datetime | None
    # Lowest number of confirmations among deposits that await confirmations; null if there are
    # none
    confirmations: int | None
    # True while a crypto deposit awaits your approval, in the review of crypto transactions
    in_review: bool | None = None
    # True if funds can still arrive after these instructions ended; they then confirm the
    # transaction late
    late_payments: bool
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class ReceiptSummary:
    # The acquirer’s ID of the receipt; for a crypto deposit it begins with the transaction hash
    reference: str
    amount: Decimal
    # `number` of the instructions by which it was received
    instructions_number: int
    received_at: datetime


@dataclass(frozen=True, kw_only=True)
class RefundSummary:
    number: int
    amount: Decimal
    # `pending`: requested; the acquirer has not reported the outcome yet; `succeeded`: refunded;
    # `failed`: not refunded; `failure` states the cause
    state: Literal["pending", "succeeded", "failed"]
    failure: RefundSummaryFailure | None = None
    # Refunded outside the service, not through the acquirer
    out_of_band: bool | None = None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True)
class RefundSummaryFailure:
    code: str
    detail: str


@dataclass(frozen=True, kw_only=True)
class DisputeSummary:
    number: int
    # `inquiry`: the bank requests information before a chargeback; `needs_response`: the bank
    # charged the amount back; respond through your acquirer before `respond_by`; `under_review`:
    # the bank is reviewing the dispute; `won`: you keep the amount; a second chargeback can
    # follow; `lost`: the buyer keeps the amount
    state: Literal["inquiry", "needs_response", "under_review", "won", "lost"]
    amount: Decimal
    currency: str
    # The acquirer’s reference for the dispute; of the charge until the acquirer reports one
    reference: str
    # Reason code of the card network
    reason_code: str | None
    reason: str | None
    # Deadline for a response
    respond_by: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True)
class RefundOptions:
    # Maximum amount that can be refunded through the acquirers
    maximum: Decimal
    # True if any amount up to `maximum` can be refunded; otherwise only the full `maximum`
    partial: bool
    # The error code for amounts above `maximum`; absent if everything can be refunded
    refusal: Literal["refund_not_supported", "partial_refund_not_supported", "acquirer_account_missing"] | None = None


@dataclass(frozen=True, kw_only=True)
class TimelineEntry:
    sequence: int
    type: str
    at: datetime
    # `transaction_status_pending`: created, or ready for another attempt after a decline;
    # `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the
    # payment is awaiting review; `transaction_status_confirmed`: paid;
    # `transaction_status_failed`: ended without payment; `reason` states the cause
    status: TransactionStatus
    detail: str | None = None


@dataclass(frozen=True, kw_only=True)
class SendPaymentLinkResponse:
    email: Email


@dataclass(frozen=True, kw_only=True)
class Email:
    id: int
    kind: Literal["receipt", "refund", "underpayment", "payment_link", "invitation", "review_waiting", "endpoint_disabled", "destination_changed"]
    recipient: str
    # Your reference for the payment; null if the email has none
    transaction_id: str | None
    # `waiting`: not accepted by the mail server yet; `sent`: accepted by the mail server;
    # `failed`: could not be sent
    state: Literal["waiting", "sent", "failed"]
    attempts: int
    created_at: datetime
    # Time at which it was sent or failed
    finished_at: datetime | None
    # Reason of the last failed attempt
    error: str | None


@dataclass(frozen=True, kw_only=True)
class ListTransactionsResponse:
    transactions: list[TransactionListItem]
    pagination: ListTransactionsResponsePagination
    # With `counts=true`: transactions by status, and those awaiting review, that match all
    # filters but `status`, `reason`, `authorization_status` and `awaiting_review`; each counted
    # up to 10,000
    counts: ListTransactionsResponseCounts | None = None


@dataclass(frozen=True, kw_only=True)
class TransactionListItem:
    id: int
    merchant_id: int
    amount: Decimal
    amount_charged: Decimal
    transaction_id: str
    currency: str
    # `transaction_status_pending`: created, or ready for another attempt after a decline;
    # `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the
    # payment is awaiting review; `transaction_status_confirmed`: paid;
    # `transaction_status_failed`: ended without payment; `reason` states the cause
    status: TransactionStatus
    description: str
    additional_currency: str
    rate_merchant_final: Decimal
    created_at: datetime
    payment_method: str
    updated_at: datetime
    reason: Literal["expired", "declined", "cancelled", "underpaid", "overpaid", "rejected", "reversed"] | None = None
    reusable_link_id: str | None = None
    authorization_status: Literal["authorized", "capture_pending", "captured", "void_pending", "voided", "expired"] | None = None
    # Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values
    # up to 500 characters. Payers never see it
    metadata: dict[str, str] | None = None
    amount_received: Decimal
    # The amount received, less refunds that succeeded or are pending
    amount_kept: Decimal
    # The card that was charged, or the last one attempted; absent if there was none
    card: TransactionListItemCard | None = None
    # Payer details entered with that card, or the `payer` of the request. Masked without the
    # scope `approval:write`
    payer: TransactionListItemPayer | None = None


@dataclass(frozen=True, kw_only=True)
class TransactionListItemCard:
    """The card that was charged, or the last one attempted; absent if there was none"""

    brand: str | None
    last4: str


@dataclass(frozen=True, kw_only=True)
class TransactionListItemPayer:
    """Payer details entered with that card, or the `payer` of the request. Masked without the
    scope `approval:write`
    """

    name: str | None
    email: str | None


@dataclass(frozen=True, kw_only=True)
class ListTransactionsResponsePagination:
    page: int | None
    per_page: int
    # Number of matching rows, counted up to 10,000
    total: int
    # True if there are more rows than were counted
    total_capped: bool
    pages: int
    # Cursor of the next page; null on the last page
    next_cursor: str | None


@dataclass(frozen=True, kw_only=True)
class ListTransactionsResponseCounts:
    """With `counts=true`: transactions by status, and those awaiting review, that match all
    filters but `status`, `reason`, `authorization_status` and `awaiting_review`; each counted
    up to 10,000
    """

    pending: int
    waiting: int
    confirmed: int
    failed: int
    awaiting_review: int
    # Authorized payments awaiting capture; included in `waiting`
    authorized: int


@dataclass(frozen=True, kw_only=True)
class SubmitCardResponse:
    response_type: Literal["3ds_redirect", "confirmed", "authorized", "declined", "processing"]
    # Redirect the payer here for the challenge
    redirect_url: str | None = None
    message: str
    transaction_id: str | None = None
    status: Literal["transaction_status_pending", "transaction_status_waiting", "transaction_status_confirmed", "transaction_status_failed"] | None = None
    decline: SubmitCardResponseDecline | None = None
    # Remaining payment attempts
    attempts_left: int | None = None
    # Milliseconds to wait before you read the transaction for the outcome; do not charge again
    poll_after_ms: int | None = None


@dataclass(frozen=True, kw_only=True)
class SubmitCardResponseDecline:
    code: str
    # Decline code of the card network, if any
    network_code: str | None
    # True if the payment can be retried
    retryable: bool
    # Advice for the buyer; with `do_not_retry`, the network forbids another attempt with this
    # card
    advice: Literal["use_other_card", "check_details", "try_later", "do_not_retry"]


@dataclass(frozen=True, kw_only=True)
class ErasePayerResponse:
    # Number of payments whose payer’s data was erased
    transactions: int


@dataclass(frozen=True, kw_only=True)
class ReusableLink:
    id: str
    # Page to share or print; each buyer gets a separate transaction
    url: str
    # `active`: creates a transaction for each buyer; `archived`: creates no new transactions;
    # open ones can still be paid
    status: Literal["active", "archived"]
    title: str
    description: str | None
    image_url: str | None
    country: str
    currency: str
    payment_method: str
    type_of_calculation: Literal["forward_without_fee", "forward_with_fee"]
    amount: Decimal | None
    custom_amount: ReusableLinkCustomAmount | None
    quantity: ReusableLinkQuantity | None
    stock: int | None
    ask: list[Literal["email", "name"]]
    success_redirect_url: str | None
    fail_redirect_url: str | None
    metadata: dict[str, str] | None
    # Quantity sold in paid transactions, including refunded ones
    sold: int
    # Quantity reserved by open transactions
    reserved: int
    # `stock` less `sold` and `reserved`; null without a limit
    available: int | None
    # Amount received from paid transactions, less refunds
    revenue: Decimal
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True)
class ReusableLinkCustomAmount:
    minimum: Decimal
    maximum: Decimal
    suggested: Decimal | None


@dataclass(frozen=True, kw_only=True)
class ReusableLinkQuantity:
    minimum: int
    maximum: int


@dataclass(frozen=True, kw_only=True)
class ListReusableLinksResponse:
    # Newest first
    reusable_links: list[ReusableLink]
    next_cursor: str | None


@dataclass(frozen=True, kw_only=True)
class CryptoTransaction:
    id: str
    # null for deposits without an invoice
    txId: str | None
    # Invoice type; `invoice_type_default` as resolved at creation
    type: Literal["static", "revolver", "user"]
    # A cryptocurrency of `GET /v1/currencies`
    code: CryptoCurrencyCode
    # Requested amount; null if any amount is accepted
    amountRequired: str | None
    amountRequiredUnit: str | None
    walletAddress: str
    walletType: Literal["static", "revolver", "user"]
    # Payment URI for wallet apps: BIP 21 or EIP-681
    uri: str
    # `pending`: no deposit detected yet; `waiting`: deposit detected, not enough confirmations
    # yet; `confirmed`: the deposit reached `min-confirmation-{CODE}` confirmations; `complete`:
    # credited, less `processing-fee-{CODE}`; `approved_required`: awaiting review: approve or
    # reject it; `refunding`: rejected with a refund address; the funds are being sent there;
    # `refunded`: the refund is confirmed; `failed`: ended without payment, or rejected without a
    # refund address
    status: CryptoStatus
    # Conditions in addition to the status
    labels: list[Literal["underpaid", "overpaid", "late", "duplicate", "wrong_wallet", "below_minimum", "replaced", "unattributed"]]
    # Amount detected, confirmed or not
    amount: str
    # The same in whole coins
    amountUnit: str
    # Amount still due
    amountDue: str
    # Lowest number of confirmations among its deposits
    confirmations: int
    # Confirmations required of a deposit
    minConfirmations: int
    payments: list[CryptoPayment]
    processingFeePercent: Decimal
    # Fee on the credited amount
    processingFee: str
    exchangeRate: CryptoTransactionExchangeRate | None
    link: CryptoTransactionLink
    # `transaction_id` of the payment link that it pays, if any
    fiatTransactionId: str | None
    comment: str | None
    # Description shown to the payer
    description: str | None
    # URL of your page to which the payer returns
    returnUrl: str | None
    # Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values
    # up to 500 characters. Payers never see it
    metadata: dict[str, str] | None = None
    # Initial language of the invoice page; absent if the browser’s language is used
    locale: str | None = None
    # `txId` of the invoice that the deposit was probably meant for
    probableTxId: str | None
    # The review decision, if any
    decision: CryptoTransactionDecision | None
    # Currently available actions; `withdraw` for managers only
    availableActions: list[Literal["approve", "reject", "withdraw"]]
    createdAt: datetime
    updatedAt: datetime
    # null if it does not expire
    expiredAt: datetime | None


@dataclass(frozen=True, kw_only=True)
class CryptoPayment:
    # Empty for ether sent by a contract, which is detected by balance
    txHash: str
    # In the smallest unit
    amount: str
    # 0 until it is in a block; null if it was dropped
    confirmations: int | None
    # `accepted`: counts toward its transaction, automatically or after review; `pending`:
    # awaiting review; `rejected`: rejected after review; never credited
    decision: Literal["accepted", "pending", "rejected"]
    # Time at which the deposit was found to be spent outside the service, which removed it from
    # the wallet’s balance; null otherwise
    writtenOffAt: datetime | None
    seenAt: datetime


@dataclass(frozen=True, kw_only=True)
class CryptoTransactionExchangeRate:
    currency: str
    # Price of one whole coin in `currency`
    exchangeRate: str
    # The amount in `currency`
    currencyAmount: str
    # A cryptocurrency of `GET /v1/currencies`
    code: CryptoCurrencyCode
    source: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class CryptoTransactionLink:
    self: str
    # Payment page for the payer
    payment: str


@dataclass(frozen=True, kw_only=True)
class CryptoTransactionDecision:
    # Stable ID: `token 2` or `person 3`
    by: str
    # Current name of the user; null for tokens, and always null in events and webhooks
    byName: str | None
    at: datetime
    reason: str | None
    isApproved: bool
    refundAddress: str | None


@dataclass(frozen=True, kw_only=True)
class ListCryptoTransactionsResponse:
    transactions: list[CryptoTransaction]
    next_cursor: str | None


@dataclass(frozen=True, kw_only=True)
class ListCurrenciesResponse:
    currencies: list[CryptoCurrency]


@dataclass(frozen=True, kw_only=True)
class CryptoCurrency:
    # A cryptocurrency of `GET /v1/currencies`
    code: CryptoCurrencyCode
    name: str
    chain: str
    # Decimals of a whole coin; amounts are whole numbers of 10^-decimals
    decimals: int
    # Minimum amount of an invoice
    minAmount: str
    minConfirmations: int


@dataclass(frozen=True, kw_only=True)
class ListBalancesResponse:
    balances: list[Balance]


@dataclass(frozen=True, kw_only=True)
class Balance:
    code: Literal["btc", "eth", "usdt", "usdc", "ltc"]
    # On-chain balance of all wallets of this currency, as of the last scanned block
    balance: str
    # The balance by state; the parts add up to it
    parts: BalanceParts
    # Detected but not in a block; not part of the balance
    incoming: str


@dataclass(frozen=True, kw_only=True)
class BalanceParts:
    # Credited: counted toward transactions, with enough confirmations
    credited: str
    # Being sent by a withdrawal that is not in a block yet
    sending: str
    # Credited after `minConfirmations` confirmations
    confirming: str
    # Awaiting review: `approved_required`
    in_review: str
    # Received after the wallet was retired; never credited
    unattributed: str
    # Rejected: to be refunded, or held until a manager withdraws it
    rejected: str


@dataclass(frozen=True, kw_only=True)
class ListWalletsResponse:
    wallets: list[Wallet]
    next_cursor: str | None


@dataclass(frozen=True, kw_only=True)
class Wallet:
    walletAddress: str
    code: Literal["btc", "eth", "usdt", "usdc", "ltc"]
    walletType: Literal["static", "revolver", "user"]
    # `assigned`: assigned to an invoice, or in use; `free`: a `revolver` wallet between two
    # invoices; can be assigned again after `reusableAt`; `rotated`: not used for new invoices;
    # open invoices can still be paid; `retired`: deposits to it are not credited
    state: Literal["assigned", "free", "rotated", "retired"]
    # On-chain balance in its currency, in the smallest unit, as of the last scanned block.
    # Deposits in other currencies are not included
    balance: str
    # The balance by state; the parts add up to it
    parts: BalanceParts
    # Detected but not in a block; not part of the balance
    incoming: str
    # Time at which a free wallet can be assigned again
    reusableAt: datetime | None
    createdAt: datetime
    retiredAt: datetime | None


@dataclass(frozen=True, kw_only=True)
class RotateWalletResponse:
    wallet: Wallet
    # For a `user` wallet: the new address of its invoice
    replacedBy: str | None


@dataclass(frozen=True, kw_only=True)
class ListWithdrawalsResponse:
    withdrawals: list[Withdrawal]
    # Destinations of automatic withdrawals that are not in effect yet, regardless of the filters
    pendingDestinations: list[PendingWithdrawalDestination]
    next_cursor: str | None


@dataclass(frozen=True, kw_only=True)
class Withdrawal:
    id: str
    # A cryptocurrency of `GET /v1/currencies`
    code: CryptoCurrencyCode
    # `sweep`: automatic; `refund`: of a rejected transaction; `manual`: requested by a manager;
    # `gas`: the operator’s ether for the fee of another withdrawal
    purpose: Literal["sweep", "refund", "manual", "gas"]
    # `waiting`: not sent yet; `waitsFor` states the cause; `to_sign`: to be signed outside
    # Paylatch, where the keys are; `sent`: broadcast, not enough confirmations yet; `confirmed`:
    # reached `min-confirmation-{CODE}` confirmations; `failed`: no funds moved; `failure` states
    # the cause
    status: WithdrawalStatus
    # Canceled by a manager after its transaction was signed: a replacement is in progress. It
    # becomes `failed` if the replacement is mined, `confirmed` if it was too late
    cancelling: bool
    # null if it awaits only confirmations
    waitsFor: WithdrawalWait | None
    # Failure reason
    failure: str | None
    # End of the hold on a withdrawal to a new destination, which can be canceled until then; null
    # if it is not held
    heldUntil: datetime | None
    destination: str
    # Amount withdrawn from the wallets, in the smallest unit
    spent: str
    # Amount that the destination receives; null until its transaction exists. For a canceling
    # replacement: the amount that returns to the wallet
    amount: str | None
    # Maximum fee, in the smallest unit of `feeCode`
    fee: str | None
    # Fee paid in its block, in the smallest unit of `feeCode`; null until then. On Ethereum, the
    # unused part of `fee` stays in the wallet for its next withdrawal
    feePaid: str | None
    # Part of `spent` that was missing because it was spent outside the service
    writtenOff: str
    # `eth` for tokens; otherwise the fee is deducted from the amount
    feeCode: CryptoCurrencyCode
    feeRate: str | None
    # Fee rate limit; null for none
    limit: str | None
    # Hash of the last transaction, or of the mined one
    txHash: str | None
    # Hashes of all its transactions, of which at most one is mined
    txHashes: list[str]
    confirmations: int
    # Confirmations after which it is `confirmed`
    minConfirmations: int
    # Amount withdrawn from each wallet
    wallets: list[WithdrawalWallet]
    # `id` of the refunded crypto transaction
    transactionId: str | None
    # For `gas`: `id` of the withdrawal that needs it
    withdrawalId: str | None
    # Requester: `token 2` or `person 3`; null for automatic withdrawals
    requestedBy: str | None
    # Current name of the user; null for tokens and automatic withdrawals, and in events and
    # webhooks
    requestedByName: str | None
    createdAt: datetime
    updatedAt: datetime


@dataclass(frozen=True, kw_only=True)
class WithdrawalWait:
    # `queued`: its transaction is created next, or after another withdrawal of the wallet;
    # `fee_limit`: the network fee is above a limit; `fee_estimate`: independent estimates of the
    # network fee disagree; `amount_too_small`: the fee is too large a part of the amount; `gas`:
    # ether for the fee of a token transfer is being sent, or the gas wallet has too little;
    # `broadcasting`: created and about to be broadcast; `rejected`: the node rejects it, and it
    # is retried; `new_destination`: the destination is new, and it is held until `heldUntil`;
    # `rate`: there is no current exchange rate to compare its fee with
    reason: Literal["queued", "fee_limit", "fee_estimate", "amount_too_small", "gas", "broadcasting", "rejected", "new_destination", "rate"]
    # Explanation
    detail: str
    # Current network fee rate, in the unit of `feeRate`
    feeNow: str | None
    # `max-fee-limit-auto-withdrawal-{CODE}`, or the operator’s limit if it is lower
    limit: str | None


@dataclass(frozen=True, kw_only=True)
class WithdrawalWallet:
    address: str
    # In the smallest unit
    amount: str


@dataclass(frozen=True, kw_only=True)
class PendingWithdrawalDestination:
    # A cryptocurrency of `GET /v1/currencies`
    code: CryptoCurrencyCode
    # null if automatic withdrawals were turned off
    destination: str | None
    previousDestination: str | None
    effectiveAt: datetime
    requestedBy: str
    createdAt: datetime
    # Reason for the delay: a new destination waits `WITHDRAWAL_DESTINATION_DELAY_HOURS`
    reason: Literal["new_destination"]
    # Current name of the user; null for a token
    requestedByName: str | None


@dataclass(frozen=True, kw_only=True)
class WithdrawalDetail:
    id: str
    # A cryptocurrency of `GET /v1/currencies`
    code: CryptoCurrencyCode
    # `sweep`: automatic; `refund`: of a rejected transaction; `manual`: requested by a manager;
    # `gas`: the operator’s ether for the fee of another withdrawal
    purpose: Literal["sweep", "refund", "manual", "gas"]
    # `waiting`: not sent yet; `waitsFor` states the cause; `to_sign`: to be signed outside
    # Paylatch, where the keys are; `sent`: broadcast, not enough confirmations yet; `confirmed`:
    # reached `min-confirmation-{CODE}` confirmations; `failed`: no funds moved; `failure` states
    # the cause
    status: WithdrawalStatus
    # Canceled by a manager after its transaction was signed: a replacement is in progress. It
    # becomes `failed` if the replacement is mined, `confirmed` if it was too late
    cancelling: bool
    # null if it awaits only confirmations
    waitsFor: WithdrawalWait | None
    # Failure reason
    failure: str | None
    # End of the hold on a withdrawal to a new destination, which can be canceled until then; null
    # if it is not held
    heldUntil: datetime | None
    destination: str
    # Amount withdrawn from the wallets, in the smallest unit
    spent: str
    # Amount that the destination receives; null until its transaction exists. For a canceling
    # replacement: the amount that returns to the wallet
    amount: str | None
    # Maximum fee, in the smallest unit of `feeCode`
    fee: str | None
    # Fee paid in its block, in the smallest unit of `feeCode`; null until then. On Ethereum, the
    # unused part of `fee` stays in the wallet for its next withdrawal
    feePaid: str | None
    # Part of `spent` that was missing because it was spent outside the service
    writtenOff: str
    # `eth` for tokens; otherwise the fee is deducted from the amount
    feeCode: CryptoCurrencyCode
    feeRate: str | None
    # Fee rate limit; null for none
    limit: str | None
    # Hash of the last transaction, or of the mined one
    txHash: str | None
    # Hashes of all its transactions, of which at most one is mined
    txHashes: list[str]
    confirmations: int
    # Confirmations after which it is `confirmed`
    minConfirmations: int
    # Amount withdrawn from each wallet
    wallets: list[WithdrawalDetailWallet]
    # `id` of the refunded crypto transaction
    transactionId: str | None
    # For `gas`: `id` of the withdrawal that needs it
    withdrawalId: str | None
    # Requester: `token 2` or `person 3`; null for automatic withdrawals
    requestedBy: str | None
    # Current name of the user; null for tokens and automatic withdrawals, and in events and
    # webhooks
    requestedByName: str | None
    createdAt: datetime
    updatedAt: datetime
    # Transaction to sign externally while the status is `to_sign`
    unsigned: WithdrawalDetailUnsigned | None


@dataclass(frozen=True, kw_only=True)
class WithdrawalDetailWallet:
    address: str
    # In the smallest unit
    amount: str


@dataclass(frozen=True, kw_only=True)
class WithdrawalDetailUnsigned:
    # `psbt`: BIP 174 in base64; `eip1559`: unsigned EIP-2718 transaction of type 2 in hexadecimal
    format: Literal["psbt", "eip1559"]
    data: str
    # Address whose key signs it; null if each input has its own
    sender: str | None
    # Derivation path of that key, below the account’s
    path: str | None


@dataclass(frozen=True, kw_only=True)
class ListEventsResponse:
    events: list[ListEventsResponseEvent]
    # Cursor for the next request; null before the first event
    next: str | None
    # True if more events are available now
    has_more: bool


@dataclass(frozen=True, kw_only=True)
class TransactionEvent:
    type: Literal["fiat.transaction.updated"]
    timestamp: datetime
    data: TransactionEventData
    # The `webhook-id` of its webhook
    id: str


@dataclass(frozen=True, kw_only=True)
class TransactionEventData:
    transaction_id: str
    created_at: datetime
    updated_at: datetime
    expires_at: datetime
    # Amount of the transaction
    amount: Decimal
    # Amount that the buyer pays
    amount_charged: Decimal
    # Net amount after the fee
    amount_delivered: Decimal
    # Amount received
    amount_received: Decimal
    # The amount refunded so far
    refunded_amount: Decimal
    currency: str
    # ISO 3166-1 alpha-3
    country: str
    descriptions: str
    # Purchased items, as sent when the transaction was created
    line_items: list[LineItem] | None = None
    # Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values
    # up to 500 characters. Payers never see it
    metadata: dict[str, str] | None = None
    # Initial language of the payment page; absent if the browser’s language is used
    locale: str | None = None
    # The reusable link that created the transaction
    reusable_link_id: str | None = None
    payment_method: str
    # `transaction_status_pending`: created, or ready for another attempt after a decline;
    # `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the
    # payment is awaiting review; `transaction_status_confirmed`: paid;
    # `transaction_status_failed`: ended without payment; `reason` states the cause
    status: TransactionStatus
    # Failure reason
    reason: Literal["expired", "declined", "cancelled", "underpaid", "overpaid", "rejected", "reversed"] | None = None
    # Absent: captured automatically
    capture: Literal["manual"] | None = None
    # With `capture: "manual"`, once a payment was authorized. The status is `waiting` until the
    # capture
    authorization: Authorization | None = None
    # True if the funds arrived after the transaction failed
    late: bool | None = None
    # The last review decision; absent before the first
    decision: TransactionEventDataDecision | None = None
    # Fee added to the amount or deducted from it
    type_of_fee_calculate: Literal["forward_without_fee", "forward_with_fee"]
    # Details of the payer that you provided when you created the transaction; absent from
    # webhooks, and without the scope `approval:write`
    payer: Payer | None = None
    # Payment link for the buyer; single use
    link: str
    merchant_fee_fix: Decimal
    merchant_fee_percent: Decimal
    # The preference `additional-currency` at creation, or the currency of the payment if there
    # was no rate between them
    additional_currency: str
    # Price of one unit of `currency` in `additional_currency`
    rate: Decimal
    # `rate` less your percentage fee
    rate_merchant_final: Decimal
    # Sources of `rate`, separated by commas; `sandbox-table` for the fixed table of the sandbox.
    # Absent if the currencies are the same, or the transaction is older than this field
    rate_source: str | None = None
    # Time of the oldest quote in `rate`. Absent whenever `rate_source` is
    rate_at: datetime | None = None
    # Detected country of the buyer (ISO 3166-1 alpha-2); absent if unknown
    buyer_country: str | None = None
    # Source of the country: `address` (IP database) or `header` (the operator’s proxy)
    buyer_country_source: str | None = None
    # Network of the buyer’s IP address: a /24 of IPv4, a /48 of IPv6
    buyer_network: str | None = None
    # Card payment attempts
    attempts: list[AttemptSummary]
    # The payment instructions shown to the buyer, with their status
    instructions: list[InstructionsSummary]
    # Receipts of funds by instructions
    receipts: list[ReceiptSummary]
    # Refunds, with their status
    refunds: list[RefundSummary]
    # Only in the response to a refund: `number` of each refund that the request created
    requested_refunds: list[int] | None = None
    # Disputes and chargebacks, with their status
    disputes: list[DisputeSummary]
    # Currently available actions. `refund_out_of_band` and `reject_out_of_band`: only with
    # `out_of_band`, because the acquirer cannot refund
    available_actions: list[Literal["cancel", "capture", "void", "accept", "reject", "reject_out_of_band", "renew", "refund", "refund_out_of_band"]]
    # Absent while nothing can be refunded
    refund_options: RefundOptions | None = None
    # Events of the transaction, in order
    timeline: list[TimelineEntry]
    # Your merchant ID. Reject webhooks with a different one
    merchant_id: int
    previous_status: Literal["transaction_status_pending", "transaction_status_waiting", "transaction_status_confirmed", "transaction_status_failed"]
    # Number of the event within the transaction, from 1. An endpoint that receives only some
    # event types sees gaps: do not wait for missing numbers
    sequence: int


@dataclass(frozen=True, kw_only=True)
class TransactionEventDataDecision:
    """The last review decision; absent before the first"""

    # Stable ID: `token 2` or `person 3`
    by: str
    # Current name of the user; null for tokens, and always null in events and webhooks
    by_name: str | None
    at: datetime
    reason: str | None
    is_approved: bool


@dataclass(frozen=True, kw_only=True)
class DisputeEvent:
    type: Literal["fiat.dispute.created", "fiat.dispute.updated", "fiat.dispute.closed"]
    timestamp: datetime
    data: DisputeEventData
    # The `webhook-id` of its webhook
    id: str


@dataclass(frozen=True, kw_only=True)
class DisputeEventData:
    number: int
    # `inquiry`: the bank requests information before a chargeback; `needs_response`: the bank
    # charged the amount back; respond through your acquirer before `respond_by`; `under_review`:
    # the bank is reviewing the dispute; `won`: you keep the amount; a second chargeback can
    # follow; `lost`: the buyer keeps the amount
    state: Literal["inquiry", "needs_response", "under_review", "won", "lost"]
    amount: Decimal
    currency: str
    # The acquirer’s reference for the dispute; of the charge until the acquirer reports one
    reference: str
    # Reason code of the card network
    reason_code: str | None
    reason: str | None
    # Deadline for a response
    respond_by: datetime | None
    created_at: datetime
    updated_at: datetime
    # Your merchant ID. Reject webhooks with a different one
    merchant_id: int
    transaction_id: str
    # The previous `state` of the dispute; null in the first
    previous_status: Literal["inquiry", "needs_response", "under_review", "won", "lost"] | None
    # Number of the event within the transaction, from 1. An endpoint that receives only some
    # event types sees gaps: do not wait for missing numbers
    sequence: int


@dataclass(frozen=True, kw_only=True)
class CryptoTransactionEvent:
    type: Literal["crypto.transaction.created", "crypto.transaction.updated"]
    timestamp: datetime
    data: CryptoTransactionEventData
    # The `webhook-id` of its webhook
    id: str


@dataclass(frozen=True, kw_only=True)
class CryptoTransactionEventData:
    id: str
    # null for deposits without an invoice
    txId: str | None
    # Invoice type; `invoice_type_default` as resolved at creation
    type: Literal["static", "revolver", "user"]
    # A cryptocurrency of `GET /v1/currencies`
    code: CryptoCurrencyCode
    # Requested amount; null if any amount is accepted
    amountRequired: str | None
    amountRequiredUnit: str | None
    walletAddress: str
    walletType: Literal["static", "revolver", "user"]
    # Payment URI for wallet apps: BIP 21 or EIP-681
    uri: str
    # `pending`: no deposit detected yet; `waiting`: deposit detected, not enough confirmations
    # yet; `confirmed`: the deposit reached `min-confirmation-{CODE}` confirmations; `complete`:
    # credited, less `processing-fee-{CODE}`; `approved_required`: awaiting review: approve or
    # reject it; `refunding`: rejected with a refund address; the funds are being sent there;
    # `refunded`: the refund is confirmed; `failed`: ended without payment, or rejected without a
    # refund address
    status: CryptoStatus
    # Conditions in addition to the status
    labels: list[Literal["underpaid", "overpaid", "late", "duplicate", "wrong_wallet", "below_minimum", "replaced", "unattributed"]]
    # Amount detected, confirmed or not
    amount: str
    # The same in whole coins
    amountUnit: str
    # Amount still due
    amountDue: str
    # Lowest number of confirmations among its deposits
    confirmations: int
    # Confirmations required of a deposit
    minConfirmations: int
    payments: list[CryptoPayment]
    processingFeePercent: Decimal
    # Fee on the credited amount
    processingFee: str
    exchangeRate: CryptoTransactionEventDataExchangeRate | None
    link: CryptoTransactionEventDataLink
    # `transaction_id` of the payment link that it pays, if any
    fiatTransactionId: str | None
    comment: str | None
    # Description shown to the payer
    description: str | None
    # URL of your page to which the payer returns
    returnUrl: str | None
    # Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values
    # up to 500 characters. Payers never see it
    metadata: dict[str, str] | None = None
    # Initial language of the invoice page; absent if the browser’s language is used
    locale: str | None = None
    # `txId` of the invoice that the deposit was probably meant for
    probableTxId: str | None
    # The review decision, if any
    decision: CryptoTransactionEventDataDecision | None
    # Currently available actions; `withdraw` for managers only
    availableActions: list[Literal["approve", "reject", "withdraw"]]
    createdAt: datetime
    updatedAt: datetime
    # null if it does not expire
    expiredAt: datetime | None
    # Your merchant ID. Reject webhooks with a different one
    merchant_id: int
    # null in the first
    previous_status: Literal["pending", "waiting", "confirmed", "complete", "approved_required", "refunding", "refunded", "failed"] | None
    # Number of the event within the transaction, from 1. An endpoint that receives only some
    # event types sees gaps: do not wait for missing numbers
    sequence: int


@dataclass(frozen=True, kw_only=True)
class CryptoTransactionEventDataExchangeRate:
    currency: str
    # Price of one whole coin in `currency`
    exchangeRate: str
    # The amount in `currency`
    currencyAmount: str
    # A cryptocurrency of `GET /v1/currencies`
    code: CryptoCurrencyCode
    source: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class CryptoTransactionEventDataLink:
    self: str
    # Payment page for the payer
    payment: str


@dataclass(frozen=True, kw_only=True)
class CryptoTransactionEventDataDecision:
    # Stable ID: `token 2` or `person 3`
    by: str
    # Current name of the user; null for tokens, and always null in events and webhooks
    byName: str | None
    at: datetime
    reason: str | None
    isApproved: bool
    refundAddress: str | None


@dataclass(frozen=True, kw_only=True)
class WithdrawalEvent:
    type: Literal["crypto.withdrawal.updated"]
    timestamp: datetime
    data: WithdrawalEventData
    # The `webhook-id` of its webhook
    id: str


@dataclass(frozen=True, kw_only=True)
class WithdrawalEventData:
    id: str
    # A cryptocurrency of `GET /v1/currencies`
    code: CryptoCurrencyCode
    # `sweep`: automatic; `refund`: of a rejected transaction; `manual`: requested by a manager;
    # `gas`: the operator’s ether for the fee of another withdrawal
    purpose: Literal["sweep", "refund", "manual", "gas"]
    # `waiting`: not sent yet; `waitsFor` states the cause; `to_sign`: to be signed outside
    # Paylatch, where the keys are; `sent`: broadcast, not enough confirmations yet; `confirmed`:
    # reached `min-confirmation-{CODE}` confirmations; `failed`: no funds moved; `failure` states
    # the cause
    status: WithdrawalStatus
    # Canceled by a manager after its transaction was signed: a replacement is in progress. It
    # becomes `failed` if the replacement is mined, `confirmed` if it was too late
    cancelling: bool
    # null if it awaits only confirmations
    waitsFor: WithdrawalWait | None
    # Failure reason
    failure: str | None
    # End of the hold on a withdrawal to a new destination, which can be canceled until then; null
    # if it is not held
    heldUntil: datetime | None
    destination: str
    # Amount withdrawn from the wallets, in the smallest unit
    spent: str
    # Amount that the destination receives; null until its transaction exists. For a canceling
    # replacement: the amount that returns to the wallet
    amount: str | None
    # Maximum fee, in the smallest unit of `feeCode`
    fee: str | None
    # Fee paid in its block, in the smallest unit of `feeCode`; null until then. On Ethereum, the
    # unused part of `fee` stays in the wallet for its next withdrawal
    feePaid: str | None
    # Part of `spent` that was missing because it was spent outside the service
    writtenOff: str
    # `eth` for tokens; otherwise the fee is deducted from the amount
    feeCode: CryptoCurrencyCode
    feeRate: str | None
    # Fee rate limit; null for none
    limit: str | None
    # Hash of the last transaction, or of the mined one
    txHash: str | None
    # Hashes of all its transactions, of which at most one is mined
    txHashes: list[str]
    confirmations: int
    # Confirmations after which it is `confirmed`
    minConfirmations: int
    # Amount withdrawn from each wallet
    wallets: list[WithdrawalEventDataWallet]
    # `id` of the refunded crypto transaction
    transactionId: str | None
    # For `gas`: `id` of the withdrawal that needs it
    withdrawalId: str | None
    # Requester: `token 2` or `person 3`; null for automatic withdrawals
    requestedBy: str | None
    # Current name of the user; null for tokens and automatic withdrawals, and in events and
    # webhooks
    requestedByName: str | None
    createdAt: datetime
    updatedAt: datetime
    # Your merchant ID. Reject webhooks with a different one
    merchant_id: int
    # null in the first
    previous_status: Literal["waiting", "to_sign", "sent", "confirmed", "failed"] | None
    # Number of the event within the withdrawal, from 1. An endpoint that receives only some event
    # types sees gaps: do not wait for missing numbers
    sequence: int


@dataclass(frozen=True, kw_only=True)
class WithdrawalEventDataWallet:
    address: str
    # In the smallest unit
    amount: str


@dataclass(frozen=True, kw_only=True)
class WithdrawalDestinationChangeEvent:
    type: Literal["crypto.withdrawal.destination_changed"]
    timestamp: datetime
    data: WithdrawalDestinationChangeEventData
    # The `webhook-id` of its webhook
    id: str


@dataclass(frozen=True, kw_only=True)
class WithdrawalDestinationChangeEventData:
    # A cryptocurrency of `GET /v1/currencies`
    code: CryptoCurrencyCode
    # null if automatic withdrawals were turned off
    destination: str | None
    previousDestination: str | None
    effectiveAt: datetime
    requestedBy: str
    createdAt: datetime
    # Your merchant ID. Reject webhooks with a different one
    merchant_id: int
    previous_status: Any | None
    sequence: Decimal


@dataclass(frozen=True, kw_only=True)
class CallbackUrlChangeEvent:
    type: Literal["callback.url_changed"]
    timestamp: datetime
    data: CallbackUrlChangeEventData
    # The `webhook-id` of its webhook
    id: str


@dataclass(frozen=True, kw_only=True)
class CallbackUrlChangeEventData:
    # Your merchant ID. Reject webhooks with a different one
    merchant_id: int
    # Origin of the new URL (no path or query, which may contain a secret); null: removed
    url: str | None
    # Origin of the previous URL; null: none was set
    previous_url: str | None
    # Requester: `token 7` or `person 3`
    requested_by: str
    created_at: datetime
    previous_status: Any | None
    sequence: Decimal


@dataclass(frozen=True, kw_only=True)
class WebhookEndpointChangeEvent:
    type: Literal["callback.endpoint_changed"]
    timestamp: datetime
    data: WebhookEndpointChangeEventData
    # The `webhook-id` of its webhook
    id: str


@dataclass(frozen=True, kw_only=True)
class WebhookEndpointChangeEventData:
    # Your merchant ID. Reject webhooks with a different one
    merchant_id: int
    endpoint_id: str
    change: Literal["added", "updated", "removed"]
    # Origin of the URL (no path or query); null: removed
    url: str | None
    # Origin of the previous URL; null: added
    previous_url: str | None
    # null: removed
    status: Literal["enabled", "disabled"] | None
    # null: all
    event_types: list[str] | None
    # Requester: `token 7` or `person 3`
    requested_by: str
    created_at: datetime
    previous_status: Any | None
    sequence: Decimal


@dataclass(frozen=True, kw_only=True)
class ListTransactionEventsResponse:
    events: list[ListTransactionEventsResponseEvent]


@dataclass(frozen=True, kw_only=True)
class Statistics:
    since: datetime
    # Exclusive
    till: datetime
    time_zone: str
    # By currency of the transactions, most transactions first
    currencies: list[StatisticsCurrencie]
    total: StatisticsTotal
    # Every day of the period, including days without transactions
    days: list[StatisticsDay]
    # The 24 hours of the day
    hours: list[StatisticsHour]
    # Most transactions first
    methods: list[StatisticsMethod]
    # By the buyer’s detected country, or by the transaction’s country if unknown; most
    # transactions first
    countries: list[StatisticsCountrie]
    # Failure reasons, most frequent first
    failures: list[StatisticsFailure]
    # Currently pending reviews and failures, regardless of the period; each counted up to 1000
    waiting: StatisticsWaiting


@dataclass(frozen=True, kw_only=True)
class StatisticsCurrencie:
    currency: str
    count: int
    paid_count: int
    # Amount received for paid transactions
    paid_amount: Decimal
    # Refunds that succeeded or are pending
    refunded_amount: Decimal


@dataclass(frozen=True, kw_only=True)
class StatisticsTotal:
    count: int
    # `transaction_status_confirmed`
    paid_count: int
    failed_count: int
    # Neither paid nor failed
    open_count: int
    # Share of paid transactions among paid and failed ones, from 0 to 1 with four decimals; null
    # if there are none
    paid_share: Decimal | None
    paid_in_additional_currency: StatisticsTotalPaidInAdditionalCurrency


@dataclass(frozen=True, kw_only=True)
class StatisticsTotalPaidInAdditionalCurrency:
    # The preference `additional-currency`
    currency: str
    # Amount received for paid transactions, each at its stored rate, rounded once
    amount: Decimal
    # Paid transactions that are excluded from these amounts, because they were created with
    # another additional currency or without a rate to it
    excluded_count: int


@dataclass(frozen=True, kw_only=True)
class StatisticsDay:
    date: str
    count: int
    paid_count: int
    # Amount received for paid transactions, in the additional currency
    paid_amount: Decimal


@dataclass(frozen=True, kw_only=True)
class StatisticsHour:
    hour: int
    count: int
    paid_count: int


@dataclass(frozen=True, kw_only=True)
class StatisticsMethod:
    payment_method: str
    count: int
    paid_count: int
    # Amount received for paid transactions, in the additional currency
    paid_amount: Decimal


@dataclass(frozen=True, kw_only=True)
class StatisticsCountrie:
    # ISO 3166-1 alpha-3
    country: str
    count: int
    paid_count: int
    # Amount received for paid transactions, in the additional currency
    paid_amount: Decimal


@dataclass(frozen=True, kw_only=True)
class StatisticsFailure:
    # The `reason` of the transaction; for `declined` and `expired` the code of its last decline,
    # if any
    reason: str
    count: int


@dataclass(frozen=True, kw_only=True)
class StatisticsWaiting:
    """Currently pending reviews and failures, regardless of the period; each counted up to 1000"""

    # Crypto transactions that are `approved_required`
    crypto_reviews: int
    # Transactions with received funds awaiting review: `awaiting_review` of the list
    payment_reviews: int
    # Webhooks whose attempts all failed
    failed_callbacks: int


@dataclass(frozen=True, kw_only=True)
class ListRatesResponse:
    currency: str
    rates: list[ExchangeRate]


@dataclass(frozen=True, kw_only=True)
class ExchangeRate:
    # Cryptocurrency or currency
    code: str
    # Price of one whole unit, a decimal; null while unavailable
    rate: str | None
    # Time of the oldest quote in the rate; null while unavailable
    at: datetime | None
    # Quotes whose median is the rate. Some rates are calculated from two pairs
    quotes: list[RateQuote]
    # Reason why no rate is within the limits; null otherwise
    unavailable: str | None


@dataclass(frozen=True, kw_only=True)
class RateQuote:
    # `sandbox-table` for the fixed table of the sandbox, whose rates are not real prices
    source: str
    # `BTC/USD` is the price of one bitcoin in US dollars
    pair: str
    rate: str
    # Time reported by the source, or the time of the response if the source reports none
    at: datetime


@dataclass(frozen=True, kw_only=True)
class ListCallbacksResponse:
    callbacks: list[Callback]
    next_cursor: str | None
    endpoint: CallbackEndpoint


@dataclass(frozen=True, kw_only=True)
class Callback:
    # The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the
    # endpoint
    id: str
    # The header `webhook-id`: the `id` of the event, and the same for every endpoint that
    # receives it
    webhook_id: str
    # `we_…`, or `callback-url` for the endpoint of that preference
    endpoint_id: str
    # Its description, or else the host of its URL, or else its ID
    endpoint_name: str
    type: str
    # Your reference; the `id` for deposits without an invoice and for withdrawals; the currency
    # for a changed destination; `callback-url` for a changed URL; the ID of a changed endpoint
    transaction_id: str
    # Sequence number of the event within its transaction
    sequence: int
    # Status of the transaction or withdrawal after the event; null for notices, and without the
    # scope `transaction:read`
    status: str | None
    # Its status before the event; null like `status`, and in the first
    previous_status: str | None
    # The change, as in the `timeline`, such as `12.50 USD refunded`; null if there is none, and
    # without the scope `transaction:read`
    detail: str | None
    # URL that receives a notice of a changed endpoint or destination; null for the endpoint’s
    # current URL
    url: str | None
    # `pending`: not delivered yet; `delivered`: the endpoint responded with a 2xx status;
    # `failed`: all delivery attempts failed; redeliver it to try again
    state: Literal["pending", "delivered", "failed"]
    attempts_made: int
    # Result of the last attempt; null before the first
    last_attempt: CallbackLastAttempt | None
    # null if no attempt is scheduled, or if an earlier webhook must be delivered first
    next_attempt_at: datetime | None
    created_at: datetime
    finished_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class CallbackLastAttempt:
    at: datetime
    # HTTP status of the response; null if there was none
    status: int | None
    error: str | None


@dataclass(frozen=True, kw_only=True)
class CallbackEndpoint:
    url: str | None
    # Time of the first failure since the last success, later by periods without attempts
    failing_since: datetime | None
    # null while it is enabled
    disabled_at: datetime | None
    # `gone`: the endpoint returned 410; `no_success`: nothing was delivered for five days
    disabled_reason: Literal["gone", "no_success"] | None


@dataclass(frozen=True, kw_only=True)
class CallbackDetail:
    # The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the
    # endpoint
    id: str
    # The header `webhook-id`: the `id` of the event, and the same for every endpoint that
    # receives it
    webhook_id: str
    # `we_…`, or `callback-url` for the endpoint of that preference
    endpoint_id: str
    # Its description, or else the host of its URL, or else its ID
    endpoint_name: str
    type: str
    # Your reference; the `id` for deposits without an invoice and for withdrawals; the currency
    # for a changed destination; `callback-url` for a changed URL; the ID of a changed endpoint
    transaction_id: str
    # Sequence number of the event within its transaction
    sequence: int
    # Status of the transaction or withdrawal after the event; null for notices, and without the
    # scope `transaction:read`
    status: str | None
    # Its status before the event; null like `status`, and in the first
    previous_status: str | None
    # The change, as in the `timeline`, such as `12.50 USD refunded`; null if there is none, and
    # without the scope `transaction:read`
    detail: str | None
    # URL that receives a notice of a changed endpoint or destination; null for the endpoint’s
    # current URL
    url: str | None
    # `pending`: not delivered yet; `delivered`: the endpoint responded with a 2xx status;
    # `failed`: all delivery attempts failed; redeliver it to try again
    state: Literal["pending", "delivered", "failed"]
    attempts_made: int
    # Result of the last attempt; null before the first
    last_attempt: CallbackDetailLastAttempt | None
    # null if no attempt is scheduled, or if an earlier webhook must be delivered first
    next_attempt_at: datetime | None
    created_at: datetime
    finished_at: datetime | None
    # Attempts of the last 90 days
    attempts: list[CallbackAttempt]
    # The body of the webhook; null without the scope `transaction:read`
    payload: WebhookEvent | None


@dataclass(frozen=True, kw_only=True)
class CallbackDetailLastAttempt:
    at: datetime
    # HTTP status of the response; null if there was none
    status: int | None
    error: str | None


@dataclass(frozen=True, kw_only=True)
class CallbackAttempt:
    number: int
    at: datetime
    # null if no `callback-url` was set
    url: str | None
    duration_ms: int
    # HTTP status of the response; null if there was none
    status: int | None
    error: str | None
    # The first 1024 characters of the response body
    response_body: str | None
    # The headers that we sent, without the signature
    request_headers: list[CallbackAttemptRequestHeader]
    # The headers of the response, without credentials; null if there was no response
    response_headers: list[CallbackAttemptResponseHeader] | None


@dataclass(frozen=True, kw_only=True)
class CallbackAttemptRequestHeader:
    name: str
    value: str


@dataclass(frozen=True, kw_only=True)
class CallbackAttemptResponseHeader:
    name: str
    value: str


@dataclass(frozen=True, kw_only=True)
class FiatTransactionUpdatedWebhook:
    type: Literal["fiat.transaction.updated"]
    timestamp: datetime
    data: TransactionEventData


@dataclass(frozen=True, kw_only=True)
class FiatDisputeCreatedWebhook:
    type: Literal["fiat.dispute.created"]
    timestamp: datetime
    data: DisputeEventData


@dataclass(frozen=True, kw_only=True)
class FiatDisputeUpdatedWebhook:
    type: Literal["fiat.dispute.updated"]
    timestamp: datetime
    data: DisputeEventData


@dataclass(frozen=True, kw_only=True)
class FiatDisputeClosedWebhook:
    type: Literal["fiat.dispute.closed"]
    timestamp: datetime
    data: DisputeEventData


@dataclass(frozen=True, kw_only=True)
class CryptoTransactionCreatedWebhook:
    type: Literal["crypto.transaction.created"]
    timestamp: datetime
    data: CryptoTransactionEventData


@dataclass(frozen=True, kw_only=True)
class CryptoTransactionUpdatedWebhook:
    type: Literal["crypto.transaction.updated"]
    timestamp: datetime
    data: CryptoTransactionEventData


@dataclass(frozen=True, kw_only=True)
class CryptoWithdrawalUpdatedWebhook:
    type: Literal["crypto.withdrawal.updated"]
    timestamp: datetime
    data: WithdrawalEventData


@dataclass(frozen=True, kw_only=True)
class CryptoWithdrawalDestinationChangedWebhook:
    type: Literal["crypto.withdrawal.destination_changed"]
    timestamp: datetime
    data: WithdrawalDestinationChangeEventData


@dataclass(frozen=True, kw_only=True)
class CallbackUrlChangedWebhook:
    type: Literal["callback.url_changed"]
    timestamp: datetime
    data: CallbackUrlChangeEventData


@dataclass(frozen=True, kw_only=True)
class CallbackEndpointChangedWebhook:
    type: Literal["callback.endpoint_changed"]
    timestamp: datetime
    data: WebhookEndpointChangeEventData


@dataclass(frozen=True, kw_only=True)
class CallbackTestWebhook:
    type: Literal["callback.test"]
    timestamp: datetime
    data: TestEventData


@dataclass(frozen=True, kw_only=True)
class TestEventData:
    # Your merchant ID. Reject webhooks with a different one
    merchant_id: int
    message: str


@dataclass(frozen=True, kw_only=True)
class TestCallbackResponse:
    # True if the response was 2xx
    delivered: bool
    url: str
    duration_ms: int
    status: int | None
    error: str | None
    response_body: str | None


@dataclass(frozen=True, kw_only=True)
class RotateCallbackSecretResponse:
    # The new secret; shown only once
    callback_secret: str
    # Until then every webhook is also signed with the old secret
    previous_valid_until: datetime


@dataclass(frozen=True, kw_only=True)
class GetCallbackKeysResponse:
    # The `merchant_id` in the `data` of your webhooks
    merchant_id: int
    # Public URL of `keys`, without authentication
    url: str
    # Verify the `v1a` signatures of your webhooks. They do not verify webhooks of other merchants
    keys: list[GetCallbackKeysResponseKey]


@dataclass(frozen=True, kw_only=True)
class GetCallbackKeysResponseKey:
    type: Literal["ed25519"]
    # `whpk_` and 32 bytes in base64
    public_key: str


@dataclass(frozen=True, kw_only=True)
class ListWebhookEndpointsResponse:
    # The endpoint of `callback-url` first, then added ones, oldest first
    endpoints: list[WebhookEndpoint]


@dataclass(frozen=True, kw_only=True)
class WebhookEndpoint:
    # `we_…`, or `callback-url` for the endpoint of that preference
    id: str
    url: str
    description: str | None
    # null for all
    event_types: list[str] | None
    # True for the endpoint of `callback-url`, which only that preference changes
    from_preferences: bool
    # `enabled`: receives webhooks; `disabled`: receives nothing; new webhooks stay `pending`
    status: Literal["enabled", "disabled"]
    # `merchant`: you disabled it; `gone`: it returned 410; `no_success`: nothing was delivered
    # for five days
    disabled_reason: Literal["merchant", "gone", "no_success"] | None
    disabled_at: datetime | None
    # Time of the first failure since the last success, later by periods without attempts
    failing_since: datetime | None
    # Among the recent deliveries
    last_delivered_at: datetime | None
    # The last failed attempt; null after a success
    last_failed_at: datetime | None
    # The last 100 deliveries, by state
    recent: WebhookEndpointRecent
    # null for the endpoint of `callback-url`
    created_at: datetime | None
    updated_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class WebhookEndpointRecent:
    """The last 100 deliveries, by state"""

    delivered: int
    failed: int
    pending: int


@dataclass(frozen=True, kw_only=True)
class AddWebhookEndpointResponse:
    # `we_…`, or `callback-url` for the endpoint of that preference
    id: str
    url: str
    description: str | None
    # null for all
    event_types: list[str] | None
    # True for the endpoint of `callback-url`, which only that preference changes
    from_preferences: bool
    # `enabled`: receives webhooks; `disabled`: receives nothing; new webhooks stay `pending`
    status: Literal["enabled", "disabled"]
    # `merchant`: you disabled it; `gone`: it returned 410; `no_success`: nothing was delivered
    # for five days
    disabled_reason: Literal["merchant", "gone", "no_success"] | None
    disabled_at: datetime | None
    # Time of the first failure since the last success, later by periods without attempts
    failing_since: datetime | None
    # Among the recent deliveries
    last_delivered_at: datetime | None
    # The last failed attempt; null after a success
    last_failed_at: datetime | None
    # The last 100 deliveries, by state
    recent: AddWebhookEndpointResponseRecent
    # null for the endpoint of `callback-url`
    created_at: datetime | None
    updated_at: datetime | None
    # Signs the webhooks of this endpoint; shown only once
    secret: str


@dataclass(frozen=True, kw_only=True)
class AddWebhookEndpointResponseRecent:
    """The last 100 deliveries, by state"""

    delivered: int
    failed: int
    pending: int


@dataclass(frozen=True, kw_only=True)
class RotateWebhookEndpointSecretResponse:
    # The new secret; shown only once
    secret: str
    # Until then every webhook is also signed with the old secret
    previous_valid_until: datetime


@dataclass(frozen=True, kw_only=True)
class TestWebhookEndpointResponse:
    # True if the response was 2xx
    delivered: bool
    url: str
    duration_ms: int
    status: int | None
    error: str | None
    response_body: str | None


@dataclass(frozen=True, kw_only=True)
class RedeliverFailedCallbacksResponse:
    # Number of failed webhooks that are pending again
    redelivered: int


@dataclass(frozen=True, kw_only=True)
class RemoveWebhookEndpointResponse:
    # `we_…`, or `callback-url` for the endpoint of that preference
    id: str
    removed_at: datetime


@dataclass(frozen=True, kw_only=True)
class ListPaymentMethodsResponse:
    payment_methods: list[ListPaymentMethodsResponsePaymentMethod]


@dataclass(frozen=True, kw_only=True)
class ListPaymentMethodsResponsePaymentMethod:
    payment_method: str
    currency: str
    status: Literal["enable", "disable"]
    # Instructions to enable a disabled method
    message: str | None = None
    # Fixed fee of an enabled method, in the currency’s decimals
    fee_fix: Decimal | None = None
    # Fee as a percentage of the amount
    fee_percent: Decimal | None = None
    # True if payments with this method support `capture: "manual"`; absent otherwise
    manual_capture: bool | None = None


@dataclass(frozen=True, kw_only=True)
class SetPaymentMethodsResponse:
    payment_methods: list[SetPaymentMethodsResponsePaymentMethod]


@dataclass(frozen=True, kw_only=True)
class SetPaymentMethodsResponsePaymentMethod:
    payment_method: str
    currency: str
    status: Literal["enable", "disable"]
    fee_fix: Decimal | None = None
    fee_percent: Decimal | None = None
    # Reason why an enabled method cannot be used yet: no acquirer supports it
    message: str | None = None


@dataclass(frozen=True, kw_only=True)
class ListPreferencesResponse:
    merchantPreferences: list[Preference]


@dataclass(frozen=True, kw_only=True)
class Preference:
    key: str
    value: bool | Decimal | str | None
    created_at: datetime
    updated_at: datetime
    # Present until `value` takes effect
    pending: PendingPreference | None = None


@dataclass(frozen=True, kw_only=True)
class PendingPreference:
    # Value in effect until then; null for none
    current_value: bool | Decimal | str | None
    # Time at which `value` takes effect
    effective_at: datetime
    # Reason for the delay
    reason: Literal["new_destination"]


@dataclass(frozen=True, kw_only=True)
class SetPreferencesResponse:
    merchantPreferences: list[Preference]


@dataclass(frozen=True, kw_only=True)
class ListPreferenceKeysResponse:
    keys: list[PreferenceKey]


@dataclass(frozen=True, kw_only=True)
class PreferenceKey:
    key: str
    # Description
    meaning: str
    # Value type. An `amount` is a whole number of the smallest unit of `code`, as a string
    # (`wallet-rotate-amount-{CODE}` as a number up to 9007199254740991). A list is a string with
    # a JSON array
    type: Literal["boolean", "integer", "decimal", "amount", "choice", "text", "url", "contact", "country_list", "origin_list", "color", "address"]
    # The currency of an `amount` or an `address`
    code: str | None = None
    # Values of a `choice`
    choices: list[str] | None = None
    minimum: Decimal | None = None
    maximum: Decimal | None = None
    # Maximum number of characters
    max_length: int | None = None
    # Value while it is unset; null for none
    default: bool | Decimal | str | None
    # Scope required to set it
    scope: Literal["preference:write", "withdrawal:write", "transaction:read"]
    # True if only a manager of the service can set it
    manager_only: bool
    # Current value; null while it is unset
    value: bool | Decimal | str | None
    # Pending change; null if `value` is in effect
    pending: PendingPreference | None
    updated_at: datetime | None
    # Actor that set it, such as `token 7`; null while it is unset, for the command line, and if
    # unknown
    updated_by: str | None


@dataclass(frozen=True, kw_only=True)
class SetPreferencesSingularResponse:
    merchantPreferences: list[Preference]


@dataclass(frozen=True, kw_only=True)
class GetLogoResponse:
    # null: no logo is uploaded
    logo: Logo | None


@dataclass(frozen=True, kw_only=True)
class Logo:
    # Public URL of the PNG image. It changes with the image
    url: str
    # Pixels, at most 256
    width: int
    # Pixels, at most 256
    height: int
    uploaded_at: datetime


@dataclass(frozen=True, kw_only=True)
class SetLogoResponse:
    # null: no logo is uploaded
    logo: Logo | None


@dataclass(frozen=True, kw_only=True)
class RemoveLogoResponse:
    # null: no logo is uploaded
    logo: Logo | None


@dataclass(frozen=True, kw_only=True)
class ListPeopleResponse:
    people: list[Person]
    invitations: list[Invitation]


@dataclass(frozen=True, kw_only=True)
class Person:
    id: int
    email: str
    name: str
    role: Literal["owner", "operator", "viewer"]
    joinedAt: datetime
    lastSeenAt: datetime | None


@dataclass(frozen=True, kw_only=True)
class Invitation:
    id: int
    email: str
    role: Literal["owner", "operator", "viewer", "manager"]
    expiresAt: datetime


@dataclass(frozen=True, kw_only=True)
class InvitePersonResponse:
    invitation: Invitation
    # Shown only once; valid for seven days
    link: str
    # True if the service also emails the link
    is_emailed: bool


@dataclass(frozen=True, kw_only=True)
class RevokeInvitationResponse:
    people: list[Person]
    invitations: list[Invitation]


@dataclass(frozen=True, kw_only=True)
class SetPersonRoleResponse:
    people: list[Person]
    invitations: list[Invitation]


@dataclass(frozen=True, kw_only=True)
class RemovePersonResponse:
    people: list[Person]
    invitations: list[Invitation]


@dataclass(frozen=True, kw_only=True)
class ListAuditEntriesResponse:
    entries: list[AuditEntry]
    next_cursor: str | None


@dataclass(frozen=True, kw_only=True)
class AuditEntry:
    id: int
    at: datetime
    person: AuditEntryPerson | None
    # Actor other than a user: `token 12`, or `command line` with the operating system’s user name
    actor: str | None
    # The access token that is the `actor`, with its name, which may be empty; null for other
    # actors
    token: AuditEntryToken | None
    # ID of an operation, or an account action such as `sign_in`
    action: str
    # Object of the action
    subject: str | None
    before: Any
    after: Any
    # `done`, or the problem code; `started` if the process ended before the outcome was known
    outcome: str
    address: str
    userAgent: str
    requestId: str


@dataclass(frozen=True, kw_only=True)
class AuditEntryPerson:
    id: int
    email: str
    name: str


@dataclass(frozen=True, kw_only=True)
class AuditEntryToken:
    id: int
    name: str


@dataclass(frozen=True, kw_only=True)
class ListEmailsResponse:
    # False: the service sends no email
    is_set_up: bool
    emails: list[Email]
    next_cursor: str | None


@dataclass(frozen=True, kw_only=True)
class ListMerchantsResponse:
    merchants: list[Merchant]
    next_cursor: str | None


@dataclass(frozen=True, kw_only=True)
class Merchant:
    id: int
    name: str
    createdAt: datetime


@dataclass(frozen=True, kw_only=True)
class CreateMerchantResponse:
    merchant: Merchant
    # Shown only once
    callback_secret: str


@dataclass(frozen=True, kw_only=True)
class CreatedAccessToken:
    # Identifies the token in decisions and the audit log: `token 7`
    id: int
    name: str
    role: Literal["merchant", "manager"]
    scopes: list[TokenScope]
    created_at: datetime
    # `person 3` or `token 7`; the user if it was created with one of their tokens. It is revoked
    # when they leave. null for the command line and OAuth clients
    created_by: str | None
    # Current name of the user; null for other creators
    created_by_name: str | None
    # To the minute; null if it was never used
    last_used_at: datetime | None
    # null if it is valid until revoked
    expires_at: datetime | None
    # The token; shown only once
    access_token: str


@dataclass(frozen=True, kw_only=True)
class ListAccessTokensResponse:
    tokens: list[AccessToken]
    next_cursor: str | None


@dataclass(frozen=True, kw_only=True)
class AccessToken:
    # Identifies the token in decisions and the audit log: `token 7`
    id: int
    name: str
    role: Literal["merchant", "manager"]
    scopes: list[TokenScope]
    created_at: datetime
    # `person 3` or `token 7`; the user if it was created with one of their tokens. It is revoked
    # when they leave. null for the command line and OAuth clients
    created_by: str | None
    # Current name of the user; null for other creators
    created_by_name: str | None
    # To the minute; null if it was never used
    last_used_at: datetime | None
    # null if it is valid until revoked
    expires_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class RevokeAccessTokenResponse:
    # Identifies the token in decisions and the audit log: `token 7`
    id: int
    revoked_at: datetime


@dataclass(frozen=True, kw_only=True)
class ListAcquirersResponse:
    acquirers: list[Acquirer]


@dataclass(frozen=True, kw_only=True)
class Acquirer:
    name: str
    display_name: str
    # Fields of an account’s credentials, in the order of a form
    credentials: list[AcquirerCredential]
    capabilities: list[AcquirerCapabilitie]


@dataclass(frozen=True, kw_only=True)
class AcquirerCredential:
    name: str
    label: str
    # Location of the value in the acquirer’s dashboard, or its purpose
    hint: str
    # true if the value is never returned
    secret: bool
    optional: bool
    # Accepted values; null if any text is accepted
    options: list[str] | None


@dataclass(frozen=True, kw_only=True)
class AcquirerCapabilitie:
    payment_method: str
    # ISO 3166-1 alpha-3; null for every country of the method
    countries: list[str] | None
    # ISO 4217; null for every currency of the method
    currencies: list[str] | None
    refunds: Literal["none", "full", "partial"]
    # Payer details that the acquirer requires; the payment page asks for them
    payer_fields: list[str]


@dataclass(frozen=True, kw_only=True)
class AcquirerCheck:
    # `failed`: the acquirer rejected the credentials; `unreachable`: no valid response
    result: Literal["ok", "failed", "unreachable"]
    # One sentence about the result
    detail: str


@dataclass(frozen=True, kw_only=True)
class ListAcquirerAccountsResponse:
    accounts: list[AcquirerAccount]


@dataclass(frozen=True, kw_only=True)
class AcquirerAccount:
    # Identifies the account, in its webhook URL too
    id: str
    acquirer: str
    name: str
    # true if all merchants use it
    shared: bool
    # false: no new payments; open payments, refunds and webhooks continue
    enabled: bool
    routes: list[AcquirerAccountRoute]
    # Fields of the credentials; `value` is null for secrets
    credentials: list[AcquirerAccountCredential]
    credentials_updated_at: datetime
    # Webhook URL to enter in the acquirer’s dashboard
    webhook_url: str
    # Figures of the process that responded, since its start; null if the account is not connected
    health: AcquirerAccountHealth | None
    notifications: AcquirerAccountNotifications
    # Open disputes of your payments
    open_disputes: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, kw_only=True)
class AcquirerAccountRoute:
    payment_method: str
    # ISO 3166-1 alpha-3, or `*` for every country
    country: str
    # ISO 4217, or `*` for every currency
    currency: str
    # The account with the lowest number is tried first
    priority: int


@dataclass(frozen=True, kw_only=True)
class AcquirerAccountCredential:
    name: str
    value: str | None
    is_set: bool


@dataclass(frozen=True, kw_only=True)
class AcquirerAccountHealth:
    # `open`: no payments after repeated failures; `half_open`: one trial call is allowed
    circuit: Literal["closed", "half_open", "open"]
    # Time at which the circuit opened; null while it is closed
    circuit_since: datetime | None
    # The last call without a response from the acquirer
    last_failure: AcquirerAccountHealthLastFailure | None
    # Calls that the figures cover, at most 500
    calls: int
    # Share of calls with a response, 0 to 1; null before the first
    success_rate: Decimal | None
    # Median duration of a call; null before the first
    median_ms: Decimal | None
    calls_last_minute: int
    # Limit of calls; null without one
    calls_per_minute: int | None


@dataclass(frozen=True, kw_only=True)
class AcquirerAccountHealthLastFailure:
    at: datetime
    call: str
    reason: Literal["failed", "timeout"]


@dataclass(frozen=True, kw_only=True)
class AcquirerAccountNotifications:
    # null without one in the last 60 days
    last_received_at: datetime | None
    # Webhooks received but not processed yet; at most 1,000 are counted
    pending: int


@dataclass(frozen=True, kw_only=True)
class Problem:
    type: str
    title: str
    status: int
    detail: str
    # Stable; programs should branch on it. Later releases may add codes.
    code: ProblemCode
    errors: list[FieldProblem] | None = None
    # The rate limit that was exceeded
    limit: Literal["token", "oauth_client", "oauth_address", "page", "page_state", "submit_address", "submit_card", "sign_in_address", "sign_in_user", "email_merchant", "email_address", "webhook_test", "exports", "callback_url", "webhook_endpoints", "withdrawal_destination"] | None = None
    # For the payment page: a proof-of-work challenge to solve instead of waiting
    challenge: ProofChallenge | None = None
    # True if the same request may succeed later
    retryable: bool
    request_id: str


@dataclass(frozen=True, kw_only=True)
class FieldProblem:
    # A JSON pointer (RFC 6901) into the body, or ?name for a query parameter
    pointer: str
    code: str
    detail: str


@dataclass(frozen=True, kw_only=True)
class ProofChallenge:
    seed: str
    iterations: int
    most: int
    # 128 bits in base64url
    digest: str
    # Return it with the number
    token: str


@dataclass(frozen=True, kw_only=True)
class Unknown:
    """A value of a type that this version of the SDK does not know."""

    raw: dict[str, Any]


CreateTransactionResponse = Union[
    LinkCreated,
    CustomFormCreated,
    Unknown,
]

RenewTransactionResponse = Union[
    LinkCreated,
    CustomFormCreated,
    Unknown,
]

ListEventsResponseEvent = Union[
    TransactionEvent,
    DisputeEvent,
    CryptoTransactionEvent,
    WithdrawalEvent,
    WithdrawalDestinationChangeEvent,
    CallbackUrlChangeEvent,
    WebhookEndpointChangeEvent,
    Unknown,
]

ListTransactionEventsResponseEvent = Union[
    TransactionEvent,
    DisputeEvent,
    Unknown,
]

WebhookEvent = Union[
    FiatTransactionUpdatedWebhook,
    FiatDisputeCreatedWebhook,
    FiatDisputeUpdatedWebhook,
    FiatDisputeClosedWebhook,
    CryptoTransactionCreatedWebhook,
    CryptoTransactionUpdatedWebhook,
    CryptoWithdrawalUpdatedWebhook,
    CryptoWithdrawalDestinationChangedWebhook,
    CallbackUrlChangedWebhook,
    CallbackEndpointChangedWebhook,
    CallbackTestWebhook,
    Unknown,
]

VARIANTS: dict[Any, tuple[str, dict[str, type]]] = {
    CreateTransactionResponse: (
        "type",
        {
            "link": LinkCreated,
            "custom_form": CustomFormCreated,
        },
    ),
    RenewTransactionResponse: (
        "type",
        {
            "link": LinkCreated,
            "custom_form": CustomFormCreated,
        },
    ),
    ListEventsResponseEvent: (
        "type",
        {
            "fiat.transaction.updated": TransactionEvent,
            "fiat.dispute.created": DisputeEvent,
            "fiat.dispute.updated": DisputeEvent,
            "fiat.dispute.closed": DisputeEvent,
            "crypto.transaction.created": CryptoTransactionEvent,
            "crypto.transaction.updated": CryptoTransactionEvent,
            "crypto.withdrawal.updated": WithdrawalEvent,
            "crypto.withdrawal.destination_changed": WithdrawalDestinationChangeEvent,
            "callback.url_changed": CallbackUrlChangeEvent,
            "callback.endpoint_changed": WebhookEndpointChangeEvent,
        },
    ),
    ListTransactionEventsResponseEvent: (
        "type",
        {
            "fiat.transaction.updated": TransactionEvent,
            "fiat.dispute.created": DisputeEvent,
            "fiat.dispute.updated": DisputeEvent,
            "fiat.dispute.closed": DisputeEvent,
        },
    ),
    WebhookEvent: (
        "type",
        {
            "fiat.transaction.updated": FiatTransactionUpdatedWebhook,
            "fiat.dispute.created": FiatDisputeCreatedWebhook,
            "fiat.dispute.updated": FiatDisputeUpdatedWebhook,
            "fiat.dispute.closed": FiatDisputeClosedWebhook,
            "crypto.transaction.created": CryptoTransactionCreatedWebhook,
            "crypto.transaction.updated": CryptoTransactionUpdatedWebhook,
            "crypto.withdrawal.updated": CryptoWithdrawalUpdatedWebhook,
            "crypto.withdrawal.destination_changed": CryptoWithdrawalDestinationChangedWebhook,
            "callback.url_changed": CallbackUrlChangedWebhook,
            "callback.endpoint_changed": CallbackEndpointChangedWebhook,
            "callback.test": CallbackTestWebhook,
        },
    ),
}

<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/** Stable; programs should branch on it. Later releases may add codes. */
final class ProblemCode
{
    public const MALFORMED_JSON = 'malformed_json';
    public const MALFORMED_REQUEST = 'malformed_request';
    public const UNAUTHORIZED = 'unauthorized';
    public const FORBIDDEN = 'forbidden';
    public const MANAGER_ONLY = 'manager_only';
    public const ORIGIN_NOT_ALLOWED = 'origin_not_allowed';
    public const COUNTRY_NOT_SUPPORTED = 'country_not_supported';
    public const NOT_FOUND = 'not_found';
    public const SIGN_IN_FAILED = 'sign_in_failed';
    public const STEP_UP_REQUIRED = 'step_up_required';
    public const SECOND_FACTOR_INVALID = 'second_factor_invalid';
    public const SECOND_FACTOR_NOT_STARTED = 'second_factor_not_started';
    public const PASSKEY_REJECTED = 'passkey_rejected';
    public const LAST_CREDENTIAL = 'last_credential';
    public const ACCOUNT_EXISTS = 'account_exists';
    public const INVITATION_INVALID = 'invitation_invalid';
    public const LAST_OWNER = 'last_owner';
    public const CROSS_SITE_REQUEST = 'cross_site_request';
    public const MERCHANT_REQUIRED = 'merchant_required';
    public const METHOD_NOT_ALLOWED = 'method_not_allowed';
    public const REQUEST_TIMEOUT = 'request_timeout';
    public const TRANSACTION_ID_CONFLICT = 'transaction_id_conflict';
    public const TX_ID_CONFLICT = 'tx_id_conflict';
    public const NOTHING_TO_REVIEW = 'nothing_to_review';
    public const NOTHING_TO_WITHDRAW = 'nothing_to_withdraw';
    public const WITHDRAWAL_BELOW_MINIMUM = 'withdrawal_below_minimum';
    public const WITHDRAWAL_NOT_CANCELLABLE = 'withdrawal_not_cancellable';
    public const NOTHING_TO_SIGN = 'nothing_to_sign';
    public const SUBMIT_IN_PROGRESS = 'submit_in_progress';
    public const PARTIALLY_PAID = 'partially_paid';
    public const TOO_MANY_PAYMENT_ATTEMPTS = 'too_many_payment_attempts';
    public const OVERPAID = 'overpaid';
    public const ALREADY_PAID = 'already_paid';
    public const ALREADY_AUTHORIZED = 'already_authorized';
    public const AMOUNT_CHANGED = 'amount_changed';
    public const CARD_KEY_CHANGED = 'card_key_changed';
    public const NOTHING_TO_ACCEPT = 'nothing_to_accept';
    public const NOT_RENEWABLE = 'not_renewable';
    public const NO_OPEN_AUTHORIZATION = 'no_open_authorization';
    public const AUTHORIZATION_UPDATE_PENDING = 'authorization_update_pending';
    public const REFUND_NOT_SUPPORTED = 'refund_not_supported';
    public const PARTIAL_REFUND_NOT_SUPPORTED = 'partial_refund_not_supported';
    public const ACQUIRER_ACCOUNT_MISSING = 'acquirer_account_missing';
    public const NOT_REFUNDABLE = 'not_refundable';
    public const NO_CALLBACK_URL = 'no_callback_url';
    public const TOO_MANY_ENDPOINTS = 'too_many_endpoints';
    public const SOLD_OUT = 'sold_out';
    public const NOT_CANCELLABLE = 'not_cancellable';
    public const EMAIL_NOT_SET_UP = 'email_not_set_up';
    public const CHALLENGE_NOT_OPEN = 'challenge_not_open';
    public const PAYMENT_METHOD_MISMATCH = 'payment_method_mismatch';
    public const EDIT_CONFLICT = 'edit_conflict';
    public const IDEMPOTENCY_KEY_IN_USE = 'idempotency_key_in_use';
    public const LINK_EXPIRED = 'link_expired';
    public const LINK_CANCELLED = 'link_cancelled';
    public const LINK_FAILED = 'link_failed';
    public const BODY_TOO_LARGE = 'body_too_large';
    public const UNSUPPORTED_MEDIA_TYPE = 'unsupported_media_type';
    public const VALIDATION_FAILED = 'validation_failed';
    public const IDEMPOTENCY_KEY_REUSED = 'idempotency_key_reused';
    public const RATE_LIMITED = 'rate_limited';
    public const HEADERS_TOO_LARGE = 'headers_too_large';
    public const INTERNAL_ERROR = 'internal_error';
    public const ACQUIRER_UNAVAILABLE = 'acquirer_unavailable';
    public const CHAIN_UNAVAILABLE = 'chain_unavailable';
    public const RATE_UNAVAILABLE = 'rate_unavailable';
    public const MERCHANT_MOVING = 'merchant_moving';
    public const UNAVAILABLE = 'unavailable';
}

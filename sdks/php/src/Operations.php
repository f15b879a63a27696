<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch;

/** Every operation of the API. */
trait Operations
{
    /**
     * Create a transaction.
     *
     * Returns a one-time payment link, or the data for your own form (`custom_form`). Repeating the
     * request returns the same link, so retries are safe. A different body with the same `transaction_id`
     * returns `transaction_id_conflict`.
     *
     * Needs the scope `link:write`.
     *
     * @param string|int $transaction_id Your own reference, unique among your transactions
     * @param string $payment_method A method that is enabled for the country and the currency
     * @param int|float $amount In the currency’s own decimals, such as 12.50; at most the maximum of the currency
     * @param string $country ISO 3166-1 alpha-3; NZD is read as NZL
     * @param Model\Currency::* $currency ISO 4217
     * @param string|null $description Purpose of the payment; required for a link
     * @param string|null|Omit $success_redirect_url Redirect after success; required for a link. With `null` the payer stays on the payment page
     * @param string|null|Omit $fail_redirect_url Redirect after failure; required for a link. With `null` the payer stays on the payment page
     * @param 'forward_without_fee'|'forward_with_fee'|null $type_of_calculation Fee added to the amount or deducted from it; required for a link
     * @param 'link'|'custom_form'|null $transaction_type Response type; `link` by default
     * @param \DateTimeInterface|string|null $expires_at Expiry of the link, from 1 minute to 365 days ahead; set by the preference `link-lifetime-minutes` by default
     * @param 'automatic'|'manual'|null $capture `manual`: an approval only authorizes the amount; capture or void it later. Requires a card method whose acquirer supports manual capture. `automatic` by default
     * @param array{first_name?: string, last_name?: string, country?: string, state?: string, city?: string, postcode?: string, address?: string, phone?: string, email?: string}|null $payer Known details of the payer; the payment page does not ask for them again
     * @param list<array{name: string, quantity?: int, unit_amount: int|float, image_url?: string}>|null $line_items Purchased items, shown on the payment page and the receipt. The items must add up to `amount`
     * @param array<string, string>|null $metadata Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500 characters. Payers never see it
     * @param Model\PageLanguage::*|null $locale Initial language of the payment page, as a BCP 47 tag; the browser’s language by default. The payer can choose another
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function createTransaction(
        string|int $transaction_id,
        string $payment_method,
        int|float $amount,
        string $country,
        string $currency,
        ?string $description = null,
        string|null|Omit $success_redirect_url = Omit::Value,
        string|null|Omit $fail_redirect_url = Omit::Value,
        ?string $type_of_calculation = null,
        ?string $transaction_type = null,
        \DateTimeInterface|string|null $expires_at = null,
        ?string $capture = null,
        ?array $payer = null,
        ?array $line_items = null,
        ?array $metadata = null,
        ?string $locale = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\CreateTransactionResponse {
        return $this->call(
            'POST', '/fiat/v1/transaction', 'body',
            [
                'transaction_id' => $transaction_id,
                'payment_method' => $payment_method,
                'amount' => $amount,
                'country' => $country,
                'currency' => $currency,
                'description' => $description ?? Omit::Value,
                'success_redirect_url' => $success_redirect_url,
                'fail_redirect_url' => $fail_redirect_url,
                'type_of_calculation' => $type_of_calculation ?? Omit::Value,
                'transaction_type' => $transaction_type ?? Omit::Value,
                'expires_at' => $expires_at ?? Omit::Value,
                'capture' => $capture ?? Omit::Value,
                'payer' => is_array($payer) ? (object) $payer : $payer ?? Omit::Value,
                'line_items' => $line_items ?? Omit::Value,
                'metadata' => is_array($metadata) ? (object) $metadata : $metadata ?? Omit::Value,
                'locale' => $locale ?? Omit::Value,
            ],
            Model\Unknown::createTransactionResponse(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Retrieve a transaction.
     *
     * Needs the scope `transaction:read`.
     *
     * @param string $transaction_id
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function getTransaction(
        string $transaction_id,
        ?float $timeout = null,
    ): Model\TransactionDetail {
        return $this->call(
            'GET', '/fiat/v1/transaction', 'query',
            [
                'transaction_id' => $transaction_id,
            ],
            Model\TransactionDetail::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Send a payment link by email.
     *
     * Sends the link of an unpaid transaction in the payer’s language, with your branding. Without a mail
     * server, returns `email_not_set_up`.
     *
     * Needs the scope `link:write`.
     *
     * @param string|int $transaction_id Your own reference, unique among your transactions
     * @param string|null $email The recipient; the payer’s email address by default
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function sendPaymentLink(
        string|int $transaction_id,
        ?string $email = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\SendPaymentLinkResponse {
        return $this->call(
            'POST', '/fiat/v1/transaction/send', 'body',
            [
                'transaction_id' => $transaction_id,
                'email' => $email ?? Omit::Value,
            ],
            Model\SendPaymentLinkResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * List transactions.
     *
     * All filters are optional. Newest first by default; ascending if `order` is given. `page` covers the
     * first 10,000 rows; beyond that, use `pagination.next_cursor` or the `Link` header, which is as fast
     * on every page.
     *
     * Needs the scope `transaction:read`.
     *
     * @param 'asc'|'desc'|null $order_direction `asc` by default if `order` is given
     * @param 'created_at'|'updated_at'|'amount'|'status'|'transaction_id'|'payment_method'|null $order Field to sort by; newest first by default
     * @param int|null $page Covers the first 10,000 rows; beyond that, use `cursor`
     * @param int|null $per_page Page size; 20 by default
     * @param string|null $cursor The `pagination.next_cursor` of the previous page; cannot be combined with `page`
     * @param 'true'|null $counts Adds `counts` to the response
     * @param list<'transaction_status_pending'|'transaction_status_waiting'|'transaction_status_confirmed'|'transaction_status_failed'>|null $status
     * @param list<'expired'|'declined'|'cancelled'|'underpaid'|'overpaid'|'rejected'|'reversed'>|null $reason Failure reason
     * @param list<'authorized'|'capture_pending'|'captured'|'void_pending'|'voided'|'expired'>|null $authorization_status Status of the card authorization
     * @param 'true'|null $awaiting_review Only transactions with received funds awaiting review
     * @param list<string>|null $payment_method Method codes, or aliases: qr_scan, promptpay, online_bank_transfer, cards, virtual_bank_account, upi2, ewallet, wire, mobile_money, cup, p2p, cash, agent, alipay, wechat
     * @param string|null $since Created at or after this time: a date (UTC), a date-time, or Unix seconds
     * @param string|null $till Created before this time: a date (inclusive), or a date-time or Unix seconds (exclusive)
     * @param string|null $updated_since Changed at or after this time: a date (UTC), a date-time, or Unix seconds. A change can appear after changes with a later time. To synchronize, start five minutes before the latest change that you read, and skip records that you have with the same time of change; or use `GET /v1/events`, which misses no event
     * @param list<Model\Currency::*>|null $currency
     * @param list<string>|null $country
     * @param list<string>|null $reusable_link_id Only transactions that these reusable links created
     * @param array<string, string>|null $metadata Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive
     * @param string|null $search Prefix of the `transaction_id` (case-sensitive), a complete `metadata` value, or a prefix of the payer’s first name, last name or email (with the scope `approval:write`); four digits also match the end of a card number, and a number such as `12.50` or `$1,250` the `amount`
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listTransactions(
        ?string $order_direction = null,
        ?string $order = null,
        ?int $page = null,
        ?int $per_page = null,
        ?string $cursor = null,
        ?string $counts = null,
        ?array $status = null,
        ?array $reason = null,
        ?array $authorization_status = null,
        ?string $awaiting_review = null,
        ?array $payment_method = null,
        ?string $since = null,
        ?string $till = null,
        ?string $updated_since = null,
        ?array $currency = null,
        ?array $country = null,
        ?array $reusable_link_id = null,
        ?array $metadata = null,
        ?string $search = null,
        ?float $timeout = null,
    ): Model\ListTransactionsResponse {
        return $this->call(
            'GET', '/fiat/v1/transactions', 'query',
            [
                'order_direction' => $order_direction ?? Omit::Value,
                'order' => $order ?? Omit::Value,
                'page' => $page ?? Omit::Value,
                'per_page' => $per_page ?? Omit::Value,
                'cursor' => $cursor ?? Omit::Value,
                'counts' => $counts ?? Omit::Value,
                'status' => $status ?? Omit::Value,
                'reason' => $reason ?? Omit::Value,
                'authorization_status' => $authorization_status ?? Omit::Value,
                'awaiting_review' => $awaiting_review ?? Omit::Value,
                'payment_method' => $payment_method ?? Omit::Value,
                'since' => $since ?? Omit::Value,
                'till' => $till ?? Omit::Value,
                'updated_since' => $updated_since ?? Omit::Value,
                'currency' => $currency ?? Omit::Value,
                'country' => $country ?? Omit::Value,
                'reusable_link_id' => $reusable_link_id ?? Omit::Value,
                'metadata' => is_array($metadata) ? (object) $metadata : $metadata ?? Omit::Value,
                'search' => $search ?? Omit::Value,
            ],
            Model\ListTransactionsResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Iterates over all pages of `listTransactions`, from `cursor` if given. Pages are fetched as needed.
     *
     * @param 'asc'|'desc'|null $order_direction `asc` by default if `order` is given
     * @param 'created_at'|'updated_at'|'amount'|'status'|'transaction_id'|'payment_method'|null $order Field to sort by; newest first by default
     * @param int|null $per_page Page size; 20 by default
     * @param string|null $cursor The `pagination.next_cursor` of the previous page; cannot be combined with `page`
     * @param 'true'|null $counts Adds `counts` to the response
     * @param list<'transaction_status_pending'|'transaction_status_waiting'|'transaction_status_confirmed'|'transaction_status_failed'>|null $status
     * @param list<'expired'|'declined'|'cancelled'|'underpaid'|'overpaid'|'rejected'|'reversed'>|null $reason Failure reason
     * @param list<'authorized'|'capture_pending'|'captured'|'void_pending'|'voided'|'expired'>|null $authorization_status Status of the card authorization
     * @param 'true'|null $awaiting_review Only transactions with received funds awaiting review
     * @param list<string>|null $payment_method Method codes, or aliases: qr_scan, promptpay, online_bank_transfer, cards, virtual_bank_account, upi2, ewallet, wire, mobile_money, cup, p2p, cash, agent, alipay, wechat
     * @param string|null $since Created at or after this time: a date (UTC), a date-time, or Unix seconds
     * @param string|null $till Created before this time: a date (inclusive), or a date-time or Unix seconds (exclusive)
     * @param string|null $updated_since Changed at or after this time: a date (UTC), a date-time, or Unix seconds. A change can appear after changes with a later time. To synchronize, start five minutes before the latest change that you read, and skip records that you have with the same time of change; or use `GET /v1/events`, which misses no event
     * @param list<Model\Currency::*>|null $currency
     * @param list<string>|null $country
     * @param list<string>|null $reusable_link_id Only transactions that these reusable links created
     * @param array<string, string>|null $metadata Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive
     * @param string|null $search Prefix of the `transaction_id` (case-sensitive), a complete `metadata` value, or a prefix of the payer’s first name, last name or email (with the scope `approval:write`); four digits also match the end of a card number, and a number such as `12.50` or `$1,250` the `amount`
     * @return \Generator<int, Model\TransactionListItem>
     * @throws PaylatchException
     */
    public function iterateTransactions(
        ?string $order_direction = null,
        ?string $order = null,
        ?int $per_page = null,
        ?string $cursor = null,
        ?string $counts = null,
        ?array $status = null,
        ?array $reason = null,
        ?array $authorization_status = null,
        ?string $awaiting_review = null,
        ?array $payment_method = null,
        ?string $since = null,
        ?string $till = null,
        ?string $updated_since = null,
        ?array $currency = null,
        ?array $country = null,
        ?array $reusable_link_id = null,
        ?array $metadata = null,
        ?string $search = null,
        ?float $timeout = null,
    ): \Generator {
        do {
            $page = $this->listTransactions(
                order_direction: $order_direction,
                order: $order,
                counts: $counts,
                status: $status,
                reason: $reason,
                authorization_status: $authorization_status,
                awaiting_review: $awaiting_review,
                payment_method: $payment_method,
                since: $since,
                till: $till,
                updated_since: $updated_since,
                currency: $currency,
                country: $country,
                reusable_link_id: $reusable_link_id,
                metadata: $metadata,
                search: $search,
                per_page: $per_page ?? 100,
                cursor: $cursor,
                timeout: $timeout,
            );
            foreach ($page->transactions as $each) {
                yield $each;
            }
            $cursor = $page->pagination->next_cursor;
        } while ($cursor !== null);
    }

    /**
     * Submit a card.
     *
     * Charges a card from your own form. This brings your servers into PCI DSS scope; the payment page and
     * `<pay-form>` do not. A decline is not an error: `response_type` holds the outcome. A page can submit
     * with the `client_token` of its transaction; its `Idempotency-Key` is ignored.
     *
     * Needs the scope `card:submit`.
     *
     * @param string|int $transaction_id Your own reference, unique among your transactions
     * @param string $card_number With or without spaces
     * @param string $card_expiry_month From 1 to 12
     * @param string $card_expiry_year Two or four digits
     * @param string $card_cvv 3 digits, 4 for American Express; never stored
     * @param string $first_name
     * @param string $last_name
     * @param string $country ISO 3166-1 alpha-2
     * @param string $city
     * @param string $address Street address for billing
     * @param string $phone With the country code; spaces, periods, hyphens and parentheses are allowed
     * @param string $email
     * @param string|null $state State, province or region; required unless the country has none
     * @param string|null $postcode Required unless the country has none
     * @param array{user_agent?: string, accept_header?: string, language: string, color_depth: int, screen_width: int, screen_height: int, time_zone_offset: int, java_enabled?: bool, ip_address?: string}|null $browser Helps the issuer approve the payment without a challenge
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function submitCard(
        string|int $transaction_id,
        #[\SensitiveParameter] string $card_number,
        string $card_expiry_month,
        string $card_expiry_year,
        #[\SensitiveParameter] string $card_cvv,
        string $first_name,
        string $last_name,
        string $country,
        string $city,
        string $address,
        string $phone,
        string $email,
        ?string $state = null,
        ?string $postcode = null,
        ?array $browser = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\SubmitCardResponse {
        return $this->call(
            'POST', '/fiat/v1/transaction/submit', 'body',
            [
                'transaction_id' => $transaction_id,
                'card_number' => $card_number,
                'card_expiry_month' => $card_expiry_month,
                'card_expiry_year' => $card_expiry_year,
                'card_cvv' => $card_cvv,
                'first_name' => $first_name,
                'last_name' => $last_name,
                'country' => $country,
                'state' => $state ?? Omit::Value,
                'city' => $city,
                'postcode' => $postcode ?? Omit::Value,
                'address' => $address,
                'phone' => $phone,
                'email' => $email,
                'browser' => is_array($browser) ? (object) $browser : $browser ?? Omit::Value,
            ],
            Model\SubmitCardResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Approve a transaction.
     *
     * Needs the scope `approval:write`.
     *
     * @param string|int $transaction_id Your own reference, unique among your transactions
     * @param string|null $reason Stored with the decision, for your team
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function acceptTransaction(
        string|int $transaction_id,
        ?string $reason = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\TransactionDetail {
        return $this->call(
            'POST', '/fiat/v1/transaction/accept', 'body',
            [
                'transaction_id' => $transaction_id,
                'reason' => $reason ?? Omit::Value,
            ],
            Model\TransactionDetail::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Reject a transaction.
     *
     * The transaction becomes `failed` with the reason `rejected`, and the amount received is refunded to
     * its source; `refunds` shows it. Funds that arrive later are reviewed separately. If the acquirer
     * cannot refund, as for crypto paid to a payment link, the request fails with `refund_not_supported`:
     * refund the payer yourself, then reject the transaction with `out_of_band`.
     *
     * Needs the scope `approval:write`.
     *
     * @param string|int $transaction_id Your own reference, unique among your transactions
     * @param string|null $reason Stored with the decision, for your team
     * @param bool|null $out_of_band True records a refund that you made elsewhere; the acquirer is not called. By default the funds are returned to the original payment method
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function rejectTransaction(
        string|int $transaction_id,
        ?string $reason = null,
        ?bool $out_of_band = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\TransactionDetail {
        return $this->call(
            'POST', '/fiat/v1/transaction/reject', 'body',
            [
                'transaction_id' => $transaction_id,
                'reason' => $reason ?? Omit::Value,
                'out_of_band' => $out_of_band ?? Omit::Value,
            ],
            Model\TransactionDetail::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Cancel a transaction.
     *
     * Needs the scope `link:write`.
     *
     * @param string|int $transaction_id Your own reference, unique among your transactions
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function cancelTransaction(
        string|int $transaction_id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\TransactionDetail {
        return $this->call(
            'POST', '/fiat/v1/transaction/cancel', 'body',
            [
                'transaction_id' => $transaction_id,
            ],
            Model\TransactionDetail::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Renew an expired transaction.
     *
     * Issues a new link with the full lifetime, for the same `transaction_id` and price. The old link
     * redirects to the new one.
     *
     * Needs the scope `link:write`.
     *
     * @param string|int $transaction_id Your own reference, unique among your transactions
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function renewTransaction(
        string|int $transaction_id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\RenewTransactionResponse {
        return $this->call(
            'POST', '/fiat/v1/transaction/renew', 'body',
            [
                'transaction_id' => $transaction_id,
            ],
            Model\Unknown::renewTransactionResponse(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Capture a transaction.
     *
     * Captures an authorized payment, in full or in part. The remaining amount is released. One capture
     * per authorization. The capture may still be pending in the response; a webhook reports when
     * `authorization.status` is `captured`. If the acquirer rejects it, the amount stays `authorized`.
     *
     * Needs the scope `approval:write`.
     *
     * @param string|int $transaction_id Your own reference, unique among your transactions
     * @param int|float|null $amount In the currency’s decimals, at most the authorized amount, which is the default. The remaining amount is released
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function captureTransaction(
        string|int $transaction_id,
        int|float|null $amount = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\TransactionDetail {
        return $this->call(
            'POST', '/fiat/v1/transaction/capture', 'body',
            [
                'transaction_id' => $transaction_id,
                'amount' => $amount ?? Omit::Value,
            ],
            Model\TransactionDetail::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Void an authorization.
     *
     * Releases the amount that is reserved on the card. The transaction fails with the reason `cancelled`.
     * The void may still be pending in the response; a webhook reports when `authorization.status` is
     * `voided`.
     *
     * Needs the scope `approval:write`.
     *
     * @param string|int $transaction_id Your own reference, unique among your transactions
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function voidTransaction(
        string|int $transaction_id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\TransactionDetail {
        return $this->call(
            'POST', '/fiat/v1/transaction/void', 'body',
            [
                'transaction_id' => $transaction_id,
            ],
            Model\TransactionDetail::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Refund a transaction.
     *
     * Refunds the full amount or a part to the original payment method, through the acquirer.
     * `refund_options` of the transaction shows the possible refunds. The refund may still be `pending` in
     * the response; a webhook reports when it `succeeded` or `failed`. Record a refund that you made
     * elsewhere with `out_of_band`. Send an `Idempotency-Key`: without one, a repeated partial refund is
     * issued twice.
     *
     * Needs the scope `approval:write`.
     *
     * @param string|int $transaction_id Your own reference, unique among your transactions
     * @param int|float|null $amount In the currency’s decimals; the full remaining amount by default
     * @param bool|null $out_of_band True records a refund that you made elsewhere; the acquirer is not called. By default the funds are returned to the original payment method
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function refundTransaction(
        string|int $transaction_id,
        int|float|null $amount = null,
        ?bool $out_of_band = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\TransactionDetail {
        return $this->call(
            'POST', '/fiat/v1/transaction/refund', 'body',
            [
                'transaction_id' => $transaction_id,
                'amount' => $amount ?? Omit::Value,
                'out_of_band' => $out_of_band ?? Omit::Value,
            ],
            Model\TransactionDetail::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Erase a payer’s data.
     *
     * Permanently removes a payer’s personal data: name, email, phone, address, network and language, from
     * the payments of one `transaction_id`, or from all with an `email`. Copies in descriptions, line
     * items, events, webhooks, stored responses and the audit log become `[erased]`. Amounts, IDs, times,
     * statuses and the masked card are kept. Merchants’ own systems, acquirers, downloaded exports and
     * backups are not affected.
     *
     * Needs the scope `payer:erase`.
     *
     * @param string|null $transaction_id The payer of this transaction
     * @param string|null $email All payments of the payer with this email address, case-insensitive. With transaction_id: an address to erase from that payment, for a payer who is no longer stored with it
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function erasePayer(
        ?string $transaction_id = null,
        ?string $email = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\ErasePayerResponse {
        return $this->call(
            'POST', '/v1/payers/erase', 'body',
            [
                'transaction_id' => $transaction_id ?? Omit::Value,
                'email' => $email ?? Omit::Value,
            ],
            Model\ErasePayerResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Create a reusable link.
     *
     * Its page creates a transaction with a separate payment link for every buyer. With `stock`, open
     * transactions reserve their quantity for at most 30 minutes, and never more than the stock is sold. A
     * late payment for an expired transaction is still accepted: `sold` can then exceed `stock`.
     *
     * Needs the scope `link:write`.
     *
     * @param string $title Name of the product or purpose; also the description of its transactions
     * @param string $country ISO 3166-1 alpha-3; NZD is read as NZL
     * @param Model\Currency::* $currency ISO 4217
     * @param string $payment_method A method that is enabled for the country and the currency; buyers can switch
     * @param string|null|Omit $description Text below the title
     * @param string|null|Omit $image_url An https:// URL of an image, which the buyer’s browser loads
     * @param 'forward_without_fee'|'forward_with_fee'|null $type_of_calculation Fee added to the amount or deducted from it; `forward_without_fee` by default
     * @param int|float|null|Omit $amount Unit price, in the currency’s decimals; not with `custom_amount`
     * @param array{minimum: int|float, maximum: int|float, suggested?: int|float|null}|null|Omit $custom_amount Limits of an amount that the buyer chooses
     * @param array{minimum: int, maximum: int}|null|Omit $quantity Lets the buyer choose a quantity; only with `amount`
     * @param int|null|Omit $stock Maximum number sold in total; null for no limit
     * @param list<'email'|'name'>|null $ask Details that the buyer must enter; the payment page does not ask again
     * @param string|null|Omit $success_redirect_url Redirect after success; null for our own page
     * @param string|null|Omit $fail_redirect_url Redirect after failure; null for the page of the reusable link
     * @param array<string, string>|null|Omit $metadata Copied to its transactions; see `metadata` there
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function createReusableLink(
        string $title,
        string $country,
        string $currency,
        string $payment_method,
        string|null|Omit $description = Omit::Value,
        string|null|Omit $image_url = Omit::Value,
        ?string $type_of_calculation = null,
        int|float|null|Omit $amount = Omit::Value,
        array|null|Omit $custom_amount = Omit::Value,
        array|null|Omit $quantity = Omit::Value,
        int|null|Omit $stock = Omit::Value,
        ?array $ask = null,
        string|null|Omit $success_redirect_url = Omit::Value,
        string|null|Omit $fail_redirect_url = Omit::Value,
        array|null|Omit $metadata = Omit::Value,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\ReusableLink {
        return $this->call(
            'POST', '/fiat/v1/reusable-links', 'body',
            [
                'title' => $title,
                'description' => $description,
                'image_url' => $image_url,
                'country' => $country,
                'currency' => $currency,
                'payment_method' => $payment_method,
                'type_of_calculation' => $type_of_calculation ?? Omit::Value,
                'amount' => $amount,
                'custom_amount' => is_array($custom_amount) ? (object) $custom_amount : $custom_amount,
                'quantity' => is_array($quantity) ? (object) $quantity : $quantity,
                'stock' => $stock,
                'ask' => $ask ?? Omit::Value,
                'success_redirect_url' => $success_redirect_url,
                'fail_redirect_url' => $fail_redirect_url,
                'metadata' => is_array($metadata) ? (object) $metadata : $metadata,
            ],
            Model\ReusableLink::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * List reusable links.
     *
     * Needs the scope `transaction:read`.
     *
     * @param 'active'|'archived'|null $status
     * @param array<string, string>|null $metadata Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive
     * @param int|null $per_page 20 by default
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listReusableLinks(
        ?string $status = null,
        ?array $metadata = null,
        ?int $per_page = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): Model\ListReusableLinksResponse {
        return $this->call(
            'GET', '/fiat/v1/reusable-links', 'query',
            [
                'status' => $status ?? Omit::Value,
                'metadata' => is_array($metadata) ? (object) $metadata : $metadata ?? Omit::Value,
                'per_page' => $per_page ?? Omit::Value,
                'cursor' => $cursor ?? Omit::Value,
            ],
            Model\ListReusableLinksResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Iterates over all pages of `listReusableLinks`, from `cursor` if given. Pages are fetched as needed.
     *
     * @param 'active'|'archived'|null $status
     * @param array<string, string>|null $metadata Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive
     * @param int|null $per_page 20 by default
     * @param string|null $cursor The `next_cursor` of the previous page
     * @return \Generator<int, Model\ReusableLink>
     * @throws PaylatchException
     */
    public function iterateReusableLinks(
        ?string $status = null,
        ?array $metadata = null,
        ?int $per_page = null,
        ?string $cursor = null,
        ?float $timeout = null,
    ): \Generator {
        do {
            $page = $this->listReusableLinks(
                status: $status,
                metadata: $metadata,
                per_page: $per_page ?? 100,
                cursor: $cursor,
                timeout: $timeout,
            );
            foreach ($page->reusable_links as $each) {
                yield $each;
            }
            $cursor = $page->next_cursor;
        } while ($cursor !== null);
    }

    /**
     * Retrieve a reusable link.
     *
     * Needs the scope `transaction:read`.
     *
     * @param string $id The `id` of the reusable link
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function getReusableLink(
        string $id,
        ?float $timeout = null,
    ): Model\ReusableLink {
        return $this->call(
            'GET', '/fiat/v1/reusable-link', 'query',
            [
                'id' => $id,
            ],
            Model\ReusableLink::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Change a reusable link.
     *
     * Omitted fields stay unchanged. Open transactions keep their price. `amount` replaces
     * `custom_amount`, and vice versa.
     *
     * Needs the scope `link:write`.
     *
     * @param string $id The `id` of the reusable link
     * @param string|null $title Name of the product or purpose; also the description of its transactions
     * @param string|null|Omit $description Text below the title
     * @param string|null|Omit $image_url An https:// URL of an image, which the buyer’s browser loads
     * @param string|null $country ISO 3166-1 alpha-3; NZD is read as NZL
     * @param string|null $payment_method A method that is enabled for the country and the currency; buyers can switch
     * @param 'forward_without_fee'|'forward_with_fee'|null $type_of_calculation Fee added to the amount or deducted from it; `forward_without_fee` by default
     * @param int|float|null|Omit $amount Unit price, in the currency’s decimals; not with `custom_amount`
     * @param array{minimum: int|float, maximum: int|float, suggested?: int|float|null}|null|Omit $custom_amount Limits of an amount that the buyer chooses
     * @param array{minimum: int, maximum: int}|null|Omit $quantity Lets the buyer choose a quantity; only with `amount`
     * @param int|null|Omit $stock Maximum number sold in total; null for no limit
     * @param list<'email'|'name'>|null $ask Details that the buyer must enter; the payment page does not ask again
     * @param string|null|Omit $success_redirect_url Redirect after success; null for our own page
     * @param string|null|Omit $fail_redirect_url Redirect after failure; null for the page of the reusable link
     * @param array<string, string>|null|Omit $metadata Copied to its transactions; see `metadata` there
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function updateReusableLink(
        string $id,
        ?string $title = null,
        string|null|Omit $description = Omit::Value,
        string|null|Omit $image_url = Omit::Value,
        ?string $country = null,
        ?string $payment_method = null,
        ?string $type_of_calculation = null,
        int|float|null|Omit $amount = Omit::Value,
        array|null|Omit $custom_amount = Omit::Value,
        array|null|Omit $quantity = Omit::Value,
        int|null|Omit $stock = Omit::Value,
        ?array $ask = null,
        string|null|Omit $success_redirect_url = Omit::Value,
        string|null|Omit $fail_redirect_url = Omit::Value,
        array|null|Omit $metadata = Omit::Value,
        ?float $timeout = null,
    ): Model\ReusableLink {
        return $this->call(
            'PATCH', '/fiat/v1/reusable-link', 'body',
            [
                'title' => $title ?? Omit::Value,
                'description' => $description,
                'image_url' => $image_url,
                'country' => $country ?? Omit::Value,
                'payment_method' => $payment_method ?? Omit::Value,
                'type_of_calculation' => $type_of_calculation ?? Omit::Value,
                'amount' => $amount,
                'custom_amount' => is_array($custom_amount) ? (object) $custom_amount : $custom_amount,
                'quantity' => is_array($quantity) ? (object) $quantity : $quantity,
                'stock' => $stock,
                'ask' => $ask ?? Omit::Value,
                'success_redirect_url' => $success_redirect_url,
                'fail_redirect_url' => $fail_redirect_url,
                'metadata' => is_array($metadata) ? (object) $metadata : $metadata,
                'id' => $id,
            ],
            Model\ReusableLink::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Archive a reusable link.
     *
     * Its page accepts no new buyers. Open transactions can still be paid.
     *
     * Needs the scope `link:write`.
     *
     * @param string $id The `id` of the reusable link
     * @param bool|null $archived False makes the link active again; true by default
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function archiveReusableLink(
        string $id,
        ?bool $archived = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\ReusableLink {
        return $this->call(
            'POST', '/fiat/v1/reusable-link/archive', 'body',
            [
                'id' => $id,
                'archived' => $archived ?? Omit::Value,
            ],
            Model\ReusableLink::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Create a crypto invoice.
     *
     * Returns a deposit address. Repeating `txId` and `code` returns the same invoice; for the type
     * `user`, `amount`, `description` and `returnUrl` may differ and are then updated. Amounts are whole
     * numbers of the smallest unit (satoshi, wei); `GET /v1/currencies` returns the decimals.
     *
     * Needs the scope `invoice:write`.
     *
     * @param string $txId Your reference, unique among your transactions of one currency
     * @param Model\CryptoCurrencyCode::* $code A cryptocurrency of `GET /v1/currencies`
     * @param 'static'|'revolver'|'user'|'invoice_type_default' $type
     * @param string|null $amount A whole number of the currency’s smallest unit, such as satoshi or wei; optional for the type `user`
     * @param \DateTimeInterface|string|null $expiredAt Expiry, at most 24 hours from now; 30 minutes by default. Not for the type `user`
     * @param string|null $comment Internal note; the payer does not see it
     * @param string|null $description Description shown to the payer
     * @param string|null $returnUrl URL of your page to which the payer returns from the invoice page
     * @param array<string, string>|null $metadata Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500 characters. Payers never see it
     * @param Model\PageLanguage::*|null $locale Initial language of the payment page, as a BCP 47 tag; the browser’s language by default. The payer can choose another
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function createInvoice(
        string $txId,
        string $code,
        string $type,
        ?string $amount = null,
        \DateTimeInterface|string|null $expiredAt = null,
        ?string $comment = null,
        ?string $description = null,
        ?string $returnUrl = null,
        ?array $metadata = null,
        ?string $locale = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\CryptoTransaction {
        return $this->call(
            'POST', '/v1/transaction/invoice', 'body',
            [
                'txId' => $txId,
                'code' => $code,
                'amount' => $amount ?? Omit::Value,
                'type' => $type,
                'expiredAt' => $expiredAt ?? Omit::Value,
                'comment' => $comment ?? Omit::Value,
                'description' => $description ?? Omit::Value,
                'returnUrl' => $returnUrl ?? Omit::Value,
                'metadata' => is_array($metadata) ? (object) $metadata : $metadata ?? Omit::Value,
                'locale' => $locale ?? Omit::Value,
            ],
            Model\CryptoTransaction::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Retrieve a crypto transaction.
     *
     * Needs the scope `transaction:read`.
     *
     * @param string|null $txId Your reference, unique among your transactions of one currency
     * @param Model\CryptoCurrencyCode::*|null $code A cryptocurrency of `GET /v1/currencies`
     * @param string|null $id Instead of `txId` and `code`: the `id` of a response, for deposits without a `txId`
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function getCryptoTransaction(
        ?string $txId = null,
        ?string $code = null,
        ?string $id = null,
        ?float $timeout = null,
    ): Model\CryptoTransaction {
        return $this->call(
            'GET', '/v1/transaction', 'query',
            [
                'txId' => $txId ?? Omit::Value,
                'code' => $code ?? Omit::Value,
                'id' => $id ?? Omit::Value,
            ],
            Model\CryptoTransaction::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * List crypto transactions.
     *
     * `status=approved_required` is the review queue: late, underpaid, overpaid and duplicate deposits,
     * and deposits without an invoice. `availableActions` lists the possible actions. Newest first.
     *
     * Needs the scope `transaction:read`.
     *
     * @param list<Model\CryptoStatus::*>|null $status
     * @param list<Model\CryptoCurrencyCode::*>|null $code
     * @param string|null $since Created at or after this time: a date (UTC), a date-time, or Unix seconds
     * @param string|null $till Created before this time: a date (inclusive), or a date-time or Unix seconds (exclusive)
     * @param string|null $updated_since Changed at or after this time: a date (UTC), a date-time, or Unix seconds. A change can appear after changes with a later time. To synchronize, start five minutes before the latest change that you read, and skip records that you have with the same time of change; or use `GET /v1/events`, which misses no event
     * @param array<string, string>|null $metadata Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive
     * @param string|null $search Prefix of a `txId` (case-sensitive), a full `walletAddress` or `txHash`, or a complete `metadata` value
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page Page size; 20 by default
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listCryptoTransactions(
        ?array $status = null,
        ?array $code = null,
        ?string $since = null,
        ?string $till = null,
        ?string $updated_since = null,
        ?array $metadata = null,
        ?string $search = null,
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): Model\ListCryptoTransactionsResponse {
        return $this->call(
            'GET', '/v1/transactions', 'query',
            [
                'status' => $status ?? Omit::Value,
                'code' => $code ?? Omit::Value,
                'since' => $since ?? Omit::Value,
                'till' => $till ?? Omit::Value,
                'updated_since' => $updated_since ?? Omit::Value,
                'metadata' => is_array($metadata) ? (object) $metadata : $metadata ?? Omit::Value,
                'search' => $search ?? Omit::Value,
                'cursor' => $cursor ?? Omit::Value,
                'per_page' => $per_page ?? Omit::Value,
            ],
            Model\ListCryptoTransactionsResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Iterates over all pages of `listCryptoTransactions`, from `cursor` if given. Pages are fetched as needed.
     *
     * @param list<Model\CryptoStatus::*>|null $status
     * @param list<Model\CryptoCurrencyCode::*>|null $code
     * @param string|null $since Created at or after this time: a date (UTC), a date-time, or Unix seconds
     * @param string|null $till Created before this time: a date (inclusive), or a date-time or Unix seconds (exclusive)
     * @param string|null $updated_since Changed at or after this time: a date (UTC), a date-time, or Unix seconds. A change can appear after changes with a later time. To synchronize, start five minutes before the latest change that you read, and skip records that you have with the same time of change; or use `GET /v1/events`, which misses no event
     * @param array<string, string>|null $metadata Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive
     * @param string|null $search Prefix of a `txId` (case-sensitive), a full `walletAddress` or `txHash`, or a complete `metadata` value
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page Page size; 20 by default
     * @return \Generator<int, Model\CryptoTransaction>
     * @throws PaylatchException
     */
    public function iterateCryptoTransactions(
        ?array $status = null,
        ?array $code = null,
        ?string $since = null,
        ?string $till = null,
        ?string $updated_since = null,
        ?array $metadata = null,
        ?string $search = null,
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): \Generator {
        do {
            $page = $this->listCryptoTransactions(
                status: $status,
                code: $code,
                since: $since,
                till: $till,
                updated_since: $updated_since,
                metadata: $metadata,
                search: $search,
                per_page: $per_page ?? 100,
                cursor: $cursor,
                timeout: $timeout,
            );
            foreach ($page->transactions as $each) {
                yield $each;
            }
            $cursor = $page->next_cursor;
        } while ($cursor !== null);
    }

    /**
     * Approve a crypto transaction.
     *
     * Needs the scope `approval:write`.
     *
     * @param string $id
     * @param string|null $reason
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function approveCryptoTransaction(
        string $id,
        ?string $reason = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\CryptoTransaction {
        return $this->call(
            'POST', '/v1/transaction/approve', 'body',
            [
                'id' => $id,
                'reason' => $reason ?? Omit::Value,
            ],
            Model\CryptoTransaction::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Reject a crypto transaction.
     *
     * With `refundAddress`, the deposits are refunded: `refunding`, then `refunded`. This also needs the
     * scope `withdrawal:write`, and a refund to a new address is held for the destination delay. Without
     * it, the transaction becomes `failed`; until its funds are withdrawn, it can be rejected again with
     * an address to refund it. For type `user`, only the deposits in review are rejected, and
     * `refundAddress` is not allowed.
     *
     * Needs the scope `approval:write`.
     *
     * @param string $id
     * @param string|null $reason
     * @param string|null $refundAddress Refund address; needs the scope `withdrawal:write`. Without it nothing is sent. Not allowed for type `user`
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function rejectCryptoTransaction(
        string $id,
        ?string $reason = null,
        ?string $refundAddress = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\CryptoTransaction {
        return $this->call(
            'POST', '/v1/transaction/reject', 'body',
            [
                'id' => $id,
                'reason' => $reason ?? Omit::Value,
                'refundAddress' => $refundAddress ?? Omit::Value,
            ],
            Model\CryptoTransaction::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * List cryptocurrencies.
     *
     * Needs the scope `transaction:read`.
     *
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listCurrencies(
        ?float $timeout = null,
    ): Model\ListCurrenciesResponse {
        return $this->call(
            'GET', '/v1/currencies', 'nothing',
            [],
            Model\ListCurrenciesResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * List balances.
     *
     * Funds of all wallets, by currency; currencies without funds are omitted. Amounts are in the smallest
     * unit (`GET /v1/currencies` returns the decimals). `GET /v1/wallets` with `funded=true` lists the
     * wallets that hold the funds.
     *
     * Needs the scope `transaction:read`.
     *
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listBalances(
        ?float $timeout = null,
    ): Model\ListBalancesResponse {
        return $this->call(
            'GET', '/v1/balances', 'nothing',
            [],
            Model\ListBalancesResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * List wallets.
     *
     * Newest first. Amounts are in the smallest unit (`GET /v1/currencies` returns the decimals):
     * `balance` is the on-chain balance, `parts` splits it into credited, being sent, confirming, awaiting
     * review, unattributed and rejected funds.
     *
     * Needs the scope `transaction:read`.
     *
     * @param list<'assigned'|'free'|'rotated'|'retired'>|null $state
     * @param list<'btc'|'eth'|'usdt'|'usdc'|'ltc'>|null $code
     * @param 'true'|null $funded Only wallets with a balance
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page Page size; 20 by default
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listWallets(
        ?array $state = null,
        ?array $code = null,
        ?string $funded = null,
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): Model\ListWalletsResponse {
        return $this->call(
            'GET', '/v1/wallets', 'query',
            [
                'state' => $state ?? Omit::Value,
                'code' => $code ?? Omit::Value,
                'funded' => $funded ?? Omit::Value,
                'cursor' => $cursor ?? Omit::Value,
                'per_page' => $per_page ?? Omit::Value,
            ],
            Model\ListWalletsResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Iterates over all pages of `listWallets`, from `cursor` if given. Pages are fetched as needed.
     *
     * @param list<'assigned'|'free'|'rotated'|'retired'>|null $state
     * @param list<'btc'|'eth'|'usdt'|'usdc'|'ltc'>|null $code
     * @param 'true'|null $funded Only wallets with a balance
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page Page size; 20 by default
     * @return \Generator<int, Model\Wallet>
     * @throws PaylatchException
     */
    public function iterateWallets(
        ?array $state = null,
        ?array $code = null,
        ?string $funded = null,
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): \Generator {
        do {
            $page = $this->listWallets(
                state: $state,
                code: $code,
                funded: $funded,
                per_page: $per_page ?? 100,
                cursor: $cursor,
                timeout: $timeout,
            );
            foreach ($page->wallets as $each) {
                yield $each;
            }
            $cursor = $page->next_cursor;
        } while ($cursor !== null);
    }

    /**
     * Rotate a wallet.
     *
     * No new invoice uses the wallet; it is retired when its last invoice ends. A user’s wallet is retired
     * immediately, and its invoice gets another address.
     *
     * Needs the scope `invoice:write` and a manager’s token.
     *
     * @param string $walletAddress As in the invoice
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function rotateWallet(
        string $walletAddress,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\RotateWalletResponse {
        return $this->call(
            'POST', '/v1/wallet/rotate', 'body',
            [
                'walletAddress' => $walletAddress,
            ],
            Model\RotateWalletResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * List withdrawals.
     *
     * Newest first. `status=to_sign` lists withdrawals to sign; `waitsFor` states why one is `waiting`.
     *
     * Needs the scope `transaction:read`.
     *
     * @param list<'waiting'|'to_sign'|'sent'|'confirmed'|'failed'>|null $status
     * @param list<Model\CryptoCurrencyCode::*>|null $code
     * @param string|null $updated_since Changed at or after this time: a date (UTC), a date-time, or Unix seconds. A change can appear after changes with a later time. To synchronize, start five minutes before the latest change that you read, and skip records that you have with the same time of change; or use `GET /v1/events`, which misses no event
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page Page size; 20 by default
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listWithdrawals(
        ?array $status = null,
        ?array $code = null,
        ?string $updated_since = null,
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): Model\ListWithdrawalsResponse {
        return $this->call(
            'GET', '/v1/withdrawals', 'query',
            [
                'status' => $status ?? Omit::Value,
                'code' => $code ?? Omit::Value,
                'updated_since' => $updated_since ?? Omit::Value,
                'cursor' => $cursor ?? Omit::Value,
                'per_page' => $per_page ?? Omit::Value,
            ],
            Model\ListWithdrawalsResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Create a withdrawal.
     *
     * Sends funds of a wallet to an address: credited, unattributed, or rejected without a refund. The
     * operator’s fee limits apply; the merchant’s fee limit does not. A withdrawal to an address other
     * than the effective destination of automatic withdrawals is held for the destination delay
     * (`heldUntil`). A token has `withdrawal:write` only if it was requested.
     *
     * Needs the scope `withdrawal:write` and a manager’s token.
     *
     * @param Model\CryptoCurrencyCode::* $code A cryptocurrency of `GET /v1/currencies`
     * @param string $walletAddress Wallet to withdraw from
     * @param 'credited'|'unattributed'|'rejected' $source `credited`, `unattributed` (received after the wallet was retired) or `rejected` (not refunded)
     * @param string $destination Destination address
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function createWithdrawal(
        string $code,
        string $walletAddress,
        string $source,
        string $destination,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\Withdrawal {
        return $this->call(
            'POST', '/v1/withdrawals', 'body',
            [
                'code' => $code,
                'walletAddress' => $walletAddress,
                'source' => $source,
                'destination' => $destination,
            ],
            Model\Withdrawal::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Retrieve a withdrawal.
     *
     * Needs the scope `transaction:read`.
     *
     * @param string $id
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function getWithdrawal(
        string $id,
        ?float $timeout = null,
    ): Model\WithdrawalDetail {
        return $this->call(
            'GET', '/v1/withdrawal', 'query',
            [
                'id' => $id,
            ],
            Model\WithdrawalDetail::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Submit a signed withdrawal.
     *
     * Broadcasts an externally signed transaction. It must match `unsigned` of `GET /v1/withdrawal`: the
     * same inputs, destination and amount.
     *
     * Needs the scope `withdrawal:write`.
     *
     * @param string $id
     * @param string $signed PSBT in base64 or the transaction in hexadecimal; on Ethereum the transaction in hexadecimal with 0x
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function submitWithdrawal(
        string $id,
        string $signed,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\Withdrawal {
        return $this->call(
            'POST', '/v1/withdrawal/submit', 'body',
            [
                'id' => $id,
                'signed' => $signed,
            ],
            Model\Withdrawal::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Cancel a withdrawal.
     *
     * Until `heldUntil`, any caller with `withdrawal:write` can cancel it; after that only a manager can,
     * until its transaction is in a block. If nothing is signed yet, the withdrawal becomes `failed`
     * immediately. Otherwise a replacement is created with a higher fee than every transaction sent: on
     * Bitcoin and Litecoin it returns the same coins to one of their wallets, on Ethereum it uses the same
     * nonce and moves nothing. `cancelling` is true until one of them is final: `failed` if the
     * replacement is mined, `confirmed` if it was too late. Only the replacement’s fee is lost. If the
     * keys are held externally, the replacement is `to_sign`. Repeating the request changes nothing. The
     * funds can then be withdrawn again; with `auto-withdrawal`, credited funds are swept again. The
     * transaction of a refund becomes `failed`: reject it again with another `refundAddress`, or withdraw
     * returned coins manually as `rejected`.
     *
     * Needs the scope `withdrawal:write`.
     *
     * @param string $id
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function cancelWithdrawal(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\Withdrawal {
        return $this->call(
            'POST', '/v1/withdrawal/cancel', 'body',
            [
                'id' => $id,
            ],
            Model\Withdrawal::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * List events.
     *
     * For servers behind a firewall, and to catch up after an outage. Returns the same objects as
     * webhooks, with the same `id`, in a fixed order: store `next` to receive each event exactly once.
     * Events can be pulled for 90 days. `wait` long-polls until an event arrives.
     *
     * Needs the scope `transaction:read`.
     *
     * @param string|null $after The `next` of the previous response; by default the oldest stored event
     * @param int|null $limit Page size; 20 by default
     * @param int|null $wait Seconds to wait for an event if there is none yet
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listEvents(
        ?string $after = null,
        ?int $limit = null,
        ?int $wait = null,
        ?float $timeout = null,
    ): Model\ListEventsResponse {
        return $this->call(
            'GET', '/v1/events', 'query',
            [
                'after' => $after ?? Omit::Value,
                'limit' => $limit ?? Omit::Value,
                'wait' => $wait ?? Omit::Value,
            ],
            Model\ListEventsResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * List events of a transaction.
     *
     * Needs the scope `transaction:read`.
     *
     * @param string $transaction_id
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listTransactionEvents(
        string $transaction_id,
        ?float $timeout = null,
    ): Model\ListTransactionEventsResponse {
        return $this->call(
            'GET', '/fiat/v1/transaction/events', 'query',
            [
                'transaction_id' => $transaction_id,
            ],
            Model\ListTransactionEventsResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Retrieve transaction statistics.
     *
     * Statistics of transactions created in a period of at most 366 days, the last 30 by default: paid
     * counts and amounts received by currency, day, hour, method and country, and failure reasons. Days,
     * hours, `since` and `till` are in `time_zone`.
     *
     * Needs the scope `transaction:read`.
     *
     * @param string|null $since Start of the period: a date (in `time_zone`), a date-time, or Unix seconds; 30 days ago by default
     * @param string|null $till End of the period: a date (inclusive), or a date-time or Unix seconds (exclusive); today by default
     * @param string|null $time_zone IANA time zone of days and hours, or an offset such as `+05:30`; UTC by default
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function getStatistics(
        ?string $since = null,
        ?string $till = null,
        ?string $time_zone = null,
        ?float $timeout = null,
    ): Model\Statistics {
        return $this->call(
            'GET', '/v1/statistics', 'query',
            [
                'since' => $since ?? Omit::Value,
                'till' => $till ?? Omit::Value,
                'time_zone' => $time_zone ?? Omit::Value,
            ],
            Model\Statistics::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * List exchange rates.
     *
     * Prices of all cryptocurrencies and currencies, with the quotes of each source and their times. A
     * price outside the operator’s limits is unavailable: payment links then do not offer the
     * cryptocurrency, and invoices return `rate_unavailable`.
     *
     * Needs the scope `transaction:read`.
     *
     * @param Model\Currency::*|null $currency Currency of the prices; `USD` by default
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listRates(
        ?string $currency = null,
        ?float $timeout = null,
    ): Model\ListRatesResponse {
        return $this->call(
            'GET', '/v1/rates', 'query',
            [
                'currency' => $currency ?? Omit::Value,
            ],
            Model\ListRatesResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * List webhooks.
     *
     * Needs the scope `callback:read`.
     *
     * @param list<'pending'|'delivered'|'failed'>|null $state
     * @param string|null $transaction_id Your reference for a fiat or crypto transaction, or the `id` of a crypto transaction or withdrawal
     * @param string|null $endpoint_id An endpoint: `we_…` or `callback-url`
     * @param list<'fiat.transaction.updated'|'fiat.dispute.created'|'fiat.dispute.updated'|'fiat.dispute.closed'|'crypto.transaction.created'|'crypto.transaction.updated'|'crypto.withdrawal.updated'|'crypto.withdrawal.destination_changed'|'callback.url_changed'|'callback.endpoint_changed'|'callback.test'>|null $type Event types
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page Page size; 20 by default
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listCallbacks(
        ?array $state = null,
        ?string $transaction_id = null,
        ?string $endpoint_id = null,
        ?array $type = null,
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): Model\ListCallbacksResponse {
        return $this->call(
            'GET', '/v1/callbacks', 'query',
            [
                'state' => $state ?? Omit::Value,
                'transaction_id' => $transaction_id ?? Omit::Value,
                'endpoint_id' => $endpoint_id ?? Omit::Value,
                'type' => $type ?? Omit::Value,
                'cursor' => $cursor ?? Omit::Value,
                'per_page' => $per_page ?? Omit::Value,
            ],
            Model\ListCallbacksResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Iterates over all pages of `listCallbacks`, from `cursor` if given. Pages are fetched as needed.
     *
     * @param list<'pending'|'delivered'|'failed'>|null $state
     * @param string|null $transaction_id Your reference for a fiat or crypto transaction, or the `id` of a crypto transaction or withdrawal
     * @param string|null $endpoint_id An endpoint: `we_…` or `callback-url`
     * @param list<'fiat.transaction.updated'|'fiat.dispute.created'|'fiat.dispute.updated'|'fiat.dispute.closed'|'crypto.transaction.created'|'crypto.transaction.updated'|'crypto.withdrawal.updated'|'crypto.withdrawal.destination_changed'|'callback.url_changed'|'callback.endpoint_changed'|'callback.test'>|null $type Event types
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page Page size; 20 by default
     * @return \Generator<int, Model\Callback>
     * @throws PaylatchException
     */
    public function iterateCallbacks(
        ?array $state = null,
        ?string $transaction_id = null,
        ?string $endpoint_id = null,
        ?array $type = null,
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): \Generator {
        do {
            $page = $this->listCallbacks(
                state: $state,
                transaction_id: $transaction_id,
                endpoint_id: $endpoint_id,
                type: $type,
                per_page: $per_page ?? 100,
                cursor: $cursor,
                timeout: $timeout,
            );
            foreach ($page->callbacks as $each) {
                yield $each;
            }
            $cursor = $page->next_cursor;
        } while ($cursor !== null);
    }

    /**
     * Retrieve a webhook and its delivery attempts.
     *
     * Needs the scope `callback:read`.
     *
     * @param string $id The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the endpoint
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function getCallback(
        string $id,
        ?float $timeout = null,
    ): Model\CallbackDetail {
        return $this->call(
            'GET', '/v1/callback', 'query',
            [
                'id' => $id,
            ],
            Model\CallbackDetail::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Redeliver a webhook.
     *
     * Sends the webhook immediately with the same `webhook-id`, regardless of its state. Enables a
     * disabled endpoint.
     *
     * Needs the scope `callback:send`.
     *
     * @param string $id The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the endpoint
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function redeliverCallback(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\Callback {
        return $this->call(
            'POST', '/v1/callback/redeliver', 'body',
            [
                'id' => $id,
            ],
            Model\Callback::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Send a test webhook.
     *
     * Sends `callback.test` to `callback-url` and returns the response. A successful delivery enables a
     * disabled endpoint.
     *
     * Needs the scope `callback:send`.
     *
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function testCallback(
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\TestCallbackResponse {
        return $this->call(
            'POST', '/v1/callback/test', 'body',
            [],
            Model\TestCallbackResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Rotate the webhook secret.
     *
     * For a transition period, webhooks are signed with both secrets, so that endpoints can switch without
     * rejecting any. A signed-in user must have confirmed their identity in the last five minutes (`403
     * step_up_required`).
     *
     * Needs the scope `callback:manage`.
     *
     * @param int|null $keep_hours Hours that the old secret also signs; 24 by default. Use 0 if it leaked
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function rotateCallbackSecret(
        ?int $keep_hours = null,
        ?float $timeout = null,
    ): Model\RotateCallbackSecretResponse {
        return $this->call(
            'POST', '/v1/callback/secret', 'body',
            [
                'keep_hours' => $keep_hours ?? Omit::Value,
            ],
            Model\RotateCallbackSecretResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Retrieve webhook verification keys.
     *
     * Returns your merchant ID and the public keys for `v1a` signatures (Ed25519), which need no shared
     * secret.
     *
     * Needs the scope `callback:read`.
     *
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function getCallbackKeys(
        ?float $timeout = null,
    ): Model\GetCallbackKeysResponse {
        return $this->call(
            'GET', '/v1/callback/keys', 'nothing',
            [],
            Model\GetCallbackKeysResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * List webhook endpoints.
     *
     * The endpoint of the preference `callback-url`, if it is set, and the added endpoints.
     *
     * Needs the scope `callback:read`.
     *
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listWebhookEndpoints(
        ?float $timeout = null,
    ): Model\ListWebhookEndpointsResponse {
        return $this->call(
            'GET', '/v1/webhook-endpoints', 'nothing',
            [],
            Model\ListWebhookEndpointsResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Add a webhook endpoint.
     *
     * It receives events created from now on. At most 16 in addition to `callback-url`. Needs
     * `transaction:read` too, since the endpoint receives payments. Endpoints can be added and changed 60
     * times per hour (`429 rate_limited`). Your endpoints, and the previous URLs of the last day, receive
     * `callback.endpoint_changed`. A signed-in user must have confirmed their identity in the last five
     * minutes (`403 step_up_required`).
     *
     * Needs the scope `callback:manage`.
     *
     * @param string $url Same rules as `callback-url`: https, and not in a private network
     * @param string|null|Omit $description
     * @param list<'fiat.transaction.updated'|'fiat.dispute.created'|'fiat.dispute.updated'|'fiat.dispute.closed'|'crypto.transaction.created'|'crypto.transaction.updated'|'crypto.withdrawal.updated'>|null|Omit $event_types Types of events to send; null for all. Security notices are always sent
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function addWebhookEndpoint(
        string $url,
        string|null|Omit $description = Omit::Value,
        array|null|Omit $event_types = Omit::Value,
        ?float $timeout = null,
    ): Model\AddWebhookEndpointResponse {
        return $this->call(
            'POST', '/v1/webhook-endpoints', 'body',
            [
                'url' => $url,
                'description' => $description,
                'event_types' => $event_types,
            ],
            Model\AddWebhookEndpointResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Retrieve a webhook endpoint.
     *
     * Needs the scope `callback:read`.
     *
     * @param string $id `we_…`, or `callback-url` for the endpoint of that preference
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function getWebhookEndpoint(
        string $id,
        ?float $timeout = null,
    ): Model\WebhookEndpoint {
        return $this->call(
            'GET', '/v1/webhook-endpoint', 'query',
            [
                'id' => $id,
            ],
            Model\WebhookEndpoint::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Change a webhook endpoint.
     *
     * Omitted fields stay unchanged. Pending webhooks go to the new URL; new event types apply to events
     * from then on. `url` and `event_types` need `transaction:read` too. Endpoints can be added and
     * changed 60 times per hour (`429 rate_limited`). Your endpoints, and the previous URLs of the last
     * day, receive `callback.endpoint_changed`. A signed-in user must have confirmed their identity in the
     * last five minutes (`403 step_up_required`).
     *
     * Needs the scope `callback:manage`.
     *
     * @param string $id `we_…`, or `callback-url` for the endpoint of that preference
     * @param string|null $url Same rules as `callback-url`: https, and not in a private network
     * @param string|null|Omit $description
     * @param list<'fiat.transaction.updated'|'fiat.dispute.created'|'fiat.dispute.updated'|'fiat.dispute.closed'|'crypto.transaction.created'|'crypto.transaction.updated'|'crypto.withdrawal.updated'>|null|Omit $event_types Types of events to send; null for all. Security notices are always sent
     * @param bool|null $enabled true also enables an endpoint that was disabled after failures
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function updateWebhookEndpoint(
        string $id,
        ?string $url = null,
        string|null|Omit $description = Omit::Value,
        array|null|Omit $event_types = Omit::Value,
        ?bool $enabled = null,
        ?float $timeout = null,
    ): Model\WebhookEndpoint {
        return $this->call(
            'PATCH', '/v1/webhook-endpoint', 'body',
            [
                'id' => $id,
                'url' => $url ?? Omit::Value,
                'description' => $description,
                'event_types' => $event_types,
                'enabled' => $enabled ?? Omit::Value,
            ],
            Model\WebhookEndpoint::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Rotate a webhook endpoint’s secret.
     *
     * Works as `POST /v1/callback/secret`, for one endpoint. A signed-in user must have confirmed their
     * identity in the last five minutes (`403 step_up_required`).
     *
     * Needs the scope `callback:manage`.
     *
     * @param string $id `we_…`, or `callback-url` for the endpoint of that preference
     * @param int|null $keep_hours Hours that the old secret also signs; 24 by default. Use 0 if it leaked
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function rotateWebhookEndpointSecret(
        string $id,
        ?int $keep_hours = null,
        ?float $timeout = null,
    ): Model\RotateWebhookEndpointSecretResponse {
        return $this->call(
            'POST', '/v1/webhook-endpoint/secret', 'body',
            [
                'keep_hours' => $keep_hours ?? Omit::Value,
                'id' => $id,
            ],
            Model\RotateWebhookEndpointSecretResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Send a test webhook to an endpoint.
     *
     * Sends `callback.test` now, regardless of the event types and status of the endpoint, and returns the
     * response. A successful delivery enables an endpoint that was disabled after failures.
     *
     * Needs the scope `callback:send`.
     *
     * @param string $id `we_…`, or `callback-url` for the endpoint of that preference
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function testWebhookEndpoint(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\TestWebhookEndpointResponse {
        return $this->call(
            'POST', '/v1/webhook-endpoint/test', 'body',
            [
                'id' => $id,
            ],
            Model\TestWebhookEndpointResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Redeliver all failed webhooks of an endpoint.
     *
     * In order within a payment, invoice or withdrawal. Enables an endpoint that was disabled after
     * failures.
     *
     * Needs the scope `callback:send`.
     *
     * @param string $id `we_…`, or `callback-url` for the endpoint of that preference
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function redeliverFailedCallbacks(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\RedeliverFailedCallbacksResponse {
        return $this->call(
            'POST', '/v1/webhook-endpoint/redeliver', 'body',
            [
                'id' => $id,
            ],
            Model\RedeliverFailedCallbacksResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Remove a webhook endpoint.
     *
     * Its pending webhooks are not delivered; the events stay in `GET /v1/events`. Your endpoints, and the
     * previous URLs of the last day, receive `callback.endpoint_changed`. A signed-in user must have
     * confirmed their identity in the last five minutes (`403 step_up_required`).
     *
     * Needs the scope `callback:manage`.
     *
     * @param string $id `we_…`, or `callback-url` for the endpoint of that preference
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function removeWebhookEndpoint(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\RemoveWebhookEndpointResponse {
        return $this->call(
            'POST', '/v1/webhook-endpoint/remove', 'body',
            [
                'id' => $id,
            ],
            Model\RemoveWebhookEndpointResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * List payment methods.
     *
     * Needs the scope `transaction:read`.
     *
     * @param string $country ISO 3166-1 alpha-3; NZD is read as NZL
     * @param Model\Currency::*|null $currency If omitted: every currency of the country, and those in which the merchant has a method
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listPaymentMethods(
        string $country,
        ?string $currency = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\ListPaymentMethodsResponse {
        return $this->call(
            'POST', '/fiat/v1/merchant/payment-methods', 'body',
            [
                'country' => $country,
                'currency' => $currency ?? Omit::Value,
            ],
            Model\ListPaymentMethodsResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Set a merchant’s payment methods.
     *
     * Sets which methods the merchant can use, and their fees. Applies all settings or none. An omitted
     * fee stays unchanged; it is 0 initially.
     *
     * Needs the scope `preference:write` and a manager’s token.
     *
     * @param list<array{payment_method: string, currency: Model\Currency::*, status: 'enable'|'disable', fee_fix?: int|float, fee_percent?: int|float}> $payment_methods
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function setPaymentMethods(
        array $payment_methods,
        ?float $timeout = null,
    ): Model\SetPaymentMethodsResponse {
        return $this->call(
            'PATCH', '/fiat/v1/merchant/payment-methods', 'body',
            [
                'payment_methods' => $payment_methods,
            ],
            Model\SetPaymentMethodsResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * List preferences.
     *
     * Needs the scope `preference:read`.
     *
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listPreferences(
        ?float $timeout = null,
    ): Model\ListPreferencesResponse {
        return $this->call(
            'GET', '/v1/merchant/preferences', 'nothing',
            [],
            Model\ListPreferencesResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Set a preference.
     *
     * `null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` also need the
     * scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To change `callback-url`, a
     * signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
     * Each of these addresses can be changed 60 times per hour (`429 rate_limited`); unsetting it is not
     * limited.
     *
     * Needs the scope `preference:write`.
     *
     * @param string $key Such as `callback-url`
     * @param bool|int|float|string|array|null $value A value of the key’s type, or its string form; lists also as a string that contains a JSON array. null unsets the preference
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function setPreference(
        string $key,
        bool|int|float|string|array|null $value,
        ?float $timeout = null,
    ): Model\Preference {
        return $this->call(
            'PATCH', '/v1/merchant/preferences', 'body',
            [
                'key' => $key,
                'value' => $value,
            ],
            Model\Preference::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Set several preferences.
     *
     * `null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` also need the
     * scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To change `callback-url`, a
     * signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
     * Each of these addresses can be changed 60 times per hour (`429 rate_limited`); unsetting it is not
     * limited.
     *
     * Needs the scope `preference:write`.
     *
     * @param list<array{key: string, value: bool|int|float|string|array|null}> $preferences
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function setPreferences(
        array $preferences,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\SetPreferencesResponse {
        return $this->call(
            'POST', '/v1/merchant/preferences', 'body',
            [
                'preferences' => $preferences,
            ],
            Model\SetPreferencesResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * List preference keys.
     *
     * Returns each key with its meaning, allowed values, default, current value, and who set it. `{CODE}`
     * is expanded for each cryptocurrency.
     *
     * Needs the scope `preference:read`.
     *
     * @param string|null $key Only this key
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listPreferenceKeys(
        ?string $key = null,
        ?float $timeout = null,
    ): Model\ListPreferenceKeysResponse {
        return $this->call(
            'GET', '/v1/merchant/preferences/keys', 'query',
            [
                'key' => $key ?? Omit::Value,
            ],
            Model\ListPreferenceKeysResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Set several preferences (singular path).
     *
     * `null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` also need the
     * scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To change `callback-url`, a
     * signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
     * Each of these addresses can be changed 60 times per hour (`429 rate_limited`); unsetting it is not
     * limited.
     *
     * Needs the scope `preference:write`.
     *
     * @param list<array{key: string, value: bool|int|float|string|array|null}> $preferences
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function setPreferencesSingular(
        array $preferences,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\SetPreferencesSingularResponse {
        return $this->call(
            'POST', '/v1/merchant/preference', 'body',
            [
                'preferences' => $preferences,
            ],
            Model\SetPreferencesSingularResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Retrieve the logo.
     *
     * Needs the scope `preference:read`.
     *
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function getLogo(
        ?float $timeout = null,
    ): Model\GetLogoResponse {
        return $this->call(
            'GET', '/v1/merchant/logo', 'nothing',
            [],
            Model\GetLogoResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Upload a logo.
     *
     * Payment pages show it in place of the image at `brand-logo-url`. The image is re-encoded as PNG of
     * at most 256 × 256 pixels, without metadata or animation. A new upload replaces it.
     *
     * Needs the scope `preference:write`.
     *
     * @param string $image The file in Base64: PNG, JPEG or WebP of at most 1000000 bytes, 8000 pixels on each side and 10000000 pixels in total
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function setLogo(
        string $image,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\SetLogoResponse {
        return $this->call(
            'POST', '/v1/merchant/logo', 'body',
            [
                'image' => $image,
            ],
            Model\SetLogoResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Remove the logo.
     *
     * Payment pages then show the image at `brand-logo-url`, or the initial of the name.
     *
     * Needs the scope `preference:write`.
     *
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function removeLogo(
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\RemoveLogoResponse {
        return $this->call(
            'POST', '/v1/merchant/logo/remove', 'body',
            [],
            Model\RemoveLogoResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * List members and invitations.
     *
     * Needs the scope `team:manage`.
     *
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listPeople(
        ?float $timeout = null,
    ): Model\ListPeopleResponse {
        return $this->call(
            'GET', '/v1/people', 'nothing',
            [],
            Model\ListPeopleResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Invite a member.
     *
     * Returns the invitation link. If a mail server is set up, the service also [emails](email.md) it. It
     * is valid for seven days and lets its recipient join with this email address and role; with an
     * existing account, they sign in and accept. A new invitation to the same address replaces the
     * previous one. You cannot assign a role with a scope that you do not have (`403 forbidden`).
     *
     * Needs the scope `team:manage`.
     *
     * @param string $email
     * @param 'owner'|'operator'|'viewer' $role `viewer` reads, `operator` reviews payments, `owner` also changes settings
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function invitePerson(
        string $email,
        string $role,
        ?float $timeout = null,
    ): Model\InvitePersonResponse {
        return $this->call(
            'POST', '/v1/people/invite', 'body',
            [
                'email' => $email,
                'role' => $role,
            ],
            Model\InvitePersonResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Revoke an invitation.
     *
     * Needs the scope `team:manage`.
     *
     * @param int $id ID from the list of invitations
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function revokeInvitation(
        int $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\RevokeInvitationResponse {
        return $this->call(
            'POST', '/v1/people/uninvite', 'body',
            [
                'id' => $id,
            ],
            Model\RevokeInvitationResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Change the role of a member.
     *
     * You cannot assign a role with a scope that you do not have (`403 forbidden`). Access tokens and
     * invitations that the member created and could not create with the new role are revoked.
     *
     * Needs the scope `team:manage`.
     *
     * @param int $id
     * @param 'owner'|'operator'|'viewer' $role `viewer` reads, `operator` reviews payments, `owner` also changes settings
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function setPersonRole(
        int $id,
        string $role,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\SetPersonRoleResponse {
        return $this->call(
            'POST', '/v1/people/role', 'body',
            [
                'id' => $id,
                'role' => $role,
            ],
            Model\SetPersonRoleResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Remove a member.
     *
     * Ends their sessions for this merchant immediately, and revokes the access tokens and invitations
     * that they created.
     *
     * Needs the scope `team:manage`.
     *
     * @param int $id ID from the list of members
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function removePerson(
        int $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\RemovePersonResponse {
        return $this->call(
            'POST', '/v1/people/remove', 'body',
            [
                'id' => $id,
            ],
            Model\RemovePersonResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * List audit log entries.
     *
     * Newest first. Contains every change and export in the account area, and every administrative change
     * by an access token or on the command line, successful or rejected. Administrative changes concern
     * settings, methods, the webhook secret, tokens, the team and withdrawals. Payments by access tokens
     * are in the event log.
     *
     * Needs the scope `audit:read`.
     *
     * @param int|null $person Only entries of this user
     * @param list<string>|null $action Actions, such as `createWithdrawal` or `sign_in`
     * @param string|null $since At or after this time: a date (UTC), a date-time, or Unix seconds
     * @param string|null $till Before this time: a date (inclusive), or a date-time or Unix seconds (exclusive)
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listAuditEntries(
        ?int $person = null,
        ?array $action = null,
        ?string $since = null,
        ?string $till = null,
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): Model\ListAuditEntriesResponse {
        return $this->call(
            'GET', '/v1/audit-log', 'query',
            [
                'person' => $person ?? Omit::Value,
                'action' => $action ?? Omit::Value,
                'since' => $since ?? Omit::Value,
                'till' => $till ?? Omit::Value,
                'cursor' => $cursor ?? Omit::Value,
                'per_page' => $per_page ?? Omit::Value,
            ],
            Model\ListAuditEntriesResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Iterates over all pages of `listAuditEntries`, from `cursor` if given. Pages are fetched as needed.
     *
     * @param int|null $person Only entries of this user
     * @param list<string>|null $action Actions, such as `createWithdrawal` or `sign_in`
     * @param string|null $since At or after this time: a date (UTC), a date-time, or Unix seconds
     * @param string|null $till Before this time: a date (inclusive), or a date-time or Unix seconds (exclusive)
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page
     * @return \Generator<int, Model\AuditEntry>
     * @throws PaylatchException
     */
    public function iterateAuditEntries(
        ?int $person = null,
        ?array $action = null,
        ?string $since = null,
        ?string $till = null,
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): \Generator {
        do {
            $page = $this->listAuditEntries(
                person: $person,
                action: $action,
                since: $since,
                till: $till,
                per_page: $per_page ?? 100,
                cursor: $cursor,
                timeout: $timeout,
            );
            foreach ($page->entries as $each) {
                yield $each;
            }
            $cursor = $page->next_cursor;
        } while ($cursor !== null);
    }

    /**
     * List emails.
     *
     * Emails of the last 30 days to payers and to members, newest first. A failed email was rejected by
     * the mail server, or could not be sent for two days. Addresses of payers are masked without the scope
     * `approval:write`, those of members without `team:manage`.
     *
     * Needs the scope `preference:read`.
     *
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listEmails(
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): Model\ListEmailsResponse {
        return $this->call(
            'GET', '/v1/emails', 'query',
            [
                'cursor' => $cursor ?? Omit::Value,
                'per_page' => $per_page ?? Omit::Value,
            ],
            Model\ListEmailsResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Iterates over all pages of `listEmails`, from `cursor` if given. Pages are fetched as needed.
     *
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page
     * @return \Generator<int, Model\Email>
     * @throws PaylatchException
     */
    public function iterateEmails(
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): \Generator {
        do {
            $page = $this->listEmails(
                per_page: $per_page ?? 100,
                cursor: $cursor,
                timeout: $timeout,
            );
            foreach ($page->emails as $each) {
                yield $each;
            }
            $cursor = $page->next_cursor;
        } while ($cursor !== null);
    }

    /**
     * List merchants.
     *
     * Needs the scope `transaction:read` and a manager’s token.
     *
     * @param string|null $search Prefix of a name, or an ID
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listMerchants(
        ?string $search = null,
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): Model\ListMerchantsResponse {
        return $this->call(
            'GET', '/v1/merchants', 'query',
            [
                'search' => $search ?? Omit::Value,
                'cursor' => $cursor ?? Omit::Value,
                'per_page' => $per_page ?? Omit::Value,
            ],
            Model\ListMerchantsResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Iterates over all pages of `listMerchants`, from `cursor` if given. Pages are fetched as needed.
     *
     * @param string|null $search Prefix of a name, or an ID
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page
     * @return \Generator<int, Model\Merchant>
     * @throws PaylatchException
     */
    public function iterateMerchants(
        ?string $search = null,
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): \Generator {
        do {
            $page = $this->listMerchants(
                search: $search,
                per_page: $per_page ?? 100,
                cursor: $cursor,
                timeout: $timeout,
            );
            foreach ($page->merchants as $each) {
                yield $each;
            }
            $cursor = $page->next_cursor;
        } while ($cursor !== null);
    }

    /**
     * Create a merchant.
     *
     * Needs the scope `team:manage` and a manager’s token.
     *
     * @param string $name
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function createMerchant(
        string $name,
        ?float $timeout = null,
    ): Model\CreateMerchantResponse {
        return $this->call(
            'POST', '/v1/merchants', 'body',
            [
                'name' => $name,
            ],
            Model\CreateMerchantResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Create an access token.
     *
     * The token is returned only once. It has the role `merchant` and cannot have a scope that you do not
     * have (`403 forbidden`, with its name).
     *
     * Needs the scope `token:manage`.
     *
     * @param string $name Name of the token
     * @param list<Model\TokenScope::*> $scopes Permissions; only scopes that you have
     * @param \DateTimeInterface|string|null $expires_at Expiry; by default it is valid until revoked
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function createAccessToken(
        string $name,
        array $scopes,
        \DateTimeInterface|string|null $expires_at = null,
        ?float $timeout = null,
    ): Model\CreatedAccessToken {
        return $this->call(
            'POST', '/v1/tokens', 'body',
            [
                'name' => $name,
                'scopes' => $scopes,
                'expires_at' => $expires_at ?? Omit::Value,
            ],
            Model\CreatedAccessToken::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * List access tokens.
     *
     * Valid tokens, newest first, including those issued to OAuth clients.
     *
     * Needs the scope `token:manage`.
     *
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page Page size; 20 by default
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listAccessTokens(
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): Model\ListAccessTokensResponse {
        return $this->call(
            'GET', '/v1/tokens', 'query',
            [
                'cursor' => $cursor ?? Omit::Value,
                'per_page' => $per_page ?? Omit::Value,
            ],
            Model\ListAccessTokensResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Iterates over all pages of `listAccessTokens`, from `cursor` if given. Pages are fetched as needed.
     *
     * @param string|null $cursor The `next_cursor` of the previous page
     * @param int|null $per_page Page size; 20 by default
     * @return \Generator<int, Model\AccessToken>
     * @throws PaylatchException
     */
    public function iterateAccessTokens(
        ?string $cursor = null,
        ?int $per_page = null,
        ?float $timeout = null,
    ): \Generator {
        do {
            $page = $this->listAccessTokens(
                per_page: $per_page ?? 100,
                cursor: $cursor,
                timeout: $timeout,
            );
            foreach ($page->tokens as $each) {
                yield $each;
            }
            $cursor = $page->next_cursor;
        } while ($cursor !== null);
    }

    /**
     * Revoke an access token.
     *
     * Takes effect immediately. A token can revoke itself.
     *
     * Needs the scope `token:manage`.
     *
     * @param int $id Identifies the token in decisions and the audit log: `token 7`
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function revokeAccessToken(
        int $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\RevokeAccessTokenResponse {
        return $this->call(
            'POST', '/v1/token/revoke', 'body',
            [
                'id' => $id,
            ],
            Model\RevokeAccessTokenResponse::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * List acquirers.
     *
     * The acquirers of this release, with the credentials that their accounts need and the methods they
     * offer.
     *
     * Needs the scope `acquirer:manage` and a manager’s token.
     *
     * @param string|null $name Only this acquirer
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listAcquirers(
        ?string $name = null,
        ?float $timeout = null,
    ): Model\ListAcquirersResponse {
        return $this->call(
            'GET', '/v1/acquirers', 'query',
            [
                'name' => $name ?? Omit::Value,
            ],
            Model\ListAcquirersResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Test credentials.
     *
     * Calls the acquirer with credentials that are not stored. It charges nothing. A signed-in user must
     * have confirmed their identity in the last five minutes (`403 step_up_required`).
     *
     * Needs the scope `acquirer:manage` and a manager’s token.
     *
     * @param string $acquirer Name of the acquirer
     * @param array<string, string> $credentials All fields of the credentials, by name. They are stored sealed, and secrets are never returned
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function checkAcquirerCredentials(
        string $acquirer,
        #[\SensitiveParameter] array $credentials,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\AcquirerCheck {
        return $this->call(
            'POST', '/v1/acquirers/check', 'body',
            [
                'acquirer' => $acquirer,
                'credentials' => is_array($credentials) ? (object) $credentials : $credentials,
            ],
            Model\AcquirerCheck::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * List acquirer accounts.
     *
     * The accounts that your merchant uses: its own, and those that all merchants share.
     *
     * Needs the scope `acquirer:manage` and a manager’s token.
     *
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function listAcquirerAccounts(
        ?float $timeout = null,
    ): Model\ListAcquirerAccountsResponse {
        return $this->call(
            'GET', '/v1/acquirer-accounts', 'nothing',
            [],
            Model\ListAcquirerAccountsResponse::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Add an acquirer account.
     *
     * Test the credentials first with `POST /v1/acquirers/check`. Then enter `webhook_url` in the
     * acquirer’s dashboard. A signed-in user must have confirmed their identity in the last five minutes
     * (`403 step_up_required`).
     *
     * Needs the scope `acquirer:manage` and a manager’s token.
     *
     * @param string $acquirer Name of the acquirer
     * @param string $name Your name for the account
     * @param array<string, string> $credentials All fields of the credentials, by name. They are stored sealed, and secrets are never returned
     * @param bool|null $shared true if all merchants use it; only your merchant by default
     * @param list<array{payment_method: string, country?: string, currency?: string, priority?: int}>|null $routes Payment methods that the account accepts; one entry for each method, country and currency
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function addAcquirerAccount(
        string $acquirer,
        string $name,
        #[\SensitiveParameter] array $credentials,
        ?bool $shared = null,
        ?array $routes = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\AcquirerAccount {
        return $this->call(
            'POST', '/v1/acquirer-accounts', 'body',
            [
                'acquirer' => $acquirer,
                'name' => $name,
                'shared' => $shared ?? Omit::Value,
                'credentials' => is_array($credentials) ? (object) $credentials : $credentials,
                'routes' => $routes ?? Omit::Value,
            ],
            Model\AcquirerAccount::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Retrieve an acquirer account.
     *
     * Needs the scope `acquirer:manage` and a manager’s token.
     *
     * @param string $id Identifies the account, in its webhook URL too
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function getAcquirerAccount(
        string $id,
        ?float $timeout = null,
    ): Model\AcquirerAccount {
        return $this->call(
            'GET', '/v1/acquirer-account', 'query',
            [
                'id' => $id,
            ],
            Model\AcquirerAccount::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Change an acquirer account.
     *
     * Changes its name, enables or disables it, or replaces its routes. Omitted fields stay unchanged. A
     * signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
     *
     * Needs the scope `acquirer:manage` and a manager’s token.
     *
     * @param string $id Identifies the account, in its webhook URL too
     * @param string|null $name Your name for the account
     * @param bool|null $enabled
     * @param list<array{payment_method: string, country?: string, currency?: string, priority?: int}>|null $routes Replaces all routes
     * @param \DateTimeInterface|string|null $updated_at The `updated_at` that you have read; the change is rejected if the account has changed since then
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function updateAcquirerAccount(
        string $id,
        ?string $name = null,
        ?bool $enabled = null,
        ?array $routes = null,
        \DateTimeInterface|string|null $updated_at = null,
        ?float $timeout = null,
    ): Model\AcquirerAccount {
        return $this->call(
            'PATCH', '/v1/acquirer-account', 'body',
            [
                'id' => $id,
                'name' => $name ?? Omit::Value,
                'enabled' => $enabled ?? Omit::Value,
                'routes' => $routes ?? Omit::Value,
                'updated_at' => $updated_at ?? Omit::Value,
            ],
            Model\AcquirerAccount::fromArray(...),
            null,
            $timeout,
        );
    }

    /**
     * Replace the credentials of an acquirer account.
     *
     * Replaces all credential fields, so that a stored secret is never sent to a new API URL. The webhook
     * URL stays the same. A signed-in user must have confirmed their identity in the last five minutes
     * (`403 step_up_required`).
     *
     * Needs the scope `acquirer:manage` and a manager’s token.
     *
     * @param string $id Identifies the account, in its webhook URL too
     * @param array<string, string> $credentials All fields of the credentials, by name. They are stored sealed, and secrets are never returned
     * @param \DateTimeInterface|string|null $updated_at The `updated_at` that you have read; the change is rejected if the account has changed since then
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function setAcquirerCredentials(
        string $id,
        #[\SensitiveParameter] array $credentials,
        \DateTimeInterface|string|null $updated_at = null,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\AcquirerAccount {
        return $this->call(
            'POST', '/v1/acquirer-account/credentials', 'body',
            [
                'id' => $id,
                'credentials' => is_array($credentials) ? (object) $credentials : $credentials,
                'updated_at' => $updated_at ?? Omit::Value,
            ],
            Model\AcquirerAccount::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }

    /**
     * Test the credentials of an acquirer account.
     *
     * Calls the acquirer with the stored credentials. It charges nothing.
     *
     * Needs the scope `acquirer:manage` and a manager’s token.
     *
     * @param string $id Identifies the account, in its webhook URL too
     * @param string|null $idempotencyKey Makes the call safe to repeat
     * @param float|null $timeout Seconds
     * @throws PaylatchException
     */
    public function checkAcquirerAccount(
        string $id,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
    ): Model\AcquirerCheck {
        return $this->call(
            'POST', '/v1/acquirer-account/check', 'body',
            [
                'id' => $id,
            ],
            Model\AcquirerCheck::fromArray(...),
            $idempotencyKey,
            $timeout,
        );
    }
}

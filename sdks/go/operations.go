// Code generated from the OpenAPI document by `npm run generate`: change src/api. DO NOT EDIT.

package paylatch

import (
	"context"
)

// CreateTransaction: Create a transaction.
//
// Returns a one-time payment link, or the data for your own form (`custom_form`). Repeating the
// request returns the same link, so retries are safe. A different body with the same `transaction_id`
// returns `transaction_id_conflict`.
//
// Needs the scope `link:write`.
func (c *Client) CreateTransaction(ctx context.Context, input CreateTransactionInput, options ...CallOption) (*CreateTransactionResponse, error) {
	result := new(CreateTransactionResponse)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/transaction", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// GetTransaction: Retrieve a transaction.
//
// Needs the scope `transaction:read`.
func (c *Client) GetTransaction(ctx context.Context, input GetTransactionInput, options ...CallOption) (*TransactionDetail, error) {
	result := new(TransactionDetail)
	err := c.call(ctx, endpoint{"GET", "/fiat/v1/transaction", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// SendPaymentLink: Send a payment link by email.
//
// Sends the link of an unpaid transaction in the payer’s language, with your branding. Without a mail
// server, returns `email_not_set_up`.
//
// Needs the scope `link:write`.
func (c *Client) SendPaymentLink(ctx context.Context, input SendPaymentLinkInput, options ...CallOption) (*SendPaymentLinkResponse, error) {
	result := new(SendPaymentLinkResponse)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/transaction/send", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListTransactions: List transactions.
//
// All filters are optional. Newest first by default; ascending if `order` is given. `page` covers the
// first 10,000 rows; beyond that, use `pagination.next_cursor` or the `Link` header, which is as fast
// on every page.
//
// Needs the scope `transaction:read`.
func (c *Client) ListTransactions(ctx context.Context, input ListTransactionsInput, options ...CallOption) (*ListTransactionsResponse, error) {
	result := new(ListTransactionsResponse)
	err := c.call(ctx, endpoint{"GET", "/fiat/v1/transactions", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// IterateTransactions iterates over all pages of ListTransactions, from Cursor if it is set. Pages are fetched as needed.
func (c *Client) IterateTransactions(input ListTransactionsInput, options ...CallOption) *Iterator[TransactionListItem] {
	if input.PerPage == nil {
		input.PerPage = Ptr[int64](maxPerPage)
	}
	return &Iterator[TransactionListItem]{fetch: func(ctx context.Context) ([]TransactionListItem, bool, error) {
		page, err := c.ListTransactions(ctx, input, options...)
		if err != nil {
			return nil, false, err
		}
		next := page.Pagination.NextCursor
		if next != nil {
			input.Cursor = *next
		}
		return page.Transactions, next != nil, nil
	}}
}

// SubmitCard: Submit a card.
//
// Charges a card from your own form. This brings your servers into PCI DSS scope; the payment page and
// `<pay-form>` do not. A decline is not an error: `response_type` holds the outcome. A page can submit
// with the `client_token` of its transaction; its `Idempotency-Key` is ignored.
//
// Needs the scope `card:submit`.
func (c *Client) SubmitCard(ctx context.Context, input SubmitCardInput, options ...CallOption) (*SubmitCardResponse, error) {
	result := new(SubmitCardResponse)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/transaction/submit", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// AcceptTransaction: Approve a transaction.
//
// Needs the scope `approval:write`.
func (c *Client) AcceptTransaction(ctx context.Context, input AcceptTransactionInput, options ...CallOption) (*TransactionDetail, error) {
	result := new(TransactionDetail)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/transaction/accept", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// RejectTransaction: Reject a transaction.
//
// The transaction becomes `failed` with the reason `rejected`, and the amount received is refunded to
// its source; `refunds` shows it. Funds that arrive later are reviewed separately. If the acquirer
// cannot refund, as for crypto paid to a payment link, the request fails with `refund_not_supported`:
// refund the payer yourself, then reject the transaction with `out_of_band`.
//
// Needs the scope `approval:write`.
func (c *Client) RejectTransaction(ctx context.Context, input RejectTransactionInput, options ...CallOption) (*TransactionDetail, error) {
	result := new(TransactionDetail)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/transaction/reject", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// CancelTransaction: Cancel a transaction.
//
// Needs the scope `link:write`.
func (c *Client) CancelTransaction(ctx context.Context, input CancelTransactionInput, options ...CallOption) (*TransactionDetail, error) {
	result := new(TransactionDetail)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/transaction/cancel", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// RenewTransaction: Renew an expired transaction.
//
// Issues a new link with the full lifetime, for the same `transaction_id` and price. The old link
// redirects to the new one.
//
// Needs the scope `link:write`.
func (c *Client) RenewTransaction(ctx context.Context, input RenewTransactionInput, options ...CallOption) (*RenewTransactionResponse, error) {
	result := new(RenewTransactionResponse)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/transaction/renew", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// CaptureTransaction: Capture a transaction.
//
// Captures an authorized payment, in full or in part. The remaining amount is released. One capture
// per authorization. The capture may still be pending in the response; a webhook reports when
// `authorization.status` is `captured`. If the acquirer rejects it, the amount stays `authorized`.
//
// Needs the scope `approval:write`.
func (c *Client) CaptureTransaction(ctx context.Context, input CaptureTransactionInput, options ...CallOption) (*TransactionDetail, error) {
	result := new(TransactionDetail)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/transaction/capture", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// VoidTransaction: Void an authorization.
//
// Releases the amount that is reserved on the card. The transaction fails with the reason `cancelled`.
// The void may still be pending in the response; a webhook reports when `authorization.status` is
// `voided`.
//
// Needs the scope `approval:write`.
func (c *Client) VoidTransaction(ctx context.Context, input VoidTransactionInput, options ...CallOption) (*TransactionDetail, error) {
	result := new(TransactionDetail)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/transaction/void", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// RefundTransaction: Refund a transaction.
//
// Refunds the full amount or a part to the original payment method, through the acquirer.
// `refund_options` of the transaction shows the possible refunds. The refund may still be `pending` in
// the response; a webhook reports when it `succeeded` or `failed`. Record a refund that you made
// elsewhere with `out_of_band`. Send an `Idempotency-Key`: without one, a repeated partial refund is
// issued twice.
//
// Needs the scope `approval:write`.
func (c *Client) RefundTransaction(ctx context.Context, input RefundTransactionInput, options ...CallOption) (*TransactionDetail, error) {
	result := new(TransactionDetail)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/transaction/refund", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ErasePayer: Erase a payer’s data.
//
// Permanently removes a payer’s personal data: name, email, phone, address, network and language, from
// the payments of one `transaction_id`, or from all with an `email`. Copies in descriptions, line
// items, events, webhooks, stored responses and the audit log become `[erased]`. Amounts, IDs, times,
// statuses and the masked card are kept. Merchants’ own systems, acquirers, downloaded exports and
// backups are not affected.
//
// Needs the scope `payer:erase`.
func (c *Client) ErasePayer(ctx context.Context, input ErasePayerInput, options ...CallOption) (*ErasePayerResponse, error) {
	result := new(ErasePayerResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/payers/erase", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// CreateReusableLink: Create a reusable link.
//
// Its page creates a transaction with a separate payment link for every buyer. With `stock`, open
// transactions reserve their quantity for at most 30 minutes, and never more than the stock is sold. A
// late payment for an expired transaction is still accepted: `sold` can then exceed `stock`.
//
// Needs the scope `link:write`.
func (c *Client) CreateReusableLink(ctx context.Context, input CreateReusableLinkInput, options ...CallOption) (*ReusableLink, error) {
	result := new(ReusableLink)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/reusable-links", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListReusableLinks: List reusable links.
//
// Needs the scope `transaction:read`.
func (c *Client) ListReusableLinks(ctx context.Context, input ListReusableLinksInput, options ...CallOption) (*ListReusableLinksResponse, error) {
	result := new(ListReusableLinksResponse)
	err := c.call(ctx, endpoint{"GET", "/fiat/v1/reusable-links", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// IterateReusableLinks iterates over all pages of ListReusableLinks, from Cursor if it is set. Pages are fetched as needed.
func (c *Client) IterateReusableLinks(input ListReusableLinksInput, options ...CallOption) *Iterator[ReusableLink] {
	if input.PerPage == nil {
		input.PerPage = Ptr[int64](maxPerPage)
	}
	return &Iterator[ReusableLink]{fetch: func(ctx context.Context) ([]ReusableLink, bool, error) {
		page, err := c.ListReusableLinks(ctx, input, options...)
		if err != nil {
			return nil, false, err
		}
		next := page.NextCursor
		if next != nil {
			input.Cursor = *next
		}
		return page.ReusableLinks, next != nil, nil
	}}
}

// GetReusableLink: Retrieve a reusable link.
//
// Needs the scope `transaction:read`.
func (c *Client) GetReusableLink(ctx context.Context, input GetReusableLinkInput, options ...CallOption) (*ReusableLink, error) {
	result := new(ReusableLink)
	err := c.call(ctx, endpoint{"GET", "/fiat/v1/reusable-link", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// UpdateReusableLink: Change a reusable link.
//
// Omitted fields stay unchanged. Open transactions keep their price. `amount` replaces
// `custom_amount`, and vice versa.
//
// Needs the scope `link:write`.
func (c *Client) UpdateReusableLink(ctx context.Context, input UpdateReusableLinkInput, options ...CallOption) (*ReusableLink, error) {
	result := new(ReusableLink)
	err := c.call(ctx, endpoint{"PATCH", "/fiat/v1/reusable-link", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ArchiveReusableLink: Archive a reusable link.
//
// Its page accepts no new buyers. Open transactions can still be paid.
//
// Needs the scope `link:write`.
func (c *Client) ArchiveReusableLink(ctx context.Context, input ArchiveReusableLinkInput, options ...CallOption) (*ReusableLink, error) {
	result := new(ReusableLink)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/reusable-link/archive", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// CreateInvoice: Create a crypto invoice.
//
// Returns a deposit address. Repeating `txId` and `code` returns the same invoice; for the type
// `user`, `amount`, `description` and `returnUrl` may differ and are then updated. Amounts are whole
// numbers of the smallest unit (satoshi, wei); `GET /v1/currencies` returns the decimals.
//
// Needs the scope `invoice:write`.
func (c *Client) CreateInvoice(ctx context.Context, input CreateInvoiceInput, options ...CallOption) (*CryptoTransaction, error) {
	result := new(CryptoTransaction)
	err := c.call(ctx, endpoint{"POST", "/v1/transaction/invoice", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// GetCryptoTransaction: Retrieve a crypto transaction.
//
// Needs the scope `transaction:read`.
func (c *Client) GetCryptoTransaction(ctx context.Context, input GetCryptoTransactionInput, options ...CallOption) (*CryptoTransaction, error) {
	result := new(CryptoTransaction)
	err := c.call(ctx, endpoint{"GET", "/v1/transaction", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListCryptoTransactions: List crypto transactions.
//
// `status=approved_required` is the review queue: late, underpaid, overpaid and duplicate deposits,
// and deposits without an invoice. `availableActions` lists the possible actions. Newest first.
//
// Needs the scope `transaction:read`.
func (c *Client) ListCryptoTransactions(ctx context.Context, input ListCryptoTransactionsInput, options ...CallOption) (*ListCryptoTransactionsResponse, error) {
	result := new(ListCryptoTransactionsResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/transactions", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// IterateCryptoTransactions iterates over all pages of ListCryptoTransactions, from Cursor if it is set. Pages are fetched as needed.
func (c *Client) IterateCryptoTransactions(input ListCryptoTransactionsInput, options ...CallOption) *Iterator[CryptoTransaction] {
	if input.PerPage == nil {
		input.PerPage = Ptr[int64](maxPerPage)
	}
	return &Iterator[CryptoTransaction]{fetch: func(ctx context.Context) ([]CryptoTransaction, bool, error) {
		page, err := c.ListCryptoTransactions(ctx, input, options...)
		if err != nil {
			return nil, false, err
		}
		next := page.NextCursor
		if next != nil {
			input.Cursor = *next
		}
		return page.Transactions, next != nil, nil
	}}
}

// ApproveCryptoTransaction: Approve a crypto transaction.
//
// Needs the scope `approval:write`.
func (c *Client) ApproveCryptoTransaction(ctx context.Context, input ApproveCryptoTransactionInput, options ...CallOption) (*CryptoTransaction, error) {
	result := new(CryptoTransaction)
	err := c.call(ctx, endpoint{"POST", "/v1/transaction/approve", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// RejectCryptoTransaction: Reject a crypto transaction.
//
// With `refundAddress`, the deposits are refunded: `refunding`, then `refunded`. This also needs the
// scope `withdrawal:write`, and a refund to a new address is held for the destination delay. Without
// it, the transaction becomes `failed`; until its funds are withdrawn, it can be rejected again with
// an address to refund it. For type `user`, only the deposits in review are rejected, and
// `refundAddress` is not allowed.
//
// Needs the scope `approval:write`.
func (c *Client) RejectCryptoTransaction(ctx context.Context, input RejectCryptoTransactionInput, options ...CallOption) (*CryptoTransaction, error) {
	result := new(CryptoTransaction)
	err := c.call(ctx, endpoint{"POST", "/v1/transaction/reject", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListCurrencies: List cryptocurrencies.
//
// Needs the scope `transaction:read`.
func (c *Client) ListCurrencies(ctx context.Context, options ...CallOption) (*ListCurrenciesResponse, error) {
	result := new(ListCurrenciesResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/currencies", "nothing"}, nil, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListBalances: List balances.
//
// Funds of all wallets, by currency; currencies without funds are omitted. Amounts are in the smallest
// unit (`GET /v1/currencies` returns the decimals). `GET /v1/wallets` with `funded=true` lists the
// wallets that hold the funds.
//
// Needs the scope `transaction:read`.
func (c *Client) ListBalances(ctx context.Context, options ...CallOption) (*ListBalancesResponse, error) {
	result := new(ListBalancesResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/balances", "nothing"}, nil, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListWallets: List wallets.
//
// Newest first. Amounts are in the smallest unit (`GET /v1/currencies` returns the decimals):
// `balance` is the on-chain balance, `parts` splits it into credited, being sent, confirming, awaiting
// review, unattributed and rejected funds.
//
// Needs the scope `transaction:read`.
func (c *Client) ListWallets(ctx context.Context, input ListWalletsInput, options ...CallOption) (*ListWalletsResponse, error) {
	result := new(ListWalletsResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/wallets", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// IterateWallets iterates over all pages of ListWallets, from Cursor if it is set. Pages are fetched as needed.
func (c *Client) IterateWallets(input ListWalletsInput, options ...CallOption) *Iterator[Wallet] {
	if input.PerPage == nil {
		input.PerPage = Ptr[int64](maxPerPage)
	}
	return &Iterator[Wallet]{fetch: func(ctx context.Context) ([]Wallet, bool, error) {
		page, err := c.ListWallets(ctx, input, options...)
		if err != nil {
			return nil, false, err
		}
		next := page.NextCursor
		if next != nil {
			input.Cursor = *next
		}
		return page.Wallets, next != nil, nil
	}}
}

// RotateWallet: Rotate a wallet.
//
// No new invoice uses the wallet; it is retired when its last invoice ends. A user’s wallet is retired
// immediately, and its invoice gets another address.
//
// Needs the scope `invoice:write` and a manager’s token.
func (c *Client) RotateWallet(ctx context.Context, input RotateWalletInput, options ...CallOption) (*RotateWalletResponse, error) {
	result := new(RotateWalletResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/wallet/rotate", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListWithdrawals: List withdrawals.
//
// Newest first. `status=to_sign` lists withdrawals to sign; `waitsFor` states why one is `waiting`.
//
// Needs the scope `transaction:read`.
func (c *Client) ListWithdrawals(ctx context.Context, input ListWithdrawalsInput, options ...CallOption) (*ListWithdrawalsResponse, error) {
	result := new(ListWithdrawalsResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/withdrawals", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// CreateWithdrawal: Create a withdrawal.
//
// Sends funds of a wallet to an address: credited, unattributed, or rejected without a refund. The
// operator’s fee limits apply; the merchant’s fee limit does not. A withdrawal to an address other
// than the effective destination of automatic withdrawals is held for the destination delay
// (`heldUntil`). A token has `withdrawal:write` only if it was requested.
//
// Needs the scope `withdrawal:write` and a manager’s token.
func (c *Client) CreateWithdrawal(ctx context.Context, input CreateWithdrawalInput, options ...CallOption) (*Withdrawal, error) {
	result := new(Withdrawal)
	err := c.call(ctx, endpoint{"POST", "/v1/withdrawals", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// GetWithdrawal: Retrieve a withdrawal.
//
// Needs the scope `transaction:read`.
func (c *Client) GetWithdrawal(ctx context.Context, input GetWithdrawalInput, options ...CallOption) (*WithdrawalDetail, error) {
	result := new(WithdrawalDetail)
	err := c.call(ctx, endpoint{"GET", "/v1/withdrawal", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// SubmitWithdrawal: Submit a signed withdrawal.
//
// Broadcasts an externally signed transaction. It must match `unsigned` of `GET /v1/withdrawal`: the
// same inputs, destination and amount.
//
// Needs the scope `withdrawal:write`.
func (c *Client) SubmitWithdrawal(ctx context.Context, input SubmitWithdrawalInput, options ...CallOption) (*Withdrawal, error) {
	result := new(Withdrawal)
	err := c.call(ctx, endpoint{"POST", "/v1/withdrawal/submit", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// CancelWithdrawal: Cancel a withdrawal.
//
// Until `heldUntil`, any caller with `withdrawal:write` can cancel it; after that only a manager can,
// until its transaction is in a block. If nothing is signed yet, the withdrawal becomes `failed`
// immediately. Otherwise a replacement is created with a higher fee than every transaction sent: on
// Bitcoin and Litecoin it returns the same coins to one of their wallets, on Ethereum it uses the same
// nonce and moves nothing. `cancelling` is true until one of them is final: `failed` if the
// replacement is mined, `confirmed` if it was too late. Only the replacement’s fee is lost. If the
// keys are held externally, the replacement is `to_sign`. Repeating the request changes nothing. The
// funds can then be withdrawn again; with `auto-withdrawal`, credited funds are swept again. The
// transaction of a refund becomes `failed`: reject it again with another `refundAddress`, or withdraw
// returned coins manually as `rejected`.
//
// Needs the scope `withdrawal:write`.
func (c *Client) CancelWithdrawal(ctx context.Context, input CancelWithdrawalInput, options ...CallOption) (*Withdrawal, error) {
	result := new(Withdrawal)
	err := c.call(ctx, endpoint{"POST", "/v1/withdrawal/cancel", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListEvents: List events.
//
// For servers behind a firewall, and to catch up after an outage. Returns the same objects as
// webhooks, with the same `id`, in a fixed order: store `next` to receive each event exactly once.
// Events can be pulled for 90 days. `wait` long-polls until an event arrives.
//
// Needs the scope `transaction:read`.
func (c *Client) ListEvents(ctx context.Context, input ListEventsInput, options ...CallOption) (*ListEventsResponse, error) {
	result := new(ListEventsResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/events", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListTransactionEvents: List events of a transaction.
//
// Needs the scope `transaction:read`.
func (c *Client) ListTransactionEvents(ctx context.Context, input ListTransactionEventsInput, options ...CallOption) (*ListTransactionEventsResponse, error) {
	result := new(ListTransactionEventsResponse)
	err := c.call(ctx, endpoint{"GET", "/fiat/v1/transaction/events", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// GetStatistics: Retrieve transaction statistics.
//
// Statistics of transactions created in a period of at most 366 days, the last 30 by default: paid
// counts and amounts received by currency, day, hour, method and country, and failure reasons. Days,
// hours, `since` and `till` are in `time_zone`.
//
// Needs the scope `transaction:read`.
func (c *Client) GetStatistics(ctx context.Context, input GetStatisticsInput, options ...CallOption) (*Statistics, error) {
	result := new(Statistics)
	err := c.call(ctx, endpoint{"GET", "/v1/statistics", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListRates: List exchange rates.
//
// Prices of all cryptocurrencies and currencies, with the quotes of each source and their times. A
// price outside the operator’s limits is unavailable: payment links then do not offer the
// cryptocurrency, and invoices return `rate_unavailable`.
//
// Needs the scope `transaction:read`.
func (c *Client) ListRates(ctx context.Context, input ListRatesInput, options ...CallOption) (*ListRatesResponse, error) {
	result := new(ListRatesResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/rates", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListCallbacks: List webhooks.
//
// Needs the scope `callback:read`.
func (c *Client) ListCallbacks(ctx context.Context, input ListCallbacksInput, options ...CallOption) (*ListCallbacksResponse, error) {
	result := new(ListCallbacksResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/callbacks", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// IterateCallbacks iterates over all pages of ListCallbacks, from Cursor if it is set. Pages are fetched as needed.
func (c *Client) IterateCallbacks(input ListCallbacksInput, options ...CallOption) *Iterator[Callback] {
	if input.PerPage == nil {
		input.PerPage = Ptr[int64](maxPerPage)
	}
	return &Iterator[Callback]{fetch: func(ctx context.Context) ([]Callback, bool, error) {
		page, err := c.ListCallbacks(ctx, input, options...)
		if err != nil {
			return nil, false, err
		}
		next := page.NextCursor
		if next != nil {
			input.Cursor = *next
		}
		return page.Callbacks, next != nil, nil
	}}
}

// GetCallback: Retrieve a webhook and its delivery attempts.
//
// Needs the scope `callback:read`.
func (c *Client) GetCallback(ctx context.Context, input GetCallbackInput, options ...CallOption) (*CallbackDetail, error) {
	result := new(CallbackDetail)
	err := c.call(ctx, endpoint{"GET", "/v1/callback", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// RedeliverCallback: Redeliver a webhook.
//
// Sends the webhook immediately with the same `webhook-id`, regardless of its state. Enables a
// disabled endpoint.
//
// Needs the scope `callback:send`.
func (c *Client) RedeliverCallback(ctx context.Context, input RedeliverCallbackInput, options ...CallOption) (*Callback, error) {
	result := new(Callback)
	err := c.call(ctx, endpoint{"POST", "/v1/callback/redeliver", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// TestCallback: Send a test webhook.
//
// Sends `callback.test` to `callback-url` and returns the response. A successful delivery enables a
// disabled endpoint.
//
// Needs the scope `callback:send`.
func (c *Client) TestCallback(ctx context.Context, options ...CallOption) (*TestCallbackResponse, error) {
	result := new(TestCallbackResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/callback/test", "body"}, nil, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// RotateCallbackSecret: Rotate the webhook secret.
//
// For a transition period, webhooks are signed with both secrets, so that endpoints can switch without
// rejecting any. A signed-in user must have confirmed their identity in the last five minutes (`403
// step_up_required`).
//
// Needs the scope `callback:manage`.
func (c *Client) RotateCallbackSecret(ctx context.Context, input RotateCallbackSecretInput, options ...CallOption) (*RotateCallbackSecretResponse, error) {
	result := new(RotateCallbackSecretResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/callback/secret", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// GetCallbackKeys: Retrieve webhook verification keys.
//
// Returns your merchant ID and the public keys for `v1a` signatures (Ed25519), which need no shared
// secret.
//
// Needs the scope `callback:read`.
func (c *Client) GetCallbackKeys(ctx context.Context, options ...CallOption) (*GetCallbackKeysResponse, error) {
	result := new(GetCallbackKeysResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/callback/keys", "nothing"}, nil, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListWebhookEndpoints: List webhook endpoints.
//
// The endpoint of the preference `callback-url`, if it is set, and the added endpoints.
//
// Needs the scope `callback:read`.
func (c *Client) ListWebhookEndpoints(ctx context.Context, options ...CallOption) (*ListWebhookEndpointsResponse, error) {
	result := new(ListWebhookEndpointsResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/webhook-endpoints", "nothing"}, nil, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// AddWebhookEndpoint: Add a webhook endpoint.
//
// It receives events created from now on. At most 16 in addition to `callback-url`. Needs
// `transaction:read` too, since the endpoint receives payments. Endpoints can be added and changed 60
// times per hour (`429 rate_limited`). Your endpoints, and the previous URLs of the last day, receive
// `callback.endpoint_changed`. A signed-in user must have confirmed their identity in the last five
// minutes (`403 step_up_required`).
//
// Needs the scope `callback:manage`.
func (c *Client) AddWebhookEndpoint(ctx context.Context, input AddWebhookEndpointInput, options ...CallOption) (*AddWebhookEndpointResponse, error) {
	result := new(AddWebhookEndpointResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/webhook-endpoints", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// GetWebhookEndpoint: Retrieve a webhook endpoint.
//
// Needs the scope `callback:read`.
func (c *Client) GetWebhookEndpoint(ctx context.Context, input GetWebhookEndpointInput, options ...CallOption) (*WebhookEndpoint, error) {
	result := new(WebhookEndpoint)
	err := c.call(ctx, endpoint{"GET", "/v1/webhook-endpoint", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// UpdateWebhookEndpoint: Change a webhook endpoint.
//
// Omitted fields stay unchanged. Pending webhooks go to the new URL; new event types apply to events
// from then on. `url` and `event_types` need `transaction:read` too. Endpoints can be added and
// changed 60 times per hour (`429 rate_limited`). Your endpoints, and the previous URLs of the last
// day, receive `callback.endpoint_changed`. A signed-in user must have confirmed their identity in the
// last five minutes (`403 step_up_required`).
//
// Needs the scope `callback:manage`.
func (c *Client) UpdateWebhookEndpoint(ctx context.Context, input UpdateWebhookEndpointInput, options ...CallOption) (*WebhookEndpoint, error) {
	result := new(WebhookEndpoint)
	err := c.call(ctx, endpoint{"PATCH", "/v1/webhook-endpoint", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// RotateWebhookEndpointSecret: Rotate a webhook endpoint’s secret.
//
// Works as `POST /v1/callback/secret`, for one endpoint. A signed-in user must have confirmed their
// identity in the last five minutes (`403 step_up_required`).
//
// Needs the scope `callback:manage`.
func (c *Client) RotateWebhookEndpointSecret(ctx context.Context, input RotateWebhookEndpointSecretInput, options ...CallOption) (*RotateWebhookEndpointSecretResponse, error) {
	result := new(RotateWebhookEndpointSecretResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/webhook-endpoint/secret", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// TestWebhookEndpoint: Send a test webhook to an endpoint.
//
// Sends `callback.test` now, regardless of the event types and status of the endpoint, and returns the
// response. A successful delivery enables an endpoint that was disabled after failures.
//
// Needs the scope `callback:send`.
func (c *Client) TestWebhookEndpoint(ctx context.Context, input TestWebhookEndpointInput, options ...CallOption) (*TestWebhookEndpointResponse, error) {
	result := new(TestWebhookEndpointResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/webhook-endpoint/test", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// RedeliverFailedCallbacks: Redeliver all failed webhooks of an endpoint.
//
// In order within a payment, invoice or withdrawal. Enables an endpoint that was disabled after
// failures.
//
// Needs the scope `callback:send`.
func (c *Client) RedeliverFailedCallbacks(ctx context.Context, input RedeliverFailedCallbacksInput, options ...CallOption) (*RedeliverFailedCallbacksResponse, error) {
	result := new(RedeliverFailedCallbacksResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/webhook-endpoint/redeliver", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// RemoveWebhookEndpoint: Remove a webhook endpoint.
//
// Its pending webhooks are not delivered; the events stay in `GET /v1/events`. Your endpoints, and the
// previous URLs of the last day, receive `callback.endpoint_changed`. A signed-in user must have
// confirmed their identity in the last five minutes (`403 step_up_required`).
//
// Needs the scope `callback:manage`.
func (c *Client) RemoveWebhookEndpoint(ctx context.Context, input RemoveWebhookEndpointInput, options ...CallOption) (*RemoveWebhookEndpointResponse, error) {
	result := new(RemoveWebhookEndpointResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/webhook-endpoint/remove", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListPaymentMethods: List payment methods.
//
// Needs the scope `transaction:read`.
func (c *Client) ListPaymentMethods(ctx context.Context, input ListPaymentMethodsInput, options ...CallOption) (*ListPaymentMethodsResponse, error) {
	result := new(ListPaymentMethodsResponse)
	err := c.call(ctx, endpoint{"POST", "/fiat/v1/merchant/payment-methods", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// SetPaymentMethods: Set a merchant’s payment methods.
//
// Sets which methods the merchant can use, and their fees. Applies all settings or none. An omitted
// fee stays unchanged; it is 0 initially.
//
// Needs the scope `preference:write` and a manager’s token.
func (c *Client) SetPaymentMethods(ctx context.Context, input SetPaymentMethodsInput, options ...CallOption) (*SetPaymentMethodsResponse, error) {
	result := new(SetPaymentMethodsResponse)
	err := c.call(ctx, endpoint{"PATCH", "/fiat/v1/merchant/payment-methods", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListPreferences: List preferences.
//
// Needs the scope `preference:read`.
func (c *Client) ListPreferences(ctx context.Context, options ...CallOption) (*ListPreferencesResponse, error) {
	result := new(ListPreferencesResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/merchant/preferences", "nothing"}, nil, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// SetPreference: Set a preference.
//
// `null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` also need the
// scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To change `callback-url`, a
// signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
// Each of these addresses can be changed 60 times per hour (`429 rate_limited`); unsetting it is not
// limited.
//
// Needs the scope `preference:write`.
func (c *Client) SetPreference(ctx context.Context, input SetPreferenceInput, options ...CallOption) (*Preference, error) {
	result := new(Preference)
	err := c.call(ctx, endpoint{"PATCH", "/v1/merchant/preferences", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// SetPreferences: Set several preferences.
//
// `null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` also need the
// scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To change `callback-url`, a
// signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
// Each of these addresses can be changed 60 times per hour (`429 rate_limited`); unsetting it is not
// limited.
//
// Needs the scope `preference:write`.
func (c *Client) SetPreferences(ctx context.Context, input SetPreferencesInput, options ...CallOption) (*SetPreferencesResponse, error) {
	result := new(SetPreferencesResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/merchant/preferences", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListPreferenceKeys: List preference keys.
//
// Returns each key with its meaning, allowed values, default, current value, and who set it. `{CODE}`
// is expanded for each cryptocurrency.
//
// Needs the scope `preference:read`.
func (c *Client) ListPreferenceKeys(ctx context.Context, input ListPreferenceKeysInput, options ...CallOption) (*ListPreferenceKeysResponse, error) {
	result := new(ListPreferenceKeysResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/merchant/preferences/keys", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// SetPreferencesSingular: Set several preferences (singular path).
//
// `null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` also need the
// scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To change `callback-url`, a
// signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
// Each of these addresses can be changed 60 times per hour (`429 rate_limited`); unsetting it is not
// limited.
//
// Needs the scope `preference:write`.
func (c *Client) SetPreferencesSingular(ctx context.Context, input SetPreferencesSingularInput, options ...CallOption) (*SetPreferencesSingularResponse, error) {
	result := new(SetPreferencesSingularResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/merchant/preference", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// GetLogo: Retrieve the logo.
//
// Needs the scope `preference:read`.
func (c *Client) GetLogo(ctx context.Context, options ...CallOption) (*GetLogoResponse, error) {
	result := new(GetLogoResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/merchant/logo", "nothing"}, nil, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// SetLogo: Upload a logo.
//
// Payment pages show it in place of the image at `brand-logo-url`. The image is re-encoded as PNG of
// at most 256 × 256 pixels, without metadata or animation. A new upload replaces it.
//
// Needs the scope `preference:write`.
func (c *Client) SetLogo(ctx context.Context, input SetLogoInput, options ...CallOption) (*SetLogoResponse, error) {
	result := new(SetLogoResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/merchant/logo", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// RemoveLogo: Remove the logo.
//
// Payment pages then show the image at `brand-logo-url`, or the initial of the name.
//
// Needs the scope `preference:write`.
func (c *Client) RemoveLogo(ctx context.Context, options ...CallOption) (*RemoveLogoResponse, error) {
	result := new(RemoveLogoResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/merchant/logo/remove", "body"}, nil, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListPeople: List members and invitations.
//
// Needs the scope `team:manage`.
func (c *Client) ListPeople(ctx context.Context, options ...CallOption) (*ListPeopleResponse, error) {
	result := new(ListPeopleResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/people", "nothing"}, nil, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// InvitePerson: Invite a member.
//
// Returns the invitation link. If a mail server is set up, the service also [emails](email.md) it. It
// is valid for seven days and lets its recipient join with this email address and role; with an
// existing account, they sign in and accept. A new invitation to the same address replaces the
// previous one. You cannot assign a role with a scope that you do not have (`403 forbidden`).
//
// Needs the scope `team:manage`.
func (c *Client) InvitePerson(ctx context.Context, input InvitePersonInput, options ...CallOption) (*InvitePersonResponse, error) {
	result := new(InvitePersonResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/people/invite", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// RevokeInvitation: Revoke an invitation.
//
// Needs the scope `team:manage`.
func (c *Client) RevokeInvitation(ctx context.Context, input RevokeInvitationInput, options ...CallOption) (*RevokeInvitationResponse, error) {
	result := new(RevokeInvitationResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/people/uninvite", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// SetPersonRole: Change the role of a member.
//
// You cannot assign a role with a scope that you do not have (`403 forbidden`). Access tokens and
// invitations that the member created and could not create with the new role are revoked.
//
// Needs the scope `team:manage`.
func (c *Client) SetPersonRole(ctx context.Context, input SetPersonRoleInput, options ...CallOption) (*SetPersonRoleResponse, error) {
	result := new(SetPersonRoleResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/people/role", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// RemovePerson: Remove a member.
//
// Ends their sessions for this merchant immediately, and revokes the access tokens and invitations
// that they created.
//
// Needs the scope `team:manage`.
func (c *Client) RemovePerson(ctx context.Context, input RemovePersonInput, options ...CallOption) (*RemovePersonResponse, error) {
	result := new(RemovePersonResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/people/remove", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListAuditEntries: List audit log entries.
//
// Newest first. Contains every change and export in the account area, and every administrative change
// by an access token or on the command line, successful or rejected. Administrative changes concern
// settings, methods, the webhook secret, tokens, the team and withdrawals. Payments by access tokens
// are in the event log.
//
// Needs the scope `audit:read`.
func (c *Client) ListAuditEntries(ctx context.Context, input ListAuditEntriesInput, options ...CallOption) (*ListAuditEntriesResponse, error) {
	result := new(ListAuditEntriesResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/audit-log", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// IterateAuditEntries iterates over all pages of ListAuditEntries, from Cursor if it is set. Pages are fetched as needed.
func (c *Client) IterateAuditEntries(input ListAuditEntriesInput, options ...CallOption) *Iterator[AuditEntry] {
	if input.PerPage == nil {
		input.PerPage = Ptr[int64](maxPerPage)
	}
	return &Iterator[AuditEntry]{fetch: func(ctx context.Context) ([]AuditEntry, bool, error) {
		page, err := c.ListAuditEntries(ctx, input, options...)
		if err != nil {
			return nil, false, err
		}
		next := page.NextCursor
		if next != nil {
			input.Cursor = *next
		}
		return page.Entries, next != nil, nil
	}}
}

// ListEmails: List emails.
//
// Emails of the last 30 days to payers and to members, newest first. A failed email was rejected by
// the mail server, or could not be sent for two days. Addresses of payers are masked without the scope
// `approval:write`, those of members without `team:manage`.
//
// Needs the scope `preference:read`.
func (c *Client) ListEmails(ctx context.Context, input ListEmailsInput, options ...CallOption) (*ListEmailsResponse, error) {
	result := new(ListEmailsResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/emails", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// IterateEmails iterates over all pages of ListEmails, from Cursor if it is set. Pages are fetched as needed.
func (c *Client) IterateEmails(input ListEmailsInput, options ...CallOption) *Iterator[Email] {
	if input.PerPage == nil {
		input.PerPage = Ptr[int64](maxPerPage)
	}
	return &Iterator[Email]{fetch: func(ctx context.Context) ([]Email, bool, error) {
		page, err := c.ListEmails(ctx, input, options...)
		if err != nil {
			return nil, false, err
		}
		next := page.NextCursor
		if next != nil {
			input.Cursor = *next
		}
		return page.Emails, next != nil, nil
	}}
}

// ListMerchants: List merchants.
//
// Needs the scope `transaction:read` and a manager’s token.
func (c *Client) ListMerchants(ctx context.Context, input ListMerchantsInput, options ...CallOption) (*ListMerchantsResponse, error) {
	result := new(ListMerchantsResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/merchants", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// IterateMerchants iterates over all pages of ListMerchants, from Cursor if it is set. Pages are fetched as needed.
func (c *Client) IterateMerchants(input ListMerchantsInput, options ...CallOption) *Iterator[Merchant] {
	if input.PerPage == nil {
		input.PerPage = Ptr[int64](maxPerPage)
	}
	return &Iterator[Merchant]{fetch: func(ctx context.Context) ([]Merchant, bool, error) {
		page, err := c.ListMerchants(ctx, input, options...)
		if err != nil {
			return nil, false, err
		}
		next := page.NextCursor
		if next != nil {
			input.Cursor = *next
		}
		return page.Merchants, next != nil, nil
	}}
}

// CreateMerchant: Create a merchant.
//
// Needs the scope `team:manage` and a manager’s token.
func (c *Client) CreateMerchant(ctx context.Context, input CreateMerchantInput, options ...CallOption) (*CreateMerchantResponse, error) {
	result := new(CreateMerchantResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/merchants", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// CreateAccessToken: Create an access token.
//
// The token is returned only once. It has the role `merchant` and cannot have a scope that you do not
// have (`403 forbidden`, with its name).
//
// Needs the scope `token:manage`.
func (c *Client) CreateAccessToken(ctx context.Context, input CreateAccessTokenInput, options ...CallOption) (*CreatedAccessToken, error) {
	result := new(CreatedAccessToken)
	err := c.call(ctx, endpoint{"POST", "/v1/tokens", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListAccessTokens: List access tokens.
//
// Valid tokens, newest first, including those issued to OAuth clients.
//
// Needs the scope `token:manage`.
func (c *Client) ListAccessTokens(ctx context.Context, input ListAccessTokensInput, options ...CallOption) (*ListAccessTokensResponse, error) {
	result := new(ListAccessTokensResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/tokens", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// IterateAccessTokens iterates over all pages of ListAccessTokens, from Cursor if it is set. Pages are fetched as needed.
func (c *Client) IterateAccessTokens(input ListAccessTokensInput, options ...CallOption) *Iterator[AccessToken] {
	if input.PerPage == nil {
		input.PerPage = Ptr[int64](maxPerPage)
	}
	return &Iterator[AccessToken]{fetch: func(ctx context.Context) ([]AccessToken, bool, error) {
		page, err := c.ListAccessTokens(ctx, input, options...)
		if err != nil {
			return nil, false, err
		}
		next := page.NextCursor
		if next != nil {
			input.Cursor = *next
		}
		return page.Tokens, next != nil, nil
	}}
}

// RevokeAccessToken: Revoke an access token.
//
// Takes effect immediately. A token can revoke itself.
//
// Needs the scope `token:manage`.
func (c *Client) RevokeAccessToken(ctx context.Context, input RevokeAccessTokenInput, options ...CallOption) (*RevokeAccessTokenResponse, error) {
	result := new(RevokeAccessTokenResponse)
	err := c.call(ctx, endpoint{"POST", "/v1/token/revoke", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListAcquirers: List acquirers.
//
// The acquirers of this release, with the credentials that their accounts need and the methods they
// offer.
//
// Needs the scope `acquirer:manage` and a manager’s token.
func (c *Client) ListAcquirers(ctx context.Context, input ListAcquirersInput, options ...CallOption) (*ListAcquirersResponse, error) {
	result := new(ListAcquirersResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/acquirers", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// CheckAcquirerCredentials: Test credentials.
//
// Calls the acquirer with credentials that are not stored. It charges nothing. A signed-in user must
// have confirmed their identity in the last five minutes (`403 step_up_required`).
//
// Needs the scope `acquirer:manage` and a manager’s token.
func (c *Client) CheckAcquirerCredentials(ctx context.Context, input CheckAcquirerCredentialsInput, options ...CallOption) (*AcquirerCheck, error) {
	result := new(AcquirerCheck)
	err := c.call(ctx, endpoint{"POST", "/v1/acquirers/check", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// ListAcquirerAccounts: List acquirer accounts.
//
// The accounts that your merchant uses: its own, and those that all merchants share.
//
// Needs the scope `acquirer:manage` and a manager’s token.
func (c *Client) ListAcquirerAccounts(ctx context.Context, options ...CallOption) (*ListAcquirerAccountsResponse, error) {
	result := new(ListAcquirerAccountsResponse)
	err := c.call(ctx, endpoint{"GET", "/v1/acquirer-accounts", "nothing"}, nil, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// AddAcquirerAccount: Add an acquirer account.
//
// Test the credentials first with `POST /v1/acquirers/check`. Then enter `webhook_url` in the
// acquirer’s dashboard. A signed-in user must have confirmed their identity in the last five minutes
// (`403 step_up_required`).
//
// Needs the scope `acquirer:manage` and a manager’s token.
func (c *Client) AddAcquirerAccount(ctx context.Context, input AddAcquirerAccountInput, options ...CallOption) (*AcquirerAccount, error) {
	result := new(AcquirerAccount)
	err := c.call(ctx, endpoint{"POST", "/v1/acquirer-accounts", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// GetAcquirerAccount: Retrieve an acquirer account.
//
// Needs the scope `acquirer:manage` and a manager’s token.
func (c *Client) GetAcquirerAccount(ctx context.Context, input GetAcquirerAccountInput, options ...CallOption) (*AcquirerAccount, error) {
	result := new(AcquirerAccount)
	err := c.call(ctx, endpoint{"GET", "/v1/acquirer-account", "query"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// UpdateAcquirerAccount: Change an acquirer account.
//
// Changes its name, enables or disables it, or replaces its routes. Omitted fields stay unchanged. A
// signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
//
// Needs the scope `acquirer:manage` and a manager’s token.
func (c *Client) UpdateAcquirerAccount(ctx context.Context, input UpdateAcquirerAccountInput, options ...CallOption) (*AcquirerAccount, error) {
	result := new(AcquirerAccount)
	err := c.call(ctx, endpoint{"PATCH", "/v1/acquirer-account", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// SetAcquirerCredentials: Replace the credentials of an acquirer account.
//
// Replaces all credential fields, so that a stored secret is never sent to a new API URL. The webhook
// URL stays the same. A signed-in user must have confirmed their identity in the last five minutes
// (`403 step_up_required`).
//
// Needs the scope `acquirer:manage` and a manager’s token.
func (c *Client) SetAcquirerCredentials(ctx context.Context, input SetAcquirerCredentialsInput, options ...CallOption) (*AcquirerAccount, error) {
	result := new(AcquirerAccount)
	err := c.call(ctx, endpoint{"POST", "/v1/acquirer-account/credentials", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

// CheckAcquirerAccount: Test the credentials of an acquirer account.
//
// Calls the acquirer with the stored credentials. It charges nothing.
//
// Needs the scope `acquirer:manage` and a manager’s token.
func (c *Client) CheckAcquirerAccount(ctx context.Context, input CheckAcquirerAccountInput, options ...CallOption) (*AcquirerCheck, error) {
	result := new(AcquirerCheck)
	err := c.call(ctx, endpoint{"POST", "/v1/acquirer-account/check", "body"}, input, result, options)
	if err != nil {
		return nil, err
	}
	return result, nil
}

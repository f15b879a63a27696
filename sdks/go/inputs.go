// Code generated from the OpenAPI document by `npm run generate`: change src/api. DO NOT EDIT.

package paylatch

import (
	"time"
)

// PayerInput is a part of the API's data.
type PayerInput struct {
	FirstName string `json:"first_name,omitempty"`
	LastName  string `json:"last_name,omitempty"`
	// ISO 3166-1 alpha-2.
	Country CountryAlpha2 `json:"country,omitempty"`
	// State, province or region of the billing address.
	State    string `json:"state,omitempty"`
	City     string `json:"city,omitempty"`
	Postcode string `json:"postcode,omitempty"`
	// Street address for billing.
	Address string `json:"address,omitempty"`
	// With the country code; spaces, periods, hyphens and parentheses are allowed.
	Phone string `json:"phone,omitempty"`
	Email string `json:"email,omitempty"`
}

// LineItemInput is a part of the API's data.
type LineItemInput struct {
	Name string `json:"name"`
	// 1 by default.
	Quantity *int64 `json:"quantity,omitempty"`
	// Unit price, in the currency’s decimals; negative for a discount.
	UnitAmount float64 `json:"unit_amount"`
	// An https:// URL of a square image, which the buyer’s browser loads without a referrer.
	ImageURL string `json:"image_url,omitempty"`
}

// SubmitCardInputBrowser: Helps the issuer approve the payment without a challenge
type SubmitCardInputBrowser struct {
	// `User-Agent` header; required from your server.
	UserAgent string `json:"user_agent,omitempty"`
	// `Accept` header; required from your server.
	AcceptHeader string `json:"accept_header,omitempty"`
	// `navigator.language`.
	Language string `json:"language"`
	// `screen.colorDepth`.
	ColorDepth int64 `json:"color_depth"`
	// `screen.width`.
	ScreenWidth int64 `json:"screen_width"`
	// `screen.height`.
	ScreenHeight int64 `json:"screen_height"`
	// `new Date().getTimezoneOffset()`, in minutes.
	TimeZoneOffset int64 `json:"time_zone_offset"`
	// `navigator.javaEnabled()`.
	JavaEnabled *bool `json:"java_enabled,omitempty"`
	// IP address of the payer; only for requests from your server.
	IPAddress string `json:"ip_address,omitempty"`
}

// CustomAmountInput is a part of the API's data.
type CustomAmountInput struct {
	Minimum float64 `json:"minimum"`
	Maximum float64 `json:"maximum"`
	// Prefilled amount.
	Suggested Nullable[float64] `json:"suggested,omitempty"`
}

// QuantityLimitsInput is a part of the API's data.
type QuantityLimitsInput struct {
	Minimum int64 `json:"minimum"`
	Maximum int64 `json:"maximum"`
}

// SetPaymentMethodsInputPaymentMethod is a part of the API's data.
type SetPaymentMethodsInputPaymentMethod struct {
	PaymentMethod string `json:"payment_method"`
	// ISO 4217.
	Currency Currency `json:"currency"`
	// One of enable, disable.
	Status string `json:"status"`
	// In the currency’s own decimals.
	FeeFix *float64 `json:"fee_fix,omitempty"`
	// Percentage of the amount, with at most 4 decimals.
	FeePercent *float64 `json:"fee_percent,omitempty"`
}

// SetPreferencesInputPreference is a part of the API's data.
type SetPreferencesInputPreference struct {
	// Such as `callback-url`.
	Key string `json:"key"`
	// A value of the key’s type, or its string form; lists also as a string that contains a JSON array.
	// null unsets the preference.
	Value any `json:"value"`
}

// SetPreferencesSingularInputPreference is a part of the API's data.
type SetPreferencesSingularInputPreference struct {
	// Such as `callback-url`.
	Key string `json:"key"`
	// A value of the key’s type, or its string form; lists also as a string that contains a JSON array.
	// null unsets the preference.
	Value any `json:"value"`
}

// AddAcquirerAccountInputRoute is a part of the API's data.
type AddAcquirerAccountInputRoute struct {
	PaymentMethod string `json:"payment_method"`
	// ISO 3166-1 alpha-3; all countries by default.
	Country string `json:"country,omitempty"`
	// ISO 4217; all currencies by default.
	Currency string `json:"currency,omitempty"`
	// The account with the lowest number is tried first.
	Priority *int64 `json:"priority,omitempty"`
}

// UpdateAcquirerAccountInputRoute is a part of the API's data.
type UpdateAcquirerAccountInputRoute struct {
	PaymentMethod string `json:"payment_method"`
	// ISO 3166-1 alpha-3; all countries by default.
	Country string `json:"country,omitempty"`
	// ISO 4217; all currencies by default.
	Currency string `json:"currency,omitempty"`
	// The account with the lowest number is tried first.
	Priority *int64 `json:"priority,omitempty"`
}

// CreateTransactionInput: parameters of the operation.
type CreateTransactionInput struct {
	// Your own reference, unique among your transactions.
	TransactionID any `json:"transaction_id"`
	// A method that is enabled for the country and the currency.
	PaymentMethod string `json:"payment_method"`
	// In the currency’s own decimals, such as 12.50; at most the maximum of the currency.
	Amount float64 `json:"amount"`
	// ISO 3166-1 alpha-3; NZD is read as NZL.
	Country CountryAlpha3 `json:"country"`
	// ISO 4217.
	Currency Currency `json:"currency"`
	// Purpose of the payment; required for a link.
	Description string `json:"description,omitempty"`
	// Redirect after success; required for a link. With `null` the payer stays on the payment page.
	SuccessRedirectURL Nullable[string] `json:"success_redirect_url,omitempty"`
	// Redirect after failure; required for a link. With `null` the payer stays on the payment page.
	FailRedirectURL Nullable[string] `json:"fail_redirect_url,omitempty"`
	// Fee added to the amount or deducted from it; required for a link. One of forward_without_fee,
	// forward_with_fee.
	TypeOfCalculation string `json:"type_of_calculation,omitempty"`
	// Response type; `link` by default. One of link, custom_form.
	TransactionType string `json:"transaction_type,omitempty"`
	// Expiry of the link, from 1 minute to 365 days ahead; set by the preference `link-lifetime-minutes`
	// by default.
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
	// `manual`: an approval only authorizes the amount; capture or void it later. Requires a card method
	// whose acquirer supports manual capture. `automatic` by default. One of automatic, manual.
	Capture string `json:"capture,omitempty"`
	// Known details of the payer; the payment page does not ask for them again.
	Payer *PayerInput `json:"payer,omitempty"`
	// Purchased items, shown on the payment page and the receipt. The items must add up to `amount`.
	LineItems []LineItemInput `json:"line_items,omitempty"`
	// Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500
	// characters. Payers never see it.
	Metadata map[string]string `json:"metadata,omitempty"`
	// Initial language of the payment page, as a BCP 47 tag; the browser’s language by default. The payer
	// can choose another.
	Locale PageLanguage `json:"locale,omitempty"`
}

// GetTransactionInput: parameters of the operation.
type GetTransactionInput struct {
	TransactionID string `json:"transaction_id"`
}

// SendPaymentLinkInput: parameters of the operation.
type SendPaymentLinkInput struct {
	// Your own reference, unique among your transactions.
	TransactionID any `json:"transaction_id"`
	// The recipient; the payer’s email address by default.
	Email string `json:"email,omitempty"`
}

// ListTransactionsInput: parameters of the operation.
type ListTransactionsInput struct {
	// `asc` by default if `order` is given. One of asc, desc.
	OrderDirection string `json:"order_direction,omitempty"`
	// Field to sort by; newest first by default. One of created_at, updated_at, amount, status,
	// transaction_id, payment_method.
	Order string `json:"order,omitempty"`
	// Covers the first 10,000 rows; beyond that, use `cursor`.
	Page *int64 `json:"page,omitempty"`
	// Page size; 20 by default.
	PerPage *int64 `json:"per_page,omitempty"`
	// The `pagination.next_cursor` of the previous page; cannot be combined with `page`.
	Cursor string `json:"cursor,omitempty"`
	// Adds `counts` to the response.
	Counts string   `json:"counts,omitempty"`
	Status []string `json:"status,omitempty"`
	// Failure reason.
	Reason []string `json:"reason,omitempty"`
	// Status of the card authorization.
	AuthorizationStatus []string `json:"authorization_status,omitempty"`
	// Only transactions with received funds awaiting review.
	AwaitingReview string `json:"awaiting_review,omitempty"`
	// Method codes, or aliases: qr_scan, promptpay, online_bank_transfer, cards, virtual_bank_account,
	// upi2, ewallet, wire, mobile_money, cup, p2p, cash, agent, alipay, wechat.
	PaymentMethod []string `json:"payment_method,omitempty"`
	// Created at or after this time: a date (UTC), a date-time, or Unix seconds.
	Since string `json:"since,omitempty"`
	// Created before this time: a date (inclusive), or a date-time or Unix seconds (exclusive).
	Till string `json:"till,omitempty"`
	// Changed at or after this time: a date (UTC), a date-time, or Unix seconds. A change can appear after
	// changes with a later time. To synchronize, start five minutes before the latest change that you
	// read, and skip records that you have with the same time of change; or use `GET /v1/events`, which
	// misses no event.
	UpdatedSince string          `json:"updated_since,omitempty"`
	Currency     []Currency      `json:"currency,omitempty"`
	Country      []CountryAlpha3 `json:"country,omitempty"`
	// Only transactions that these reusable links created.
	ReusableLinkID []string `json:"reusable_link_id,omitempty"`
	// Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive.
	Metadata map[string]string `json:"metadata,omitempty"`
	// Prefix of the `transaction_id` (case-sensitive), a complete `metadata` value, or a prefix of the
	// payer’s first name, last name or email (with the scope `approval:write`); four digits also match the
	// end of a card number, and a number such as `12.50` or `$1,250` the `amount`.
	Search string `json:"search,omitempty"`
}

// SubmitCardInput: parameters of the operation.
type SubmitCardInput struct {
	// Your own reference, unique among your transactions.
	TransactionID any `json:"transaction_id"`
	// With or without spaces.
	CardNumber string `json:"card_number"`
	// From 1 to 12.
	CardExpiryMonth string `json:"card_expiry_month"`
	// Two or four digits.
	CardExpiryYear string `json:"card_expiry_year"`
	// 3 digits, 4 for American Express; never stored.
	CardCvv   string `json:"card_cvv"`
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	// ISO 3166-1 alpha-2.
	Country CountryAlpha2 `json:"country"`
	// State, province or region; required unless the country has none.
	State string `json:"state,omitempty"`
	City  string `json:"city"`
	// Required unless the country has none.
	Postcode string `json:"postcode,omitempty"`
	// Street address for billing.
	Address string `json:"address"`
	// With the country code; spaces, periods, hyphens and parentheses are allowed.
	Phone string `json:"phone"`
	Email string `json:"email"`
	// Helps the issuer approve the payment without a challenge.
	Browser *SubmitCardInputBrowser `json:"browser,omitempty"`
}

// AcceptTransactionInput: parameters of the operation.
type AcceptTransactionInput struct {
	// Your own reference, unique among your transactions.
	TransactionID any `json:"transaction_id"`
	// Stored with the decision, for your team.
	Reason string `json:"reason,omitempty"`
}

// RejectTransactionInput: parameters of the operation.
type RejectTransactionInput struct {
	// Your own reference, unique among your transactions.
	TransactionID any `json:"transaction_id"`
	// Stored with the decision, for your team.
	Reason string `json:"reason,omitempty"`
	// True records a refund that you made elsewhere; the acquirer is not called. By default the funds are
	// returned to the original payment method.
	OutOfBand *bool `json:"out_of_band,omitempty"`
}

// CancelTransactionInput: parameters of the operation.
type CancelTransactionInput struct {
	// Your own reference, unique among your transactions.
	TransactionID any `json:"transaction_id"`
}

// RenewTransactionInput: parameters of the operation.
type RenewTransactionInput struct {
	// Your own reference, unique among your transactions.
	TransactionID any `json:"transaction_id"`
}

// CaptureTransactionInput: parameters of the operation.
type CaptureTransactionInput struct {
	// Your own reference, unique among your transactions.
	TransactionID any `json:"transaction_id"`
	// In the currency’s decimals, at most the authorized amount, which is the default. The remaining
	// amount is released.
	Amount *float64 `json:"amount,omitempty"`
}

// VoidTransactionInput: parameters of the operation.
type VoidTransactionInput struct {
	// Your own reference, unique among your transactions.
	TransactionID any `json:"transaction_id"`
}

// RefundTransactionInput: parameters of the operation.
type RefundTransactionInput struct {
	// Your own reference, unique among your transactions.
	TransactionID any `json:"transaction_id"`
	// In the currency’s decimals; the full remaining amount by default.
	Amount *float64 `json:"amount,omitempty"`
	// True records a refund that you made elsewhere; the acquirer is not called. By default the funds are
	// returned to the original payment method.
	OutOfBand *bool `json:"out_of_band,omitempty"`
}

// ErasePayerInput: parameters of the operation.
type ErasePayerInput struct {
	// The payer of this transaction.
	TransactionID string `json:"transaction_id,omitempty"`
	// All payments of the payer with this email address, case-insensitive. With transaction_id: an address
	// to erase from that payment, for a payer who is no longer stored with it.
	Email string `json:"email,omitempty"`
}

// CreateReusableLinkInput: parameters of the operation.
type CreateReusableLinkInput struct {
	// Name of the product or purpose; also the description of its transactions.
	Title string `json:"title"`
	// Text below the title.
	Description Nullable[string] `json:"description,omitempty"`
	// An https:// URL of an image, which the buyer’s browser loads.
	ImageURL Nullable[string] `json:"image_url,omitempty"`
	// ISO 3166-1 alpha-3; NZD is read as NZL.
	Country CountryAlpha3 `json:"country"`
	// ISO 4217.
	Currency Currency `json:"currency"`
	// A method that is enabled for the country and the currency; buyers can switch.
	PaymentMethod string `json:"payment_method"`
	// Fee added to the amount or deducted from it; `forward_without_fee` by default. One of
	// forward_without_fee, forward_with_fee.
	TypeOfCalculation string `json:"type_of_calculation,omitempty"`
	// Unit price, in the currency’s decimals; not with `custom_amount`.
	Amount Nullable[float64] `json:"amount,omitempty"`
	// Limits of an amount that the buyer chooses.
	CustomAmount Nullable[CustomAmountInput] `json:"custom_amount,omitempty"`
	// Lets the buyer choose a quantity; only with `amount`.
	Quantity Nullable[QuantityLimitsInput] `json:"quantity,omitempty"`
	// Maximum number sold in total; null for no limit.
	Stock Nullable[int64] `json:"stock,omitempty"`
	// Details that the buyer must enter; the payment page does not ask again.
	Ask []string `json:"ask,omitempty"`
	// Redirect after success; null for our own page.
	SuccessRedirectURL Nullable[string] `json:"success_redirect_url,omitempty"`
	// Redirect after failure; null for the page of the reusable link.
	FailRedirectURL Nullable[string] `json:"fail_redirect_url,omitempty"`
	// Copied to its transactions; see `metadata` there.
	Metadata Nullable[map[string]string] `json:"metadata,omitempty"`
}

// ListReusableLinksInput: parameters of the operation.
type ListReusableLinksInput struct {
	// One of active, archived.
	Status string `json:"status,omitempty"`
	// Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive.
	Metadata map[string]string `json:"metadata,omitempty"`
	// 20 by default.
	PerPage *int64 `json:"per_page,omitempty"`
	// The `next_cursor` of the previous page.
	Cursor string `json:"cursor,omitempty"`
}

// GetReusableLinkInput: parameters of the operation.
type GetReusableLinkInput struct {
	// The `id` of the reusable link.
	ID string `json:"id"`
}

// UpdateReusableLinkInput: parameters of the operation.
type UpdateReusableLinkInput struct {
	// Name of the product or purpose; also the description of its transactions.
	Title string `json:"title,omitempty"`
	// Text below the title.
	Description Nullable[string] `json:"description,omitempty"`
	// An https:// URL of an image, which the buyer’s browser loads.
	ImageURL Nullable[string] `json:"image_url,omitempty"`
	// ISO 3166-1 alpha-3; NZD is read as NZL.
	Country CountryAlpha3 `json:"country,omitempty"`
	// A method that is enabled for the country and the currency; buyers can switch.
	PaymentMethod string `json:"payment_method,omitempty"`
	// Fee added to the amount or deducted from it; `forward_without_fee` by default. One of
	// forward_without_fee, forward_with_fee.
	TypeOfCalculation string `json:"type_of_calculation,omitempty"`
	// Unit price, in the currency’s decimals; not with `custom_amount`.
	Amount Nullable[float64] `json:"amount,omitempty"`
	// Limits of an amount that the buyer chooses.
	CustomAmount Nullable[CustomAmountInput] `json:"custom_amount,omitempty"`
	// Lets the buyer choose a quantity; only with `amount`.
	Quantity Nullable[QuantityLimitsInput] `json:"quantity,omitempty"`
	// Maximum number sold in total; null for no limit.
	Stock Nullable[int64] `json:"stock,omitempty"`
	// Details that the buyer must enter; the payment page does not ask again.
	Ask []string `json:"ask,omitempty"`
	// Redirect after success; null for our own page.
	SuccessRedirectURL Nullable[string] `json:"success_redirect_url,omitempty"`
	// Redirect after failure; null for the page of the reusable link.
	FailRedirectURL Nullable[string] `json:"fail_redirect_url,omitempty"`
	// Copied to its transactions; see `metadata` there.
	Metadata Nullable[map[string]string] `json:"metadata,omitempty"`
	// The `id` of the reusable link.
	ID string `json:"id"`
}

// ArchiveReusableLinkInput: parameters of the operation.
type ArchiveReusableLinkInput struct {
	// The `id` of the reusable link.
	ID string `json:"id"`
	// False makes the link active again; true by default.
	Archived *bool `json:"archived,omitempty"`
}

// CreateInvoiceInput: parameters of the operation.
type CreateInvoiceInput struct {
	// Your reference, unique among your transactions of one currency.
	TxID string `json:"txId"`
	// A cryptocurrency of `GET /v1/currencies`.
	Code CryptoCurrencyCode `json:"code"`
	// A whole number of the currency’s smallest unit, such as satoshi or wei; optional for the type
	// `user`.
	Amount string `json:"amount,omitempty"`
	// One of static, revolver, user, invoice_type_default.
	Type string `json:"type"`
	// Expiry, at most 24 hours from now; 30 minutes by default. Not for the type `user`.
	ExpiredAt *time.Time `json:"expiredAt,omitempty"`
	// Internal note; the payer does not see it.
	Comment string `json:"comment,omitempty"`
	// Description shown to the payer.
	Description string `json:"description,omitempty"`
	// URL of your page to which the payer returns from the invoice page.
	ReturnURL string `json:"returnUrl,omitempty"`
	// Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500
	// characters. Payers never see it.
	Metadata map[string]string `json:"metadata,omitempty"`
	// Initial language of the payment page, as a BCP 47 tag; the browser’s language by default. The payer
	// can choose another.
	Locale PageLanguage `json:"locale,omitempty"`
}

// GetCryptoTransactionInput: parameters of the operation.
type GetCryptoTransactionInput struct {
	// Your reference, unique among your transactions of one currency.
	TxID string `json:"txId,omitempty"`
	// A cryptocurrency of `GET /v1/currencies`.
	Code CryptoCurrencyCode `json:"code,omitempty"`
	// Instead of `txId` and `code`: the `id` of a response, for deposits without a `txId`.
	ID string `json:"id,omitempty"`
}

// ListCryptoTransactionsInput: parameters of the operation.
type ListCryptoTransactionsInput struct {
	Status []CryptoStatus       `json:"status,omitempty"`
	Code   []CryptoCurrencyCode `json:"code,omitempty"`
	// Created at or after this time: a date (UTC), a date-time, or Unix seconds.
	Since string `json:"since,omitempty"`
	// Created before this time: a date (inclusive), or a date-time or Unix seconds (exclusive).
	Till string `json:"till,omitempty"`
	// Changed at or after this time: a date (UTC), a date-time, or Unix seconds. A change can appear after
	// changes with a later time. To synchronize, start five minutes before the latest change that you
	// read, and skip records that you have with the same time of change; or use `GET /v1/events`, which
	// misses no event.
	UpdatedSince string `json:"updated_since,omitempty"`
	// Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive.
	Metadata map[string]string `json:"metadata,omitempty"`
	// Prefix of a `txId` (case-sensitive), a full `walletAddress` or `txHash`, or a complete `metadata`
	// value.
	Search string `json:"search,omitempty"`
	// The `next_cursor` of the previous page.
	Cursor string `json:"cursor,omitempty"`
	// Page size; 20 by default.
	PerPage *int64 `json:"per_page,omitempty"`
}

// ApproveCryptoTransactionInput: parameters of the operation.
type ApproveCryptoTransactionInput struct {
	ID     string `json:"id"`
	Reason string `json:"reason,omitempty"`
}

// RejectCryptoTransactionInput: parameters of the operation.
type RejectCryptoTransactionInput struct {
	ID     string `json:"id"`
	Reason string `json:"reason,omitempty"`
	// Refund address; needs the scope `withdrawal:write`. Without it nothing is sent. Not allowed for type
	// `user`.
	RefundAddress string `json:"refundAddress,omitempty"`
}

// ListWalletsInput: parameters of the operation.
type ListWalletsInput struct {
	State []string `json:"state,omitempty"`
	Code  []string `json:"code,omitempty"`
	// Only wallets with a balance.
	Funded string `json:"funded,omitempty"`
	// The `next_cursor` of the previous page.
	Cursor string `json:"cursor,omitempty"`
	// Page size; 20 by default.
	PerPage *int64 `json:"per_page,omitempty"`
}

// RotateWalletInput: parameters of the operation.
type RotateWalletInput struct {
	// As in the invoice.
	WalletAddress string `json:"walletAddress"`
}

// ListWithdrawalsInput: parameters of the operation.
type ListWithdrawalsInput struct {
	Status []string             `json:"status,omitempty"`
	Code   []CryptoCurrencyCode `json:"code,omitempty"`
	// Changed at or after this time: a date (UTC), a date-time, or Unix seconds. A change can appear after
	// changes with a later time. To synchronize, start five minutes before the latest change that you
	// read, and skip records that you have with the same time of change; or use `GET /v1/events`, which
	// misses no event.
	UpdatedSince string `json:"updated_since,omitempty"`
	// The `next_cursor` of the previous page.
	Cursor string `json:"cursor,omitempty"`
	// Page size; 20 by default.
	PerPage *int64 `json:"per_page,omitempty"`
}

// CreateWithdrawalInput: parameters of the operation.
type CreateWithdrawalInput struct {
	// A cryptocurrency of `GET /v1/currencies`.
	Code CryptoCurrencyCode `json:"code"`
	// Wallet to withdraw from.
	WalletAddress string `json:"walletAddress"`
	// `credited`, `unattributed` (received after the wallet was retired) or `rejected` (not refunded). One
	// of credited, unattributed, rejected.
	Source string `json:"source"`
	// Destination address.
	Destination string `json:"destination"`
}

// GetWithdrawalInput: parameters of the operation.
type GetWithdrawalInput struct {
	ID string `json:"id"`
}

// SubmitWithdrawalInput: parameters of the operation.
type SubmitWithdrawalInput struct {
	ID string `json:"id"`
	// PSBT in base64 or the transaction in hexadecimal; on Ethereum the transaction in hexadecimal with
	// 0x.
	Signed string `json:"signed"`
}

// CancelWithdrawalInput: parameters of the operation.
type CancelWithdrawalInput struct {
	ID string `json:"id"`
}

// ListEventsInput: parameters of the operation.
type ListEventsInput struct {
	// The `next` of the previous response; by default the oldest stored event.
	After string `json:"after,omitempty"`
	// Page size; 20 by default.
	Limit *int64 `json:"limit,omitempty"`
	// Seconds to wait for an event if there is none yet.
	Wait *int64 `json:"wait,omitempty"`
}

// ListTransactionEventsInput: parameters of the operation.
type ListTransactionEventsInput struct {
	TransactionID string `json:"transaction_id"`
}

// GetStatisticsInput: parameters of the operation.
type GetStatisticsInput struct {
	// Start of the period: a date (in `time_zone`), a date-time, or Unix seconds; 30 days ago by default.
	Since string `json:"since,omitempty"`
	// End of the period: a date (inclusive), or a date-time or Unix seconds (exclusive); today by default.
	Till string `json:"till,omitempty"`
	// IANA time zone of days and hours, or an offset such as `+05:30`; UTC by default.
	TimeZone string `json:"time_zone,omitempty"`
}

// ListRatesInput: parameters of the operation.
type ListRatesInput struct {
	// Currency of the prices; `USD` by default.
	Currency Currency `json:"currency,omitempty"`
}

// ListCallbacksInput: parameters of the operation.
type ListCallbacksInput struct {
	State []string `json:"state,omitempty"`
	// Your reference for a fiat or crypto transaction, or the `id` of a crypto transaction or withdrawal.
	TransactionID string `json:"transaction_id,omitempty"`
	// An endpoint: `we_…` or `callback-url`.
	EndpointID string `json:"endpoint_id,omitempty"`
	// Event types.
	Type []string `json:"type,omitempty"`
	// The `next_cursor` of the previous page.
	Cursor string `json:"cursor,omitempty"`
	// Page size; 20 by default.
	PerPage *int64 `json:"per_page,omitempty"`
}

// GetCallbackInput: parameters of the operation.
type GetCallbackInput struct {
	// The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the endpoint.
	ID string `json:"id"`
}

// RedeliverCallbackInput: parameters of the operation.
type RedeliverCallbackInput struct {
	// The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the endpoint.
	ID string `json:"id"`
}

// RotateCallbackSecretInput: parameters of the operation.
type RotateCallbackSecretInput struct {
	// Hours that the old secret also signs; 24 by default. Use 0 if it leaked.
	KeepHours *int64 `json:"keep_hours,omitempty"`
}

// AddWebhookEndpointInput: parameters of the operation.
type AddWebhookEndpointInput struct {
	// Same rules as `callback-url`: https, and not in a private network.
	URL         string           `json:"url"`
	Description Nullable[string] `json:"description,omitempty"`
	// Types of events to send; null for all. Security notices are always sent.
	EventTypes Nullable[[]string] `json:"event_types,omitempty"`
}

// GetWebhookEndpointInput: parameters of the operation.
type GetWebhookEndpointInput struct {
	// `we_…`, or `callback-url` for the endpoint of that preference.
	ID string `json:"id"`
}

// UpdateWebhookEndpointInput: parameters of the operation.
type UpdateWebhookEndpointInput struct {
	// `we_…`, or `callback-url` for the endpoint of that preference.
	ID string `json:"id"`
	// Same rules as `callback-url`: https, and not in a private network.
	URL         string           `json:"url,omitempty"`
	Description Nullable[string] `json:"description,omitempty"`
	// Types of events to send; null for all. Security notices are always sent.
	EventTypes Nullable[[]string] `json:"event_types,omitempty"`
	// true also enables an endpoint that was disabled after failures.
	Enabled *bool `json:"enabled,omitempty"`
}

// RotateWebhookEndpointSecretInput: parameters of the operation.
type RotateWebhookEndpointSecretInput struct {
	// Hours that the old secret also signs; 24 by default. Use 0 if it leaked.
	KeepHours *int64 `json:"keep_hours,omitempty"`
	// `we_…`, or `callback-url` for the endpoint of that preference.
	ID string `json:"id"`
}

// TestWebhookEndpointInput: parameters of the operation.
type TestWebhookEndpointInput struct {
	// `we_…`, or `callback-url` for the endpoint of that preference.
	ID string `json:"id"`
}

// RedeliverFailedCallbacksInput: parameters of the operation.
type RedeliverFailedCallbacksInput struct {
	// `we_…`, or `callback-url` for the endpoint of that preference.
	ID string `json:"id"`
}

// RemoveWebhookEndpointInput: parameters of the operation.
type RemoveWebhookEndpointInput struct {
	// `we_…`, or `callback-url` for the endpoint of that preference.
	ID string `json:"id"`
}

// ListPaymentMethodsInput: parameters of the operation.
type ListPaymentMethodsInput struct {
	// ISO 3166-1 alpha-3; NZD is read as NZL.
	Country CountryAlpha3 `json:"country"`
	// If omitted: every currency of the country, and those in which the merchant has a method.
	Currency Currency `json:"currency,omitempty"`
}

// SetPaymentMethodsInput: parameters of the operation.
type SetPaymentMethodsInput struct {
	PaymentMethods []SetPaymentMethodsInputPaymentMethod `json:"payment_methods"`
}

// SetPreferenceInput: parameters of the operation.
type SetPreferenceInput struct {
	// Such as `callback-url`.
	Key string `json:"key"`
	// A value of the key’s type, or its string form; lists also as a string that contains a JSON array.
	// null unsets the preference.
	Value any `json:"value"`
}

// SetPreferencesInput: parameters of the operation.
type SetPreferencesInput struct {
	Preferences []SetPreferencesInputPreference `json:"preferences"`
}

// ListPreferenceKeysInput: parameters of the operation.
type ListPreferenceKeysInput struct {
	// Only this key.
	Key string `json:"key,omitempty"`
}

// SetPreferencesSingularInput: parameters of the operation.
type SetPreferencesSingularInput struct {
	Preferences []SetPreferencesSingularInputPreference `json:"preferences"`
}

// SetLogoInput: parameters of the operation.
type SetLogoInput struct {
	// The file in Base64: PNG, JPEG or WebP of at most 1000000 bytes, 8000 pixels on each side and
	// 10000000 pixels in total.
	Image string `json:"image"`
}

// InvitePersonInput: parameters of the operation.
type InvitePersonInput struct {
	Email string `json:"email"`
	// `viewer` reads, `operator` reviews payments, `owner` also changes settings. One of owner, operator,
	// viewer.
	Role string `json:"role"`
}

// RevokeInvitationInput: parameters of the operation.
type RevokeInvitationInput struct {
	// ID from the list of invitations.
	ID int64 `json:"id"`
}

// SetPersonRoleInput: parameters of the operation.
type SetPersonRoleInput struct {
	ID int64 `json:"id"`
	// `viewer` reads, `operator` reviews payments, `owner` also changes settings. One of owner, operator,
	// viewer.
	Role string `json:"role"`
}

// RemovePersonInput: parameters of the operation.
type RemovePersonInput struct {
	// ID from the list of members.
	ID int64 `json:"id"`
}

// ListAuditEntriesInput: parameters of the operation.
type ListAuditEntriesInput struct {
	// Only entries of this user.
	Person *int64 `json:"person,omitempty"`
	// Actions, such as `createWithdrawal` or `sign_in`.
	Action []string `json:"action,omitempty"`
	// At or after this time: a date (UTC), a date-time, or Unix seconds.
	Since string `json:"since,omitempty"`
	// Before this time: a date (inclusive), or a date-time or Unix seconds (exclusive).
	Till string `json:"till,omitempty"`
	// The `next_cursor` of the previous page.
	Cursor  string `json:"cursor,omitempty"`
	PerPage *int64 `json:"per_page,omitempty"`
}

// ListEmailsInput: parameters of the operation.
type ListEmailsInput struct {
	// The `next_cursor` of the previous page.
	Cursor  string `json:"cursor,omitempty"`
	PerPage *int64 `json:"per_page,omitempty"`
}

// ListMerchantsInput: parameters of the operation.
type ListMerchantsInput struct {
	// Prefix of a name, or an ID.
	Search string `json:"search,omitempty"`
	// The `next_cursor` of the previous page.
	Cursor  string `json:"cursor,omitempty"`
	PerPage *int64 `json:"per_page,omitempty"`
}

// CreateMerchantInput: parameters of the operation.
type CreateMerchantInput struct {
	Name string `json:"name"`
}

// CreateAccessTokenInput: parameters of the operation.
type CreateAccessTokenInput struct {
	// Name of the token.
	Name string `json:"name"`
	// Permissions; only scopes that you have.
	Scopes []TokenScope `json:"scopes"`
	// Expiry; by default it is valid until revoked.
	ExpiresAt *time.Time `json:"expires_at,omitempty"`
}

// ListAccessTokensInput: parameters of the operation.
type ListAccessTokensInput struct {
	// The `next_cursor` of the previous page.
	Cursor string `json:"cursor,omitempty"`
	// Page size; 20 by default.
	PerPage *int64 `json:"per_page,omitempty"`
}

// RevokeAccessTokenInput: parameters of the operation.
type RevokeAccessTokenInput struct {
	// Identifies the token in decisions and the audit log: `token 7`.
	ID int64 `json:"id"`
}

// ListAcquirersInput: parameters of the operation.
type ListAcquirersInput struct {
	// Only this acquirer.
	Name string `json:"name,omitempty"`
}

// CheckAcquirerCredentialsInput: parameters of the operation.
type CheckAcquirerCredentialsInput struct {
	// Name of the acquirer.
	Acquirer string `json:"acquirer"`
	// All fields of the credentials, by name. They are stored sealed, and secrets are never returned.
	Credentials map[string]string `json:"credentials"`
}

// AddAcquirerAccountInput: parameters of the operation.
type AddAcquirerAccountInput struct {
	// Name of the acquirer.
	Acquirer string `json:"acquirer"`
	// Your name for the account.
	Name string `json:"name"`
	// true if all merchants use it; only your merchant by default.
	Shared *bool `json:"shared,omitempty"`
	// All fields of the credentials, by name. They are stored sealed, and secrets are never returned.
	Credentials map[string]string `json:"credentials"`
	// Payment methods that the account accepts; one entry for each method, country and currency.
	Routes []AddAcquirerAccountInputRoute `json:"routes,omitempty"`
}

// GetAcquirerAccountInput: parameters of the operation.
type GetAcquirerAccountInput struct {
	// Identifies the account, in its webhook URL too.
	ID string `json:"id"`
}

// UpdateAcquirerAccountInput: parameters of the operation.
type UpdateAcquirerAccountInput struct {
	// Identifies the account, in its webhook URL too.
	ID string `json:"id"`
	// Your name for the account.
	Name    string `json:"name,omitempty"`
	Enabled *bool  `json:"enabled,omitempty"`
	// Replaces all routes.
	Routes []UpdateAcquirerAccountInputRoute `json:"routes,omitempty"`
	// The `updated_at` that you have read; the change is rejected if the account has changed since then.
	UpdatedAt *time.Time `json:"updated_at,omitempty"`
}

// SetAcquirerCredentialsInput: parameters of the operation.
type SetAcquirerCredentialsInput struct {
	// Identifies the account, in its webhook URL too.
	ID string `json:"id"`
	// All fields of the credentials, by name. They are stored sealed, and secrets are never returned.
	Credentials map[string]string `json:"credentials"`
	// The `updated_at` that you have read; the change is rejected if the account has changed since then.
	UpdatedAt *time.Time `json:"updated_at,omitempty"`
}

// CheckAcquirerAccountInput: parameters of the operation.
type CheckAcquirerAccountInput struct {
	// Identifies the account, in its webhook URL too.
	ID string `json:"id"`
}

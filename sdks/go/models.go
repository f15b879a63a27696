// Code generated from the OpenAPI document by `npm run generate`: change src/api. DO NOT EDIT.

package paylatch

import (
	"encoding/json"
	"time"
)

// CountryAlpha3: ISO 3166-1 alpha-3; NZD is read as NZL
type CountryAlpha3 = string

// Currency: ISO 4217
type Currency string

// Values of Currency. Later releases may add some.
const (
	CurrencyAED Currency = "AED"
	CurrencyAFN Currency = "AFN"
	CurrencyALL Currency = "ALL"
	CurrencyAMD Currency = "AMD"
	CurrencyAOA Currency = "AOA"
	CurrencyARS Currency = "ARS"
	CurrencyAUD Currency = "AUD"
	CurrencyAWG Currency = "AWG"
	CurrencyAZN Currency = "AZN"
	CurrencyBAM Currency = "BAM"
	CurrencyBBD Currency = "BBD"
	CurrencyBDT Currency = "BDT"
	CurrencyBHD Currency = "BHD"
	CurrencyBIF Currency = "BIF"
	CurrencyBMD Currency = "BMD"
	CurrencyBND Currency = "BND"
	CurrencyBOB Currency = "BOB"
	CurrencyBRL Currency = "BRL"
	CurrencyBSD Currency = "BSD"
	CurrencyBTN Currency = "BTN"
	CurrencyBWP Currency = "BWP"
	CurrencyBYN Currency = "BYN"
	CurrencyBZD Currency = "BZD"
	CurrencyCAD Currency = "CAD"
	CurrencyCDF Currency = "CDF"
	CurrencyCHF Currency = "CHF"
	CurrencyCLP Currency = "CLP"
	CurrencyCNY Currency = "CNY"
	CurrencyCOP Currency = "COP"
	CurrencyCRC Currency = "CRC"
	CurrencyCVE Currency = "CVE"
	CurrencyCZK Currency = "CZK"
	CurrencyDJF Currency = "DJF"
	CurrencyDKK Currency = "DKK"
	CurrencyDOP Currency = "DOP"
	CurrencyDZD Currency = "DZD"
	CurrencyEGP Currency = "EGP"
	CurrencyERN Currency = "ERN"
	CurrencyETB Currency = "ETB"
	CurrencyEUR Currency = "EUR"
	CurrencyFJD Currency = "FJD"
	CurrencyFKP Currency = "FKP"
	CurrencyGBP Currency = "GBP"
	CurrencyGEL Currency = "GEL"
	CurrencyGHS Currency = "GHS"
	CurrencyGIP Currency = "GIP"
	CurrencyGMD Currency = "GMD"
	CurrencyGNF Currency = "GNF"
	CurrencyGTQ Currency = "GTQ"
	CurrencyGYD Currency = "GYD"
	CurrencyHKD Currency = "HKD"
	CurrencyHNL Currency = "HNL"
	CurrencyHTG Currency = "HTG"
	CurrencyHUF Currency = "HUF"
	CurrencyIDR Currency = "IDR"
	CurrencyILS Currency = "ILS"
	CurrencyINR Currency = "INR"
	CurrencyIQD Currency = "IQD"
	CurrencyISK Currency = "ISK"
	CurrencyJMD Currency = "JMD"
	CurrencyJOD Currency = "JOD"
	CurrencyJPY Currency = "JPY"
	CurrencyKES Currency = "KES"
	CurrencyKGS Currency = "KGS"
	CurrencyKHR Currency = "KHR"
	CurrencyKMF Currency = "KMF"
	CurrencyKRW Currency = "KRW"
	CurrencyKWD Currency = "KWD"
	CurrencyKYD Currency = "KYD"
	CurrencyKZT Currency = "KZT"
	CurrencyLAK Currency = "LAK"
	CurrencyLBP Currency = "LBP"
	CurrencyLKR Currency = "LKR"
	CurrencyLRD Currency = "LRD"
	CurrencyLSL Currency = "LSL"
	CurrencyLYD Currency = "LYD"
	CurrencyMAD Currency = "MAD"
	CurrencyMDL Currency = "MDL"
	CurrencyMGA Currency = "MGA"
	CurrencyMKD Currency = "MKD"
	CurrencyMMK Currency = "MMK"
	CurrencyMNT Currency = "MNT"
	CurrencyMOP Currency = "MOP"
	CurrencyMRU Currency = "MRU"
	CurrencyMUR Currency = "MUR"
	CurrencyMVR Currency = "MVR"
	CurrencyMWK Currency = "MWK"
	CurrencyMXN Currency = "MXN"
	CurrencyMYR Currency = "MYR"
	CurrencyMZN Currency = "MZN"
	CurrencyNAD Currency = "NAD"
	CurrencyNGN Currency = "NGN"
	CurrencyNIO Currency = "NIO"
	CurrencyNOK Currency = "NOK"
	CurrencyNPR Currency = "NPR"
	CurrencyNZD Currency = "NZD"
	CurrencyOMR Currency = "OMR"
	CurrencyPAB Currency = "PAB"
	CurrencyPEN Currency = "PEN"
	CurrencyPGK Currency = "PGK"
	CurrencyPHP Currency = "PHP"
	CurrencyPKR Currency = "PKR"
	CurrencyPLN Currency = "PLN"
	CurrencyPYG Currency = "PYG"
	CurrencyQAR Currency = "QAR"
	CurrencyRON Currency = "RON"
	CurrencyRSD Currency = "RSD"
	CurrencyRUB Currency = "RUB"
	CurrencyRWF Currency = "RWF"
	CurrencySAR Currency = "SAR"
	CurrencySBD Currency = "SBD"
	CurrencySCR Currency = "SCR"
	CurrencySDG Currency = "SDG"
	CurrencySEK Currency = "SEK"
	CurrencySGD Currency = "SGD"
	CurrencySHP Currency = "SHP"
	CurrencySLE Currency = "SLE"
	CurrencySOS Currency = "SOS"
	CurrencySRD Currency = "SRD"
	CurrencySSP Currency = "SSP"
	CurrencySTN Currency = "STN"
	CurrencySVC Currency = "SVC"
	CurrencySZL Currency = "SZL"
	CurrencyTHB Currency = "THB"
	CurrencyTJS Currency = "TJS"
	CurrencyTMT Currency = "TMT"
	CurrencyTND Currency = "TND"
	CurrencyTOP Currency = "TOP"
	CurrencyTRY Currency = "TRY"
	CurrencyTTD Currency = "TTD"
	CurrencyTWD Currency = "TWD"
	CurrencyTZS Currency = "TZS"
	CurrencyUAH Currency = "UAH"
	CurrencyUGX Currency = "UGX"
	CurrencyUSD Currency = "USD"
	CurrencyUYU Currency = "UYU"
	CurrencyUZS Currency = "UZS"
	CurrencyVES Currency = "VES"
	CurrencyVND Currency = "VND"
	CurrencyVUV Currency = "VUV"
	CurrencyWST Currency = "WST"
	CurrencyXAF Currency = "XAF"
	CurrencyXCD Currency = "XCD"
	CurrencyXCG Currency = "XCG"
	CurrencyXOF Currency = "XOF"
	CurrencyXPF Currency = "XPF"
	CurrencyYER Currency = "YER"
	CurrencyZAR Currency = "ZAR"
	CurrencyZMW Currency = "ZMW"
	CurrencyZWG Currency = "ZWG"
)

// CountryAlpha2: ISO 3166-1 alpha-2
type CountryAlpha2 = string

// PageLanguage: Initial language of the payment page, as a BCP 47 tag; the browser’s language by
// default. The payer can choose another
type PageLanguage string

// Values of PageLanguage. Later releases may add some.
const (
	PageLanguageAr     PageLanguage = "ar"
	PageLanguageBg     PageLanguage = "bg"
	PageLanguageBn     PageLanguage = "bn"
	PageLanguageCa     PageLanguage = "ca"
	PageLanguageCs     PageLanguage = "cs"
	PageLanguageDa     PageLanguage = "da"
	PageLanguageDe     PageLanguage = "de"
	PageLanguageEl     PageLanguage = "el"
	PageLanguageEn     PageLanguage = "en"
	PageLanguageEs     PageLanguage = "es"
	PageLanguageEt     PageLanguage = "et"
	PageLanguageFa     PageLanguage = "fa"
	PageLanguageFi     PageLanguage = "fi"
	PageLanguageFil    PageLanguage = "fil"
	PageLanguageFr     PageLanguage = "fr"
	PageLanguageGu     PageLanguage = "gu"
	PageLanguageHa     PageLanguage = "ha"
	PageLanguageHe     PageLanguage = "he"
	PageLanguageHi     PageLanguage = "hi"
	PageLanguageHr     PageLanguage = "hr"
	PageLanguageHu     PageLanguage = "hu"
	PageLanguageID     PageLanguage = "id"
	PageLanguageIg     PageLanguage = "ig"
	PageLanguageIt     PageLanguage = "it"
	PageLanguageJa     PageLanguage = "ja"
	PageLanguageKn     PageLanguage = "kn"
	PageLanguageKo     PageLanguage = "ko"
	PageLanguageLt     PageLanguage = "lt"
	PageLanguageLv     PageLanguage = "lv"
	PageLanguageMl     PageLanguage = "ml"
	PageLanguageMr     PageLanguage = "mr"
	PageLanguageMs     PageLanguage = "ms"
	PageLanguageNb     PageLanguage = "nb"
	PageLanguageNl     PageLanguage = "nl"
	PageLanguagePa     PageLanguage = "pa"
	PageLanguagePl     PageLanguage = "pl"
	PageLanguagePt     PageLanguage = "pt"
	PageLanguageRo     PageLanguage = "ro"
	PageLanguageRu     PageLanguage = "ru"
	PageLanguageSk     PageLanguage = "sk"
	PageLanguageSl     PageLanguage = "sl"
	PageLanguageSr     PageLanguage = "sr"
	PageLanguageSv     PageLanguage = "sv"
	PageLanguageSw     PageLanguage = "sw"
	PageLanguageTa     PageLanguage = "ta"
	PageLanguageTe     PageLanguage = "te"
	PageLanguageTh     PageLanguage = "th"
	PageLanguageTr     PageLanguage = "tr"
	PageLanguageUk     PageLanguage = "uk"
	PageLanguageUr     PageLanguage = "ur"
	PageLanguageVi     PageLanguage = "vi"
	PageLanguageYo     PageLanguage = "yo"
	PageLanguageZhHans PageLanguage = "zh-Hans"
	PageLanguageZhHant PageLanguage = "zh-Hant"
)

// TransactionStatus: `transaction_status_pending`: created, or ready for another attempt after a
// decline; `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the
// payment is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended
// without payment; `reason` states the cause
type TransactionStatus string

// Values of TransactionStatus. Later releases may add some.
const (
	TransactionStatusPending   TransactionStatus = "transaction_status_pending"
	TransactionStatusWaiting   TransactionStatus = "transaction_status_waiting"
	TransactionStatusConfirmed TransactionStatus = "transaction_status_confirmed"
	TransactionStatusFailed    TransactionStatus = "transaction_status_failed"
)

// CryptoCurrencyCode: A cryptocurrency of `GET /v1/currencies`
type CryptoCurrencyCode string

// Values of CryptoCurrencyCode. Later releases may add some.
const (
	CryptoCurrencyCodeBtc  CryptoCurrencyCode = "btc"
	CryptoCurrencyCodeEth  CryptoCurrencyCode = "eth"
	CryptoCurrencyCodeUsdt CryptoCurrencyCode = "usdt"
	CryptoCurrencyCodeUsdc CryptoCurrencyCode = "usdc"
	CryptoCurrencyCodeLtc  CryptoCurrencyCode = "ltc"
)

// CryptoStatus: `pending`: no deposit detected yet; `waiting`: deposit detected, not enough
// confirmations yet; `confirmed`: the deposit reached `min-confirmation-{CODE}` confirmations;
// `complete`: credited, less `processing-fee-{CODE}`; `approved_required`: awaiting review: approve or
// reject it; `refunding`: rejected with a refund address; the funds are being sent there; `refunded`:
// the refund is confirmed; `failed`: ended without payment, or rejected without a refund address
type CryptoStatus string

// Values of CryptoStatus. Later releases may add some.
const (
	CryptoStatusPending          CryptoStatus = "pending"
	CryptoStatusWaiting          CryptoStatus = "waiting"
	CryptoStatusConfirmed        CryptoStatus = "confirmed"
	CryptoStatusComplete         CryptoStatus = "complete"
	CryptoStatusApprovedRequired CryptoStatus = "approved_required"
	CryptoStatusRefunding        CryptoStatus = "refunding"
	CryptoStatusRefunded         CryptoStatus = "refunded"
	CryptoStatusFailed           CryptoStatus = "failed"
)

// WithdrawalStatus: `waiting`: not sent yet; `waitsFor` states the cause; `to_sign`: to be signed
// outside Paylatch, where the keys are; `sent`: broadcast, not enough confirmations yet; `confirmed`:
// reached `min-confirmation-{CODE}` confirmations; `failed`: no funds moved; `failure` states the
// cause
type WithdrawalStatus string

// Values of WithdrawalStatus. Later releases may add some.
const (
	WithdrawalStatusWaiting   WithdrawalStatus = "waiting"
	WithdrawalStatusToSign    WithdrawalStatus = "to_sign"
	WithdrawalStatusSent      WithdrawalStatus = "sent"
	WithdrawalStatusConfirmed WithdrawalStatus = "confirmed"
	WithdrawalStatusFailed    WithdrawalStatus = "failed"
)

// TokenScope is a part of the API's data.
type TokenScope string

// Values of TokenScope. Later releases may add some.
const (
	TokenScopeLinkWrite       TokenScope = "link:write"
	TokenScopeTransactionRead TokenScope = "transaction:read"
	TokenScopeCardSubmit      TokenScope = "card:submit"
	TokenScopeInvoiceWrite    TokenScope = "invoice:write"
	TokenScopeApprovalWrite   TokenScope = "approval:write"
	TokenScopeWithdrawalWrite TokenScope = "withdrawal:write"
	TokenScopePreferenceRead  TokenScope = "preference:read"
	TokenScopePreferenceWrite TokenScope = "preference:write"
	TokenScopeCallbackRead    TokenScope = "callback:read"
	TokenScopeCallbackSend    TokenScope = "callback:send"
	TokenScopeCallbackManage  TokenScope = "callback:manage"
	TokenScopeTokenManage     TokenScope = "token:manage"
	TokenScopeTeamManage      TokenScope = "team:manage"
	TokenScopePayerErase      TokenScope = "payer:erase"
	TokenScopeAuditRead       TokenScope = "audit:read"
	TokenScopeAcquirerManage  TokenScope = "acquirer:manage"
)

// ProblemCode: Stable; programs should branch on it. Later releases may add codes.
type ProblemCode string

// Values of ProblemCode. Later releases may add some.
const (
	ProblemCodeMalformedJSON              ProblemCode = "malformed_json"
	ProblemCodeMalformedRequest           ProblemCode = "malformed_request"
	ProblemCodeUnauthorized               ProblemCode = "unauthorized"
	ProblemCodeForbidden                  ProblemCode = "forbidden"
	ProblemCodeManagerOnly                ProblemCode = "manager_only"
	ProblemCodeOriginNotAllowed           ProblemCode = "origin_not_allowed"
	ProblemCodeCountryNotSupported        ProblemCode = "country_not_supported"
	ProblemCodeNotFound                   ProblemCode = "not_found"
	ProblemCodeSignInFailed               ProblemCode = "sign_in_failed"
	ProblemCodeStepUpRequired             ProblemCode = "step_up_required"
	ProblemCodeSecondFactorInvalid        ProblemCode = "second_factor_invalid"
	ProblemCodeSecondFactorNotStarted     ProblemCode = "second_factor_not_started"
	ProblemCodePasskeyRejected            ProblemCode = "passkey_rejected"
	ProblemCodeLastCredential             ProblemCode = "last_credential"
	ProblemCodeAccountExists              ProblemCode = "account_exists"
	ProblemCodeInvitationInvalid          ProblemCode = "invitation_invalid"
	ProblemCodeLastOwner                  ProblemCode = "last_owner"
	ProblemCodeCrossSiteRequest           ProblemCode = "cross_site_request"
	ProblemCodeMerchantRequired           ProblemCode = "merchant_required"
	ProblemCodeMethodNotAllowed           ProblemCode = "method_not_allowed"
	ProblemCodeRequestTimeout             ProblemCode = "request_timeout"
	ProblemCodeTransactionIDConflict      ProblemCode = "transaction_id_conflict"
	ProblemCodeTxIDConflict               ProblemCode = "tx_id_conflict"
	ProblemCodeNothingToReview            ProblemCode = "nothing_to_review"
	ProblemCodeNothingToWithdraw          ProblemCode = "nothing_to_withdraw"
	ProblemCodeWithdrawalBelowMinimum     ProblemCode = "withdrawal_below_minimum"
	ProblemCodeWithdrawalNotCancellable   ProblemCode = "withdrawal_not_cancellable"
	ProblemCodeNothingToSign              ProblemCode = "nothing_to_sign"
	ProblemCodeSubmitInProgress           ProblemCode = "submit_in_progress"
	ProblemCodePartiallyPaid              ProblemCode = "partially_paid"
	ProblemCodeTooManyPaymentAttempts     ProblemCode = "too_many_payment_attempts"
	ProblemCodeOverpaid                   ProblemCode = "overpaid"
	ProblemCodeAlreadyPaid                ProblemCode = "already_paid"
	ProblemCodeAlreadyAuthorized          ProblemCode = "already_authorized"
	ProblemCodeAmountChanged              ProblemCode = "amount_changed"
	ProblemCodeCardKeyChanged             ProblemCode = "card_key_changed"
	ProblemCodeNothingToAccept            ProblemCode = "nothing_to_accept"
	ProblemCodeNotRenewable               ProblemCode = "not_renewable"
	ProblemCodeNoOpenAuthorization        ProblemCode = "no_open_authorization"
	ProblemCodeAuthorizationUpdatePending ProblemCode = "authorization_update_pending"
	ProblemCodeRefundNotSupported         ProblemCode = "refund_not_supported"
	ProblemCodePartialRefundNotSupported  ProblemCode = "partial_refund_not_supported"
	ProblemCodeAcquirerAccountMissing     ProblemCode = "acquirer_account_missing"
	ProblemCodeNotRefundable              ProblemCode = "not_refundable"
	ProblemCodeNoCallbackURL              ProblemCode = "no_callback_url"
	ProblemCodeTooManyEndpoints           ProblemCode = "too_many_endpoints"
	ProblemCodeSoldOut                    ProblemCode = "sold_out"
	ProblemCodeNotCancellable             ProblemCode = "not_cancellable"
	ProblemCodeEmailNotSetUp              ProblemCode = "email_not_set_up"
	ProblemCodeChallengeNotOpen           ProblemCode = "challenge_not_open"
	ProblemCodePaymentMethodMismatch      ProblemCode = "payment_method_mismatch"
	ProblemCodeEditConflict               ProblemCode = "edit_conflict"
	ProblemCodeIdempotencyKeyInUse        ProblemCode = "idempotency_key_in_use"
	ProblemCodeLinkExpired                ProblemCode = "link_expired"
	ProblemCodeLinkCancelled              ProblemCode = "link_cancelled"
	ProblemCodeLinkFailed                 ProblemCode = "link_failed"
	ProblemCodeBodyTooLarge               ProblemCode = "body_too_large"
	ProblemCodeUnsupportedMediaType       ProblemCode = "unsupported_media_type"
	ProblemCodeValidationFailed           ProblemCode = "validation_failed"
	ProblemCodeIdempotencyKeyReused       ProblemCode = "idempotency_key_reused"
	ProblemCodeRateLimited                ProblemCode = "rate_limited"
	ProblemCodeHeadersTooLarge            ProblemCode = "headers_too_large"
	ProblemCodeInternalError              ProblemCode = "internal_error"
	ProblemCodeAcquirerUnavailable        ProblemCode = "acquirer_unavailable"
	ProblemCodeChainUnavailable           ProblemCode = "chain_unavailable"
	ProblemCodeRateUnavailable            ProblemCode = "rate_unavailable"
	ProblemCodeMerchantMoving             ProblemCode = "merchant_moving"
	ProblemCodeUnavailable                ProblemCode = "unavailable"
)

// LinkCreated is a part of the API's data.
type LinkCreated struct {
	Type string `json:"type"`
	// US dollars for one unit of the currency; 0 if there has never been a rate.
	ExRate        float64          `json:"ex_rate"`
	Value         LinkCreatedValue `json:"value"`
	TransactionID string           `json:"transaction_id"`
	// `transaction_status_pending`: created, or ready for another attempt after a decline;
	// `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the payment
	// is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended without
	// payment; `reason` states the cause.
	Status    TransactionStatus `json:"status"`
	ExpiresAt time.Time         `json:"expires_at"`
}

// LinkCreatedValue is a part of the API's data.
type LinkCreatedValue struct {
	// Payment link for the buyer; single use.
	Link string `json:"link"`
}

// CustomFormCreated is a part of the API's data.
type CustomFormCreated struct {
	Type string `json:"type"`
	// Amount to show to the payer.
	AmountCharged float64 `json:"amount_charged"`
	Currency      string  `json:"currency"`
	// US dollars for one unit of the currency; 0 if there has never been a rate.
	ExRate        float64 `json:"ex_rate"`
	TransactionID string  `json:"transaction_id"`
	// `transaction_status_pending`: created, or ready for another attempt after a decline;
	// `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the payment
	// is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended without
	// payment; `reason` states the cause.
	Status    TransactionStatus `json:"status"`
	ExpiresAt time.Time         `json:"expires_at"`
	// Lets a browser submit this transaction for 30 minutes.
	ClientToken string `json:"client_token"`
	// `src` of a `<pay-form>`.
	EmbedURL string `json:"embed_url"`
}

// TransactionDetail is a part of the API's data.
type TransactionDetail struct {
	TransactionID string    `json:"transaction_id"`
	CreatedAt     time.Time `json:"created_at"`
	UpdatedAt     time.Time `json:"updated_at"`
	ExpiresAt     time.Time `json:"expires_at"`
	// Amount of the transaction.
	Amount float64 `json:"amount"`
	// Amount that the buyer pays.
	AmountCharged float64 `json:"amount_charged"`
	// Net amount after the fee.
	AmountDelivered float64 `json:"amount_delivered"`
	// Amount received.
	AmountReceived float64 `json:"amount_received"`
	// The amount refunded so far.
	RefundedAmount float64 `json:"refunded_amount"`
	Currency       string  `json:"currency"`
	// ISO 3166-1 alpha-3.
	Country      string `json:"country"`
	Descriptions string `json:"descriptions"`
	// Purchased items, as sent when the transaction was created.
	LineItems []LineItem `json:"line_items,omitempty"`
	// Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500
	// characters. Payers never see it.
	Metadata map[string]string `json:"metadata,omitempty"`
	// Initial language of the payment page; absent if the browser’s language is used.
	Locale *string `json:"locale,omitempty"`
	// The reusable link that created the transaction.
	ReusableLinkID *string `json:"reusable_link_id,omitempty"`
	PaymentMethod  string  `json:"payment_method"`
	// `transaction_status_pending`: created, or ready for another attempt after a decline;
	// `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the payment
	// is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended without
	// payment; `reason` states the cause.
	Status TransactionStatus `json:"status"`
	// Failure reason. One of expired, declined, cancelled, underpaid, overpaid, rejected, reversed.
	Reason *string `json:"reason,omitempty"`
	// Absent: captured automatically.
	Capture *string `json:"capture,omitempty"`
	// With `capture: "manual"`, once a payment was authorized. The status is `waiting` until the capture.
	Authorization *Authorization `json:"authorization,omitempty"`
	// True if the funds arrived after the transaction failed.
	Late *bool `json:"late,omitempty"`
	// The last review decision; absent before the first.
	Decision *TransactionDetailDecision `json:"decision,omitempty"`
	// Fee added to the amount or deducted from it. One of forward_without_fee, forward_with_fee.
	TypeOfFeeCalculate string `json:"type_of_fee_calculate"`
	// Details of the payer that you provided when you created the transaction; absent from webhooks, and
	// without the scope `approval:write`.
	Payer *Payer `json:"payer,omitempty"`
	// Payment link for the buyer; single use.
	Link               string  `json:"link"`
	MerchantFeeFix     float64 `json:"merchant_fee_fix"`
	MerchantFeePercent float64 `json:"merchant_fee_percent"`
	// The preference `additional-currency` at creation, or the currency of the payment if there was no
	// rate between them.
	AdditionalCurrency string `json:"additional_currency"`
	// Price of one unit of `currency` in `additional_currency`.
	Rate float64 `json:"rate"`
	// `rate` less your percentage fee.
	RateMerchantFinal float64 `json:"rate_merchant_final"`
	// Sources of `rate`, separated by commas; `sandbox-table` for the fixed table of the sandbox. Absent
	// if the currencies are the same, or the transaction is older than this field.
	RateSource *string `json:"rate_source,omitempty"`
	// Time of the oldest quote in `rate`. Absent whenever `rate_source` is.
	RateAt *time.Time `json:"rate_at,omitempty"`
	// Detected country of the buyer (ISO 3166-1 alpha-2); absent if unknown.
	BuyerCountry *string `json:"buyer_country,omitempty"`
	// Source of the country: `address` (IP database) or `header` (the operator’s proxy).
	BuyerCountrySource *string `json:"buyer_country_source,omitempty"`
	// Network of the buyer’s IP address: a /24 of IPv4, a /48 of IPv6.
	BuyerNetwork *string `json:"buyer_network,omitempty"`
	// Card payment attempts.
	Attempts []AttemptSummary `json:"attempts"`
	// The payment instructions shown to the buyer, with their status.
	Instructions []InstructionsSummary `json:"instructions"`
	// Receipts of funds by instructions.
	Receipts []ReceiptSummary `json:"receipts"`
	// Refunds, with their status.
	Refunds []RefundSummary `json:"refunds"`
	// Only in the response to a refund: `number` of each refund that the request created.
	RequestedRefunds []int64 `json:"requested_refunds,omitempty"`
	// Disputes and chargebacks, with their status.
	Disputes []DisputeSummary `json:"disputes"`
	// Currently available actions. `refund_out_of_band` and `reject_out_of_band`: only with `out_of_band`,
	// because the acquirer cannot refund.
	AvailableActions []string `json:"available_actions"`
	// Absent while nothing can be refunded.
	RefundOptions *RefundOptions `json:"refund_options,omitempty"`
	// Events of the transaction, in order.
	Timeline []TimelineEntry `json:"timeline"`
}

// LineItem is a part of the API's data.
type LineItem struct {
	Name string `json:"name"`
	// 1 by default.
	Quantity *int64 `json:"quantity,omitempty"`
	// Unit price, in the currency’s decimals; negative for a discount.
	UnitAmount float64 `json:"unit_amount"`
	// An https:// URL of a square image, which the buyer’s browser loads without a referrer.
	ImageURL *string `json:"image_url,omitempty"`
}

// Authorization is a part of the API's data.
type Authorization struct {
	// `authorized`: the amount is reserved on the card until `expires_at`; `capture_pending`: a capture
	// was requested; the acquirer has not reported the outcome yet; `captured`: `captured_amount` was
	// captured; `void_pending`: a void was requested; the acquirer has not reported the outcome yet;
	// `voided`: you released the amount; `expired`: not captured in time, so the amount was released. One
	// of authorized, capture_pending, captured, void_pending, voided, expired.
	Status string `json:"status"`
	// Authorized amount.
	Amount float64 `json:"amount"`
	// Captured amount; the requested one while a capture is pending.
	CapturedAmount float64 `json:"captured_amount"`
	// Reason for the last rejected capture or void.
	Failure   *AuthorizationFailure `json:"failure,omitempty"`
	CreatedAt time.Time             `json:"created_at"`
	// If not captured by then, the amount is released.
	ExpiresAt time.Time `json:"expires_at"`
}

// AuthorizationFailure: Reason for the last rejected capture or void
type AuthorizationFailure struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// TransactionDetailDecision: The last review decision; absent before the first
type TransactionDetailDecision struct {
	// Stable ID: `token 2` or `person 3`.
	By string `json:"by"`
	// Current name of the user; null for tokens, and always null in events and webhooks.
	ByName     *string   `json:"by_name"`
	At         time.Time `json:"at"`
	Reason     *string   `json:"reason"`
	IsApproved bool      `json:"is_approved"`
}

// Payer is a part of the API's data.
type Payer struct {
	FirstName *string `json:"first_name,omitempty"`
	LastName  *string `json:"last_name,omitempty"`
	// ISO 3166-1 alpha-2.
	Country *CountryAlpha2 `json:"country,omitempty"`
	// State, province or region of the billing address.
	State    *string `json:"state,omitempty"`
	City     *string `json:"city,omitempty"`
	Postcode *string `json:"postcode,omitempty"`
	// Street address for billing.
	Address *string `json:"address,omitempty"`
	// With the country code; spaces, periods, hyphens and parentheses are allowed.
	Phone *string `json:"phone,omitempty"`
	Email *string `json:"email,omitempty"`
}

// AttemptSummary is a part of the API's data.
type AttemptSummary struct {
	Number int64 `json:"number"`
	// `submitting`: being sent to the acquirer; `challenge`: waiting for the buyer to complete the 3-D
	// Secure challenge; `unknown`: the acquirer has not reported the outcome yet; `approved`: charged, or
	// authorized with `capture: "manual"`; `declined`: not charged; `decline` states the cause;
	// `duplicate`: a second approval, which is being reversed; `reversed`: no longer charged: a reversed
	// duplicate, or a voided or expired authorization.
	State        string  `json:"state"`
	Brand        *string `json:"brand"`
	First6       string  `json:"first6"`
	Last4        string  `json:"last4"`
	ThreeDSecure bool    `json:"three_d_secure"`
	// Acquirer of the attempt, such as `Adyen`; absent if its account was removed.
	AcquirerName *string `json:"acquirer_name,omitempty"`
	// The acquirer’s reference of the charge, such as Adyen’s PSP reference; absent if none was reported.
	AcquirerReference *string                `json:"acquirer_reference,omitempty"`
	Decline           *AttemptSummaryDecline `json:"decline,omitempty"`
	ChargeDetails     *ChargeDetails         `json:"charge_details,omitempty"`
	// Entered with this card; absent from webhooks, and without the scope `approval:write`.
	Payer     *AttemptSummaryPayer `json:"payer,omitempty"`
	CreatedAt time.Time            `json:"created_at"`
}

// AttemptSummaryDecline is a part of the API's data.
type AttemptSummaryDecline struct {
	Code string `json:"code"`
	// Decline code of the card network, if any.
	NetworkCode *string `json:"network_code"`
	// True if the payment can be retried.
	Retryable bool `json:"retryable"`
	// Advice for the buyer; with `do_not_retry`, the network forbids another attempt with this card. One
	// of use_other_card, check_details, try_later, do_not_retry.
	Advice string `json:"advice"`
}

// ChargeDetails is a part of the API's data.
type ChargeDetails struct {
	// The issuer’s authorization code.
	AuthorizationCode *string `json:"authorization_code,omitempty"`
	// Response code of the card network, such as `51`.
	NetworkCode *string `json:"network_code,omitempty"`
	// Merchant advice code of the network: with `03` or `21`, do not charge this card again.
	MerchantAdviceCode *string `json:"merchant_advice_code,omitempty"`
	// Result of the address check (AVS), as reported by the acquirer.
	AvsResult *string `json:"avs_result,omitempty"`
	// Result of the security code check (CVV), as reported by the acquirer.
	CvvResult *string `json:"cvv_result,omitempty"`
	// Acquirer reference number, with which the payer’s bank can trace the payment.
	Arn *string `json:"arn,omitempty"`
}

// AttemptSummaryPayer: Entered with this card; absent from webhooks, and without the scope
// `approval:write`
type AttemptSummaryPayer struct {
	Name  *string `json:"name"`
	Email *string `json:"email"`
}

// InstructionsSummary is a part of the API's data.
type InstructionsSummary struct {
	Number        int64  `json:"number"`
	PaymentMethod string `json:"payment_method"`
	// Bank or wallet selected by the buyer.
	Choice *string `json:"choice"`
	// `issued`: shown to the buyer, not paid yet; `paid`: payment received; `refused`: declined by the
	// bank or acquirer; `withdrawn`: the buyer chose another method, or the transaction was canceled;
	// `expired`: not paid in time.
	State string `json:"state"`
	// Payment reference at the buyer’s bank.
	Reference *string    `json:"reference"`
	ExpiresAt *time.Time `json:"expires_at"`
	// Lowest number of confirmations among deposits that await confirmations; null if there are none.
	Confirmations *int64 `json:"confirmations"`
	// True while a crypto deposit awaits your approval, in the review of crypto transactions.
	InReview *bool `json:"in_review,omitempty"`
	// True if funds can still arrive after these instructions ended; they then confirm the transaction
	// late.
	LatePayments bool      `json:"late_payments"`
	CreatedAt    time.Time `json:"created_at"`
}

// ReceiptSummary is a part of the API's data.
type ReceiptSummary struct {
	// The acquirer’s ID of the receipt; for a crypto deposit it begins with the transaction hash.
	Reference string  `json:"reference"`
	Amount    float64 `json:"amount"`
	// `number` of the instructions by which it was received.
	InstructionsNumber int64     `json:"instructions_number"`
	ReceivedAt         time.Time `json:"received_at"`
}

// RefundSummary is a part of the API's data.
type RefundSummary struct {
	Number int64   `json:"number"`
	Amount float64 `json:"amount"`
	// `pending`: requested; the acquirer has not reported the outcome yet; `succeeded`: refunded;
	// `failed`: not refunded; `failure` states the cause. One of pending, succeeded, failed.
	State   string                `json:"state"`
	Failure *RefundSummaryFailure `json:"failure,omitempty"`
	// Refunded outside the service, not through the acquirer.
	OutOfBand *bool     `json:"out_of_band,omitempty"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// RefundSummaryFailure is a part of the API's data.
type RefundSummaryFailure struct {
	Code   string `json:"code"`
	Detail string `json:"detail"`
}

// DisputeSummary is a part of the API's data.
type DisputeSummary struct {
	Number int64 `json:"number"`
	// `inquiry`: the bank requests information before a chargeback; `needs_response`: the bank charged the
	// amount back; respond through your acquirer before `respond_by`; `under_review`: the bank is
	// reviewing the dispute; `won`: you keep the amount; a second chargeback can follow; `lost`: the buyer
	// keeps the amount. One of inquiry, needs_response, under_review, won, lost.
	State    string  `json:"state"`
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
	// The acquirer’s reference for the dispute; of the charge until the acquirer reports one.
	Reference string `json:"reference"`
	// Reason code of the card network.
	ReasonCode *string `json:"reason_code"`
	Reason     *string `json:"reason"`
	// Deadline for a response.
	RespondBy *time.Time `json:"respond_by"`
	CreatedAt time.Time  `json:"created_at"`
	UpdatedAt time.Time  `json:"updated_at"`
}

// RefundOptions is a part of the API's data.
type RefundOptions struct {
	// Maximum amount that can be refunded through the acquirers.
	Maximum float64 `json:"maximum"`
	// True if any amount up to `maximum` can be refunded; otherwise only the full `maximum`.
	Partial bool `json:"partial"`
	// The error code for amounts above `maximum`; absent if everything can be refunded. One of
	// refund_not_supported, partial_refund_not_supported, acquirer_account_missing.
	Refusal *string `json:"refusal,omitempty"`
}

// TimelineEntry is a part of the API's data.
type TimelineEntry struct {
	Sequence int64     `json:"sequence"`
	Type     string    `json:"type"`
	At       time.Time `json:"at"`
	// `transaction_status_pending`: created, or ready for another attempt after a decline;
	// `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the payment
	// is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended without
	// payment; `reason` states the cause.
	Status TransactionStatus `json:"status"`
	Detail *string           `json:"detail,omitempty"`
}

// SendPaymentLinkResponse is a part of the API's data.
type SendPaymentLinkResponse struct {
	Email Email `json:"email"`
}

// Email is a part of the API's data.
type Email struct {
	ID int64 `json:"id"`
	// One of receipt, refund, underpayment, payment_link, invitation, review_waiting, endpoint_disabled,
	// destination_changed.
	Kind      string `json:"kind"`
	Recipient string `json:"recipient"`
	// Your reference for the payment; null if the email has none.
	TransactionID *string `json:"transaction_id"`
	// `waiting`: not accepted by the mail server yet; `sent`: accepted by the mail server; `failed`: could
	// not be sent. One of waiting, sent, failed.
	State     string    `json:"state"`
	Attempts  int64     `json:"attempts"`
	CreatedAt time.Time `json:"created_at"`
	// Time at which it was sent or failed.
	FinishedAt *time.Time `json:"finished_at"`
	// Reason of the last failed attempt.
	Error *string `json:"error"`
}

// ListTransactionsResponse is a part of the API's data.
type ListTransactionsResponse struct {
	Transactions []TransactionListItem              `json:"transactions"`
	Pagination   ListTransactionsResponsePagination `json:"pagination"`
	// With `counts=true`: transactions by status, and those awaiting review, that match all filters but
	// `status`, `reason`, `authorization_status` and `awaiting_review`; each counted up to 10,000.
	Counts *ListTransactionsResponseCounts `json:"counts,omitempty"`
}

// TransactionListItem is a part of the API's data.
type TransactionListItem struct {
	ID            int64   `json:"id"`
	MerchantID    int64   `json:"merchant_id"`
	Amount        float64 `json:"amount"`
	AmountCharged float64 `json:"amount_charged"`
	TransactionID string  `json:"transaction_id"`
	Currency      string  `json:"currency"`
	// `transaction_status_pending`: created, or ready for another attempt after a decline;
	// `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the payment
	// is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended without
	// payment; `reason` states the cause.
	Status             TransactionStatus `json:"status"`
	Description        string            `json:"description"`
	AdditionalCurrency string            `json:"additional_currency"`
	RateMerchantFinal  float64           `json:"rate_merchant_final"`
	CreatedAt          time.Time         `json:"created_at"`
	PaymentMethod      string            `json:"payment_method"`
	UpdatedAt          time.Time         `json:"updated_at"`
	// One of expired, declined, cancelled, underpaid, overpaid, rejected, reversed.
	Reason         *string `json:"reason,omitempty"`
	ReusableLinkID *string `json:"reusable_link_id,omitempty"`
	// One of authorized, capture_pending, captured, void_pending, voided, expired.
	AuthorizationStatus *string `json:"authorization_status,omitempty"`
	// Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500
	// characters. Payers never see it.
	Metadata       map[string]string `json:"metadata,omitempty"`
	AmountReceived float64           `json:"amount_received"`
	// The amount received, less refunds that succeeded or are pending.
	AmountKept float64 `json:"amount_kept"`
	// The card that was charged, or the last one attempted; absent if there was none.
	Card *TransactionListItemCard `json:"card,omitempty"`
	// Payer details entered with that card, or the `payer` of the request. Masked without the scope
	// `approval:write`.
	Payer *TransactionListItemPayer `json:"payer,omitempty"`
}

// TransactionListItemCard: The card that was charged, or the last one attempted; absent if there was
// none
type TransactionListItemCard struct {
	Brand *string `json:"brand"`
	Last4 string  `json:"last4"`
}

// TransactionListItemPayer: Payer details entered with that card, or the `payer` of the request.
// Masked without the scope `approval:write`
type TransactionListItemPayer struct {
	Name  *string `json:"name"`
	Email *string `json:"email"`
}

// ListTransactionsResponsePagination is a part of the API's data.
type ListTransactionsResponsePagination struct {
	Page    *int64 `json:"page"`
	PerPage int64  `json:"per_page"`
	// Number of matching rows, counted up to 10,000.
	Total int64 `json:"total"`
	// True if there are more rows than were counted.
	TotalCapped bool  `json:"total_capped"`
	Pages       int64 `json:"pages"`
	// Cursor of the next page; null on the last page.
	NextCursor *string `json:"next_cursor"`
}

// ListTransactionsResponseCounts: With `counts=true`: transactions by status, and those awaiting
// review, that match all filters but `status`, `reason`, `authorization_status` and `awaiting_review`;
// each counted up to 10,000
type ListTransactionsResponseCounts struct {
	Pending        int64 `json:"pending"`
	Waiting        int64 `json:"waiting"`
	Confirmed      int64 `json:"confirmed"`
	Failed         int64 `json:"failed"`
	AwaitingReview int64 `json:"awaiting_review"`
	// Authorized payments awaiting capture; included in `waiting`.
	Authorized int64 `json:"authorized"`
}

// SubmitCardResponse is a part of the API's data.
type SubmitCardResponse struct {
	// One of 3ds_redirect, confirmed, authorized, declined, processing.
	ResponseType string `json:"response_type"`
	// Redirect the payer here for the challenge.
	RedirectURL   *string `json:"redirect_url,omitempty"`
	Message       string  `json:"message"`
	TransactionID *string `json:"transaction_id,omitempty"`
	// One of transaction_status_pending, transaction_status_waiting, transaction_status_confirmed,
	// transaction_status_failed.
	Status  *string                    `json:"status,omitempty"`
	Decline *SubmitCardResponseDecline `json:"decline,omitempty"`
	// Remaining payment attempts.
	AttemptsLeft *int64 `json:"attempts_left,omitempty"`
	// Milliseconds to wait before you read the transaction for the outcome; do not charge again.
	PollAfterMs *int64 `json:"poll_after_ms,omitempty"`
}

// SubmitCardResponseDecline is a part of the API's data.
type SubmitCardResponseDecline struct {
	Code string `json:"code"`
	// Decline code of the card network, if any.
	NetworkCode *string `json:"network_code"`
	// True if the payment can be retried.
	Retryable bool `json:"retryable"`
	// Advice for the buyer; with `do_not_retry`, the network forbids another attempt with this card. One
	// of use_other_card, check_details, try_later, do_not_retry.
	Advice string `json:"advice"`
}

// ErasePayerResponse is a part of the API's data.
type ErasePayerResponse struct {
	// Number of payments whose payer’s data was erased.
	Transactions int64 `json:"transactions"`
}

// ReusableLink is a part of the API's data.
type ReusableLink struct {
	ID string `json:"id"`
	// Page to share or print; each buyer gets a separate transaction.
	URL string `json:"url"`
	// `active`: creates a transaction for each buyer; `archived`: creates no new transactions; open ones
	// can still be paid. One of active, archived.
	Status        string  `json:"status"`
	Title         string  `json:"title"`
	Description   *string `json:"description"`
	ImageURL      *string `json:"image_url"`
	Country       string  `json:"country"`
	Currency      string  `json:"currency"`
	PaymentMethod string  `json:"payment_method"`
	// One of forward_without_fee, forward_with_fee.
	TypeOfCalculation  string                    `json:"type_of_calculation"`
	Amount             *float64                  `json:"amount"`
	CustomAmount       *ReusableLinkCustomAmount `json:"custom_amount"`
	Quantity           *ReusableLinkQuantity     `json:"quantity"`
	Stock              *int64                    `json:"stock"`
	Ask                []string                  `json:"ask"`
	SuccessRedirectURL *string                   `json:"success_redirect_url"`
	FailRedirectURL    *string                   `json:"fail_redirect_url"`
	Metadata           map[string]string         `json:"metadata"`
	// Quantity sold in paid transactions, including refunded ones.
	Sold int64 `json:"sold"`
	// Quantity reserved by open transactions.
	Reserved int64 `json:"reserved"`
	// `stock` less `sold` and `reserved`; null without a limit.
	Available *int64 `json:"available"`
	// Amount received from paid transactions, less refunds.
	Revenue   float64   `json:"revenue"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
}

// ReusableLinkCustomAmount is a part of the API's data.
type ReusableLinkCustomAmount struct {
	Minimum   float64  `json:"minimum"`
	Maximum   float64  `json:"maximum"`
	Suggested *float64 `json:"suggested"`
}

// ReusableLinkQuantity is a part of the API's data.
type ReusableLinkQuantity struct {
	Minimum int64 `json:"minimum"`
	Maximum int64 `json:"maximum"`
}

// ListReusableLinksResponse is a part of the API's data.
type ListReusableLinksResponse struct {
	// Newest first.
	ReusableLinks []ReusableLink `json:"reusable_links"`
	NextCursor    *string        `json:"next_cursor"`
}

// CryptoTransaction is a part of the API's data.
type CryptoTransaction struct {
	ID string `json:"id"`
	// null for deposits without an invoice.
	TxID *string `json:"txId"`
	// Invoice type; `invoice_type_default` as resolved at creation. One of static, revolver, user.
	Type string `json:"type"`
	// A cryptocurrency of `GET /v1/currencies`.
	Code CryptoCurrencyCode `json:"code"`
	// Requested amount; null if any amount is accepted.
	AmountRequired     *string `json:"amountRequired"`
	AmountRequiredUnit *string `json:"amountRequiredUnit"`
	WalletAddress      string  `json:"walletAddress"`
	// One of static, revolver, user.
	WalletType string `json:"walletType"`
	// Payment URI for wallet apps: BIP 21 or EIP-681.
	URI string `json:"uri"`
	// `pending`: no deposit detected yet; `waiting`: deposit detected, not enough confirmations yet;
	// `confirmed`: the deposit reached `min-confirmation-{CODE}` confirmations; `complete`: credited, less
	// `processing-fee-{CODE}`; `approved_required`: awaiting review: approve or reject it; `refunding`:
	// rejected with a refund address; the funds are being sent there; `refunded`: the refund is confirmed;
	// `failed`: ended without payment, or rejected without a refund address.
	Status CryptoStatus `json:"status"`
	// Conditions in addition to the status.
	Labels []string `json:"labels"`
	// Amount detected, confirmed or not.
	Amount string `json:"amount"`
	// The same in whole coins.
	AmountUnit string `json:"amountUnit"`
	// Amount still due.
	AmountDue string `json:"amountDue"`
	// Lowest number of confirmations among its deposits.
	Confirmations int64 `json:"confirmations"`
	// Confirmations required of a deposit.
	MinConfirmations     int64           `json:"minConfirmations"`
	Payments             []CryptoPayment `json:"payments"`
	ProcessingFeePercent float64         `json:"processingFeePercent"`
	// Fee on the credited amount.
	ProcessingFee string                         `json:"processingFee"`
	ExchangeRate  *CryptoTransactionExchangeRate `json:"exchangeRate"`
	Link          CryptoTransactionLink          `json:"link"`
	// `transaction_id` of the payment link that it pays, if any.
	FiatTransactionID *string `json:"fiatTransactionId"`
	Comment           *string `json:"comment"`
	// Description shown to the payer.
	Description *string `json:"description"`
	// URL of your page to which the payer returns.
	ReturnURL *string `json:"returnUrl"`
	// Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500
	// characters. Payers never see it.
	Metadata map[string]string `json:"metadata,omitempty"`
	// Initial language of the invoice page; absent if the browser’s language is used.
	Locale *string `json:"locale,omitempty"`
	// `txId` of the invoice that the deposit was probably meant for.
	ProbableTxID *string `json:"probableTxId"`
	// The review decision, if any.
	Decision *CryptoTransactionDecision `json:"decision"`
	// Currently available actions; `withdraw` for managers only.
	AvailableActions []string  `json:"availableActions"`
	CreatedAt        time.Time `json:"createdAt"`
	UpdatedAt        time.Time `json:"updatedAt"`
	// null if it does not expire.
	ExpiredAt *time.Time `json:"expiredAt"`
}

// CryptoPayment is a part of the API's data.
type CryptoPayment struct {
	// Empty for ether sent by a contract, which is detected by balance.
	TxHash string `json:"txHash"`
	// In the smallest unit.
	Amount string `json:"amount"`
	// 0 until it is in a block; null if it was dropped.
	Confirmations *int64 `json:"confirmations"`
	// `accepted`: counts toward its transaction, automatically or after review; `pending`: awaiting
	// review; `rejected`: rejected after review; never credited. One of accepted, pending, rejected.
	Decision string `json:"decision"`
	// Time at which the deposit was found to be spent outside the service, which removed it from the
	// wallet’s balance; null otherwise.
	WrittenOffAt *time.Time `json:"writtenOffAt"`
	SeenAt       time.Time  `json:"seenAt"`
}

// CryptoTransactionExchangeRate is a part of the API's data.
type CryptoTransactionExchangeRate struct {
	Currency string `json:"currency"`
	// Price of one whole coin in `currency`.
	ExchangeRate string `json:"exchangeRate"`
	// The amount in `currency`.
	CurrencyAmount string `json:"currencyAmount"`
	// A cryptocurrency of `GET /v1/currencies`.
	Code   CryptoCurrencyCode `json:"code"`
	Source string             `json:"source"`
	At     time.Time          `json:"at"`
}

// CryptoTransactionLink is a part of the API's data.
type CryptoTransactionLink struct {
	Self string `json:"self"`
	// Payment page for the payer.
	Payment string `json:"payment"`
}

// CryptoTransactionDecision is a part of the API's data.
type CryptoTransactionDecision struct {
	// Stable ID: `token 2` or `person 3`.
	By string `json:"by"`
	// Current name of the user; null for tokens, and always null in events and webhooks.
	ByName        *string   `json:"byName"`
	At            time.Time `json:"at"`
	Reason        *string   `json:"reason"`
	IsApproved    bool      `json:"isApproved"`
	RefundAddress *string   `json:"refundAddress"`
}

// ListCryptoTransactionsResponse is a part of the API's data.
type ListCryptoTransactionsResponse struct {
	Transactions []CryptoTransaction `json:"transactions"`
	NextCursor   *string             `json:"next_cursor"`
}

// ListCurrenciesResponse is a part of the API's data.
type ListCurrenciesResponse struct {
	Currencies []CryptoCurrency `json:"currencies"`
}

// CryptoCurrency is a part of the API's data.
type CryptoCurrency struct {
	// A cryptocurrency of `GET /v1/currencies`.
	Code  CryptoCurrencyCode `json:"code"`
	Name  string             `json:"name"`
	Chain string             `json:"chain"`
	// Decimals of a whole coin; amounts are whole numbers of 10^-decimals.
	Decimals int64 `json:"decimals"`
	// Minimum amount of an invoice.
	MinAmount        string `json:"minAmount"`
	MinConfirmations int64  `json:"minConfirmations"`
}

// ListBalancesResponse is a part of the API's data.
type ListBalancesResponse struct {
	Balances []Balance `json:"balances"`
}

// Balance is a part of the API's data.
type Balance struct {
	// One of btc, eth, usdt, usdc, ltc.
	Code string `json:"code"`
	// On-chain balance of all wallets of this currency, as of the last scanned block.
	Balance string `json:"balance"`
	// The balance by state; the parts add up to it.
	Parts BalanceParts `json:"parts"`
	// Detected but not in a block; not part of the balance.
	Incoming string `json:"incoming"`
}

// BalanceParts is a part of the API's data.
type BalanceParts struct {
	// Credited: counted toward transactions, with enough confirmations.
	Credited string `json:"credited"`
	// Being sent by a withdrawal that is not in a block yet.
	Sending string `json:"sending"`
	// Credited after `minConfirmations` confirmations.
	Confirming string `json:"confirming"`
	// Awaiting review: `approved_required`.
	InReview string `json:"in_review"`
	// Received after the wallet was retired; never credited.
	Unattributed string `json:"unattributed"`
	// Rejected: to be refunded, or held until a manager withdraws it.
	Rejected string `json:"rejected"`
}

// ListWalletsResponse is a part of the API's data.
type ListWalletsResponse struct {
	Wallets    []Wallet `json:"wallets"`
	NextCursor *string  `json:"next_cursor"`
}

// Wallet is a part of the API's data.
type Wallet struct {
	WalletAddress string `json:"walletAddress"`
	// One of btc, eth, usdt, usdc, ltc.
	Code string `json:"code"`
	// One of static, revolver, user.
	WalletType string `json:"walletType"`
	// `assigned`: assigned to an invoice, or in use; `free`: a `revolver` wallet between two invoices; can
	// be assigned again after `reusableAt`; `rotated`: not used for new invoices; open invoices can still
	// be paid; `retired`: deposits to it are not credited. One of assigned, free, rotated, retired.
	State string `json:"state"`
	// On-chain balance in its currency, in the smallest unit, as of the last scanned block. Deposits in
	// other currencies are not included.
	Balance string `json:"balance"`
	// The balance by state; the parts add up to it.
	Parts BalanceParts `json:"parts"`
	// Detected but not in a block; not part of the balance.
	Incoming string `json:"incoming"`
	// Time at which a free wallet can be assigned again.
	ReusableAt *time.Time `json:"reusableAt"`
	CreatedAt  time.Time  `json:"createdAt"`
	RetiredAt  *time.Time `json:"retiredAt"`
}

// RotateWalletResponse is a part of the API's data.
type RotateWalletResponse struct {
	Wallet Wallet `json:"wallet"`
	// For a `user` wallet: the new address of its invoice.
	ReplacedBy *string `json:"replacedBy"`
}

// ListWithdrawalsResponse is a part of the API's data.
type ListWithdrawalsResponse struct {
	Withdrawals []Withdrawal `json:"withdrawals"`
	// Destinations of automatic withdrawals that are not in effect yet, regardless of the filters.
	PendingDestinations []PendingWithdrawalDestination `json:"pendingDestinations"`
	NextCursor          *string                        `json:"next_cursor"`
}

// Withdrawal is a part of the API's data.
type Withdrawal struct {
	ID string `json:"id"`
	// A cryptocurrency of `GET /v1/currencies`.
	Code CryptoCurrencyCode `json:"code"`
	// `sweep`: automatic; `refund`: of a rejected transaction; `manual`: requested by a manager; `gas`:
	// the operator’s ether for the fee of another withdrawal. One of sweep, refund, manual, gas.
	Purpose string `json:"purpose"`
	// `waiting`: not sent yet; `waitsFor` states the cause; `to_sign`: to be signed outside Paylatch,
	// where the keys are; `sent`: broadcast, not enough confirmations yet; `confirmed`: reached
	// `min-confirmation-{CODE}` confirmations; `failed`: no funds moved; `failure` states the cause.
	Status WithdrawalStatus `json:"status"`
	// Canceled by a manager after its transaction was signed: a replacement is in progress. It becomes
	// `failed` if the replacement is mined, `confirmed` if it was too late.
	Cancelling bool `json:"cancelling"`
	// null if it awaits only confirmations.
	WaitsFor *WithdrawalWait `json:"waitsFor"`
	// Failure reason.
	Failure *string `json:"failure"`
	// End of the hold on a withdrawal to a new destination, which can be canceled until then; null if it
	// is not held.
	HeldUntil   *time.Time `json:"heldUntil"`
	Destination string     `json:"destination"`
	// Amount withdrawn from the wallets, in the smallest unit.
	Spent string `json:"spent"`
	// Amount that the destination receives; null until its transaction exists. For a canceling
	// replacement: the amount that returns to the wallet.
	Amount *string `json:"amount"`
	// Maximum fee, in the smallest unit of `feeCode`.
	Fee *string `json:"fee"`
	// Fee paid in its block, in the smallest unit of `feeCode`; null until then. On Ethereum, the unused
	// part of `fee` stays in the wallet for its next withdrawal.
	FeePaid *string `json:"feePaid"`
	// Part of `spent` that was missing because it was spent outside the service.
	WrittenOff string `json:"writtenOff"`
	// `eth` for tokens; otherwise the fee is deducted from the amount.
	FeeCode CryptoCurrencyCode `json:"feeCode"`
	FeeRate *string            `json:"feeRate"`
	// Fee rate limit; null for none.
	Limit *string `json:"limit"`
	// Hash of the last transaction, or of the mined one.
	TxHash *string `json:"txHash"`
	// Hashes of all its transactions, of which at most one is mined.
	TxHashes      []string `json:"txHashes"`
	Confirmations int64    `json:"confirmations"`
	// Confirmations after which it is `confirmed`.
	MinConfirmations int64 `json:"minConfirmations"`
	// Amount withdrawn from each wallet.
	Wallets []WithdrawalWallet `json:"wallets"`
	// `id` of the refunded crypto transaction.
	TransactionID *string `json:"transactionId"`
	// For `gas`: `id` of the withdrawal that needs it.
	WithdrawalID *string `json:"withdrawalId"`
	// Requester: `token 2` or `person 3`; null for automatic withdrawals.
	RequestedBy *string `json:"requestedBy"`
	// Current name of the user; null for tokens and automatic withdrawals, and in events and webhooks.
	RequestedByName *string   `json:"requestedByName"`
	CreatedAt       time.Time `json:"createdAt"`
	UpdatedAt       time.Time `json:"updatedAt"`
}

// WithdrawalWait is a part of the API's data.
type WithdrawalWait struct {
	// `queued`: its transaction is created next, or after another withdrawal of the wallet; `fee_limit`:
	// the network fee is above a limit; `fee_estimate`: independent estimates of the network fee disagree;
	// `amount_too_small`: the fee is too large a part of the amount; `gas`: ether for the fee of a token
	// transfer is being sent, or the gas wallet has too little; `broadcasting`: created and about to be
	// broadcast; `rejected`: the node rejects it, and it is retried; `new_destination`: the destination is
	// new, and it is held until `heldUntil`; `rate`: there is no current exchange rate to compare its fee
	// with. One of queued, fee_limit, fee_estimate, amount_too_small, gas, broadcasting, rejected,
	// new_destination, rate.
	Reason string `json:"reason"`
	// Explanation.
	Detail string `json:"detail"`
	// Current network fee rate, in the unit of `feeRate`.
	FeeNow *string `json:"feeNow"`
	// `max-fee-limit-auto-withdrawal-{CODE}`, or the operator’s limit if it is lower.
	Limit *string `json:"limit"`
}

// WithdrawalWallet is a part of the API's data.
type WithdrawalWallet struct {
	Address string `json:"address"`
	// In the smallest unit.
	Amount string `json:"amount"`
}

// PendingWithdrawalDestination is a part of the API's data.
type PendingWithdrawalDestination struct {
	// A cryptocurrency of `GET /v1/currencies`.
	Code CryptoCurrencyCode `json:"code"`
	// null if automatic withdrawals were turned off.
	Destination         *string   `json:"destination"`
	PreviousDestination *string   `json:"previousDestination"`
	EffectiveAt         time.Time `json:"effectiveAt"`
	RequestedBy         string    `json:"requestedBy"`
	CreatedAt           time.Time `json:"createdAt"`
	// Reason for the delay: a new destination waits `WITHDRAWAL_DESTINATION_DELAY_HOURS`.
	Reason string `json:"reason"`
	// Current name of the user; null for a token.
	RequestedByName *string `json:"requestedByName"`
}

// WithdrawalDetail is a part of the API's data.
type WithdrawalDetail struct {
	ID string `json:"id"`
	// A cryptocurrency of `GET /v1/currencies`.
	Code CryptoCurrencyCode `json:"code"`
	// `sweep`: automatic; `refund`: of a rejected transaction; `manual`: requested by a manager; `gas`:
	// the operator’s ether for the fee of another withdrawal. One of sweep, refund, manual, gas.
	Purpose string `json:"purpose"`
	// `waiting`: not sent yet; `waitsFor` states the cause; `to_sign`: to be signed outside Paylatch,
	// where the keys are; `sent`: broadcast, not enough confirmations yet; `confirmed`: reached
	// `min-confirmation-{CODE}` confirmations; `failed`: no funds moved; `failure` states the cause.
	Status WithdrawalStatus `json:"status"`
	// Canceled by a manager after its transaction was signed: a replacement is in progress. It becomes
	// `failed` if the replacement is mined, `confirmed` if it was too late.
	Cancelling bool `json:"cancelling"`
	// null if it awaits only confirmations.
	WaitsFor *WithdrawalWait `json:"waitsFor"`
	// Failure reason.
	Failure *string `json:"failure"`
	// End of the hold on a withdrawal to a new destination, which can be canceled until then; null if it
	// is not held.
	HeldUntil   *time.Time `json:"heldUntil"`
	Destination string     `json:"destination"`
	// Amount withdrawn from the wallets, in the smallest unit.
	Spent string `json:"spent"`
	// Amount that the destination receives; null until its transaction exists. For a canceling
	// replacement: the amount that returns to the wallet.
	Amount *string `json:"amount"`
	// Maximum fee, in the smallest unit of `feeCode`.
	Fee *string `json:"fee"`
	// Fee paid in its block, in the smallest unit of `feeCode`; null until then. On Ethereum, the unused
	// part of `fee` stays in the wallet for its next withdrawal.
	FeePaid *string `json:"feePaid"`
	// Part of `spent` that was missing because it was spent outside the service.
	WrittenOff string `json:"writtenOff"`
	// `eth` for tokens; otherwise the fee is deducted from the amount.
	FeeCode CryptoCurrencyCode `json:"feeCode"`
	FeeRate *string            `json:"feeRate"`
	// Fee rate limit; null for none.
	Limit *string `json:"limit"`
	// Hash of the last transaction, or of the mined one.
	TxHash *string `json:"txHash"`
	// Hashes of all its transactions, of which at most one is mined.
	TxHashes      []string `json:"txHashes"`
	Confirmations int64    `json:"confirmations"`
	// Confirmations after which it is `confirmed`.
	MinConfirmations int64 `json:"minConfirmations"`
	// Amount withdrawn from each wallet.
	Wallets []WithdrawalDetailWallet `json:"wallets"`
	// `id` of the refunded crypto transaction.
	TransactionID *string `json:"transactionId"`
	// For `gas`: `id` of the withdrawal that needs it.
	WithdrawalID *string `json:"withdrawalId"`
	// Requester: `token 2` or `person 3`; null for automatic withdrawals.
	RequestedBy *string `json:"requestedBy"`
	// Current name of the user; null for tokens and automatic withdrawals, and in events and webhooks.
	RequestedByName *string   `json:"requestedByName"`
	CreatedAt       time.Time `json:"createdAt"`
	UpdatedAt       time.Time `json:"updatedAt"`
	// Transaction to sign externally while the status is `to_sign`.
	Unsigned *WithdrawalDetailUnsigned `json:"unsigned"`
}

// WithdrawalDetailWallet is a part of the API's data.
type WithdrawalDetailWallet struct {
	Address string `json:"address"`
	// In the smallest unit.
	Amount string `json:"amount"`
}

// WithdrawalDetailUnsigned is a part of the API's data.
type WithdrawalDetailUnsigned struct {
	// `psbt`: BIP 174 in base64; `eip1559`: unsigned EIP-2718 transaction of type 2 in hexadecimal. One of
	// psbt, eip1559.
	Format string `json:"format"`
	Data   string `json:"data"`
	// Address whose key signs it; null if each input has its own.
	Sender *string `json:"sender"`
	// Derivation path of that key, below the account’s.
	Path *string `json:"path"`
}

// ListEventsResponse is a part of the API's data.
type ListEventsResponse struct {
	Events []ListEventsResponseEvent `json:"events"`
	// Cursor for the next request; null before the first event.
	Next *string `json:"next"`
	// True if more events are available now.
	HasMore bool `json:"has_more"`
}

// TransactionEvent is a part of the API's data.
type TransactionEvent struct {
	Type      string               `json:"type"`
	Timestamp time.Time            `json:"timestamp"`
	Data      TransactionEventData `json:"data"`
	// The `webhook-id` of its webhook.
	ID string `json:"id"`
}

// TransactionEventData is a part of the API's data.
type TransactionEventData struct {
	TransactionID string    `json:"transaction_id"`
	CreatedAt     time.Time `json:"created_at"`
	UpdatedAt     time.Time `json:"updated_at"`
	ExpiresAt     time.Time `json:"expires_at"`
	// Amount of the transaction.
	Amount float64 `json:"amount"`
	// Amount that the buyer pays.
	AmountCharged float64 `json:"amount_charged"`
	// Net amount after the fee.
	AmountDelivered float64 `json:"amount_delivered"`
	// Amount received.
	AmountReceived float64 `json:"amount_received"`
	// The amount refunded so far.
	RefundedAmount float64 `json:"refunded_amount"`
	Currency       string  `json:"currency"`
	// ISO 3166-1 alpha-3.
	Country      string `json:"country"`
	Descriptions string `json:"descriptions"`
	// Purchased items, as sent when the transaction was created.
	LineItems []LineItem `json:"line_items,omitempty"`
	// Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500
	// characters. Payers never see it.
	Metadata map[string]string `json:"metadata,omitempty"`
	// Initial language of the payment page; absent if the browser’s language is used.
	Locale *string `json:"locale,omitempty"`
	// The reusable link that created the transaction.
	ReusableLinkID *string `json:"reusable_link_id,omitempty"`
	PaymentMethod  string  `json:"payment_method"`
	// `transaction_status_pending`: created, or ready for another attempt after a decline;
	// `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the payment
	// is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended without
	// payment; `reason` states the cause.
	Status TransactionStatus `json:"status"`
	// Failure reason. One of expired, declined, cancelled, underpaid, overpaid, rejected, reversed.
	Reason *string `json:"reason,omitempty"`
	// Absent: captured automatically.
	Capture *string `json:"capture,omitempty"`
	// With `capture: "manual"`, once a payment was authorized. The status is `waiting` until the capture.
	Authorization *Authorization `json:"authorization,omitempty"`
	// True if the funds arrived after the transaction failed.
	Late *bool `json:"late,omitempty"`
	// The last review decision; absent before the first.
	Decision *TransactionEventDataDecision `json:"decision,omitempty"`
	// Fee added to the amount or deducted from it. One of forward_without_fee, forward_with_fee.
	TypeOfFeeCalculate string `json:"type_of_fee_calculate"`
	// Details of the payer that you provided when you created the transaction; absent from webhooks, and
	// without the scope `approval:write`.
	Payer *Payer `json:"payer,omitempty"`
	// Payment link for the buyer; single use.
	Link               string  `json:"link"`
	MerchantFeeFix     float64 `json:"merchant_fee_fix"`
	MerchantFeePercent float64 `json:"merchant_fee_percent"`
	// The preference `additional-currency` at creation, or the currency of the payment if there was no
	// rate between them.
	AdditionalCurrency string `json:"additional_currency"`
	// Price of one unit of `currency` in `additional_currency`.
	Rate float64 `json:"rate"`
	// `rate` less your percentage fee.
	RateMerchantFinal float64 `json:"rate_merchant_final"`
	// Sources of `rate`, separated by commas; `sandbox-table` for the fixed table of the sandbox. Absent
	// if the currencies are the same, or the transaction is older than this field.
	RateSource *string `json:"rate_source,omitempty"`
	// Time of the oldest quote in `rate`. Absent whenever `rate_source` is.
	RateAt *time.Time `json:"rate_at,omitempty"`
	// Detected country of the buyer (ISO 3166-1 alpha-2); absent if unknown.
	BuyerCountry *string `json:"buyer_country,omitempty"`
	// Source of the country: `address` (IP database) or `header` (the operator’s proxy).
	BuyerCountrySource *string `json:"buyer_country_source,omitempty"`
	// Network of the buyer’s IP address: a /24 of IPv4, a /48 of IPv6.
	BuyerNetwork *string `json:"buyer_network,omitempty"`
	// Card payment attempts.
	Attempts []AttemptSummary `json:"attempts"`
	// The payment instructions shown to the buyer, with their status.
	Instructions []InstructionsSummary `json:"instructions"`
	// Receipts of funds by instructions.
	Receipts []ReceiptSummary `json:"receipts"`
	// Refunds, with their status.
	Refunds []RefundSummary `json:"refunds"`
	// Only in the response to a refund: `number` of each refund that the request created.
	RequestedRefunds []int64 `json:"requested_refunds,omitempty"`
	// Disputes and chargebacks, with their status.
	Disputes []DisputeSummary `json:"disputes"`
	// Currently available actions. `refund_out_of_band` and `reject_out_of_band`: only with `out_of_band`,
	// because the acquirer cannot refund.
	AvailableActions []string `json:"available_actions"`
	// Absent while nothing can be refunded.
	RefundOptions *RefundOptions `json:"refund_options,omitempty"`
	// Events of the transaction, in order.
	Timeline []TimelineEntry `json:"timeline"`
	// Your merchant ID. Reject webhooks with a different one.
	MerchantID int64 `json:"merchant_id"`
	// One of transaction_status_pending, transaction_status_waiting, transaction_status_confirmed,
	// transaction_status_failed.
	PreviousStatus string `json:"previous_status"`
	// Number of the event within the transaction, from 1. An endpoint that receives only some event types
	// sees gaps: do not wait for missing numbers.
	Sequence int64 `json:"sequence"`
}

// TransactionEventDataDecision: The last review decision; absent before the first
type TransactionEventDataDecision struct {
	// Stable ID: `token 2` or `person 3`.
	By string `json:"by"`
	// Current name of the user; null for tokens, and always null in events and webhooks.
	ByName     *string   `json:"by_name"`
	At         time.Time `json:"at"`
	Reason     *string   `json:"reason"`
	IsApproved bool      `json:"is_approved"`
}

// DisputeEvent is a part of the API's data.
type DisputeEvent struct {
	// One of fiat.dispute.created, fiat.dispute.updated, fiat.dispute.closed.
	Type      string           `json:"type"`
	Timestamp time.Time        `json:"timestamp"`
	Data      DisputeEventData `json:"data"`
	// The `webhook-id` of its webhook.
	ID string `json:"id"`
}

// DisputeEventData is a part of the API's data.
type DisputeEventData struct {
	Number int64 `json:"number"`
	// `inquiry`: the bank requests information before a chargeback; `needs_response`: the bank charged the
	// amount back; respond through your acquirer before `respond_by`; `under_review`: the bank is
	// reviewing the dispute; `won`: you keep the amount; a second chargeback can follow; `lost`: the buyer
	// keeps the amount. One of inquiry, needs_response, under_review, won, lost.
	State    string  `json:"state"`
	Amount   float64 `json:"amount"`
	Currency string  `json:"currency"`
	// The acquirer’s reference for the dispute; of the charge until the acquirer reports one.
	Reference string `json:"reference"`
	// Reason code of the card network.
	ReasonCode *string `json:"reason_code"`
	Reason     *string `json:"reason"`
	// Deadline for a response.
	RespondBy *time.Time `json:"respond_by"`
	CreatedAt time.Time  `json:"created_at"`
	UpdatedAt time.Time  `json:"updated_at"`
	// Your merchant ID. Reject webhooks with a different one.
	MerchantID    int64  `json:"merchant_id"`
	TransactionID string `json:"transaction_id"`
	// The previous `state` of the dispute; null in the first. One of inquiry, needs_response,
	// under_review, won, lost.
	PreviousStatus *string `json:"previous_status"`
	// Number of the event within the transaction, from 1. An endpoint that receives only some event types
	// sees gaps: do not wait for missing numbers.
	Sequence int64 `json:"sequence"`
}

// CryptoTransactionEvent is a part of the API's data.
type CryptoTransactionEvent struct {
	// One of crypto.transaction.created, crypto.transaction.updated.
	Type      string                     `json:"type"`
	Timestamp time.Time                  `json:"timestamp"`
	Data      CryptoTransactionEventData `json:"data"`
	// The `webhook-id` of its webhook.
	ID string `json:"id"`
}

// CryptoTransactionEventData is a part of the API's data.
type CryptoTransactionEventData struct {
	ID string `json:"id"`
	// null for deposits without an invoice.
	TxID *string `json:"txId"`
	// Invoice type; `invoice_type_default` as resolved at creation. One of static, revolver, user.
	Type string `json:"type"`
	// A cryptocurrency of `GET /v1/currencies`.
	Code CryptoCurrencyCode `json:"code"`
	// Requested amount; null if any amount is accepted.
	AmountRequired     *string `json:"amountRequired"`
	AmountRequiredUnit *string `json:"amountRequiredUnit"`
	WalletAddress      string  `json:"walletAddress"`
	// One of static, revolver, user.
	WalletType string `json:"walletType"`
	// Payment URI for wallet apps: BIP 21 or EIP-681.
	URI string `json:"uri"`
	// `pending`: no deposit detected yet; `waiting`: deposit detected, not enough confirmations yet;
	// `confirmed`: the deposit reached `min-confirmation-{CODE}` confirmations; `complete`: credited, less
	// `processing-fee-{CODE}`; `approved_required`: awaiting review: approve or reject it; `refunding`:
	// rejected with a refund address; the funds are being sent there; `refunded`: the refund is confirmed;
	// `failed`: ended without payment, or rejected without a refund address.
	Status CryptoStatus `json:"status"`
	// Conditions in addition to the status.
	Labels []string `json:"labels"`
	// Amount detected, confirmed or not.
	Amount string `json:"amount"`
	// The same in whole coins.
	AmountUnit string `json:"amountUnit"`
	// Amount still due.
	AmountDue string `json:"amountDue"`
	// Lowest number of confirmations among its deposits.
	Confirmations int64 `json:"confirmations"`
	// Confirmations required of a deposit.
	MinConfirmations     int64           `json:"minConfirmations"`
	Payments             []CryptoPayment `json:"payments"`
	ProcessingFeePercent float64         `json:"processingFeePercent"`
	// Fee on the credited amount.
	ProcessingFee string                                  `json:"processingFee"`
	ExchangeRate  *CryptoTransactionEventDataExchangeRate `json:"exchangeRate"`
	Link          CryptoTransactionEventDataLink          `json:"link"`
	// `transaction_id` of the payment link that it pays, if any.
	FiatTransactionID *string `json:"fiatTransactionId"`
	Comment           *string `json:"comment"`
	// Description shown to the payer.
	Description *string `json:"description"`
	// URL of your page to which the payer returns.
	ReturnURL *string `json:"returnUrl"`
	// Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500
	// characters. Payers never see it.
	Metadata map[string]string `json:"metadata,omitempty"`
	// Initial language of the invoice page; absent if the browser’s language is used.
	Locale *string `json:"locale,omitempty"`
	// `txId` of the invoice that the deposit was probably meant for.
	ProbableTxID *string `json:"probableTxId"`
	// The review decision, if any.
	Decision *CryptoTransactionEventDataDecision `json:"decision"`
	// Currently available actions; `withdraw` for managers only.
	AvailableActions []string  `json:"availableActions"`
	CreatedAt        time.Time `json:"createdAt"`
	UpdatedAt        time.Time `json:"updatedAt"`
	// null if it does not expire.
	ExpiredAt *time.Time `json:"expiredAt"`
	// Your merchant ID. Reject webhooks with a different one.
	MerchantID int64 `json:"merchant_id"`
	// null in the first. One of pending, waiting, confirmed, complete, approved_required, refunding,
	// refunded, failed.
	PreviousStatus *string `json:"previous_status"`
	// Number of the event within the transaction, from 1. An endpoint that receives only some event types
	// sees gaps: do not wait for missing numbers.
	Sequence int64 `json:"sequence"`
}

// CryptoTransactionEventDataExchangeRate is a part of the API's data.
type CryptoTransactionEventDataExchangeRate struct {
	Currency string `json:"currency"`
	// Price of one whole coin in `currency`.
	ExchangeRate string `json:"exchangeRate"`
	// The amount in `currency`.
	CurrencyAmount string `json:"currencyAmount"`
	// A cryptocurrency of `GET /v1/currencies`.
	Code   CryptoCurrencyCode `json:"code"`
	Source string             `json:"source"`
	At     time.Time          `json:"at"`
}

// CryptoTransactionEventDataLink is a part of the API's data.
type CryptoTransactionEventDataLink struct {
	Self string `json:"self"`
	// Payment page for the payer.
	Payment string `json:"payment"`
}

// CryptoTransactionEventDataDecision is a part of the API's data.
type CryptoTransactionEventDataDecision struct {
	// Stable ID: `token 2` or `person 3`.
	By string `json:"by"`
	// Current name of the user; null for tokens, and always null in events and webhooks.
	ByName        *string   `json:"byName"`
	At            time.Time `json:"at"`
	Reason        *string   `json:"reason"`
	IsApproved    bool      `json:"isApproved"`
	RefundAddress *string   `json:"refundAddress"`
}

// WithdrawalEvent is a part of the API's data.
type WithdrawalEvent struct {
	Type      string              `json:"type"`
	Timestamp time.Time           `json:"timestamp"`
	Data      WithdrawalEventData `json:"data"`
	// The `webhook-id` of its webhook.
	ID string `json:"id"`
}

// WithdrawalEventData is a part of the API's data.
type WithdrawalEventData struct {
	ID string `json:"id"`
	// A cryptocurrency of `GET /v1/currencies`.
	Code CryptoCurrencyCode `json:"code"`
	// `sweep`: automatic; `refund`: of a rejected transaction; `manual`: requested by a manager; `gas`:
	// the operator’s ether for the fee of another withdrawal. One of sweep, refund, manual, gas.
	Purpose string `json:"purpose"`
	// `waiting`: not sent yet; `waitsFor` states the cause; `to_sign`: to be signed outside Paylatch,
	// where the keys are; `sent`: broadcast, not enough confirmations yet; `confirmed`: reached
	// `min-confirmation-{CODE}` confirmations; `failed`: no funds moved; `failure` states the cause.
	Status WithdrawalStatus `json:"status"`
	// Canceled by a manager after its transaction was signed: a replacement is in progress. It becomes
	// `failed` if the replacement is mined, `confirmed` if it was too late.
	Cancelling bool `json:"cancelling"`
	// null if it awaits only confirmations.
	WaitsFor *WithdrawalWait `json:"waitsFor"`
	// Failure reason.
	Failure *string `json:"failure"`
	// End of the hold on a withdrawal to a new destination, which can be canceled until then; null if it
	// is not held.
	HeldUntil   *time.Time `json:"heldUntil"`
	Destination string     `json:"destination"`
	// Amount withdrawn from the wallets, in the smallest unit.
	Spent string `json:"spent"`
	// Amount that the destination receives; null until its transaction exists. For a canceling
	// replacement: the amount that returns to the wallet.
	Amount *string `json:"amount"`
	// Maximum fee, in the smallest unit of `feeCode`.
	Fee *string `json:"fee"`
	// Fee paid in its block, in the smallest unit of `feeCode`; null until then. On Ethereum, the unused
	// part of `fee` stays in the wallet for its next withdrawal.
	FeePaid *string `json:"feePaid"`
	// Part of `spent` that was missing because it was spent outside the service.
	WrittenOff string `json:"writtenOff"`
	// `eth` for tokens; otherwise the fee is deducted from the amount.
	FeeCode CryptoCurrencyCode `json:"feeCode"`
	FeeRate *string            `json:"feeRate"`
	// Fee rate limit; null for none.
	Limit *string `json:"limit"`
	// Hash of the last transaction, or of the mined one.
	TxHash *string `json:"txHash"`
	// Hashes of all its transactions, of which at most one is mined.
	TxHashes      []string `json:"txHashes"`
	Confirmations int64    `json:"confirmations"`
	// Confirmations after which it is `confirmed`.
	MinConfirmations int64 `json:"minConfirmations"`
	// Amount withdrawn from each wallet.
	Wallets []WithdrawalEventDataWallet `json:"wallets"`
	// `id` of the refunded crypto transaction.
	TransactionID *string `json:"transactionId"`
	// For `gas`: `id` of the withdrawal that needs it.
	WithdrawalID *string `json:"withdrawalId"`
	// Requester: `token 2` or `person 3`; null for automatic withdrawals.
	RequestedBy *string `json:"requestedBy"`
	// Current name of the user; null for tokens and automatic withdrawals, and in events and webhooks.
	RequestedByName *string   `json:"requestedByName"`
	CreatedAt       time.Time `json:"createdAt"`
	UpdatedAt       time.Time `json:"updatedAt"`
	// Your merchant ID. Reject webhooks with a different one.
	MerchantID int64 `json:"merchant_id"`
	// null in the first. One of waiting, to_sign, sent, confirmed, failed.
	PreviousStatus *string `json:"previous_status"`
	// Number of the event within the withdrawal, from 1. An endpoint that receives only some event types
	// sees gaps: do not wait for missing numbers.
	Sequence int64 `json:"sequence"`
}

// WithdrawalEventDataWallet is a part of the API's data.
type WithdrawalEventDataWallet struct {
	Address string `json:"address"`
	// In the smallest unit.
	Amount string `json:"amount"`
}

// WithdrawalDestinationChangeEvent is a part of the API's data.
type WithdrawalDestinationChangeEvent struct {
	Type      string                               `json:"type"`
	Timestamp time.Time                            `json:"timestamp"`
	Data      WithdrawalDestinationChangeEventData `json:"data"`
	// The `webhook-id` of its webhook.
	ID string `json:"id"`
}

// WithdrawalDestinationChangeEventData is a part of the API's data.
type WithdrawalDestinationChangeEventData struct {
	// A cryptocurrency of `GET /v1/currencies`.
	Code CryptoCurrencyCode `json:"code"`
	// null if automatic withdrawals were turned off.
	Destination         *string   `json:"destination"`
	PreviousDestination *string   `json:"previousDestination"`
	EffectiveAt         time.Time `json:"effectiveAt"`
	RequestedBy         string    `json:"requestedBy"`
	CreatedAt           time.Time `json:"createdAt"`
	// Your merchant ID. Reject webhooks with a different one.
	MerchantID     int64   `json:"merchant_id"`
	PreviousStatus any     `json:"previous_status"`
	Sequence       float64 `json:"sequence"`
}

// CallbackUrlChangeEvent is a part of the API's data.
type CallbackUrlChangeEvent struct {
	Type      string                     `json:"type"`
	Timestamp time.Time                  `json:"timestamp"`
	Data      CallbackUrlChangeEventData `json:"data"`
	// The `webhook-id` of its webhook.
	ID string `json:"id"`
}

// CallbackUrlChangeEventData is a part of the API's data.
type CallbackUrlChangeEventData struct {
	// Your merchant ID. Reject webhooks with a different one.
	MerchantID int64 `json:"merchant_id"`
	// Origin of the new URL (no path or query, which may contain a secret); null: removed.
	URL *string `json:"url"`
	// Origin of the previous URL; null: none was set.
	PreviousURL *string `json:"previous_url"`
	// Requester: `token 7` or `person 3`.
	RequestedBy    string    `json:"requested_by"`
	CreatedAt      time.Time `json:"created_at"`
	PreviousStatus any       `json:"previous_status"`
	Sequence       float64   `json:"sequence"`
}

// WebhookEndpointChangeEvent is a part of the API's data.
type WebhookEndpointChangeEvent struct {
	Type      string                         `json:"type"`
	Timestamp time.Time                      `json:"timestamp"`
	Data      WebhookEndpointChangeEventData `json:"data"`
	// The `webhook-id` of its webhook.
	ID string `json:"id"`
}

// WebhookEndpointChangeEventData is a part of the API's data.
type WebhookEndpointChangeEventData struct {
	// Your merchant ID. Reject webhooks with a different one.
	MerchantID int64  `json:"merchant_id"`
	EndpointID string `json:"endpoint_id"`
	// One of added, updated, removed.
	Change string `json:"change"`
	// Origin of the URL (no path or query); null: removed.
	URL *string `json:"url"`
	// Origin of the previous URL; null: added.
	PreviousURL *string `json:"previous_url"`
	// null: removed. One of enabled, disabled.
	Status *string `json:"status"`
	// null: all.
	EventTypes []string `json:"event_types"`
	// Requester: `token 7` or `person 3`.
	RequestedBy    string    `json:"requested_by"`
	CreatedAt      time.Time `json:"created_at"`
	PreviousStatus any       `json:"previous_status"`
	Sequence       float64   `json:"sequence"`
}

// ListTransactionEventsResponse is a part of the API's data.
type ListTransactionEventsResponse struct {
	Events []ListTransactionEventsResponseEvent `json:"events"`
}

// Statistics is a part of the API's data.
type Statistics struct {
	Since time.Time `json:"since"`
	// Exclusive.
	Till     time.Time `json:"till"`
	TimeZone string    `json:"time_zone"`
	// By currency of the transactions, most transactions first.
	Currencies []StatisticsCurrencie `json:"currencies"`
	Total      StatisticsTotal       `json:"total"`
	// Every day of the period, including days without transactions.
	Days []StatisticsDay `json:"days"`
	// The 24 hours of the day.
	Hours []StatisticsHour `json:"hours"`
	// Most transactions first.
	Methods []StatisticsMethod `json:"methods"`
	// By the buyer’s detected country, or by the transaction’s country if unknown; most transactions
	// first.
	Countries []StatisticsCountrie `json:"countries"`
	// Failure reasons, most frequent first.
	Failures []StatisticsFailure `json:"failures"`
	// Currently pending reviews and failures, regardless of the period; each counted up to 1000.
	Waiting StatisticsWaiting `json:"waiting"`
}

// StatisticsCurrencie is a part of the API's data.
type StatisticsCurrencie struct {
	Currency  string `json:"currency"`
	Count     int64  `json:"count"`
	PaidCount int64  `json:"paid_count"`
	// Amount received for paid transactions.
	PaidAmount float64 `json:"paid_amount"`
	// Refunds that succeeded or are pending.
	RefundedAmount float64 `json:"refunded_amount"`
}

// StatisticsTotal is a part of the API's data.
type StatisticsTotal struct {
	Count int64 `json:"count"`
	// `transaction_status_confirmed`.
	PaidCount   int64 `json:"paid_count"`
	FailedCount int64 `json:"failed_count"`
	// Neither paid nor failed.
	OpenCount int64 `json:"open_count"`
	// Share of paid transactions among paid and failed ones, from 0 to 1 with four decimals; null if there
	// are none.
	PaidShare                *float64                                `json:"paid_share"`
	PaidInAdditionalCurrency StatisticsTotalPaidInAdditionalCurrency `json:"paid_in_additional_currency"`
}

// StatisticsTotalPaidInAdditionalCurrency is a part of the API's data.
type StatisticsTotalPaidInAdditionalCurrency struct {
	// The preference `additional-currency`.
	Currency string `json:"currency"`
	// Amount received for paid transactions, each at its stored rate, rounded once.
	Amount float64 `json:"amount"`
	// Paid transactions that are excluded from these amounts, because they were created with another
	// additional currency or without a rate to it.
	ExcludedCount int64 `json:"excluded_count"`
}

// StatisticsDay is a part of the API's data.
type StatisticsDay struct {
	Date      string `json:"date"`
	Count     int64  `json:"count"`
	PaidCount int64  `json:"paid_count"`
	// Amount received for paid transactions, in the additional currency.
	PaidAmount float64 `json:"paid_amount"`
}

// StatisticsHour is a part of the API's data.
type StatisticsHour struct {
	Hour      int64 `json:"hour"`
	Count     int64 `json:"count"`
	PaidCount int64 `json:"paid_count"`
}

// StatisticsMethod is a part of the API's data.
type StatisticsMethod struct {
	PaymentMethod string `json:"payment_method"`
	Count         int64  `json:"count"`
	PaidCount     int64  `json:"paid_count"`
	// Amount received for paid transactions, in the additional currency.
	PaidAmount float64 `json:"paid_amount"`
}

// StatisticsCountrie is a part of the API's data.
type StatisticsCountrie struct {
	// ISO 3166-1 alpha-3.
	Country   string `json:"country"`
	Count     int64  `json:"count"`
	PaidCount int64  `json:"paid_count"`
	// Amount received for paid transactions, in the additional currency.
	PaidAmount float64 `json:"paid_amount"`
}

// StatisticsFailure is a part of the API's data.
type StatisticsFailure struct {
	// The `reason` of the transaction; for `declined` and `expired` the code of its last decline, if any.
	Reason string `json:"reason"`
	Count  int64  `json:"count"`
}

// StatisticsWaiting: Currently pending reviews and failures, regardless of the period; each counted up
// to 1000
type StatisticsWaiting struct {
	// Crypto transactions that are `approved_required`.
	CryptoReviews int64 `json:"crypto_reviews"`
	// Transactions with received funds awaiting review: `awaiting_review` of the list.
	PaymentReviews int64 `json:"payment_reviews"`
	// Webhooks whose attempts all failed.
	FailedCallbacks int64 `json:"failed_callbacks"`
}

// ListRatesResponse is a part of the API's data.
type ListRatesResponse struct {
	Currency string         `json:"currency"`
	Rates    []ExchangeRate `json:"rates"`
}

// ExchangeRate is a part of the API's data.
type ExchangeRate struct {
	// Cryptocurrency or currency.
	Code string `json:"code"`
	// Price of one whole unit, a decimal; null while unavailable.
	Rate *string `json:"rate"`
	// Time of the oldest quote in the rate; null while unavailable.
	At *time.Time `json:"at"`
	// Quotes whose median is the rate. Some rates are calculated from two pairs.
	Quotes []RateQuote `json:"quotes"`
	// Reason why no rate is within the limits; null otherwise.
	Unavailable *string `json:"unavailable"`
}

// RateQuote is a part of the API's data.
type RateQuote struct {
	// `sandbox-table` for the fixed table of the sandbox, whose rates are not real prices.
	Source string `json:"source"`
	// `BTC/USD` is the price of one bitcoin in US dollars.
	Pair string `json:"pair"`
	Rate string `json:"rate"`
	// Time reported by the source, or the time of the response if the source reports none.
	At time.Time `json:"at"`
}

// ListCallbacksResponse is a part of the API's data.
type ListCallbacksResponse struct {
	Callbacks  []Callback       `json:"callbacks"`
	NextCursor *string          `json:"next_cursor"`
	Endpoint   CallbackEndpoint `json:"endpoint"`
}

// Callback is a part of the API's data.
type Callback struct {
	// The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the endpoint.
	ID string `json:"id"`
	// The header `webhook-id`: the `id` of the event, and the same for every endpoint that receives it.
	WebhookID string `json:"webhook_id"`
	// `we_…`, or `callback-url` for the endpoint of that preference.
	EndpointID string `json:"endpoint_id"`
	// Its description, or else the host of its URL, or else its ID.
	EndpointName string `json:"endpoint_name"`
	Type         string `json:"type"`
	// Your reference; the `id` for deposits without an invoice and for withdrawals; the currency for a
	// changed destination; `callback-url` for a changed URL; the ID of a changed endpoint.
	TransactionID string `json:"transaction_id"`
	// Sequence number of the event within its transaction.
	Sequence int64 `json:"sequence"`
	// Status of the transaction or withdrawal after the event; null for notices, and without the scope
	// `transaction:read`.
	Status *string `json:"status"`
	// Its status before the event; null like `status`, and in the first.
	PreviousStatus *string `json:"previous_status"`
	// The change, as in the `timeline`, such as `12.50 USD refunded`; null if there is none, and without
	// the scope `transaction:read`.
	Detail *string `json:"detail"`
	// URL that receives a notice of a changed endpoint or destination; null for the endpoint’s current
	// URL.
	URL *string `json:"url"`
	// `pending`: not delivered yet; `delivered`: the endpoint responded with a 2xx status; `failed`: all
	// delivery attempts failed; redeliver it to try again. One of pending, delivered, failed.
	State        string `json:"state"`
	AttemptsMade int64  `json:"attempts_made"`
	// Result of the last attempt; null before the first.
	LastAttempt *CallbackLastAttempt `json:"last_attempt"`
	// null if no attempt is scheduled, or if an earlier webhook must be delivered first.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	CreatedAt     time.Time  `json:"created_at"`
	FinishedAt    *time.Time `json:"finished_at"`
}

// CallbackLastAttempt is a part of the API's data.
type CallbackLastAttempt struct {
	At time.Time `json:"at"`
	// HTTP status of the response; null if there was none.
	Status *int64  `json:"status"`
	Error  *string `json:"error"`
}

// CallbackEndpoint is a part of the API's data.
type CallbackEndpoint struct {
	URL *string `json:"url"`
	// Time of the first failure since the last success, later by periods without attempts.
	FailingSince *time.Time `json:"failing_since"`
	// null while it is enabled.
	DisabledAt *time.Time `json:"disabled_at"`
	// `gone`: the endpoint returned 410; `no_success`: nothing was delivered for five days. One of gone,
	// no_success.
	DisabledReason *string `json:"disabled_reason"`
}

// CallbackDetail is a part of the API's data.
type CallbackDetail struct {
	// The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the endpoint.
	ID string `json:"id"`
	// The header `webhook-id`: the `id` of the event, and the same for every endpoint that receives it.
	WebhookID string `json:"webhook_id"`
	// `we_…`, or `callback-url` for the endpoint of that preference.
	EndpointID string `json:"endpoint_id"`
	// Its description, or else the host of its URL, or else its ID.
	EndpointName string `json:"endpoint_name"`
	Type         string `json:"type"`
	// Your reference; the `id` for deposits without an invoice and for withdrawals; the currency for a
	// changed destination; `callback-url` for a changed URL; the ID of a changed endpoint.
	TransactionID string `json:"transaction_id"`
	// Sequence number of the event within its transaction.
	Sequence int64 `json:"sequence"`
	// Status of the transaction or withdrawal after the event; null for notices, and without the scope
	// `transaction:read`.
	Status *string `json:"status"`
	// Its status before the event; null like `status`, and in the first.
	PreviousStatus *string `json:"previous_status"`
	// The change, as in the `timeline`, such as `12.50 USD refunded`; null if there is none, and without
	// the scope `transaction:read`.
	Detail *string `json:"detail"`
	// URL that receives a notice of a changed endpoint or destination; null for the endpoint’s current
	// URL.
	URL *string `json:"url"`
	// `pending`: not delivered yet; `delivered`: the endpoint responded with a 2xx status; `failed`: all
	// delivery attempts failed; redeliver it to try again. One of pending, delivered, failed.
	State        string `json:"state"`
	AttemptsMade int64  `json:"attempts_made"`
	// Result of the last attempt; null before the first.
	LastAttempt *CallbackDetailLastAttempt `json:"last_attempt"`
	// null if no attempt is scheduled, or if an earlier webhook must be delivered first.
	NextAttemptAt *time.Time `json:"next_attempt_at"`
	CreatedAt     time.Time  `json:"created_at"`
	FinishedAt    *time.Time `json:"finished_at"`
	// Attempts of the last 90 days.
	Attempts []CallbackAttempt `json:"attempts"`
	// The body of the webhook; null without the scope `transaction:read`.
	Payload *WebhookEvent `json:"payload"`
}

// CallbackDetailLastAttempt is a part of the API's data.
type CallbackDetailLastAttempt struct {
	At time.Time `json:"at"`
	// HTTP status of the response; null if there was none.
	Status *int64  `json:"status"`
	Error  *string `json:"error"`
}

// CallbackAttempt is a part of the API's data.
type CallbackAttempt struct {
	Number int64     `json:"number"`
	At     time.Time `json:"at"`
	// null if no `callback-url` was set.
	URL        *string `json:"url"`
	DurationMs int64   `json:"duration_ms"`
	// HTTP status of the response; null if there was none.
	Status *int64  `json:"status"`
	Error  *string `json:"error"`
	// The first 1024 characters of the response body.
	ResponseBody *string `json:"response_body"`
	// The headers that we sent, without the signature.
	RequestHeaders []CallbackAttemptRequestHeader `json:"request_headers"`
	// The headers of the response, without credentials; null if there was no response.
	ResponseHeaders []CallbackAttemptResponseHeader `json:"response_headers"`
}

// CallbackAttemptRequestHeader is a part of the API's data.
type CallbackAttemptRequestHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// CallbackAttemptResponseHeader is a part of the API's data.
type CallbackAttemptResponseHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// FiatTransactionUpdatedWebhook is a part of the API's data.
type FiatTransactionUpdatedWebhook struct {
	Type      string               `json:"type"`
	Timestamp time.Time            `json:"timestamp"`
	Data      TransactionEventData `json:"data"`
}

// FiatDisputeCreatedWebhook is a part of the API's data.
type FiatDisputeCreatedWebhook struct {
	Type      string           `json:"type"`
	Timestamp time.Time        `json:"timestamp"`
	Data      DisputeEventData `json:"data"`
}

// FiatDisputeUpdatedWebhook is a part of the API's data.
type FiatDisputeUpdatedWebhook struct {
	Type      string           `json:"type"`
	Timestamp time.Time        `json:"timestamp"`
	Data      DisputeEventData `json:"data"`
}

// FiatDisputeClosedWebhook is a part of the API's data.
type FiatDisputeClosedWebhook struct {
	Type      string           `json:"type"`
	Timestamp time.Time        `json:"timestamp"`
	Data      DisputeEventData `json:"data"`
}

// CryptoTransactionCreatedWebhook is a part of the API's data.
type CryptoTransactionCreatedWebhook struct {
	Type      string                     `json:"type"`
	Timestamp time.Time                  `json:"timestamp"`
	Data      CryptoTransactionEventData `json:"data"`
}

// CryptoTransactionUpdatedWebhook is a part of the API's data.
type CryptoTransactionUpdatedWebhook struct {
	Type      string                     `json:"type"`
	Timestamp time.Time                  `json:"timestamp"`
	Data      CryptoTransactionEventData `json:"data"`
}

// CryptoWithdrawalUpdatedWebhook is a part of the API's data.
type CryptoWithdrawalUpdatedWebhook struct {
	Type      string              `json:"type"`
	Timestamp time.Time           `json:"timestamp"`
	Data      WithdrawalEventData `json:"data"`
}

// CryptoWithdrawalDestinationChangedWebhook is a part of the API's data.
type CryptoWithdrawalDestinationChangedWebhook struct {
	Type      string                               `json:"type"`
	Timestamp time.Time                            `json:"timestamp"`
	Data      WithdrawalDestinationChangeEventData `json:"data"`
}

// CallbackUrlChangedWebhook is a part of the API's data.
type CallbackUrlChangedWebhook struct {
	Type      string                     `json:"type"`
	Timestamp time.Time                  `json:"timestamp"`
	Data      CallbackUrlChangeEventData `json:"data"`
}

// CallbackEndpointChangedWebhook is a part of the API's data.
type CallbackEndpointChangedWebhook struct {
	Type      string                         `json:"type"`
	Timestamp time.Time                      `json:"timestamp"`
	Data      WebhookEndpointChangeEventData `json:"data"`
}

// CallbackTestWebhook is a part of the API's data.
type CallbackTestWebhook struct {
	Type      string        `json:"type"`
	Timestamp time.Time     `json:"timestamp"`
	Data      TestEventData `json:"data"`
}

// TestEventData is a part of the API's data.
type TestEventData struct {
	// Your merchant ID. Reject webhooks with a different one.
	MerchantID int64  `json:"merchant_id"`
	Message    string `json:"message"`
}

// TestCallbackResponse is a part of the API's data.
type TestCallbackResponse struct {
	// True if the response was 2xx.
	Delivered    bool    `json:"delivered"`
	URL          string  `json:"url"`
	DurationMs   int64   `json:"duration_ms"`
	Status       *int64  `json:"status"`
	Error        *string `json:"error"`
	ResponseBody *string `json:"response_body"`
}

// RotateCallbackSecretResponse is a part of the API's data.
type RotateCallbackSecretResponse struct {
	// The new secret; shown only once.
	CallbackSecret string `json:"callback_secret"`
	// Until then every webhook is also signed with the old secret.
	PreviousValidUntil time.Time `json:"previous_valid_until"`
}

// GetCallbackKeysResponse is a part of the API's data.
type GetCallbackKeysResponse struct {
	// The `merchant_id` in the `data` of your webhooks.
	MerchantID int64 `json:"merchant_id"`
	// Public URL of `keys`, without authentication.
	URL string `json:"url"`
	// Verify the `v1a` signatures of your webhooks. They do not verify webhooks of other merchants.
	Keys []GetCallbackKeysResponseKey `json:"keys"`
}

// GetCallbackKeysResponseKey is a part of the API's data.
type GetCallbackKeysResponseKey struct {
	Type string `json:"type"`
	// `whpk_` and 32 bytes in base64.
	PublicKey string `json:"public_key"`
}

// ListWebhookEndpointsResponse is a part of the API's data.
type ListWebhookEndpointsResponse struct {
	// The endpoint of `callback-url` first, then added ones, oldest first.
	Endpoints []WebhookEndpoint `json:"endpoints"`
}

// WebhookEndpoint is a part of the API's data.
type WebhookEndpoint struct {
	// `we_…`, or `callback-url` for the endpoint of that preference.
	ID          string  `json:"id"`
	URL         string  `json:"url"`
	Description *string `json:"description"`
	// null for all.
	EventTypes []string `json:"event_types"`
	// True for the endpoint of `callback-url`, which only that preference changes.
	FromPreferences bool `json:"from_preferences"`
	// `enabled`: receives webhooks; `disabled`: receives nothing; new webhooks stay `pending`. One of
	// enabled, disabled.
	Status string `json:"status"`
	// `merchant`: you disabled it; `gone`: it returned 410; `no_success`: nothing was delivered for five
	// days. One of merchant, gone, no_success.
	DisabledReason *string    `json:"disabled_reason"`
	DisabledAt     *time.Time `json:"disabled_at"`
	// Time of the first failure since the last success, later by periods without attempts.
	FailingSince *time.Time `json:"failing_since"`
	// Among the recent deliveries.
	LastDeliveredAt *time.Time `json:"last_delivered_at"`
	// The last failed attempt; null after a success.
	LastFailedAt *time.Time `json:"last_failed_at"`
	// The last 100 deliveries, by state.
	Recent WebhookEndpointRecent `json:"recent"`
	// null for the endpoint of `callback-url`.
	CreatedAt *time.Time `json:"created_at"`
	UpdatedAt *time.Time `json:"updated_at"`
}

// WebhookEndpointRecent: The last 100 deliveries, by state
type WebhookEndpointRecent struct {
	Delivered int64 `json:"delivered"`
	Failed    int64 `json:"failed"`
	Pending   int64 `json:"pending"`
}

// AddWebhookEndpointResponse is a part of the API's data.
type AddWebhookEndpointResponse struct {
	// `we_…`, or `callback-url` for the endpoint of that preference.
	ID          string  `json:"id"`
	URL         string  `json:"url"`
	Description *string `json:"description"`
	// null for all.
	EventTypes []string `json:"event_types"`
	// True for the endpoint of `callback-url`, which only that preference changes.
	FromPreferences bool `json:"from_preferences"`
	// `enabled`: receives webhooks; `disabled`: receives nothing; new webhooks stay `pending`. One of
	// enabled, disabled.
	Status string `json:"status"`
	// `merchant`: you disabled it; `gone`: it returned 410; `no_success`: nothing was delivered for five
	// days. One of merchant, gone, no_success.
	DisabledReason *string    `json:"disabled_reason"`
	DisabledAt     *time.Time `json:"disabled_at"`
	// Time of the first failure since the last success, later by periods without attempts.
	FailingSince *time.Time `json:"failing_since"`
	// Among the recent deliveries.
	LastDeliveredAt *time.Time `json:"last_delivered_at"`
	// The last failed attempt; null after a success.
	LastFailedAt *time.Time `json:"last_failed_at"`
	// The last 100 deliveries, by state.
	Recent AddWebhookEndpointResponseRecent `json:"recent"`
	// null for the endpoint of `callback-url`.
	CreatedAt *time.Time `json:"created_at"`
	UpdatedAt *time.Time `json:"updated_at"`
	// Signs the webhooks of this endpoint; shown only once.
	Secret string `json:"secret"`
}

// AddWebhookEndpointResponseRecent: The last 100 deliveries, by state
type AddWebhookEndpointResponseRecent struct {
	Delivered int64 `json:"delivered"`
	Failed    int64 `json:"failed"`
	Pending   int64 `json:"pending"`
}

// RotateWebhookEndpointSecretResponse is a part of the API's data.
type RotateWebhookEndpointSecretResponse struct {
	// The new secret; shown only once.
	Secret string `json:"secret"`
	// Until then every webhook is also signed with the old secret.
	PreviousValidUntil time.Time `json:"previous_valid_until"`
}

// TestWebhookEndpointResponse is a part of the API's data.
type TestWebhookEndpointResponse struct {
	// True if the response was 2xx.
	Delivered    bool    `json:"delivered"`
	URL          string  `json:"url"`
	DurationMs   int64   `json:"duration_ms"`
	Status       *int64  `json:"status"`
	Error        *string `json:"error"`
	ResponseBody *string `json:"response_body"`
}

// RedeliverFailedCallbacksResponse is a part of the API's data.
type RedeliverFailedCallbacksResponse struct {
	// Number of failed webhooks that are pending again.
	Redelivered int64 `json:"redelivered"`
}

// RemoveWebhookEndpointResponse is a part of the API's data.
type RemoveWebhookEndpointResponse struct {
	// `we_…`, or `callback-url` for the endpoint of that preference.
	ID        string    `json:"id"`
	RemovedAt time.Time `json:"removed_at"`
}

// ListPaymentMethodsResponse is a part of the API's data.
type ListPaymentMethodsResponse struct {
	PaymentMethods []ListPaymentMethodsResponsePaymentMethod `json:"payment_methods"`
}

// ListPaymentMethodsResponsePaymentMethod is a part of the API's data.
type ListPaymentMethodsResponsePaymentMethod struct {
	PaymentMethod string `json:"payment_method"`
	Currency      string `json:"currency"`
	// One of enable, disable.
	Status string `json:"status"`
	// Instructions to enable a disabled method.
	Message *string `json:"message,omitempty"`
	// Fixed fee of an enabled method, in the currency’s decimals.
	FeeFix *float64 `json:"fee_fix,omitempty"`
	// Fee as a percentage of the amount.
	FeePercent *float64 `json:"fee_percent,omitempty"`
	// True if payments with this method support `capture: "manual"`; absent otherwise.
	ManualCapture *bool `json:"manual_capture,omitempty"`
}

// SetPaymentMethodsResponse is a part of the API's data.
type SetPaymentMethodsResponse struct {
	PaymentMethods []SetPaymentMethodsResponsePaymentMethod `json:"payment_methods"`
}

// SetPaymentMethodsResponsePaymentMethod is a part of the API's data.
type SetPaymentMethodsResponsePaymentMethod struct {
	PaymentMethod string `json:"payment_method"`
	Currency      string `json:"currency"`
	// One of enable, disable.
	Status     string   `json:"status"`
	FeeFix     *float64 `json:"fee_fix,omitempty"`
	FeePercent *float64 `json:"fee_percent,omitempty"`
	// Reason why an enabled method cannot be used yet: no acquirer supports it.
	Message *string `json:"message,omitempty"`
}

// ListPreferencesResponse is a part of the API's data.
type ListPreferencesResponse struct {
	MerchantPreferences []Preference `json:"merchantPreferences"`
}

// Preference is a part of the API's data.
type Preference struct {
	Key       string    `json:"key"`
	Value     any       `json:"value"`
	CreatedAt time.Time `json:"created_at"`
	UpdatedAt time.Time `json:"updated_at"`
	// Present until `value` takes effect.
	Pending *PendingPreference `json:"pending,omitempty"`
}

// PendingPreference is a part of the API's data.
type PendingPreference struct {
	// Value in effect until then; null for none.
	CurrentValue any `json:"current_value"`
	// Time at which `value` takes effect.
	EffectiveAt time.Time `json:"effective_at"`
	// Reason for the delay.
	Reason string `json:"reason"`
}

// SetPreferencesResponse is a part of the API's data.
type SetPreferencesResponse struct {
	MerchantPreferences []Preference `json:"merchantPreferences"`
}

// ListPreferenceKeysResponse is a part of the API's data.
type ListPreferenceKeysResponse struct {
	Keys []PreferenceKey `json:"keys"`
}

// PreferenceKey is a part of the API's data.
type PreferenceKey struct {
	Key string `json:"key"`
	// Description.
	Meaning string `json:"meaning"`
	// Value type. An `amount` is a whole number of the smallest unit of `code`, as a string
	// (`wallet-rotate-amount-{CODE}` as a number up to 9007199254740991). A list is a string with a JSON
	// array. One of boolean, integer, decimal, amount, choice, text, url, contact, country_list,
	// origin_list, color, address.
	Type string `json:"type"`
	// The currency of an `amount` or an `address`.
	Code *string `json:"code,omitempty"`
	// Values of a `choice`.
	Choices []string `json:"choices,omitempty"`
	Minimum *float64 `json:"minimum,omitempty"`
	Maximum *float64 `json:"maximum,omitempty"`
	// Maximum number of characters.
	MaxLength *int64 `json:"max_length,omitempty"`
	// Value while it is unset; null for none.
	Default any `json:"default"`
	// Scope required to set it. One of preference:write, withdrawal:write, transaction:read.
	Scope string `json:"scope"`
	// True if only a manager of the service can set it.
	ManagerOnly bool `json:"manager_only"`
	// Current value; null while it is unset.
	Value any `json:"value"`
	// Pending change; null if `value` is in effect.
	Pending   *PendingPreference `json:"pending"`
	UpdatedAt *time.Time         `json:"updated_at"`
	// Actor that set it, such as `token 7`; null while it is unset, for the command line, and if unknown.
	UpdatedBy *string `json:"updated_by"`
}

// SetPreferencesSingularResponse is a part of the API's data.
type SetPreferencesSingularResponse struct {
	MerchantPreferences []Preference `json:"merchantPreferences"`
}

// GetLogoResponse is a part of the API's data.
type GetLogoResponse struct {
	// null: no logo is uploaded.
	Logo *Logo `json:"logo"`
}

// Logo is a part of the API's data.
type Logo struct {
	// Public URL of the PNG image. It changes with the image.
	URL string `json:"url"`
	// Pixels, at most 256.
	Width int64 `json:"width"`
	// Pixels, at most 256.
	Height     int64     `json:"height"`
	UploadedAt time.Time `json:"uploaded_at"`
}

// SetLogoResponse is a part of the API's data.
type SetLogoResponse struct {
	// null: no logo is uploaded.
	Logo *Logo `json:"logo"`
}

// RemoveLogoResponse is a part of the API's data.
type RemoveLogoResponse struct {
	// null: no logo is uploaded.
	Logo *Logo `json:"logo"`
}

// ListPeopleResponse is a part of the API's data.
type ListPeopleResponse struct {
	People      []Person     `json:"people"`
	Invitations []Invitation `json:"invitations"`
}

// Person is a part of the API's data.
type Person struct {
	ID    int64  `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
	// One of owner, operator, viewer.
	Role       string     `json:"role"`
	JoinedAt   time.Time  `json:"joinedAt"`
	LastSeenAt *time.Time `json:"lastSeenAt"`
}

// Invitation is a part of the API's data.
type Invitation struct {
	ID    int64  `json:"id"`
	Email string `json:"email"`
	// One of owner, operator, viewer, manager.
	Role      string    `json:"role"`
	ExpiresAt time.Time `json:"expiresAt"`
}

// InvitePersonResponse is a part of the API's data.
type InvitePersonResponse struct {
	Invitation Invitation `json:"invitation"`
	// Shown only once; valid for seven days.
	Link string `json:"link"`
	// True if the service also emails the link.
	IsEmailed bool `json:"is_emailed"`
}

// RevokeInvitationResponse is a part of the API's data.
type RevokeInvitationResponse struct {
	People      []Person     `json:"people"`
	Invitations []Invitation `json:"invitations"`
}

// SetPersonRoleResponse is a part of the API's data.
type SetPersonRoleResponse struct {
	People      []Person     `json:"people"`
	Invitations []Invitation `json:"invitations"`
}

// RemovePersonResponse is a part of the API's data.
type RemovePersonResponse struct {
	People      []Person     `json:"people"`
	Invitations []Invitation `json:"invitations"`
}

// ListAuditEntriesResponse is a part of the API's data.
type ListAuditEntriesResponse struct {
	Entries    []AuditEntry `json:"entries"`
	NextCursor *string      `json:"next_cursor"`
}

// AuditEntry is a part of the API's data.
type AuditEntry struct {
	ID     int64             `json:"id"`
	At     time.Time         `json:"at"`
	Person *AuditEntryPerson `json:"person"`
	// Actor other than a user: `token 12`, or `command line` with the operating system’s user name.
	Actor *string `json:"actor"`
	// The access token that is the `actor`, with its name, which may be empty; null for other actors.
	Token *AuditEntryToken `json:"token"`
	// ID of an operation, or an account action such as `sign_in`.
	Action string `json:"action"`
	// Object of the action.
	Subject *string `json:"subject"`
	Before  any     `json:"before"`
	After   any     `json:"after"`
	// `done`, or the problem code; `started` if the process ended before the outcome was known.
	Outcome   string `json:"outcome"`
	Address   string `json:"address"`
	UserAgent string `json:"userAgent"`
	RequestID string `json:"requestId"`
}

// AuditEntryPerson is a part of the API's data.
type AuditEntryPerson struct {
	ID    int64  `json:"id"`
	Email string `json:"email"`
	Name  string `json:"name"`
}

// AuditEntryToken is a part of the API's data.
type AuditEntryToken struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

// ListEmailsResponse is a part of the API's data.
type ListEmailsResponse struct {
	// False: the service sends no email.
	IsSetUp    bool    `json:"is_set_up"`
	Emails     []Email `json:"emails"`
	NextCursor *string `json:"next_cursor"`
}

// ListMerchantsResponse is a part of the API's data.
type ListMerchantsResponse struct {
	Merchants  []Merchant `json:"merchants"`
	NextCursor *string    `json:"next_cursor"`
}

// Merchant is a part of the API's data.
type Merchant struct {
	ID        int64     `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"createdAt"`
}

// CreateMerchantResponse is a part of the API's data.
type CreateMerchantResponse struct {
	Merchant Merchant `json:"merchant"`
	// Shown only once.
	CallbackSecret string `json:"callback_secret"`
}

// CreatedAccessToken is a part of the API's data.
type CreatedAccessToken struct {
	// Identifies the token in decisions and the audit log: `token 7`.
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// One of merchant, manager.
	Role      string       `json:"role"`
	Scopes    []TokenScope `json:"scopes"`
	CreatedAt time.Time    `json:"created_at"`
	// `person 3` or `token 7`; the user if it was created with one of their tokens. It is revoked when
	// they leave. null for the command line and OAuth clients.
	CreatedBy *string `json:"created_by"`
	// Current name of the user; null for other creators.
	CreatedByName *string `json:"created_by_name"`
	// To the minute; null if it was never used.
	LastUsedAt *time.Time `json:"last_used_at"`
	// null if it is valid until revoked.
	ExpiresAt *time.Time `json:"expires_at"`
	// The token; shown only once.
	AccessToken string `json:"access_token"`
}

// ListAccessTokensResponse is a part of the API's data.
type ListAccessTokensResponse struct {
	Tokens     []AccessToken `json:"tokens"`
	NextCursor *string       `json:"next_cursor"`
}

// AccessToken is a part of the API's data.
type AccessToken struct {
	// Identifies the token in decisions and the audit log: `token 7`.
	ID   int64  `json:"id"`
	Name string `json:"name"`
	// One of merchant, manager.
	Role      string       `json:"role"`
	Scopes    []TokenScope `json:"scopes"`
	CreatedAt time.Time    `json:"created_at"`
	// `person 3` or `token 7`; the user if it was created with one of their tokens. It is revoked when
	// they leave. null for the command line and OAuth clients.
	CreatedBy *string `json:"created_by"`
	// Current name of the user; null for other creators.
	CreatedByName *string `json:"created_by_name"`
	// To the minute; null if it was never used.
	LastUsedAt *time.Time `json:"last_used_at"`
	// null if it is valid until revoked.
	ExpiresAt *time.Time `json:"expires_at"`
}

// RevokeAccessTokenResponse is a part of the API's data.
type RevokeAccessTokenResponse struct {
	// Identifies the token in decisions and the audit log: `token 7`.
	ID        int64     `json:"id"`
	RevokedAt time.Time `json:"revoked_at"`
}

// ListAcquirersResponse is a part of the API's data.
type ListAcquirersResponse struct {
	Acquirers []Acquirer `json:"acquirers"`
}

// Acquirer is a part of the API's data.
type Acquirer struct {
	Name        string `json:"name"`
	DisplayName string `json:"display_name"`
	// Fields of an account’s credentials, in the order of a form.
	Credentials  []AcquirerCredential  `json:"credentials"`
	Capabilities []AcquirerCapabilitie `json:"capabilities"`
}

// AcquirerCredential is a part of the API's data.
type AcquirerCredential struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	// Location of the value in the acquirer’s dashboard, or its purpose.
	Hint string `json:"hint"`
	// true if the value is never returned.
	Secret   bool `json:"secret"`
	Optional bool `json:"optional"`
	// Accepted values; null if any text is accepted.
	Options []string `json:"options"`
}

// AcquirerCapabilitie is a part of the API's data.
type AcquirerCapabilitie struct {
	PaymentMethod string `json:"payment_method"`
	// ISO 3166-1 alpha-3; null for every country of the method.
	Countries []string `json:"countries"`
	// ISO 4217; null for every currency of the method.
	Currencies []string `json:"currencies"`
	// One of none, full, partial.
	Refunds string `json:"refunds"`
	// Payer details that the acquirer requires; the payment page asks for them.
	PayerFields []string `json:"payer_fields"`
}

// AcquirerCheck is a part of the API's data.
type AcquirerCheck struct {
	// `failed`: the acquirer rejected the credentials; `unreachable`: no valid response. One of ok,
	// failed, unreachable.
	Result string `json:"result"`
	// One sentence about the result.
	Detail string `json:"detail"`
}

// ListAcquirerAccountsResponse is a part of the API's data.
type ListAcquirerAccountsResponse struct {
	Accounts []AcquirerAccount `json:"accounts"`
}

// AcquirerAccount is a part of the API's data.
type AcquirerAccount struct {
	// Identifies the account, in its webhook URL too.
	ID       string `json:"id"`
	Acquirer string `json:"acquirer"`
	Name     string `json:"name"`
	// true if all merchants use it.
	Shared bool `json:"shared"`
	// false: no new payments; open payments, refunds and webhooks continue.
	Enabled bool                   `json:"enabled"`
	Routes  []AcquirerAccountRoute `json:"routes"`
	// Fields of the credentials; `value` is null for secrets.
	Credentials          []AcquirerAccountCredential `json:"credentials"`
	CredentialsUpdatedAt time.Time                   `json:"credentials_updated_at"`
	// Webhook URL to enter in the acquirer’s dashboard.
	WebhookURL string `json:"webhook_url"`
	// Figures of the process that responded, since its start; null if the account is not connected.
	Health        *AcquirerAccountHealth       `json:"health"`
	Notifications AcquirerAccountNotifications `json:"notifications"`
	// Open disputes of your payments.
	OpenDisputes int64     `json:"open_disputes"`
	CreatedAt    time.Time `json:"created_at"`
	UpdatedAt    time.Time `json:"updated_at"`
}

// AcquirerAccountRoute is a part of the API's data.
type AcquirerAccountRoute struct {
	PaymentMethod string `json:"payment_method"`
	// ISO 3166-1 alpha-3, or `*` for every country.
	Country string `json:"country"`
	// ISO 4217, or `*` for every currency.
	Currency string `json:"currency"`
	// The account with the lowest number is tried first.
	Priority int64 `json:"priority"`
}

// AcquirerAccountCredential is a part of the API's data.
type AcquirerAccountCredential struct {
	Name  string  `json:"name"`
	Value *string `json:"value"`
	IsSet bool    `json:"is_set"`
}

// AcquirerAccountHealth is a part of the API's data.
type AcquirerAccountHealth struct {
	// `open`: no payments after repeated failures; `half_open`: one trial call is allowed. One of closed,
	// half_open, open.
	Circuit string `json:"circuit"`
	// Time at which the circuit opened; null while it is closed.
	CircuitSince *time.Time `json:"circuit_since"`
	// The last call without a response from the acquirer.
	LastFailure *AcquirerAccountHealthLastFailure `json:"last_failure"`
	// Calls that the figures cover, at most 500.
	Calls int64 `json:"calls"`
	// Share of calls with a response, 0 to 1; null before the first.
	SuccessRate *float64 `json:"success_rate"`
	// Median duration of a call; null before the first.
	MedianMs        *float64 `json:"median_ms"`
	CallsLastMinute int64    `json:"calls_last_minute"`
	// Limit of calls; null without one.
	CallsPerMinute *int64 `json:"calls_per_minute"`
}

// AcquirerAccountHealthLastFailure is a part of the API's data.
type AcquirerAccountHealthLastFailure struct {
	At   time.Time `json:"at"`
	Call string    `json:"call"`
	// One of failed, timeout.
	Reason string `json:"reason"`
}

// AcquirerAccountNotifications is a part of the API's data.
type AcquirerAccountNotifications struct {
	// null without one in the last 60 days.
	LastReceivedAt *time.Time `json:"last_received_at"`
	// Webhooks received but not processed yet; at most 1,000 are counted.
	Pending int64 `json:"pending"`
}

// Problem is a part of the API's data.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int64  `json:"status"`
	Detail string `json:"detail"`
	// Stable; programs should branch on it. Later releases may add codes.
	Code   ProblemCode    `json:"code"`
	Errors []FieldProblem `json:"errors,omitempty"`
	// The rate limit that was exceeded. One of token, oauth_client, oauth_address, page, page_state,
	// submit_address, submit_card, sign_in_address, sign_in_user, email_merchant, email_address,
	// webhook_test, exports, callback_url, webhook_endpoints, withdrawal_destination.
	Limit *string `json:"limit,omitempty"`
	// For the payment page: a proof-of-work challenge to solve instead of waiting.
	Challenge *ProofChallenge `json:"challenge,omitempty"`
	// True if the same request may succeed later.
	Retryable bool   `json:"retryable"`
	RequestID string `json:"request_id"`
}

// FieldProblem is a part of the API's data.
type FieldProblem struct {
	// A JSON pointer (RFC 6901) into the body, or ?name for a query parameter.
	Pointer string `json:"pointer"`
	Code    string `json:"code"`
	Detail  string `json:"detail"`
}

// ProofChallenge is a part of the API's data.
type ProofChallenge struct {
	Seed       string `json:"seed"`
	Iterations int64  `json:"iterations"`
	Most       int64  `json:"most"`
	// 128 bits in base64url.
	Digest string `json:"digest"`
	// Return it with the number.
	Token string `json:"token"`
}

// CreateTransactionResponse is one of several types. Value is *LinkCreated, *CustomFormCreated, or
// json.RawMessage if this version of the SDK does not know the type.
type CreateTransactionResponse struct {
	Value any
}

// UnmarshalJSON chooses the type by the field type.
func (u *CreateTransactionResponse) UnmarshalJSON(data []byte) error {
	var given struct {
		By string `json:"type"`
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	switch given.By {
	case "link":
		u.Value = new(LinkCreated)
	case "custom_form":
		u.Value = new(CustomFormCreated)
	default:
		u.Value = append(json.RawMessage(nil), data...)
		return nil
	}
	return json.Unmarshal(data, u.Value)
}

// MarshalJSON returns the JSON of Value.
func (u CreateTransactionResponse) MarshalJSON() ([]byte, error) {
	return json.Marshal(u.Value)
}

// RenewTransactionResponse is one of several types. Value is *LinkCreated, *CustomFormCreated, or
// json.RawMessage if this version of the SDK does not know the type.
type RenewTransactionResponse struct {
	Value any
}

// UnmarshalJSON chooses the type by the field type.
func (u *RenewTransactionResponse) UnmarshalJSON(data []byte) error {
	var given struct {
		By string `json:"type"`
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	switch given.By {
	case "link":
		u.Value = new(LinkCreated)
	case "custom_form":
		u.Value = new(CustomFormCreated)
	default:
		u.Value = append(json.RawMessage(nil), data...)
		return nil
	}
	return json.Unmarshal(data, u.Value)
}

// MarshalJSON returns the JSON of Value.
func (u RenewTransactionResponse) MarshalJSON() ([]byte, error) {
	return json.Marshal(u.Value)
}

// ListEventsResponseEvent is one of several types. Value is *TransactionEvent, *DisputeEvent,
// *CryptoTransactionEvent, *WithdrawalEvent, *WithdrawalDestinationChangeEvent,
// *CallbackUrlChangeEvent, *WebhookEndpointChangeEvent, or json.RawMessage if this version of the SDK
// does not know the type.
type ListEventsResponseEvent struct {
	Value any
}

// UnmarshalJSON chooses the type by the field type.
func (u *ListEventsResponseEvent) UnmarshalJSON(data []byte) error {
	var given struct {
		By string `json:"type"`
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	switch given.By {
	case "fiat.transaction.updated":
		u.Value = new(TransactionEvent)
	case "fiat.dispute.created", "fiat.dispute.updated", "fiat.dispute.closed":
		u.Value = new(DisputeEvent)
	case "crypto.transaction.created", "crypto.transaction.updated":
		u.Value = new(CryptoTransactionEvent)
	case "crypto.withdrawal.updated":
		u.Value = new(WithdrawalEvent)
	case "crypto.withdrawal.destination_changed":
		u.Value = new(WithdrawalDestinationChangeEvent)
	case "callback.url_changed":
		u.Value = new(CallbackUrlChangeEvent)
	case "callback.endpoint_changed":
		u.Value = new(WebhookEndpointChangeEvent)
	default:
		u.Value = append(json.RawMessage(nil), data...)
		return nil
	}
	return json.Unmarshal(data, u.Value)
}

// MarshalJSON returns the JSON of Value.
func (u ListEventsResponseEvent) MarshalJSON() ([]byte, error) {
	return json.Marshal(u.Value)
}

// ListTransactionEventsResponseEvent is one of several types. Value is *TransactionEvent,
// *DisputeEvent, or json.RawMessage if this version of the SDK does not know the type.
type ListTransactionEventsResponseEvent struct {
	Value any
}

// UnmarshalJSON chooses the type by the field type.
func (u *ListTransactionEventsResponseEvent) UnmarshalJSON(data []byte) error {
	var given struct {
		By string `json:"type"`
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	switch given.By {
	case "fiat.transaction.updated":
		u.Value = new(TransactionEvent)
	case "fiat.dispute.created", "fiat.dispute.updated", "fiat.dispute.closed":
		u.Value = new(DisputeEvent)
	default:
		u.Value = append(json.RawMessage(nil), data...)
		return nil
	}
	return json.Unmarshal(data, u.Value)
}

// MarshalJSON returns the JSON of Value.
func (u ListTransactionEventsResponseEvent) MarshalJSON() ([]byte, error) {
	return json.Marshal(u.Value)
}

// WebhookEvent is one of several types. Value is *FiatTransactionUpdatedWebhook,
// *FiatDisputeCreatedWebhook, *FiatDisputeUpdatedWebhook, *FiatDisputeClosedWebhook,
// *CryptoTransactionCreatedWebhook, *CryptoTransactionUpdatedWebhook, *CryptoWithdrawalUpdatedWebhook,
// *CryptoWithdrawalDestinationChangedWebhook, *CallbackUrlChangedWebhook,
// *CallbackEndpointChangedWebhook, *CallbackTestWebhook, or json.RawMessage if this version of the SDK
// does not know the type.
type WebhookEvent struct {
	Value any
}

// UnmarshalJSON chooses the type by the field type.
func (u *WebhookEvent) UnmarshalJSON(data []byte) error {
	var given struct {
		By string `json:"type"`
	}
	if err := json.Unmarshal(data, &given); err != nil {
		return err
	}
	switch given.By {
	case "fiat.transaction.updated":
		u.Value = new(FiatTransactionUpdatedWebhook)
	case "fiat.dispute.created":
		u.Value = new(FiatDisputeCreatedWebhook)
	case "fiat.dispute.updated":
		u.Value = new(FiatDisputeUpdatedWebhook)
	case "fiat.dispute.closed":
		u.Value = new(FiatDisputeClosedWebhook)
	case "crypto.transaction.created":
		u.Value = new(CryptoTransactionCreatedWebhook)
	case "crypto.transaction.updated":
		u.Value = new(CryptoTransactionUpdatedWebhook)
	case "crypto.withdrawal.updated":
		u.Value = new(CryptoWithdrawalUpdatedWebhook)
	case "crypto.withdrawal.destination_changed":
		u.Value = new(CryptoWithdrawalDestinationChangedWebhook)
	case "callback.url_changed":
		u.Value = new(CallbackUrlChangedWebhook)
	case "callback.endpoint_changed":
		u.Value = new(CallbackEndpointChangedWebhook)
	case "callback.test":
		u.Value = new(CallbackTestWebhook)
	default:
		u.Value = append(json.RawMessage(nil), data...)
		return nil
	}
	return json.Unmarshal(data, u.Value)
}

// MarshalJSON returns the JSON of Value.
func (u WebhookEvent) MarshalJSON() ([]byte, error) {
	return json.Marshal(u.Value)
}

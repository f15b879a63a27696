/* Generated from the OpenAPI document by `npm run generate`: change src/api, not this file. */
import type { CallOptions, IdempotentCallOptions } from './call.ts';

/** Your own reference, unique among your transactions */
export type TransactionReference = string | number;
/**
 * ISO 3166-1 alpha-3; NZD is read as NZL
 */
export type CountryAlpha3 =
  | 'ABW'
  | 'AFG'
  | 'AGO'
  | 'AIA'
  | 'ALA'
  | 'ALB'
  | 'AND'
  | 'ARE'
  | 'ARG'
  | 'ARM'
  | 'ASM'
  | 'ATA'
  | 'ATF'
  | 'ATG'
  | 'AUS'
  | 'AUT'
  | 'AZE'
  | 'BDI'
  | 'BEL'
  | 'BEN'
  | 'BES'
  | 'BFA'
  | 'BGD'
  | 'BGR'
  | 'BHR'
  | 'BHS'
  | 'BIH'
  | 'BLM'
  | 'BLR'
  | 'BLZ'
  | 'BMU'
  | 'BOL'
  | 'BRA'
  | 'BRB'
  | 'BRN'
  | 'BTN'
  | 'BVT'
  | 'BWA'
  | 'CAF'
  | 'CAN'
  | 'CCK'
  | 'CHE'
  | 'CHL'
  | 'CHN'
  | 'CIV'
  | 'CMR'
  | 'COD'
  | 'COG'
  | 'COK'
  | 'COL'
  | 'COM'
  | 'CPV'
  | 'CRI'
  | 'CUB'
  | 'CUW'
  | 'CXR'
  | 'CYM'
  | 'CYP'
  | 'CZE'
  | 'DEU'
  | 'DJI'
  | 'DMA'
  | 'DNK'
  | 'DOM'
  | 'DZA'
  | 'ECU'
  | 'EGY'
  | 'ERI'
  | 'ESH'
  | 'ESP'
  | 'EST'
  | 'ETH'
  | 'FIN'
  | 'FJI'
  | 'FLK'
  | 'FRA'
  | 'FRO'
  | 'FSM'
  | 'GAB'
  | 'GBR'
  | 'GEO'
  | 'GGY'
  | 'GHA'
  | 'GIB'
  | 'GIN'
  | 'GLP'
  | 'GMB'
  | 'GNB'
  | 'GNQ'
  | 'GRC'
  | 'GRD'
  | 'GRL'
  | 'GTM'
  | 'GUF'
  | 'GUM'
  | 'GUY'
  | 'HKG'
  | 'HMD'
  | 'HND'
  | 'HRV'
  | 'HTI'
  | 'HUN'
  | 'IDN'
  | 'IMN'
  | 'IND'
  | 'IOT'
  | 'IRL'
  | 'IRN'
  | 'IRQ'
  | 'ISL'
  | 'ISR'
  | 'ITA'
  | 'JAM'
  | 'JEY'
  | 'JOR'
  | 'JPN'
  | 'KAZ'
  | 'KEN'
  | 'KGZ'
  | 'KHM'
  | 'KIR'
  | 'KNA'
  | 'KOR'
  | 'KWT'
  | 'LAO'
  | 'LBN'
  | 'LBR'
  | 'LBY'
  | 'LCA'
  | 'LIE'
  | 'LKA'
  | 'LSO'
  | 'LTU'
  | 'LUX'
  | 'LVA'
  | 'MAC'
  | 'MAF'
  | 'MAR'
  | 'MCO'
  | 'MDA'
  | 'MDG'
  | 'MDV'
  | 'MEX'
  | 'MHL'
  | 'MKD'
  | 'MLI'
  | 'MLT'
  | 'MMR'
  | 'MNE'
  | 'MNG'
  | 'MNP'
  | 'MOZ'
  | 'MRT'
  | 'MSR'
  | 'MTQ'
  | 'MUS'
  | 'MWI'
  | 'MYS'
  | 'MYT'
  | 'NAM'
  | 'NCL'
  | 'NER'
  | 'NFK'
  | 'NGA'
  | 'NIC'
  | 'NIU'
  | 'NLD'
  | 'NOR'
  | 'NPL'
  | 'NRU'
  | 'NZD'
  | 'NZL'
  | 'OMN'
  | 'PAK'
  | 'PAN'
  | 'PCN'
  | 'PER'
  | 'PHL'
  | 'PLW'
  | 'PNG'
  | 'POL'
  | 'PRI'
  | 'PRK'
  | 'PRT'
  | 'PRY'
  | 'PSE'
  | 'PYF'
  | 'QAT'
  | 'REU'
  | 'ROU'
  | 'RUS'
  | 'RWA'
  | 'SAU'
  | 'SDN'
  | 'SEN'
  | 'SGP'
  | 'SGS'
  | 'SHN'
  | 'SJM'
  | 'SLB'
  | 'SLE'
  | 'SLV'
  | 'SMR'
  | 'SOM'
  | 'SPM'
  | 'SRB'
  | 'SSD'
  | 'STP'
  | 'SUR'
  | 'SVK'
  | 'SVN'
  | 'SWE'
  | 'SWZ'
  | 'SXM'
  | 'SYC'
  | 'SYR'
  | 'TCA'
  | 'TCD'
  | 'TGO'
  | 'THA'
  | 'TJK'
  | 'TKL'
  | 'TKM'
  | 'TLS'
  | 'TON'
  | 'TTO'
  | 'TUN'
  | 'TUR'
  | 'TUV'
  | 'TWN'
  | 'TZA'
  | 'UGA'
  | 'UKR'
  | 'UMI'
  | 'URY'
  | 'USA'
  | 'UZB'
  | 'VAT'
  | 'VCT'
  | 'VEN'
  | 'VGB'
  | 'VIR'
  | 'VNM'
  | 'VUT'
  | 'WLF'
  | 'WSM'
  | 'YEM'
  | 'ZAF'
  | 'ZMB'
  | 'ZWE';
/**
 * ISO 4217
 */
export type Currency =
  | 'AED'
  | 'AFN'
  | 'ALL'
  | 'AMD'
  | 'AOA'
  | 'ARS'
  | 'AUD'
  | 'AWG'
  | 'AZN'
  | 'BAM'
  | 'BBD'
  | 'BDT'
  | 'BHD'
  | 'BIF'
  | 'BMD'
  | 'BND'
  | 'BOB'
  | 'BRL'
  | 'BSD'
  | 'BTN'
  | 'BWP'
  | 'BYN'
  | 'BZD'
  | 'CAD'
  | 'CDF'
  | 'CHF'
  | 'CLP'
  | 'CNY'
  | 'COP'
  | 'CRC'
  | 'CVE'
  | 'CZK'
  | 'DJF'
  | 'DKK'
  | 'DOP'
  | 'DZD'
  | 'EGP'
  | 'ERN'
  | 'ETB'
  | 'EUR'
  | 'FJD'
  | 'FKP'
  | 'GBP'
  | 'GEL'
  | 'GHS'
  | 'GIP'
  | 'GMD'
  | 'GNF'
  | 'GTQ'
  | 'GYD'
  | 'HKD'
  | 'HNL'
  | 'HTG'
  | 'HUF'
  | 'IDR'
  | 'ILS'
  | 'INR'
  | 'IQD'
  | 'ISK'
  | 'JMD'
  | 'JOD'
  | 'JPY'
  | 'KES'
  | 'KGS'
  | 'KHR'
  | 'KMF'
  | 'KRW'
  | 'KWD'
  | 'KYD'
  | 'KZT'
  | 'LAK'
  | 'LBP'
  | 'LKR'
  | 'LRD'
  | 'LSL'
  | 'LYD'
  | 'MAD'
  | 'MDL'
  | 'MGA'
  | 'MKD'
  | 'MMK'
  | 'MNT'
  | 'MOP'
  | 'MRU'
  | 'MUR'
  | 'MVR'
  | 'MWK'
  | 'MXN'
  | 'MYR'
  | 'MZN'
  | 'NAD'
  | 'NGN'
  | 'NIO'
  | 'NOK'
  | 'NPR'
  | 'NZD'
  | 'OMR'
  | 'PAB'
  | 'PEN'
  | 'PGK'
  | 'PHP'
  | 'PKR'
  | 'PLN'
  | 'PYG'
  | 'QAR'
  | 'RON'
  | 'RSD'
  | 'RUB'
  | 'RWF'
  | 'SAR'
  | 'SBD'
  | 'SCR'
  | 'SDG'
  | 'SEK'
  | 'SGD'
  | 'SHP'
  | 'SLE'
  | 'SOS'
  | 'SRD'
  | 'SSP'
  | 'STN'
  | 'SVC'
  | 'SZL'
  | 'THB'
  | 'TJS'
  | 'TMT'
  | 'TND'
  | 'TOP'
  | 'TRY'
  | 'TTD'
  | 'TWD'
  | 'TZS'
  | 'UAH'
  | 'UGX'
  | 'USD'
  | 'UYU'
  | 'UZS'
  | 'VES'
  | 'VND'
  | 'VUV'
  | 'WST'
  | 'XAF'
  | 'XCD'
  | 'XCG'
  | 'XOF'
  | 'XPF'
  | 'YER'
  | 'ZAR'
  | 'ZMW'
  | 'ZWG';
export type Payer = {
  first_name?: string;
  last_name?: string;
  country?: CountryAlpha2;
  /** State, province or region of the billing address */
  state?: string;
  city?: string;
  postcode?: string;
  /** Street address for billing */
  address?: string;
  /** With the country code; spaces, periods, hyphens and parentheses are allowed */
  phone?: string;
  email?: string;
};
/**
 * ISO 3166-1 alpha-2
 */
export type CountryAlpha2 =
  | 'AD'
  | 'AE'
  | 'AF'
  | 'AG'
  | 'AI'
  | 'AL'
  | 'AM'
  | 'AO'
  | 'AQ'
  | 'AR'
  | 'AS'
  | 'AT'
  | 'AU'
  | 'AW'
  | 'AX'
  | 'AZ'
  | 'BA'
  | 'BB'
  | 'BD'
  | 'BE'
  | 'BF'
  | 'BG'
  | 'BH'
  | 'BI'
  | 'BJ'
  | 'BL'
  | 'BM'
  | 'BN'
  | 'BO'
  | 'BQ'
  | 'BR'
  | 'BS'
  | 'BT'
  | 'BV'
  | 'BW'
  | 'BY'
  | 'BZ'
  | 'CA'
  | 'CC'
  | 'CD'
  | 'CF'
  | 'CG'
  | 'CH'
  | 'CI'
  | 'CK'
  | 'CL'
  | 'CM'
  | 'CN'
  | 'CO'
  | 'CR'
  | 'CU'
  | 'CV'
  | 'CW'
  | 'CX'
  | 'CY'
  | 'CZ'
  | 'DE'
  | 'DJ'
  | 'DK'
  | 'DM'
  | 'DO'
  | 'DZ'
  | 'EC'
  | 'EE'
  | 'EG'
  | 'EH'
  | 'ER'
  | 'ES'
  | 'ET'
  | 'FI'
  | 'FJ'
  | 'FK'
  | 'FM'
  | 'FO'
  | 'FR'
  | 'GA'
  | 'GB'
  | 'GD'
  | 'GE'
  | 'GF'
  | 'GG'
  | 'GH'
  | 'GI'
  | 'GL'
  | 'GM'
  | 'GN'
  | 'GP'
  | 'GQ'
  | 'GR'
  | 'GS'
  | 'GT'
  | 'GU'
  | 'GW'
  | 'GY'
  | 'HK'
  | 'HM'
  | 'HN'
  | 'HR'
  | 'HT'
  | 'HU'
  | 'ID'
  | 'IE'
  | 'IL'
  | 'IM'
  | 'IN'
  | 'IO'
  | 'IQ'
  | 'IR'
  | 'IS'
  | 'IT'
  | 'JE'
  | 'JM'
  | 'JO'
  | 'JP'
  | 'KE'
  | 'KG'
  | 'KH'
  | 'KI'
  | 'KM'
  | 'KN'
  | 'KP'
  | 'KR'
  | 'KW'
  | 'KY'
  | 'KZ'
  | 'LA'
  | 'LB'
  | 'LC'
  | 'LI'
  | 'LK'
  | 'LR'
  | 'LS'
  | 'LT'
  | 'LU'
  | 'LV'
  | 'LY'
  | 'MA'
  | 'MC'
  | 'MD'
  | 'ME'
  | 'MF'
  | 'MG'
  | 'MH'
  | 'MK'
  | 'ML'
  | 'MM'
  | 'MN'
  | 'MO'
  | 'MP'
  | 'MQ'
  | 'MR'
  | 'MS'
  | 'MT'
  | 'MU'
  | 'MV'
  | 'MW'
  | 'MX'
  | 'MY'
  | 'MZ'
  | 'NA'
  | 'NC'
  | 'NE'
  | 'NF'
  | 'NG'
  | 'NI'
  | 'NL'
  | 'NO'
  | 'NP'
  | 'NR'
  | 'NU'
  | 'NZ'
  | 'OM'
  | 'PA'
  | 'PE'
  | 'PF'
  | 'PG'
  | 'PH'
  | 'PK'
  | 'PL'
  | 'PM'
  | 'PN'
  | 'PR'
  | 'PS'
  | 'PT'
  | 'PW'
  | 'PY'
  | 'QA'
  | 'RE'
  | 'RO'
  | 'RS'
  | 'RU'
  | 'RW'
  | 'SA'
  | 'SB'
  | 'SC'
  | 'SD'
  | 'SE'
  | 'SG'
  | 'SH'
  | 'SI'
  | 'SJ'
  | 'SK'
  | 'SL'
  | 'SM'
  | 'SN'
  | 'SO'
  | 'SR'
  | 'SS'
  | 'ST'
  | 'SV'
  | 'SX'
  | 'SY'
  | 'SZ'
  | 'TC'
  | 'TD'
  | 'TF'
  | 'TG'
  | 'TH'
  | 'TJ'
  | 'TK'
  | 'TL'
  | 'TM'
  | 'TN'
  | 'TO'
  | 'TR'
  | 'TT'
  | 'TV'
  | 'TW'
  | 'TZ'
  | 'UA'
  | 'UG'
  | 'UM'
  | 'US'
  | 'UY'
  | 'UZ'
  | 'VA'
  | 'VC'
  | 'VE'
  | 'VG'
  | 'VI'
  | 'VN'
  | 'VU'
  | 'WF'
  | 'WS'
  | 'YE'
  | 'YT'
  | 'ZA'
  | 'ZM'
  | 'ZW';
export type LineItem = {
  name: string;
  /** 1 by default */
  quantity?: number;
  /** Unit price, in the currency’s decimals; negative for a discount */
  unit_amount: number;
  /**
   * Format: uri
   * An https:// URL of a square image, which the buyer’s browser loads without a referrer
   */
  image_url?: string;
};
/** Set of key-value pairs that you attach to the object: at most 50, keys up to 40 and values up to 500 characters. Payers never see it */
export type Metadata = {
  [key: string]: string;
};
/**
 * Initial language of the payment page, as a BCP 47 tag; the browser’s language by default. The payer can choose another
 */
export type PageLanguage =
  | 'ar'
  | 'bg'
  | 'bn'
  | 'ca'
  | 'cs'
  | 'da'
  | 'de'
  | 'el'
  | 'en'
  | 'es'
  | 'et'
  | 'fa'
  | 'fi'
  | 'fil'
  | 'fr'
  | 'gu'
  | 'ha'
  | 'he'
  | 'hi'
  | 'hr'
  | 'hu'
  | 'id'
  | 'ig'
  | 'it'
  | 'ja'
  | 'kn'
  | 'ko'
  | 'lt'
  | 'lv'
  | 'ml'
  | 'mr'
  | 'ms'
  | 'nb'
  | 'nl'
  | 'pa'
  | 'pl'
  | 'pt'
  | 'ro'
  | 'ru'
  | 'sk'
  | 'sl'
  | 'sr'
  | 'sv'
  | 'sw'
  | 'ta'
  | 'te'
  | 'th'
  | 'tr'
  | 'uk'
  | 'ur'
  | 'vi'
  | 'yo'
  | 'zh-Hans'
  | 'zh-Hant';
export type LinkCreated = {
  type: 'link';
  /** US dollars for one unit of the currency; 0 if there has never been a rate */
  ex_rate: number;
  value: {
    /**
     * Format: uri
     * Payment link for the buyer; single use
     */
    link: string;
  };
  transaction_id: string;
  status: TransactionStatus;
  /** Format: date-time */
  expires_at: string;
};
/**
 * `transaction_status_pending`: created, or ready for another attempt after a decline; `transaction_status_waiting`: the buyer has started to pay, the card is authorized, or the payment is awaiting review; `transaction_status_confirmed`: paid; `transaction_status_failed`: ended without payment; `reason` states the cause
 */
export type TransactionStatus =
  | 'transaction_status_pending'
  | 'transaction_status_waiting'
  | 'transaction_status_confirmed'
  | 'transaction_status_failed';
export type CustomFormCreated = {
  type: 'custom_form';
  /** Amount to show to the payer */
  amount_charged: number;
  currency: string;
  /** US dollars for one unit of the currency; 0 if there has never been a rate */
  ex_rate: number;
  transaction_id: string;
  status: TransactionStatus;
  /** Format: date-time */
  expires_at: string;
  /** Lets a browser submit this transaction for 30 minutes */
  client_token: string;
  /**
   * Format: uri
   * `src` of a `<pay-form>`
   */
  embed_url: string;
};
export type Problem = {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  errors?: FieldProblem[];
  /**
   * The rate limit that was exceeded
   */
  limit?:
    | 'token'
    | 'oauth_client'
    | 'oauth_address'
    | 'page'
    | 'page_state'
    | 'submit_address'
    | 'submit_card'
    | 'sign_in_address'
    | 'sign_in_user'
    | 'email_merchant'
    | 'email_address'
    | 'webhook_test'
    | 'exports'
    | 'callback_url'
    | 'webhook_endpoints'
    | 'withdrawal_destination';
  /** For the payment page: a proof-of-work challenge to solve instead of waiting */
  challenge?: ProofChallenge;
  /** True if the same request may succeed later */
  retryable: boolean;
  request_id: string;
};
/**
 * Stable; programs should branch on it. Later releases may add codes.
 */
export type ProblemCode =
  | 'malformed_json'
  | 'malformed_request'
  | 'unauthorized'
  | 'forbidden'
  | 'manager_only'
  | 'origin_not_allowed'
  | 'country_not_supported'
  | 'not_found'
  | 'sign_in_failed'
  | 'step_up_required'
  | 'second_factor_invalid'
  | 'second_factor_not_started'
  | 'passkey_rejected'
  | 'last_credential'
  | 'account_exists'
  | 'invitation_invalid'
  | 'last_owner'
  | 'cross_site_request'
  | 'merchant_required'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'transaction_id_conflict'
  | 'tx_id_conflict'
  | 'nothing_to_review'
  | 'nothing_to_withdraw'
  | 'withdrawal_below_minimum'
  | 'withdrawal_not_cancellable'
  | 'nothing_to_sign'
  | 'submit_in_progress'
  | 'partially_paid'
  | 'too_many_payment_attempts'
  | 'overpaid'
  | 'already_paid'
  | 'already_authorized'
  | 'amount_changed'
  | 'card_key_changed'
  | 'nothing_to_accept'
  | 'not_renewable'
  | 'no_open_authorization'
  | 'authorization_update_pending'
  | 'refund_not_supported'
  | 'partial_refund_not_supported'
  | 'acquirer_account_missing'
  | 'not_refundable'
  | 'no_callback_url'
  | 'too_many_endpoints'
  | 'sold_out'
  | 'not_cancellable'
  | 'email_not_set_up'
  | 'challenge_not_open'
  | 'payment_method_mismatch'
  | 'edit_conflict'
  | 'idempotency_key_in_use'
  | 'link_expired'
  | 'link_cancelled'
  | 'link_failed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'validation_failed'
  | 'idempotency_key_reused'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal_error'
  | 'acquirer_unavailable'
  | 'chain_unavailable'
  | 'rate_unavailable'
  | 'merchant_moving'
  | 'unavailable';
export type FieldProblem = {
  /** A JSON pointer (RFC 6901) into the body, or ?name for a query parameter */
  pointer: string;
  code: string;
  detail: string;
};
export type ProofChallenge = {
  seed: string;
  iterations: number;
  most: number;
  /** 128 bits in base64url */
  digest: string;
  /** Return it with the number */
  token: string;
};
export type Email = {
  id: number;
  kind:
    | 'receipt'
    | 'refund'
    | 'underpayment'
    | 'payment_link'
    | 'invitation'
    | 'review_waiting'
    | 'endpoint_disabled'
    | 'destination_changed';
  recipient: string;
  /** Your reference for the payment; null if the email has none */
  transaction_id: string | null;
  /**
   * `waiting`: not accepted by the mail server yet; `sent`: accepted by the mail server; `failed`: could not be sent
   */
  state: 'waiting' | 'sent' | 'failed';
  attempts: number;
  /** Format: date-time */
  created_at: string;
  /** Time at which it was sent or failed */
  finished_at: string | null;
  /** Reason of the last failed attempt */
  error: string | null;
};
export type TransactionDetail = {
  transaction_id: string;
  /** Format: date-time */
  created_at: string;
  /** Format: date-time */
  updated_at: string;
  /** Format: date-time */
  expires_at: string;
  /** Amount of the transaction */
  amount: number;
  /** Amount that the buyer pays */
  amount_charged: number;
  /** Net amount after the fee */
  amount_delivered: number;
  /** Amount received */
  amount_received: number;
  /** The amount refunded so far */
  refunded_amount: number;
  currency: string;
  /** ISO 3166-1 alpha-3 */
  country: string;
  descriptions: string;
  /** Purchased items, as sent when the transaction was created */
  line_items?: LineItem[];
  metadata?: Metadata;
  /** Initial language of the payment page; absent if the browser’s language is used */
  locale?: string;
  /** The reusable link that created the transaction */
  reusable_link_id?: string;
  payment_method: string;
  status: TransactionStatus;
  /**
   * Failure reason
   */
  reason?: 'expired' | 'declined' | 'cancelled' | 'underpaid' | 'overpaid' | 'rejected' | 'reversed';
  /**
   * Absent: captured automatically
   */
  capture?: 'manual';
  /** With `capture: "manual"`, once a payment was authorized. The status is `waiting` until the capture */
  authorization?: Authorization;
  /** True if the funds arrived after the transaction failed */
  late?: boolean;
  /** The last review decision; absent before the first */
  decision?: {
    /** Stable ID: `token 2` or `person 3` */
    by: string;
    /** Current name of the user; null for tokens, and always null in events and webhooks */
    by_name: string | null;
    /** Format: date-time */
    at: string;
    reason: string | null;
    is_approved: boolean;
  };
  /**
   * Fee added to the amount or deducted from it
   */
  type_of_fee_calculate: 'forward_without_fee' | 'forward_with_fee';
  /** Details of the payer that you provided when you created the transaction; absent from webhooks, and without the scope `approval:write` */
  payer?: Payer;
  /**
   * Format: uri
   * Payment link for the buyer; single use
   */
  link: string;
  merchant_fee_fix: number;
  merchant_fee_percent: number;
  /** The preference `additional-currency` at creation, or the currency of the payment if there was no rate between them */
  additional_currency: string;
  /** Price of one unit of `currency` in `additional_currency` */
  rate: number;
  /** `rate` less your percentage fee */
  rate_merchant_final: number;
  /** Sources of `rate`, separated by commas; `sandbox-table` for the fixed table of the sandbox. Absent if the currencies are the same, or the transaction is older than this field */
  rate_source?: string;
  /**
   * Format: date-time
   * Time of the oldest quote in `rate`. Absent whenever `rate_source` is
   */
  rate_at?: string;
  /** Detected country of the buyer (ISO 3166-1 alpha-2); absent if unknown */
  buyer_country?: string;
  /** Source of the country: `address` (IP database) or `header` (the operator’s proxy) */
  buyer_country_source?: string;
  /** Network of the buyer’s IP address: a /24 of IPv4, a /48 of IPv6 */
  buyer_network?: string;
  /** Card payment attempts */
  attempts: AttemptSummary[];
  /** The payment instructions shown to the buyer, with their status */
  instructions: InstructionsSummary[];
  /** Receipts of funds by instructions */
  receipts: ReceiptSummary[];
  /** Refunds, with their status */
  refunds: RefundSummary[];
  /** Only in the response to a refund: `number` of each refund that the request created */
  requested_refunds?: number[];
  /** Disputes and chargebacks, with their status */
  disputes: DisputeSummary[];
  /** Currently available actions. `refund_out_of_band` and `reject_out_of_band`: only with `out_of_band`, because the acquirer cannot refund */
  available_actions: (
    | 'cancel'
    | 'capture'
    | 'void'
    | 'accept'
    | 'reject'
    | 'reject_out_of_band'
    | 'renew'
    | 'refund'
    | 'refund_out_of_band'
  )[];
  /** Absent while nothing can be refunded */
  refund_options?: RefundOptions;
  /** Events of the transaction, in order */
  timeline: TimelineEntry[];
};
export type Authorization = {
  /**
   * `authorized`: the amount is reserved on the card until `expires_at`; `capture_pending`: a capture was requested; the acquirer has not reported the outcome yet; `captured`: `captured_amount` was captured; `void_pending`: a void was requested; the acquirer has not reported the outcome yet; `voided`: you released the amount; `expired`: not captured in time, so the amount was released
   */
  status: 'authorized' | 'capture_pending' | 'captured' | 'void_pending' | 'voided' | 'expired';
  /** Authorized amount */
  amount: number;
  /** Captured amount; the requested one while a capture is pending */
  captured_amount: number;
  /** Reason for the last rejected capture or void */
  failure?: {
    code: string;
    detail: string;
  };
  /** Format: date-time */
  created_at: string;
  /**
   * Format: date-time
   * If not captured by then, the amount is released
   */
  expires_at: string;
};
export type AttemptSummary = {
  number: number;
  /** `submitting`: being sent to the acquirer; `challenge`: waiting for the buyer to complete the 3-D Secure challenge; `unknown`: the acquirer has not reported the outcome yet; `approved`: charged, or authorized with `capture: "manual"`; `declined`: not charged; `decline` states the cause; `duplicate`: a second approval, which is being reversed; `reversed`: no longer charged: a reversed duplicate, or a voided or expired authorization */
  state: string;
  brand: string | null;
  first6: string;
  last4: string;
  three_d_secure: boolean;
  /** Acquirer of the attempt, such as `Adyen`; absent if its account was removed */
  acquirer_name?: string;
  /** The acquirer’s reference of the charge, such as Adyen’s PSP reference; absent if none was reported */
  acquirer_reference?: string;
  decline?: {
    code: string;
    /** Decline code of the card network, if any */
    network_code: string | null;
    /** True if the payment can be retried */
    retryable: boolean;
    /**
     * Advice for the buyer; with `do_not_retry`, the network forbids another attempt with this card
     */
    advice: 'use_other_card' | 'check_details' | 'try_later' | 'do_not_retry';
  };
  charge_details?: ChargeDetails;
  /** Entered with this card; absent from webhooks, and without the scope `approval:write` */
  payer?: {
    name: string | null;
    email: string | null;
  };
  /** Format: date-time */
  created_at: string;
};
export type ChargeDetails = {
  /** The issuer’s authorization code */
  authorization_code?: string;
  /** Response code of the card network, such as `51` */
  network_code?: string;
  /** Merchant advice code of the network: with `03` or `21`, do not charge this card again */
  merchant_advice_code?: string;
  /** Result of the address check (AVS), as reported by the acquirer */
  avs_result?: string;
  /** Result of the security code check (CVV), as reported by the acquirer */
  cvv_result?: string;
  /** Acquirer reference number, with which the payer’s bank can trace the payment */
  arn?: string;
};
export type InstructionsSummary = {
  number: number;
  payment_method: string;
  /** Bank or wallet selected by the buyer */
  choice: string | null;
  /** `issued`: shown to the buyer, not paid yet; `paid`: payment received; `refused`: declined by the bank or acquirer; `withdrawn`: the buyer chose another method, or the transaction was canceled; `expired`: not paid in time */
  state: string;
  /** Payment reference at the buyer’s bank */
  reference: string | null;
  expires_at: string | null;
  /** Lowest number of confirmations among deposits that await confirmations; null if there are none */
  confirmations: number | null;
  /** True while a crypto deposit awaits your approval, in the review of crypto transactions */
  in_review?: boolean;
  /** True if funds can still arrive after these instructions ended; they then confirm the transaction late */
  late_payments: boolean;
  /** Format: date-time */
  created_at: string;
};
export type ReceiptSummary = {
  /** The acquirer’s ID of the receipt; for a crypto deposit it begins with the transaction hash */
  reference: string;
  amount: number;
  /** `number` of the instructions by which it was received */
  instructions_number: number;
  /** Format: date-time */
  received_at: string;
};
export type RefundSummary = {
  number: number;
  amount: number;
  /**
   * `pending`: requested; the acquirer has not reported the outcome yet; `succeeded`: refunded; `failed`: not refunded; `failure` states the cause
   */
  state: 'pending' | 'succeeded' | 'failed';
  failure?: {
    code: string;
    detail: string;
  };
  /** Refunded outside the service, not through the acquirer */
  out_of_band?: boolean;
  /** Format: date-time */
  created_at: string;
  /** Format: date-time */
  updated_at: string;
};
export type DisputeSummary = {
  number: number;
  /**
   * `inquiry`: the bank requests information before a chargeback; `needs_response`: the bank charged the amount back; respond through your acquirer before `respond_by`; `under_review`: the bank is reviewing the dispute; `won`: you keep the amount; a second chargeback can follow; `lost`: the buyer keeps the amount
   */
  state: 'inquiry' | 'needs_response' | 'under_review' | 'won' | 'lost';
  amount: number;
  currency: string;
  /** The acquirer’s reference for the dispute; of the charge until the acquirer reports one */
  reference: string;
  /** Reason code of the card network */
  reason_code: string | null;
  reason: string | null;
  /** Deadline for a response */
  respond_by: string | null;
  /** Format: date-time */
  created_at: string;
  /** Format: date-time */
  updated_at: string;
};
export type RefundOptions = {
  /** Maximum amount that can be refunded through the acquirers */
  maximum: number;
  /** True if any amount up to `maximum` can be refunded; otherwise only the full `maximum` */
  partial: boolean;
  /**
   * The error code for amounts above `maximum`; absent if everything can be refunded
   */
  refusal?: 'refund_not_supported' | 'partial_refund_not_supported' | 'acquirer_account_missing';
};
export type TimelineEntry = {
  sequence: number;
  type: string;
  /** Format: date-time */
  at: string;
  status: TransactionStatus;
  detail?: string;
};
export type TransactionListItem = {
  id: number;
  merchant_id: number;
  amount: number;
  amount_charged: number;
  transaction_id: string;
  currency: string;
  status: TransactionStatus;
  description: string;
  additional_currency: string;
  rate_merchant_final: number;
  /** Format: date-time */
  created_at: string;
  payment_method: string;
  /** Format: date-time */
  updated_at: string;
  reason?: 'expired' | 'declined' | 'cancelled' | 'underpaid' | 'overpaid' | 'rejected' | 'reversed';
  reusable_link_id?: string;
  authorization_status?: 'authorized' | 'capture_pending' | 'captured' | 'void_pending' | 'voided' | 'expired';
  metadata?: Metadata;
  amount_received: number;
  /** The amount received, less refunds that succeeded or are pending */
  amount_kept: number;
  /** The card that was charged, or the last one attempted; absent if there was none */
  card?: {
    brand: string | null;
    last4: string;
  };
  /** Payer details entered with that card, or the `payer` of the request. Masked without the scope `approval:write` */
  payer?: {
    name: string | null;
    email: string | null;
  };
};
export type ErasePayerResponse = {
  /** Number of payments whose payer’s data was erased */
  transactions: number;
};
export type CustomAmount = {
  minimum: number;
  maximum: number;
  /** Prefilled amount */
  suggested?: number | null;
};
export type QuantityLimits = {
  minimum: number;
  maximum: number;
};
export type ReusableLink = {
  id: string;
  /**
   * Format: uri
   * Page to share or print; each buyer gets a separate transaction
   */
  url: string;
  /**
   * `active`: creates a transaction for each buyer; `archived`: creates no new transactions; open ones can still be paid
   */
  status: 'active' | 'archived';
  title: string;
  description: string | null;
  image_url: string | null;
  country: string;
  currency: string;
  payment_method: string;
  type_of_calculation: 'forward_without_fee' | 'forward_with_fee';
  amount: number | null;
  custom_amount: {
    minimum: number;
    maximum: number;
    suggested: number | null;
  } | null;
  quantity: {
    minimum: number;
    maximum: number;
  } | null;
  stock: number | null;
  ask: ('email' | 'name')[];
  success_redirect_url: string | null;
  fail_redirect_url: string | null;
  metadata: Metadata | null;
  /** Quantity sold in paid transactions, including refunded ones */
  sold: number;
  /** Quantity reserved by open transactions */
  reserved: number;
  /** `stock` less `sold` and `reserved`; null without a limit */
  available: number | null;
  /** Amount received from paid transactions, less refunds */
  revenue: number;
  /** Format: date-time */
  created_at: string;
  /** Format: date-time */
  updated_at: string;
};
/**
 * A cryptocurrency of `GET /v1/currencies`
 */
export type CryptoCurrencyCode = 'btc' | 'eth' | 'usdt' | 'usdc' | 'ltc';
export type CryptoTransaction = {
  id: string;
  /** null for deposits without an invoice */
  txId: string | null;
  /**
   * Invoice type; `invoice_type_default` as resolved at creation
   */
  type: 'static' | 'revolver' | 'user';
  code: CryptoCurrencyCode;
  /** Requested amount; null if any amount is accepted */
  amountRequired: string | null;
  amountRequiredUnit: string | null;
  walletAddress: string;
  walletType: 'static' | 'revolver' | 'user';
  /**
   * Format: uri
   * Payment URI for wallet apps: BIP 21 or EIP-681
   */
  uri: string;
  status: CryptoStatus;
  /** Conditions in addition to the status */
  labels: (
    | 'underpaid'
    | 'overpaid'
    | 'late'
    | 'duplicate'
    | 'wrong_wallet'
    | 'below_minimum'
    | 'replaced'
    | 'unattributed'
  )[];
  /** Amount detected, confirmed or not */
  amount: string;
  /** The same in whole coins */
  amountUnit: string;
  /** Amount still due */
  amountDue: string;
  /** Lowest number of confirmations among its deposits */
  confirmations: number;
  /** Confirmations required of a deposit */
  minConfirmations: number;
  payments: CryptoPayment[];
  processingFeePercent: number;
  /** Fee on the credited amount */
  processingFee: string;
  exchangeRate: {
    currency: string;
    /** Price of one whole coin in `currency` */
    exchangeRate: string;
    /** The amount in `currency` */
    currencyAmount: string;
    code: CryptoCurrencyCode;
    source: string;
    /** Format: date-time */
    at: string;
  } | null;
  link: {
    /** Format: uri */
    self: string;
    /**
     * Format: uri
     * Payment page for the payer
     */
    payment: string;
  };
  /** `transaction_id` of the payment link that it pays, if any */
  fiatTransactionId: string | null;
  comment: string | null;
  /** Description shown to the payer */
  description: string | null;
  /** URL of your page to which the payer returns */
  returnUrl: string | null;
  metadata?: Metadata;
  /** Initial language of the invoice page; absent if the browser’s language is used */
  locale?: string;
  /** `txId` of the invoice that the deposit was probably meant for */
  probableTxId: string | null;
  /** The review decision, if any */
  decision: {
    /** Stable ID: `token 2` or `person 3` */
    by: string;
    /** Current name of the user; null for tokens, and always null in events and webhooks */
    byName: string | null;
    /** Format: date-time */
    at: string;
    reason: string | null;
    isApproved: boolean;
    refundAddress: string | null;
  } | null;
  /** Currently available actions; `withdraw` for managers only */
  availableActions: ('approve' | 'reject' | 'withdraw')[];
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
  /** null if it does not expire */
  expiredAt: string | null;
};
/**
 * `pending`: no deposit detected yet; `waiting`: deposit detected, not enough confirmations yet; `confirmed`: the deposit reached `min-confirmation-{CODE}` confirmations; `complete`: credited, less `processing-fee-{CODE}`; `approved_required`: awaiting review: approve or reject it; `refunding`: rejected with a refund address; the funds are being sent there; `refunded`: the refund is confirmed; `failed`: ended without payment, or rejected without a refund address
 */
export type CryptoStatus =
  | 'pending'
  | 'waiting'
  | 'confirmed'
  | 'complete'
  | 'approved_required'
  | 'refunding'
  | 'refunded'
  | 'failed';
export type CryptoPayment = {
  /** Empty for ether sent by a contract, which is detected by balance */
  txHash: string;
  /** In the smallest unit */
  amount: string;
  /** 0 until it is in a block; null if it was dropped */
  confirmations: number | null;
  /**
   * `accepted`: counts toward its transaction, automatically or after review; `pending`: awaiting review; `rejected`: rejected after review; never credited
   */
  decision: 'accepted' | 'pending' | 'rejected';
  /** Time at which the deposit was found to be spent outside the service, which removed it from the wallet’s balance; null otherwise */
  writtenOffAt: string | null;
  /** Format: date-time */
  seenAt: string;
};
export type CryptoCurrency = {
  code: CryptoCurrencyCode;
  name: string;
  chain: string;
  /** Decimals of a whole coin; amounts are whole numbers of 10^-decimals */
  decimals: number;
  /** Minimum amount of an invoice */
  minAmount: string;
  minConfirmations: number;
};
export type Balance = {
  code: 'btc' | 'eth' | 'usdt' | 'usdc' | 'ltc';
  /** On-chain balance of all wallets of this currency, as of the last scanned block */
  balance: string;
  /** The balance by state; the parts add up to it */
  parts: BalanceParts;
  /** Detected but not in a block; not part of the balance */
  incoming: string;
};
export type BalanceParts = {
  /** Credited: counted toward transactions, with enough confirmations */
  credited: string;
  /** Being sent by a withdrawal that is not in a block yet */
  sending: string;
  /** Credited after `minConfirmations` confirmations */
  confirming: string;
  /** Awaiting review: `approved_required` */
  in_review: string;
  /** Received after the wallet was retired; never credited */
  unattributed: string;
  /** Rejected: to be refunded, or held until a manager withdraws it */
  rejected: string;
};
export type Wallet = {
  walletAddress: string;
  code: 'btc' | 'eth' | 'usdt' | 'usdc' | 'ltc';
  walletType: 'static' | 'revolver' | 'user';
  /**
   * `assigned`: assigned to an invoice, or in use; `free`: a `revolver` wallet between two invoices; can be assigned again after `reusableAt`; `rotated`: not used for new invoices; open invoices can still be paid; `retired`: deposits to it are not credited
   */
  state: 'assigned' | 'free' | 'rotated' | 'retired';
  /** On-chain balance in its currency, in the smallest unit, as of the last scanned block. Deposits in other currencies are not included */
  balance: string;
  /** The balance by state; the parts add up to it */
  parts: BalanceParts;
  /** Detected but not in a block; not part of the balance */
  incoming: string;
  /** Time at which a free wallet can be assigned again */
  reusableAt: string | null;
  /** Format: date-time */
  createdAt: string;
  retiredAt: string | null;
};
export type Withdrawal = {
  id: string;
  code: CryptoCurrencyCode;
  /**
   * `sweep`: automatic; `refund`: of a rejected transaction; `manual`: requested by a manager; `gas`: the operator’s ether for the fee of another withdrawal
   */
  purpose: 'sweep' | 'refund' | 'manual' | 'gas';
  status: WithdrawalStatus;
  /** Canceled by a manager after its transaction was signed: a replacement is in progress. It becomes `failed` if the replacement is mined, `confirmed` if it was too late */
  cancelling: boolean;
  /** null if it awaits only confirmations */
  waitsFor: WithdrawalWait | null;
  /** Failure reason */
  failure: string | null;
  /** End of the hold on a withdrawal to a new destination, which can be canceled until then; null if it is not held */
  heldUntil: string | null;
  destination: string;
  /** Amount withdrawn from the wallets, in the smallest unit */
  spent: string;
  /** Amount that the destination receives; null until its transaction exists. For a canceling replacement: the amount that returns to the wallet */
  amount: string | null;
  /** Maximum fee, in the smallest unit of `feeCode` */
  fee: string | null;
  /** Fee paid in its block, in the smallest unit of `feeCode`; null until then. On Ethereum, the unused part of `fee` stays in the wallet for its next withdrawal */
  feePaid: string | null;
  /** Part of `spent` that was missing because it was spent outside the service */
  writtenOff: string;
  /** `eth` for tokens; otherwise the fee is deducted from the amount */
  feeCode: CryptoCurrencyCode;
  feeRate: string | null;
  /** Fee rate limit; null for none */
  limit: string | null;
  /** Hash of the last transaction, or of the mined one */
  txHash: string | null;
  /** Hashes of all its transactions, of which at most one is mined */
  txHashes: string[];
  confirmations: number;
  /** Confirmations after which it is `confirmed` */
  minConfirmations: number;
  /** Amount withdrawn from each wallet */
  wallets: {
    address: string;
    /** In the smallest unit */
    amount: string;
  }[];
  /** `id` of the refunded crypto transaction */
  transactionId: string | null;
  /** For `gas`: `id` of the withdrawal that needs it */
  withdrawalId: string | null;
  /** Requester: `token 2` or `person 3`; null for automatic withdrawals */
  requestedBy: string | null;
  /** Current name of the user; null for tokens and automatic withdrawals, and in events and webhooks */
  requestedByName: string | null;
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
};
/**
 * `waiting`: not sent yet; `waitsFor` states the cause; `to_sign`: to be signed outside Paylatch, where the keys are; `sent`: broadcast, not enough confirmations yet; `confirmed`: reached `min-confirmation-{CODE}` confirmations; `failed`: no funds moved; `failure` states the cause
 */
export type WithdrawalStatus = 'waiting' | 'to_sign' | 'sent' | 'confirmed' | 'failed';
export type WithdrawalWait = {
  /**
   * `queued`: its transaction is created next, or after another withdrawal of the wallet; `fee_limit`: the network fee is above a limit; `fee_estimate`: independent estimates of the network fee disagree; `amount_too_small`: the fee is too large a part of the amount; `gas`: ether for the fee of a token transfer is being sent, or the gas wallet has too little; `broadcasting`: created and about to be broadcast; `rejected`: the node rejects it, and it is retried; `new_destination`: the destination is new, and it is held until `heldUntil`; `rate`: there is no current exchange rate to compare its fee with
   */
  reason:
    | 'queued'
    | 'fee_limit'
    | 'fee_estimate'
    | 'amount_too_small'
    | 'gas'
    | 'broadcasting'
    | 'rejected'
    | 'new_destination'
    | 'rate';
  /** Explanation */
  detail: string;
  /** Current network fee rate, in the unit of `feeRate` */
  feeNow: string | null;
  /** `max-fee-limit-auto-withdrawal-{CODE}`, or the operator’s limit if it is lower */
  limit: string | null;
};
export type PendingWithdrawalDestination = {
  code: CryptoCurrencyCode;
  /** null if automatic withdrawals were turned off */
  destination: string | null;
  previousDestination: string | null;
  /** Format: date-time */
  effectiveAt: string;
  requestedBy: string;
  /** Format: date-time */
  createdAt: string;
  /**
   * Reason for the delay: a new destination waits `WITHDRAWAL_DESTINATION_DELAY_HOURS`
   */
  reason: 'new_destination';
  /** Current name of the user; null for a token */
  requestedByName: string | null;
};
export type WithdrawalDetail = {
  id: string;
  code: CryptoCurrencyCode;
  /**
   * `sweep`: automatic; `refund`: of a rejected transaction; `manual`: requested by a manager; `gas`: the operator’s ether for the fee of another withdrawal
   */
  purpose: 'sweep' | 'refund' | 'manual' | 'gas';
  status: WithdrawalStatus;
  /** Canceled by a manager after its transaction was signed: a replacement is in progress. It becomes `failed` if the replacement is mined, `confirmed` if it was too late */
  cancelling: boolean;
  /** null if it awaits only confirmations */
  waitsFor: WithdrawalWait | null;
  /** Failure reason */
  failure: string | null;
  /** End of the hold on a withdrawal to a new destination, which can be canceled until then; null if it is not held */
  heldUntil: string | null;
  destination: string;
  /** Amount withdrawn from the wallets, in the smallest unit */
  spent: string;
  /** Amount that the destination receives; null until its transaction exists. For a canceling replacement: the amount that returns to the wallet */
  amount: string | null;
  /** Maximum fee, in the smallest unit of `feeCode` */
  fee: string | null;
  /** Fee paid in its block, in the smallest unit of `feeCode`; null until then. On Ethereum, the unused part of `fee` stays in the wallet for its next withdrawal */
  feePaid: string | null;
  /** Part of `spent` that was missing because it was spent outside the service */
  writtenOff: string;
  /** `eth` for tokens; otherwise the fee is deducted from the amount */
  feeCode: CryptoCurrencyCode;
  feeRate: string | null;
  /** Fee rate limit; null for none */
  limit: string | null;
  /** Hash of the last transaction, or of the mined one */
  txHash: string | null;
  /** Hashes of all its transactions, of which at most one is mined */
  txHashes: string[];
  confirmations: number;
  /** Confirmations after which it is `confirmed` */
  minConfirmations: number;
  /** Amount withdrawn from each wallet */
  wallets: {
    address: string;
    /** In the smallest unit */
    amount: string;
  }[];
  /** `id` of the refunded crypto transaction */
  transactionId: string | null;
  /** For `gas`: `id` of the withdrawal that needs it */
  withdrawalId: string | null;
  /** Requester: `token 2` or `person 3`; null for automatic withdrawals */
  requestedBy: string | null;
  /** Current name of the user; null for tokens and automatic withdrawals, and in events and webhooks */
  requestedByName: string | null;
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
  /** Transaction to sign externally while the status is `to_sign` */
  unsigned: {
    /**
     * `psbt`: BIP 174 in base64; `eip1559`: unsigned EIP-2718 transaction of type 2 in hexadecimal
     */
    format: 'psbt' | 'eip1559';
    data: string;
    /** Address whose key signs it; null if each input has its own */
    sender: string | null;
    /** Derivation path of that key, below the account’s */
    path: string | null;
  } | null;
};
export type TransactionEvent = {
  type: 'fiat.transaction.updated';
  /** Format: date-time */
  timestamp: string;
  data: TransactionEventData;
  /** The `webhook-id` of its webhook */
  id: string;
};
export type TransactionEventData = {
  transaction_id: string;
  /** Format: date-time */
  created_at: string;
  /** Format: date-time */
  updated_at: string;
  /** Format: date-time */
  expires_at: string;
  /** Amount of the transaction */
  amount: number;
  /** Amount that the buyer pays */
  amount_charged: number;
  /** Net amount after the fee */
  amount_delivered: number;
  /** Amount received */
  amount_received: number;
  /** The amount refunded so far */
  refunded_amount: number;
  currency: string;
  /** ISO 3166-1 alpha-3 */
  country: string;
  descriptions: string;
  /** Purchased items, as sent when the transaction was created */
  line_items?: LineItem[];
  metadata?: Metadata;
  /** Initial language of the payment page; absent if the browser’s language is used */
  locale?: string;
  /** The reusable link that created the transaction */
  reusable_link_id?: string;
  payment_method: string;
  status: TransactionStatus;
  /**
   * Failure reason
   */
  reason?: 'expired' | 'declined' | 'cancelled' | 'underpaid' | 'overpaid' | 'rejected' | 'reversed';
  /**
   * Absent: captured automatically
   */
  capture?: 'manual';
  /** With `capture: "manual"`, once a payment was authorized. The status is `waiting` until the capture */
  authorization?: Authorization;
  /** True if the funds arrived after the transaction failed */
  late?: boolean;
  /** The last review decision; absent before the first */
  decision?: {
    /** Stable ID: `token 2` or `person 3` */
    by: string;
    /** Current name of the user; null for tokens, and always null in events and webhooks */
    by_name: string | null;
    /** Format: date-time */
    at: string;
    reason: string | null;
    is_approved: boolean;
  };
  /**
   * Fee added to the amount or deducted from it
   */
  type_of_fee_calculate: 'forward_without_fee' | 'forward_with_fee';
  /** Details of the payer that you provided when you created the transaction; absent from webhooks, and without the scope `approval:write` */
  payer?: Payer;
  /**
   * Format: uri
   * Payment link for the buyer; single use
   */
  link: string;
  merchant_fee_fix: number;
  merchant_fee_percent: number;
  /** The preference `additional-currency` at creation, or the currency of the payment if there was no rate between them */
  additional_currency: string;
  /** Price of one unit of `currency` in `additional_currency` */
  rate: number;
  /** `rate` less your percentage fee */
  rate_merchant_final: number;
  /** Sources of `rate`, separated by commas; `sandbox-table` for the fixed table of the sandbox. Absent if the currencies are the same, or the transaction is older than this field */
  rate_source?: string;
  /**
   * Format: date-time
   * Time of the oldest quote in `rate`. Absent whenever `rate_source` is
   */
  rate_at?: string;
  /** Detected country of the buyer (ISO 3166-1 alpha-2); absent if unknown */
  buyer_country?: string;
  /** Source of the country: `address` (IP database) or `header` (the operator’s proxy) */
  buyer_country_source?: string;
  /** Network of the buyer’s IP address: a /24 of IPv4, a /48 of IPv6 */
  buyer_network?: string;
  /** Card payment attempts */
  attempts: AttemptSummary[];
  /** The payment instructions shown to the buyer, with their status */
  instructions: InstructionsSummary[];
  /** Receipts of funds by instructions */
  receipts: ReceiptSummary[];
  /** Refunds, with their status */
  refunds: RefundSummary[];
  /** Only in the response to a refund: `number` of each refund that the request created */
  requested_refunds?: number[];
  /** Disputes and chargebacks, with their status */
  disputes: DisputeSummary[];
  /** Currently available actions. `refund_out_of_band` and `reject_out_of_band`: only with `out_of_band`, because the acquirer cannot refund */
  available_actions: (
    | 'cancel'
    | 'capture'
    | 'void'
    | 'accept'
    | 'reject'
    | 'reject_out_of_band'
    | 'renew'
    | 'refund'
    | 'refund_out_of_band'
  )[];
  /** Absent while nothing can be refunded */
  refund_options?: RefundOptions;
  /** Events of the transaction, in order */
  timeline: TimelineEntry[];
  /** Your merchant ID. Reject webhooks with a different one */
  merchant_id: number;
  previous_status:
    | 'transaction_status_pending'
    | 'transaction_status_waiting'
    | 'transaction_status_confirmed'
    | 'transaction_status_failed';
  /** Number of the event within the transaction, from 1. An endpoint that receives only some event types sees gaps: do not wait for missing numbers */
  sequence: number;
};
export type DisputeEvent = {
  type: 'fiat.dispute.created' | 'fiat.dispute.updated' | 'fiat.dispute.closed';
  /** Format: date-time */
  timestamp: string;
  data: DisputeEventData;
  /** The `webhook-id` of its webhook */
  id: string;
};
export type DisputeEventData = {
  number: number;
  /**
   * `inquiry`: the bank requests information before a chargeback; `needs_response`: the bank charged the amount back; respond through your acquirer before `respond_by`; `under_review`: the bank is reviewing the dispute; `won`: you keep the amount; a second chargeback can follow; `lost`: the buyer keeps the amount
   */
  state: 'inquiry' | 'needs_response' | 'under_review' | 'won' | 'lost';
  amount: number;
  currency: string;
  /** The acquirer’s reference for the dispute; of the charge until the acquirer reports one */
  reference: string;
  /** Reason code of the card network */
  reason_code: string | null;
  reason: string | null;
  /** Deadline for a response */
  respond_by: string | null;
  /** Format: date-time */
  created_at: string;
  /** Format: date-time */
  updated_at: string;
  /** Your merchant ID. Reject webhooks with a different one */
  merchant_id: number;
  transaction_id: string;
  /** The previous `state` of the dispute; null in the first */
  previous_status: ('inquiry' | 'needs_response' | 'under_review' | 'won' | 'lost') | null;
  /** Number of the event within the transaction, from 1. An endpoint that receives only some event types sees gaps: do not wait for missing numbers */
  sequence: number;
};
export type CryptoTransactionEvent = {
  type: 'crypto.transaction.created' | 'crypto.transaction.updated';
  /** Format: date-time */
  timestamp: string;
  data: CryptoTransactionEventData;
  /** The `webhook-id` of its webhook */
  id: string;
};
export type CryptoTransactionEventData = {
  id: string;
  /** null for deposits without an invoice */
  txId: string | null;
  /**
   * Invoice type; `invoice_type_default` as resolved at creation
   */
  type: 'static' | 'revolver' | 'user';
  code: CryptoCurrencyCode;
  /** Requested amount; null if any amount is accepted */
  amountRequired: string | null;
  amountRequiredUnit: string | null;
  walletAddress: string;
  walletType: 'static' | 'revolver' | 'user';
  /**
   * Format: uri
   * Payment URI for wallet apps: BIP 21 or EIP-681
   */
  uri: string;
  status: CryptoStatus;
  /** Conditions in addition to the status */
  labels: (
    | 'underpaid'
    | 'overpaid'
    | 'late'
    | 'duplicate'
    | 'wrong_wallet'
    | 'below_minimum'
    | 'replaced'
    | 'unattributed'
  )[];
  /** Amount detected, confirmed or not */
  amount: string;
  /** The same in whole coins */
  amountUnit: string;
  /** Amount still due */
  amountDue: string;
  /** Lowest number of confirmations among its deposits */
  confirmations: number;
  /** Confirmations required of a deposit */
  minConfirmations: number;
  payments: CryptoPayment[];
  processingFeePercent: number;
  /** Fee on the credited amount */
  processingFee: string;
  exchangeRate: {
    currency: string;
    /** Price of one whole coin in `currency` */
    exchangeRate: string;
    /** The amount in `currency` */
    currencyAmount: string;
    code: CryptoCurrencyCode;
    source: string;
    /** Format: date-time */
    at: string;
  } | null;
  link: {
    /** Format: uri */
    self: string;
    /**
     * Format: uri
     * Payment page for the payer
     */
    payment: string;
  };
  /** `transaction_id` of the payment link that it pays, if any */
  fiatTransactionId: string | null;
  comment: string | null;
  /** Description shown to the payer */
  description: string | null;
  /** URL of your page to which the payer returns */
  returnUrl: string | null;
  metadata?: Metadata;
  /** Initial language of the invoice page; absent if the browser’s language is used */
  locale?: string;
  /** `txId` of the invoice that the deposit was probably meant for */
  probableTxId: string | null;
  /** The review decision, if any */
  decision: {
    /** Stable ID: `token 2` or `person 3` */
    by: string;
    /** Current name of the user; null for tokens, and always null in events and webhooks */
    byName: string | null;
    /** Format: date-time */
    at: string;
    reason: string | null;
    isApproved: boolean;
    refundAddress: string | null;
  } | null;
  /** Currently available actions; `withdraw` for managers only */
  availableActions: ('approve' | 'reject' | 'withdraw')[];
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
  /** null if it does not expire */
  expiredAt: string | null;
  /** Your merchant ID. Reject webhooks with a different one */
  merchant_id: number;
  /** null in the first */
  previous_status:
    | ('pending' | 'waiting' | 'confirmed' | 'complete' | 'approved_required' | 'refunding' | 'refunded' | 'failed')
    | null;
  /** Number of the event within the transaction, from 1. An endpoint that receives only some event types sees gaps: do not wait for missing numbers */
  sequence: number;
};
export type WithdrawalEvent = {
  type: 'crypto.withdrawal.updated';
  /** Format: date-time */
  timestamp: string;
  data: WithdrawalEventData;
  /** The `webhook-id` of its webhook */
  id: string;
};
export type WithdrawalEventData = {
  id: string;
  code: CryptoCurrencyCode;
  /**
   * `sweep`: automatic; `refund`: of a rejected transaction; `manual`: requested by a manager; `gas`: the operator’s ether for the fee of another withdrawal
   */
  purpose: 'sweep' | 'refund' | 'manual' | 'gas';
  status: WithdrawalStatus;
  /** Canceled by a manager after its transaction was signed: a replacement is in progress. It becomes `failed` if the replacement is mined, `confirmed` if it was too late */
  cancelling: boolean;
  /** null if it awaits only confirmations */
  waitsFor: WithdrawalWait | null;
  /** Failure reason */
  failure: string | null;
  /** End of the hold on a withdrawal to a new destination, which can be canceled until then; null if it is not held */
  heldUntil: string | null;
  destination: string;
  /** Amount withdrawn from the wallets, in the smallest unit */
  spent: string;
  /** Amount that the destination receives; null until its transaction exists. For a canceling replacement: the amount that returns to the wallet */
  amount: string | null;
  /** Maximum fee, in the smallest unit of `feeCode` */
  fee: string | null;
  /** Fee paid in its block, in the smallest unit of `feeCode`; null until then. On Ethereum, the unused part of `fee` stays in the wallet for its next withdrawal */
  feePaid: string | null;
  /** Part of `spent` that was missing because it was spent outside the service */
  writtenOff: string;
  /** `eth` for tokens; otherwise the fee is deducted from the amount */
  feeCode: CryptoCurrencyCode;
  feeRate: string | null;
  /** Fee rate limit; null for none */
  limit: string | null;
  /** Hash of the last transaction, or of the mined one */
  txHash: string | null;
  /** Hashes of all its transactions, of which at most one is mined */
  txHashes: string[];
  confirmations: number;
  /** Confirmations after which it is `confirmed` */
  minConfirmations: number;
  /** Amount withdrawn from each wallet */
  wallets: {
    address: string;
    /** In the smallest unit */
    amount: string;
  }[];
  /** `id` of the refunded crypto transaction */
  transactionId: string | null;
  /** For `gas`: `id` of the withdrawal that needs it */
  withdrawalId: string | null;
  /** Requester: `token 2` or `person 3`; null for automatic withdrawals */
  requestedBy: string | null;
  /** Current name of the user; null for tokens and automatic withdrawals, and in events and webhooks */
  requestedByName: string | null;
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
  /** Your merchant ID. Reject webhooks with a different one */
  merchant_id: number;
  /** null in the first */
  previous_status: ('waiting' | 'to_sign' | 'sent' | 'confirmed' | 'failed') | null;
  /** Number of the event within the withdrawal, from 1. An endpoint that receives only some event types sees gaps: do not wait for missing numbers */
  sequence: number;
};
export type WithdrawalDestinationChangeEvent = {
  type: 'crypto.withdrawal.destination_changed';
  /** Format: date-time */
  timestamp: string;
  data: WithdrawalDestinationChangeEventData;
  /** The `webhook-id` of its webhook */
  id: string;
};
export type WithdrawalDestinationChangeEventData = {
  code: CryptoCurrencyCode;
  /** null if automatic withdrawals were turned off */
  destination: string | null;
  previousDestination: string | null;
  /** Format: date-time */
  effectiveAt: string;
  requestedBy: string;
  /** Format: date-time */
  createdAt: string;
  /** Your merchant ID. Reject webhooks with a different one */
  merchant_id: number;
  previous_status: null;
  sequence: 1;
};
export type CallbackUrlChangeEvent = {
  type: 'callback.url_changed';
  /** Format: date-time */
  timestamp: string;
  data: CallbackUrlChangeEventData;
  /** The `webhook-id` of its webhook */
  id: string;
};
export type CallbackUrlChangeEventData = {
  /** Your merchant ID. Reject webhooks with a different one */
  merchant_id: number;
  /** Origin of the new URL (no path or query, which may contain a secret); null: removed */
  url: string | null;
  /** Origin of the previous URL; null: none was set */
  previous_url: string | null;
  /** Requester: `token 7` or `person 3` */
  requested_by: string;
  /** Format: date-time */
  created_at: string;
  previous_status: null;
  sequence: 1;
};
export type WebhookEndpointChangeEvent = {
  type: 'callback.endpoint_changed';
  /** Format: date-time */
  timestamp: string;
  data: WebhookEndpointChangeEventData;
  /** The `webhook-id` of its webhook */
  id: string;
};
export type WebhookEndpointChangeEventData = {
  /** Your merchant ID. Reject webhooks with a different one */
  merchant_id: number;
  endpoint_id: string;
  change: 'added' | 'updated' | 'removed';
  /** Origin of the URL (no path or query); null: removed */
  url: string | null;
  /** Origin of the previous URL; null: added */
  previous_url: string | null;
  /** null: removed */
  status: ('enabled' | 'disabled') | null;
  /** null: all */
  event_types: string[] | null;
  /** Requester: `token 7` or `person 3` */
  requested_by: string;
  /** Format: date-time */
  created_at: string;
  previous_status: null;
  sequence: 1;
};
export type Statistics = {
  /** Format: date-time */
  since: string;
  /**
   * Format: date-time
   * Exclusive
   */
  till: string;
  time_zone: string;
  /** By currency of the transactions, most transactions first */
  currencies: {
    currency: string;
    count: number;
    paid_count: number;
    /** Amount received for paid transactions */
    paid_amount: number;
    /** Refunds that succeeded or are pending */
    refunded_amount: number;
  }[];
  total: {
    count: number;
    /** `transaction_status_confirmed` */
    paid_count: number;
    failed_count: number;
    /** Neither paid nor failed */
    open_count: number;
    /** Share of paid transactions among paid and failed ones, from 0 to 1 with four decimals; null if there are none */
    paid_share: number | null;
    paid_in_additional_currency: {
      /** The preference `additional-currency` */
      currency: string;
      /** Amount received for paid transactions, each at its stored rate, rounded once */
      amount: number;
      /** Paid transactions that are excluded from these amounts, because they were created with another additional currency or without a rate to it */
      excluded_count: number;
    };
  };
  /** Every day of the period, including days without transactions */
  days: {
    /** Format: date */
    date: string;
    count: number;
    paid_count: number;
    /** Amount received for paid transactions, in the additional currency */
    paid_amount: number;
  }[];
  /** The 24 hours of the day */
  hours: {
    hour: number;
    count: number;
    paid_count: number;
  }[];
  /** Most transactions first */
  methods: {
    payment_method: string;
    count: number;
    paid_count: number;
    /** Amount received for paid transactions, in the additional currency */
    paid_amount: number;
  }[];
  /** By the buyer’s detected country, or by the transaction’s country if unknown; most transactions first */
  countries: {
    /** ISO 3166-1 alpha-3 */
    country: string;
    count: number;
    paid_count: number;
    /** Amount received for paid transactions, in the additional currency */
    paid_amount: number;
  }[];
  /** Failure reasons, most frequent first */
  failures: {
    /** The `reason` of the transaction; for `declined` and `expired` the code of its last decline, if any */
    reason: string;
    count: number;
  }[];
  /** Currently pending reviews and failures, regardless of the period; each counted up to 1000 */
  waiting: {
    /** Crypto transactions that are `approved_required` */
    crypto_reviews: number;
    /** Transactions with received funds awaiting review: `awaiting_review` of the list */
    payment_reviews: number;
    /** Webhooks whose attempts all failed */
    failed_callbacks: number;
  };
};
export type ExchangeRate = {
  /** Cryptocurrency or currency */
  code: CryptoCurrencyCode | Currency;
  /** Price of one whole unit, a decimal; null while unavailable */
  rate: string | null;
  /** Time of the oldest quote in the rate; null while unavailable */
  at: string | null;
  /** Quotes whose median is the rate. Some rates are calculated from two pairs */
  quotes: RateQuote[];
  /** Reason why no rate is within the limits; null otherwise */
  unavailable: string | null;
};
export type RateQuote = {
  /** `sandbox-table` for the fixed table of the sandbox, whose rates are not real prices */
  source: string;
  /** `BTC/USD` is the price of one bitcoin in US dollars */
  pair: string;
  rate: string;
  /**
   * Format: date-time
   * Time reported by the source, or the time of the response if the source reports none
   */
  at: string;
};
export type Callback = {
  /** The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the endpoint */
  id: string;
  /** The header `webhook-id`: the `id` of the event, and the same for every endpoint that receives it */
  webhook_id: string;
  /** `we_…`, or `callback-url` for the endpoint of that preference */
  endpoint_id: string;
  /** Its description, or else the host of its URL, or else its ID */
  endpoint_name: string;
  type: string;
  /** Your reference; the `id` for deposits without an invoice and for withdrawals; the currency for a changed destination; `callback-url` for a changed URL; the ID of a changed endpoint */
  transaction_id: string;
  /** Sequence number of the event within its transaction */
  sequence: number;
  /** Status of the transaction or withdrawal after the event; null for notices, and without the scope `transaction:read` */
  status: string | null;
  /** Its status before the event; null like `status`, and in the first */
  previous_status: string | null;
  /** The change, as in the `timeline`, such as `12.50 USD refunded`; null if there is none, and without the scope `transaction:read` */
  detail: string | null;
  /** URL that receives a notice of a changed endpoint or destination; null for the endpoint’s current URL */
  url: string | null;
  /**
   * `pending`: not delivered yet; `delivered`: the endpoint responded with a 2xx status; `failed`: all delivery attempts failed; redeliver it to try again
   */
  state: 'pending' | 'delivered' | 'failed';
  attempts_made: number;
  /** Result of the last attempt; null before the first */
  last_attempt: {
    /** Format: date-time */
    at: string;
    /** HTTP status of the response; null if there was none */
    status: number | null;
    error: string | null;
  } | null;
  /** null if no attempt is scheduled, or if an earlier webhook must be delivered first */
  next_attempt_at: string | null;
  /** Format: date-time */
  created_at: string;
  finished_at: string | null;
};
export type CallbackEndpoint = {
  url: string | null;
  /** Time of the first failure since the last success, later by periods without attempts */
  failing_since: string | null;
  /** null while it is enabled */
  disabled_at: string | null;
  /** `gone`: the endpoint returned 410; `no_success`: nothing was delivered for five days */
  disabled_reason: ('gone' | 'no_success') | null;
};
export type CallbackDetail = {
  /** The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the endpoint */
  id: string;
  /** The header `webhook-id`: the `id` of the event, and the same for every endpoint that receives it */
  webhook_id: string;
  /** `we_…`, or `callback-url` for the endpoint of that preference */
  endpoint_id: string;
  /** Its description, or else the host of its URL, or else its ID */
  endpoint_name: string;
  type: string;
  /** Your reference; the `id` for deposits without an invoice and for withdrawals; the currency for a changed destination; `callback-url` for a changed URL; the ID of a changed endpoint */
  transaction_id: string;
  /** Sequence number of the event within its transaction */
  sequence: number;
  /** Status of the transaction or withdrawal after the event; null for notices, and without the scope `transaction:read` */
  status: string | null;
  /** Its status before the event; null like `status`, and in the first */
  previous_status: string | null;
  /** The change, as in the `timeline`, such as `12.50 USD refunded`; null if there is none, and without the scope `transaction:read` */
  detail: string | null;
  /** URL that receives a notice of a changed endpoint or destination; null for the endpoint’s current URL */
  url: string | null;
  /**
   * `pending`: not delivered yet; `delivered`: the endpoint responded with a 2xx status; `failed`: all delivery attempts failed; redeliver it to try again
   */
  state: 'pending' | 'delivered' | 'failed';
  attempts_made: number;
  /** Result of the last attempt; null before the first */
  last_attempt: {
    /** Format: date-time */
    at: string;
    /** HTTP status of the response; null if there was none */
    status: number | null;
    error: string | null;
  } | null;
  /** null if no attempt is scheduled, or if an earlier webhook must be delivered first */
  next_attempt_at: string | null;
  /** Format: date-time */
  created_at: string;
  finished_at: string | null;
  /** Attempts of the last 90 days */
  attempts: CallbackAttempt[];
  /** The body of the webhook; null without the scope `transaction:read` */
  payload: WebhookEvent | null;
};
export type CallbackAttempt = {
  number: number;
  /** Format: date-time */
  at: string;
  /** null if no `callback-url` was set */
  url: string | null;
  duration_ms: number;
  /** HTTP status of the response; null if there was none */
  status: number | null;
  error: string | null;
  /** The first 1024 characters of the response body */
  response_body: string | null;
  /** The headers that we sent, without the signature */
  request_headers: {
    name: string;
    value: string;
  }[];
  /** The headers of the response, without credentials; null if there was no response */
  response_headers:
    | {
        name: string;
        value: string;
      }[]
    | null;
};
export type WebhookEvent =
  | FiatTransactionUpdatedWebhook
  | FiatDisputeCreatedWebhook
  | FiatDisputeUpdatedWebhook
  | FiatDisputeClosedWebhook
  | CryptoTransactionCreatedWebhook
  | CryptoTransactionUpdatedWebhook
  | CryptoWithdrawalUpdatedWebhook
  | CryptoWithdrawalDestinationChangedWebhook
  | CallbackUrlChangedWebhook
  | CallbackEndpointChangedWebhook
  | CallbackTestWebhook;
export type FiatTransactionUpdatedWebhook = {
  type: 'fiat.transaction.updated';
  /** Format: date-time */
  timestamp: string;
  data: TransactionEventData;
};
export type FiatDisputeCreatedWebhook = {
  type: 'fiat.dispute.created';
  /** Format: date-time */
  timestamp: string;
  data: DisputeEventData;
};
export type FiatDisputeUpdatedWebhook = {
  type: 'fiat.dispute.updated';
  /** Format: date-time */
  timestamp: string;
  data: DisputeEventData;
};
export type FiatDisputeClosedWebhook = {
  type: 'fiat.dispute.closed';
  /** Format: date-time */
  timestamp: string;
  data: DisputeEventData;
};
export type CryptoTransactionCreatedWebhook = {
  type: 'crypto.transaction.created';
  /** Format: date-time */
  timestamp: string;
  data: CryptoTransactionEventData;
};
export type CryptoTransactionUpdatedWebhook = {
  type: 'crypto.transaction.updated';
  /** Format: date-time */
  timestamp: string;
  data: CryptoTransactionEventData;
};
export type CryptoWithdrawalUpdatedWebhook = {
  type: 'crypto.withdrawal.updated';
  /** Format: date-time */
  timestamp: string;
  data: WithdrawalEventData;
};
export type CryptoWithdrawalDestinationChangedWebhook = {
  type: 'crypto.withdrawal.destination_changed';
  /** Format: date-time */
  timestamp: string;
  data: WithdrawalDestinationChangeEventData;
};
export type CallbackUrlChangedWebhook = {
  type: 'callback.url_changed';
  /** Format: date-time */
  timestamp: string;
  data: CallbackUrlChangeEventData;
};
export type CallbackEndpointChangedWebhook = {
  type: 'callback.endpoint_changed';
  /** Format: date-time */
  timestamp: string;
  data: WebhookEndpointChangeEventData;
};
export type CallbackTestWebhook = {
  type: 'callback.test';
  /** Format: date-time */
  timestamp: string;
  data: TestEventData;
};
export type TestEventData = {
  /** Your merchant ID. Reject webhooks with a different one */
  merchant_id: number;
  message: string;
};
export type WebhookEndpoint = {
  /** `we_…`, or `callback-url` for the endpoint of that preference */
  id: string;
  /** Format: uri */
  url: string;
  description: string | null;
  /** null for all */
  event_types: string[] | null;
  /** True for the endpoint of `callback-url`, which only that preference changes */
  from_preferences: boolean;
  /**
   * `enabled`: receives webhooks; `disabled`: receives nothing; new webhooks stay `pending`
   */
  status: 'enabled' | 'disabled';
  /** `merchant`: you disabled it; `gone`: it returned 410; `no_success`: nothing was delivered for five days */
  disabled_reason: ('merchant' | 'gone' | 'no_success') | null;
  disabled_at: string | null;
  /** Time of the first failure since the last success, later by periods without attempts */
  failing_since: string | null;
  /** Among the recent deliveries */
  last_delivered_at: string | null;
  /** The last failed attempt; null after a success */
  last_failed_at: string | null;
  /** The last 100 deliveries, by state */
  recent: {
    delivered: number;
    failed: number;
    pending: number;
  };
  /** null for the endpoint of `callback-url` */
  created_at: string | null;
  updated_at: string | null;
};
export type Preference = {
  key: string;
  value: boolean | number | string | null;
  /** Format: date-time */
  created_at: string;
  /** Format: date-time */
  updated_at: string;
  /** Present until `value` takes effect */
  pending?: PendingPreference;
};
export type PendingPreference = {
  /** Value in effect until then; null for none */
  current_value: boolean | number | string | null;
  /**
   * Format: date-time
   * Time at which `value` takes effect
   */
  effective_at: string;
  /**
   * Reason for the delay
   */
  reason: 'new_destination';
};
export type PreferenceKey = {
  key: string;
  /** Description */
  meaning: string;
  /**
   * Value type. An `amount` is a whole number of the smallest unit of `code`, as a string (`wallet-rotate-amount-{CODE}` as a number up to 9007199254740991). A list is a string with a JSON array
   */
  type:
    | 'boolean'
    | 'integer'
    | 'decimal'
    | 'amount'
    | 'choice'
    | 'text'
    | 'url'
    | 'contact'
    | 'country_list'
    | 'origin_list'
    | 'color'
    | 'address';
  /** The currency of an `amount` or an `address` */
  code?: string;
  /** Values of a `choice` */
  readonly choices?: string[];
  minimum?: number;
  maximum?: number;
  /** Maximum number of characters */
  max_length?: number;
  /** Value while it is unset; null for none */
  default: boolean | number | string | null;
  /**
   * Scope required to set it
   */
  scope: 'preference:write' | 'withdrawal:write' | 'transaction:read';
  /** True if only a manager of the service can set it */
  manager_only: boolean;
  /** Current value; null while it is unset */
  value: boolean | number | string | null;
  /** Pending change; null if `value` is in effect */
  pending: PendingPreference | null;
  updated_at: string | null;
  /** Actor that set it, such as `token 7`; null while it is unset, for the command line, and if unknown */
  updated_by: string | null;
};
export type Logo = {
  /** Public URL of the PNG image. It changes with the image */
  url: string;
  /** Pixels, at most 256 */
  width: number;
  /** Pixels, at most 256 */
  height: number;
  /** Format: date-time */
  uploaded_at: string;
};
export type Person = {
  id: number;
  email: string;
  name: string;
  role: 'owner' | 'operator' | 'viewer';
  /** Format: date-time */
  joinedAt: string;
  lastSeenAt: string | null;
};
export type Invitation = {
  id: number;
  email: string;
  role: 'owner' | 'operator' | 'viewer' | 'manager';
  /** Format: date-time */
  expiresAt: string;
};
export type AuditEntry = {
  id: number;
  /** Format: date-time */
  at: string;
  person: {
    id: number;
    email: string;
    name: string;
  } | null;
  /** Actor other than a user: `token 12`, or `command line` with the operating system’s user name */
  actor: string | null;
  /** The access token that is the `actor`, with its name, which may be empty; null for other actors */
  token: {
    id: number;
    name: string;
  } | null;
  /** ID of an operation, or an account action such as `sign_in` */
  action: string;
  /** Object of the action */
  subject: string | null;
  before: unknown;
  after: unknown;
  /** `done`, or the problem code; `started` if the process ended before the outcome was known */
  outcome: string;
  address: string;
  userAgent: string;
  requestId: string;
};
export type Merchant = {
  id: number;
  name: string;
  /** Format: date-time */
  createdAt: string;
};
export type TokenScope =
  | 'link:write'
  | 'transaction:read'
  | 'card:submit'
  | 'invoice:write'
  | 'approval:write'
  | 'withdrawal:write'
  | 'preference:read'
  | 'preference:write'
  | 'callback:read'
  | 'callback:send'
  | 'callback:manage'
  | 'token:manage'
  | 'team:manage'
  | 'payer:erase'
  | 'audit:read'
  | 'acquirer:manage';
export type CreatedAccessToken = {
  /** Identifies the token in decisions and the audit log: `token 7` */
  id: number;
  name: string;
  role: 'merchant' | 'manager';
  scopes: TokenScope[];
  /** Format: date-time */
  created_at: string;
  /** `person 3` or `token 7`; the user if it was created with one of their tokens. It is revoked when they leave. null for the command line and OAuth clients */
  created_by: string | null;
  /** Current name of the user; null for other creators */
  created_by_name: string | null;
  /** To the minute; null if it was never used */
  last_used_at: string | null;
  /** null if it is valid until revoked */
  expires_at: string | null;
  /** The token; shown only once */
  access_token: string;
};
export type AccessToken = {
  /** Identifies the token in decisions and the audit log: `token 7` */
  id: number;
  name: string;
  role: 'merchant' | 'manager';
  scopes: TokenScope[];
  /** Format: date-time */
  created_at: string;
  /** `person 3` or `token 7`; the user if it was created with one of their tokens. It is revoked when they leave. null for the command line and OAuth clients */
  created_by: string | null;
  /** Current name of the user; null for other creators */
  created_by_name: string | null;
  /** To the minute; null if it was never used */
  last_used_at: string | null;
  /** null if it is valid until revoked */
  expires_at: string | null;
};
export type Acquirer = {
  name: string;
  display_name: string;
  /** Fields of an account’s credentials, in the order of a form */
  credentials: {
    name: string;
    label: string;
    /** Location of the value in the acquirer’s dashboard, or its purpose */
    hint: string;
    /** true if the value is never returned */
    secret: boolean;
    optional: boolean;
    /** Accepted values; null if any text is accepted */
    options: string[] | null;
  }[];
  capabilities: {
    payment_method: string;
    /** ISO 3166-1 alpha-3; null for every country of the method */
    countries: string[] | null;
    /** ISO 4217; null for every currency of the method */
    currencies: string[] | null;
    refunds: 'none' | 'full' | 'partial';
    /** Payer details that the acquirer requires; the payment page asks for them */
    payer_fields: string[];
  }[];
};
export type AcquirerCheck = {
  /**
   * `failed`: the acquirer rejected the credentials; `unreachable`: no valid response
   */
  result: 'ok' | 'failed' | 'unreachable';
  /** One sentence about the result */
  detail: string;
};
export type AcquirerAccount = {
  /** Identifies the account, in its webhook URL too */
  id: string;
  acquirer: string;
  name: string;
  /** true if all merchants use it */
  shared: boolean;
  /** false: no new payments; open payments, refunds and webhooks continue */
  enabled: boolean;
  routes: {
    payment_method: string;
    /** ISO 3166-1 alpha-3, or `*` for every country */
    country: string;
    /** ISO 4217, or `*` for every currency */
    currency: string;
    /** The account with the lowest number is tried first */
    priority: number;
  }[];
  /** Fields of the credentials; `value` is null for secrets */
  credentials: {
    name: string;
    value: string | null;
    is_set: boolean;
  }[];
  /** Format: date-time */
  credentials_updated_at: string;
  /**
   * Format: uri
   * Webhook URL to enter in the acquirer’s dashboard
   */
  webhook_url: string;
  /** Figures of the process that responded, since its start; null if the account is not connected */
  health: {
    /**
     * `open`: no payments after repeated failures; `half_open`: one trial call is allowed
     */
    circuit: 'closed' | 'half_open' | 'open';
    /** Time at which the circuit opened; null while it is closed */
    circuit_since: string | null;
    /** The last call without a response from the acquirer */
    last_failure: {
      /** Format: date-time */
      at: string;
      call: string;
      reason: 'failed' | 'timeout';
    } | null;
    /** Calls that the figures cover, at most 500 */
    calls: number;
    /** Share of calls with a response, 0 to 1; null before the first */
    success_rate: number | null;
    /** Median duration of a call; null before the first */
    median_ms: number | null;
    calls_last_minute: number;
    /** Limit of calls; null without one */
    calls_per_minute: number | null;
  } | null;
  notifications: {
    /** null without one in the last 60 days */
    last_received_at: string | null;
    /** Webhooks received but not processed yet; at most 1,000 are counted */
    pending: number;
  };
  /** Open disputes of your payments */
  open_disputes: number;
  /** Format: date-time */
  created_at: string;
  /** Format: date-time */
  updated_at: string;
};
export type CreateTransactionInput = {
  transaction_id: TransactionReference;
  /** A method that is enabled for the country and the currency */
  payment_method: string;
  /** In the currency’s own decimals, such as 12.50; at most the maximum of the currency */
  amount: number;
  country: CountryAlpha3;
  currency: Currency;
  /** Purpose of the payment; required for a link */
  description?: string;
  /** Redirect after success; required for a link. With `null` the payer stays on the payment page */
  success_redirect_url?: string | null;
  /** Redirect after failure; required for a link. With `null` the payer stays on the payment page */
  fail_redirect_url?: string | null;
  /**
   * Fee added to the amount or deducted from it; required for a link
   */
  type_of_calculation?: 'forward_without_fee' | 'forward_with_fee';
  /**
   * Response type; `link` by default
   */
  transaction_type?: 'link' | 'custom_form';
  /**
   * Format: date-time
   * Expiry of the link, from 1 minute to 365 days ahead; set by the preference `link-lifetime-minutes` by default
   */
  expires_at?: string;
  /**
   * `manual`: an approval only authorizes the amount; capture or void it later. Requires a card method whose acquirer supports manual capture. `automatic` by default
   */
  capture?: 'automatic' | 'manual';
  /** Known details of the payer; the payment page does not ask for them again */
  payer?: Payer;
  /** Purchased items, shown on the payment page and the receipt. The items must add up to `amount` */
  line_items?: LineItem[];
  metadata?: Metadata;
  locale?: PageLanguage;
};
export type CreateTransactionResponse = LinkCreated | CustomFormCreated;
export type GetTransactionInput = {
  transaction_id: string;
};
export type SendPaymentLinkInput = {
  transaction_id: TransactionReference;
  /**
   * Format: email
   * The recipient; the payer’s email address by default
   */
  email?: string;
};
export type SendPaymentLinkResponse = {
  email: Email;
};
export type ListTransactionsInput = {
  /**
   * `asc` by default if `order` is given
   */
  order_direction?: 'asc' | 'desc';
  /**
   * Field to sort by; newest first by default
   */
  order?: 'created_at' | 'updated_at' | 'amount' | 'status' | 'transaction_id' | 'payment_method';
  /** Covers the first 10,000 rows; beyond that, use `cursor` */
  page?: number;
  /** Page size; 20 by default */
  per_page?: number;
  /** The `pagination.next_cursor` of the previous page; cannot be combined with `page` */
  cursor?: string;
  /**
   * Adds `counts` to the response
   */
  counts?: 'true';
  status?:
    | (
        | 'transaction_status_pending'
        | 'transaction_status_waiting'
        | 'transaction_status_confirmed'
        | 'transaction_status_failed'
      )
    | (
        | 'transaction_status_pending'
        | 'transaction_status_waiting'
        | 'transaction_status_confirmed'
        | 'transaction_status_failed'
      )[];
  /** Failure reason */
  reason?:
    | ('expired' | 'declined' | 'cancelled' | 'underpaid' | 'overpaid' | 'rejected' | 'reversed')
    | ('expired' | 'declined' | 'cancelled' | 'underpaid' | 'overpaid' | 'rejected' | 'reversed')[];
  /** Status of the card authorization */
  authorization_status?:
    | ('authorized' | 'capture_pending' | 'captured' | 'void_pending' | 'voided' | 'expired')
    | ('authorized' | 'capture_pending' | 'captured' | 'void_pending' | 'voided' | 'expired')[];
  /**
   * Only transactions with received funds awaiting review
   */
  awaiting_review?: 'true';
  /** Method codes, or aliases: qr_scan, promptpay, online_bank_transfer, cards, virtual_bank_account, upi2, ewallet, wire, mobile_money, cup, p2p, cash, agent, alipay, wechat */
  payment_method?: string | string[];
  /** Created at or after this time: a date (UTC), a date-time, or Unix seconds */
  since?: string;
  /** Created before this time: a date (inclusive), or a date-time or Unix seconds (exclusive) */
  till?: string;
  /** Changed at or after this time: a date (UTC), a date-time, or Unix seconds. A change can appear after changes with a later time. To synchronize, start five minutes before the latest change that you read, and skip records that you have with the same time of change; or use `GET /v1/events`, which misses no event */
  updated_since?: string;
  currency?: Currency | Currency[];
  country?: CountryAlpha3 | CountryAlpha3[];
  /** Only transactions that these reusable links created */
  reusable_link_id?: string | string[];
  /** Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive */
  metadata?: {
    [key: string]: string;
  };
  /** Prefix of the `transaction_id` (case-sensitive), a complete `metadata` value, or a prefix of the payer’s first name, last name or email (with the scope `approval:write`); four digits also match the end of a card number, and a number such as `12.50` or `$1,250` the `amount` */
  search?: string;
};
export type ListTransactionsResponse = {
  transactions: TransactionListItem[];
  pagination: {
    page: number | null;
    per_page: number;
    /** Number of matching rows, counted up to 10,000 */
    total: number;
    /** True if there are more rows than were counted */
    total_capped: boolean;
    pages: number;
    /** Cursor of the next page; null on the last page */
    next_cursor: string | null;
  };
  /** With `counts=true`: transactions by status, and those awaiting review, that match all filters but `status`, `reason`, `authorization_status` and `awaiting_review`; each counted up to 10,000 */
  counts?: {
    pending: number;
    waiting: number;
    confirmed: number;
    failed: number;
    awaiting_review: number;
    /** Authorized payments awaiting capture; included in `waiting` */
    authorized: number;
  };
};
export type SubmitCardInput = {
  transaction_id: TransactionReference;
  /** With or without spaces */
  card_number: string;
  /** From 1 to 12 */
  card_expiry_month: string;
  /** Two or four digits */
  card_expiry_year: string;
  /** 3 digits, 4 for American Express; never stored */
  card_cvv: string;
  first_name: string;
  last_name: string;
  country: CountryAlpha2;
  /** State, province or region; required unless the country has none */
  state?: string;
  city: string;
  /** Required unless the country has none */
  postcode?: string;
  /** Street address for billing */
  address: string;
  /** With the country code; spaces, periods, hyphens and parentheses are allowed */
  phone: string;
  email: string;
  /** Helps the issuer approve the payment without a challenge */
  browser?: {
    /** `User-Agent` header; required from your server */
    user_agent?: string;
    /** `Accept` header; required from your server */
    accept_header?: string;
    /** `navigator.language` */
    language: string;
    /** `screen.colorDepth` */
    color_depth: number;
    /** `screen.width` */
    screen_width: number;
    /** `screen.height` */
    screen_height: number;
    /** `new Date().getTimezoneOffset()`, in minutes */
    time_zone_offset: number;
    /**
     * `navigator.javaEnabled()`
     * @default false
     */
    java_enabled?: boolean;
    /** IP address of the payer; only for requests from your server */
    ip_address?: string;
  };
};
export type SubmitCardResponse =
  | {
      response_type: '3ds_redirect';
      /** Redirect the payer here for the challenge */
      redirect_url: string;
      message: string;
    }
  | {
      /**
       * `authorized`: with `capture: "manual"`; the merchant captures the amount later
       */
      response_type: 'confirmed' | 'authorized' | 'declined' | 'processing';
      transaction_id: string;
      status:
        | 'transaction_status_pending'
        | 'transaction_status_waiting'
        | 'transaction_status_confirmed'
        | 'transaction_status_failed';
      message: string;
      /** Redirect the buyer here */
      redirect_url?: string;
      decline?: {
        code: string;
        /** Decline code of the card network, if any */
        network_code: string | null;
        /** True if the payment can be retried */
        retryable: boolean;
        /**
         * Advice for the buyer; with `do_not_retry`, the network forbids another attempt with this card
         */
        advice: 'use_other_card' | 'check_details' | 'try_later' | 'do_not_retry';
      };
      /** Remaining payment attempts */
      attempts_left?: number;
      /** Milliseconds to wait before you read the transaction for the outcome; do not charge again */
      poll_after_ms?: number;
    };
export type AcceptTransactionInput = {
  transaction_id: TransactionReference;
  /** Stored with the decision, for your team */
  reason?: string;
};
export type RejectTransactionInput = {
  transaction_id: TransactionReference;
  /** Stored with the decision, for your team */
  reason?: string;
  /** True records a refund that you made elsewhere; the acquirer is not called. By default the funds are returned to the original payment method */
  out_of_band?: boolean;
};
export type CancelTransactionInput = {
  transaction_id: TransactionReference;
};
export type RenewTransactionInput = {
  transaction_id: TransactionReference;
};
export type RenewTransactionResponse = LinkCreated | CustomFormCreated;
export type CaptureTransactionInput = {
  transaction_id: TransactionReference;
  /** In the currency’s decimals, at most the authorized amount, which is the default. The remaining amount is released */
  amount?: number;
};
export type VoidTransactionInput = {
  transaction_id: TransactionReference;
};
export type RefundTransactionInput = {
  transaction_id: TransactionReference;
  /** In the currency’s decimals; the full remaining amount by default */
  amount?: number;
  /** True records a refund that you made elsewhere; the acquirer is not called. By default the funds are returned to the original payment method */
  out_of_band?: boolean;
};
export type ErasePayerInput = {
  /** The payer of this transaction */
  transaction_id?: string;
  /** All payments of the payer with this email address, case-insensitive. With transaction_id: an address to erase from that payment, for a payer who is no longer stored with it */
  email?: string;
};
export type CreateReusableLinkInput = {
  /** Name of the product or purpose; also the description of its transactions */
  title: string;
  /** Text below the title */
  description?: string | null;
  /** An https:// URL of an image, which the buyer’s browser loads */
  image_url?: string | null;
  country: CountryAlpha3;
  currency: Currency;
  /** A method that is enabled for the country and the currency; buyers can switch */
  payment_method: string;
  /**
   * Fee added to the amount or deducted from it; `forward_without_fee` by default
   */
  type_of_calculation?: 'forward_without_fee' | 'forward_with_fee';
  /** Unit price, in the currency’s decimals; not with `custom_amount` */
  amount?: number | null;
  /** Limits of an amount that the buyer chooses */
  custom_amount?: CustomAmount | null;
  /** Lets the buyer choose a quantity; only with `amount` */
  quantity?: QuantityLimits | null;
  /** Maximum number sold in total; null for no limit */
  stock?: number | null;
  /** Details that the buyer must enter; the payment page does not ask again */
  ask?: ('email' | 'name')[];
  /** Redirect after success; null for our own page */
  success_redirect_url?: string | null;
  /** Redirect after failure; null for the page of the reusable link */
  fail_redirect_url?: string | null;
  /** Copied to its transactions; see `metadata` there */
  metadata?: Metadata | null;
};
export type ListReusableLinksInput = {
  status?: 'active' | 'archived';
  /** Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive */
  metadata?: {
    [key: string]: string;
  };
  /** 20 by default */
  per_page?: number;
  /** The `next_cursor` of the previous page */
  cursor?: string;
};
export type ListReusableLinksResponse = {
  /** Newest first */
  reusable_links: ReusableLink[];
  next_cursor: string | null;
};
export type GetReusableLinkInput = {
  /** The `id` of the reusable link */
  id: string;
};
export type UpdateReusableLinkInput = {
  /** Name of the product or purpose; also the description of its transactions */
  title?: string;
  /** Text below the title */
  description?: string | null;
  /** An https:// URL of an image, which the buyer’s browser loads */
  image_url?: string | null;
  country?: CountryAlpha3;
  /** A method that is enabled for the country and the currency; buyers can switch */
  payment_method?: string;
  /**
   * Fee added to the amount or deducted from it; `forward_without_fee` by default
   */
  type_of_calculation?: 'forward_without_fee' | 'forward_with_fee';
  /** Unit price, in the currency’s decimals; not with `custom_amount` */
  amount?: number | null;
  /** Limits of an amount that the buyer chooses */
  custom_amount?: CustomAmount | null;
  /** Lets the buyer choose a quantity; only with `amount` */
  quantity?: QuantityLimits | null;
  /** Maximum number sold in total; null for no limit */
  stock?: number | null;
  /** Details that the buyer must enter; the payment page does not ask again */
  ask?: ('email' | 'name')[];
  /** Redirect after success; null for our own page */
  success_redirect_url?: string | null;
  /** Redirect after failure; null for the page of the reusable link */
  fail_redirect_url?: string | null;
  /** Copied to its transactions; see `metadata` there */
  metadata?: Metadata | null;
  /** The `id` of the reusable link */
  id: string;
};
export type ArchiveReusableLinkInput = {
  /** The `id` of the reusable link */
  id: string;
  /** False makes the link active again; true by default */
  archived?: boolean;
};
export type CreateInvoiceInput = {
  /** Your reference, unique among your transactions of one currency */
  txId: string;
  code: CryptoCurrencyCode;
  /** A whole number of the currency’s smallest unit, such as satoshi or wei; optional for the type `user` */
  amount?: string;
  type: 'static' | 'revolver' | 'user' | 'invoice_type_default';
  /**
   * Format: date-time
   * Expiry, at most 24 hours from now; 30 minutes by default. Not for the type `user`
   */
  expiredAt?: string;
  /** Internal note; the payer does not see it */
  comment?: string;
  /** Description shown to the payer */
  description?: string;
  /**
   * Format: uri
   * URL of your page to which the payer returns from the invoice page
   */
  returnUrl?: string;
  metadata?: Metadata;
  locale?: PageLanguage;
};
export type GetCryptoTransactionInput = {
  /** Your reference, unique among your transactions of one currency */
  txId?: string;
  code?: CryptoCurrencyCode;
  /** Instead of `txId` and `code`: the `id` of a response, for deposits without a `txId` */
  id?: string;
};
export type ListCryptoTransactionsInput = {
  status?: CryptoStatus | CryptoStatus[];
  code?: CryptoCurrencyCode | CryptoCurrencyCode[];
  /** Created at or after this time: a date (UTC), a date-time, or Unix seconds */
  since?: string;
  /** Created before this time: a date (inclusive), or a date-time or Unix seconds (exclusive) */
  till?: string;
  /** Changed at or after this time: a date (UTC), a date-time, or Unix seconds. A change can appear after changes with a later time. To synchronize, start five minutes before the latest change that you read, and skip records that you have with the same time of change; or use `GET /v1/events`, which misses no event */
  updated_since?: string;
  /** Only records with these pairs, such as `metadata[order]=1001`: exact, and case-sensitive */
  metadata?: {
    [key: string]: string;
  };
  /** Prefix of a `txId` (case-sensitive), a full `walletAddress` or `txHash`, or a complete `metadata` value */
  search?: string;
  /** The `next_cursor` of the previous page */
  cursor?: string;
  /** Page size; 20 by default */
  per_page?: number;
};
export type ListCryptoTransactionsResponse = {
  transactions: CryptoTransaction[];
  next_cursor: string | null;
};
export type ApproveCryptoTransactionInput = {
  id: string;
  reason?: string;
};
export type RejectCryptoTransactionInput = {
  id: string;
  reason?: string;
  /** Refund address; needs the scope `withdrawal:write`. Without it nothing is sent. Not allowed for type `user` */
  refundAddress?: string;
};
export type ListCurrenciesResponse = {
  currencies: CryptoCurrency[];
};
export type ListBalancesResponse = {
  balances: Balance[];
};
export type ListWalletsInput = {
  state?: ('assigned' | 'free' | 'rotated' | 'retired') | ('assigned' | 'free' | 'rotated' | 'retired')[];
  code?: ('btc' | 'eth' | 'usdt' | 'usdc' | 'ltc') | ('btc' | 'eth' | 'usdt' | 'usdc' | 'ltc')[];
  /**
   * Only wallets with a balance
   */
  funded?: 'true';
  /** The `next_cursor` of the previous page */
  cursor?: string;
  /** Page size; 20 by default */
  per_page?: number;
};
export type ListWalletsResponse = {
  wallets: Wallet[];
  next_cursor: string | null;
};
export type RotateWalletInput = {
  /** As in the invoice */
  walletAddress: string;
};
export type RotateWalletResponse = {
  wallet: Wallet;
  /** For a `user` wallet: the new address of its invoice */
  replacedBy: string | null;
};
export type ListWithdrawalsInput = {
  status?:
    | ('waiting' | 'to_sign' | 'sent' | 'confirmed' | 'failed')
    | ('waiting' | 'to_sign' | 'sent' | 'confirmed' | 'failed')[];
  code?: CryptoCurrencyCode | CryptoCurrencyCode[];
  /** Changed at or after this time: a date (UTC), a date-time, or Unix seconds. A change can appear after changes with a later time. To synchronize, start five minutes before the latest change that you read, and skip records that you have with the same time of change; or use `GET /v1/events`, which misses no event */
  updated_since?: string;
  /** The `next_cursor` of the previous page */
  cursor?: string;
  /** Page size; 20 by default */
  per_page?: number;
};
export type ListWithdrawalsResponse = {
  withdrawals: Withdrawal[];
  /** Destinations of automatic withdrawals that are not in effect yet, regardless of the filters */
  pendingDestinations: PendingWithdrawalDestination[];
  next_cursor: string | null;
};
export type CreateWithdrawalInput = {
  code: CryptoCurrencyCode;
  /** Wallet to withdraw from */
  walletAddress: string;
  /**
   * `credited`, `unattributed` (received after the wallet was retired) or `rejected` (not refunded)
   */
  source: 'credited' | 'unattributed' | 'rejected';
  /** Destination address */
  destination: string;
};
export type GetWithdrawalInput = {
  id: string;
};
export type SubmitWithdrawalInput = {
  id: string;
  /** PSBT in base64 or the transaction in hexadecimal; on Ethereum the transaction in hexadecimal with 0x */
  signed: string;
};
export type CancelWithdrawalInput = {
  id: string;
};
export type ListEventsInput = {
  /** The `next` of the previous response; by default the oldest stored event */
  after?: string;
  /** Page size; 20 by default */
  limit?: number;
  /** Seconds to wait for an event if there is none yet */
  wait?: number;
};
export type ListEventsResponse = {
  events: (
    | TransactionEvent
    | DisputeEvent
    | CryptoTransactionEvent
    | WithdrawalEvent
    | WithdrawalDestinationChangeEvent
    | CallbackUrlChangeEvent
    | WebhookEndpointChangeEvent
  )[];
  /** Cursor for the next request; null before the first event */
  next: string | null;
  /** True if more events are available now */
  has_more: boolean;
};
export type ListTransactionEventsInput = {
  transaction_id: string;
};
export type ListTransactionEventsResponse = {
  events: (TransactionEvent | DisputeEvent)[];
};
export type GetStatisticsInput = {
  /** Start of the period: a date (in `time_zone`), a date-time, or Unix seconds; 30 days ago by default */
  since?: string;
  /** End of the period: a date (inclusive), or a date-time or Unix seconds (exclusive); today by default */
  till?: string;
  /** IANA time zone of days and hours, or an offset such as `+05:30`; UTC by default */
  time_zone?: string;
};
export type ListRatesInput = {
  /** Currency of the prices; `USD` by default */
  currency?: Currency;
};
export type ListRatesResponse = {
  currency: string;
  rates: ExchangeRate[];
};
export type ListCallbacksInput = {
  state?: ('pending' | 'delivered' | 'failed') | ('pending' | 'delivered' | 'failed')[];
  /** Your reference for a fiat or crypto transaction, or the `id` of a crypto transaction or withdrawal */
  transaction_id?: string;
  /** An endpoint: `we_…` or `callback-url` */
  endpoint_id?: string;
  /** Event types */
  type?:
    | (
        | 'fiat.transaction.updated'
        | 'fiat.dispute.created'
        | 'fiat.dispute.updated'
        | 'fiat.dispute.closed'
        | 'crypto.transaction.created'
        | 'crypto.transaction.updated'
        | 'crypto.withdrawal.updated'
        | 'crypto.withdrawal.destination_changed'
        | 'callback.url_changed'
        | 'callback.endpoint_changed'
        | 'callback.test'
      )
    | (
        | 'fiat.transaction.updated'
        | 'fiat.dispute.created'
        | 'fiat.dispute.updated'
        | 'fiat.dispute.closed'
        | 'crypto.transaction.created'
        | 'crypto.transaction.updated'
        | 'crypto.withdrawal.updated'
        | 'crypto.withdrawal.destination_changed'
        | 'callback.url_changed'
        | 'callback.endpoint_changed'
        | 'callback.test'
      )[];
  /** The `next_cursor` of the previous page */
  cursor?: string;
  /** Page size; 20 by default */
  per_page?: number;
};
export type ListCallbacksResponse = {
  callbacks: Callback[];
  next_cursor: string | null;
  endpoint: CallbackEndpoint;
};
export type GetCallbackInput = {
  /** The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the endpoint */
  id: string;
};
export type RedeliverCallbackInput = {
  /** The ID of the delivery: the `webhook-id`; for added endpoints with a dot and the ID of the endpoint */
  id: string;
};
export type TestCallbackResponse = {
  /** True if the response was 2xx */
  delivered: boolean;
  /** Format: uri */
  url: string;
  duration_ms: number;
  status: number | null;
  error: string | null;
  response_body: string | null;
};
export type RotateCallbackSecretInput = {
  /** Hours that the old secret also signs; 24 by default. Use 0 if it leaked */
  keep_hours?: number;
};
export type RotateCallbackSecretResponse = {
  /** The new secret; shown only once */
  callback_secret: string;
  /**
   * Format: date-time
   * Until then every webhook is also signed with the old secret
   */
  previous_valid_until: string;
};
export type GetCallbackKeysResponse = {
  /** The `merchant_id` in the `data` of your webhooks */
  merchant_id: number;
  /**
   * Format: uri
   * Public URL of `keys`, without authentication
   */
  url: string;
  /** Verify the `v1a` signatures of your webhooks. They do not verify webhooks of other merchants */
  keys: {
    type: 'ed25519';
    /** `whpk_` and 32 bytes in base64 */
    public_key: string;
  }[];
};
export type ListWebhookEndpointsResponse = {
  /** The endpoint of `callback-url` first, then added ones, oldest first */
  endpoints: WebhookEndpoint[];
};
export type AddWebhookEndpointInput = {
  /** Same rules as `callback-url`: https, and not in a private network */
  url: string;
  description?: string | null;
  /** Types of events to send; null for all. Security notices are always sent */
  event_types?:
    | (
        | 'fiat.transaction.updated'
        | 'fiat.dispute.created'
        | 'fiat.dispute.updated'
        | 'fiat.dispute.closed'
        | 'crypto.transaction.created'
        | 'crypto.transaction.updated'
        | 'crypto.withdrawal.updated'
      )[]
    | null;
};
export type AddWebhookEndpointResponse = {
  /** `we_…`, or `callback-url` for the endpoint of that preference */
  id: string;
  /** Format: uri */
  url: string;
  description: string | null;
  /** null for all */
  event_types: string[] | null;
  /** True for the endpoint of `callback-url`, which only that preference changes */
  from_preferences: boolean;
  /**
   * `enabled`: receives webhooks; `disabled`: receives nothing; new webhooks stay `pending`
   */
  status: 'enabled' | 'disabled';
  /** `merchant`: you disabled it; `gone`: it returned 410; `no_success`: nothing was delivered for five days */
  disabled_reason: ('merchant' | 'gone' | 'no_success') | null;
  disabled_at: string | null;
  /** Time of the first failure since the last success, later by periods without attempts */
  failing_since: string | null;
  /** Among the recent deliveries */
  last_delivered_at: string | null;
  /** The last failed attempt; null after a success */
  last_failed_at: string | null;
  /** The last 100 deliveries, by state */
  recent: {
    delivered: number;
    failed: number;
    pending: number;
  };
  /** null for the endpoint of `callback-url` */
  created_at: string | null;
  updated_at: string | null;
  /** Signs the webhooks of this endpoint; shown only once */
  secret: string;
};
export type GetWebhookEndpointInput = {
  /** `we_…`, or `callback-url` for the endpoint of that preference */
  id: string;
};
export type UpdateWebhookEndpointInput = {
  /** `we_…`, or `callback-url` for the endpoint of that preference */
  id: string;
  /** Same rules as `callback-url`: https, and not in a private network */
  url?: string;
  description?: string | null;
  /** Types of events to send; null for all. Security notices are always sent */
  event_types?:
    | (
        | 'fiat.transaction.updated'
        | 'fiat.dispute.created'
        | 'fiat.dispute.updated'
        | 'fiat.dispute.closed'
        | 'crypto.transaction.created'
        | 'crypto.transaction.updated'
        | 'crypto.withdrawal.updated'
      )[]
    | null;
  /** true also enables an endpoint that was disabled after failures */
  enabled?: boolean;
};
export type RotateWebhookEndpointSecretInput = {
  /** Hours that the old secret also signs; 24 by default. Use 0 if it leaked */
  keep_hours?: number;
  /** `we_…`, or `callback-url` for the endpoint of that preference */
  id: string;
};
export type RotateWebhookEndpointSecretResponse = {
  /** The new secret; shown only once */
  secret: string;
  /**
   * Format: date-time
   * Until then every webhook is also signed with the old secret
   */
  previous_valid_until: string;
};
export type TestWebhookEndpointInput = {
  /** `we_…`, or `callback-url` for the endpoint of that preference */
  id: string;
};
export type TestWebhookEndpointResponse = {
  /** True if the response was 2xx */
  delivered: boolean;
  /** Format: uri */
  url: string;
  duration_ms: number;
  status: number | null;
  error: string | null;
  response_body: string | null;
};
export type RedeliverFailedCallbacksInput = {
  /** `we_…`, or `callback-url` for the endpoint of that preference */
  id: string;
};
export type RedeliverFailedCallbacksResponse = {
  /** Number of failed webhooks that are pending again */
  redelivered: number;
};
export type RemoveWebhookEndpointInput = {
  /** `we_…`, or `callback-url` for the endpoint of that preference */
  id: string;
};
export type RemoveWebhookEndpointResponse = {
  /** `we_…`, or `callback-url` for the endpoint of that preference */
  id: string;
  /** Format: date-time */
  removed_at: string;
};
export type ListPaymentMethodsInput = {
  country: CountryAlpha3;
  /** If omitted: every currency of the country, and those in which the merchant has a method */
  currency?: Currency;
};
export type ListPaymentMethodsResponse = {
  payment_methods: {
    payment_method: string;
    currency: string;
    status: 'enable' | 'disable';
    /** Instructions to enable a disabled method */
    message?: string;
    /** Fixed fee of an enabled method, in the currency’s decimals */
    fee_fix?: number;
    /** Fee as a percentage of the amount */
    fee_percent?: number;
    /**
     * True if payments with this method support `capture: "manual"`; absent otherwise
     */
    manual_capture?: true;
  }[];
};
export type SetPaymentMethodsInput = {
  payment_methods: {
    payment_method: string;
    currency: Currency;
    status: 'enable' | 'disable';
    /** In the currency’s own decimals */
    fee_fix?: number;
    /** Percentage of the amount, with at most 4 decimals */
    fee_percent?: number;
  }[];
};
export type SetPaymentMethodsResponse = {
  payment_methods: {
    payment_method: string;
    currency: string;
    status: 'enable' | 'disable';
    fee_fix?: number;
    fee_percent?: number;
    /** Reason why an enabled method cannot be used yet: no acquirer supports it */
    message?: string;
  }[];
};
export type ListPreferencesResponse = {
  merchantPreferences: Preference[];
};
export type SetPreferenceInput = {
  /** Such as `callback-url` */
  key: string;
  /** A value of the key’s type, or its string form; lists also as a string that contains a JSON array. null unsets the preference */
  value: boolean | number | string | string[] | null;
};
export type SetPreferencesInput = {
  preferences: {
    /** Such as `callback-url` */
    key: string;
    /** A value of the key’s type, or its string form; lists also as a string that contains a JSON array. null unsets the preference */
    value: boolean | number | string | string[] | null;
  }[];
};
export type SetPreferencesResponse = {
  merchantPreferences: Preference[];
};
export type ListPreferenceKeysInput = {
  /** Only this key */
  key?: string;
};
export type ListPreferenceKeysResponse = {
  keys: PreferenceKey[];
};
export type SetPreferencesSingularInput = {
  preferences: {
    /** Such as `callback-url` */
    key: string;
    /** A value of the key’s type, or its string form; lists also as a string that contains a JSON array. null unsets the preference */
    value: boolean | number | string | string[] | null;
  }[];
};
export type SetPreferencesSingularResponse = {
  merchantPreferences: Preference[];
};
export type GetLogoResponse = {
  /** null: no logo is uploaded */
  logo: Logo | null;
};
export type SetLogoInput = {
  /** The file in Base64: PNG, JPEG or WebP of at most 1000000 bytes, 8000 pixels on each side and 10000000 pixels in total */
  image: string;
};
export type SetLogoResponse = {
  /** null: no logo is uploaded */
  logo: Logo | null;
};
export type RemoveLogoResponse = {
  /** null: no logo is uploaded */
  logo: Logo | null;
};
export type ListPeopleResponse = {
  people: Person[];
  invitations: Invitation[];
};
export type InvitePersonInput = {
  /** Format: email */
  email: string;
  /**
   * `viewer` reads, `operator` reviews payments, `owner` also changes settings
   */
  role: 'owner' | 'operator' | 'viewer';
};
export type InvitePersonResponse = {
  invitation: Invitation;
  /**
   * Format: uri
   * Shown only once; valid for seven days
   */
  link: string;
  /** True if the service also emails the link */
  is_emailed: boolean;
};
export type RevokeInvitationInput = {
  /** ID from the list of invitations */
  id: number;
};
export type RevokeInvitationResponse = {
  people: Person[];
  invitations: Invitation[];
};
export type SetPersonRoleInput = {
  id: number;
  /**
   * `viewer` reads, `operator` reviews payments, `owner` also changes settings
   */
  role: 'owner' | 'operator' | 'viewer';
};
export type SetPersonRoleResponse = {
  people: Person[];
  invitations: Invitation[];
};
export type RemovePersonInput = {
  /** ID from the list of members */
  id: number;
};
export type RemovePersonResponse = {
  people: Person[];
  invitations: Invitation[];
};
export type ListAuditEntriesInput = {
  /** Only entries of this user */
  person?: number;
  /** Actions, such as `createWithdrawal` or `sign_in` */
  action?: string | string[];
  /** At or after this time: a date (UTC), a date-time, or Unix seconds */
  since?: string;
  /** Before this time: a date (inclusive), or a date-time or Unix seconds (exclusive) */
  till?: string;
  /** The `next_cursor` of the previous page */
  cursor?: string;
  per_page?: number;
};
export type ListAuditEntriesResponse = {
  entries: AuditEntry[];
  next_cursor: string | null;
};
export type ListEmailsInput = {
  /** The `next_cursor` of the previous page */
  cursor?: string;
  per_page?: number;
};
export type ListEmailsResponse = {
  /** False: the service sends no email */
  is_set_up: boolean;
  emails: Email[];
  next_cursor: string | null;
};
export type ListMerchantsInput = {
  /** Prefix of a name, or an ID */
  search?: string;
  /** The `next_cursor` of the previous page */
  cursor?: string;
  per_page?: number;
};
export type ListMerchantsResponse = {
  merchants: Merchant[];
  next_cursor: string | null;
};
export type CreateMerchantInput = {
  name: string;
};
export type CreateMerchantResponse = {
  merchant: Merchant;
  /** Shown only once */
  callback_secret: string;
};
export type CreateAccessTokenInput = {
  /** Name of the token */
  name: string;
  /** Permissions; only scopes that you have */
  scopes: TokenScope[];
  /**
   * Format: date-time
   * Expiry; by default it is valid until revoked
   */
  expires_at?: string;
};
export type ListAccessTokensInput = {
  /** The `next_cursor` of the previous page */
  cursor?: string;
  /** Page size; 20 by default */
  per_page?: number;
};
export type ListAccessTokensResponse = {
  tokens: AccessToken[];
  next_cursor: string | null;
};
export type RevokeAccessTokenInput = {
  /** Identifies the token in decisions and the audit log: `token 7` */
  id: number;
};
export type RevokeAccessTokenResponse = {
  /** Identifies the token in decisions and the audit log: `token 7` */
  id: number;
  /** Format: date-time */
  revoked_at: string;
};
export type ListAcquirersInput = {
  /** Only this acquirer */
  name?: string;
};
export type ListAcquirersResponse = {
  acquirers: Acquirer[];
};
export type CheckAcquirerCredentialsInput = {
  /** Name of the acquirer */
  acquirer: string;
  /** All fields of the credentials, by name. They are stored sealed, and secrets are never returned */
  credentials: {
    [key: string]: string;
  };
};
export type ListAcquirerAccountsResponse = {
  accounts: AcquirerAccount[];
};
export type AddAcquirerAccountInput = {
  /** Name of the acquirer */
  acquirer: string;
  /** Your name for the account */
  name: string;
  /**
   * true if all merchants use it; only your merchant by default
   * @default false
   */
  shared?: boolean;
  /** All fields of the credentials, by name. They are stored sealed, and secrets are never returned */
  credentials: {
    [key: string]: string;
  };
  /** Payment methods that the account accepts; one entry for each method, country and currency */
  routes?: {
    payment_method: string;
    /** ISO 3166-1 alpha-3; all countries by default */
    country?: '*' | CountryAlpha3;
    /**
     * ISO 4217; all currencies by default
     * @default *
     */
    currency?: '*' | Currency;
    /**
     * The account with the lowest number is tried first
     * @default 1
     */
    priority?: number;
  }[];
};
export type GetAcquirerAccountInput = {
  /** Identifies the account, in its webhook URL too */
  id: string;
};
export type UpdateAcquirerAccountInput = {
  /** Identifies the account, in its webhook URL too */
  id: string;
  /** Your name for the account */
  name?: string;
  enabled?: boolean;
  /** Replaces all routes */
  routes?: {
    payment_method: string;
    /** ISO 3166-1 alpha-3; all countries by default */
    country?: '*' | CountryAlpha3;
    /**
     * ISO 4217; all currencies by default
     * @default *
     */
    currency?: '*' | Currency;
    /**
     * The account with the lowest number is tried first
     * @default 1
     */
    priority?: number;
  }[];
  /**
   * Format: date-time
   * The `updated_at` that you have read; the change is rejected if the account has changed since then
   */
  updated_at?: string;
};
export type SetAcquirerCredentialsInput = {
  /** Identifies the account, in its webhook URL too */
  id: string;
  /** All fields of the credentials, by name. They are stored sealed, and secrets are never returned */
  credentials: {
    [key: string]: string;
  };
  /**
   * Format: date-time
   * The `updated_at` that you have read; the change is rejected if the account has changed since then
   */
  updated_at?: string;
};
export type CheckAcquirerAccountInput = {
  /** Identifies the account, in its webhook URL too */
  id: string;
};

/** All operations of the API. */
export interface Operations {
  /**
   * Create a transaction.
   *
   * Returns a one-time payment link, or the data for your own form (`custom_form`). Repeating the request returns the same link, so retries are safe. A different body with the same `transaction_id` returns `transaction_id_conflict`.
   *
   * Needs the scope `link:write`.
   */
  createTransaction(input: CreateTransactionInput, options?: IdempotentCallOptions): Promise<CreateTransactionResponse>;

  /**
   * Retrieve a transaction.
   *
   * Needs the scope `transaction:read`.
   */
  getTransaction(input: GetTransactionInput, options?: CallOptions): Promise<TransactionDetail>;

  /**
   * Send a payment link by email.
   *
   * Sends the link of an unpaid transaction in the payer’s language, with your branding. Without a mail server, returns `email_not_set_up`.
   *
   * Needs the scope `link:write`.
   */
  sendPaymentLink(input: SendPaymentLinkInput, options?: IdempotentCallOptions): Promise<SendPaymentLinkResponse>;

  /**
   * List transactions.
   *
   * All filters are optional. Newest first by default; ascending if `order` is given. `page` covers the first 10,000 rows; beyond that, use `pagination.next_cursor` or the `Link` header, which is as fast on every page.
   *
   * Needs the scope `transaction:read`.
   */
  listTransactions(input?: ListTransactionsInput, options?: CallOptions): Promise<ListTransactionsResponse>;

  /**
   * Submit a card.
   *
   * Charges a card from your own form. This brings your servers into PCI DSS scope; the payment page and `<pay-form>` do not. A decline is not an error: `response_type` holds the outcome. A page can submit with the `client_token` of its transaction; its `Idempotency-Key` is ignored.
   *
   * Needs the scope `card:submit`.
   */
  submitCard(input: SubmitCardInput, options?: IdempotentCallOptions): Promise<SubmitCardResponse>;

  /**
   * Approve a transaction.
   *
   * Needs the scope `approval:write`.
   */
  acceptTransaction(input: AcceptTransactionInput, options?: IdempotentCallOptions): Promise<TransactionDetail>;

  /**
   * Reject a transaction.
   *
   * The transaction becomes `failed` with the reason `rejected`, and the amount received is refunded to its source; `refunds` shows it. Funds that arrive later are reviewed separately. If the acquirer cannot refund, as for crypto paid to a payment link, the request fails with `refund_not_supported`: refund the payer yourself, then reject the transaction with `out_of_band`.
   *
   * Needs the scope `approval:write`.
   */
  rejectTransaction(input: RejectTransactionInput, options?: IdempotentCallOptions): Promise<TransactionDetail>;

  /**
   * Cancel a transaction.
   *
   * Needs the scope `link:write`.
   */
  cancelTransaction(input: CancelTransactionInput, options?: IdempotentCallOptions): Promise<TransactionDetail>;

  /**
   * Renew an expired transaction.
   *
   * Issues a new link with the full lifetime, for the same `transaction_id` and price. The old link redirects to the new one.
   *
   * Needs the scope `link:write`.
   */
  renewTransaction(input: RenewTransactionInput, options?: IdempotentCallOptions): Promise<RenewTransactionResponse>;

  /**
   * Capture a transaction.
   *
   * Captures an authorized payment, in full or in part. The remaining amount is released. One capture per authorization. The capture may still be pending in the response; a webhook reports when `authorization.status` is `captured`. If the acquirer rejects it, the amount stays `authorized`.
   *
   * Needs the scope `approval:write`.
   */
  captureTransaction(input: CaptureTransactionInput, options?: IdempotentCallOptions): Promise<TransactionDetail>;

  /**
   * Void an authorization.
   *
   * Releases the amount that is reserved on the card. The transaction fails with the reason `cancelled`. The void may still be pending in the response; a webhook reports when `authorization.status` is `voided`.
   *
   * Needs the scope `approval:write`.
   */
  voidTransaction(input: VoidTransactionInput, options?: IdempotentCallOptions): Promise<TransactionDetail>;

  /**
   * Refund a transaction.
   *
   * Refunds the full amount or a part to the original payment method, through the acquirer. `refund_options` of the transaction shows the possible refunds. The refund may still be `pending` in the response; a webhook reports when it `succeeded` or `failed`. Record a refund that you made elsewhere with `out_of_band`. Send an `Idempotency-Key`: without one, a repeated partial refund is issued twice.
   *
   * Needs the scope `approval:write`.
   */
  refundTransaction(input: RefundTransactionInput, options?: IdempotentCallOptions): Promise<TransactionDetail>;

  /**
   * Erase a payer’s data.
   *
   * Permanently removes a payer’s personal data: name, email, phone, address, network and language, from the payments of one `transaction_id`, or from all with an `email`. Copies in descriptions, line items, events, webhooks, stored responses and the audit log become `[erased]`. Amounts, IDs, times, statuses and the masked card are kept. Merchants’ own systems, acquirers, downloaded exports and backups are not affected.
   *
   * Needs the scope `payer:erase`.
   */
  erasePayer(input?: ErasePayerInput, options?: IdempotentCallOptions): Promise<ErasePayerResponse>;

  /**
   * Create a reusable link.
   *
   * Its page creates a transaction with a separate payment link for every buyer. With `stock`, open transactions reserve their quantity for at most 30 minutes, and never more than the stock is sold. A late payment for an expired transaction is still accepted: `sold` can then exceed `stock`.
   *
   * Needs the scope `link:write`.
   */
  createReusableLink(input: CreateReusableLinkInput, options?: IdempotentCallOptions): Promise<ReusableLink>;

  /**
   * List reusable links.
   *
   * Needs the scope `transaction:read`.
   */
  listReusableLinks(input?: ListReusableLinksInput, options?: CallOptions): Promise<ListReusableLinksResponse>;

  /**
   * Retrieve a reusable link.
   *
   * Needs the scope `transaction:read`.
   */
  getReusableLink(input: GetReusableLinkInput, options?: CallOptions): Promise<ReusableLink>;

  /**
   * Change a reusable link.
   *
   * Omitted fields stay unchanged. Open transactions keep their price. `amount` replaces `custom_amount`, and vice versa.
   *
   * Needs the scope `link:write`.
   */
  updateReusableLink(input: UpdateReusableLinkInput, options?: CallOptions): Promise<ReusableLink>;

  /**
   * Archive a reusable link.
   *
   * Its page accepts no new buyers. Open transactions can still be paid.
   *
   * Needs the scope `link:write`.
   */
  archiveReusableLink(input: ArchiveReusableLinkInput, options?: IdempotentCallOptions): Promise<ReusableLink>;

  /**
   * Create a crypto invoice.
   *
   * Returns a deposit address. Repeating `txId` and `code` returns the same invoice; for the type `user`, `amount`, `description` and `returnUrl` may differ and are then updated. Amounts are whole numbers of the smallest unit (satoshi, wei); `GET /v1/currencies` returns the decimals.
   *
   * Needs the scope `invoice:write`.
   */
  createInvoice(input: CreateInvoiceInput, options?: IdempotentCallOptions): Promise<CryptoTransaction>;

  /**
   * Retrieve a crypto transaction.
   *
   * Needs the scope `transaction:read`.
   */
  getCryptoTransaction(input?: GetCryptoTransactionInput, options?: CallOptions): Promise<CryptoTransaction>;

  /**
   * List crypto transactions.
   *
   * `status=approved_required` is the review queue: late, underpaid, overpaid and duplicate deposits, and deposits without an invoice. `availableActions` lists the possible actions. Newest first.
   *
   * Needs the scope `transaction:read`.
   */
  listCryptoTransactions(
    input?: ListCryptoTransactionsInput,
    options?: CallOptions,
  ): Promise<ListCryptoTransactionsResponse>;

  /**
   * Approve a crypto transaction.
   *
   * Needs the scope `approval:write`.
   */
  approveCryptoTransaction(
    input: ApproveCryptoTransactionInput,
    options?: IdempotentCallOptions,
  ): Promise<CryptoTransaction>;

  /**
   * Reject a crypto transaction.
   *
   * With `refundAddress`, the deposits are refunded: `refunding`, then `refunded`. This also needs the scope `withdrawal:write`, and a refund to a new address is held for the destination delay. Without it, the transaction becomes `failed`; until its funds are withdrawn, it can be rejected again with an address to refund it. For type `user`, only the deposits in review are rejected, and `refundAddress` is not allowed.
   *
   * Needs the scope `approval:write`.
   */
  rejectCryptoTransaction(
    input: RejectCryptoTransactionInput,
    options?: IdempotentCallOptions,
  ): Promise<CryptoTransaction>;

  /**
   * List cryptocurrencies.
   *
   * Needs the scope `transaction:read`.
   */
  listCurrencies(options?: CallOptions): Promise<ListCurrenciesResponse>;

  /**
   * List balances.
   *
   * Funds of all wallets, by currency; currencies without funds are omitted. Amounts are in the smallest unit (`GET /v1/currencies` returns the decimals). `GET /v1/wallets` with `funded=true` lists the wallets that hold the funds.
   *
   * Needs the scope `transaction:read`.
   */
  listBalances(options?: CallOptions): Promise<ListBalancesResponse>;

  /**
   * List wallets.
   *
   * Newest first. Amounts are in the smallest unit (`GET /v1/currencies` returns the decimals): `balance` is the on-chain balance, `parts` splits it into credited, being sent, confirming, awaiting review, unattributed and rejected funds.
   *
   * Needs the scope `transaction:read`.
   */
  listWallets(input?: ListWalletsInput, options?: CallOptions): Promise<ListWalletsResponse>;

  /**
   * Rotate a wallet.
   *
   * No new invoice uses the wallet; it is retired when its last invoice ends. A user’s wallet is retired immediately, and its invoice gets another address.
   *
   * Needs the scope `invoice:write` and a manager’s token.
   */
  rotateWallet(input: RotateWalletInput, options?: IdempotentCallOptions): Promise<RotateWalletResponse>;

  /**
   * List withdrawals.
   *
   * Newest first. `status=to_sign` lists withdrawals to sign; `waitsFor` states why one is `waiting`.
   *
   * Needs the scope `transaction:read`.
   */
  listWithdrawals(input?: ListWithdrawalsInput, options?: CallOptions): Promise<ListWithdrawalsResponse>;

  /**
   * Create a withdrawal.
   *
   * Sends funds of a wallet to an address: credited, unattributed, or rejected without a refund. The operator’s fee limits apply; the merchant’s fee limit does not. A withdrawal to an address other than the effective destination of automatic withdrawals is held for the destination delay (`heldUntil`). A token has `withdrawal:write` only if it was requested.
   *
   * Needs the scope `withdrawal:write` and a manager’s token.
   */
  createWithdrawal(input: CreateWithdrawalInput, options?: IdempotentCallOptions): Promise<Withdrawal>;

  /**
   * Retrieve a withdrawal.
   *
   * Needs the scope `transaction:read`.
   */
  getWithdrawal(input: GetWithdrawalInput, options?: CallOptions): Promise<WithdrawalDetail>;

  /**
   * Submit a signed withdrawal.
   *
   * Broadcasts an externally signed transaction. It must match `unsigned` of `GET /v1/withdrawal`: the same inputs, destination and amount.
   *
   * Needs the scope `withdrawal:write`.
   */
  submitWithdrawal(input: SubmitWithdrawalInput, options?: IdempotentCallOptions): Promise<Withdrawal>;

  /**
   * Cancel a withdrawal.
   *
   * Until `heldUntil`, any caller with `withdrawal:write` can cancel it; after that only a manager can, until its transaction is in a block. If nothing is signed yet, the withdrawal becomes `failed` immediately. Otherwise a replacement is created with a higher fee than every transaction sent: on Bitcoin and Litecoin it returns the same coins to one of their wallets, on Ethereum it uses the same nonce and moves nothing. `cancelling` is true until one of them is final: `failed` if the replacement is mined, `confirmed` if it was too late. Only the replacement’s fee is lost. If the keys are held externally, the replacement is `to_sign`. Repeating the request changes nothing. The funds can then be withdrawn again; with `auto-withdrawal`, credited funds are swept again. The transaction of a refund becomes `failed`: reject it again with another `refundAddress`, or withdraw returned coins manually as `rejected`.
   *
   * Needs the scope `withdrawal:write`.
   */
  cancelWithdrawal(input: CancelWithdrawalInput, options?: IdempotentCallOptions): Promise<Withdrawal>;

  /**
   * List events.
   *
   * For servers behind a firewall, and to catch up after an outage. Returns the same objects as webhooks, with the same `id`, in a fixed order: store `next` to receive each event exactly once. Events can be pulled for 90 days. `wait` long-polls until an event arrives.
   *
   * Needs the scope `transaction:read`.
   */
  listEvents(input?: ListEventsInput, options?: CallOptions): Promise<ListEventsResponse>;

  /**
   * List events of a transaction.
   *
   * Needs the scope `transaction:read`.
   */
  listTransactionEvents(
    input: ListTransactionEventsInput,
    options?: CallOptions,
  ): Promise<ListTransactionEventsResponse>;

  /**
   * Retrieve transaction statistics.
   *
   * Statistics of transactions created in a period of at most 366 days, the last 30 by default: paid counts and amounts received by currency, day, hour, method and country, and failure reasons. Days, hours, `since` and `till` are in `time_zone`.
   *
   * Needs the scope `transaction:read`.
   */
  getStatistics(input?: GetStatisticsInput, options?: CallOptions): Promise<Statistics>;

  /**
   * List exchange rates.
   *
   * Prices of all cryptocurrencies and currencies, with the quotes of each source and their times. A price outside the operator’s limits is unavailable: payment links then do not offer the cryptocurrency, and invoices return `rate_unavailable`.
   *
   * Needs the scope `transaction:read`.
   */
  listRates(input?: ListRatesInput, options?: CallOptions): Promise<ListRatesResponse>;

  /**
   * List webhooks.
   *
   * Needs the scope `callback:read`.
   */
  listCallbacks(input?: ListCallbacksInput, options?: CallOptions): Promise<ListCallbacksResponse>;

  /**
   * Retrieve a webhook and its delivery attempts.
   *
   * Needs the scope `callback:read`.
   */
  getCallback(input: GetCallbackInput, options?: CallOptions): Promise<CallbackDetail>;

  /**
   * Redeliver a webhook.
   *
   * Sends the webhook immediately with the same `webhook-id`, regardless of its state. Enables a disabled endpoint.
   *
   * Needs the scope `callback:send`.
   */
  redeliverCallback(input: RedeliverCallbackInput, options?: IdempotentCallOptions): Promise<Callback>;

  /**
   * Send a test webhook.
   *
   * Sends `callback.test` to `callback-url` and returns the response. A successful delivery enables a disabled endpoint.
   *
   * Needs the scope `callback:send`.
   */
  testCallback(options?: IdempotentCallOptions): Promise<TestCallbackResponse>;

  /**
   * Rotate the webhook secret.
   *
   * For a transition period, webhooks are signed with both secrets, so that endpoints can switch without rejecting any. A signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
   *
   * Needs the scope `callback:manage`.
   */
  rotateCallbackSecret(input?: RotateCallbackSecretInput, options?: CallOptions): Promise<RotateCallbackSecretResponse>;

  /**
   * Retrieve webhook verification keys.
   *
   * Returns your merchant ID and the public keys for `v1a` signatures (Ed25519), which need no shared secret.
   *
   * Needs the scope `callback:read`.
   */
  getCallbackKeys(options?: CallOptions): Promise<GetCallbackKeysResponse>;

  /**
   * List webhook endpoints.
   *
   * The endpoint of the preference `callback-url`, if it is set, and the added endpoints.
   *
   * Needs the scope `callback:read`.
   */
  listWebhookEndpoints(options?: CallOptions): Promise<ListWebhookEndpointsResponse>;

  /**
   * Add a webhook endpoint.
   *
   * It receives events created from now on. At most 16 in addition to `callback-url`. Needs `transaction:read` too, since the endpoint receives payments. Endpoints can be added and changed 60 times per hour (`429 rate_limited`). Your endpoints, and the previous URLs of the last day, receive `callback.endpoint_changed`. A signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
   *
   * Needs the scope `callback:manage`.
   */
  addWebhookEndpoint(input: AddWebhookEndpointInput, options?: CallOptions): Promise<AddWebhookEndpointResponse>;

  /**
   * Retrieve a webhook endpoint.
   *
   * Needs the scope `callback:read`.
   */
  getWebhookEndpoint(input: GetWebhookEndpointInput, options?: CallOptions): Promise<WebhookEndpoint>;

  /**
   * Change a webhook endpoint.
   *
   * Omitted fields stay unchanged. Pending webhooks go to the new URL; new event types apply to events from then on. `url` and `event_types` need `transaction:read` too. Endpoints can be added and changed 60 times per hour (`429 rate_limited`). Your endpoints, and the previous URLs of the last day, receive `callback.endpoint_changed`. A signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
   *
   * Needs the scope `callback:manage`.
   */
  updateWebhookEndpoint(input: UpdateWebhookEndpointInput, options?: CallOptions): Promise<WebhookEndpoint>;

  /**
   * Rotate a webhook endpoint’s secret.
   *
   * Works as `POST /v1/callback/secret`, for one endpoint. A signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
   *
   * Needs the scope `callback:manage`.
   */
  rotateWebhookEndpointSecret(
    input: RotateWebhookEndpointSecretInput,
    options?: CallOptions,
  ): Promise<RotateWebhookEndpointSecretResponse>;

  /**
   * Send a test webhook to an endpoint.
   *
   * Sends `callback.test` now, regardless of the event types and status of the endpoint, and returns the response. A successful delivery enables an endpoint that was disabled after failures.
   *
   * Needs the scope `callback:send`.
   */
  testWebhookEndpoint(
    input: TestWebhookEndpointInput,
    options?: IdempotentCallOptions,
  ): Promise<TestWebhookEndpointResponse>;

  /**
   * Redeliver all failed webhooks of an endpoint.
   *
   * In order within a payment, invoice or withdrawal. Enables an endpoint that was disabled after failures.
   *
   * Needs the scope `callback:send`.
   */
  redeliverFailedCallbacks(
    input: RedeliverFailedCallbacksInput,
    options?: IdempotentCallOptions,
  ): Promise<RedeliverFailedCallbacksResponse>;

  /**
   * Remove a webhook endpoint.
   *
   * Its pending webhooks are not delivered; the events stay in `GET /v1/events`. Your endpoints, and the previous URLs of the last day, receive `callback.endpoint_changed`. A signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
   *
   * Needs the scope `callback:manage`.
   */
  removeWebhookEndpoint(
    input: RemoveWebhookEndpointInput,
    options?: IdempotentCallOptions,
  ): Promise<RemoveWebhookEndpointResponse>;

  /**
   * List payment methods.
   *
   * Needs the scope `transaction:read`.
   */
  listPaymentMethods(
    input: ListPaymentMethodsInput,
    options?: IdempotentCallOptions,
  ): Promise<ListPaymentMethodsResponse>;

  /**
   * Set a merchant’s payment methods.
   *
   * Sets which methods the merchant can use, and their fees. Applies all settings or none. An omitted fee stays unchanged; it is 0 initially.
   *
   * Needs the scope `preference:write` and a manager’s token.
   */
  setPaymentMethods(input: SetPaymentMethodsInput, options?: CallOptions): Promise<SetPaymentMethodsResponse>;

  /**
   * List preferences.
   *
   * Needs the scope `preference:read`.
   */
  listPreferences(options?: CallOptions): Promise<ListPreferencesResponse>;

  /**
   * Set a preference.
   *
   * `null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` also need the scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To change `callback-url`, a signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`). Each of these addresses can be changed 60 times per hour (`429 rate_limited`); unsetting it is not limited.
   *
   * Needs the scope `preference:write`.
   */
  setPreference(input: SetPreferenceInput, options?: CallOptions): Promise<Preference>;

  /**
   * Set several preferences.
   *
   * `null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` also need the scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To change `callback-url`, a signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`). Each of these addresses can be changed 60 times per hour (`429 rate_limited`); unsetting it is not limited.
   *
   * Needs the scope `preference:write`.
   */
  setPreferences(input: SetPreferencesInput, options?: IdempotentCallOptions): Promise<SetPreferencesResponse>;

  /**
   * List preference keys.
   *
   * Returns each key with its meaning, allowed values, default, current value, and who set it. `{CODE}` is expanded for each cryptocurrency.
   *
   * Needs the scope `preference:read`.
   */
  listPreferenceKeys(input?: ListPreferenceKeysInput, options?: CallOptions): Promise<ListPreferenceKeysResponse>;

  /**
   * Set several preferences (singular path).
   *
   * `null` unsets a preference. `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` also need the scope `withdrawal:write`, and `callback-url` needs `transaction:read`. To change `callback-url`, a signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`). Each of these addresses can be changed 60 times per hour (`429 rate_limited`); unsetting it is not limited.
   *
   * Needs the scope `preference:write`.
   */
  setPreferencesSingular(
    input: SetPreferencesSingularInput,
    options?: IdempotentCallOptions,
  ): Promise<SetPreferencesSingularResponse>;

  /**
   * Retrieve the logo.
   *
   * Needs the scope `preference:read`.
   */
  getLogo(options?: CallOptions): Promise<GetLogoResponse>;

  /**
   * Upload a logo.
   *
   * Payment pages show it in place of the image at `brand-logo-url`. The image is re-encoded as PNG of at most 256 × 256 pixels, without metadata or animation. A new upload replaces it.
   *
   * Needs the scope `preference:write`.
   */
  setLogo(input: SetLogoInput, options?: IdempotentCallOptions): Promise<SetLogoResponse>;

  /**
   * Remove the logo.
   *
   * Payment pages then show the image at `brand-logo-url`, or the initial of the name.
   *
   * Needs the scope `preference:write`.
   */
  removeLogo(options?: IdempotentCallOptions): Promise<RemoveLogoResponse>;

  /**
   * List members and invitations.
   *
   * Needs the scope `team:manage`.
   */
  listPeople(options?: CallOptions): Promise<ListPeopleResponse>;

  /**
   * Invite a member.
   *
   * Returns the invitation link. If a mail server is set up, the service also [emails](email.md) it. It is valid for seven days and lets its recipient join with this email address and role; with an existing account, they sign in and accept. A new invitation to the same address replaces the previous one. You cannot assign a role with a scope that you do not have (`403 forbidden`).
   *
   * Needs the scope `team:manage`.
   */
  invitePerson(input: InvitePersonInput, options?: CallOptions): Promise<InvitePersonResponse>;

  /**
   * Revoke an invitation.
   *
   * Needs the scope `team:manage`.
   */
  revokeInvitation(input: RevokeInvitationInput, options?: IdempotentCallOptions): Promise<RevokeInvitationResponse>;

  /**
   * Change the role of a member.
   *
   * You cannot assign a role with a scope that you do not have (`403 forbidden`). Access tokens and invitations that the member created and could not create with the new role are revoked.
   *
   * Needs the scope `team:manage`.
   */
  setPersonRole(input: SetPersonRoleInput, options?: IdempotentCallOptions): Promise<SetPersonRoleResponse>;

  /**
   * Remove a member.
   *
   * Ends their sessions for this merchant immediately, and revokes the access tokens and invitations that they created.
   *
   * Needs the scope `team:manage`.
   */
  removePerson(input: RemovePersonInput, options?: IdempotentCallOptions): Promise<RemovePersonResponse>;

  /**
   * List audit log entries.
   *
   * Newest first. Contains every change and export in the account area, and every administrative change by an access token or on the command line, successful or rejected. Administrative changes concern settings, methods, the webhook secret, tokens, the team and withdrawals. Payments by access tokens are in the event log.
   *
   * Needs the scope `audit:read`.
   */
  listAuditEntries(input?: ListAuditEntriesInput, options?: CallOptions): Promise<ListAuditEntriesResponse>;

  /**
   * List emails.
   *
   * Emails of the last 30 days to payers and to members, newest first. A failed email was rejected by the mail server, or could not be sent for two days. Addresses of payers are masked without the scope `approval:write`, those of members without `team:manage`.
   *
   * Needs the scope `preference:read`.
   */
  listEmails(input?: ListEmailsInput, options?: CallOptions): Promise<ListEmailsResponse>;

  /**
   * List merchants.
   *
   * Needs the scope `transaction:read` and a manager’s token.
   */
  listMerchants(input?: ListMerchantsInput, options?: CallOptions): Promise<ListMerchantsResponse>;

  /**
   * Create a merchant.
   *
   * Needs the scope `team:manage` and a manager’s token.
   */
  createMerchant(input: CreateMerchantInput, options?: CallOptions): Promise<CreateMerchantResponse>;

  /**
   * Create an access token.
   *
   * The token is returned only once. It has the role `merchant` and cannot have a scope that you do not have (`403 forbidden`, with its name).
   *
   * Needs the scope `token:manage`.
   */
  createAccessToken(input: CreateAccessTokenInput, options?: CallOptions): Promise<CreatedAccessToken>;

  /**
   * List access tokens.
   *
   * Valid tokens, newest first, including those issued to OAuth clients.
   *
   * Needs the scope `token:manage`.
   */
  listAccessTokens(input?: ListAccessTokensInput, options?: CallOptions): Promise<ListAccessTokensResponse>;

  /**
   * Revoke an access token.
   *
   * Takes effect immediately. A token can revoke itself.
   *
   * Needs the scope `token:manage`.
   */
  revokeAccessToken(input: RevokeAccessTokenInput, options?: IdempotentCallOptions): Promise<RevokeAccessTokenResponse>;

  /**
   * List acquirers.
   *
   * The acquirers of this release, with the credentials that their accounts need and the methods they offer.
   *
   * Needs the scope `acquirer:manage` and a manager’s token.
   */
  listAcquirers(input?: ListAcquirersInput, options?: CallOptions): Promise<ListAcquirersResponse>;

  /**
   * Test credentials.
   *
   * Calls the acquirer with credentials that are not stored. It charges nothing. A signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
   *
   * Needs the scope `acquirer:manage` and a manager’s token.
   */
  checkAcquirerCredentials(
    input: CheckAcquirerCredentialsInput,
    options?: IdempotentCallOptions,
  ): Promise<AcquirerCheck>;

  /**
   * List acquirer accounts.
   *
   * The accounts that your merchant uses: its own, and those that all merchants share.
   *
   * Needs the scope `acquirer:manage` and a manager’s token.
   */
  listAcquirerAccounts(options?: CallOptions): Promise<ListAcquirerAccountsResponse>;

  /**
   * Add an acquirer account.
   *
   * Test the credentials first with `POST /v1/acquirers/check`. Then enter `webhook_url` in the acquirer’s dashboard. A signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
   *
   * Needs the scope `acquirer:manage` and a manager’s token.
   */
  addAcquirerAccount(input: AddAcquirerAccountInput, options?: IdempotentCallOptions): Promise<AcquirerAccount>;

  /**
   * Retrieve an acquirer account.
   *
   * Needs the scope `acquirer:manage` and a manager’s token.
   */
  getAcquirerAccount(input: GetAcquirerAccountInput, options?: CallOptions): Promise<AcquirerAccount>;

  /**
   * Change an acquirer account.
   *
   * Changes its name, enables or disables it, or replaces its routes. Omitted fields stay unchanged. A signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
   *
   * Needs the scope `acquirer:manage` and a manager’s token.
   */
  updateAcquirerAccount(input: UpdateAcquirerAccountInput, options?: CallOptions): Promise<AcquirerAccount>;

  /**
   * Replace the credentials of an acquirer account.
   *
   * Replaces all credential fields, so that a stored secret is never sent to a new API URL. The webhook URL stays the same. A signed-in user must have confirmed their identity in the last five minutes (`403 step_up_required`).
   *
   * Needs the scope `acquirer:manage` and a manager’s token.
   */
  setAcquirerCredentials(input: SetAcquirerCredentialsInput, options?: IdempotentCallOptions): Promise<AcquirerAccount>;

  /**
   * Test the credentials of an acquirer account.
   *
   * Calls the acquirer with the stored credentials. It charges nothing.
   *
   * Needs the scope `acquirer:manage` and a manager’s token.
   */
  checkAcquirerAccount(input: CheckAcquirerAccountInput, options?: IdempotentCallOptions): Promise<AcquirerCheck>;
}

/** Method, path and form of input of each operation. */
export const endpoints = {
  createTransaction: { method: 'POST', path: '/fiat/v1/transaction', sends: 'body' },
  getTransaction: { method: 'GET', path: '/fiat/v1/transaction', sends: 'query' },
  sendPaymentLink: { method: 'POST', path: '/fiat/v1/transaction/send', sends: 'body' },
  listTransactions: { method: 'GET', path: '/fiat/v1/transactions', sends: 'query' },
  submitCard: { method: 'POST', path: '/fiat/v1/transaction/submit', sends: 'body' },
  acceptTransaction: { method: 'POST', path: '/fiat/v1/transaction/accept', sends: 'body' },
  rejectTransaction: { method: 'POST', path: '/fiat/v1/transaction/reject', sends: 'body' },
  cancelTransaction: { method: 'POST', path: '/fiat/v1/transaction/cancel', sends: 'body' },
  renewTransaction: { method: 'POST', path: '/fiat/v1/transaction/renew', sends: 'body' },
  captureTransaction: { method: 'POST', path: '/fiat/v1/transaction/capture', sends: 'body' },
  voidTransaction: { method: 'POST', path: '/fiat/v1/transaction/void', sends: 'body' },
  refundTransaction: { method: 'POST', path: '/fiat/v1/transaction/refund', sends: 'body' },
  erasePayer: { method: 'POST', path: '/v1/payers/erase', sends: 'body' },
  createReusableLink: { method: 'POST', path: '/fiat/v1/reusable-links', sends: 'body' },
  listReusableLinks: { method: 'GET', path: '/fiat/v1/reusable-links', sends: 'query' },
  getReusableLink: { method: 'GET', path: '/fiat/v1/reusable-link', sends: 'query' },
  updateReusableLink: { method: 'PATCH', path: '/fiat/v1/reusable-link', sends: 'body' },
  archiveReusableLink: { method: 'POST', path: '/fiat/v1/reusable-link/archive', sends: 'body' },
  createInvoice: { method: 'POST', path: '/v1/transaction/invoice', sends: 'body' },
  getCryptoTransaction: { method: 'GET', path: '/v1/transaction', sends: 'query' },
  listCryptoTransactions: { method: 'GET', path: '/v1/transactions', sends: 'query' },
  approveCryptoTransaction: { method: 'POST', path: '/v1/transaction/approve', sends: 'body' },
  rejectCryptoTransaction: { method: 'POST', path: '/v1/transaction/reject', sends: 'body' },
  listCurrencies: { method: 'GET', path: '/v1/currencies', sends: 'nothing' },
  listBalances: { method: 'GET', path: '/v1/balances', sends: 'nothing' },
  listWallets: { method: 'GET', path: '/v1/wallets', sends: 'query' },
  rotateWallet: { method: 'POST', path: '/v1/wallet/rotate', sends: 'body' },
  listWithdrawals: { method: 'GET', path: '/v1/withdrawals', sends: 'query' },
  createWithdrawal: { method: 'POST', path: '/v1/withdrawals', sends: 'body' },
  getWithdrawal: { method: 'GET', path: '/v1/withdrawal', sends: 'query' },
  submitWithdrawal: { method: 'POST', path: '/v1/withdrawal/submit', sends: 'body' },
  cancelWithdrawal: { method: 'POST', path: '/v1/withdrawal/cancel', sends: 'body' },
  listEvents: { method: 'GET', path: '/v1/events', sends: 'query' },
  listTransactionEvents: { method: 'GET', path: '/fiat/v1/transaction/events', sends: 'query' },
  getStatistics: { method: 'GET', path: '/v1/statistics', sends: 'query' },
  listRates: { method: 'GET', path: '/v1/rates', sends: 'query' },
  listCallbacks: { method: 'GET', path: '/v1/callbacks', sends: 'query' },
  getCallback: { method: 'GET', path: '/v1/callback', sends: 'query' },
  redeliverCallback: { method: 'POST', path: '/v1/callback/redeliver', sends: 'body' },
  testCallback: { method: 'POST', path: '/v1/callback/test', sends: 'emptyBody' },
  rotateCallbackSecret: { method: 'POST', path: '/v1/callback/secret', sends: 'body' },
  getCallbackKeys: { method: 'GET', path: '/v1/callback/keys', sends: 'nothing' },
  listWebhookEndpoints: { method: 'GET', path: '/v1/webhook-endpoints', sends: 'nothing' },
  addWebhookEndpoint: { method: 'POST', path: '/v1/webhook-endpoints', sends: 'body' },
  getWebhookEndpoint: { method: 'GET', path: '/v1/webhook-endpoint', sends: 'query' },
  updateWebhookEndpoint: { method: 'PATCH', path: '/v1/webhook-endpoint', sends: 'body' },
  rotateWebhookEndpointSecret: { method: 'POST', path: '/v1/webhook-endpoint/secret', sends: 'body' },
  testWebhookEndpoint: { method: 'POST', path: '/v1/webhook-endpoint/test', sends: 'body' },
  redeliverFailedCallbacks: { method: 'POST', path: '/v1/webhook-endpoint/redeliver', sends: 'body' },
  removeWebhookEndpoint: { method: 'POST', path: '/v1/webhook-endpoint/remove', sends: 'body' },
  listPaymentMethods: { method: 'POST', path: '/fiat/v1/merchant/payment-methods', sends: 'body' },
  setPaymentMethods: { method: 'PATCH', path: '/fiat/v1/merchant/payment-methods', sends: 'body' },
  listPreferences: { method: 'GET', path: '/v1/merchant/preferences', sends: 'nothing' },
  setPreference: { method: 'PATCH', path: '/v1/merchant/preferences', sends: 'body' },
  setPreferences: { method: 'POST', path: '/v1/merchant/preferences', sends: 'body' },
  listPreferenceKeys: { method: 'GET', path: '/v1/merchant/preferences/keys', sends: 'query' },
  setPreferencesSingular: { method: 'POST', path: '/v1/merchant/preference', sends: 'body' },
  getLogo: { method: 'GET', path: '/v1/merchant/logo', sends: 'nothing' },
  setLogo: { method: 'POST', path: '/v1/merchant/logo', sends: 'body' },
  removeLogo: { method: 'POST', path: '/v1/merchant/logo/remove', sends: 'emptyBody' },
  listPeople: { method: 'GET', path: '/v1/people', sends: 'nothing' },
  invitePerson: { method: 'POST', path: '/v1/people/invite', sends: 'body' },
  revokeInvitation: { method: 'POST', path: '/v1/people/uninvite', sends: 'body' },
  setPersonRole: { method: 'POST', path: '/v1/people/role', sends: 'body' },
  removePerson: { method: 'POST', path: '/v1/people/remove', sends: 'body' },
  listAuditEntries: { method: 'GET', path: '/v1/audit-log', sends: 'query' },
  listEmails: { method: 'GET', path: '/v1/emails', sends: 'query' },
  listMerchants: { method: 'GET', path: '/v1/merchants', sends: 'query' },
  createMerchant: { method: 'POST', path: '/v1/merchants', sends: 'body' },
  createAccessToken: { method: 'POST', path: '/v1/tokens', sends: 'body' },
  listAccessTokens: { method: 'GET', path: '/v1/tokens', sends: 'query' },
  revokeAccessToken: { method: 'POST', path: '/v1/token/revoke', sends: 'body' },
  listAcquirers: { method: 'GET', path: '/v1/acquirers', sends: 'query' },
  checkAcquirerCredentials: { method: 'POST', path: '/v1/acquirers/check', sends: 'body' },
  listAcquirerAccounts: { method: 'GET', path: '/v1/acquirer-accounts', sends: 'nothing' },
  addAcquirerAccount: { method: 'POST', path: '/v1/acquirer-accounts', sends: 'body' },
  getAcquirerAccount: { method: 'GET', path: '/v1/acquirer-account', sends: 'query' },
  updateAcquirerAccount: { method: 'PATCH', path: '/v1/acquirer-account', sends: 'body' },
  setAcquirerCredentials: { method: 'POST', path: '/v1/acquirer-account/credentials', sends: 'body' },
  checkAcquirerAccount: { method: 'POST', path: '/v1/acquirer-account/check', sends: 'body' },
} as const;

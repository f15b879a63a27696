/* Made from the OpenAPI document by `npm run generate`: change src/api, not this file. */
import type { CallOptions, RepeatableCallOptions } from './call.ts';

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
  | 'ARS'
  | 'AUD'
  | 'BDT'
  | 'BRL'
  | 'EUR'
  | 'IDR'
  | 'INR'
  | 'KES'
  | 'MXN'
  | 'MYR'
  | 'NGN'
  | 'NZD'
  | 'PHP'
  | 'THB'
  | 'USD'
  | 'VND';
export type LinkCreated = {
  type: 'link';
  /** US dollars for one unit of the currency */
  ex_rate: number;
  value: {
    /**
     * Format: uri
     * For the buyer; good once
     */
    link: string;
  };
  transaction_id: string;
  status: TransactionStatus;
  /** Format: date-time */
  expires_at: string;
};
export type TransactionStatus =
  | 'transaction_status_pending'
  | 'transaction_status_waiting'
  | 'transaction_status_confirmed'
  | 'transaction_status_failed';
export type CustomFormCreated = {
  type: 'custom_form';
  /** What to show the payer */
  amount_charged: number;
  currency: string;
  /** US dollars for one unit of the currency */
  ex_rate: number;
  transaction_id: string;
  status: TransactionStatus;
  /** Format: date-time */
  expires_at: string;
  /** For a browser: submits this one transaction, for 30 minutes */
  client_token: string;
  /**
   * Format: uri
   * The src of a <pay-form>
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
   * Which limit was reached
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
    | 'sign_in_person'
    | 'exports';
  /** To a payment page: work that it may do in place of waiting, and send the card again */
  challenge?: ProofChallenge;
  /** Whether the same request may succeed later */
  retryable: boolean;
  request_id: string;
};
/**
 * Stable: what a program should look at. There may be more in later releases.
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
  | 'second_factor_wrong'
  | 'second_factor_not_begun'
  | 'passkey_refused'
  | 'last_way_in'
  | 'account_exists'
  | 'invitation_over'
  | 'last_owner'
  | 'cross_site_request'
  | 'merchant_not_named'
  | 'method_not_allowed'
  | 'request_timeout'
  | 'transaction_id_conflict'
  | 'tx_id_conflict'
  | 'nothing_to_decide'
  | 'nothing_to_withdraw'
  | 'nothing_to_cancel'
  | 'nothing_to_sign'
  | 'submit_in_progress'
  | 'partly_paid'
  | 'too_many_ways'
  | 'overpaid'
  | 'already_paid'
  | 'nothing_to_accept'
  | 'not_renewable'
  | 'not_refundable'
  | 'no_callback_url'
  | 'not_cancellable'
  | 'no_challenge'
  | 'payment_method_mismatch'
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
  | 'provider_unavailable'
  | 'chain_unavailable'
  | 'unavailable';
export type FieldProblem = {
  /** Where: a JSON pointer (RFC 6901) into the body, or ?name for a query parameter */
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
  /** Goes back with the number */
  token: string;
};
export type TransactionDetail = {
  transaction_id: string;
  /** Format: date-time */
  created_at: string;
  /** Format: date-time */
  updated_at: string;
  /** Format: date-time */
  expires_at: string;
  /** What the transaction was made for */
  amount: number;
  /** What the buyer pays */
  amount_charged: number;
  /** What you get, less the fee */
  amount_delivered: number;
  /** What has arrived */
  amount_received: number;
  /** The amount refunded so far */
  refunded_amount: number;
  currency: string;
  /** ISO 3166-1 alpha-3 */
  country: string;
  descriptions: string;
  payment_method: string;
  status: TransactionStatus;
  /**
   * Why it failed, or stopped short of being paid
   */
  reason?: 'expired' | 'declined' | 'cancelled' | 'underpaid' | 'overpaid' | 'rejected' | 'reversed';
  /** The money came after the transaction had failed */
  late?: boolean;
  /** The last review decision; absent before one */
  decision?: {
    /** `token 2` or `person 3`: the same, whatever they are called later */
    by: string;
    /** What the person is called now; null for a token, and in events and callbacks: the names of your people are not sent out */
    by_name: string | null;
    /** Format: date-time */
    at: string;
    reason: string | null;
    is_approved: boolean;
  };
  /**
   * Whether the fee comes on top of the amount, or off it
   */
  type_of_fee_calculate: 'forward_without_fee' | 'forward_with_fee';
  /**
   * Format: uri
   * For the buyer; good once
   */
  link: string;
  merchant_fee_fix: number;
  merchant_fee_percent: number;
  /** The preference of this name */
  additional_currency: string;
  /** What one unit of the currency is in `additional_currency` */
  rate: number;
  /** The same, less your percent fee */
  rate_merchant_final: number;
  /** ISO 3166-1 alpha-2 of where the buyer seemed to be; absent when no source knew */
  buyer_country?: string;
  /** What said so: `address`, the database of addresses, or `header`, that of the operator’s proxy */
  buyer_country_source?: string;
  /** The network of the buyer’s address: a /24 of IPv4, a /48 of IPv6 */
  buyer_network?: string;
  /** Cards that were tried */
  attempts: AttemptSummary[];
  /** The payment instructions shown to the buyer, with their status */
  instructions: InstructionsSummary[];
  /** Money that has arrived by it */
  receipts: ReceiptSummary[];
  /** Its refunds, with their status */
  refunds: RefundSummary[];
  /** What can be done now: cancel, accept, reject, renew, refund */
  available_actions: string[];
  /** What happened, in order */
  timeline: TimelineEntry[];
};
export type AttemptSummary = {
  number: number;
  state: string;
  brand: string | null;
  first6: string;
  last4: string;
  three_d_secure: boolean;
  decline?: {
    code: string;
    advice: string;
  };
  /** Format: date-time */
  created_at: string;
};
export type InstructionsSummary = {
  number: number;
  payment_method: string;
  /** The bank or wallet that the buyer chose */
  choice: string | null;
  /** issued, paid, refused, withdrawn or expired */
  state: string;
  /** What the payment is known by at the buyer’s bank */
  reference: string | null;
  expires_at: string | null;
  /** The fewest that anything has that was seen on a chain and does not count yet; null when there is nothing such */
  confirmations: number | null;
  /** Format: date-time */
  created_at: string;
};
export type ReceiptSummary = {
  /** The ID of the money at the acquirer; of a crypto deposit, the hash of its transaction comes first */
  reference: string;
  amount: number;
  /** Which of `instructions` it came by */
  instructions_number: number;
  /** Format: date-time */
  received_at: string;
};
export type RefundSummary = {
  number: number;
  amount: number;
  state: 'pending' | 'succeeded' | 'failed';
  failure?: {
    code: string;
    detail: string;
  };
  /** Given back in a way of your own, past the provider */
  out_of_band?: boolean;
  /** Format: date-time */
  created_at: string;
  /** Format: date-time */
  updated_at: string;
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
  amount_received: number;
  /** The amount received, less refunds that succeeded or are pending */
  amount_kept: number;
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
/**
 * A currency of `GET /v1/currencies`
 */
export type CryptoCurrencyCode = 'btc' | 'eth' | 'usdt' | 'usdc' | 'ltc';
export type CryptoTransaction = {
  id: string;
  /** null for money that belongs to no invoice */
  txId: string | null;
  /**
   * What `invoice_type_default` was when it was made
   */
  type: 'static' | 'revolver' | 'user';
  code: CryptoCurrencyCode;
  /** What was asked for; null where any amount will do */
  amountRequired: string | null;
  amountRequiredUnit: string | null;
  walletAddress: string;
  walletType: 'static' | 'revolver' | 'user';
  /**
   * Format: uri
   * For a wallet app: BIP 21 or EIP-681
   */
  uri: string;
  status: CryptoStatus;
  /** What is to be known beside the status */
  labels: ('underpaid' | 'overpaid' | 'late' | 'duplicate' | 'wrong_wallet' | 'below_minimum' | 'replaced' | 'stray')[];
  /** What has been seen, in a block or not */
  amount: string;
  /** The same in whole coins */
  amountUnit: string;
  /** What is still asked for */
  amountDue: string;
  /** The fewest that any of its payments has */
  confirmations: number;
  /** From how many on a payment counts */
  minConfirmations: number;
  payments: CryptoPayment[];
  processingFeePercent: number;
  /** Of what is credited */
  processingFee: string;
  exchangeRate: {
    currency: string;
    /** What one whole coin is in `currency` */
    exchangeRate: string;
    /** What the amount is in `currency` */
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
     * A page for the payer
     */
    payment: string;
  };
  /** `transaction_id` of the payment that it pays, where it was made on the page of a payment link */
  fiatTransactionId: string | null;
  comment: string | null;
  /** `txId` of the invoice that unidentified money may have been meant for */
  meantFor: string | null;
  /** What a person has decided about its money, if one has */
  decision: {
    /** `token 2` or `person 3`: the same, whatever they are called later */
    by: string;
    /** What the person is called now; null for a token, and in events and callbacks: the names of your people are not sent out */
    byName: string | null;
    /** Format: date-time */
    at: string;
    reason: string | null;
    isApproved: boolean;
    refundAddress: string | null;
  } | null;
  /** What can be done about money that waits; `withdraw` by a manager */
  availableActions: ('approve' | 'reject' | 'withdraw')[];
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
  /** null where it does not expire */
  expiredAt: string | null;
};
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
  /** Empty for ether that a contract has sent: a balance tells of it, and no transaction */
  txHash: string;
  /** In the smallest unit */
  amount: string;
  /** 0 while it waits for a block; null when it is gone */
  confirmations: number | null;
  /**
   * Whether it counts: `accepted` by the rules or by a person; `undecided` waits for one
   */
  decision: 'accepted' | 'undecided' | 'rejected';
  /** When it was found spent by a transaction that the service did not make: it is no longer part of the wallet’s balance. null where it was not */
  writtenOffAt: string | null;
  /** Format: date-time */
  seenAt: string;
};
export type CryptoCurrency = {
  code: CryptoCurrencyCode;
  name: string;
  chain: string;
  /** Of the whole coin: amounts are whole numbers of its 10^-decimals */
  decimals: number;
  /** The least that an invoice may ask for */
  minAmount: string;
  minConfirmations: number;
};
export type Wallet = {
  walletAddress: string;
  code: 'btc' | 'eth' | 'usdt' | 'usdc' | 'ltc';
  walletType: 'static' | 'revolver' | 'user';
  state: 'serving' | 'resting' | 'rotated' | 'retired';
  /** What blocks brought of its currency and nobody has withdrawn, in the smallest unit: what lies on the chain, as far as blocks were read. Money of another currency that came to it is no part */
  balance: string;
  /** What the balance is made of; they add up to it */
  parts: BalanceParts;
  /** Seen, and in no block yet: no part of the balance */
  incoming: string;
  /** Of one that rests: when it may serve again */
  restsUntil: string | null;
  /** Format: date-time */
  createdAt: string;
  retiredAt: string | null;
};
export type BalanceParts = {
  /** It counts for its transactions, and is deep enough */
  credited: string;
  /** It will count by itself, once it is `minConfirmations` blocks deep */
  confirming: string;
  /** It waits for a person: `approved_required` */
  undecided: string;
  /** It came to a wallet that was retired: nobody’s, and never credited */
  stray: string;
  /** A person has refused it: it is to go back, or lies there until a manager withdraws it */
  rejected: string;
};
export type Withdrawal = {
  id: string;
  code: CryptoCurrencyCode;
  /**
   * `sweep`: by itself; `refund`: of a rejected transaction; `manual`: a manager asked for it; `gas`: the operator’s ether, for the fee of another withdrawal
   */
  purpose: 'sweep' | 'refund' | 'manual' | 'gas';
  status: WithdrawalStatus;
  /** A manager has cancelled it after its transaction was signed: a replacement is to be mined in its place. It ends `failed` where that is mined, and `confirmed` where the cancellation came too late */
  cancelling: boolean;
  /** null where it waits for nothing but blocks */
  waitsFor: WithdrawalWait | null;
  /** Why it is `failed`, in words */
  failure: string | null;
  /** Its destination is new: nothing leaves before then, and it can be cancelled; null where it is not */
  heldUntil: string | null;
  destination: string;
  /** What it takes from the wallets, in the smallest unit */
  spent: string;
  /** What arrives; null until its transaction is made. Of a replacement that cancels it: what returns to the wallet */
  amount: string | null;
  /** What it costs at most, in the smallest unit of `feeCode` */
  fee: string | null;
  /** The fee paid in its block, in the smallest unit of `feeCode`; null until it is in one. On Ethereum the rest of `fee` stays at the wallet, for its next withdrawal */
  feePaid: string | null;
  /** The part of `spent` that was no longer at the wallet, because it was spent elsewhere */
  writtenOff: string;
  /** `eth` for tokens; of other currencies the fee is taken from what is spent */
  feeCode: CryptoCurrencyCode;
  feeRate: string | null;
  /** The limit of the fee that holds for it; null where none does */
  limit: string | null;
  /** Of its last transaction, or of the one that was mined */
  txHash: string | null;
  /** Of all that were made for it, of which one at most is ever mined */
  txHashes: string[];
  confirmations: number;
  /** From how many on it is `confirmed` */
  minConfirmations: number;
  /** From which it takes how much */
  wallets: {
    address: string;
    /** In the smallest unit */
    amount: string;
  }[];
  /** The `id` of the crypto transaction that a refund gives back */
  transactionId: string | null;
  /** Of `gas`: the withdrawal that it is for */
  withdrawalId: string | null;
  /** Who asked for it, `token 2` or `person 3`; null where it was made by itself */
  requestedBy: string | null;
  /** What the person is called now; null where nobody or a token asked, and in events and callbacks */
  requestedByName: string | null;
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
};
export type WithdrawalStatus = 'waiting' | 'to_sign' | 'sent' | 'confirmed' | 'failed';
export type WithdrawalWait = {
  /**
   * `turn`: its turn comes; `fee`: the network’s fee is above a limit; `estimate`: independent estimates of the network’s fee disagree; `amount`: its fee is too large a part of it; `gas`: ether that tokens are moved with is on its way, or the gas wallet has too little; `sending`: written down, and about to be sent; `refused`: the node does not take it, and it is tried again; `destination`: its destination is new, and it is held until `heldUntil`
   */
  reason: 'turn' | 'fee' | 'estimate' | 'amount' | 'gas' | 'sending' | 'refused' | 'destination';
  /** In words */
  detail: string;
  /** Current network fee rate, in the unit of `feeRate` */
  feeNow: string | null;
  /** `max-fee-limit-auto-withdrawal-{CODE}`, or the operator’s limit where that is lower */
  limit: string | null;
};
export type PendingWithdrawalDestination = {
  code: CryptoCurrencyCode;
  /** null where automatic withdrawal was turned off */
  destination: string | null;
  previousDestination: string | null;
  /** Format: date-time */
  effectiveAt: string;
  requestedBy: string;
  /** Format: date-time */
  createdAt: string;
  /**
   * Why it does not hold yet: a new destination waits `WITHDRAWAL_DESTINATION_DELAY_HOURS`
   */
  reason: 'new_destination';
  /** What the person is called now; null for a token */
  requestedByName: string | null;
};
export type WithdrawalDetail = {
  id: string;
  code: CryptoCurrencyCode;
  /**
   * `sweep`: by itself; `refund`: of a rejected transaction; `manual`: a manager asked for it; `gas`: the operator’s ether, for the fee of another withdrawal
   */
  purpose: 'sweep' | 'refund' | 'manual' | 'gas';
  status: WithdrawalStatus;
  /** A manager has cancelled it after its transaction was signed: a replacement is to be mined in its place. It ends `failed` where that is mined, and `confirmed` where the cancellation came too late */
  cancelling: boolean;
  /** null where it waits for nothing but blocks */
  waitsFor: WithdrawalWait | null;
  /** Why it is `failed`, in words */
  failure: string | null;
  /** Its destination is new: nothing leaves before then, and it can be cancelled; null where it is not */
  heldUntil: string | null;
  destination: string;
  /** What it takes from the wallets, in the smallest unit */
  spent: string;
  /** What arrives; null until its transaction is made. Of a replacement that cancels it: what returns to the wallet */
  amount: string | null;
  /** What it costs at most, in the smallest unit of `feeCode` */
  fee: string | null;
  /** The fee paid in its block, in the smallest unit of `feeCode`; null until it is in one. On Ethereum the rest of `fee` stays at the wallet, for its next withdrawal */
  feePaid: string | null;
  /** The part of `spent` that was no longer at the wallet, because it was spent elsewhere */
  writtenOff: string;
  /** `eth` for tokens; of other currencies the fee is taken from what is spent */
  feeCode: CryptoCurrencyCode;
  feeRate: string | null;
  /** The limit of the fee that holds for it; null where none does */
  limit: string | null;
  /** Of its last transaction, or of the one that was mined */
  txHash: string | null;
  /** Of all that were made for it, of which one at most is ever mined */
  txHashes: string[];
  confirmations: number;
  /** From how many on it is `confirmed` */
  minConfirmations: number;
  /** From which it takes how much */
  wallets: {
    address: string;
    /** In the smallest unit */
    amount: string;
  }[];
  /** The `id` of the crypto transaction that a refund gives back */
  transactionId: string | null;
  /** Of `gas`: the withdrawal that it is for */
  withdrawalId: string | null;
  /** Who asked for it, `token 2` or `person 3`; null where it was made by itself */
  requestedBy: string | null;
  /** What the person is called now; null where nobody or a token asked, and in events and callbacks */
  requestedByName: string | null;
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
  /** What is to be signed elsewhere while it is `to_sign` */
  unsigned: {
    /**
     * `psbt`: BIP 174 in base64; `eip1559`: EIP-2718 of type 2, without a signature, in hexadecimal
     */
    format: 'psbt' | 'eip1559';
    data: string;
    /** Whose key signs it; null where each input names its own */
    sender: string | null;
    /** Of that key, below the account’s */
    path: string | null;
  } | null;
};
export type TransactionEvent = {
  type: 'fiat.transaction.updated';
  /** Format: date-time */
  timestamp: string;
  data: TransactionEventData;
  /** The same as the `webhook-id` of its callback */
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
  /** What the transaction was made for */
  amount: number;
  /** What the buyer pays */
  amount_charged: number;
  /** What you get, less the fee */
  amount_delivered: number;
  /** What has arrived */
  amount_received: number;
  /** The amount refunded so far */
  refunded_amount: number;
  currency: string;
  /** ISO 3166-1 alpha-3 */
  country: string;
  descriptions: string;
  payment_method: string;
  status: TransactionStatus;
  /**
   * Why it failed, or stopped short of being paid
   */
  reason?: 'expired' | 'declined' | 'cancelled' | 'underpaid' | 'overpaid' | 'rejected' | 'reversed';
  /** The money came after the transaction had failed */
  late?: boolean;
  /** The last review decision; absent before one */
  decision?: {
    /** `token 2` or `person 3`: the same, whatever they are called later */
    by: string;
    /** What the person is called now; null for a token, and in events and callbacks: the names of your people are not sent out */
    by_name: string | null;
    /** Format: date-time */
    at: string;
    reason: string | null;
    is_approved: boolean;
  };
  /**
   * Whether the fee comes on top of the amount, or off it
   */
  type_of_fee_calculate: 'forward_without_fee' | 'forward_with_fee';
  /**
   * Format: uri
   * For the buyer; good once
   */
  link: string;
  merchant_fee_fix: number;
  merchant_fee_percent: number;
  /** The preference of this name */
  additional_currency: string;
  /** What one unit of the currency is in `additional_currency` */
  rate: number;
  /** The same, less your percent fee */
  rate_merchant_final: number;
  /** ISO 3166-1 alpha-2 of where the buyer seemed to be; absent when no source knew */
  buyer_country?: string;
  /** What said so: `address`, the database of addresses, or `header`, that of the operator’s proxy */
  buyer_country_source?: string;
  /** The network of the buyer’s address: a /24 of IPv4, a /48 of IPv6 */
  buyer_network?: string;
  /** Cards that were tried */
  attempts: AttemptSummary[];
  /** The payment instructions shown to the buyer, with their status */
  instructions: InstructionsSummary[];
  /** Money that has arrived by it */
  receipts: ReceiptSummary[];
  /** Its refunds, with their status */
  refunds: RefundSummary[];
  /** What can be done now: cancel, accept, reject, renew, refund */
  available_actions: string[];
  /** What happened, in order */
  timeline: TimelineEntry[];
  /** Your merchant ID; a receiver refuses any other */
  merchant_id: number;
  previous_status:
    | 'transaction_status_pending'
    | 'transaction_status_waiting'
    | 'transaction_status_confirmed'
    | 'transaction_status_failed';
  /** From 1, without gaps, within the transaction */
  sequence: number;
};
export type CryptoTransactionEvent = {
  type: 'crypto.transaction.created' | 'crypto.transaction.updated';
  /** Format: date-time */
  timestamp: string;
  data: CryptoTransactionEventData;
  /** The same as the `webhook-id` of its callback */
  id: string;
};
export type CryptoTransactionEventData = {
  id: string;
  /** null for money that belongs to no invoice */
  txId: string | null;
  /**
   * What `invoice_type_default` was when it was made
   */
  type: 'static' | 'revolver' | 'user';
  code: CryptoCurrencyCode;
  /** What was asked for; null where any amount will do */
  amountRequired: string | null;
  amountRequiredUnit: string | null;
  walletAddress: string;
  walletType: 'static' | 'revolver' | 'user';
  /**
   * Format: uri
   * For a wallet app: BIP 21 or EIP-681
   */
  uri: string;
  status: CryptoStatus;
  /** What is to be known beside the status */
  labels: ('underpaid' | 'overpaid' | 'late' | 'duplicate' | 'wrong_wallet' | 'below_minimum' | 'replaced' | 'stray')[];
  /** What has been seen, in a block or not */
  amount: string;
  /** The same in whole coins */
  amountUnit: string;
  /** What is still asked for */
  amountDue: string;
  /** The fewest that any of its payments has */
  confirmations: number;
  /** From how many on a payment counts */
  minConfirmations: number;
  payments: CryptoPayment[];
  processingFeePercent: number;
  /** Of what is credited */
  processingFee: string;
  exchangeRate: {
    currency: string;
    /** What one whole coin is in `currency` */
    exchangeRate: string;
    /** What the amount is in `currency` */
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
     * A page for the payer
     */
    payment: string;
  };
  /** `transaction_id` of the payment that it pays, where it was made on the page of a payment link */
  fiatTransactionId: string | null;
  comment: string | null;
  /** `txId` of the invoice that unidentified money may have been meant for */
  meantFor: string | null;
  /** What a person has decided about its money, if one has */
  decision: {
    /** `token 2` or `person 3`: the same, whatever they are called later */
    by: string;
    /** What the person is called now; null for a token, and in events and callbacks: the names of your people are not sent out */
    byName: string | null;
    /** Format: date-time */
    at: string;
    reason: string | null;
    isApproved: boolean;
    refundAddress: string | null;
  } | null;
  /** What can be done about money that waits; `withdraw` by a manager */
  availableActions: ('approve' | 'reject' | 'withdraw')[];
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
  /** null where it does not expire */
  expiredAt: string | null;
  /** Your merchant ID; a receiver refuses any other */
  merchant_id: number;
  /** null in the first */
  previous_status:
    | ('pending' | 'waiting' | 'confirmed' | 'complete' | 'approved_required' | 'refunding' | 'refunded' | 'failed')
    | null;
  /** From 1, without gaps, within the transaction */
  sequence: number;
};
export type WithdrawalEvent = {
  type: 'crypto.withdrawal.updated';
  /** Format: date-time */
  timestamp: string;
  data: WithdrawalEventData;
  /** The same as the `webhook-id` of its callback */
  id: string;
};
export type WithdrawalEventData = {
  id: string;
  code: CryptoCurrencyCode;
  /**
   * `sweep`: by itself; `refund`: of a rejected transaction; `manual`: a manager asked for it; `gas`: the operator’s ether, for the fee of another withdrawal
   */
  purpose: 'sweep' | 'refund' | 'manual' | 'gas';
  status: WithdrawalStatus;
  /** A manager has cancelled it after its transaction was signed: a replacement is to be mined in its place. It ends `failed` where that is mined, and `confirmed` where the cancellation came too late */
  cancelling: boolean;
  /** null where it waits for nothing but blocks */
  waitsFor: WithdrawalWait | null;
  /** Why it is `failed`, in words */
  failure: string | null;
  /** Its destination is new: nothing leaves before then, and it can be cancelled; null where it is not */
  heldUntil: string | null;
  destination: string;
  /** What it takes from the wallets, in the smallest unit */
  spent: string;
  /** What arrives; null until its transaction is made. Of a replacement that cancels it: what returns to the wallet */
  amount: string | null;
  /** What it costs at most, in the smallest unit of `feeCode` */
  fee: string | null;
  /** The fee paid in its block, in the smallest unit of `feeCode`; null until it is in one. On Ethereum the rest of `fee` stays at the wallet, for its next withdrawal */
  feePaid: string | null;
  /** The part of `spent` that was no longer at the wallet, because it was spent elsewhere */
  writtenOff: string;
  /** `eth` for tokens; of other currencies the fee is taken from what is spent */
  feeCode: CryptoCurrencyCode;
  feeRate: string | null;
  /** The limit of the fee that holds for it; null where none does */
  limit: string | null;
  /** Of its last transaction, or of the one that was mined */
  txHash: string | null;
  /** Of all that were made for it, of which one at most is ever mined */
  txHashes: string[];
  confirmations: number;
  /** From how many on it is `confirmed` */
  minConfirmations: number;
  /** From which it takes how much */
  wallets: {
    address: string;
    /** In the smallest unit */
    amount: string;
  }[];
  /** The `id` of the crypto transaction that a refund gives back */
  transactionId: string | null;
  /** Of `gas`: the withdrawal that it is for */
  withdrawalId: string | null;
  /** Who asked for it, `token 2` or `person 3`; null where it was made by itself */
  requestedBy: string | null;
  /** What the person is called now; null where nobody or a token asked, and in events and callbacks */
  requestedByName: string | null;
  /** Format: date-time */
  createdAt: string;
  /** Format: date-time */
  updatedAt: string;
  /** Your merchant ID; a receiver refuses any other */
  merchant_id: number;
  /** null in the first */
  previous_status: ('waiting' | 'to_sign' | 'sent' | 'confirmed' | 'failed') | null;
  /** From 1, without gaps, within the withdrawal */
  sequence: number;
};
export type WithdrawalDestinationChangeEvent = {
  type: 'crypto.withdrawal.destination_changed';
  /** Format: date-time */
  timestamp: string;
  data: WithdrawalDestinationChangeEventData;
  /** The same as the `webhook-id` of its callback */
  id: string;
};
export type WithdrawalDestinationChangeEventData = {
  code: CryptoCurrencyCode;
  /** null where automatic withdrawal was turned off */
  destination: string | null;
  previousDestination: string | null;
  /** Format: date-time */
  effectiveAt: string;
  requestedBy: string;
  /** Format: date-time */
  createdAt: string;
  /** Your merchant ID; a receiver refuses any other */
  merchant_id: number;
  previous_status: null;
  sequence: 1;
};
export type CallbackUrlChangeEvent = {
  type: 'callback.url_changed';
  /** Format: date-time */
  timestamp: string;
  data: CallbackUrlChangeEventData;
  /** The same as the `webhook-id` of its callback */
  id: string;
};
export type CallbackUrlChangeEventData = {
  /** Your merchant ID; a receiver refuses any other */
  merchant_id: number;
  /** Origin of the new URL (no path or query, which may hold a secret); null: removed */
  url: string | null;
  /** Origin of the former URL; null: none was set */
  previous_url: string | null;
  /** Who changed it: `token 7` or `person 3` */
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
  /** By the currency of the transactions, most transactions first */
  currencies: {
    currency: string;
    count: number;
    paid_count: number;
    /** What has arrived for those that are paid */
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
    /** Paid of those that are paid or failed, from 0 to 1 with four decimals; null for none */
    paid_share: number | null;
    paid_in_additional_currency: {
      /** The preference `additional-currency` */
      currency: string;
      /** What has arrived for those that are paid, each at the rate that was kept with it, rounded once */
      amount: number;
      /** Paid ones that are in none of the amounts in this currency: it was another one when they were made */
      left_out: number;
    };
  };
  /** Every day of the span, also those without a transaction */
  days: {
    /** Format: date */
    date: string;
    count: number;
    paid_count: number;
    /** What has arrived for those that are paid, in the additional currency */
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
    /** What has arrived for those that are paid, in the additional currency */
    paid_amount: number;
  }[];
  /** Where the buyer seemed to be, or else the country of the transaction; most transactions first */
  countries: {
    /** ISO 3166-1 alpha-3 */
    country: string;
    count: number;
    paid_count: number;
    /** What has arrived for those that are paid, in the additional currency */
    paid_amount: number;
  }[];
  /** Why those that failed did, most frequent first */
  failures: {
    /** The `reason` of the transaction; for `declined` the code of its last decline, where there is one */
    reason: string;
    count: number;
  }[];
  /** What waits for a person now, whenever it was made; each counted to 1000 at most */
  waiting: {
    /** Crypto transactions that are `approved_required` */
    crypto_decisions: number;
    /** Transactions for which money has come that waits to be accepted or rejected: `awaits_decision` of the list */
    partly_paid: number;
    /** Callbacks that have failed for good */
    failed_callbacks: number;
  };
};
export type Callback = {
  /** The `webhook-id` */
  id: string;
  type: string;
  /** Your own reference; ours for money on a chain that belongs to no invoice and for withdrawals; of a changed destination the currency, of a changed callback URL `callback-url` */
  transaction_id: string;
  /** Of the event, within the transaction */
  sequence: number;
  /** Where a notice of a changed callback URL or destination goes; null: the present callback-url */
  url: string | null;
  state: 'pending' | 'delivered' | 'failed';
  attempts_made: number;
  /** What came of the last attempt; null while there was none */
  last_attempt: {
    /** Format: date-time */
    at: string;
    /** HTTP status of the answer; null when none came */
    status: number | null;
    error: string | null;
  } | null;
  /** null when there is none to come, or an earlier one comes first */
  next_attempt_at: string | null;
  /** Format: date-time */
  created_at: string;
  finished_at: string | null;
};
export type CallbackReceiver = {
  url: string | null;
  /** Of the first failure since the last success */
  failing_since: string | null;
  /** null while it is on */
  off_since: string | null;
  /** `gone`: it answered 410; `no_success`: nothing was delivered for five days */
  off_reason: ('gone' | 'no_success') | null;
};
export type CallbackDetail = {
  /** The `webhook-id` */
  id: string;
  type: string;
  /** Your own reference; ours for money on a chain that belongs to no invoice and for withdrawals; of a changed destination the currency, of a changed callback URL `callback-url` */
  transaction_id: string;
  /** Of the event, within the transaction */
  sequence: number;
  /** Where a notice of a changed callback URL or destination goes; null: the present callback-url */
  url: string | null;
  state: 'pending' | 'delivered' | 'failed';
  attempts_made: number;
  /** What came of the last attempt; null while there was none */
  last_attempt: {
    /** Format: date-time */
    at: string;
    /** HTTP status of the answer; null when none came */
    status: number | null;
    error: string | null;
  } | null;
  /** null when there is none to come, or an earlier one comes first */
  next_attempt_at: string | null;
  /** Format: date-time */
  created_at: string;
  finished_at: string | null;
  attempts: CallbackAttempt[];
};
export type CallbackAttempt = {
  number: number;
  /** Format: date-time */
  at: string;
  /** null when no callback-url was set */
  url: string | null;
  duration_ms: number;
  /** HTTP status of the answer; null when none came */
  status: number | null;
  error: string | null;
  /** The first 1024 characters of the answer’s body */
  answer: string | null;
};
export type Preference = {
  key: string;
  value: boolean | number | string | null;
  /** Format: date-time */
  created_at: string;
  /** Format: date-time */
  updated_at: string;
  /** Only while `value` does not hold yet */
  pending?: PendingPreference;
};
export type PendingPreference = {
  /** What holds until then; null where nothing does */
  current_value: boolean | number | string | null;
  /**
   * Format: date-time
   * From when on `value` holds
   */
  effective_at: string;
  /**
   * Why `value` does not hold yet
   */
  reason: 'new_destination';
};
export type PreferenceKey = {
  key: string;
  /** What it is for, in words */
  meaning: string;
  /**
   * What its value is; an `amount` is a whole number of the smallest unit of `code`, as a string (`wallet-rotate-amount-{CODE}` as a number where that is exact, up to 9007199254740991), and a list a string that holds a JSON array
   */
  type:
    | 'boolean'
    | 'integer'
    | 'decimal'
    | 'amount'
    | 'choice'
    | 'text'
    | 'url'
    | 'country_list'
    | 'origin_list'
    | 'colour'
    | 'address';
  /** The currency of an `amount` or an `address` */
  code?: string;
  /** The only values of a `choice` */
  readonly choices?: string[];
  minimum?: number;
  maximum?: number;
  /** Characters */
  max_length?: number;
  /** What holds while it is unset; null where nothing does */
  default: boolean | number | string | null;
  /**
   * What setting it needs
   */
  scope: 'preference:write' | 'withdrawal:write';
  /** Whether only a manager of the service may set it */
  manager_only: boolean;
  /** What it is set to; null while it is unset */
  value: boolean | number | string | null;
  /** Where `value` does not hold yet; null where it does */
  pending: PendingPreference | null;
  updated_at: string | null;
  /** Who set it, such as `token 7`; null while it is unset, for the command line, and where it is not known */
  updated_by: string | null;
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
  /** Where it was not a person: `token 12`, or `command line` with the name of the operating system’s user */
  actor: string | null;
  /** The identifier of an operation, or what was done with an account, such as `sign_in` */
  action: string;
  /** What it was done to */
  subject: string | null;
  before: unknown;
  after: unknown;
  /** `done`, or the code of the problem; `begun` where the process ended before it was known */
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
  | 'audit:read';
export type CreatedAccessToken = {
  /** What whoever decides something with it is named by: `token 7` */
  id: number;
  name: string;
  role: 'merchant' | 'manager';
  scopes: TokenScope[];
  /** Format: date-time */
  created_at: string;
  /** `person 3` or `token 7`; the person also for a token created with one of theirs. It ends when they leave. null for the command line and OAuth clients */
  created_by: string | null;
  /** What the person is called now; null for others */
  created_by_name: string | null;
  /** To the minute; null when it was never used */
  last_used_at: string | null;
  /** null for one that lives until it is revoked */
  expires_at: string | null;
  /** The token itself; shown this once */
  access_token: string;
};
export type AccessToken = {
  /** What whoever decides something with it is named by: `token 7` */
  id: number;
  name: string;
  role: 'merchant' | 'manager';
  scopes: TokenScope[];
  /** Format: date-time */
  created_at: string;
  /** `person 3` or `token 7`; the person also for a token created with one of theirs. It ends when they leave. null for the command line and OAuth clients */
  created_by: string | null;
  /** What the person is called now; null for others */
  created_by_name: string | null;
  /** To the minute; null when it was never used */
  last_used_at: string | null;
  /** null for one that lives until it is revoked */
  expires_at: string | null;
};
export type WebhookEvent =
  | FiatTransactionUpdatedWebhook
  | CryptoTransactionCreatedWebhook
  | CryptoTransactionUpdatedWebhook
  | CryptoWithdrawalUpdatedWebhook
  | CryptoWithdrawalDestinationChangedWebhook
  | CallbackUrlChangedWebhook
  | CallbackTestWebhook;
export type FiatTransactionUpdatedWebhook = {
  type: 'fiat.transaction.updated';
  /** Format: date-time */
  timestamp: string;
  data: TransactionEventData;
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
export type CallbackTestWebhook = {
  type: 'callback.test';
  /** Format: date-time */
  timestamp: string;
  data: TestEventData;
};
export type TestEventData = {
  /** Your merchant ID; a receiver refuses any other */
  merchant_id: number;
  message: string;
};
export type CreateTransactionInput = {
  transaction_id: TransactionReference;
  /** A method that is enabled for the country and the currency */
  payment_method: string;
  /** In the currency’s own decimals, such as 12.50; at most the maximum of the currency */
  amount: number;
  country: CountryAlpha3;
  currency: Currency;
  /** What is paid for; needed for a link */
  description?: string;
  /**
   * Format: uri
   * Where the buyer goes after success; needed for a link
   */
  success_redirect_url?: string;
  /**
   * Format: uri
   * Where the buyer goes after failure; needed for a link
   */
  fail_redirect_url?: string;
  /**
   * Whether the fee comes on top of the amount, or off it; needed for a link
   */
  type_of_calculation?: 'forward_without_fee' | 'forward_with_fee';
  /**
   * The kind of answer; link when left out
   */
  transaction_type?: 'link' | 'custom_form';
};
export type CreateTransactionAnswer = LinkCreated | CustomFormCreated;
export type GetTransactionInput = {
  transaction_id: string;
};
export type ListTransactionsInput = {
  /**
   * `asc` when left out and `order` is given
   */
  order_direction?: 'asc' | 'desc';
  /**
   * What to order by; newest first when left out
   */
  order?: 'created_at' | 'updated_at' | 'amount' | 'status' | 'transaction_id' | 'payment_method';
  /** Reaches 10,000 rows deep; beyond that go on by `cursor` */
  page?: number;
  /** How many at most; 20 when left out */
  per_page?: number;
  /** The `pagination.next_cursor` of the answer before; not beside `page` */
  cursor?: string;
  status?:
    | 'transaction_status_pending'
    | 'transaction_status_waiting'
    | 'transaction_status_confirmed'
    | 'transaction_status_failed';
  /**
   * Why it failed, or stopped short of being paid
   */
  reason?: 'expired' | 'declined' | 'cancelled' | 'underpaid' | 'overpaid' | 'rejected' | 'reversed';
  /**
   * Only those for which money has come that waits for you to accept or reject it
   */
  awaits_decision?: 'true';
  /** A method code, or one of qr_scan, promptpay, online_bank_transfer, cards, virtual_bank_account, upi2, ewallet, wire, mobile_money, cup, p2p, cash, agent, alipay, wechat */
  payment_method?: string;
  /** Made from then on: a date (UTC), a date-time, or Unix seconds */
  since?: string;
  /** Made until then: a date with its whole day, a date-time or Unix seconds exclusive */
  till?: string;
  currency?: Currency;
  country?: CountryAlpha3;
  /** What `transaction_id` begins with, letter for letter; four digits are the last ones of a card as well, and a number such as `12.50` the `amount` */
  search?: string;
};
export type ListTransactionsAnswer = {
  transactions: TransactionListItem[];
  pagination: {
    page: number | null;
    per_page: number;
    /** Counted to 10,000 at most */
    total: number;
    /** Whether there are more than were counted */
    total_capped: boolean;
    pages: number;
    /** Where to go on; null at the end */
    next_cursor: string | null;
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
  /** 3 digits, 4 on American Express; never kept */
  card_cvv: string;
  first_name: string;
  last_name: string;
  country: CountryAlpha2;
  /** State, province or region of the billing address */
  state: string;
  city: string;
  postcode: string;
  /** Street and number of the billing address */
  address: string;
  /** Digits, with the country code first */
  phone: string;
  email: string;
};
export type SubmitCardAnswer =
  | {
      response_type: '3ds_redirect';
      /** Where to send the payer: the bank asks there */
      redirect_url: string;
      message: string;
    }
  | {
      response_type: 'confirmed' | 'declined' | 'processing';
      transaction_id: string;
      status:
        | 'transaction_status_pending'
        | 'transaction_status_waiting'
        | 'transaction_status_confirmed'
        | 'transaction_status_failed';
      message: string;
      /** Where the buyer goes from here */
      redirect_url?: string;
      decline?: {
        code: string;
        /** What the card network said, where it said something */
        network_code: string | null;
        /** Whether the payment may be tried again */
        retryable: boolean;
        /**
         * What the buyer can sensibly do
         */
        advice: 'use_other_card' | 'check_details' | 'try_later' | 'do_not_retry';
      };
      /** How many cards may still be tried */
      attempts_left?: number;
      /** When to read the transaction for the outcome; do not charge again */
      poll_after_ms?: number;
    };
export type AcceptTransactionInput = {
  transaction_id: TransactionReference;
  /** Kept with the decision, for your own people */
  reason?: string;
};
export type RejectTransactionInput = {
  transaction_id: TransactionReference;
  /** Kept with the decision, for your own people */
  reason?: string;
  /** You have given the money back in a way of your own: it is only written down, and no provider is asked. Left out, it goes back by the way it came */
  out_of_band?: boolean;
};
export type CancelTransactionInput = {
  transaction_id: TransactionReference;
};
export type RenewTransactionInput = {
  transaction_id: TransactionReference;
};
export type RenewTransactionAnswer = LinkCreated | CustomFormCreated;
export type RefundTransactionInput = {
  transaction_id: TransactionReference;
  /** In the currency’s own decimals; all that is left when left out */
  amount?: number;
  /** You have given the money back in a way of your own: it is only written down, and no provider is asked. Left out, it goes back by the way it came */
  out_of_band?: boolean;
};
export type CreateInvoiceInput = {
  /** Your own reference, unique among your transactions of one currency */
  txId: string;
  code: CryptoCurrencyCode;
  /** A whole number of the currency’s smallest unit, such as satoshi or wei */
  amount: string;
  type: 'static' | 'revolver' | 'user' | 'invoice_type_default';
  /**
   * Format: date-time
   * When it ends, at most 24 hours from now; in 30 minutes when left out. Not for the type `user`
   */
  expiredAt?: string;
  /** For yourself; the payer does not see it */
  comment?: string;
};
export type GetCryptoTransactionInput = {
  /** Your own reference, unique among your transactions of one currency */
  txId?: string;
  code?: CryptoCurrencyCode;
  /** In place of `txId` and `code`: the `id` of an answer, for money that has no `txId` */
  id?: string;
};
export type ListCryptoTransactionsInput = {
  status?: CryptoStatus;
  code?: CryptoCurrencyCode;
  /** What `txId` begins with, letter for letter; or a whole `walletAddress` or `txHash` */
  search?: string;
  /** The `next_cursor` of the answer before */
  cursor?: string;
  /** How many at most; 20 when left out */
  per_page?: number;
};
export type ListCryptoTransactionsAnswer = {
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
  /** Where the money goes back to, with the scope `withdrawal:write`; without it nothing is sent */
  refundAddress?: string;
};
export type ListCurrenciesAnswer = {
  currencies: CryptoCurrency[];
};
export type ListWalletsInput = {
  state?: 'serving' | 'resting' | 'rotated' | 'retired';
  code?: 'btc' | 'eth' | 'usdt' | 'usdc' | 'ltc';
  /** The `next_cursor` of the answer before */
  cursor?: string;
  /** How many at most; 20 when left out */
  per_page?: number;
};
export type ListWalletsAnswer = {
  wallets: Wallet[];
  next_cursor: string | null;
};
export type RotateWalletInput = {
  /** In the form in which an invoice told it */
  walletAddress: string;
};
export type RotateWalletAnswer = {
  wallet: Wallet;
  /** Of a user’s wallet: the address that its invoice has now */
  replacedBy: string | null;
};
export type ListWithdrawalsInput = {
  status?: 'waiting' | 'to_sign' | 'sent' | 'confirmed' | 'failed';
  code?: CryptoCurrencyCode;
  /** The `next_cursor` of the answer before */
  cursor?: string;
  /** How many at most; 20 when left out */
  per_page?: number;
};
export type ListWithdrawalsAnswer = {
  withdrawals: Withdrawal[];
  /** Destinations of automatic withdrawals that were changed and do not hold yet, whatever the filters */
  pendingDestinations: PendingWithdrawalDestination[];
  next_cursor: string | null;
};
export type CreateWithdrawalInput = {
  code: CryptoCurrencyCode;
  /** The wallet whose money it is */
  walletAddress: string;
  /**
   * Which of its money: `credited`, `stray` (it came to a wallet that was retired) or `rejected` (without a refund)
   */
  source: 'credited' | 'stray' | 'rejected';
  /** Where it goes */
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
  /** The `next` of the answer before; without it, from the oldest that is kept */
  after?: string;
  /** How many at most; 20 when left out */
  limit?: number;
  /** Seconds to wait for the first one where there is none yet */
  wait?: number;
};
export type ListEventsAnswer = {
  events: (
    | TransactionEvent
    | CryptoTransactionEvent
    | WithdrawalEvent
    | WithdrawalDestinationChangeEvent
    | CallbackUrlChangeEvent
  )[];
  /** Where to go on; null while there has never been an event */
  next: string | null;
  /** Whether there are more already */
  has_more: boolean;
};
export type ListTransactionEventsInput = {
  transaction_id: string;
};
export type ListTransactionEventsAnswer = {
  events: TransactionEvent[];
};
export type GetStatisticsInput = {
  /** Made from then on: a date (in `time_zone`), a date-time, or Unix seconds; 30 days when left out */
  since?: string;
  /** Made until then: a date with its whole day, a date-time or Unix seconds exclusive; today when left out */
  till?: string;
  /** The IANA name of that by which days and hours are told; UTC when left out */
  time_zone?: string;
};
export type ListCallbacksInput = {
  state?: 'pending' | 'delivered' | 'failed';
  /** Your own reference of a fiat or crypto transaction, or our `id` of a crypto transaction or a withdrawal */
  transaction_id?: string;
  /** The `next_cursor` of the answer before */
  cursor?: string;
  /** How many at most; 20 when left out */
  per_page?: number;
};
export type ListCallbacksAnswer = {
  callbacks: Callback[];
  next_cursor: string | null;
  receiver: CallbackReceiver;
};
export type GetCallbackInput = {
  /** The `webhook-id` */
  id: string;
};
export type RedeliverCallbackInput = {
  /** The `webhook-id` */
  id: string;
};
export type TestCallbackAnswer = {
  /** Whether the answer was 2xx */
  delivered: boolean;
  /** Format: uri */
  url: string;
  duration_ms: number;
  status: number | null;
  error: string | null;
  answer: string | null;
};
export type RotateCallbackSecretInput = {
  /** How long the old secret signs beside the new one; 24 when left out, 0 when it has leaked */
  keep_hours?: number;
};
export type RotateCallbackSecretAnswer = {
  /** The new one; shown this once */
  callback_secret: string;
  /**
   * Format: date-time
   * Until then every callback is signed with the old one as well
   */
  previous_valid_until: string;
};
export type GetCallbackKeysAnswer = {
  /** The `merchant_id` in the `data` of your webhooks */
  merchant_id: number;
  /**
   * Format: uri
   * Publishes `keys`, without authentication
   */
  url: string;
  /** Verify the `v1a` signatures of your webhooks; no other merchant’s webhooks verify with them */
  keys: {
    type: 'ed25519';
    /** `whpk_` and 32 bytes in base64 */
    public_key: string;
  }[];
};
export type ListPaymentMethodsInput = {
  country: CountryAlpha3;
  currency: Currency;
};
export type ListPaymentMethodsAnswer = {
  payment_methods: {
    payment_method: string;
    currency: string;
    status: 'enable' | 'disable';
    /** How to have a disabled one turned on */
    message?: string;
    /** What an enabled one costs the merchant: in the currency’s own decimals */
    fee_fix?: number;
    /** And percent of the amount */
    fee_percent?: number;
  }[];
};
export type SetPaymentMethodsInput = {
  payment_methods: {
    payment_method: string;
    currency: Currency;
    status: 'enable' | 'disable';
    /** In the currency’s own decimals */
    fee_fix?: number;
    /** Of the amount, with at most 4 decimals */
    fee_percent?: number;
  }[];
};
export type SetPaymentMethodsAnswer = {
  payment_methods: {
    payment_method: string;
    currency: string;
    status: 'enable' | 'disable';
    fee_fix?: number;
    fee_percent?: number;
    /** Why an enabled method cannot be used yet: no provider carries it */
    message?: string;
  }[];
};
export type ListPreferencesAnswer = {
  merchantPreferences: Preference[];
};
export type SetPreferenceInput = {
  /** Such as `callback-url` */
  key: string;
  /** In the key’s own type or written as text; a list also as a string that holds a JSON array; null unsets it */
  value: boolean | number | string | string[] | null;
};
export type SetPreferencesInput = {
  preferences: {
    /** Such as `callback-url` */
    key: string;
    /** In the key’s own type or written as text; a list also as a string that holds a JSON array; null unsets it */
    value: boolean | number | string | string[] | null;
  }[];
};
export type SetPreferencesAnswer = {
  merchantPreferences: Preference[];
};
export type ListPreferenceKeysInput = {
  /** This one only */
  key?: string;
};
export type ListPreferenceKeysAnswer = {
  keys: PreferenceKey[];
};
export type SetPreferencesSingularInput = {
  preferences: {
    /** Such as `callback-url` */
    key: string;
    /** In the key’s own type or written as text; a list also as a string that holds a JSON array; null unsets it */
    value: boolean | number | string | string[] | null;
  }[];
};
export type SetPreferencesSingularAnswer = {
  merchantPreferences: Preference[];
};
export type ListPeopleAnswer = {
  people: Person[];
  invitations: Invitation[];
};
export type InvitePersonInput = {
  /** Format: email */
  email: string;
  /**
   * `viewer` looks, `operator` decides, `owner` sets
   */
  role: 'owner' | 'operator' | 'viewer';
};
export type InvitePersonAnswer = {
  invitation: Invitation;
  /**
   * Format: uri
   * Shown this once; whoever has it may join in the next seven days
   */
  link: string;
};
export type TakeBackInvitationInput = {
  /** As in the list of invitations */
  id: number;
};
export type TakeBackInvitationAnswer = {
  people: Person[];
  invitations: Invitation[];
};
export type SetPersonRoleInput = {
  id: number;
  /**
   * `viewer` looks, `operator` decides, `owner` sets
   */
  role: 'owner' | 'operator' | 'viewer';
};
export type SetPersonRoleAnswer = {
  people: Person[];
  invitations: Invitation[];
};
export type RemovePersonInput = {
  /** As in the list of people */
  id: number;
};
export type RemovePersonAnswer = {
  people: Person[];
  invitations: Invitation[];
};
export type ListAuditEntriesInput = {
  /** Only what this person has done */
  person?: number;
  /** The `next_cursor` of the answer before */
  cursor?: string;
  per_page?: number;
};
export type ListAuditEntriesAnswer = {
  entries: AuditEntry[];
  next_cursor: string | null;
};
export type ListMerchantsInput = {
  /** The beginning of a name, or an ID */
  search?: string;
  /** The `next_cursor` of the answer before */
  cursor?: string;
  per_page?: number;
};
export type ListMerchantsAnswer = {
  merchants: Merchant[];
  next_cursor: string | null;
};
export type CreateMerchantInput = {
  name: string;
};
export type CreateMerchantAnswer = {
  merchant: Merchant;
  /** Shown this once */
  callback_secret: string;
};
export type CreateAccessTokenInput = {
  /** What you call it */
  name: string;
  /** What it may do; nothing that you may not do yourself */
  scopes: TokenScope[];
  /**
   * Format: date-time
   * When it ends; when left out it lives until it is revoked
   */
  expires_at?: string;
};
export type ListAccessTokensInput = {
  /** The `next_cursor` of the answer before */
  cursor?: string;
  /** How many at most; 20 when left out */
  per_page?: number;
};
export type ListAccessTokensAnswer = {
  tokens: AccessToken[];
  next_cursor: string | null;
};
export type RevokeAccessTokenInput = {
  /** What whoever decides something with it is named by: `token 7` */
  id: number;
};
export type RevokeAccessTokenAnswer = {
  /** What whoever decides something with it is named by: `token 7` */
  id: number;
  /** Format: date-time */
  revoked_at: string;
};

/** Everything that the API does. */
export interface Operations {
  /**
   * Make a transaction and its one-time payment link.
   *
   * The same request again answers the same link, so that a retry is safe; another body under the same `transaction_id` is refused with `transaction_id_conflict`.
   *
   * Needs the scope `link:write`.
   */
  createTransaction(input: CreateTransactionInput, options?: RepeatableCallOptions): Promise<CreateTransactionAnswer>;

  /**
   * Read one transaction.
   *
   * Needs the scope `transaction:read`.
   */
  getTransaction(input: GetTransactionInput, options?: CallOptions): Promise<TransactionDetail>;

  /**
   * List transactions.
   *
   * Each filter is applied only when it is given. Newest first unless an order is named; ascending then. Pages reach 10,000 rows deep; beyond that go on with `pagination.next_cursor` or the `Link` header, which costs the same however deep.
   *
   * Needs the scope `transaction:read`.
   */
  listTransactions(input?: ListTransactionsInput, options?: CallOptions): Promise<ListTransactionsAnswer>;

  /**
   * Charge a card that was typed into your own form.
   *
   * Puts your servers in scope of PCI DSS; the link page and `<pay-form>` do not. A decline is an answer, not an error: `response_type` tells what became of it. A page may submit with the `client_token` of its transaction.
   *
   * Needs the scope `card:submit`.
   */
  submitCard(input: SubmitCardInput, options?: RepeatableCallOptions): Promise<SubmitCardAnswer>;

  /**
   * Take what has arrived, less or more than asked for, as the payment.
   *
   * Needs the scope `approval:write`.
   */
  acceptTransaction(input: AcceptTransactionInput, options?: RepeatableCallOptions): Promise<TransactionDetail>;

  /**
   * Refuse what has arrived, and give all of it back.
   *
   * The transaction becomes `failed` with the reason `rejected`, and what has arrived goes back by the way it came: `refunds` tells of it, as after a refund. What comes later waits for a decision of its own, whatever it is. Money that the provider cannot give back, as coins of a payment link, waits again: give it back yourself, and reject it `out_of_band`.
   *
   * Needs the scope `approval:write`.
   */
  rejectTransaction(input: RejectTransactionInput, options?: RepeatableCallOptions): Promise<TransactionDetail>;

  /**
   * End a transaction that is not paid.
   *
   * Needs the scope `link:write`.
   */
  cancelTransaction(input: CancelTransactionInput, options?: RepeatableCallOptions): Promise<TransactionDetail>;

  /**
   * Give an expired transaction a new link.
   *
   * The same transaction at the same price under the same `transaction_id`, with the full time again; the old link leads to the new one.
   *
   * Needs the scope `link:write`.
   */
  renewTransaction(input: RenewTransactionInput, options?: RepeatableCallOptions): Promise<RenewTransactionAnswer>;

  /**
   * Give back what has arrived, in whole or in part.
   *
   * Through the provider, by the way it came. The answer may have the refund still `pending`; a callback tells when it has `succeeded` or `failed`. What you have given back in a way of your own is written down with `out_of_band`. Give an `Idempotency-Key`: without one, a request for a part that is sent twice gives back twice.
   *
   * Needs the scope `approval:write`.
   */
  refundTransaction(input: RefundTransactionInput, options?: RepeatableCallOptions): Promise<TransactionDetail>;

  /**
   * Make an invoice that is paid on a chain.
   *
   * Answers an address of your own for it. The same `txId` and `code` again answer the same invoice; of the type `user` also with another `amount`, which is then shown as requested. Amounts are whole numbers of the smallest unit (satoshi, wei): `GET /v1/currencies` tells the decimals.
   *
   * Needs the scope `invoice:write`.
   */
  createInvoice(input: CreateInvoiceInput, options?: RepeatableCallOptions): Promise<CryptoTransaction>;

  /**
   * Read one crypto transaction with all of its payments.
   *
   * Needs the scope `transaction:read`.
   */
  getCryptoTransaction(input?: GetCryptoTransactionInput, options?: CallOptions): Promise<CryptoTransaction>;

  /**
   * List crypto transactions, newest first.
   *
   * `status=approved_required` is the list of all that waits for a person: what came late, less, more, twice, or belongs to no invoice. `availableActions` says what can be done about each.
   *
   * Needs the scope `transaction:read`.
   */
  listCryptoTransactions(
    input?: ListCryptoTransactionsInput,
    options?: CallOptions,
  ): Promise<ListCryptoTransactionsAnswer>;

  /**
   * Let money count that waits for a decision.
   *
   * Needs the scope `approval:write`.
   */
  approveCryptoTransaction(
    input: ApproveCryptoTransactionInput,
    options?: RepeatableCallOptions,
  ): Promise<CryptoTransaction>;

  /**
   * Refuse money that waits for a decision.
   *
   * With `refundAddress` it goes back: `refunding`, then `refunded`. That needs the scope `withdrawal:write` as well, and the refund to a new address is held for the destination delay. Without it the transaction is `failed`; rejected again with an address it is refunded, as long as its money has not been withdrawn.
   *
   * Needs the scope `approval:write`.
   */
  rejectCryptoTransaction(
    input: RejectCryptoTransactionInput,
    options?: RepeatableCallOptions,
  ): Promise<CryptoTransaction>;

  /**
   * List the currencies that invoices can be paid in.
   *
   * Needs the scope `transaction:read`.
   */
  listCurrencies(options?: CallOptions): Promise<ListCurrenciesAnswer>;

  /**
   * List wallets, newest first.
   *
   * With what each holds, in the smallest unit (`GET /v1/currencies` tells the decimals): `balance` is what lies on the chain, `parts` what of it is credited, will be, waits for a person or never is.
   *
   * Needs the scope `transaction:read`.
   */
  listWallets(input?: ListWalletsInput, options?: CallOptions): Promise<ListWalletsAnswer>;

  /**
   * Rotate a wallet, whatever it holds.
   *
   * No new invoice gets it; it is retired once the last one that has it is over. A user’s wallet is retired at once, and its invoice gets another address.
   *
   * Needs the scope `invoice:write` and a manager’s token.
   */
  rotateWallet(input: RotateWalletInput, options?: RepeatableCallOptions): Promise<RotateWalletAnswer>;

  /**
   * List withdrawals, newest first.
   *
   * `status=to_sign` is the list of all that somebody has to sign; `waitsFor` says why one is `waiting`.
   *
   * Needs the scope `transaction:read`.
   */
  listWithdrawals(input?: ListWithdrawalsInput, options?: CallOptions): Promise<ListWithdrawalsAnswer>;

  /**
   * Send money of a wallet to an address.
   *
   * What is credited there, what came after the wallet was retired, or what was rejected without a refund. The merchant’s limit of the fee does not hold for it, the operator’s do. To an address that is not the effective destination of automatic withdrawals it is held for the destination delay (`heldUntil`). A token holds `withdrawal:write` only where it was asked for.
   *
   * Needs the scope `withdrawal:write` and a manager’s token.
   */
  createWithdrawal(input: CreateWithdrawalInput, options?: RepeatableCallOptions): Promise<Withdrawal>;

  /**
   * Read one withdrawal, with what is to be signed.
   *
   * Needs the scope `transaction:read`.
   */
  getWithdrawal(input: GetWithdrawalInput, options?: CallOptions): Promise<WithdrawalDetail>;

  /**
   * Hand in what was signed elsewhere, and have it sent.
   *
   * It must be the very transaction that `GET /v1/withdrawal` shows under `unsigned`: the same inputs, destination and amount.
   *
   * Needs the scope `withdrawal:write`.
   */
  submitWithdrawal(input: SubmitWithdrawalInput, options?: RepeatableCallOptions): Promise<Withdrawal>;

  /**
   * Cancel a withdrawal that is not in a block.
   *
   * While it is held (`heldUntil`), with `withdrawal:write`; a manager also afterwards, until its transaction is in a block. Where nothing is signed yet, it is `failed` at once. Otherwise a replacement is made that pays more than every transaction sent: on Bitcoin and Litecoin it returns the same coins to one of their wallets, on Ethereum it uses the same nonce and moves nothing. `cancelling` is true until one of them is final: `failed` where the replacement is mined, `confirmed` where it came too late. Only the fee of the replacement is lost. Where the keys are elsewhere the replacement is `to_sign`. Cancelling again changes nothing. The money is free for another withdrawal afterwards: with `auto-withdrawal` credited money is swept again. The transaction of a refund is `failed`: reject it again with another `refundAddress`, or withdraw returned coins by hand as `rejected`.
   *
   * Needs the scope `withdrawal:write`.
   */
  cancelWithdrawal(input: CancelWithdrawalInput, options?: RepeatableCallOptions): Promise<Withdrawal>;

  /**
   * Pull what callbacks tell.
   *
   * For receivers behind a firewall, and after an outage. The same objects as callbacks carry, under the same `id`, in an order that never changes: keep `next`, and nothing is missed and nothing comes twice. Kept for 90 days. With `wait` the answer comes as soon as there is something.
   *
   * Needs the scope `transaction:read`.
   */
  listEvents(input?: ListEventsInput, options?: CallOptions): Promise<ListEventsAnswer>;

  /**
   * Read all events of one transaction.
   *
   * Needs the scope `transaction:read`.
   */
  listTransactionEvents(input: ListTransactionEventsInput, options?: CallOptions): Promise<ListTransactionEventsAnswer>;

  /**
   * Count what has become of transactions.
   *
   * Of the transactions that were made within a span of 366 days at most, the last 30 unless another one is asked for: how many are paid, and what has come, by currency, day, hour, method and country, and why others failed. Days and hours are those of `time_zone`, and so are dates in `since` and `till`.
   *
   * Needs the scope `transaction:read`.
   */
  getStatistics(input?: GetStatisticsInput, options?: CallOptions): Promise<Statistics>;

  /**
   * List callbacks, newest first.
   *
   * Needs the scope `callback:read`.
   */
  listCallbacks(input?: ListCallbacksInput, options?: CallOptions): Promise<ListCallbacksAnswer>;

  /**
   * Read one callback with every attempt to deliver it.
   *
   * Needs the scope `callback:read`.
   */
  getCallback(input: GetCallbackInput, options?: CallOptions): Promise<CallbackDetail>;

  /**
   * Send a callback once more, whatever became of it.
   *
   * At once, under the same `webhook-id`. A receiver that was switched off is on again.
   *
   * Needs the scope `callback:send`.
   */
  redeliverCallback(input: RedeliverCallbackInput, options?: RepeatableCallOptions): Promise<Callback>;

  /**
   * Send a callback.test to the callback-url now, and read what came back.
   *
   * When it is delivered, a receiver that was switched off is on again.
   *
   * Needs the scope `callback:send`.
   */
  testCallback(options?: RepeatableCallOptions): Promise<TestCallbackAnswer>;

  /**
   * Change the secret that signs callbacks.
   *
   * For a while callbacks carry a signature of either secret, so that receivers can change over without losing one.
   *
   * Needs the scope `callback:manage`.
   */
  rotateCallbackSecret(input?: RotateCallbackSecretInput, options?: CallOptions): Promise<RotateCallbackSecretAnswer>;

  /**
   * Read your merchant ID and the public keys that verify your webhooks.
   *
   * For receivers that check the `v1a` signature (ed25519), which needs no secret.
   *
   * Needs the scope `callback:read`.
   */
  getCallbackKeys(options?: CallOptions): Promise<GetCallbackKeysAnswer>;

  /**
   * List every method of a country and currency, each enabled or not.
   *
   * Needs the scope `transaction:read`.
   */
  listPaymentMethods(
    input: ListPaymentMethodsInput,
    options?: RepeatableCallOptions,
  ): Promise<ListPaymentMethodsAnswer>;

  /**
   * Set what a merchant may use, and what it costs.
   *
   * All or none. A fee that is not given stays as it was, and is 0 at first.
   *
   * Needs the scope `preference:write` and a manager’s token.
   */
  setPaymentMethods(input: SetPaymentMethodsInput, options?: CallOptions): Promise<SetPaymentMethodsAnswer>;

  /**
   * List all settings that are set.
   *
   * Needs the scope `preference:read`.
   */
  listPreferences(options?: CallOptions): Promise<ListPreferencesAnswer>;

  /**
   * Set one setting; null unsets it.
   *
   * `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` need the scope `withdrawal:write` as well.
   *
   * Needs the scope `preference:write`.
   */
  setPreference(input: SetPreferenceInput, options?: CallOptions): Promise<Preference>;

  /**
   * Set several settings, all or none.
   *
   * `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` need the scope `withdrawal:write` as well.
   *
   * Needs the scope `preference:write`.
   */
  setPreferences(input: SetPreferencesInput, options?: RepeatableCallOptions): Promise<SetPreferencesAnswer>;

  /**
   * List every setting that there is, with what it means.
   *
   * What its value may be, what holds while it is unset, what it is set to and who has done that. `{CODE}` of a key is written out for each cryptocurrency.
   *
   * Needs the scope `preference:read`.
   */
  listPreferenceKeys(input?: ListPreferenceKeysInput, options?: CallOptions): Promise<ListPreferenceKeysAnswer>;

  /**
   * Set several settings, under the path that is published for the sandbox.
   *
   * `auto-withdrawal` and `auto-withdrawal-destination-{CODE}` need the scope `withdrawal:write` as well.
   *
   * Needs the scope `preference:write`.
   */
  setPreferencesSingular(
    input: SetPreferencesSingularInput,
    options?: RepeatableCallOptions,
  ): Promise<SetPreferencesSingularAnswer>;

  /**
   * List who may sign in for the merchant, and who is invited.
   *
   * Needs the scope `team:manage`.
   */
  listPeople(options?: CallOptions): Promise<ListPeopleAnswer>;

  /**
   * Invite somebody to the account area.
   *
   * The link is for you to send: the service sends no mail. Whoever follows it within seven days joins with that e-mail address and role; who has an account already signs in and accepts. A new invitation of the same address ends the former one. You cannot give a role with a scope that you do not hold: that is `403 forbidden`.
   *
   * Needs the scope `team:manage`.
   */
  invitePerson(input: InvitePersonInput, options?: CallOptions): Promise<InvitePersonAnswer>;

  /**
   * Take an invitation back.
   *
   * Needs the scope `team:manage`.
   */
  takeBackInvitation(
    input: TakeBackInvitationInput,
    options?: RepeatableCallOptions,
  ): Promise<TakeBackInvitationAnswer>;

  /**
   * Change what somebody may do.
   *
   * You cannot give a role with a scope that you do not hold: that is `403 forbidden`. Access tokens and invitations that the person created, and could not create with the new role, end.
   *
   * Needs the scope `team:manage`.
   */
  setPersonRole(input: SetPersonRoleInput, options?: RepeatableCallOptions): Promise<SetPersonRoleAnswer>;

  /**
   * Take somebody out.
   *
   * Their sessions for this merchant end at once, and so do the access tokens and invitations that they created.
   *
   * Needs the scope `team:manage`.
   */
  removePerson(input: RemovePersonInput, options?: RepeatableCallOptions): Promise<RemovePersonAnswer>;

  /**
   * Read who has done what, newest first.
   *
   * Everything that people change in the account area, every file that they export, and every administrative change by an access token (settings, methods, the callback secret, tokens, the team, withdrawals) or on the command line, whether it was done or refused. Payments by access tokens are in the event log.
   *
   * Needs the scope `audit:read`.
   */
  listAuditEntries(input?: ListAuditEntriesInput, options?: CallOptions): Promise<ListAuditEntriesAnswer>;

  /**
   * List the merchants of the service.
   *
   * Needs the scope `transaction:read` and a manager’s token.
   */
  listMerchants(input?: ListMerchantsInput, options?: CallOptions): Promise<ListMerchantsAnswer>;

  /**
   * Make a merchant.
   *
   * Needs the scope `team:manage` and a manager’s token.
   */
  createMerchant(input: CreateMerchantInput, options?: CallOptions): Promise<CreateMerchantAnswer>;

  /**
   * Make an access token.
   *
   * The answer is the only time that it can be read. It has the role `merchant`, and no scope that you do not hold yourself: that is `403 forbidden`, with its name.
   *
   * Needs the scope `token:manage`.
   */
  createAccessToken(input: CreateAccessTokenInput, options?: CallOptions): Promise<CreatedAccessToken>;

  /**
   * List the access tokens that can be used, newest first.
   *
   * Also those that a client has got for its secret.
   *
   * Needs the scope `token:manage`.
   */
  listAccessTokens(input?: ListAccessTokensInput, options?: CallOptions): Promise<ListAccessTokensAnswer>;

  /**
   * End an access token at once.
   *
   * Also the one that asks for it.
   *
   * Needs the scope `token:manage`.
   */
  revokeAccessToken(input: RevokeAccessTokenInput, options?: RepeatableCallOptions): Promise<RevokeAccessTokenAnswer>;
}

/** Where each operation is, and what it is given there. */
export const places = {
  createTransaction: { method: 'POST', path: '/fiat/v1/transaction', sends: 'body' },
  getTransaction: { method: 'GET', path: '/fiat/v1/transaction', sends: 'query' },
  listTransactions: { method: 'GET', path: '/fiat/v1/transactions', sends: 'query' },
  submitCard: { method: 'POST', path: '/fiat/v1/transaction/submit', sends: 'body' },
  acceptTransaction: { method: 'POST', path: '/fiat/v1/transaction/accept', sends: 'body' },
  rejectTransaction: { method: 'POST', path: '/fiat/v1/transaction/reject', sends: 'body' },
  cancelTransaction: { method: 'POST', path: '/fiat/v1/transaction/cancel', sends: 'body' },
  renewTransaction: { method: 'POST', path: '/fiat/v1/transaction/renew', sends: 'body' },
  refundTransaction: { method: 'POST', path: '/fiat/v1/transaction/refund', sends: 'body' },
  createInvoice: { method: 'POST', path: '/v1/transaction/invoice', sends: 'body' },
  getCryptoTransaction: { method: 'GET', path: '/v1/transaction', sends: 'query' },
  listCryptoTransactions: { method: 'GET', path: '/v1/transactions', sends: 'query' },
  approveCryptoTransaction: { method: 'POST', path: '/v1/transaction/approve', sends: 'body' },
  rejectCryptoTransaction: { method: 'POST', path: '/v1/transaction/reject', sends: 'body' },
  listCurrencies: { method: 'GET', path: '/v1/currencies', sends: 'nothing' },
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
  listCallbacks: { method: 'GET', path: '/v1/callbacks', sends: 'query' },
  getCallback: { method: 'GET', path: '/v1/callback', sends: 'query' },
  redeliverCallback: { method: 'POST', path: '/v1/callback/redeliver', sends: 'body' },
  testCallback: { method: 'POST', path: '/v1/callback/test', sends: 'emptyBody' },
  rotateCallbackSecret: { method: 'POST', path: '/v1/callback/secret', sends: 'body' },
  getCallbackKeys: { method: 'GET', path: '/v1/callback/keys', sends: 'nothing' },
  listPaymentMethods: { method: 'POST', path: '/fiat/v1/merchant/payment-methods', sends: 'body' },
  setPaymentMethods: { method: 'PATCH', path: '/fiat/v1/merchant/payment-methods', sends: 'body' },
  listPreferences: { method: 'GET', path: '/v1/merchant/preferences', sends: 'nothing' },
  setPreference: { method: 'PATCH', path: '/v1/merchant/preferences', sends: 'body' },
  setPreferences: { method: 'POST', path: '/v1/merchant/preferences', sends: 'body' },
  listPreferenceKeys: { method: 'GET', path: '/v1/merchant/preferences/keys', sends: 'query' },
  setPreferencesSingular: { method: 'POST', path: '/v1/merchant/preference', sends: 'body' },
  listPeople: { method: 'GET', path: '/v1/people', sends: 'nothing' },
  invitePerson: { method: 'POST', path: '/v1/people/invite', sends: 'body' },
  takeBackInvitation: { method: 'POST', path: '/v1/people/uninvite', sends: 'body' },
  setPersonRole: { method: 'POST', path: '/v1/people/role', sends: 'body' },
  removePerson: { method: 'POST', path: '/v1/people/remove', sends: 'body' },
  listAuditEntries: { method: 'GET', path: '/v1/audit-log', sends: 'query' },
  listMerchants: { method: 'GET', path: '/v1/merchants', sends: 'query' },
  createMerchant: { method: 'POST', path: '/v1/merchants', sends: 'body' },
  createAccessToken: { method: 'POST', path: '/v1/tokens', sends: 'body' },
  listAccessTokens: { method: 'GET', path: '/v1/tokens', sends: 'query' },
  revokeAccessToken: { method: 'POST', path: '/v1/token/revoke', sends: 'body' },
} as const;

import type { Generated } from 'kysely';
import type { Instant } from '../shared/time.ts';

/*
 * One row type for each table. The same on SQLite and PostgreSQL: moments are microseconds, amounts
 * are minor units, truths are 0 or 1, JSON is text. Identifiers and amounts stay within 2^53.
 */

export interface MerchantTable {
  id: Generated<number>;
  name: string;
  /** Standard Webhooks form, `whsec_…`. */
  callback_secret: string;
  /** Signs beside the present one until its time is over. */
  previous_callback_secret: string | null;
  previous_callback_secret_until: Instant | null;
  created_at: Instant;
}

export interface AccessTokenTable {
  id: Generated<number>;
  merchant_id: number;
  role: 'merchant' | 'manager';
  /** SHA-256 of the token in hex; the token itself is not kept. */
  hash: string;
  /** Space-separated, as in RFC 6749. */
  scopes: string;
  created_at: Instant;
  last_used_at: Instant | null;
  revoked_at: Instant | null;
  /** What its owner calls it. */
  name: string;
  /** null for one that lives until it is revoked. */
  expires_at: Instant | null;
  /** The client that has got it for its secret. */
  oauth_client_id: number | null;
  /** `person 3`, also where they created it with a token of theirs; null for the command line and clients. */
  created_by: string | null;
  /** The token that created it: it ends with that one. */
  parent_token_id: number | null;
}

/** A program that gets short-lived tokens for a secret of its own (RFC 6749, section 4.4). */
export interface OAuthClientTable {
  id: Generated<number>;
  merchant_id: number;
  client_id: string;
  /** SHA-256 of the secret in hex. */
  secret_hash: string;
  role: 'merchant' | 'manager';
  scopes: string;
  name: string;
  created_at: Instant;
  revoked_at: Instant | null;
}

export interface PreferenceTable {
  merchant_id: number;
  key: string;
  /** JSON. */
  value: string;
  created_at: Instant;
  updated_at: Instant;
  /** Who did: `token 7`; null for the command line, and where it is not known. */
  updated_by: string | null;
}

export interface MerchantMethodTable {
  merchant_id: number;
  payment_method: string;
  currency: string;
  fee_fix_minor: number;
  /** Millionths of the amount: 2.9 % is 29,000. */
  fee_percent_millionths: number;
  created_at: Instant;
  /** Null while the merchant may use the method. */
  disabled_at: Instant | null;
}

export interface FiatTransactionTable {
  id: Generated<number>;
  merchant_id: number;
  /** The merchant's own reference. */
  transaction_id: string;
  link_id: string;
  kind: 'link' | 'custom_form';
  status: string;
  reason: string | null;
  /** 1 when the money came after the transaction had failed. */
  late: number;
  payment_method: string;
  country: string;
  currency: string;
  amount_minor: number;
  amount_charged_minor: number;
  amount_delivered_minor: number;
  amount_received_minor: number;
  /** Given back, or on its way back. */
  amount_refunded_minor: Generated<number>;
  fee_fix_minor: number;
  fee_percent_millionths: number;
  fee_calculation: string;
  description: string;
  success_redirect_url: string | null;
  fail_redirect_url: string | null;
  additional_currency: string;
  /** Decimals as text. */
  ex_rate: string;
  rate: string;
  rate_merchant_final: string;
  /** SHA-256 over the creation's fields: tells a repeated creation from a conflicting one. */
  request_digest: string;
  /** Where the buyer was seen to be, ISO 3166-1 alpha-2. */
  buyer_country: string | null;
  /** What said so: `address` (the database of addresses) or `header` (the operator's proxy). */
  buyer_country_source: string | null;
  /** The network of the buyer's address: a /24 of IPv4, a /48 of IPv6. */
  buyer_network: string | null;
  /** BCP 47; the language that the buyer chose on the page. */
  buyer_locale: string | null;
  /** Who has accepted or rejected its money last: `token 1`, `person 2`; null while nobody has. */
  decided_by: string | null;
  decided_at: Instant | null;
  decision_reason: string | null;
  /** The received amount that the merchant accepted as the payment; null where nothing was accepted. */
  accepted_minor: Generated<number | null>;
  /** Number of the last event; 0 is the creation. */
  sequence: number;
  created_at: Instant;
  updated_at: Instant;
  expires_at: Instant;
}

/** A link that leads on to the present one of its transaction. */
export interface FormerLinkTable {
  link_id: string;
  merchant_id: number;
  fiat_transaction_id: number;
  renewed_at: Instant;
}

export interface CardAttemptTable {
  id: Generated<number>;
  merchant_id: number;
  fiat_transaction_id: number;
  /** From 1, within the transaction. */
  number: number;
  /** What the provider knows the attempt by: one charge for one key, however often it is sent. */
  attempt_key: string;
  payment_method: string;
  /** What was asked for, in minor units of the transaction's currency, and the fee in it. */
  amount_minor: number;
  fee_fix_minor: number;
  fee_percent_millionths: number;
  state: string;
  provider: string;
  challenge_url: string | null;
  three_d_secure: number;
  brand: string | null;
  first6: string;
  last4: string;
  decline_code: string | null;
  decline_network_code: string | null;
  decline_retryable: number | null;
  decline_advice: string | null;
  /** Keyed hash that names the request which made it, where its sender gave it an `Idempotency-Key`. */
  submission_key: string | null;
  /** How often the provider was asked for an outcome that it had not given. */
  checks_made: number;
  /** When to ask again; null when there is nothing to ask, or when a person must. */
  next_check_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

export interface EventTable {
  id: Generated<number>;
  merchant_id: number;
  /** Whose it is: of the columns that name a subject one holds it, and the others nothing. */
  fiat_transaction_id: number | null;
  crypto_transaction_id: number | null;
  withdrawal_id: number | null;
  withdrawal_destination_id: number | null;
  callback_url_change_id: number | null;
  sequence: number;
  type: string;
  at: Instant;
  status: string;
  previous_status: string | null;
  detail: string | null;
  /** JSON: what GET answered at that moment. */
  data: string;
  /** The `webhook-id` of its callback; null for what no callback tells, the creation. */
  webhook_id: string | null;
  /** Its place in what the merchant pulls, a rising number; null until it is given one by a pull. */
  position: Generated<number | null>;
}

export interface CallbackTable {
  id: Generated<number>;
  merchant_id: number;
  /** Whose it is: of the columns that name a subject one holds it, and the others nothing. */
  fiat_transaction_id: number | null;
  crypto_transaction_id: number | null;
  withdrawal_id: number | null;
  withdrawal_destination_id: number | null;
  callback_url_change_id: number | null;
  sequence: number;
  event_id: number;
  /** The `webhook-id`: the same at every attempt. */
  webhook_id: string;
  state: 'pending' | 'delivered' | 'failed';
  attempts_made: number;
  next_attempt_at: Instant;
  created_at: Instant;
  finished_at: Instant | null;
  /** 1 while an earlier one of its transaction is pending: it is not due, whatever its time. */
  held: Generated<number>;
  /** The URL of a notice, whatever the callback URL is; null for the present callback URL. */
  url: Generated<string | null>;
}

/** When a merchant's callback URL was replaced or removed. */
export interface CallbackUrlChangeTable {
  id: Generated<number>;
  merchant_id: number;
  previous_url: string | null;
  url: string | null;
  /** Since when `previous_url` was the callback URL. */
  held_from: Instant | null;
  /** `token 7`, `person 3`. */
  requested_by: string;
  created_at: Instant;
}

export interface CallbackAttemptTable {
  id: Generated<number>;
  merchant_id: number;
  callback_id: number;
  number: number;
  url: string;
  at: Instant;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  /** The beginning of what the receiver answered. */
  answer: string | null;
}

/** The sandbox acquirer's own books. */
export interface SandboxChargeTable {
  id: Generated<number>;
  attempt_key: string;
  issuer_page_id: string;
  scenario: string;
  state: string;
  amount_minor: number;
  currency: string;
  merchant_name: string;
  last4: string;
  return_url: string;
  /** When the acquirer tells an outcome that it kept to itself. */
  notify_at: Instant | null;
  created_at: Instant;
}

/** What a buyer was told to do, by one method. */
export interface PaymentInstructionsTable {
  id: Generated<number>;
  merchant_id: number;
  fiat_transaction_id: number;
  /** From 1, within the transaction. */
  number: number;
  /** What the provider knows the payment by. */
  instructions_key: string;
  payment_method: string;
  /** What was asked for, in minor units of the transaction's currency, and the fee in it. */
  amount_minor: number;
  fee_fix_minor: number;
  fee_percent_millionths: number;
  choice: string | null;
  provider: string;
  state: string;
  /** JSON; null while the provider is asked. */
  instructions: string | null;
  reference: string | null;
  expires_at: Instant | null;
  /** The fewest that anything has that was seen on a chain and does not count yet; null when there is nothing such. */
  confirmations: number | null;
  /** When to ask the provider what has become of it; null when there is nothing to ask. */
  next_check_at: Instant | null;
  checks_made: number;
  created_at: Instant;
  updated_at: Instant;
}

/** Money that has arrived. */
export interface PaymentReceiptTable {
  id: Generated<number>;
  merchant_id: number;
  fiat_transaction_id: number;
  payment_instructions_id: number;
  /** The provider's own name for it. */
  receipt_key: string;
  amount_minor: number;
  received_at: Instant;
  created_at: Instant;
}

/** The sandbox bank's own books. */
export interface SandboxPushPaymentTable {
  id: Generated<number>;
  instructions_key: string;
  simulator_page_id: string;
  state: string;
  method: string;
  choice: string | null;
  amount_minor: number;
  currency: string;
  merchant_name: string;
  return_url: string;
  /** JSON; null for a payment that was withdrawn before it was seen. */
  issued: string | null;
  expires_at: Instant;
  /** When the simulated buyer pays after all, too late. */
  pays_late_at: Instant | null;
  created_at: Instant;
}

export interface SandboxReceiptTable {
  id: Generated<number>;
  sandbox_push_payment_id: number;
  receipt_key: string;
  amount_minor: number;
  received_at: Instant;
  /** 0 when the money counts. */
  confirmations_missing: number;
}

/** Somebody who signs in to the account area. */
export interface PersonTable {
  id: Generated<number>;
  /** In lower case. */
  email: string;
  name: string;
  /** 1 for the service's own staff, who are managers of all merchants. */
  is_manager: number;
  /** As `passwords.ts` writes it; null for who has none. */
  password_hash: string | null;
  /** An authenticator's secret, sealed; null without a second factor. */
  second_factor: string | null;
  /** The last period of time whose code was taken: no code counts twice (RFC 6238, section 5.2). */
  second_factor_step: number;
  /** One that waits for its first code, sealed. */
  new_second_factor: string | null;
  created_at: Instant;
  updated_at: Instant;
}

export interface MembershipTable {
  id: Generated<number>;
  merchant_id: number;
  person_id: number;
  role: 'owner' | 'operator' | 'viewer';
  created_at: Instant;
}

/** A public key credential (WebAuthn Level 3). */
export interface PasskeyTable {
  id: Generated<number>;
  person_id: number;
  /** base64url, as is the key (COSE). */
  credential_id: string;
  public_key: string;
  counter: number;
  /** Separated by spaces. */
  transports: string;
  is_synced: number;
  name: string;
  created_at: Instant;
  last_used_at: Instant | null;
}

/** Asked of an authenticator, and taken once. */
export interface PasskeyChallengeTable {
  challenge: string;
  /** For what, and of whom. */
  purpose: string;
  expires_at: Instant;
}

export interface RecoveryCodeTable {
  id: Generated<number>;
  person_id: number;
  /** SHA-256 in hex. */
  hash: string;
  used_at: Instant | null;
}

export interface SessionTable {
  id: Generated<number>;
  person_id: number;
  /** SHA-256 of what the cookie holds, in hex. */
  hash: string;
  method: 'passkey' | 'password';
  /** What must be done before it is good for anything. */
  step: 'done' | 'second_factor' | 'set_up_second_factor';
  address: string;
  user_agent: string;
  created_at: Instant;
  last_used_at: Instant;
  expires_at: Instant;
  ended_at: Instant | null;
  /** The last full proof of identity; null where the sign-in was not one. */
  stepped_up_at: Instant | null;
}

export interface InvitationTable {
  id: Generated<number>;
  /** Null for a manager. */
  merchant_id: number | null;
  email: string;
  role: 'owner' | 'operator' | 'viewer' | 'manager';
  /** SHA-256 of what the link holds, in hex. */
  hash: string;
  invited_by: string;
  created_at: Instant;
  expires_at: Instant;
  /** Also when it was taken back: it is good for nothing any more. */
  accepted_at: Instant | null;
  /** 1 where it restores access to an existing account; others only add a role to one. */
  is_reset: number;
}

/** What a person has done, or was not let do. */
export interface AuditEntryTable {
  id: Generated<number>;
  /** Null for what is about no merchant. */
  merchant_id: number | null;
  /** Null where nobody is known, such as after a wrong e-mail address. */
  person_id: number | null;
  /** `token 12` or `command line (alice)`; null for people. */
  actor: string | null;
  action: string;
  subject: string | null;
  /** JSON. */
  before: string | null;
  after: string | null;
  /** `begun` until it is known, then `done` or the code of the problem. */
  outcome: string;
  address: string;
  user_agent: string;
  request_id: string;
  at: Instant;
}

export interface ServiceKeyTable {
  name: string;
  value: string;
}

/** Facts of the installation as a whole: `environment`. */
export interface InstallationTable {
  name: string;
  value: string;
}

/** A request that its sender may repeat without its being done twice. */
export interface IdempotencyKeyTable {
  merchant_id: number;
  /** Whose key it is: an access token, or the page of a transaction. */
  identity: string;
  operation: string;
  /** Keyed hash of the caller, the operation and the key. */
  key: string;
  /** Keyed hash of the request, without what must not be kept. */
  request_digest: string;
  /** While it is worked on: until when nobody else may; null when it is answered. */
  held_until: Instant | null;
  status: number | null;
  /** JSON. */
  answer: string | null;
  created_at: Instant;
}

/** The generic cell rate algorithm's one number for each name. */
export interface RateLimitTable {
  name: string;
  /** When all that came would have come evenly. */
  reached_at: Instant;
}

/** Money that goes back to a buyer, from one charge or one expected payment. */
export interface RefundTable {
  id: Generated<number>;
  merchant_id: number;
  fiat_transaction_id: number;
  number: number;
  /** Its name between us and the provider. */
  refund_key: string;
  /** Keyed hash that names the request which asked for it, where its sender gave it an `Idempotency-Key`. */
  request_name: string | null;
  source: 'card' | 'push';
  /** The attempt or the instructions by which the money came. */
  charge_key: string;
  provider: string;
  amount_minor: number;
  state: string;
  failure_code: string | null;
  failure_detail: string | null;
  /** 1 for what the merchant has given back in a way of their own: no provider was asked. */
  out_of_band: Generated<number>;
  checks_made: number;
  next_check_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
}

export interface SandboxRefundTable {
  id: Generated<number>;
  refund_key: string;
  charge_key: string;
  amount_minor: number;
  state: string;
  succeeds_at: Instant | null;
  created_at: Instant;
}

/** How a merchant's receiver does; there is a row once it has failed. */
/** An account's extended public key, by its digest, and how many addresses of it have been given out. */
export interface WalletAccountTable {
  id: Generated<number>;
  name: string;
  chain: string;
  next_index: number;
  /** Suspected loss of the last writes: from when on, why, and the last block read then. Null: never suspected. */
  lost_writes_since: Instant | null;
  lost_writes_reason: string | null;
  lost_writes_height: number | null;
  /** When that was settled; no address is issued while it is not. */
  settled_at: Instant | null;
  /** Whether marks outside the database are kept. */
  has_mark: Generated<number>;
  /** Of PostgreSQL: the cluster and its timeline. */
  database_timeline: string | null;
  /** Each index below has a wallet, or a row in `unissued_addresses`. */
  watched_to: Generated<number>;
}

/** An address that was not issued: ahead of the next index, or skipped. A deposit to it is a sign of lost writes. */
export interface UnissuedAddressTable {
  wallet_account_id: number;
  derivation_index: number;
  chain: string;
  address: string;
}

/** A deposit to an address that this database has not issued. */
export interface UnissuedDepositTable {
  id: Generated<number>;
  wallet_account_id: number;
  derivation_index: number;
  chain: string;
  code: string;
  address: string;
  payment_key: string;
  tx_hash: string;
  amount: string;
  /** Null until it is in a block. */
  height: number | null;
  seen_at: Instant;
}

/** An address of ours that was given out to payers. */
export interface WalletTable {
  id: Generated<number>;
  merchant_id: number;
  chain: string;
  code: string;
  type: 'static' | 'revolver' | 'user';
  wallet_account_id: number;
  derivation_index: number;
  address: string;
  /** `rotated`: no new invoice gets it, those that have it are still paid; `retired`: nothing that comes to it is credited. */
  state: 'serving' | 'resting' | 'rotated' | 'retired';
  /** Of one that rests: when it may serve again, and from which block on. */
  rests_until: Instant | null;
  rests_until_height: number | null;
  /** What blocks brought of its currency and nobody has withdrawn. */
  balance: string;
  created_at: Instant;
  updated_at: Instant;
  retired_at: Instant | null;
}

/** A payment of a payment link in coins. */
export interface CoinPaymentTable {
  id: Generated<number>;
  instructions_key: string;
  /** Null where it was taken back before it was issued. */
  crypto_transaction_id: number | null;
  state: 'open' | 'closed';
  currency: string;
  amount_minor: number;
  /** The page that the payer comes back to. */
  return_url: string | null;
  /** JSON of `IssuedInstructions`. */
  issued: string | null;
  created_at: number;
  /** From when on the link is due to take up a change of its deposits; null where it has. */
  due_at: Instant | null;
}

/** What an arrival of coins is worth in the link's currency, as it was reckoned when it was first seen. */
export interface CoinReceiptTable {
  chain_payment_id: number;
  coin_payment_id: number;
  amount_minor: number;
}

/** What one whole coin is, the same for all who ask until it is held no more. */
export interface HeldRateTable {
  code: string;
  currency: string;
  /** A decimal. */
  rate: string;
  source: string;
  at: number;
  held_until: number;
}

/** Amounts are digits of the smallest unit. */
export interface CryptoTransactionTable {
  id: Generated<number>;
  merchant_id: number;
  /** What outsiders know it by. */
  public_id: string;
  /** The merchant's own reference; null for money that belongs to no invoice. */
  tx_id: string | null;
  /** `transaction_id` of the fiat payment that it pays. */
  pays_for: string | null;
  kind: 'invoice' | 'unidentified' | 'stray';
  type: 'static' | 'revolver' | 'user';
  chain: string;
  code: string;
  wallet_id: number;
  /** Of unidentified money: the invoice that it may have been meant for. */
  meant_for_id: number | null;
  status: string;
  /** JSON, a list of words. */
  labels: string;
  /** JSON: those that were given when the money came, and that no sum tells. */
  given_labels: string;
  amount_required: string | null;
  tolerance: string;
  amount: string;
  amount_credited: string;
  processing_fee_percent: string;
  min_confirmations: number;
  rejection: string | null;
  refund_address: string | null;
  decided_by: string | null;
  decided_at: Instant | null;
  decision_reason: string | null;
  /** JSON: the rate when it was made. */
  exchange_rate: string | null;
  comment: string | null;
  /** Money that no payer sent: the cancelled withdrawal that has returned it to the wallet. */
  returned_by: number | null;
  /** Number of the last event; the first is the creation. */
  sequence: number;
  created_at: Instant;
  updated_at: Instant;
  expires_at: Instant | null;
}

/** Money that was seen on a chain at an address of ours. */
export interface ChainPaymentTable {
  id: Generated<number>;
  merchant_id: number;
  wallet_id: number;
  crypto_transaction_id: number;
  chain: string;
  code: string;
  payment_key: string;
  tx_hash: string;
  amount: string;
  state: 'waiting' | 'mined' | 'gone';
  /** Whether it counts: by the rules, or because somebody has said so. */
  decision: 'accepted' | 'undecided' | 'rejected';
  height: number | null;
  block_hash: string | null;
  /** The height at which it is deep enough; null where it is in no block, or nobody waits for that. */
  counts_at: number | null;
  /** Of coins that were just made: the height from which on they may be spent. */
  spendable_from: number | null;
  /** By what it is spent, or is to be; of one that failed it is nobody's again once somebody asks for it. */
  withdrawal_id: number | null;
  /** When it was found spent outside the service; it is no part of its wallet's balance from then on. */
  written_off_at: Instant | null;
  /** The height of the last block that was read then. */
  written_off_height: number | null;
  /** The part of its amount that the operator has written off; null for none. The rest is still at the wallet. */
  written_off: Generated<string | null>;
  /** The deposit that vanished and whose place this one takes; null where it replaces none. */
  replaces_id: Generated<number | null>;
  /** The liability account that its amount is posted to; null for a dropped deposit. */
  ledger_account: string | null;
  seen_at: Instant;
  updated_at: Instant;
}

/** One movement of crypto money, from one account to another. Amounts are digits of the smallest unit. Append-only. */
export interface LedgerEntryTable {
  id: Generated<number>;
  at: Instant;
  chain: string;
  code: string;
  kind: string;
  debit: string;
  credit: string;
  amount: string;
  merchant_id: number | null;
  wallet_id: number | null;
  /** The deposit. */
  chain_payment_id: number | null;
  withdrawal_id: number | null;
}

/** The last comparison of a chain with the ledger. */
export interface ReconciliationTable {
  chain: string;
  at: Instant;
  /** The block that balances were compared at. */
  height: number;
  /** Number of wallets compared. */
  wallets: number;
  /** Number of differences that the operator has to look at. */
  unsettled: number;
  /** JSON of the differences. */
  differences: string;
}

/** Money that leaves wallets. Amounts are digits of the smallest unit. */
export interface WithdrawalTable {
  id: Generated<number>;
  merchant_id: number;
  /** What outsiders know it by. */
  public_id: string;
  chain: string;
  code: string;
  purpose: 'sweep' | 'refund' | 'manual' | 'gas';
  /** What its money must be until it is sent; null for gas, which is the operator's. */
  source: 'credited' | 'refunding' | 'stray' | 'rejected' | null;
  status: 'waiting' | 'to_sign' | 'sent' | 'confirmed' | 'failed';
  /** JSON. */
  waits_for: string | null;
  failure: string | null;
  destination: string;
  /** Whose money a refund gives back. */
  crypto_transaction_id: number | null;
  /** Of gas: the withdrawal that it is for. */
  funds_id: number | null;
  requested_by: string | null;
  /** On chains with accounts: whose transaction it is, and its place below the account (`/CHAIN/INDEX`). */
  sender: string | null;
  sender_chain: number | null;
  sender_index: number | null;
  nonce: number | null;
  /** What it takes from wallets. */
  spent: string;
  /** What arrives, what it costs at most and at which rate, by its last transaction; null where there is none yet. */
  amount: string | null;
  fee: string | null;
  fee_rate: string | null;
  fee_limit: string | null;
  tx_hash: string | null;
  /** The block that holds it; null while there is none. */
  height: number | null;
  block_hash: string | null;
  /** Whether it failed in its block, and moved nothing. */
  is_reverted: Generated<number>;
  /** On chains with accounts: the fee paid in its block, at most `fee`. */
  fee_paid: string | null;
  /** On chains with accounts: the part of `spent` that was no longer at the wallet. */
  written_off: string | null;
  /** It goes to a new address: nothing leaves before then. */
  held_until: Instant | null;
  /** When a manager asked for a transaction that takes the place of those signed; null where none did. */
  cancel_requested_at: Instant | null;
  /** Whether the transaction in its block is one that cancels it. */
  is_cancelled: Generated<number>;
  /** Number of the last event. */
  sequence: number;
  created_at: Instant;
  updated_at: Instant;
}

/** A transaction made for a withdrawal; of all that there are for one, one at most is ever mined. */
export interface WithdrawalVersionTable {
  id: Generated<number>;
  merchant_id: number;
  withdrawal_id: number;
  number: number;
  /** BIP 174 in base64, or EIP-2718 in hexadecimal. */
  unsigned: string;
  /** As it is sent; null until it is signed. */
  raw: string | null;
  /** null where only the signature tells it. */
  tx_hash: string | null;
  amount: string;
  fee: string;
  fee_rate: string;
  /** Of `fee_rate`, the part that the block's producer gets; null where a chain has no such part. */
  priority_rate: string | null;
  /** The height of the last block before it could first be sent. */
  since: number;
  /** The height of the last block when it was signed: from there on it is waited for. */
  signed_height: number | null;
  sent_at: Instant | null;
  /** What the node said against it, the last time. */
  refusal: string | null;
  /** Whether it returns the money instead of sending it. */
  cancels: Generated<number>;
  created_at: Instant;
}

/** Where a merchant's money goes by itself: the newest that is effective holds. */
export interface WithdrawalDestinationTable {
  id: Generated<number>;
  merchant_id: number;
  chain: string;
  code: string;
  /** null: nowhere. */
  address: string | null;
  previous_address: string | null;
  requested_by: string;
  effective_at: Instant;
  created_at: Instant;
}

/** What is sealed with a key that is not here. */
export interface SealedSecretTable {
  name: string;
  value: string;
  updated_at: Instant;
}

/** A wallet whose balance is compared with what is known to have come and gone, from a block on. */
export interface WatchedBalanceTable {
  wallet_id: number;
  chain: string;
  height: number;
  /** What it held in that block, in digits, and how many transactions it had sent; null until that is asked. */
  balance: string | null;
  sent: number | null;
  /** Whether payers use it for as long as they like: then it may wait for its turn. */
  is_patient: number;
  /** The height from which on no invoice waits for money there; null while one does. */
  idle_since: number | null;
}

/** How far a chain has been read, and by which process. */
export interface ChainCursorTable {
  id: Generated<number>;
  chain: string;
  /** Of the last block that was read; null until the chain was reached for the first time. */
  height: number | null;
  hash: string | null;
  /** The process that reads it until then, unless it says that it goes on. */
  holder: string | null;
  held_until: Instant | null;
  /** JSON: why nothing can be read now. */
  trouble: string | null;
  trouble_since: Instant | null;
  /** When the chain was last read to its end, the pool included. */
  read_to_end_at: Generated<Instant | null>;
  /** From where the operator has the chain read again; null once it is. */
  reanchor_height: Generated<number | null>;
  updated_at: Instant;
}

/** The last blocks that were read, by which a reorganisation is found. */
export interface ChainBlockTable {
  chain: string;
  height: number;
  hash: string;
}

/** A chain that is simulated: what a transaction costs there now. */
export interface SimulatedChainTable {
  chain: string;
  /** Digits: satoshi for a virtual byte, or wei for a unit of gas. */
  fee_rate: string;
  /** What of it goes to whoever makes the block; null on bitcoin. */
  priority_fee: string | null;
}

export interface SimulatedBlockTable {
  chain: string;
  height: number;
  hash: string;
  parent_hash: string;
  at: Instant;
}

export interface SimulatedTransactionTable {
  /** Also the order in which they came. */
  id: Generated<number>;
  chain: string;
  tx_hash: string;
  /** `failed` in a block, where it moved nothing; `dropped` for ever: nothing but its hash is left. */
  state: 'waiting' | 'mined' | 'failed' | 'dropped';
  /** null where it is in no block. */
  height: number | null;
  /** Whether it was sent as it is signed; others come from outside. */
  is_signed: number;
  /** The account that sends, on ethereum, of one that is signed; and what it may cost. */
  sender: string | null;
  nonce: number | null;
  gas_limit: number | null;
  max_fee_per_gas: string | null;
  max_priority_fee_per_gas: string | null;
  /** What one that is signed pays; on ethereum as it was in the last block that it was in. */
  fee: string | null;
}

export interface SimulatedOutputTable {
  transaction_id: number;
  place: number;
  /** null for what is not to be seen in its block: ether that a contract sends. */
  payment_key: string | null;
  address: string;
  code: string;
  amount: string;
  /** On bitcoin the transaction whose input it is, waiting or in a block. */
  spent_by_id: number | null;
}

export interface CallbackReceiverTable {
  merchant_id: number;
  failing_since: Instant;
  failed_at: Instant;
  off_at: Instant | null;
  off_reason: 'gone' | 'no_success' | null;
}

export interface Tables {
  merchants: MerchantTable;
  access_tokens: AccessTokenTable;
  oauth_clients: OAuthClientTable;
  preferences: PreferenceTable;
  merchant_methods: MerchantMethodTable;
  fiat_transactions: FiatTransactionTable;
  former_links: FormerLinkTable;
  card_attempts: CardAttemptTable;
  events: EventTable;
  callbacks: CallbackTable;
  callback_attempts: CallbackAttemptTable;
  callback_url_changes: CallbackUrlChangeTable;
  wallet_accounts: WalletAccountTable;
  unissued_addresses: UnissuedAddressTable;
  unissued_deposits: UnissuedDepositTable;
  wallets: WalletTable;
  crypto_transactions: CryptoTransactionTable;
  chain_payments: ChainPaymentTable;
  ledger_entries: LedgerEntryTable;
  reconciliations: ReconciliationTable;
  coin_payments: CoinPaymentTable;
  coin_receipts: CoinReceiptTable;
  held_rates: HeldRateTable;
  watched_balances: WatchedBalanceTable;
  people: PersonTable;
  memberships: MembershipTable;
  passkeys: PasskeyTable;
  passkey_challenges: PasskeyChallengeTable;
  recovery_codes: RecoveryCodeTable;
  sessions: SessionTable;
  invitations: InvitationTable;
  audit_entries: AuditEntryTable;
  chain_cursors: ChainCursorTable;
  withdrawals: WithdrawalTable;
  withdrawal_versions: WithdrawalVersionTable;
  withdrawal_destinations: WithdrawalDestinationTable;
  sealed_secrets: SealedSecretTable;
  chain_blocks: ChainBlockTable;
  simulated_chains: SimulatedChainTable;
  simulated_blocks: SimulatedBlockTable;
  simulated_transactions: SimulatedTransactionTable;
  simulated_outputs: SimulatedOutputTable;
  callback_receivers: CallbackReceiverTable;
  payment_instructions: PaymentInstructionsTable;
  payment_receipts: PaymentReceiptTable;
  refunds: RefundTable;
  sandbox_charges: SandboxChargeTable;
  sandbox_push_payments: SandboxPushPaymentTable;
  sandbox_receipts: SandboxReceiptTable;
  sandbox_refunds: SandboxRefundTable;
  service_keys: ServiceKeyTable;
  installation: InstallationTable;
  rate_limits: RateLimitTable;
  idempotency_keys: IdempotencyKeyTable;
}

import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { CryptoLabel, InvoiceType } from '../shared/crypto-status.ts';
import type { Instant } from '../shared/time.ts';
import type { InvoiceRules } from '../wallets/rules.ts';
import { isExactAmount, isLate } from './evaluate.ts';

/** A deposit just seen in a wallet. */
export interface NewDeposit {
  code: CryptoCurrencyCode;
  amount: bigint;
  seenAt: Instant;
}

export interface ReceivingWallet {
  type: InvoiceType;
  code: CryptoCurrencyCode;
  isRetired: boolean;
  /** True if it served an earlier invoice, whose payer may pay again. */
  isReused: boolean;
}

/** An invoice of the wallet that the deposit may be intended for: open, recently expired, or paid, but not rejected. */
export interface CandidateInvoice {
  id: number;
  amountRequired: bigint | null;
  tolerance: bigint;
  expiresAt: Instant | null;
  /** Deposits that it already has; `accepted` if at least one of them is accepted. */
  received: 'nothing' | 'unaccepted' | 'accepted';
}

/** Preferences of the merchant that affect attribution. */
export type AttributionRules = Pick<InvoiceRules, 'reviewAll' | 'acceptUnmatched' | 'minAmount'>;

/** Result of attributing a deposit: its transaction, and whether it is accepted without review. */
export type Attribution =
  /** Unattributed: received after the address was retired. */
  | { kind: 'stray' }
  | { kind: 'invoice'; id: number; isAccepted: boolean }
  /** A separate transaction, with the invoice that the deposit may be intended for. */
  | { kind: 'unidentified'; intendedFor: number | null; isAccepted: boolean; labels: CryptoLabel[] };

/**
 * Attributes a new deposit. It is credited to an invoice without review only if the match is certain: the first deposit,
 * the exact amount, in time, in the wallet's currency. Everything else needs review, unless the merchant's preferences
 * accept it.
 */
export function attributeDeposit(
  deposit: NewDeposit,
  wallet: ReceivingWallet,
  candidates: readonly CandidateInvoice[],
  rules: AttributionRules,
): Attribution {
  if (wallet.isRetired) return { kind: 'stray' };
  const toUnidentified = (intendedFor: CandidateInvoice | null, labels: CryptoLabel[]): Attribution => ({
    kind: 'unidentified',
    intendedFor: intendedFor?.id ?? null,
    isAccepted: rules.acceptUnmatched && !rules.reviewAll,
    labels,
  });
  const toInvoice = ({ id }: CandidateInvoice, isMatched: boolean): Attribution => ({
    kind: 'invoice',
    id,
    isAccepted: !rules.reviewAll && (isMatched || rules.acceptUnmatched),
  });
  if (deposit.code !== wallet.code) return toUnidentified(null, ['wrong_wallet']);
  if (wallet.type === 'user') {
    const [owner] = candidates;
    if (!owner) return toUnidentified(null, []);
    // The address belonged to an earlier link, whose payer may still pay: only the exact amount is certain.
    if (wallet.isReused && owner.expiresAt !== null)
      return { kind: 'invoice', id: owner.id, isAccepted: !rules.reviewAll && isFirstExact(owner, deposit.amount) };
    // A payment link can be paid in parts: the minimum applies to its price only.
    if (owner.expiresAt !== null || deposit.amount >= rules.minAmount) return toInvoice(owner, true);
    // Recorded separately, so that the invoice stays complete.
    return rules.acceptUnmatched && !rules.reviewAll
      ? toInvoice(owner, false)
      : toUnidentified(owner, ['below_minimum']);
  }
  const exact = candidates.filter((candidate) => isExactAmount(candidate, deposit.amount));
  const [match] = exact;
  if (match && exact.length === 1 && match.received === 'nothing') return toInvoice(match, !isLate(match, deposit));
  // A `revolver` wallet has one open invoice: an inexact deposit is assigned to it until one is accepted. At a wallet
  // that was used before, the sender is uncertain, so no preference can replace the review.
  const [only] = candidates;
  if (wallet.type === 'revolver' && only && only.received !== 'accepted')
    return wallet.isReused ? { kind: 'invoice', id: only.id, isAccepted: false } : toInvoice(only, false);
  const intendedFor = exact.length === 1 ? match : wallet.type === 'revolver' ? only : undefined;
  return intendedFor ? toUnidentified(intendedFor, ['duplicate']) : toUnidentified(null, []);
}

function isFirstExact(candidate: CandidateInvoice, amount: bigint): boolean {
  return candidate.received === 'nothing' && isExactAmount(candidate, amount);
}

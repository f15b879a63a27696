import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { CryptoLabel, InvoiceType } from '../shared/crypto-status.ts';
import type { Instant } from '../shared/time.ts';
import type { InvoiceRules } from '../wallets/rules.ts';
import { isExact } from './evaluate.ts';

/** Money that has just been seen at a wallet of ours. */
export interface Arrival {
  code: CryptoCurrencyCode;
  amount: bigint;
  seenAt: Instant;
}

export interface ReceivingWallet {
  type: InvoiceType;
  code: CryptoCurrencyCode;
  isRetired: boolean;
  /** Whether it served another invoice before, whose payer may pay again. */
  isReused: boolean;
}

/** An invoice that was issued with the wallet and is not settled: neither complete nor rejected. */
export interface Candidate {
  id: number;
  amountRequired: bigint | null;
  tolerance: bigint;
  expiresAt: Instant | null;
  /** Whether money is there for it already, and whether any of that is accepted. */
  has: 'nothing' | 'money' | 'accepted_money';
}

/** What the merchant has set about deposits. */
export type AttributionRules = Pick<InvoiceRules, 'reviewAll' | 'acceptUnmatched' | 'minAmount'>;

/** To whom money belongs, and whether it counts without a person. */
export type Attribution =
  /** It came to a wallet that is no longer used: nobody's, kept in a list. */
  | { kind: 'stray' }
  | { kind: 'invoice'; id: number; isAccepted: boolean }
  /** A transaction of its own, with the invoice that it may have been meant for. */
  | { kind: 'unidentified'; meantFor: number | null; isAccepted: boolean; labels: CryptoLabel[] };

/**
 * Gives money to an invoice by itself only where nothing else can be meant: it is exactly what is asked
 * for, in time, the first, and of the wallet's own currency. All else waits for a person, unless the
 * merchant has said that it is to count.
 */
export function attribute(
  arrival: Arrival,
  wallet: ReceivingWallet,
  candidates: readonly Candidate[],
  rules: AttributionRules,
): Attribution {
  if (wallet.isRetired) return { kind: 'stray' };
  const unidentified = (meantFor: Candidate | null, labels: CryptoLabel[]): Attribution => ({
    kind: 'unidentified',
    meantFor: meantFor?.id ?? null,
    isAccepted: rules.acceptUnmatched && !rules.reviewAll,
    labels,
  });
  const to = ({ id }: Candidate, isMatched: boolean): Attribution => ({
    kind: 'invoice',
    id,
    isAccepted: !rules.reviewAll && (isMatched || rules.acceptUnmatched),
  });
  if (arrival.code !== wallet.code) return unidentified(null, ['wrong_wallet']);
  if (wallet.type === 'user') {
    const [owner] = candidates;
    if (!owner) return unidentified(null, []);
    // Its address was given to another link before, whose payer may pay after all: only the exact amount is certain.
    if (wallet.isReused && owner.expiresAt !== null)
      return { kind: 'invoice', id: owner.id, isAccepted: !rules.reviewAll && isFirstExact(owner, arrival.amount) };
    // A payment link ends, and may be paid in parts: only its price has to reach the minimum.
    if (owner.expiresAt !== null || arrival.amount >= rules.minAmount) return to(owner, true);
    // On its own, so that what was credited before stays complete.
    return rules.acceptUnmatched && !rules.reviewAll ? to(owner, false) : unidentified(owner, ['below_minimum']);
  }
  const exact = candidates.filter((candidate) => isExact(candidate, arrival.amount));
  const [match] = exact;
  if (match && exact.length === 1 && match.has === 'nothing')
    return to(match, match.expiresAt === null || arrival.seenAt <= match.expiresAt);
  // A revolver's wallet is one invoice's alone: what is not exact is shown there, as long as nothing counts yet. Who
  // sent it is certain only at a wallet that nobody else ever paid to; elsewhere no setting stands for a person.
  const [only] = candidates;
  if (wallet.type === 'revolver' && only && only.has !== 'accepted_money')
    return wallet.isReused ? { kind: 'invoice', id: only.id, isAccepted: false } : to(only, false);
  const meantFor = exact.length === 1 ? match : wallet.type === 'revolver' ? only : undefined;
  return meantFor ? unidentified(meantFor, ['duplicate']) : unidentified(null, []);
}

function isFirstExact(candidate: Candidate, amount: bigint): boolean {
  return candidate.has === 'nothing' && isExact(candidate, amount);
}

/*
 * Our references at Adyen: the kind, our key, and for charges the amount. Webhooks return them, signed by Adyen. So the
 * kind of a notification and the full amount of a charge are read only from signed data. At most 80 characters.
 */

/** Kinds other than charges. `capture` and `void` are modifications of an authorized charge. */
type OtherKind = 'push' | 'refund' | 'reversal' | 'capture' | 'void';

/** A parsed reference. */
export type Reference = { kind: 'card'; key: string; value: number } | { kind: OtherKind; key: string };

/** The reference of a card charge. `value` is the amount in Adyen's minor units. */
export function cardReference(attemptKey: string, value: number): string {
  return `card_${attemptKey}_${value}`;
}

/** The reference of anything but a charge. */
export function toReference(kind: OtherKind, key: string): string {
  return `${kind}_${key}`;
}

const referenceForm = /^(?:card_([\w-]+)_(\d{1,15})|(push|refund|reversal|capture|void)_([\w-]+))$/;

/** Parses one of our references; null for any other, such as that of a payment made elsewhere with the same account. */
export function parseReference(reference: string): Reference | null {
  const [, attemptKey, value, kind, key] = referenceForm.exec(reference) ?? [];
  if (attemptKey !== undefined) return { kind: 'card', key: attemptKey, value: Number(value) };
  if (key === undefined) return null;
  return { kind: kind as OtherKind, key };
}

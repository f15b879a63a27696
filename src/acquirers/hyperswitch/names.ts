import { isRandomId } from '../../system/random.ts';

/**
 * Prefixes of our names at Hyperswitch. A prefix and one of our keys have the 30 characters that Hyperswitch requires,
 * so a name leads back to its key without a table.
 */
const prefixes = { charge: 'pc_', push: 'pp_', refund: 're_', reversal: 'rv_' } as const;
export type NameKind = keyof typeof prefixes;

/** The `payment_id` or `refund_id` of one of our keys. */
export function nameOf(kind: NameKind, key: string): string {
  if (!isRandomId(key)) throw new Error('Hyperswitch needs keys of 27 characters');
  return prefixes[kind] + key;
}

/** Reads one of our names; null for names of other systems that share the merchant account. */
export function parseName(name: string): { kind: NameKind; key: string } | null {
  for (const [kind, prefix] of Object.entries(prefixes) as [NameKind, string][]) {
    const key = name.slice(prefix.length);
    if (name.startsWith(prefix) && isRandomId(key)) return { kind, key };
  }
  return null;
}

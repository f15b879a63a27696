import { isRandomId } from '../../system/random.ts';

/**
 * Prefixes of our names at Hyperswitch. A prefix and one of our keys together have the 30 characters that Hyperswitch
 * requires. A name can be mapped back to its key without a table.
 */
const prefixes = { charge: 'pc_', push: 'pp_', refund: 're_', reversal: 'rv_' } as const;
export type NameKind = keyof typeof prefixes;

/** Returns the `payment_id` or `refund_id` for one of our keys. */
export function nameOf(kind: NameKind, key: string): string {
  if (!isRandomId(key)) throw new Error('Hyperswitch needs keys of 27 characters');
  return prefixes[kind] + key;
}

/** Parses one of our names; null for names of other systems that share the merchant account. */
export function parseName(name: string): { kind: NameKind; key: string } | null {
  for (const [kind, prefix] of Object.entries(prefixes) as [NameKind, string][]) {
    const key = name.slice(prefix.length);
    if (name.startsWith(prefix) && isRandomId(key)) return { kind, key };
  }
  return null;
}

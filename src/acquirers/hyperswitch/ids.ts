import { isRandomId } from '../../system/random.ts';

/**
 * Prefixes of our IDs at Hyperswitch. A prefix and one of our keys together have the 30 characters that Hyperswitch
 * requires. An ID can be mapped back to its key without a table.
 */
const prefixes = { charge: 'pc_', push: 'pp_', refund: 're_', reversal: 'rv_' } as const;
export type IdKind = keyof typeof prefixes;

/** Returns the `payment_id` or `refund_id` for one of our keys. */
export function idOf(kind: IdKind, key: string): string {
  if (!isRandomId(key)) throw new Error('Hyperswitch needs keys of 27 characters');
  return prefixes[kind] + key;
}

/** Parses one of our IDs; null for IDs of other systems that share the merchant account. */
export function parseId(id: string): { kind: IdKind; key: string } | null {
  for (const [kind, prefix] of Object.entries(prefixes) as [IdKind, string][]) {
    const key = id.slice(prefix.length);
    if (id.startsWith(prefix) && isRandomId(key)) return { kind, key };
  }
  return null;
}

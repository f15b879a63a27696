import { writeStored, readStored } from '../storage.ts';

export const fieldNames = [
  ...(['country', 'currency', 'payment_method', 'amount', 'type_of_calculation', 'description'] as const),
  ...(['transaction_id', 'success_redirect_url', 'fail_redirect_url'] as const),
] as const;
export type FieldName = (typeof fieldNames)[number];
export type Values = Record<FieldName, string>;
export type Mistakes = Partial<Record<FieldName, string>>;

/** Fields that are likely the same for the next link. */
const kept: readonly FieldName[] = [
  ...(['country', 'currency', 'payment_method'] as const),
  ...(['type_of_calculation', 'success_redirect_url', 'fail_redirect_url'] as const),
];

/** The values of a new form: what is likely the same as in `before`, and a reference of its own. */
export function freshValues(before: Partial<Values> = {}): Values {
  const random = [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => (byte % 36).toString(36)).join('');
  const day = new Date().toISOString().slice(2, 10).replaceAll('-', '');
  return {
    ...{ country: '', currency: '', payment_method: '', amount: '', description: '' },
    ...{ success_redirect_url: '', fail_redirect_url: '', type_of_calculation: 'forward_without_fee' },
    ...keptOf(before),
    transaction_id: `link-${day}-${random}`,
  };
}

function keptOf(values: Readonly<Record<string, unknown>>): Partial<Values> {
  return Object.fromEntries(kept.flatMap((name) => (typeof values[name] === 'string' ? [[name, values[name]]] : [])));
}

const keyOf = (merchant: number) => `paylatch-account-link-${merchant}`;

/** The values of the merchant's last link in this browser. */
export function rememberedValues(merchant: number): Partial<Values> {
  try {
    return keptOf(JSON.parse(readStored(keyOf(merchant)) ?? '{}') as Record<string, unknown>);
  } catch {
    return {};
  }
}

export function rememberValues(merchant: number, values: Values): void {
  writeStored(keyOf(merchant), JSON.stringify(keptOf(values)));
}

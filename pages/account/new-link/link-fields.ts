import { writeStored, readStored } from '../storage.ts';

export const fieldNames = [
  ...(['country', 'currency', 'payment_method', 'amount', 'type_of_calculation', 'description'] as const),
  ...(['transaction_id', 'success_redirect_url', 'fail_redirect_url'] as const),
] as const;
export type FieldName = (typeof fieldNames)[number];
export type FieldValues = Record<FieldName, string>;
export type FieldErrors = Partial<Record<FieldName, string>>;

/** Fields whose values are reused for the next link. */
const keptFields: readonly FieldName[] = [
  ...(['country', 'currency', 'payment_method'] as const),
  ...(['type_of_calculation', 'success_redirect_url', 'fail_redirect_url'] as const),
];

/** Initial values of the form: reused values of the previous link, and a new reference. */
export function initialValues(previous: Partial<FieldValues> = {}): FieldValues {
  const random = [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => (byte % 36).toString(36)).join('');
  const day = new Date().toISOString().slice(2, 10).replaceAll('-', '');
  return {
    ...{ country: '', currency: '', payment_method: '', amount: '', description: '' },
    ...{ success_redirect_url: '', fail_redirect_url: '', type_of_calculation: 'forward_without_fee' },
    ...keptValues(previous),
    transaction_id: `link-${day}-${random}`,
  };
}

function keptValues(values: Readonly<Record<string, unknown>>): Partial<FieldValues> {
  return Object.fromEntries(
    keptFields.flatMap((name) => (typeof values[name] === 'string' ? [[name, values[name]]] : [])),
  );
}

const storageKey = (merchant: number) => `paylatch-account-link-${merchant}`;

/** The values of the merchant's last link in this browser. */
export function rememberedValues(merchant: number): Partial<FieldValues> {
  try {
    return keptValues(JSON.parse(readStored(storageKey(merchant)) ?? '{}') as Record<string, unknown>);
  } catch {
    return {};
  }
}

export function rememberValues(merchant: number, values: FieldValues): void {
  writeStored(storageKey(merchant), JSON.stringify(keptValues(values)));
}

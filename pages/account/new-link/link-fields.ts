import { requiredAddressFields } from '../../../src/shared/address.ts';
import { alpha2Of } from '../countries.ts';
import { writeStored, readStored } from '../storage.ts';

/** `payer_country` is empty for the link's country. */
export const payerFieldNames = [
  ...(['first_name', 'last_name', 'email', 'phone', 'payer_country'] as const),
  ...(['address', 'city', 'state', 'postcode'] as const),
] as const;

/** Fields that need a value. */
export const requiredFields = [
  ...(['amount', 'description', 'country', 'currency', 'payment_method', 'type_of_calculation'] as const),
  'transaction_id',
] as const;

/**
 * Fields in the order of the form. `capture` is `manual` or empty; `lifetime` is in minutes, empty for
 * the merchant's default.
 */
export const fieldNames = [
  ...requiredFields,
  ...(['capture', 'lifetime', 'success_redirect_url', 'fail_redirect_url'] as const),
  ...payerFieldNames,
] as const;
export type FieldName = (typeof fieldNames)[number];
export type FieldValues = Record<FieldName, string>;
/** Maximum number of items, as in the API. */
export const MAX_ITEMS = 50;

/** Errors of the items: of each image, and `line_items` for all others. */
export const itemErrorNames = [
  ...Array.from({ length: MAX_ITEMS }, (_, index) => `item-image-${index}` as const),
  'line_items',
] as const;
/** Errors by field. */
export type FieldErrors = Partial<Record<FieldName | (typeof itemErrorNames)[number], string>>;

/** Alpha-2 code of the payer's country: by default the link's. */
export function payerCountryOf({ payer_country: own, country }: FieldValues): string {
  return alpha2Of(own || country) ?? '';
}

/** The state in a country's addresses, with its local name; undefined if they have none. */
export const stateFieldOf = (country: string) => requiredAddressFields(country).find(({ name }) => name === 'state');

/** An item as typed. */
export interface ItemValues {
  name: string;
  quantity: string;
  price: string;
  /** URL; empty without an image. */
  image: string;
  /** True once the user has opened the field of the image. */
  hasImageField?: boolean;
}

/** Lifetimes to choose from, in minutes. */
export const lifetimes = [60, 1440, 3 * 1440, 7 * 1440, 30 * 1440, 90 * 1440] as const;

/** Fields whose values are reused for the next link. */
const keptFields: readonly FieldName[] = [
  ...(['country', 'currency', 'payment_method', 'capture', 'lifetime'] as const),
  ...(['type_of_calculation', 'success_redirect_url', 'fail_redirect_url'] as const),
];

/** Initial values of the form: reused values of the previous link, and a new reference. */
export function initialValues(previous: Partial<FieldValues> = {}): FieldValues {
  const random = [...crypto.getRandomValues(new Uint8Array(4))].map((byte) => (byte % 36).toString(36)).join('');
  const day = new Date().toISOString().slice(2, 10).replaceAll('-', '');
  const empty = Object.fromEntries(fieldNames.map((name) => [name, ''])) as FieldValues;
  return {
    ...empty,
    type_of_calculation: 'forward_without_fee',
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

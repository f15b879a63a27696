import type { ReusableLink } from '../../../client/api.ts';
import { decimalSeparator } from '../../../src/shared/amount-input.ts';

export type TextName =
  | 'title'
  | 'description'
  | 'image'
  | 'amount'
  | 'minimum'
  | 'maximum'
  | 'suggested'
  | 'stock'
  | 'quantity'
  | 'success';
export type FieldName = TextName | 'country' | 'currency' | 'payment_method';

/** API field paths, by form field name. */
export const servicePaths: Readonly<Partial<Record<FieldName, string>>> = {
  minimum: 'custom_amount/minimum',
  maximum: 'custom_amount/maximum',
  suggested: 'custom_amount/suggested',
  quantity: 'quantity/maximum',
  image: 'image_url',
  success: 'success_redirect_url',
};

export function emptyValues(): Record<FieldName, string> {
  return {
    ...{ title: '', description: '', image: '', amount: '', minimum: '', maximum: '', suggested: '' },
    ...{ stock: '', quantity: '', success: '' },
    ...{ country: '', currency: '', payment_method: '' },
  };
}

export function valuesOf(link: ReusableLink, locale: string): Record<FieldName, string> {
  const number = (value: number | null | undefined) => (value === null || value === undefined ? '' : String(value));
  const amount = (value: number | null | undefined) => number(value).replace('.', decimalSeparator(locale));
  return {
    ...{ title: link.title, description: link.description ?? '', image: link.image_url ?? '' },
    ...{ amount: amount(link.amount), suggested: amount(link.custom_amount?.suggested) },
    ...{ minimum: amount(link.custom_amount?.minimum), maximum: amount(link.custom_amount?.maximum) },
    ...{
      stock: number(link.stock),
      quantity: number(link.quantity?.maximum),
      success: link.success_redirect_url ?? '',
    },
    ...{ country: link.country, currency: link.currency, payment_method: link.payment_method },
  };
}

export function toggled<Name>(names: ReadonlySet<Name>, name: Name, isIncluded: boolean): ReadonlySet<Name> {
  const others = [...names].filter((each) => each !== name);
  return new Set(isIncluded ? [...others, name] : others);
}

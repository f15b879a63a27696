import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import type { AccountContext } from '../context.ts';
import type { FilterName } from './filters.ts';
import { nameOfMethod } from './methods.ts';
import { cryptoStatuses, fiatStatuses, statusText } from './status.ts';

/** The value of a filter as its control shows it. */
export function filterValueText(name: FilterName, value: string, { i18n, format }: AccountContext): string {
  if (name === 'status') {
    const status = [...fiatStatuses, ...cryptoStatuses].find((each) => each === value);
    return status ? statusText(status, i18n) : value;
  }
  if (name === 'payment_method') return nameOfMethod(value, i18n);
  if (name === 'code') return cryptoCurrencies[value as keyof typeof cryptoCurrencies]?.name ?? value;
  if (name === 'country') return format.country(value);
  return value;
}

import { z } from 'zod';
import { currencyCodes } from '../shared/currencies.ts';

export { type CurrencyCode, currencyCodes, maximumAmountOf, minorUnitsOf } from '../shared/currencies.ts';

/** An active ISO 4217 code in capital letters. The method catalog and routes determine the methods of a currency. */
export const currencyCode = z
  .enum(currencyCodes, {
    error: (issue) =>
      issue.input === undefined ? undefined : 'must be an active ISO 4217 code in capital letters, such as USD',
  })
  .meta({ id: 'Currency', description: 'ISO 4217' });

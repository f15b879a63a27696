import { z } from 'zod';
import { currencyCodes } from '../shared/currencies.ts';

export {
  type CurrencyCode,
  currencyCodes,
  currencyMinorUnits,
  maximumAmountOf,
  minorUnitsOf,
} from '../shared/currencies.ts';

/** An ISO 4217 code of three capital letters that the catalog has. */
export const currencyCode = z
  .enum(currencyCodes, {
    error: (issue) =>
      issue.input === undefined ? undefined : `must be an ISO 4217 code of the catalog: ${currencyCodes.join(', ')}`,
  })
  .meta({ id: 'Currency', description: 'ISO 4217' });

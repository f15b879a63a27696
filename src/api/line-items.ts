import { z } from 'zod';
import { lineItemMinor } from '../shared/line-items.ts';
import { formatMinor, MAX_MINOR } from '../shared/money.ts';
import { nameableOrigins } from './embedding.ts';
import { httpUrl, text } from './text.ts';

/** Origins are listed in the page's content security policy. */
const MAX_IMAGE_ORIGINS = 5;
/** Every event and webhook of the payment repeats the items. */
const MAX_JSON_LENGTH = 16_000;

/** An item of a payment. Its amount is `quantity` times `unit_amount`. */
const lineItem = z
  .strictObject({
    name: text(150),
    quantity: z.number().int().min(1).max(999_999).optional().describe('1 by default'),
    unit_amount: z
      .number()
      .min(-Number(MAX_MINOR))
      .max(Number(MAX_MINOR))
      .describe('Unit price, in the currency’s decimals; negative for a discount'),
    image_url: httpUrl
      .optional()
      .describe('An https:// URL of a square image, which the buyer’s browser loads without a referrer'),
  })
  .meta({ id: 'LineItem' });
export type LineItem = z.output<typeof lineItem>;

/** The items of a payment, which the payment page lists. */
export const lineItems = z.array(lineItem).min(1).max(50);

/** A problem of the items, or of the field at `path` below them. */
export interface LineItemsProblem {
  path: readonly (string | number)[];
  code: string;
  message: string;
}

/** Returns the first problem of items that must add up to `amountMinor`. */
export function lineItemsProblem(
  items: readonly LineItem[],
  amountMinor: bigint,
  { currency, minorUnits }: { currency: string; minorUnits: number },
): LineItemsProblem | null {
  if (JSON.stringify(items).length > MAX_JSON_LENGTH) {
    return { path: [], code: 'too_long', message: `must have at most ${MAX_JSON_LENGTH} characters as JSON` };
  }
  let sum = 0n;
  for (const [index, item] of items.entries()) {
    const minor = lineItemMinor(item, minorUnits);
    if (minor === null) {
      const message = `must have the decimals of ${currency}, and at most 15 digits multiplied by quantity`;
      return { path: [index, 'unit_amount'], code: 'invalid_amount', message };
    }
    sum += minor;
  }
  if (sum !== amountMinor) {
    const [total, amount] = [sum, amountMinor].map((minor) => formatMinor(minor, minorUnits));
    return { path: [], code: 'amount_mismatch', message: `add up to ${total} ${currency}, but amount is ${amount}` };
  }
  if (nameableOrigins(items.map((item) => item.image_url)).length <= MAX_IMAGE_ORIGINS) return null;
  const message = `must load images from at most ${MAX_IMAGE_ORIGINS} origins`;
  return { path: [], code: 'too_many_origins', message };
}

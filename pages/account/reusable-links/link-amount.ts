import type { ReusableLink } from '../../../client/api.ts';
import type { Format } from '../format.ts';

/** The price of a reusable link, or the limits of an amount that the buyer chooses. */
export function linkAmount({ amount, custom_amount: custom, currency }: ReusableLink, format: Format): string {
  if (amount !== null) return format.money(amount, currency);
  return custom ? `${format.money(custom.minimum, currency)} – ${format.money(custom.maximum, currency)}` : '';
}

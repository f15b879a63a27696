import { minorUnitsOf } from '../../api/currency.ts';
import type { PageItem } from '../../api/page-state.ts';
import { lineItemMinor, type PricedItem } from '../../shared/line-items.ts';
import { formatMinor } from '../../shared/money.ts';
import type { FiatTransaction } from '../schema.ts';

/** Returns the items of a transaction with their amounts, for its page. */
export function pageItems({ lineItems, currency }: Pick<FiatTransaction, 'lineItems' | 'currency'>): PageItem[] {
  const minorUnits = minorUnitsOf(currency);
  const decimal = (item: PricedItem) => formatMinor(lineItemMinor(item, minorUnits) ?? 0n, minorUnits);
  return (lineItems ?? []).map((item) => ({
    name: item.name,
    quantity: item.quantity ?? 1,
    unitAmount: decimal({ unit_amount: item.unit_amount }),
    amount: decimal(item),
    imageUrl: item.image_url ?? null,
  }));
}

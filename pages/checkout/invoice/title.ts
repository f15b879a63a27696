import type { InvoicePageState } from '../../../src/api/invoice-page.ts';
import type { I18n } from '../elements/i18n.ts';
import { formatCoins } from './coins.ts';

/** The page's title: `Pay 0.0015 BTC to Kettle & Co`. Without a fixed amount it names only the currency. */
export function pageTitle(state: InvoicePageState, i18n: I18n): string {
  const amount = state.amount === null ? state.coin.code.toUpperCase() : formatCoins(state.amount, state);
  return i18n.text('page.title', { amount, merchant: state.merchant.name });
}

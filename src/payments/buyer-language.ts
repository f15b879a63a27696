import type { HttpContext } from '../http/context.ts';
import { preferredLanguage } from '../http/language.ts';
import type { PaymentsContext } from './context.ts';
import type { FiatTransaction } from './schema.ts';
import { recordBuyerLocale } from './store.ts';

/** Stores the browser's language for emails to a buyer who pays, unless they or the merchant chose another one. */
export async function recordBrowserLanguage(
  { database, mailer }: Pick<PaymentsContext, 'database' | 'mailer'>,
  http: HttpContext,
  transaction: FiatTransaction,
): Promise<void> {
  if (!mailer.isOn || transaction.buyerLocale !== null || transaction.locale !== null) return;
  const language = preferredLanguage(http);
  if (language === null) return;
  await database.inTransaction(async (unit) => await recordBuyerLocale(unit, transaction, language));
}

import type { PageState } from '../../../src/api/page-state.ts';
import { type I18n, joinSentences } from '../elements/i18n.ts';

/**
 * Names the restricted country, the detected country, and possible fixes. Only in pages that were rendered as
 * restricted.
 */
export function restriction(
  { buyerCountry, merchant: { name: merchant } }: Pick<PageState, 'buyerCountry' | 'merchant'>,
  i18n: I18n,
): { heading?: string; text?: string } {
  if (!i18n.has('restricted.reason')) return {};
  const text = (key: string, values = {}) => i18n.text(`restricted.${key}`, values);
  if (buyerCountry === null) return { heading: text('unknown_title'), text: text('unknown_text', { merchant }) };
  const country = i18n.countryName(buyerCountry);
  const reason = i18n.text('phases.restricted.text', { merchant });
  return { heading: text('named_title', { country }), text: joinSentences(reason, text('reason', { country })) };
}

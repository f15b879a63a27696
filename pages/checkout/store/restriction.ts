import type { PageState } from '../../../src/api/page-state.ts';
import type { I18n } from '../elements/i18n.ts';

/** The restricted country and what to do. Only in pages that were rendered as restricted. */
export function restriction(
  { buyerCountry }: Pick<PageState, 'buyerCountry'>,
  i18n: I18n,
): { heading?: string; text?: string } {
  if (!i18n.has('restricted.text')) return {};
  return buyerCountry === null
    ? { heading: i18n.text('restricted.unknown_title'), text: i18n.text('restricted.unknown_text') }
    : { text: i18n.text('restricted.text', { country: i18n.countryName(buyerCountry) }) };
}

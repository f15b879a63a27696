import type { PageState } from '../../../src/api/page-state.ts';
import { type I18n, joinSentences } from '../elements/i18n.ts';

/** The restricted country and what to do. Only in pages that were rendered as restricted. */
export function restriction(
  { buyerCountry }: Pick<PageState, 'buyerCountry'>,
  i18n: I18n,
): { heading?: string; text?: string } {
  if (!i18n.has('restricted.reason')) return {};
  const fix = buyerCountry === null ? 'unknown_text' : 'reason';
  return {
    heading:
      buyerCountry === null
        ? i18n.text('restricted.unknown_title')
        : i18n.text('restricted.named_title', { country: i18n.countryName(buyerCountry) }),
    text: joinSentences(i18n.text('phases.restricted.text'), i18n.text(`restricted.${fix}`)),
  };
}

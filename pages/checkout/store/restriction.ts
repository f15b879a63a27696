import type { PageState } from '../../../src/api/page-state.ts';
import type { Wording } from '../elements/text.ts';

/**
 * Names the restricted country, the detected country, and possible fixes. Only in pages that were rendered as
 * restricted.
 */
export function restriction(
  { buyerCountry, merchant: { name: merchant } }: Pick<PageState, 'buyerCountry' | 'merchant'>,
  words: Wording,
): { heading?: string; text?: string } {
  if (!words.has('restricted.because')) return {};
  const text = (key: string, values = {}) => words.text(`restricted.${key}`, values);
  if (buyerCountry === null) return { heading: text('unknown_title'), text: text('unknown_text', { merchant }) };
  const country = words.countryName(buyerCountry);
  const reason = words.text('phases.restricted.text', { merchant });
  return { heading: text('named_title', { country }), text: `${reason} ${text('because', { country })}` };
}

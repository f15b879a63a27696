import type { FrameRefusal, PageDocument } from '../../../src/api/page-state.ts';
import type { PageAsset, PageScript } from '../../assets.ts';
import { Wording } from '../elements/text.ts';
import { escapeHtml, htmlDocument } from '../../html-document.ts';
import { resolveTexts } from '../../locales/texts.ts';

/*
 * The frame of a card form is drawn by its script alone: the element on the merchant's page shows a
 * skeleton until then, and without a script there would be nobody to tell the page what happens.
 */

/** `extraScript` runs beside the form's own. */
export function renderCardFrame(document: PageDocument, asset: PageAsset, extraScript?: PageScript): string {
  const { locale, direction, texts } = document;
  const words = new Wording(texts, locale);
  return htmlDocument({
    locale,
    direction,
    title: words.text('frame.label'),
    asset,
    extraScript,
    body: needsScript(locale),
    embedded: { id: 'page-document', value: document },
  });
}

/** Stands where a page was asked for that may not be shown, or cannot: says why, and nothing of the payment. */
export function renderFrameRefusal(document: FrameRefusal, asset: PageAsset): string {
  const { locale, direction, texts, refusal } = document;
  const words = new Wording(texts, locale);
  return htmlDocument({
    locale,
    direction,
    title: words.text('frame.label_link'),
    asset,
    body: `${needsScript(locale)}<p class="refusal" lang="en" dir="ltr">${escapeHtml(refusal.message)}</p>`,
    embedded: { id: 'page-document', value: document },
  });
}

/** In words that the script itself never says. */
function needsScript(locale: string): string {
  const words = new Wording(resolveTexts(locale), locale);
  return `<noscript><p>${escapeHtml(words.text('page.script_needed'))}</p></noscript>`;
}

import type { FrameError, PageDocument } from '../../../src/api/page-state.ts';
import type { PageAsset, PageScript } from '../../assets.ts';
import { I18n } from '../elements/i18n.ts';
import { escapeHtml, htmlDocument } from '../../html-document.ts';
import { resolveTexts } from '../../locales/texts.ts';

/*
 * The card frame is rendered by its script only. The element on the merchant's page shows a skeleton until then, and
 * without a script the frame could report nothing to the page.
 */

/** `extraScript` runs in addition to the form's script. */
export function renderCardFrame(document: PageDocument, asset: PageAsset, extraScript?: PageScript): string {
  const { locale, direction, texts } = document;
  const i18n = new I18n(texts, locale);
  return htmlDocument({
    locale,
    direction,
    title: i18n.text('frame.label'),
    asset,
    extraScript,
    body: noScriptMessage(locale),
    data: { id: 'page-document', value: document },
  });
}

/**
 * Rendered in place of a form that may not or cannot be shown. Contains no payment data. Without a `reference` it shows
 * the developer's explanation, otherwise a message for the payer, with the reference for support.
 */
export function renderFrameError(document: FrameError, reference: string | null, asset: PageAsset): string {
  const { locale, direction, error } = document;
  const i18n = new I18n(resolveTexts(locale), locale);
  const payerText = i18n.text(error.retryable ? 'problems.abandon_failed' : 'message.form_refused');
  const message =
    reference === null
      ? `<p lang="en" dir="ltr">${escapeHtml(error.message)}</p>`
      : `<p>${escapeHtml(payerText)}</p><small>${escapeHtml(i18n.text('message.reference', { reference }))}</small>`;
  return htmlDocument({
    locale,
    direction,
    title: i18n.text('frame.label_link'),
    asset,
    body: `${noScriptMessage(locale)}<div class="frame-error">${message}</div>`,
    data: { id: 'page-document', value: document },
  });
}

/** Uses text that the script does not need. */
function noScriptMessage(locale: string): string {
  const i18n = new I18n(resolveTexts(locale), locale);
  return `<noscript><p>${escapeHtml(i18n.text('page.script_needed'))}</p></noscript>`;
}

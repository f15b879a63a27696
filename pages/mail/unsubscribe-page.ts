import type { PageAsset } from '../assets.ts';
import { I18n } from '../checkout/elements/i18n.ts';
import { escapeHtml as escape, htmlDocument } from '../html-document.ts';
import { type NegotiatedLocale, resolveAccountTexts } from '../locales/texts.ts';

/** Renders the page that turns a notification off: a form, and its result. */
export function renderUnsubscribePage(
  step: 'ask' | 'done' | 'invalid',
  { locale, direction }: Pick<NegotiatedLocale, 'locale' | 'direction'>,
  asset: PageAsset,
): string {
  const i18n = new I18n(resolveAccountTexts(locale, ['mails']), locale);
  const text = (key: string) => escape(i18n.text(`account.mails.${key}`));
  const title = { ask: 'unsubscribe_title', done: 'unsubscribed', invalid: 'link_invalid' }[step];
  const form = `<form method="post"><button class="button">${text('unsubscribe')}</button></form>`;
  return htmlDocument({
    ...{ locale, direction, asset },
    title: i18n.text(`account.mails.${title}`),
    body: `<main class="plain">
<div class="status">
<h1 class="status-heading">${text(title)}</h1>
${step === 'invalid' ? '' : `<p class="status-text">${text('unsubscribe_text')}</p>`}
${step === 'ask' ? form : ''}
</div>
</main>`,
  });
}

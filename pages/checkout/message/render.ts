import type { PageAsset } from '../../assets.ts';
import { Wording } from '../elements/text.ts';
import { escapeHtml, htmlDocument } from '../../html-document.ts';
import { resolveTexts } from '../../locales/texts.ts';

export interface MessagePage {
  title: string;
  text: string;
  /** What the reader can name when asking for help, such as the request's id. */
  reference?: string;
  locale: string;
  direction: 'ltr' | 'rtl';
}

/** A page that only says something: there is no such link, something went wrong. */
export function renderMessagePage(page: MessagePage, asset: PageAsset): string {
  const words = new Wording(resolveTexts(page.locale), page.locale);
  const reference =
    page.reference === undefined
      ? ''
      : `<p class="plain-reference">${escapeHtml(words.text('message.reference', { reference: page.reference }))}</p>`;
  return htmlDocument({
    locale: page.locale,
    direction: page.direction,
    title: page.title,
    asset,
    body: `<main class="plain">
<div class="status">
<h1 class="status-heading">${escapeHtml(page.title)}</h1>
<p class="status-text">${escapeHtml(page.text)}</p>
${reference}
</div>
</main>`,
  });
}

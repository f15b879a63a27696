import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import type { PageAsset } from '../../assets.ts';
import { I18n } from '../elements/i18n.ts';
import { type StatusIcon, statusIcon } from '../elements/status-icon.ts';
import { plainHtml } from '../link/plain-html.ts';
import { escapeHtml, htmlDocument } from '../../html-document.ts';
import { resolveTexts } from '../../locales/texts.ts';

export interface MessagePage {
  icon: StatusIcon;
  title: string;
  text: string;
  /** Identifier for support, such as the request ID. */
  reference?: string;
  /** The same request may succeed later, so the page has a link that reloads it. */
  canReload?: boolean;
  locale: string;
  direction: 'ltr' | 'rtl';
}

/** Renders a page that contains only a message, such as for an unknown link or an internal error. */
export function renderMessagePage(page: MessagePage, asset: PageAsset): string {
  const i18n = new I18n(resolveTexts(page.locale), page.locale);
  const reference =
    page.reference === undefined
      ? ''
      : `<p class="plain-reference">${escapeHtml(i18n.text('message.reference', { reference: page.reference }))}</p>`;
  const reload = page.canReload
    ? `<div class="plain-actions"><a class="button button-main button-wide" href="">${escapeHtml(i18n.text('page.reload'))}</a></div>`
    : '';
  return htmlDocument({
    locale: page.locale,
    direction: page.direction,
    title: page.title,
    asset,
    body: `<main class="plain">
<div class="status" data-tone="quiet">
<span class="status-sign">${plainHtml(collectResultSync(render(statusIcon(page.icon))))}</span>
<h1 class="status-heading">${escapeHtml(page.title)}</h1>
<p class="status-text">${escapeHtml(page.text)}</p>
${reload}
${reference}
</div>
</main>`,
  });
}

import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import { html } from 'lit';
import type { InvoicePageDocument } from '../../../src/api/invoice-page.ts';
import type { PageAsset } from '../../assets.ts';
import { stoppedClock } from '../elements/clock.ts';
import { QrCode } from '../elements/qr-code.ts';
import { qrPath } from '../elements/qr-path.ts';
import { I18n } from '../elements/i18n.ts';
import { escapeHtml, htmlDocument } from '../../html-document.ts';
import type { BrandStyle } from '../link/brand-style.ts';
import { merchantLinks } from '../link/merchant-links.ts';
import { plainHtml } from '../link/plain-html.ts';
import { invoiceView } from './invoice-view.ts';
import { pageTitle } from './title.ts';
import './invoice-page.ts';

QrCode.renderSync = qrPath;

/** Renders the complete invoice page. It can be read, scanned and paid without a script. */
export function renderInvoicePage(document: InvoicePageDocument, asset: PageAsset, brand?: BrandStyle): string {
  const { state, locale, direction, texts, languages, language } = document;
  const i18n = new I18n(texts, locale, document.amountLocale);
  const page = html`<invoice-page
    class="scripted"
    .i18n=${i18n}
    .view=${invoiceView(state, stoppedClock.now())}
    .languages=${languages}
    .language=${language}
  ></invoice-page>${merchantLinks(state.merchant, i18n)}`;
  const withoutScript = `<p class="no-script plain-only">${escapeHtml(i18n.text('page.no_script'))}</p>`;
  return htmlDocument({
    locale,
    direction,
    title: pageTitle(state, i18n),
    asset,
    extraStyle: brand?.style,
    body: (state.phase === 'ready' ? withoutScript : '') + plainHtml(collectResultSync(render(page))),
    data: { id: 'page-document', value: document },
  });
}

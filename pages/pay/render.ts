import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import { html } from 'lit';
import type { PageDocument } from '../../src/contract/page-state.ts';
import type { PageAssets } from '../assets.ts';
import { standingClock } from '../elements/clock.ts';
import { Wording } from '../elements/text.ts';
import { escapeHtml, htmlDocument } from '../html-document.ts';
import { firstView } from '../payment/page-view.ts';
import { plainHtml } from './plain-html.ts';
import { methods } from '../methods/methods.ts';
import type { BrandStyle } from './brand-style.ts';
import { plainForms } from './plain-forms.ts';
import { needsMethods } from './needs-methods.ts';
import { QrCode } from '../elements/qr-code.ts';
import { qrPath } from '../elements/qr-path.ts';
import './link-page.ts';

QrCode.drawAtOnce = qrPath;

/** The link page as one complete document: everything can be read, and the form be seen, before any script. */
export function renderLinkPage(document: PageDocument, assets: PageAssets, brand?: BrandStyle): string {
  const { state, locale, direction, texts, countryCodes } = document;
  const words = new Wording(texts, locale, document.amountLocale);
  const page = html`<link-page
    class="drawn"
    .words=${words}
    .view=${firstView(state, standingClock.now(), document)}
    .countryCodes=${countryCodes}
    .methods=${methods}
    .plain=${document.embedding ? null : plainForms(document, words)}
    .languages=${document.languages}
    .language=${document.language}
  ></link-page>`;
  // Seen by the same rule as the buttons that need no script.
  const withoutScript = `<p class="no-script plain-only">${escapeHtml(words.text('page.no_script'))}</p>`;
  return htmlDocument({
    locale,
    direction,
    title: words.text('page.title', { amount: words.amount(state.amount), merchant: state.merchant.name }),
    asset: needsMethods(state) ? assets.pages.payWithMethods : assets.pages.pay,
    extraStyle: brand?.style,
    body: (state.phase === 'ready' ? withoutScript : '') + plainHtml(collectResultSync(render(page))),
    embedded: { id: 'page-document', value: document },
  });
}

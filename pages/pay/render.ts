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
import './link-page.ts';

/** The link page as one complete document: everything can be read, and the form be seen, before any script. */
export function renderLinkPage(document: PageDocument, assets: PageAssets): string {
  const { state, locale, direction, texts, countryCodes } = document;
  const words = new Wording(texts, locale, document.amountLocale);
  const page = html`<link-page
    .words=${words}
    .view=${firstView(state, standingClock.now())}
    .countryCodes=${countryCodes}
  ></link-page>`;
  const needsScript = `<noscript><p class="script-needed">${escapeHtml(words.text('page.script_needed'))}</p></noscript>`;
  return htmlDocument({
    locale,
    direction,
    title: words.text('page.title', { amount: words.amount(state.amount), merchant: state.merchant.name }),
    asset: assets.pages.pay,
    body: (state.phase === 'ready' ? needsScript : '') + plainHtml(collectResultSync(render(page))),
    embedded: { id: 'page-document', value: document },
  });
}

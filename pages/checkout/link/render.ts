import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import { html } from 'lit';
import type { PageDocument } from '../../../src/api/page-state.ts';
import type { PageAsset, PageAssets } from '../../assets.ts';
import { stoppedClock } from '../elements/clock.ts';
import { Wording } from '../elements/text.ts';
import { escapeHtml, htmlDocument } from '../../html-document.ts';
import { firstView } from '../store/page-view.ts';
import { plainHtml } from './plain-html.ts';
import { methods } from '../methods/methods.ts';
import type { BrandStyle } from './brand-style.ts';
import { type PlainForms, plainForms } from './plain-forms.ts';
import { needsMethods } from './needs-methods.ts';
import { QrCode } from '../elements/qr-code.ts';
import { qrPath } from '../elements/qr-path.ts';
import './link-page.ts';

QrCode.renderSync = qrPath;

/** Renders the complete link page. It can be read, and its form is visible, before any script runs. */
export function renderLinkPage(document: PageDocument, assets: PageAssets, brand?: BrandStyle): string {
  const words = documentWording(document);
  // Hidden by the same CSS rule as the buttons for pages without a script.
  const withoutScript = `<p class="no-script plain-only">${escapeHtml(words.text('page.no_script'))}</p>`;
  const plain = document.embedding ? null : plainForms(document, words);
  const head = documentHead(document, words, assets, brand);
  return htmlDocument({
    ...head,
    asset: document.embedding ? preloadEmbed(head.asset, assets) : head.asset,
    body: (document.state.phase === 'ready' ? withoutScript : '') + renderPage(document, words, plain),
    embedded: { id: 'page-document', value: document },
  });
}

/** The merchant's page waits for the frame, so the modules that answer it are preloaded. */
function preloadEmbed({ script, ...asset }: PageAsset, { pages }: PageAssets): PageAsset {
  const embedImports = pages.card.script?.imports ?? [];
  return { ...asset, script: script && { ...script, imports: [...script.imports, ...embedImports] } };
}

/** Renders a preview that looks like the page with scripts, but is inert. */
export function renderLinkPreview(document: PageDocument, assets: PageAssets, brand?: BrandStyle): string {
  const words = documentWording(document);
  const head = documentHead(document, words, assets, brand);
  const asset = { ...head.asset, script: null };
  return htmlDocument({ ...head, asset, body: renderPage(document, words, null), isInert: true });
}

function documentWording({ texts, locale, amountLocale }: PageDocument): Wording {
  return new Wording(texts, locale, amountLocale);
}

function documentHead(
  { state, locale, direction }: PageDocument,
  words: Wording,
  assets: PageAssets,
  brand?: BrandStyle,
) {
  return {
    ...{ locale, direction },
    title: words.text('page.title', { amount: words.amount(state.amount), merchant: state.merchant.name }),
    asset: needsMethods(state) ? assets.pages.payWithMethods : assets.pages.pay,
    extraStyle: brand?.style,
  };
}

function renderPage(document: PageDocument, words: Wording, plain: PlainForms | null): string {
  const page = html`<link-page
    class="drawn"
    .words=${words}
    .view=${firstView(document.state, stoppedClock.now(), document)}
    .countryCodes=${document.countryCodes}
    .methods=${methods}
    .plain=${plain}
    .languages=${document.languages}
    .language=${document.language}
  ></link-page>`;
  return plainHtml(collectResultSync(render(page)));
}

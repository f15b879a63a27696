import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import { html, nothing } from 'lit';
import type { PageDocument } from '../../../src/api/page-state.ts';
import type { PageAsset, PageAssets } from '../../assets.ts';
import { stoppedClock } from '../elements/clock.ts';
import { I18n } from '../elements/i18n.ts';
import { escapeHtml, htmlDocument } from '../../html-document.ts';
import { resolveTexts } from '../../locales/texts.ts';
import { firstView } from '../store/page-view.ts';
import { plainHtml } from './plain-html.ts';
import { methods } from '../methods/methods.ts';
import type { BrandStyle } from './brand-style.ts';
import { type PlainForms, plainForms } from './plain-forms.ts';
import { merchantLinks } from './merchant-links.ts';
import { orderItems } from './order-items.ts';
import { needsMethods } from './needs-methods.ts';
import { setOptionsRenderer } from '../elements/country-field.ts';
import { countryOptions, optionsPlaceholder, optionsPlaceholderTemplate } from '../elements/country-options.ts';
import { QrCode } from '../elements/qr-code.ts';
import { qrPath } from '../elements/qr-path.ts';
import './link-page.ts';

QrCode.renderSync = qrPath;

/** Renders the complete link page. It can be read, and its form is visible, before any script runs. */
export function renderLinkPage(document: PageDocument, assets: PageAssets, brand?: BrandStyle): string {
  const i18n = documentI18n(document);
  // Hidden by the same CSS rule as the buttons for pages without a script.
  const withoutScript = `<p class="no-script plain-only">${escapeHtml(noScriptText(document))}</p>`;
  const plain = document.embedding ? null : plainForms(document, i18n);
  const head = documentHead(document, i18n, assets, brand);
  return htmlDocument({
    ...head,
    asset: document.embedding ? preloadEmbed(head.asset, assets) : head.asset,
    body: (document.state.phase === 'ready' ? withoutScript : '') + renderPage(document, i18n, plain),
    data: { id: 'page-document', value: document },
  });
}

/** Without a script, cards cannot be paid if it must encrypt them. The script's text does not include this. */
function noScriptText({ state, locale }: PageDocument): string {
  const [only, ...others] = state.methods;
  const isScriptNeeded = others.length === 0 && only?.cardKey !== undefined;
  return new I18n(resolveTexts(locale), locale).text(isScriptNeeded ? 'page.script_needed' : 'page.no_script');
}

/** The merchant's page waits for the frame, so the modules that respond to it are preloaded. */
function preloadEmbed({ script, ...asset }: PageAsset, { embedBridge }: PageAssets): PageAsset {
  const imports = [...(script?.imports ?? []), embedBridge, ...embedBridge.imports];
  return { ...asset, script: script && { ...script, imports } };
}

/** Renders a preview that looks like the page with scripts, but is inert. */
export function renderLinkPreview(document: PageDocument, assets: PageAssets, brand?: BrandStyle): string {
  const i18n = documentI18n(document);
  const head = documentHead(document, i18n, assets, brand);
  const asset = { ...head.asset, script: null };
  return htmlDocument({ ...head, asset, body: renderPage(document, i18n, null), isInert: true });
}

function documentI18n({ texts, locale, amountLocale }: PageDocument): I18n {
  return new I18n(texts, locale, amountLocale);
}

function documentHead({ state, locale, direction }: PageDocument, i18n: I18n, assets: PageAssets, brand?: BrandStyle) {
  return {
    ...{ locale, direction },
    title: i18n.text('page.title', { amount: i18n.amount(state.amount), merchant: state.merchant.name }),
    asset: needsMethods(state) ? assets.pages.payWithMethods : assets.pages.pay,
    extraStyle: brand?.style,
  };
}

function renderPage(document: PageDocument, i18n: I18n, plain: PlainForms | null): string {
  const page = html`<link-page
    class="scripted"
    .i18n=${i18n}
    .view=${firstView(document.state, stoppedClock.now(), document)}
    .methods=${methods}
    .plain=${plain}
    .items=${document.state.items.length > 0 ? orderItems(document.state, i18n) : nothing}
    .languages=${document.languages}
    .language=${document.language}
  ></link-page>${document.embedding ? nothing : merchantLinks(document.state.merchant, i18n)}`;
  let options = '';
  setOptionsRenderer((countries, preselected) => {
    options = countryOptions(countries, preselected);
    return optionsPlaceholderTemplate;
  });
  return plainHtml(collectResultSync(render(page))).replace(optionsPlaceholder, () => options);
}

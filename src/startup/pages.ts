import { join } from 'node:path';
import { renderAccountPage } from '../../pages/account/render.ts';
import { loadAssets, type PageAssets } from '../../pages/assets.ts';
import { renderCardFrame, renderFrameError } from '../../pages/checkout/frame/render.ts';
import {
  ANY_ANCESTOR,
  frameAncestors,
  challengeFormPolicy,
  contentSecurityPolicy,
  previewPolicy,
  plainPagePolicy,
} from '../../pages/content-security-policy.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { renderInvoicePage } from '../../pages/checkout/invoice/render.ts';
import { renderIssuerPage } from '../../pages/sandbox/issuer/render.ts';
import { accountLanguages } from '../../pages/locales/account/languages.ts';
import { languageFor, languages } from '../../pages/locales/languages.ts';
import { negotiateLocale, resolveAccountTexts, resolveTexts } from '../../pages/locales/texts.ts';
import { textBundlesFor } from '../../pages/account/text-bundles.ts';
import { renderChallengeForm, submitScriptSource } from '../../pages/checkout/message/challenge-form.ts';
import { renderMessagePage } from '../../pages/checkout/message/render.ts';
import type { Scheme } from '../../pages/checkout/elements/brand-colors.ts';
import { brandStyle, schemeStyle } from '../../pages/checkout/link/brand-style.ts';
import { needsMethods } from '../../pages/checkout/link/needs-methods.ts';
import { renderLinkPage, renderLinkPreview } from '../../pages/checkout/link/render.ts';
import { renderUnsubscribePage } from '../../pages/mail/unsubscribe-page.ts';
import { renderMail } from '../../pages/mail/render.ts';
import { renderReusableLink } from '../../pages/checkout/reusable-link/render.ts';
import type { ApiDocument } from '../../pages/reference/document.ts';
import { createReference } from '../../pages/reference/render.ts';
import { renderChainSimulatorPage } from '../../pages/sandbox/simulator/chain.ts';
import { renderSimulatorPage } from '../../pages/sandbox/simulator/render.ts';
import type { Pages } from '../app.ts';
import { nameableOrigins } from '../api/embedding.ts';
import type { PageDocument, PageItem, PageMerchant, PageTexts, ScriptedPage } from '../api/page-state.ts';
import type { PaymentPage } from '../payments/links/pages.ts';
import type { PageLanguage } from '../http/rendered-page.ts';
import { loadRelease } from '../assets/release.ts';

const languageTags = Object.keys(languages);
/** In an embedded page the merchant's page chooses the language. */
const noLanguages: readonly string[] = [];

/** The card frame shows no other method. */
function cardsOnly<Page extends PaymentPage>({ state, ...page }: Page) {
  const methods = state.methods.filter(({ action }) => action === 'card');
  // The button shows the total of the selected method.
  const selectedMethod = methods[0]?.code ?? state.selectedMethod;
  return { ...page, state: { ...state, items: [], methods, selectedMethod } };
}

/** Loads the built pages from `folder`. */
export function loadPages(folder: string, assets: PageAssets = loadAssets(folder)): Pages {
  const { pay, card, invoice, plain, reference, account, reusableLink } = assets.pages;

  const negotiateTexts = (page: ScriptedPage, { locale: preferredTag, acceptLanguage }: PageLanguage): PageTexts => {
    const negotiated = negotiateLocale(acceptLanguage, preferredTag);
    return { ...negotiated, texts: resolveTexts(negotiated.locale, page) };
  };
  const negotiateAccountTexts = (
    bundles: readonly string[],
    { locale: preferredTag, acceptLanguage }: PageLanguage,
  ): PageTexts => {
    const negotiated = negotiateLocale(acceptLanguage, preferredTag, accountLanguages);
    return { ...negotiated, texts: resolveAccountTexts(negotiated.locale, bundles) };
  };
  /** The texts of a page in another language, for each of its states. */
  const readTexts = (page: ScriptedPage, locale: string): PageTexts => {
    const { texts, ...negotiated } = negotiateTexts(page, { locale, acceptLanguage: undefined });
    const ofStates = (['restricted', 'authorization'] as const).map((set) => resolveTexts(negotiated.locale, set));
    return { ...negotiated, texts: Object.assign(texts, ...ofStates) };
  };
  const buildDocument = (
    kind: ScriptedPage,
    { capture, ...page }: PaymentPage,
    language: PageLanguage,
  ): PageDocument => {
    const pageTexts = negotiateTexts(kind, language);
    const offeredLanguages = kind === 'card' || page.embedding ? noLanguages : languageTags;
    return {
      isReturning: false,
      submitted: null,
      ...page,
      ...pageTexts,
      texts: {
        ...pageTexts.texts,
        ...(page.state.phase === 'restricted' && resolveTexts(pageTexts.locale, 'restricted')),
        ...(capture === 'manual' && resolveTexts(pageTexts.locale, 'authorization')),
      },
      languages: offeredLanguages,
      language: languageFor(pageTexts.locale) ?? 'en',
    };
  };
  /** Sources of the 3-D Secure challenge frame. The sandbox's issuer is on our own host. */
  const issuerSources = ({ state }: PaymentPage) => (state.sandbox ? "'self' https:" : 'https:');

  return {
    folder,
    release: loadRelease(join(folder, '..')),
    renderLinkPage(page, language) {
      const { embedding } = page;
      const framing = embedding ? { ancestors: frameAncestors(embedding), frames: issuerSources(page) } : undefined;
      // In an embedded page the merchant's page sets the theme.
      const { merchant, items } = page.state;
      const { brand, sources } = brandOf(embedding ? { ...merchant, color: null } : merchant, items);
      // A page without a script may have submitted a method that is no longer offered.
      const isMissing = page.submitted?.problem === 'method_unavailable';
      const document = buildDocument(isMissing || needsMethods(page.state) ? 'methods' : 'link', page, language);
      return {
        html: renderLinkPage(document, assets, brand),
        contentSecurityPolicy: contentSecurityPolicy(pay, framing, sources),
      };
    },
    renderLinkPreview(page, language, scheme) {
      const { brand, sources } = brandOf(page.state.merchant, page.state.items, scheme);
      const document = buildDocument(needsMethods(page.state) ? 'methods' : 'link', page, language);
      return {
        html: renderLinkPreview(document, assets, brand),
        contentSecurityPolicy: previewPolicy(pay, sources),
      };
    },
    renderReusableLink(page, language) {
      const negotiated = negotiateLocale(language.acceptLanguage, language.locale);
      const image = page.imageUrl === null ? [] : [{ imageUrl: page.imageUrl }];
      const { brand, sources } = brandOf(page.merchant, image);
      return {
        html: renderReusableLink(page, negotiated, reusableLink, brand),
        contentSecurityPolicy: contentSecurityPolicy(reusableLink, undefined, sources),
      };
    },
    renderCardFrame(page, language) {
      const panel = page.state.sandbox ? assets.sandboxPanel : undefined;
      const framing = { ancestors: frameAncestors(page.embedding), frames: issuerSources(page) };
      return {
        html: renderCardFrame(buildDocument('card', cardsOnly(page), language), card, panel),
        contentSecurityPolicy: contentSecurityPolicy(card, framing),
      };
    },
    renderInvoicePage({ state, path }, language) {
      const pageTexts = negotiateTexts('invoice', language);
      const phaseTexts = state.phase === 'restricted' ? resolveTexts(pageTexts.locale, 'restricted') : {};
      const { brand, sources } = brandOf(state.merchant);
      const document = {
        ...{ state, path, ...pageTexts, texts: { ...pageTexts.texts, ...phaseTexts } },
        ...{ languages: languageTags, language: languageFor(pageTexts.locale) ?? 'en' },
      };
      return {
        html: renderInvoicePage(document, invoice, brand),
        contentSecurityPolicy: contentSecurityPolicy(invoice, undefined, sources),
      };
    },
    renderFrameError({ code, detail, retryable, request_id: requestId }, language, isSandbox) {
      const error = { code, message: detail, retryable };
      const reference = isSandbox ? null : `${code}, ${requestId}`;
      return {
        html: renderFrameError({ ...negotiateTexts('card', language), error }, reference, card),
        // The error contains no payment data, and must be visible on origins that may embed nothing else.
        contentSecurityPolicy: contentSecurityPolicy(card, { ancestors: ANY_ANCESTOR }),
      };
    },
    renderChallengeEnd(embedding, language) {
      const locale = negotiateLocale(language.acceptLanguage, language.locale);
      const i18n = new I18n(resolveTexts(locale.locale), locale.locale);
      const html = renderMessagePage(
        {
          icon: 'bank',
          title: i18n.text('message.challenge_end_title'),
          text: i18n.text('message.challenge_end_text'),
          ...locale,
        },
        plain,
      );
      return { html, contentSecurityPolicy: plainPagePolicy(plain, "'none'", frameAncestors(embedding, ["'self'"])) };
    },
    renderChallengeForm(form, embedding, language) {
      const html = renderChallengeForm(form, negotiateLocale(language.acceptLanguage, language.locale), plain);
      const ancestors = frameAncestors(embedding, ["'self'"]);
      return { html, contentSecurityPolicy: challengeFormPolicy(plain, form.url, submitScriptSource, ancestors) };
    },
    hasLanguage: (locale) => isLanguageTag(locale) && languageFor(locale) !== null,
    readTexts,
    readAccountTexts: (bundle, locale) =>
      Object.hasOwn(accountLanguages['en'] ?? {}, bundle)
        ? negotiateAccountTexts([bundle], { locale, acceptLanguage: undefined })
        : null,
    renderIssuerPage(page, acceptLanguage) {
      const html = renderIssuerPage({ ...page, ...negotiateLocale(acceptLanguage) }, plain);
      return { html, contentSecurityPolicy: plainPagePolicy(plain, "'self' http: https:", ANY_ANCESTOR) };
    },
    renderSimulatorPage(page, acceptLanguage) {
      const html = renderSimulatorPage({ ...page, ...negotiateLocale(acceptLanguage) }, plain);
      return { html, contentSecurityPolicy: plainPagePolicy(plain, "'self' http: https:", ANY_ANCESTOR) };
    },
    renderChainSimulatorPage: (page) => ({
      html: renderChainSimulatorPage(page, plain),
      contentSecurityPolicy: plainPagePolicy(plain, "'self'"),
    }),
    renderReference: (document, isSandbox) => ({
      ...createReference({ document: document as unknown as ApiDocument, asset: reference, isSandbox }),
      contentSecurityPolicy: contentSecurityPolicy(reference),
    }),
    renderAccountPage(pathname, language) {
      const pageTexts = negotiateAccountTexts(textBundlesFor(pathname), language);
      const document = {
        ...pageTexts,
        ...{ languages: Object.keys(accountLanguages), language: languageFor(pageTexts.locale) ?? 'en' },
      };
      return {
        html: renderAccountPage(document, account),
        contentSecurityPolicy: contentSecurityPolicy(account, { ancestors: "'none'", frames: "'self'" }),
      };
    },
    renderMail,
    renderUnsubscribePage(step, acceptLanguage) {
      const html = renderUnsubscribePage(step, negotiateLocale(acceptLanguage, undefined, accountLanguages), plain);
      return { html, contentSecurityPolicy: plainPagePolicy(plain, "'self'") };
    },
    renderProblemPage(problem, { acceptLanguage, canReload }) {
      const html = renderMessagePage(
        {
          icon: canReload ? 'clock' : 'warning',
          title: problem.title,
          text: problem.detail,
          reference: problem.request_id,
          canReload,
          ...negotiateLocale(acceptLanguage),
        },
        plain,
      );
      return { html, contentSecurityPolicy: plainPagePolicy(plain) };
    },
  };
}

/** A merchant's branding, and the policy sources that it and the items' images need. */
function brandOf({ color, logoUrl }: PageMerchant, items: readonly Pick<PageItem, 'imageUrl'>[] = [], scheme?: Scheme) {
  const brand = scheme ? schemeStyle(color, scheme) : color === null ? undefined : brandStyle(color);
  const imageSources = nameableOrigins([logoUrl, ...items.map(({ imageUrl }) => imageUrl)]);
  return { brand, sources: { styleSource: brand?.source, imageSources } };
}

function isLanguageTag(locale: string): boolean {
  try {
    return new Intl.Locale(locale).language !== '';
  } catch {
    return false;
  }
}

import { join } from 'node:path';
import { renderAccountPage } from '../../pages/account/render.ts';
import { loadAssets } from '../../pages/assets.ts';
import { renderCardFrame, renderFrameRefusal } from '../../pages/checkout/frame/render.ts';
import {
  ANYBODY,
  ancestorsOf,
  contentSecurityPolicy,
  picturePolicy,
  plainPagePolicy,
} from '../../pages/content-security-policy.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { renderInvoicePage } from '../../pages/checkout/invoice/render.ts';
import { renderIssuerPage } from '../../pages/sandbox/issuer/render.ts';
import { accountLanguages } from '../../pages/locales/account/languages.ts';
import { languageFor, languages } from '../../pages/locales/languages.ts';
import { negotiateLocale, resolveTexts } from '../../pages/locales/texts.ts';
import { renderMessagePage } from '../../pages/checkout/message/render.ts';
import { brandStyle } from '../../pages/checkout/link/brand-style.ts';
import { needsMethods } from '../../pages/checkout/link/needs-methods.ts';
import { renderLinkPage, renderLinkPreview } from '../../pages/checkout/link/render.ts';
import type { ApiDocument } from '../../pages/reference/document.ts';
import { renderReference } from '../../pages/reference/render.ts';
import { renderChainSimulatorPage } from '../../pages/sandbox/simulator/chain.ts';
import { renderSimulatorPage } from '../../pages/sandbox/simulator/render.ts';
import type { Pages } from '../app.ts';
import { countryCodes } from '../api/country.ts';
import { isNameableOrigin } from '../api/embedding.ts';
import type { PageState, PageTexts, ScriptedPage } from '../api/page-state.ts';
import type { PaymentPage } from '../payments/links/pages.ts';
import type { PageLanguage } from '../http/drawn-page.ts';
import { loadRelease } from '../assets/release.ts';

const languageTags = Object.keys(languages);
/** In a merchant's page the language is that page's to choose. */
const noLanguages: readonly string[] = [];

/** The pages as they were built into `folder`. */
export function loadPages(folder: string): Pages {
  const assets = loadAssets(folder);
  const { pay, card, invoice, plain, reference, account } = assets.pages;

  const textsOf = (page: ScriptedPage, { locale: wish, acceptLanguage }: PageLanguage): PageTexts => {
    const negotiated = negotiateLocale(acceptLanguage, wish, page === 'account' ? accountLanguages : languages);
    return { ...negotiated, texts: resolveTexts(negotiated.locale, page) };
  };
  const documentOf = (kind: ScriptedPage, page: PaymentPage, language: PageLanguage) => {
    const ofPage = textsOf(kind, language);
    const offered = kind === 'card' || page.embedding ? noLanguages : languageTags;
    const ofPhase = page.state.phase === 'restricted' ? resolveTexts(ofPage.locale, 'restricted') : {};
    return {
      isBack: false,
      submitted: null,
      ...page,
      ...ofPage,
      texts: { ...ofPage.texts, ...ofPhase },
      languages: offered,
      language: languageFor(ofPage.locale) ?? 'en',
      countryCodes,
    };
  };
  /** The bank's confirmation stands in a frame of ours; the sandbox's bank is on our own host, wherever that is. */
  const banks = ({ state }: PaymentPage) => (state.sandbox ? "'self' https:" : 'https:');

  return {
    folder,
    release: loadRelease(join(folder, '..')),
    renderLinkPage(page, language) {
      const { embedding } = page;
      const framing = embedding ? { ancestors: ancestorsOf(embedding), frames: banks(page) } : undefined;
      // In a merchant's page the look is that page's to give.
      const { brand, sources } = lookOf(embedding ? { ...page.state.merchant, colour: null } : page.state.merchant);
      const document = documentOf(needsMethods(page.state) ? 'methods' : 'link', page, language);
      return {
        html: renderLinkPage(document, assets, brand),
        contentSecurityPolicy: contentSecurityPolicy(pay, framing, sources),
      };
    },
    renderLinkPreview(page, language) {
      const { brand, sources } = lookOf(page.state.merchant);
      const document = documentOf(needsMethods(page.state) ? 'methods' : 'link', page, language);
      return {
        html: renderLinkPreview(document, assets, brand),
        contentSecurityPolicy: picturePolicy(pay, sources),
      };
    },
    renderCardFrame(page, language) {
      const panel = page.state.sandbox ? assets.sandboxPanel : undefined;
      const framing = { ancestors: ancestorsOf(page.embedding), frames: banks(page) };
      return {
        html: renderCardFrame(documentOf('card', page, language), card, panel),
        contentSecurityPolicy: contentSecurityPolicy(card, framing),
      };
    },
    renderInvoicePage({ state, path }, language) {
      const ofPage = textsOf('invoice', language);
      const ofPhase = state.phase === 'restricted' ? resolveTexts(ofPage.locale, 'restricted') : {};
      const { brand, sources } = lookOf(state.merchant);
      const document = {
        ...{ state, path, ...ofPage, texts: { ...ofPage.texts, ...ofPhase } },
        ...{ languages: languageTags, language: languageFor(ofPage.locale) ?? 'en' },
      };
      return {
        html: renderInvoicePage(document, invoice, brand),
        contentSecurityPolicy: contentSecurityPolicy(invoice, undefined, sources),
      };
    },
    renderFrameRefusal({ code, detail, retryable }, language) {
      const refusal = { code, message: detail, retryable };
      return {
        html: renderFrameRefusal({ ...textsOf('card', language), refusal }, card),
        // It says nothing that is not for everybody, and must be seen where nothing else may be.
        contentSecurityPolicy: contentSecurityPolicy(card, { ancestors: ANYBODY }),
      };
    },
    renderChallengeEnd(embedding, language) {
      const locale = negotiateLocale(language.acceptLanguage, language.locale);
      const words = new I18n(resolveTexts(locale.locale), locale.locale);
      const html = renderMessagePage(
        { title: words.text('message.challenge_end_title'), text: words.text('message.challenge_end_text'), ...locale },
        plain,
      );
      return { html, contentSecurityPolicy: plainPagePolicy(plain, "'none'", ancestorsOf(embedding, ["'self'"])) };
    },
    speaks: (locale) => isTag(locale) && languageFor(locale) !== null,
    readTexts: (page, locale) => textsOf(page, { locale, acceptLanguage: undefined }),
    renderIssuerPage(page, acceptLanguage) {
      const html = renderIssuerPage({ ...page, ...negotiateLocale(acceptLanguage) }, plain);
      return { html, contentSecurityPolicy: plainPagePolicy(plain, "'self' http: https:", ANYBODY) };
    },
    renderSimulatorPage(page, acceptLanguage) {
      const html = renderSimulatorPage({ ...page, ...negotiateLocale(acceptLanguage) }, plain);
      return { html, contentSecurityPolicy: plainPagePolicy(plain, "'self' http: https:", ANYBODY) };
    },
    renderChainSimulatorPage: (page) => ({
      html: renderChainSimulatorPage(page, plain),
      contentSecurityPolicy: plainPagePolicy(plain, "'self'"),
    }),
    renderReference: (document) => ({
      html: renderReference(document as unknown as ApiDocument, reference),
      contentSecurityPolicy: contentSecurityPolicy(reference),
    }),
    renderAccountPage(language) {
      const ofPage = textsOf('account', language);
      const document = {
        ...ofPage,
        ...{ languages: Object.keys(accountLanguages), language: languageFor(ofPage.locale) ?? 'en' },
      };
      return {
        html: renderAccountPage(document, account),
        contentSecurityPolicy: contentSecurityPolicy(account, { ancestors: "'none'", frames: "'self'" }),
      };
    },
    renderProblemPage(problem, acceptLanguage) {
      const html = renderMessagePage(
        {
          title: problem.title,
          text: problem.detail,
          reference: problem.request_id,
          ...negotiateLocale(acceptLanguage),
        },
        plain,
      );
      return { html, contentSecurityPolicy: plainPagePolicy(plain) };
    },
  };
}

/** How a merchant's pages look beside others, and what the policy must let in for it. */
function lookOf({ colour, logoUrl }: Pick<PageState['merchant'], 'colour' | 'logoUrl'>) {
  const brand = colour === null ? undefined : brandStyle(colour);
  const imageSource = logoUrl === null ? undefined : originOf(logoUrl);
  return { brand, sources: { styleSource: brand?.source, imageSource } };
}

/** As a policy can name it; what it cannot name is not shown. */
function originOf(url: string): string | undefined {
  const { origin } = new URL(url);
  return isNameableOrigin(origin) ? origin : undefined;
}

function isTag(locale: string): boolean {
  try {
    return new Intl.Locale(locale).language !== '';
  } catch {
    return false;
  }
}

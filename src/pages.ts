import { join } from 'node:path';
import { loadAssets } from '../pages/assets.ts';
import { renderCardFrame, renderFrameRefusal } from '../pages/card/render.ts';
import { ANYBODY, ancestorsOf, contentSecurityPolicy, plainPagePolicy } from '../pages/content-security-policy.ts';
import { Wording } from '../pages/elements/text.ts';
import { renderIssuerPage } from '../pages/issuer/render.ts';
import { negotiateLocale, resolveTexts } from '../pages/locales/texts.ts';
import { renderMessagePage } from '../pages/message/render.ts';
import { renderLinkPage } from '../pages/pay/render.ts';
import type { Pages } from './app.ts';
import { countryCodes } from './contract/country.ts';
import type { PageTexts } from './contract/page-state.ts';
import type { PageLanguage, PaymentPage, ScriptedPage } from './payments/pages.ts';
import { loadRelease } from './widget/release.ts';

/** The pages as they were built into `folder`. */
export function loadPages(folder: string): Pages {
  const assets = loadAssets(folder);
  const { pay, card, plain } = assets.pages;

  const textsOf = (page: ScriptedPage, { locale: wish, acceptLanguage }: PageLanguage): PageTexts => {
    const negotiated = negotiateLocale(acceptLanguage, wish);
    return { ...negotiated, texts: resolveTexts(negotiated.locale, page) };
  };
  const documentOf = (kind: ScriptedPage, page: PaymentPage, language: PageLanguage) => ({
    ...page,
    ...textsOf(kind, language),
    countryCodes,
  });
  /** The bank's confirmation stands in a frame of ours; the sandbox's bank is on our own host, wherever that is. */
  const banks = ({ state }: PaymentPage) => (state.sandbox ? "'self' https:" : 'https:');

  return {
    folder,
    drawnActions: ['card'],
    release: loadRelease(join(folder, '..')),
    renderLinkPage(page, language) {
      const { embedding } = page;
      const framing = embedding ? { ancestors: ancestorsOf(embedding), frames: banks(page) } : undefined;
      return {
        html: renderLinkPage(documentOf('link', page, language), assets),
        contentSecurityPolicy: contentSecurityPolicy(pay, framing),
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
      const words = new Wording(resolveTexts(locale.locale), locale.locale);
      const html = renderMessagePage(
        { title: words.text('message.challenge_end_title'), text: words.text('message.challenge_end_text'), ...locale },
        plain,
      );
      return { html, contentSecurityPolicy: plainPagePolicy(plain, "'none'", ancestorsOf(embedding, ["'self'"])) };
    },
    readTexts: (page, locale) => textsOf(page, { locale, acceptLanguage: undefined }),
    renderIssuerPage(page, acceptLanguage) {
      const html = renderIssuerPage({ ...page, ...negotiateLocale(acceptLanguage) }, plain);
      return { html, contentSecurityPolicy: plainPagePolicy(plain, "'self' http: https:", ANYBODY) };
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

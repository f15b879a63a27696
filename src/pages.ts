import { loadAssets } from '../pages/assets.ts';
import { contentSecurityPolicy, plainPagePolicy } from '../pages/content-security-policy.ts';
import { renderIssuerPage } from '../pages/issuer/render.ts';
import { negotiateLocale, resolveTexts } from '../pages/locales/texts.ts';
import { renderMessagePage } from '../pages/message/render.ts';
import { renderLinkPage } from '../pages/pay/render.ts';
import type { Pages } from './app.ts';
import { countryCodes } from './contract/country.ts';

/** The pages as they were built into `folder`. */
export function loadPages(folder: string): Pages {
  const assets = loadAssets(folder);
  const { pay, plain } = assets.pages;
  return {
    folder,
    renderLinkPage(state, { acceptLanguage }) {
      const { locale, amountLocale, direction } = negotiateLocale(acceptLanguage);
      const document = { state, locale, amountLocale, direction, texts: resolveTexts(locale), countryCodes };
      return { html: renderLinkPage(document, assets), contentSecurityPolicy: contentSecurityPolicy(pay) };
    },
    renderIssuerPage(page, acceptLanguage) {
      const html = renderIssuerPage({ ...page, ...negotiateLocale(acceptLanguage) }, plain);
      return { html, contentSecurityPolicy: plainPagePolicy(plain, "'self' http: https:") };
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

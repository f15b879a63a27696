import type { PageTexts } from '../../src/api/page-state.ts';
import type { PageAsset } from '../assets.ts';
import { I18n } from '../checkout/elements/i18n.ts';
import { escapeHtml, htmlDocument } from '../html-document.ts';

/** What the account area needs to begin: how it speaks. Who has signed in it asks for itself. */
export interface AccountDocument extends PageTexts {
  /** BCP 47 tags of the languages on offer. */
  languages: readonly string[];
  /** The one of them that the page is in. */
  language: string;
}

/** The one page of the account area: where things will stand, until the script is there. */
export function renderAccountPage(document: AccountDocument, asset: PageAsset): string {
  const { locale, direction, texts } = document;
  const i18n = new I18n(texts, locale);
  const text = (key: string) => escapeHtml(i18n.text(`account.shell.${key}`));
  return htmlDocument({
    locale,
    direction,
    title: i18n.text('account.shell.title'),
    asset,
    body: `<noscript><p class="no-script">${text('no_script')}</p></noscript>
<div class="before" id="before" aria-hidden="true"><div class="before-bar"></div><div class="before-side"></div></div>`,
    embedded: { id: 'account-document', value: document },
  });
}

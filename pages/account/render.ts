import type { PageTexts } from '../../src/api/page-state.ts';
import type { PageAsset } from '../assets.ts';
import { I18n } from '../checkout/elements/i18n.ts';
import { escapeHtml, htmlDocument } from '../html-document.ts';

/** Data in the document of the account area: languages and text. The page requests the account itself. */
export interface AccountDocument extends PageTexts {
  /** BCP 47 tags of the available languages. */
  languages: readonly string[];
  /** BCP 47 tag of the page's language. */
  language: string;
}

/** The document of the account area: an empty frame until the script runs. */
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
<div class="boot-frame" id="boot-frame" aria-hidden="true"><div class="boot-bar"></div><div class="boot-side"></div></div>`,
    data: { id: 'account-document', value: document },
  });
}

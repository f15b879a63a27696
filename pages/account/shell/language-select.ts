import { html, nothing } from 'lit';
import type { AccountApp } from '../account-app.ts';
import { icon } from '../icons.ts';
import { selectField } from '../parts.ts';

/** Language select; nothing if there is only one language. */
export function languageSelect(app: AccountApp) {
  const { languages, language, i18n } = app;
  if (languages.length < 2) return nothing;
  return html`<div class="language">
    ${icon('globe')}
    ${selectField({
      ...{ id: 'language', label: i18n.text('account.shell.language'), isLabelHidden: true, value: language },
      options: languages.map((tag) => [tag, html`<span lang=${tag}>${languageName(tag)}</span>`]),
      change: (tag) => app.dispatchEvent(new CustomEvent('language-select', { detail: tag })),
    })}
  </div>`;
}

function languageName(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  const [first = '', ...rest] = name;
  return first.toLocaleUpperCase(tag) + rest.join('');
}

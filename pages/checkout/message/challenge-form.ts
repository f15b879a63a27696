import { createHash } from 'node:crypto';
import type { PageAsset } from '../../assets.ts';
import { escapeHtml, htmlDocument } from '../../html-document.ts';
import { resolveTexts } from '../../locales/texts.ts';
import { I18n } from '../elements/i18n.ts';

/** A 3-D Secure challenge that starts with a form post. */
export interface ChallengeForm {
  url: string;
  fields: Readonly<Record<string, string>>;
}

const SUBMIT_SCRIPT = 'document.forms[0].submit()';

/** The script's source for a content security policy. */
export const submitScriptSource = `'sha256-${createHash('sha256').update(SUBMIT_SCRIPT).digest('base64')}'`;

/** Renders a page that posts a form to the issuer. Without a script, the buyer presses the button. */
export function renderChallengeForm(
  { url, fields }: ChallengeForm,
  language: { locale: string; direction: 'ltr' | 'rtl' },
  asset: PageAsset,
): string {
  const i18n = new I18n(resolveTexts(language.locale), language.locale);
  const text = (key: string) => escapeHtml(i18n.text(`phases.challenge.${key}`));
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return htmlDocument({
    ...language,
    title: i18n.text('phases.challenge.title'),
    asset,
    body: `<main class="plain">
<form class="status" method="post" action="${escapeHtml(url)}">
${inputs.join('\n')}
<h1 class="status-heading">${text('title')}</h1>
<p class="status-text">${text('text')}</p>
<div class="plain-actions"><button class="button button-main button-wide">${text('continue')}</button></div>
</form>
</main>
<script>${SUBMIT_SCRIPT}</script>`,
  });
}

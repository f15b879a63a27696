import { html, type TemplateResult } from 'lit';
import type { I18n } from '../checkout/elements/i18n.ts';
import { button, iconButton } from './parts.ts';
import '@awesome.me/webawesome/dist/components/copy-button/copy-button.js';

/** A reference or ID with a button beside it that copies it; `label` names it. */
export function copyable(
  value: string,
  label: string,
  i18n: I18n,
  shown: unknown = html`<code dir="ltr">${value}</code>`,
): TemplateResult {
  return html`<span class="copyable">${shown}${copyButton(value, label, i18n, 'icon')}</span>`;
}

/** Copies a value; `label` names it. The kind `icon` has no text, for rows of a list. */
export function copyButton(value: string, label: string, i18n: I18n, kind?: 'primary' | 'icon'): TemplateResult {
  const name = i18n.text('copy.label', { what: label });
  const copy =
    kind === 'icon'
      ? iconButton('copy', name, () => {})
      : button(i18n.text('copy.button'), () => {}, { icon: 'copy', kind, name });
  return html`<wa-copy-button
    value=${value}
    copy-label=${name}
    success-label=${i18n.text('copy.copied_what', { what: label })}
    error-label=${i18n.text('copy.failed_what', { what: label })}
    tooltip="copy"
    >${copy}</wa-copy-button
  >`;
}

import { html, type TemplateResult } from 'lit';
import type { I18n } from '../checkout/elements/i18n.ts';
import { button } from './parts.ts';
import '@awesome.me/webawesome/dist/components/copy-button/copy-button.js';

/** Copies a value; `label` names it. */
export function copyButton(value: string, label: string, i18n: I18n, kind?: 'primary'): TemplateResult {
  return html`<wa-copy-button
    value=${value}
    copy-label=${i18n.text('copy.label', { what: label })}
    success-label=${i18n.text('copy.copied_what', { what: label })}
    error-label=${i18n.text('copy.failed_what', { what: label })}
    tooltip="copy"
    >${button(i18n.text('copy.button'), () => {}, { icon: 'copy', kind, name: i18n.text('copy.label', { what: label }) })}</wa-copy-button
  >`;
}

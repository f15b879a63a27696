import { html, type TemplateResult } from 'lit';
import type { Wording } from '../checkout/elements/text.ts';
import { button } from './parts.ts';
import '@awesome.me/webawesome/dist/components/copy-button/copy-button.js';

/** Copies a value; `what` says in words what it is. */
export function copyButton(value: string, what: string, words: Wording, kind?: 'main'): TemplateResult {
  return html`<wa-copy-button
    value=${value}
    copy-label=${words.text('copy.label', { what })}
    success-label=${words.text('copy.copied_what', { what })}
    error-label=${words.text('copy.failed_what', { what })}
    tooltip="copy"
    >${button(words.text('copy.button'), () => {}, { icon: 'copy', kind, name: words.text('copy.label', { what }) })}</wa-copy-button
  >`;
}

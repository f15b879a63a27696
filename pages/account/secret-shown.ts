import { html, nothing, type TemplateResult } from 'lit';
import type { I18n } from '../checkout/elements/i18n.ts';
import { copyButton } from './copy-button.ts';
import { icon } from './icons.ts';
import { button } from './parts.ts';

interface ShownSecret {
  /** Of the element that holds it, which takes the focus once it is there. */
  id: string;
  label: string;
  text: string;
  value: string;
  close: () => void;
}

/** A sheet with something that was just made and can be read only now. */
export function secretPanel(i18n: I18n, secret: ShownSecret | null): TemplateResult | typeof nothing {
  if (secret === null) return nothing;
  return html`<div class="panel panel-body">${secretView(i18n, secret)}</div>`;
}

/** Something that can be read only now, with a way to take it along. */
export function secretView(i18n: I18n, { id, label, text, value, close }: ShownSecret): TemplateResult {
  return html`<div class="secret-shown" role="group" aria-labelledby="${id}-label">
    <p class="secret-label" id="${id}-label">${icon('key-round')} ${label}</p>
    <code class="secret-value" id=${id} dir="ltr" tabindex="-1">${value}</code>
    <p class="hint">${text}</p>
    <div class="row-actions">
      ${copyButton(value, label, i18n, 'main')} ${button(i18n.text('account.integration.kept'), close)}
    </div>
  </div>`;
}

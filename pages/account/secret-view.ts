import { html, nothing, type TemplateResult } from 'lit';
import type { I18n } from '../checkout/elements/i18n.ts';
import { copyButton } from './copy-button.ts';
import { icon } from './icons.ts';
import { button } from './parts.ts';

interface ShownSecret {
  /** ID of the element with the secret, which receives the focus. */
  id: string;
  label: string;
  text: string;
  value: string;
  close: () => void;
}

/** A panel with a new secret, which is shown once, and a copy button. */
export function secretPanel(i18n: I18n, secret: ShownSecret | null): TemplateResult | typeof nothing {
  if (secret === null) return nothing;
  const { id, label, text, value, close } = secret;
  return html`<div class="panel panel-body">
    <div class="secret-view" role="group" aria-labelledby="${id}-label">
      <p class="secret-label" id="${id}-label">${icon('key-round')} ${label}</p>
      <code class="secret-value" id=${id} dir="ltr" tabindex="-1">${value}</code>
      <p class="hint">${text}</p>
      <div class="row-actions">
        ${copyButton(value, label, i18n, 'primary')} ${button(i18n.text('account.integration.confirm_saved'), close)}
      </div>
    </div>
  </div>`;
}

import { html, nothing, type TemplateResult } from 'lit';
import type { Wording } from '../checkout/elements/text.ts';
import { copyButton } from './copy-button.ts';
import { icon } from './icons.ts';
import { button } from './parts.ts';

interface Secret {
  /** Of the element that holds it, which takes the focus once it is there. */
  id: string;
  label: string;
  text: string;
  value: string;
  close: () => void;
}

/** A sheet with something that was just made and can be read only now. */
export function secretPanel(words: Wording, secret: Secret | null): TemplateResult | typeof nothing {
  if (secret === null) return nothing;
  return html`<div class="panel panel-body">${secretShown(words, secret)}</div>`;
}

/** Something that can be read only now, with a way to take it along. */
export function secretShown(words: Wording, { id, label, text, value, close }: Secret): TemplateResult {
  return html`<div class="secret-shown" role="group" aria-labelledby="${id}-label">
    <p class="secret-label" id="${id}-label">${icon('key-round')} ${label}</p>
    <code class="secret-value" id=${id} dir="ltr" tabindex="-1">${value}</code>
    <p class="hint">${text}</p>
    <div class="row-actions">
      ${copyButton(value, label, words, 'main')} ${button(words.text('account.integration.kept'), close)}
    </div>
  </div>`;
}

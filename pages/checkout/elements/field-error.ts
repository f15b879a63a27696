import { html, nothing, svg } from 'lit';

const warningSign = svg`<path d="M8 1.6 15.2 14H.8L8 1.6Z" fill="currentColor" /><path d="M8 6v4M8 11.4v1.2" stroke="var(--paper)" stroke-width="1.6" />`;

/** Message below a field with an error. The icon ensures that color is not the only signal. */
export function fieldErrorMessage(id: string, text: string | null) {
  if (text === null) return nothing;
  return html`<p class="field-error" id=${id}>
    <svg class="error-icon" viewBox="0 0 16 16" aria-hidden="true">${warningSign}</svg><span>${text}</span>
  </p>`;
}

import { html, nothing } from 'lit';
import type { BegunMethod } from '../../src/contract/page-state.ts';
import type { Wording } from './text.ts';

/** In the sandbox: leads to where a tester plays the buyer's bank. */
export function simulatorLink({ simulatorUrl }: BegunMethod, words: Wording) {
  if (simulatorUrl === null) return nothing;
  return html`<p class="simulator">
    <a href=${simulatorUrl} target="_blank" rel="noopener">${words.text('instructions.simulator')}</a>
  </p>`;
}

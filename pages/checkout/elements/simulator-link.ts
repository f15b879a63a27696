import { html, nothing } from 'lit';
import type { BegunMethod } from '../../../src/api/page-state.ts';
import type { Wording } from './text.ts';

/** In the sandbox: leads to where a tester plays whoever pays. */
export function simulatorLink(address: string | null, label: string) {
  if (address === null) return nothing;
  return html`<p class="simulator"><a href=${address} target="_blank" rel="noopener">${label}</a></p>`;
}

/** The same for a method that the buyer has begun. */
export function simulatorLinkOf({ simulatorUrl, instructions }: BegunMethod, words: Wording) {
  return simulatorLink(
    simulatorUrl,
    words.text(instructions.action === 'crypto' ? 'invoice.simulator' : 'instructions.simulator'),
  );
}

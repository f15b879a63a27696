import { html, nothing } from 'lit';
import type { BegunMethod } from '../../../src/api/page-state.ts';
import type { Wording } from './text.ts';

/** Sandbox only: link to the page that simulates the payer. */
export function simulatorLink(address: string | null, label: string) {
  if (address === null) return nothing;
  return html`<p class="simulator"><a href=${address} target="_blank" rel="noopener">${label}</a></p>`;
}

/** Simulator link of a started method. */
export function methodSimulatorLink({ simulatorUrl, instructions }: BegunMethod, words: Wording) {
  return simulatorLink(
    simulatorUrl,
    words.text(instructions.action === 'crypto' ? 'invoice.simulator' : 'instructions.simulator'),
  );
}

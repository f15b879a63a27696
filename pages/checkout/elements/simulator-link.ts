import { html, nothing } from 'lit';
import type { StartedMethod } from '../../../src/api/page-state.ts';
import type { I18n } from './i18n.ts';

/** Sandbox only: link to the page that simulates the payer. */
export function simulatorLink(address: string | null, label: string) {
  if (address === null) return nothing;
  return html`<p class="simulator"><a href=${address} target="_blank" rel="noopener">${label}</a></p>`;
}

/** Simulator link of a started method. */
export function methodSimulatorLink({ simulatorUrl, instructions }: StartedMethod, i18n: I18n) {
  return simulatorLink(
    simulatorUrl,
    i18n.text(instructions.action === 'crypto' ? 'invoice.simulator' : 'instructions.simulator'),
  );
}

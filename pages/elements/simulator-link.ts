import { html, nothing } from 'lit';

/** In the sandbox: leads to where a tester plays whoever pays. */
export function simulatorLink(address: string | null, label: string) {
  if (address === null) return nothing;
  return html`<p class="simulator"><a href=${address} target="_blank" rel="noopener">${label}</a></p>`;
}

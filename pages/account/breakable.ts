import { html, nothing } from 'lit';

/** Breaks an email address or a URL after its separators rather than within a word. */
export function breakable(address: string) {
  return address
    .split(/(?<=[@./:?&])(?!\/)/)
    .map((part, index) => html`${index === 0 ? nothing : html`<wbr />`}${part}`);
}

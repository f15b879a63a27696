import { html, nothing, svg, type TemplateResult } from 'lit';

let sheet = '';

/** Where the icons are: one file with all of them. Until it is known, their places stay empty. */
export function setIconSheet(address: string): void {
  sheet = address;
}

export function iconAddress(name: string): string {
  return `${sheet}#${name}`;
}

/** An icon of `icons.svg`, beside words that say the same: nothing for those who listen. */
export function icon(name: string): TemplateResult {
  return html`<svg class="icon" aria-hidden="true">${
    sheet === '' ? nothing : svg`<use href=${iconAddress(name)}></use>`
  }</svg>`;
}

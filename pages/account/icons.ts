import { html, nothing, svg, type TemplateResult } from 'lit';

let sheet = '';

/** Where the icons are: one file with all of them. Until it is known, their places stay empty. */
export function setIconSheet(address: string): void {
  sheet = address;
}

export function iconAddress(name: string): string {
  return `${sheet}#${name}`;
}

/** An icon of `icons.svg`, beside words that say the same: hidden from assistive technology. */
export function icon(name: string, slot?: 'start' | 'end' | 'icon' | 'expand-icon' | 'collapse-icon'): TemplateResult {
  return html`<svg class="icon" slot=${slot ?? nothing} aria-hidden="true">${
    sheet === '' ? nothing : svg`<use href=${iconAddress(name)}></use>`
  }</svg>`;
}

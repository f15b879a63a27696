import { html, nothing, svg, type TemplateResult } from 'lit';

let sheetUrl = '';

/** Where the icons are: one file with all of them. Until it is known, their places stay empty. */
export function setIconSheet(url: string): void {
  sheetUrl = url;
}

export function iconUrl(name: string): string {
  return `${sheetUrl}#${name}`;
}

/** An icon of `icons.svg`, beside words that say the same: hidden from assistive technology. */
export function icon(name: string, slot?: 'start' | 'end' | 'icon' | 'expand-icon' | 'collapse-icon'): TemplateResult {
  return html`<svg class="icon" slot=${slot ?? nothing} aria-hidden="true">${
    sheetUrl === '' ? nothing : svg`<use href=${iconUrl(name)}></use>`
  }</svg>`;
}

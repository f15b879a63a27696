import { html, nothing, svg, type TemplateResult } from 'lit';

let sheetUrl = '';

/** Sets the URL of the icon sheet. Icons are empty until then. */
export function setIconSheet(url: string): void {
  sheetUrl = url;
}

export function iconUrl(name: string): string {
  return `${sheetUrl}#${name}`;
}

/** An icon of `icons.svg`. It is hidden from assistive technology, so text must have the same meaning. */
export function icon(name: string, slot?: 'start' | 'end' | 'icon' | 'expand-icon' | 'collapse-icon'): TemplateResult {
  return html`<svg class="icon" slot=${slot ?? nothing} aria-hidden="true">${
    sheetUrl === '' ? nothing : svg`<use href=${iconUrl(name)}></use>`
  }</svg>`;
}

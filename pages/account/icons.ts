import { html, nothing, svg, type TemplateResult } from 'lit';

let spriteUrl = '';

/** Sets the URL of the icon sprite. Icons are empty until then. */
export function setIconSprite(url: string): void {
  spriteUrl = url;
}

export function iconUrl(name: string): string {
  return `${spriteUrl}#${name}`;
}

/** An icon of `icons.svg`. It is hidden from assistive technology, so text must have the same meaning. */
export function icon(name: string, slot?: 'start' | 'end' | 'icon' | 'expand-icon' | 'collapse-icon'): TemplateResult {
  return html`<svg class="icon" slot=${slot ?? nothing} aria-hidden="true">${
    spriteUrl === '' ? nothing : svg`<use href=${iconUrl(name)}></use>`
  }</svg>`;
}

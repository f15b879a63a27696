import { html, type TemplateResult } from 'lit';
import { icon } from './icons.ts';
import './web-awesome.ts';
import '@awesome.me/webawesome/dist/components/details/details.js';

interface Unfolding {
  /** Always visible; toggles the content. */
  head: unknown;
  content: unknown;
  className?: string;
  isOpen?: boolean;
  toggled?: (isOpen: boolean) => unknown;
}

/** A row that expands. */
export function unfolding({ head, content, className = '', isOpen = false, toggled }: Unfolding): TemplateResult {
  const told = (isShown: boolean) => (event: Event) => {
    if (event.target === event.currentTarget) toggled?.(isShown);
  };
  return html`<wa-details
    class="unfolds ${className}"
    appearance="plain"
    .open=${isOpen}
    @wa-show=${told(true)}
    @wa-hide=${told(false)}
  >
    <div class="row" slot="summary">${head}</div>
    ${icon('chevron-down', 'expand-icon')}${icon('chevron-up', 'collapse-icon')}
    <div class="unfolded">${content}</div>
  </wa-details>`;
}

import { html, type TemplateResult } from 'lit';
import { icon } from './icons.ts';
import { innerAttributes } from './inner-attributes.ts';
import './web-awesome.ts';
import '@awesome.me/webawesome/dist/components/details/details.js';

interface ExpandableRow {
  /** Always visible; toggles the content. */
  head: unknown;
  content: unknown;
  className?: string;
  isOpen?: boolean;
  onToggle?: (isOpen: boolean) => unknown;
}

/** Focuses an element, in rows that are opened if they are closed. */
export async function focusInRows(element: HTMLElement | null): Promise<void> {
  for (let row = element?.closest('wa-details'); row; row = row.parentElement?.closest('wa-details')) {
    if (row.open) continue;
    row.open = true;
    await row.updateComplete;
  }
  element?.focus();
}

/** A row that expands. Its content is no landmark: a page has many. */
export function expandableRow({
  head,
  content,
  className = '',
  isOpen = false,
  onToggle,
}: ExpandableRow): TemplateResult {
  const notifyToggle = (isNowOpen: boolean) => (event: Event) => {
    if (event.target === event.currentTarget) onToggle?.(isNowOpen);
  };
  return html`<wa-details
    class="expandable ${className}"
    appearance="plain"
    .open=${isOpen}
    ${innerAttributes({ role: 'group' }, '[aria-labelledby=header]')}
    @wa-show=${notifyToggle(true)}
    @wa-hide=${notifyToggle(false)}
  >
    <div class="row" slot="summary">${head}</div>
    ${icon('chevron-down', 'expand-icon')}${icon('chevron-up', 'collapse-icon')}
    <div class="expanded-content">${content}</div>
  </wa-details>`;
}

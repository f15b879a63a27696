import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { I18n } from '../checkout/elements/i18n.ts';
import { loadView, skeletonRows } from './account-state.ts';
import type { ListLoader } from './loader.ts';
import { button } from './parts.ts';

interface ListView<Row> {
  /** Number of rows in the skeleton. */
  skeletonRowCount: number;
  empty: () => TemplateResult;
  row: (row: Row) => TemplateResult;
  /** Identifies a row, so that it keeps its open menu and typed text when others are inserted. */
  key: keyof Row;
  /** Label of the button that loads the next page. */
  more: string;
  className?: string;
}

/** A paginated list with a button for the next page. */
export function listView<Row>(
  loader: ListLoader<Row>,
  i18n: I18n,
  { skeletonRowCount, empty, row, key, more, className = '' }: ListView<Row>,
): TemplateResult {
  return loadView(loader, i18n, {
    skeleton: () => skeletonRows(skeletonRowCount),
    empty: ({ rows }) => (rows.length > 0 ? null : empty()),
    content: ({ rows, hasMore }) => html`<ul class="panel list ${className}">
        ${repeat(rows, (each) => each[key], row)}
      </ul>
      ${hasMore ? button(more, () => void loader.loadMore(), { isBusy: loader.isLoading, className: 'load-more' }) : nothing}`,
  });
}

import type { TemplateResult } from 'lit';
import type { AccountContext } from '../context.ts';
import { button, emptyState } from '../parts.ts';
import type { ListQuery } from './filters.ts';

/** Shown instead of a list without transactions: clears the filters, or creates the first link. */
export function emptyList(
  { kind, filters }: ListQuery,
  { i18n, scopes, merchantPath }: AccountContext,
  clearFilters: () => void,
): TemplateResult {
  const text = (key: string) => i18n.text(`account.transactions.${key}`);
  const isFiltered = Object.keys(filters).length > 0;
  const action = isFiltered
    ? button(text('clear'), clearFilters)
    : scopes.has('link:write') && kind === 'fiat'
      ? button(text('empty.create'), merchantPath('new-link'), { kind: 'primary' })
      : null;
  const key = isFiltered ? 'no_matches' : kind;
  return emptyState(
    isFiltered ? 'search' : 'receipt-text',
    text(`empty.${key}.title`),
    text(`empty.${key}.text`),
    action,
  );
}

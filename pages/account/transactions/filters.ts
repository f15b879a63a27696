import type { QueryValues } from '../api.ts';
import { toInstants } from '../dates.ts';

export type Kind = 'fiat' | 'crypto';
const filterNames = [
  'status',
  'awaiting_review',
  'authorization_status',
  'payment_method',
  'code',
  'since',
  'till',
  'currency',
  'country',
  'reusable_link_id',
  'metadata',
  'search',
] as const;
export type FilterName = (typeof filterNames)[number];

const filterNamesByKind: Readonly<Record<Kind, readonly FilterName[]>> = {
  fiat: [
    ...(['status', 'awaiting_review', 'authorization_status', 'payment_method'] as const),
    ...(['since', 'till', 'currency', 'country', 'reusable_link_id', 'metadata', 'search'] as const),
  ],
  crypto: ['status', 'code', 'since', 'till', 'metadata', 'search'],
};

/** Sort orders, by their name in the URL. */
const sortOrders = {
  newest: {},
  oldest: { order: 'created_at', order_direction: 'asc' },
  changed: { order: 'updated_at', order_direction: 'desc' },
  largest: { order: 'amount', order_direction: 'desc' },
  smallest: { order: 'amount', order_direction: 'asc' },
  reference: { order: 'transaction_id', order_direction: 'asc' },
  reference_desc: { order: 'transaction_id', order_direction: 'desc' },
} as const satisfies Record<string, QueryValues>;
export type SortOrder = keyof typeof sortOrders;
export const sortOrderNames = Object.keys(sortOrders) as SortOrder[];

/** Splits the metadata filter `KEY=VALUE`; null if it has another form. A key contains no `=`. */
export function parseMetadata(filter: string): { key: string; value: string } | null {
  const [, key, value] = /^([^=]+)=(.+)$/s.exec(filter) ?? [];
  return key === undefined || value === undefined ? null : { key, value };
}

/** Maximum lengths of a metadata key and value. */
const MAX_METADATA = 541;

/** Kind, sort order and filters of the list, as in the URL. */
export interface ListQuery {
  kind: Kind;
  order: SortOrder;
  filters: Readonly<Partial<Record<FilterName, string>>>;
}

export function parseListQuery(search: string): ListQuery {
  const params = new URLSearchParams(search);
  const kind = params.get('kind') === 'crypto' ? 'crypto' : 'fiat';
  const order = sortOrderNames.find((name) => name === params.get('order')) ?? 'newest';
  const filters: Partial<Record<FilterName, string>> = {};
  for (const name of filterNamesByKind[kind]) {
    const value = params.get(name)?.trim();
    if (!value || (name === 'awaiting_review' && value !== 'true')) continue;
    if (name === 'metadata' && parseMetadata(value) === null) continue;
    filters[name] = value.slice(0, name === 'metadata' ? MAX_METADATA : 128);
  }
  return { kind, order: kind === 'fiat' ? order : 'newest', filters };
}

/** Formats the query string; empty for the unfiltered list. */
export function formatListQuery({ kind, order, filters }: ListQuery): string {
  const params = new URLSearchParams();
  if (kind === 'crypto') params.set('kind', kind);
  for (const name of filterNamesByKind[kind]) {
    const value = filters[name];
    if (value) params.set(name, value);
  }
  if (kind === 'fiat' && order !== 'newest') params.set('order', order);
  const text = params.toString();
  return text === '' ? '' : `?${text}`;
}

/** Query of the API. Dates are in the user's time zone. */
export function toApiQuery({ kind, order, filters }: ListQuery): QueryValues {
  const { since, till, metadata = '', ...others } = filters;
  const pair = parseMetadata(metadata);
  return {
    ...others,
    ...(pair && { [`metadata[${pair.key}]`]: pair.value }),
    ...toInstants({ since, till }),
    ...(kind === 'fiat' && sortOrders[order]),
  };
}

/** Query of an export, which supports two sort orders. */
export function toExportQuery({ order, ...rest }: ListQuery): QueryValues {
  const { order: _by, order_direction: _direction, ...filters } = toApiQuery({ ...rest, order });
  return order === 'oldest' ? { ...filters, order_direction: 'asc' } : filters;
}

import type { QueryValues } from '../api.ts';

export type Kind = 'fiat' | 'crypto';
export const filterNames = [
  'status',
  'payment_method',
  'code',
  'since',
  'till',
  'currency',
  'country',
  'search',
] as const;
export type FilterName = (typeof filterNames)[number];

const namesOf: Readonly<Record<Kind, readonly FilterName[]>> = {
  fiat: ['status', 'payment_method', 'since', 'till', 'currency', 'country', 'search'],
  crypto: ['status', 'code', 'search'],
};

/** Orders by the name that they have in the address. */
export const orders = {
  newest: {},
  oldest: { order: 'created_at', order_direction: 'asc' },
  changed: { order: 'updated_at', order_direction: 'desc' },
  largest: { order: 'amount', order_direction: 'desc' },
  smallest: { order: 'amount', order_direction: 'asc' },
} as const satisfies Record<string, QueryValues>;
export type OrderName = keyof typeof orders;
export const orderNames = Object.keys(orders) as OrderName[];

/** What a list is narrowed to: what stands in the address, and nothing else. */
export interface Narrowed {
  kind: Kind;
  order: OrderName;
  filters: Readonly<Partial<Record<FilterName, string>>>;
}

export function readNarrowed(search: string): Narrowed {
  const asked = new URLSearchParams(search);
  const kind = asked.get('kind') === 'crypto' ? 'crypto' : 'fiat';
  const order = orderNames.find((name) => name === asked.get('order')) ?? 'newest';
  const filters: Partial<Record<FilterName, string>> = {};
  for (const name of namesOf[kind]) {
    const value = asked.get(name)?.trim();
    if (value) filters[name] = value.slice(0, 128);
  }
  return { kind, order: kind === 'fiat' ? order : 'newest', filters };
}

/** What stands behind the path: empty where nothing is narrowed. */
export function writeNarrowed({ kind, order, filters }: Narrowed): string {
  const written = new URLSearchParams();
  if (kind === 'crypto') written.set('kind', kind);
  for (const name of namesOf[kind]) {
    const value = filters[name];
    if (value) written.set(name, value);
  }
  if (kind === 'fiat' && order !== 'newest') written.set('order', order);
  const text = written.toString();
  return text === '' ? '' : `?${text}`;
}

/** The query of the list; days are those of the reader, whatever zone that is. */
export function queryOf({ kind, order, filters }: Narrowed): QueryValues {
  const { since, till, ...rest } = filters;
  if (kind === 'crypto') return rest;
  return { ...rest, since: dayBegins(since, 0), till: dayBegins(till, 1), ...orders[order] };
}

/** The query of an export, which knows two orders. */
export function exportQueryOf({ order, ...narrowed }: Narrowed): QueryValues {
  const { order: _by, order_direction: _direction, ...filters } = queryOf({ ...narrowed, order });
  return order === 'oldest' ? { ...filters, order_direction: 'asc' } : filters;
}

/** When a day of the reader's begins, or the one after it; null for what is no day. */
function dayBegins(day: string | undefined, later: number): string | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  if (year === undefined) return null;
  const at = new Date(Number(year), Number(month) - 1, Number(date) + later);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

import { readStored, writeStored } from '../storage.ts';
import type { Kind, SortOrder } from './filters.ts';

export type ColumnName = 'date' | 'reference' | 'description' | 'payer' | 'address' | 'method' | 'amount' | 'status';

export interface Column {
  name: ColumnName;
  /** A grid track. */
  width: string;
  /** Minimum width in rem. */
  minWidth: number;
  /** Sort orders of its heading: the first choice, then the other. */
  sortOrders?: readonly [SortOrder, SortOrder];
}

const date = { name: 'date', width: '8.25rem', minWidth: 8.75, sortOrders: ['newest', 'oldest'] } as const;
const reference = { name: 'reference', width: 'minmax(7rem, 1.6fr)', minWidth: 8 } as const;
const description = { name: 'description', width: 'minmax(7rem, 1.4fr)', minWidth: 11 } as const;
const amount = { name: 'amount', width: 'minmax(7.5rem, 0.4fr)', minWidth: 8.5 } as const;
const status = { name: 'status', width: 'minmax(9rem, 10.75rem)', minWidth: 10 } as const;
const method = { name: 'method', width: '8.75rem', minWidth: 9.75 } as const;

/** Columns of each list, in their order. */
const columns: Readonly<Record<Kind, readonly Column[]>> = {
  fiat: [
    date,
    { ...reference, width: 'minmax(7rem, 1.2fr)', sortOrders: ['reference', 'reference_desc'] },
    description,
    { name: 'payer', width: 'minmax(7rem, 1.8fr)', minWidth: 9 },
    method,
    { ...amount, sortOrders: ['largest', 'smallest'] },
    status,
  ],
  crypto: [
    { name: 'date', width: '9rem', minWidth: 9.5 },
    reference,
    { name: 'address', width: '9rem', minWidth: 10 },
    description,
    method,
    { ...amount, width: 'minmax(9rem, 1fr)', minWidth: 10 },
    { ...status, width: '9.5rem', minWidth: 10.5 },
  ],
};

/** Columns that narrow lists hide, in this order. */
const hiddenFirst: readonly ColumnName[] = ['description', 'payer', 'address', 'date'];

export function columnsOf(kind: Kind): readonly Column[] {
  return columns[kind];
}

/** Columns that a user can hide. */
export function optionalColumns(kind: Kind): ColumnName[] {
  return columns[kind].map(({ name }) => name).filter((name) => name !== 'reference' && name !== 'amount');
}

/** Width in rem from which the list is a table; below, each row is a card. As in `transactions.css`. */
const TABLE_WIDTH = 40;

/** Each row is a card. */
export function isCardLayout(width: number): boolean {
  return width > 0 && width < TABLE_WIDTH;
}

/** The columns that fit in `width` rem, without hidden ones. */
export function visibleColumns(kind: Kind, hidden: readonly ColumnName[], width: number): Column[] {
  let shown = columns[kind].filter(({ name }) => !hidden.includes(name));
  if (width < TABLE_WIDTH) return shown;
  for (const name of hiddenFirst) {
    if (shown.reduce((sum, { minWidth }) => sum + minWidth, 0) <= width) break;
    shown = shown.filter((column) => column.name !== name);
  }
  return shown;
}

const STORAGE_KEY = 'paylatch.hidden-columns';

/** Columns that the user has hidden in this browser. */
export function readHiddenColumns(): ColumnName[] {
  const names = (readStored(STORAGE_KEY) ?? '').split(' ');
  return [...optionalColumns('fiat'), 'address' as const].filter((name) => names.includes(name));
}

export function writeHiddenColumns(names: readonly ColumnName[]): void {
  writeStored(STORAGE_KEY, names.join(' '));
}

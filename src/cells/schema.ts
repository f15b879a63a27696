import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';

/** A merchant that left this cell. */
interface MerchantMoveTable {
  merchant_id: number;
  /** Random: distinguishes a canceled move from a later one. */
  move_id: string;
  /** The cell that it moves to. */
  cell: string;
  /** `frozen`: its rows are in `moved_rows` only. `moved`: the other cell has them. */
  state: 'frozen' | 'moved';
  row_count: number;
  /** Of all rows; see `Digest` in `rows.ts`. */
  digest: string;
  started_at: Instant;
  finished_at: Instant | null;
}

/** Rows of a merchant that left this cell, as JSON: arrays in the order of the table's columns. */
interface MovedRowsTable {
  merchant_id: number;
  table_name: string;
  part: number;
  content: string;
}

/** Public IDs, and SHA-256 digests of access tokens, of merchants that left this cell. */
interface MovedIdTable {
  id: string;
  merchant_id: number;
}

/** A merchant that arrived in this cell, or whose move was canceled and which must not arrive. */
interface MerchantArrivalTable {
  merchant_id: number;
  move_id: string;
  /** The cell that it comes from; empty for one without a prefix. */
  cell: string;
  state: 'arrived' | 'cancelled';
  at: Instant;
}

export interface CellTables {
  merchant_moves: MerchantMoveTable;
  moved_rows: MovedRowsTable;
  moved_ids: MovedIdTable;
  merchant_arrivals: MerchantArrivalTable;
}

export const { db } = tablesOf<CellTables>();

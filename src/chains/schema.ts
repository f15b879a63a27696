import type { Generated } from 'kysely';
import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';

/** Position up to which a chain was scanned, and the process that scans it. */
interface ChainCursorTable {
  id: Generated<number>;
  chain: string;
  /** Height of the last block scanned; null until the first connection to the chain. */
  height: number | null;
  hash: string | null;
  /** Process that holds the lease until `held_until`. */
  holder: string | null;
  held_until: Instant | null;
  /** JSON: the reason that the chain cannot be scanned. */
  trouble: string | null;
  trouble_since: Instant | null;
  /** Time when the chain was last scanned to its tip, mempool included. */
  read_to_end_at: Generated<Instant | null>;
  /** Height to scan again from, set by the operator; null once the scan is back there. */
  reanchor_height: Generated<number | null>;
  updated_at: Instant;
}

/** Last blocks scanned, to detect reorgs. */
interface ChainBlockTable {
  chain: string;
  height: number;
  hash: string;
}

export interface ChainTables {
  chain_cursors: ChainCursorTable;
  chain_blocks: ChainBlockTable;
}

export const { db } = tablesOf<ChainTables>();

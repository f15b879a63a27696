import type { Generated } from 'kysely';
import { tablesOf } from '../database/tables-of.ts';
import type { Instant } from '../shared/time.ts';

/** How far a chain has been read, and by which process. */
interface ChainCursorTable {
  id: Generated<number>;
  chain: string;
  /** Of the last block that was read; null until the chain was reached for the first time. */
  height: number | null;
  hash: string | null;
  /** The process that reads it until then, unless it says that it goes on. */
  holder: string | null;
  held_until: Instant | null;
  /** JSON: why nothing can be read now. */
  trouble: string | null;
  trouble_since: Instant | null;
  /** When the chain was last read to its end, the pool included. */
  read_to_end_at: Generated<Instant | null>;
  /** From where the operator has the chain read again; null once it is. */
  reanchor_height: Generated<number | null>;
  updated_at: Instant;
}

/** The last blocks that were read, by which a reorganisation is found. */
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

import type { Kysely } from 'kysely';
import { db, type SimulatedChainTables } from './schema.ts';
import type { ChainName } from '../../shared/crypto-currency.ts';
import { type Instant, SECOND } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import { type Database, lockRows, type UnitOfWork } from '../../database/database.ts';
import type { Random } from '../../system/random.ts';
import type { ChainKind } from './chain-kinds.ts';

/** Topic announced with each change of a simulated chain, in all processes that share the database. */
export function simulatedChainTopic(name: ChainName): string {
  return `chain:${name}`;
}

/** A change of a chain. Changes run one at a time. */
export interface ChainChange {
  readonly kind: ChainKind;
  readonly query: UnitOfWork['query'];
  readonly tables: Kysely<SimulatedChainTables>;
  newHash(): string;
  /** Timestamp of a block mined now, in whole seconds. */
  blockTime(): Instant;
  /** Announces the change once it is committed. */
  announce(): void;
}

/** Storage of a chain. */
export interface ChainStore {
  readonly kind: ChainKind;
  /** For reads. Creates the genesis block first. */
  openDatabase(): Promise<Database>;
  change<Result>(work: (change: ChainChange) => Promise<Result>): Promise<Result>;
}

/** Opens a chain stored in the database. All processes that share the database see the same chain. */
export function createChainStore({
  database,
  clock,
  random,
  kind,
}: {
  database: Database;
  clock: Clock;
  random: Random;
  kind: ChainKind;
}): ChainStore {
  let hasFirstBlock = false;

  async function change<Result>(apply: (change: ChainChange) => Promise<Result>): Promise<Result> {
    return await database.inTransaction(async (unit) => {
      const chainChange: ChainChange = {
        kind,
        query: unit.query,
        tables: db(unit),
        newHash: () => `${kind.hashPrefix}${Buffer.from(random.bytes(32)).toString('hex')}`,
        blockTime: () => Math.floor(clock.now() / SECOND) * SECOND,
        announce: () => unit.announce(simulatedChainTopic(kind.name)),
      };
      await lockChain(unit, chainChange);
      return await apply(chainChange);
    });
  }

  /** Locks the chain's row, and creates the chain if it does not exist. */
  async function lockChain(unit: UnitOfWork, chainChange: ChainChange): Promise<void> {
    const ownRow = db(unit).selectFrom('simulated_chains').select('chain').where('chain', '=', kind.name);
    if (await lockRows(unit, ownRow).executeTakeFirst()) return;
    const { initialFeeRate } = kind;
    await db(unit)
      .insertInto('simulated_chains')
      .values({
        chain: kind.name,
        fee_rate: String(initialFeeRate.amount),
        priority_fee: initialFeeRate.unit === 'wei/gas' ? String(initialFeeRate.priority) : null,
      })
      .onConflict((conflict) => conflict.column('chain').doNothing())
      .execute();
    await lockRows(unit, ownRow).executeTakeFirstOrThrow();
    await db(unit)
      .insertInto('simulated_blocks')
      .values({
        chain: kind.name,
        height: 0,
        hash: chainChange.newHash(),
        parent_hash: `${kind.hashPrefix}${'0'.repeat(64)}`,
        at: chainChange.blockTime(),
      })
      // If two processes create the chain at the same time, the second has waited for the first.
      .onConflict((conflict) => conflict.columns(['chain', 'height']).doNothing())
      .execute();
  }

  return {
    kind,
    async openDatabase() {
      if (!hasFirstBlock) {
        const row = await db(database)
          .selectFrom('simulated_chains')
          .select('chain')
          .where('chain', '=', kind.name)
          .executeTakeFirst();
        if (!row) await change(async () => await Promise.resolve());
        hasFirstBlock = true;
      }
      return database;
    },
    change,
  };
}

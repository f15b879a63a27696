import type { Kysely } from 'kysely';
import { db, type SimulatedChainTables } from './schema.ts';
import type { ChainName } from '../../shared/crypto-currency.ts';
import { type Instant, SECOND } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import { type Database, lockRows, type UnitOfWork } from '../../database/database.ts';
import type { Random } from '../../system/random.ts';
import type { ChainKind } from './kinds.ts';

/** What is announced with each change of a simulated chain, in every process that shares its database. */
export function simulatedChainTopic(name: ChainName): string {
  return `chain:${name}`;
}

/** A change of a chain, of which there is one at a time. */
export interface Change {
  readonly kind: ChainKind;
  readonly query: UnitOfWork['query'];
  readonly tables: Kysely<SimulatedChainTables>;
  newHash(): string;
  /** What a block that is made now says: nodes count whole seconds. */
  blockTime(): Instant;
  /** Tells whoever watches the chain, once the change is durable. */
  tell(): void;
}

/** Where a chain is kept. */
export interface Books {
  readonly kind: ChainKind;
  /** For reading; the first block is there. */
  open(): Promise<Database>;
  change<Result>(work: (change: Change) => Promise<Result>): Promise<Result>;
}

/** A chain in the database: the same one for all that share it, after a restart as before. */
export function openBooks({
  database,
  clock,
  random,
  kind,
}: {
  database: Database;
  clock: Clock;
  random: Random;
  kind: ChainKind;
}): Books {
  let hasBegun = false;

  async function change<Result>(work: (change: Change) => Promise<Result>): Promise<Result> {
    return await database.inTransaction(async (unit) => {
      const made: Change = {
        kind,
        query: unit.query,
        tables: db(unit),
        newHash: () => `${kind.hashPrefix}${Buffer.from(random.bytes(32)).toString('hex')}`,
        blockTime: () => Math.floor(clock.now() / SECOND) * SECOND,
        tell: () => unit.announce(simulatedChainTopic(kind.name)),
      };
      await lock(unit, made);
      return await work(made);
    });
  }

  /** Waits for whoever else changes the chain, and begins it where nobody has. */
  async function lock(unit: UnitOfWork, made: Change): Promise<void> {
    const ours = db(unit).selectFrom('simulated_chains').select('chain').where('chain', '=', kind.name);
    if (await lockRows(unit, ours).executeTakeFirst()) return;
    const { feeRate } = kind;
    await db(unit)
      .insertInto('simulated_chains')
      .values({
        chain: kind.name,
        fee_rate: String(feeRate.amount),
        priority_fee: feeRate.unit === 'wei/gas' ? String(feeRate.priority) : null,
      })
      .onConflict((conflict) => conflict.column('chain').doNothing())
      .execute();
    await lockRows(unit, ours).executeTakeFirstOrThrow();
    await db(unit)
      .insertInto('simulated_blocks')
      .values({
        chain: kind.name,
        height: 0,
        hash: made.newHash(),
        parent_hash: `${kind.hashPrefix}${'0'.repeat(64)}`,
        at: made.blockTime(),
      })
      // Of two that begin at once, the second has waited for the first.
      .onConflict((conflict) => conflict.columns(['chain', 'height']).doNothing())
      .execute();
  }

  return {
    kind,
    async open() {
      if (!hasBegun) {
        const found = await db(database)
          .selectFrom('simulated_chains')
          .select('chain')
          .where('chain', '=', kind.name)
          .executeTakeFirst();
        if (!found) await change(async () => await Promise.resolve());
        hasBegun = true;
      }
      return database;
    },
    change,
  };
}

import type { Runner } from '../../src/database/engine.ts';
import { db } from './tables.ts';
import { appendFileSync } from 'node:fs';

export interface ProofCounts {
  sequences: number;
  steps: number;
  kills: number;
  /** Faults by kind. */
  faults: Record<string, number>;
  payments: number;
  deposits: number;
  webhooks: number;
}

/** Adds to the counts of `npm run prove`; does nothing in other runs. */
export function countForProof(counts: Partial<ProofCounts>): void {
  const { PROVE_COUNTS: file } = process.env;
  if (file) appendFileSync(file, `${JSON.stringify(counts)}\n`);
}

/** Counts the payments, deposits and delivered webhooks of a database before it is dropped. */
export async function countRowsForProof(reader: Runner): Promise<void> {
  if (!process.env.PROVE_COUNTS) return;
  const rowsOf = async (table: 'fiat_transactions' | 'crypto_transactions' | 'deposits' | 'callbacks') => {
    const { count } = await db(reader)
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number | string>().as('count'))
      .$if(table === 'callbacks', (rows) => rows.where('state' as never, '=', 'delivered' as never))
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  countForProof({
    payments: (await rowsOf('fiat_transactions')) + (await rowsOf('crypto_transactions')),
    deposits: await rowsOf('deposits'),
    webhooks: await rowsOf('callbacks'),
  });
}

let hasBeenInterrupted = false;
process.once('SIGUSR2', () => (hasBeenInterrupted = true));

/** True if `npm run prove` was interrupted: the current sequence or kill is the last. */
export function isInterrupted(): boolean {
  return hasBeenInterrupted;
}

/** Counts a fault by its kind. */
export function countFault(kind: string): void {
  countForProof({ faults: { [kind]: 1 } });
}

export interface FaultBudget {
  /** The seed of the run: the same in every test run; `npm run prove` sets SEED. */
  seed: number;
  /** True if another fault follows: up to FAULTS, or within MODEL_SECONDS. */
  hasNext: () => boolean;
}

export function faultBudget(usualFaults: number): FaultBudget {
  const { SEED, FAULTS, MODEL_SECONDS } = process.env;
  const end = performance.now() + Number(MODEL_SECONDS ?? 0) * 1000;
  const most = MODEL_SECONDS ? Number.POSITIVE_INFINITY : Number(FAULTS ?? usualFaults);
  let faults = 0;
  return {
    seed: Number(SEED ?? 1),
    hasNext() {
      faults += 1;
      if (faults === 1) return true;
      return !hasBeenInterrupted && faults <= most && (!MODEL_SECONDS || performance.now() < end);
    },
  };
}

export interface KillBudget {
  /** The seed of the run: the same in every test run; `npm run prove` sets SEED. */
  seed: number;
  /** Counts a kill. Returns true if another one follows: up to KILLS, or within MODEL_SECONDS. */
  countKill: () => boolean;
}

export function killBudget(usualKills: number): KillBudget {
  const { SEED, KILLS, MODEL_SECONDS } = process.env;
  const end = performance.now() + Number(MODEL_SECONDS ?? 0) * 1000;
  const most = MODEL_SECONDS ? Number.POSITIVE_INFINITY : Number(KILLS ?? usualKills);
  let kills = 0;
  return {
    seed: Number(SEED ?? 1),
    countKill() {
      kills += 1;
      countForProof({ kills: 1 });
      return !hasBeenInterrupted && kills < most && (!MODEL_SECONDS || performance.now() < end);
    },
  };
}

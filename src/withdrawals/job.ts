/*
 * Map of this module: `job.ts` advances each withdrawal step by step. `plan.ts` plans sweeps and refunds, `create.ts`
 * manual withdrawals. `create-version.ts` chooses the fee rate (`fee-rate.ts`), prepares a transaction
 * (`prepare-transfer.ts`, `prepare-cancel.ts`) and signs it, and `broadcast.ts` sends and tracks it. `submit.ts`
 * accepts external signatures, `write-off.ts` handles spent deposits, `ledger.ts` posts. `destinations.ts` delays new
 * destinations. Reasons: docs/decisions/withdrawals.md.
 */

import { type Expression, sql } from 'kysely';
import { type BlockRef, ChainError } from '../chains/port.ts';
import type { Spender } from '../chains/spender.ts';
import { chains, cryptoCurrencies } from '../shared/crypto-currency.ts';
import { type Instant, MINUTE, SECOND } from '../shared/time.ts';
import type { Job } from '../jobs/runner.ts';
import { describeError } from '../system/log.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { dueByLease, lastBlockTopic, readLastBlockAsHolder, withdrawalJobName } from '../chains/cursor.ts';
import { MAX_REORG_DEPTH } from '../chains/blocks.ts';
import { hasRefundSince } from '../invoices/store.ts';
import { finalize, trackBroadcast, revertOrphaned } from './broadcast.ts';
import { createVersion, signVersion } from './create-version.ts';
import { planRefunds, planSweeps } from './plan.ts';
import type { ChainConditions } from './prepared.ts';
import { findOpenWithdrawals, findOrphanedWithdrawals, findVersions, isOpenCondition } from './store.ts';
import type { Version, Withdrawal } from './withdrawal.ts';
import { restoreUnspent } from './write-off.ts';

/** Interval for open withdrawals without a new block or a change. */
const POLL_INTERVAL: Instant = 10 * SECOND;
/** Interval for account-based withdrawals that wait for lower fees: each check costs several node calls. */
const FEE_CHECK_INTERVAL: Instant = MINUTE;
const GAS_METRIC_INTERVAL: Instant = MINUTE;
/** Interval without open withdrawals. New blocks and changed preferences wake the job anyway. */
const IDLE_INTERVAL: Instant = MINUTE;
/** Interval after a node did not respond. */
const RETRY_INTERVAL: Instant = 2 * SECOND;

/**
 * Creates the job that plans withdrawals of a chain and advances them step by step. Each step starts from the database
 * and does nothing if another process was faster. Only the process that scans the chain runs it, to reduce the load on
 * the node.
 */
export function createWithdrawalJob(context: WithdrawalsContext, connected: ConnectedChain, holder: string): Job {
  const worker = new WithdrawalWorker(context, connected, holder);
  return {
    name: withdrawalJobName(connected.name),
    topics: [lastBlockTopic(connected.name)],
    earliestDue: () => worker.due(),
    runOnce: async () => await worker.runOnce(),
  };
}

interface LastCheck {
  state: string;
  tipHash: string;
  checkedAt: Instant;
}

class WithdrawalWorker {
  readonly #context: WithdrawalsContext;
  readonly #connected: ConnectedChain;
  readonly #holder: string;
  #spender: Spender | null = null;
  /** Last check of each withdrawal and of the plan. */
  readonly #lastChecks = new Map<number | 'plan', LastCheck>();
  #measuredAt: Instant = 0;
  #restoredTip = '';
  /** Start of the last round, and due time of the next one without changes. */
  #startedAt: Instant = 0;
  #nextDueAt: Instant = 0;
  #interval: Instant = IDLE_INTERVAL;

  constructor(context: WithdrawalsContext, connected: ConnectedChain, holder: string) {
    this.#context = context;
    this.#connected = connected;
    this.#holder = holder;
  }

  /** Changes since the last round are due immediately, in case their wake-up was missed. */
  due(): Expression<Instant | null> {
    const { name } = this.#connected;
    const ownDue = sql<Instant | null>`
      select case
        when exists (
          select 1 from withdrawals where chain = ${name} and ${isOpenCondition} and updated_at >= ${this.#startedAt}
        ) then 0
        when ${hasRefundSince(name, this.#startedAt)} then 0
        else cast(${this.#nextDueAt} as bigint) end`;
    return dueByLease(this.#holder, name, ownDue, sql<null>`null`);
  }

  async runOnce(): Promise<number> {
    const { clock } = this.#context;
    this.#startedAt = clock.now();
    this.#nextDueAt = this.#startedAt + RETRY_INTERVAL;
    const tip = await readLastBlockAsHolder(
      { database: this.#context.database, clock, holder: this.#holder },
      this.#connected.name,
    );
    if (!tip) {
      // Another process measures it.
      this.#context.metrics.gasWallet.remove({ chain: this.#connected.name });
      this.#measuredAt = 0;
      return 0;
    }
    const done = await this.#advanceWithdrawals(tip);
    this.#nextDueAt = clock.now() + this.#interval;
    return done;
  }

  async #advanceWithdrawals(tip: BlockRef): Promise<number> {
    this.#spender ??= await this.#connected.spender();
    const spender = this.#spender;
    const { database } = this.#context;
    const { name, chain } = this.#connected;
    this.#interval = IDLE_INTERVAL;
    let feeRate: ReturnType<typeof chain.feeRate> | null = null;
    const conditions: ChainConditions = { tip, feeRate: async () => await (feeRate ??= chain.feeRate()) };

    let done = 0;
    for (const withdrawal of await findOrphanedWithdrawals(database, name, tip.height - 2 * MAX_REORG_DEPTH))
      done += await this.#runStep(withdrawal, async () => await revertOrphaned(this.#context, withdrawal));
    done += await this.#restoreUnspent(tip);
    done += await planRefunds(this.#context, this.#connected, spender, tip.height);
    if (this.#isDue('plan', '', tip)) done += await this.#planSweeps(spender, conditions);
    else this.#pollWithin(POLL_INTERVAL);
    const open = await findOpenWithdrawals(database, name);
    if (open.length > 0) this.#pollWithin(POLL_INTERVAL);
    const versions = await findVersions(
      database,
      open.flatMap(({ id, block }) => (block ? [] : [id])),
    );
    const awaitsFees = ({ id, purpose, status, waitsFor }: Withdrawal) =>
      spender.kind === 'account' &&
      purpose !== 'gas' &&
      status === 'waiting' &&
      !versions.get(id)?.length &&
      (waitsFor?.reason === 'amount_too_small' || waitsFor?.reason === 'fee_limit');
    // The others come first: many small sweeps must not delay them.
    for (const withdrawal of open.toSorted((a, b) => Number(awaitsFees(a)) - Number(awaitsFees(b)))) {
      const request = { ...conditions, withdrawal, versions: versions.get(withdrawal.id) ?? [] };
      done += await this.#runStep(
        withdrawal,
        async () => await this.#advance(spender, request, awaitsFees(withdrawal)),
      );
    }
    // A plan is limited in size, and released deposits may be available to another withdrawal.
    if (done > 0) this.#lastChecks.delete('plan');
    this.#dropClosedChecks(open);
    await this.#measureGas(spender, tip);
    return done;
  }

  async #planSweeps(spender: Spender, conditions: ChainConditions): Promise<number> {
    try {
      return await planSweeps(this.#context, this.#connected, spender, conditions);
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      this.#lastChecks.delete('plan');
      this.#pollWithin(RETRY_INTERVAL);
      return 0;
    }
  }

  /** Restores written-off deposits, once per block. */
  async #restoreUnspent(tip: BlockRef): Promise<number> {
    if (this.#restoredTip === tip.hash) return 0;
    try {
      const restored = await restoreUnspent(this.#context, this.#connected, tip.height);
      this.#restoredTip = tip.hash;
      return restored;
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      this.#pollWithin(RETRY_INTERVAL);
      return 0;
    }
  }

  #pollWithin(interval: Instant): void {
    this.#interval = Math.min(this.#interval, interval);
  }

  /** Runs the next step of a withdrawal. */
  async #advance(
    spender: Spender,
    request: ChainConditions & { withdrawal: Withdrawal; versions: readonly Version[] },
    awaitsFees: boolean,
  ): Promise<number> {
    const { tip, withdrawal, versions } = request;
    if (withdrawal.block) return await finalize(this.#context, withdrawal, tip.height);
    const [newest] = versions;
    const { status, sequence, spent, nonce, cancelRequestedAt } = withdrawal;
    const state = [
      status,
      sequence,
      cancelRequestedAt,
      spent,
      newest?.number,
      newest?.raw !== null,
      newest?.sentAt,
    ].join();
    if (!this.#isDue(withdrawal.id, state, tip, awaitsFees)) return 0;
    const needsVersion =
      !newest || (status === 'waiting' && (newest.raw === null || (withdrawal.sender && nonce === null)));
    if (needsVersion) return await createVersion(this.#context, this.#connected, spender, request);
    const needsCancellation = cancelRequestedAt !== null && !versions.some(({ cancels }) => cancels);
    if (needsCancellation) {
      const created = await createVersion(this.#context, this.#connected, spender, request);
      if (created > 0) return created;
    } else if (newest.raw === null && spender.canSign)
      return await signVersion(this.#context, spender, withdrawal, newest);
    return await trackBroadcast(this.#context, this.#connected, spender, request);
  }

  /** Runs a step; a failure must not block other withdrawals. */
  async #runStep({ id, publicId }: Withdrawal, step: () => Promise<number>): Promise<number> {
    try {
      return await step();
    } catch (error) {
      // The scan job reports node errors; this step is retried soon.
      this.#lastChecks.delete(id);
      this.#pollWithin(RETRY_INTERVAL);
      if (error instanceof ChainError) return 0;
      this.#context.log.error({ withdrawal: publicId, error: describeError(error) }, 'withdrawal step failed');
      return 0;
    }
  }

  /** True if the state changed or the interval has passed. A new tip also counts, except while it awaits lower fees. */
  #isDue(id: number | 'plan', state: string, { hash: tipHash }: BlockRef, awaitsFees = false): boolean {
    const now = this.#context.clock.now();
    const last = this.#lastChecks.get(id);
    const isSame = last?.state === state && (awaitsFees || last.tipHash === tipHash);
    if (isSame && now - last.checkedAt < (awaitsFees ? FEE_CHECK_INTERVAL : POLL_INTERVAL)) return false;
    this.#lastChecks.set(id, { state, tipHash, checkedAt: now });
    return true;
  }

  #dropClosedChecks(open: readonly Withdrawal[]): void {
    const ids = new Set(open.map(({ id }) => id));
    for (const id of this.#lastChecks.keys()) if (id !== 'plan' && !ids.has(id)) this.#lastChecks.delete(id);
  }

  async #measureGas(spender: Spender, tip: BlockRef): Promise<void> {
    const { clock, metrics, log } = this.#context;
    if (spender.kind !== 'account' || clock.now() - this.#measuredAt < GAS_METRIC_INTERVAL) return;
    this.#measuredAt = clock.now();
    const { address } = spender.gasWallet;
    try {
      const ether = (await spender.etherBalances([address], tip)).get(address) ?? 0n;
      const { name: chain } = this.#connected;
      metrics.gasWallet.set({ chain }, Number(ether) / 10 ** cryptoCurrencies[chains[chain].feeCode].decimals);
    } catch (error) {
      if (!(error instanceof ChainError))
        log.error({ error: describeError(error) }, 'reading the balance of the gas wallet failed');
    }
  }
}

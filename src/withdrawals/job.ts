import { type Expression, sql } from 'kysely';
import { type BlockRef, ChainTrouble } from '../chains/port.ts';
import type { Spender } from '../chains/spender.ts';
import { chains, cryptoCurrencies } from '../shared/crypto-currency.ts';
import { type Instant, MINUTE, SECOND } from '../shared/time.ts';
import type { Job } from '../jobs/runner.ts';
import { describeError } from '../system/log.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { dueForReader, lastBlockTopic, readTipAsReader, withdrawalJobName } from '../chains/cursor.ts';
import { DEEPEST_REORGANISATION } from '../chains/blocks.ts';
import { hasRefundSince } from '../invoices/store.ts';
import { finalize, trackBroadcast, revertOrphaned } from './broadcast.ts';
import { makeVersion, signVersion } from './make.ts';
import { planRefunds, planSweeps } from './plan.ts';
import type { Circumstances } from './prepared.ts';
import { findOpen, findOrphaned, findVersions, isNotOver } from './store.ts';
import type { Version, Withdrawal } from './withdrawal.ts';
import { restoreUnspent } from './write-off.ts';

/** How often what waits is looked at again where no block has come and nothing has happened to it. */
const LOOK_AGAIN: Instant = 10 * SECOND;
const MEASURE_AGAIN: Instant = MINUTE;
/** The same where nothing is open: what is to be withdrawn by itself is seen after a block, or a change of its terms. */
const REST: Instant = MINUTE;
/** The same where a node has not answered. */
const TRY_AGAIN: Instant = 2 * SECOND;

/**
 * Withdraws what is to be withdrawn on a chain, one written step after the other, whichever process took the
 * last: each begins with what is in the database and is nothing if somebody else was faster. Left to the process that
 * reads the chain, so that not all of them ask the node the same.
 */
export function createWithdrawalJob(context: WithdrawalsContext, connected: ConnectedChain, holder: string): Job {
  const worker = new Withdrawals(context, connected, holder);
  return {
    name: withdrawalJobName(connected.name),
    topics: [lastBlockTopic(connected.name)],
    earliestDue: () => worker.due(),
    round: async () => await worker.round(),
  };
}

interface Look {
  of: string;
  tipHash: string;
  at: Instant;
}

class Withdrawals {
  readonly #context: WithdrawalsContext;
  readonly #connected: ConnectedChain;
  readonly #holder: string;
  #spender: Spender | null = null;
  /** When what was last looked at, and what it was. */
  readonly #looks = new Map<number | 'plan', Look>();
  #measuredAt: Instant = 0;
  #restoredAt = '';
  /** When the last round began, and when the next one is due though nothing happens. */
  #begunAt: Instant = 0;
  #againAt: Instant = 0;
  #pause: Instant = REST;

  constructor(context: WithdrawalsContext, connected: ConnectedChain, holder: string) {
    this.#context = context;
    this.#connected = connected;
    this.#holder = holder;
  }

  /** What was written since the last round is due at once, in case its wake-up was missed. */
  due(): Expression<Instant | null> {
    const { name } = this.#connected;
    const own = sql<Instant | null>`
      select case
        when exists (
          select 1 from withdrawals where chain = ${name} and ${isNotOver} and updated_at >= ${this.#begunAt}
        ) then 0
        when ${hasRefundSince(name, this.#begunAt)} then 0
        else cast(${this.#againAt} as bigint) end`;
    return dueForReader(this.#holder, name, own, sql<null>`null`);
  }

  async round(): Promise<number> {
    const { clock } = this.#context;
    this.#begunAt = clock.now();
    this.#againAt = this.#begunAt + TRY_AGAIN;
    const tip = await readTipAsReader(
      { database: this.#context.database, clock, holder: this.#holder },
      this.#connected.name,
    );
    if (!tip) return 0;
    const done = await this.#advanceAll(tip);
    this.#againAt = clock.now() + this.#pause;
    return done;
  }

  async #advanceAll(tip: BlockRef): Promise<number> {
    this.#spender ??= await this.#connected.spender();
    const spender = this.#spender;
    const { database } = this.#context;
    const { name, chain } = this.#connected;
    this.#pause = REST;
    let rate: ReturnType<typeof chain.feeRate> | null = null;
    const circumstances: Circumstances = { tip, feeRate: async () => await (rate ??= chain.feeRate()) };

    let done = 0;
    for (const withdrawal of await findOrphaned(database, name, tip.height - 2 * DEEPEST_REORGANISATION))
      done += await this.#try(withdrawal, async () => await revertOrphaned(this.#context, withdrawal));
    done += await this.#restoreUnspent(tip);
    done += await planRefunds(this.#context, this.#connected, spender, tip.height);
    if (this.#isDue('plan', '', tip)) done += await this.#planSweeps(spender, circumstances);
    else this.#comeAgain(LOOK_AGAIN);
    const open = await findOpen(database, name);
    if (open.length > 0) this.#comeAgain(LOOK_AGAIN);
    const versions = await findVersions(
      database,
      open.flatMap(({ id, block }) => (block ? [] : [id])),
    );
    for (const withdrawal of open)
      done += await this.#try(
        withdrawal,
        async () => await this.#advance(spender, circumstances, withdrawal, versions.get(withdrawal.id) ?? []),
      );
    // There may be more than one plan takes, and what a withdrawal lets go of is free for another.
    if (done > 0) this.#looks.delete('plan');
    this.#forgetOthers(open);
    await this.#measureGas(spender, tip);
    return done;
  }

  async #planSweeps(spender: Spender, circumstances: Circumstances): Promise<number> {
    try {
      return await planSweeps(this.#context, this.#connected, spender, circumstances);
    } catch (error) {
      if (!(error instanceof ChainTrouble)) throw error;
      this.#looks.delete('plan');
      this.#comeAgain(TRY_AGAIN);
      return 0;
    }
  }

  /** Deposits that were written off, once for each block. */
  async #restoreUnspent(tip: BlockRef): Promise<number> {
    if (this.#restoredAt === tip.hash) return 0;
    try {
      const restored = await restoreUnspent(this.#context, this.#connected, tip.height);
      this.#restoredAt = tip.hash;
      return restored;
    } catch (error) {
      if (!(error instanceof ChainTrouble)) throw error;
      this.#comeAgain(TRY_AGAIN);
      return 0;
    }
  }

  #comeAgain(pause: Instant): void {
    this.#pause = Math.min(this.#pause, pause);
  }

  /** The next step of one. */
  async #advance(
    spender: Spender,
    circumstances: Circumstances,
    withdrawal: Withdrawal,
    versions: readonly Version[],
  ): Promise<number> {
    const { tip } = circumstances;
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
    if (!this.#isDue(withdrawal.id, state, tip)) return 0;
    const order = { ...circumstances, withdrawal, versions };
    const isUnmade =
      !newest || (status === 'waiting' && (newest.raw === null || (withdrawal.sender && nonce === null)));
    if (isUnmade) return await makeVersion(this.#context, this.#connected, spender, order);
    const isToCancel = cancelRequestedAt !== null && !versions.some(({ cancels }) => cancels);
    if (isToCancel) {
      const made = await makeVersion(this.#context, this.#connected, spender, order);
      if (made > 0) return made;
    } else if (newest.raw === null && spender.canSign)
      return await signVersion(this.#context, spender, withdrawal, newest);
    return await trackBroadcast(this.#context, this.#connected, spender, order);
  }

  /** One that cannot go on keeps no other one waiting. */
  async #try({ id, publicId }: Withdrawal, step: () => Promise<number>): Promise<number> {
    try {
      return await step();
    } catch (error) {
      // Whoever reads the chain tells of its node; it is asked again as soon as it answers.
      this.#looks.delete(id);
      this.#comeAgain(TRY_AGAIN);
      if (error instanceof ChainTrouble) return 0;
      this.#context.log.error({ withdrawal: publicId, error: describeError(error) }, 'a withdrawal could not go on');
      return 0;
    }
  }

  /** Whether something is another than before, or the chain is, or a while has passed. */
  #isDue(id: number | 'plan', of: string, { hash: tipHash }: BlockRef): boolean {
    const now = this.#context.clock.now();
    const last = this.#looks.get(id);
    if (last && last.of === of && last.tipHash === tipHash && now - last.at < LOOK_AGAIN) return false;
    this.#looks.set(id, { of, tipHash, at: now });
    return true;
  }

  #forgetOthers(open: readonly Withdrawal[]): void {
    const ids = new Set(open.map(({ id }) => id));
    for (const id of this.#looks.keys()) if (id !== 'plan' && !ids.has(id)) this.#looks.delete(id);
  }

  async #measureGas(spender: Spender, tip: BlockRef): Promise<void> {
    const { clock, metrics, log } = this.#context;
    if (spender.kind !== 'accounts' || clock.now() - this.#measuredAt < MEASURE_AGAIN) return;
    this.#measuredAt = clock.now();
    const { address } = spender.gasWallet;
    try {
      const ether = (await spender.etherOf([address], tip)).get(address) ?? 0n;
      metrics.gasWallet.set(Number(ether) / 10 ** cryptoCurrencies[chains[this.#connected.name].feeCode].decimals);
    } catch (error) {
      if (!(error instanceof ChainTrouble)) log.error({ error: describeError(error) }, 'gas wallet not measured');
    }
  }
}

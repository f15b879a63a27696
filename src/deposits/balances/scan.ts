import { findStoredBlock, MAX_REORG_DEPTH, STORED_BLOCKS } from '../../chains/blocks.ts';
import { StaleCursorError } from '../../chains/cursor.ts';
import { UNUSED_ADDRESS_COOLDOWN } from '../../wallets/pool.ts';
import { selectWallets } from '../../wallets/wallet.ts';
import { noChanges, type ObservedDeposit } from '../changes.ts';
import type { DepositsContext } from '../context.ts';
import { hasDeposit } from '../deposit.ts';
import { db } from '../schema.ts';
import { sql } from 'kysely';
import { type BlockRef, ChainError } from '../../chains/port.ts';
import { chains, type CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { DAY, type Instant } from '../../shared/time.ts';
import { needsBalanceScan } from './watch.ts';
import type { UnitOfWork } from '../../database/database.ts';
import type { ConnectedChain } from '../../wallets/connected-chains.ts';
import {
  type AccountState,
  collectEvidence,
  expectedAccountAt,
  readMovements,
  type WatchedWallet,
} from './movements.ts';

/** Lanes, numbered as stored: wallets with an expiring invoice, long-lived wallets of users, and former wallets. */
const lanes = ['expiring', 'long_lived', 'former'] as const;
/** Wallets scanned per block, by lane. */
const LANE_SIZES = { expiring: 200, long_lived: 100, former: 100 } as const;
/** Long-lived wallets are scanned for this long after their creation or last deposit. */
const ACTIVE_WITHIN: Instant = 30 * DAY;
/** Blocks after which a new checkpoint is saved, so that the list of movements stays short. */
const CHECKPOINT_AFTER = 1000;
/** Size of the cache of fees. */
const MAX_CACHED_FEES = 1000;

type Lane = (typeof lanes)[number];

interface WatchedRow {
  walletId: number;
  address: string;
  height: number;
  /** Null until the first checkpoint has been read. */
  account: AccountState | null;
  lane: Lane;
  idleSince: number | null;
}

/** Runs in a unit of work that commits only if the block is still the last scanned block. */
type RunAtBlock = (work: (unit: UnitOfWork) => Promise<void>) => Promise<void>;

/**
 * Detects ether that contracts sent without a transaction to the wallet: its balance exceeds all known movements. Scans
 * once per tip; with many wallets, a batch of each lane in turn. Wallets with withdrawals that are not recorded yet are
 * scanned again at the same tip.
 */
export class BalanceScanner {
  readonly #context: DepositsContext;
  readonly #connected: ConnectedChain;
  /** Coin of the chain. */
  readonly #code: CryptoCurrencyCode;
  readonly #fees = new Map<string, { block: BlockRef; fee: bigint }>();
  /** Last scanned wallet, by lane. */
  readonly #last: Record<Lane, number> = { expiring: 0, long_lived: 0, former: 0 };
  #scannedAt = '';
  /** Wallets whose expected balance at this tip is unknown until their withdrawals are recorded. */
  #uncertain: WatchedRow[] = [];

  constructor(context: DepositsContext, connected: ConnectedChain) {
    this.#context = context;
    this.#connected = connected;
    this.#code = chains[connected.name].feeCode;
  }

  /** Returns the number of deposits found at the tip. `at` is their time of receipt. */
  async scan(last: BlockRef, at: Instant, runAtBlock: RunAtBlock): Promise<number> {
    if (!needsBalanceScan(this.#code)) return 0;
    if (this.#scannedAt === last.hash)
      return this.#uncertain.length === 0 ? 0 : await this.#compare(this.#uncertain, last, at, runAtBlock);
    const rows: WatchedRow[] = [];
    for (const lane of lanes) rows.push(...(await this.#nextRows(lane)));
    this.#uncertain = [];
    const foundCount = rows.length === 0 ? 0 : await this.#compare(rows, last, at, runAtBlock);
    for (const lane of lanes) {
      const scanned = rows.filter((row) => row.lane === lane);
      this.#last[lane] = scanned.length < LANE_SIZES[lane] ? 0 : (scanned.at(-1)?.walletId ?? 0);
    }
    this.#scannedAt = last.hash;
    return foundCount;
  }

  async #nextRows(lane: Lane): Promise<WatchedRow[]> {
    const rows = await db(this.#context.database)
      .selectFrom('watched_balances as watched')
      .innerJoin(selectWallets(this.#context.database).as('wallet'), 'wallet.id', 'watched.wallet_id')
      .select(['watched.wallet_id', 'watched.height', 'watched.balance', 'watched.sent', 'watched.idle_since'])
      .select('wallet.address')
      .where('watched.chain', '=', this.#connected.name)
      .where('watched.is_patient', '=', lanes.indexOf(lane))
      .where('watched.wallet_id', '>', this.#last[lane])
      .orderBy('watched.wallet_id')
      .limit(LANE_SIZES[lane])
      .execute();
    return rows.map(({ wallet_id: walletId, address, height, balance, sent, idle_since: idleSince }) => ({
      ...{ walletId, address, height, idleSince },
      account: balance === null || sent === null ? null : { balance: BigInt(balance), sentCount: sent },
      lane,
    }));
  }

  async #compare(rows: readonly WatchedRow[], last: BlockRef, at: Instant, runAtBlock: RunAtBlock): Promise<number> {
    const accounts = await this.#readAccounts(rows, last);
    const started = await this.#startWatching(
      rows.filter(({ account }) => account === null),
      last,
      accounts,
    );
    const watched = [
      ...rows.flatMap(({ account, ...row }): WatchedWallet[] => (account ? [{ ...row, account }] : [])),
      ...started,
    ];
    const movements = await readMovements(
      this.#context.database,
      this.#context.withdrawals,
      this.#connected.name,
      watched,
    );
    if (this.#fees.size > MAX_CACHED_FEES) this.#fees.clear();
    const evidence = await collectEvidence(this.#context.database, this.#connected, [...movements.values()].flat(), {
      last,
      fees: this.#fees,
    });

    const observed: { walletId: number; deposit: ObservedDeposit }[] = [];
    const checkpoints: WatchedWallet[] = [];
    const uncertain = new Set<number>();
    for (const wallet of watched) {
      const walletMovements = movements.get(wallet.walletId) ?? [];
      const expected = expectedAccountAt(wallet, walletMovements, last.height, evidence);
      const actual = accounts.get(wallet.walletId);
      // With unknown outgoing transactions, the balance does not show the received amount.
      if (!expected || !actual || expected.sentCount !== actual.sentCount || actual.balance < expected.balance) {
        uncertain.add(wallet.walletId);
        continue;
      }
      if (actual.balance > expected.balance) {
        const amount = actual.balance - expected.balance;
        const paymentKey = (await this.#findDroppedKey(wallet, amount, last)) ?? balanceKey(wallet, amount, last);
        const { walletId, address } = wallet;
        const deposit = { paymentKey, txHash: '', address, code: this.#code, amount };
        observed.push({ walletId, deposit: { deposit, block: last, seenAt: at } });
      } else if (last.height - wallet.height > CHECKPOINT_AFTER) {
        const height = last.height - STORED_BLOCKS;
        const account = expectedAccountAt(wallet, walletMovements, height, evidence);
        if (account) checkpoints.push({ ...wallet, height, account });
      }
    }
    const idle = await this.#findIdleChanges(rows, last);
    if (started.length + observed.length + checkpoints.length + idle.length > 0)
      await runAtBlock(async (unit) => {
        const owners = await this.#context.deposits.lockAffectedWallets(
          unit,
          observed.map(({ walletId }) => walletId),
        );
        if (!owners) throw new StaleCursorError('An invoice moved to another wallet.');
        for (const { walletId, deposit } of observed)
          await this.#context.deposits.recordChanges(
            unit,
            walletId,
            { ...noChanges, observed: [deposit] },
            last.height,
          );
        // Checkpoints are written after the wallets are locked, in the same order as everywhere else.
        for (const wallet of [...started, ...checkpoints]) await saveCheckpoint(unit, wallet);
        for (const { row, since } of idle) await markIdle(unit, row, since);
      });
    this.#uncertain = rows.filter(({ account, walletId }) => account !== null && uncertain.has(walletId));
    return observed.length;
  }

  async #readAccounts(rows: readonly WatchedRow[], at: BlockRef): Promise<Map<number, AccountState>> {
    const { chain } = this.#connected;
    const addresses = rows.map(({ address }) => address);
    const balances = (await chain.balances(this.#code, addresses, at)) ?? new Map<string, bigint>();
    const counts = (await chain.transactionCounts(addresses, at)) ?? new Map<string, number>();
    return new Map(
      rows.flatMap(({ walletId, address }) => {
        const [balance, sentCount] = [balances.get(address), counts.get(address)];
        return balance === undefined || sentCount === undefined ? [] : [[walletId, { balance, sentCount }] as const];
      }),
    );
  }

  /**
   * Reads the first checkpoint of wallets, at the block when their addresses were issued. Nodes keep only the states of
   * recent blocks: if that state is pruned, the checkpoint is read now and ether received until then is not credited.
   */
  async #startWatching(
    rows: readonly WatchedRow[],
    last: BlockRef,
    accounts: ReadonlyMap<number, AccountState>,
  ): Promise<WatchedWallet[]> {
    const started: WatchedWallet[] = [];
    for (const height of new Set(rows.map((row) => row.height))) {
      const atHeight = rows.filter((row) => row.height === height);
      const first = height === last.height ? { at: last, accounts } : await this.#readAccountsAt(atHeight, height);
      const isPruned = !first && last.height - height > MAX_REORG_DEPTH;
      if (isPruned)
        this.#context.log.warn(
          { chain: this.#connected.name, height, wallets: atHeight.length },
          'initial wallet balances are unavailable; earlier ether transfers from contracts are not detected',
        );
      const from = isPruned ? { at: last, accounts } : first;
      for (const { walletId, address } of atHeight) {
        const account = from?.accounts.get(walletId);
        if (from && account) started.push({ walletId, address, height: from.at.height, account });
      }
    }
    return started;
  }

  async #readAccountsAt(
    rows: readonly WatchedRow[],
    height: number,
  ): Promise<{ at: BlockRef; accounts: ReadonlyMap<number, AccountState> } | null> {
    const block = await findStoredBlock(this.#context.database, this.#connected.name, height);
    if (!block) return null;
    try {
      return { at: block, accounts: await this.#readAccounts(rows, block) };
    } catch (error) {
      if (!(error instanceof ChainError)) throw error;
      // After a failed call no account is known. The next block retries.
      return error.isStateMissing ? null : { at: block, accounts: new Map() };
    }
  }

  /** Finds the key of an equal deposit that a reorg dropped: found again in any block, it is the same deposit. */
  async #findDroppedKey({ walletId }: WatchedWallet, amount: bigint, { height }: BlockRef): Promise<string | null> {
    const dropped = await db(this.#context.database)
      .selectFrom('deposits')
      .select('payment_key')
      .where('wallet_id', '=', walletId)
      .where('state', '=', 'gone')
      .where('amount', '=', amount.toString())
      .where('payment_key', 'like', 'balance:%')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    const droppedHeight = Number(dropped?.payment_key.split(':')[2] ?? 0);
    return dropped && height - droppedHeight < STORED_BLOCKS ? dropped.payment_key : null;
  }

  /** Finds wallets that became idle, became active again, or no longer need watching. */
  async #findIdleChanges(
    rows: readonly WatchedRow[],
    last: BlockRef,
  ): Promise<{ row: WatchedRow; since: number | null | 'ended' }[]> {
    const active = new Set(await this.#findActive(rows));
    return rows.flatMap((row): { row: WatchedRow; since: number | null | 'ended' }[] => {
      const { walletId, idleSince } = row;
      if (active.has(walletId)) return idleSince === null ? [] : [{ row, since: null }];
      if (idleSince === null) return [{ row, since: last.height }];
      // Until then, a reorg may reopen its last invoice.
      return last.height - idleSince >= STORED_BLOCKS ? [{ row, since: 'ended' }] : [];
    });
  }

  async #findActive(rows: readonly WatchedRow[]): Promise<number[]> {
    const { database, deposits, clock } = this.#context;
    const idsIn = (lane: Lane) => rows.filter((row) => row.lane === lane).map(({ walletId }) => walletId);
    const [open, users, former] = [idsIn('expiring'), idsIn('long_lived'), idsIn('former')];
    const formerSince = clock.now() - UNUSED_ADDRESS_COOLDOWN;
    return [
      ...(open.length === 0 ? [] : await deposits.findWithOpenInvoice(database, open)),
      ...(users.length === 0 ? [] : await this.#findActiveUsers(users)),
      ...(former.length === 0 ? [] : await deposits.findWithInvoiceSince(database, former, formerSince)),
    ];
  }

  async #findActiveUsers(ids: readonly number[]): Promise<number[]> {
    const { database, clock } = this.#context;
    const since = clock.now() - ACTIVE_WITHIN;
    const active = await selectWallets(database)
      .where('id', 'in', ids)
      .where('state', '=', sql.lit('serving'))
      .where(({ or, eb, ref }) =>
        or([eb('created_at', '>', since), hasDeposit(database, ref('wallets.id'), { since })]),
      )
      .execute();
    return active.map(({ id }) => id);
  }
}

function balanceKey({ address }: WatchedWallet, amount: bigint, { height }: BlockRef): string {
  return `balance:${address}:${height}:${amount}`;
}

async function saveCheckpoint(unit: UnitOfWork, { walletId, height, account }: WatchedWallet): Promise<void> {
  await db(unit)
    .updateTable('watched_balances')
    .set({ height, balance: account.balance.toString(), sent: account.sentCount })
    .where('wallet_id', '=', walletId)
    .execute();
}

async function markIdle(
  unit: UnitOfWork,
  { walletId, idleSince, lane }: WatchedRow,
  since: number | null | 'ended',
): Promise<void> {
  // The conditions fail if an invoice was created in the meantime.
  if (since === 'ended' && lane !== 'expiring') {
    const ended = db(unit).deleteFrom('watched_balances').where('wallet_id', '=', walletId);
    await ended.where('idle_since', '=', idleSince).execute();
    return;
  }
  // The payer of an ended invoice may still pay late.
  const change = since === 'ended' ? { is_patient: lanes.indexOf('former'), idle_since: null } : { idle_since: since };
  const row = db(unit).updateTable('watched_balances').set(change).where('wallet_id', '=', walletId);
  await row.where('idle_since', idleSince === null ? 'is' : '=', idleSince).execute();
}

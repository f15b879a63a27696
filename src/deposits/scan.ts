/*
 * Map of this module: `scan.ts` scans each chain block by block, and records deposits through the interface in
 * `context.ts`, which `invoices/record-deposits.ts` implements (`../crypto.ts` connects them). A reorg: `#rollBack`
 * returns orphaned deposits to `waiting`, and `invoices/ledger.ts` reverses the credit until they are mined again.
 * `find-fork.ts` recovers from one deeper than the stored blocks. `deposit.ts` stores deposits. `balances/` detects
 * ether that contracts send. Reasons: docs/decisions/chains.md and crypto-modules.md.
 */

import { type Expression, sql } from 'kysely';
import { type BlockRef, type Chain, type ChainBlock, type ChainDeposit, ChainError } from '../chains/port.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import { type Instant, SECOND } from '../shared/time.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { POLL_INTERVAL, type Job, wakeJob } from '../jobs/runner.ts';
import { timeSlices } from '../system/time-slices.ts';
import { BalanceScanner } from './balances/scan.ts';
import { resetBalancesAbove } from './balances/watch.ts';
import {
  deleteBlocksAbove,
  isBlockInChain,
  recordBlocks,
  STORED_BLOCKS,
  selectBlocks,
  findStoredBlock,
} from '../chains/blocks.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { DepositsContext } from './context.ts';
import { noChanges, type ObservedDeposit, type WalletChanges } from './changes.ts';
import {
  type Cursor,
  dueByLease,
  RENEW_INTERVAL_MS,
  acquireLease,
  renewLeases,
  releaseLease,
  moveCursor,
  recordScanError,
  StaleCursorError,
  readCursors,
  type ScanError,
  scanJobName,
  leaseExpiresAt,
  withdrawalJobName,
} from '../chains/cursor.ts';
import { findWalletIdsByAddress } from '../wallets/addresses.ts';
import {
  findUnissuedAddresses,
  findUnminedUnissuedDeposits,
  deriveUnissuedAddresses,
  recordUnissuedDeposits,
} from '../wallets/unissued-addresses.ts';
import { findFork } from './find-fork.ts';
import { db } from './schema.ts';

/** Maximum blocks fetched concurrently and recorded in one unit of work. */
const BLOCK_BATCH = 16;
/** Addresses looked up per statement: a few milliseconds on SQLite. */
const ADDRESS_BATCH = 1000;

/** A longer time without scanning up to the tip is an outage. Other processes take over after the same time. */
const OUTAGE_AFTER: Instant = 15 * SECOND;

/** Returns the time at which a deposit counts as seen, given the time of its block; null: in the mempool. */
type SeenTimeRule = (blockTime: Instant | null) => Instant;

interface ScanJob extends Job {
  readonly chain: ChainName;
  /** True if this process held the lease of the chain in its last round. */
  readonly holdsLease: boolean;
  /** Time when this process last scanned the chain up to its tip. */
  readonly caughtUpAt: Instant | null;
  /** Releases the chain to another process. */
  stop(): Promise<void>;
}

/**
 * Creates the job that scans a chain from its cursor, block by block, and records deposits to our wallets. After a
 * reorg it first reverses the orphaned blocks. Invoices expire only once the chain has been scanned up to its tip. One
 * process scans a chain at a time; a process whose lease was taken over writes nothing.
 */
export function createScanJob(context: DepositsContext, connected: ConnectedChain, holder: string): ScanJob {
  const scanner = new ChainScanner(context, connected, holder);
  const { changeSignal } = connected.chain;
  return {
    name: scanJobName(connected.name),
    intervalMs: 500,
    ...(changeSignal && { topics: [changeSignal.topic] }),
    hasWork: async () => await scanner.isNeeded(),
    earliestDue: () => scanner.due(),
    runOnce: async () => await scanner.runOnce(),
    chain: connected.name,
    get holdsLease() {
      return scanner.holdsLease;
    },
    get caughtUpAt() {
      return scanner.caughtUpAt;
    },
    stop: async () => await scanner.stop(),
  };
}

/** Renews this process's leases of the chains that it scans, so that no other process takes over a quiet chain. */
export function createLeaseJob(
  { database, clock }: DepositsContext,
  scanJobs: readonly ScanJob[],
  holder: string,
): Job {
  return {
    name: 'chain leases',
    intervalMs: RENEW_INTERVAL_MS,
    async runOnce() {
      const ownJobs = scanJobs.filter(({ holdsLease }) => holdsLease);
      if (ownJobs.length === 0) return 0;
      const chains = ownJobs.map(({ chain: name, caughtUpAt }) => ({ name, caughtUpAt: caughtUpAt }));
      // A chain that another process took over is noticed in the next round that writes.
      await renewLeases({ database, clock, holder }, chains);
      return 0;
    },
  };
}

class ChainScanner {
  readonly #context: DepositsContext;
  readonly #connected: ConnectedChain;
  readonly #chain: Chain;
  readonly #name: ChainName;
  readonly #leaseContext: { database: Database; clock: DepositsContext['clock']; holder: string };
  readonly #balances: BalanceScanner;
  holdsLease = false;
  /** Time when this process last scanned the chain up to its tip. */
  caughtUpAt: Instant | null = null;
  /** State found by the last round if it scanned up to the tip; null otherwise. */
  #lastRead: { state: string | null; version: string } | null = null;
  /** Error of the last round; empty if there was none. */
  #lastErrorMessage = '';
  /** Last block scanned by this process, and the time at which its deposits count as seen. */
  #lastSeen: { hash: string; at: Instant } | null = null;
  /** Blocks of the next batch. Nodes that limit calls reject a whole batch, so it shrinks after a rejection. */
  #batchSize = BLOCK_BATCH;
  /** Last error logged. */
  #lastLogged = '';

  constructor(context: DepositsContext, connected: ConnectedChain, holder: string) {
    const { chain, name } = connected;
    this.#context = context;
    this.#connected = connected;
    this.#chain = chain;
    this.#name = name;
    this.#balances = new BalanceScanner(context, connected);
    this.#leaseContext = { database: context.database, clock: context.clock, holder };
  }

  /** Reads the next part of the chain; returns the number of changes. */
  async runOnce(): Promise<number> {
    this.#lastRead = null;
    this.#lastErrorMessage = '';
    this.holdsLease = await acquireLease(this.#leaseContext, this.#name, this.caughtUpAt);
    if (!this.holdsLease) return 0;
    const cursor = await this.#readCursor();
    try {
      const changeCount = await this.#whileRenewingLease(async () => {
        const derived = await deriveUnissuedAddresses(this.#context, this.#connected);
        return derived + (await this.#readChain(cursor));
      });
      // Cleared only now: a node may report its tip and still lack the requested blocks.
      if (cursor.error) await this.#reportError(cursor, null);
      return changeCount;
    } catch (error) {
      if (error instanceof StaleCursorError) return 0;
      if (!(error instanceof ChainError || error instanceof ReorgTooDeep)) throw error;
      await this.#reportError(cursor, { kind: error.kind, message: error.message });
      this.#lastErrorMessage = error.message;
      return 0;
    }
  }

  /**
   * Checks with the node whether the chain changed since the last round, without reading the database. If not, the
   * chain counts as scanned up to its tip.
   */
  async isNeeded(): Promise<boolean> {
    // `due` covers the moment at which this process may take over.
    if (!this.holdsLease) return false;
    const startedAt = this.#context.clock.now();
    try {
      if (!this.#chain.changeSignal && (await this.#readState()) !== this.#lastRead?.state) return true;
    } catch (error) {
      return !(error instanceof ChainError && error.message === this.#lastErrorMessage);
    }
    if (!this.#lastRead) return true;
    this.caughtUpAt = startedAt;
    return false;
  }

  /** Due if a stored chain changed, an invoice expires, or the lease of the chain expires. */
  due(): Expression<Instant | null> {
    const { changeSignal } = this.#chain;
    const now = this.#context.clock.now();
    const expiry = this.#context.deposits.nextExpiry(this.#name, now + POLL_INTERVAL);
    const changed = changeSignal && sql`(${changeSignal.version}) <> ${this.#lastRead?.version ?? ''}`;
    const ownDue = changed ? sql<Instant | null>`select case when ${changed} then 0 else (${expiry}) end` : expiry;
    return dueByLease(this.#leaseContext.holder, this.#name, ownDue, leaseExpiresAt(now));
  }

  async stop(): Promise<void> {
    this.holdsLease = false;
    await releaseLease(this.#leaseContext, this.#name, this.caughtUpAt);
  }

  /** Renews the lease while a slow node responds, so that no other process takes over. */
  async #whileRenewingLease<Result>(work: () => Promise<Result>): Promise<Result> {
    const renewal = setInterval(() => {
      // If this fails, the write that follows fails as well.
      acquireLease(this.#leaseContext, this.#name, this.caughtUpAt).catch(() => undefined);
    }, RENEW_INTERVAL_MS);
    try {
      return await work();
    } finally {
      clearInterval(renewal);
    }
  }

  async #readChain({ lastBlock, caughtUpAt, rescanHeight }: Cursor): Promise<number> {
    const startedAt = this.#context.clock.now();
    const version = await this.#readVersion();
    const tip = await this.#chain.tip();
    if (!lastBlock) {
      await this.#startAtTip(tip);
      return 1;
    }
    await this.#requireNotBehind(tip, lastBlock);
    if ((await this.#blockHash(lastBlock.height, tip)) !== lastBlock.hash)
      return await this.#rollBack(lastBlock, tip, rescanHeight);
    const seenAt = this.#seenTimeRule(caughtUpAt);
    if (tip.height > lastBlock.height) return await this.#readBlocks(lastBlock, tip, seenAt);
    const mempool = await this.#scanMempool(lastBlock, seenAt);
    const changeCount = mempool.changeCount + (await this.#scanBalances(lastBlock, seenAt));
    this.caughtUpAt = startedAt;
    const ended = await this.#context.deposits.expireInvoices(this.#name, startedAt);
    this.#lastRead = { state: chainState(tip, mempool.listed), version };
    return changeCount + ended;
  }

  async #readState(): Promise<string | null> {
    const tip = await this.#chain.tip();
    return chainState(tip, await this.#chain.unconfirmedDeposits(this.#findOwnAddresses));
  }

  /** Version of a stored chain. Read it before the chain, so that a later change has a different version. */
  async #readVersion(): Promise<string> {
    const { changeSignal } = this.#chain;
    if (!changeSignal) return '';
    const { rows } = await sql<{ version: string }>`select (${changeSignal.version}) as version`.execute(
      db(this.#context.database),
    );
    return rows[0]?.version ?? '';
  }

  /**
   * Decides when a new deposit counts as seen. Normally now, regardless of the miner's timestamp. After an outage of
   * the service or the node, the block's time counts, limited to the outage. A deposit in the mempool then counts as
   * seen when the outage began.
   */
  #seenTimeRule(caughtUpAt: Instant | null): SeenTimeRule {
    const lastAt = Math.max(caughtUpAt ?? -Infinity, this.caughtUpAt ?? -Infinity);
    return (blockTime) => {
      const now = this.#context.clock.now();
      if (now - lastAt <= OUTAGE_AFTER) return now;
      if (blockTime === null) return Number.isFinite(lastAt) ? lastAt : now;
      return Math.min(now, Math.max(lastAt, blockTime));
    };
  }

  /** Throws if the node's tip is a block that was scanned before: the node is behind, and there was no reorg. */
  async #requireNotBehind(tip: BlockRef, at: BlockRef): Promise<void> {
    if (tip.height >= at.height) return;
    const stored = await findStoredBlock(this.#context.database, this.#name, tip.height);
    if (stored && stored.hash !== tip.hash) return;
    throw new ChainError(
      'behind',
      `The node’s tip is block ${tip.height}, but block ${at.height} has already been read.`,
    );
  }

  /**
   * Hash of the block at a height; null only above the tip. Throws if the block is missing: a URL may serve several
   * nodes, and a node that lags behind the one with the tip is not a reorg.
   */
  async #blockHash(height: number, tip: BlockRef): Promise<string | null> {
    const hash = await this.#chain.blockHash(height);
    if (hash !== null || height > tip.height) return hash;
    throw new ChainError('behind', `The node’s tip is block ${tip.height}, but it returned no block ${height}.`);
  }

  /** Starts scanning at the tip: no address was issued before it. */
  async #startAtTip(tip: BlockRef): Promise<void> {
    await this.#context.database.inTransaction(async (unit) => {
      await moveCursor(this.#leaseContext, unit, this.#name, null, tip);
      await recordBlocks(unit, this.#name, [tip]);
    });
  }

  async #readBlocks(from: BlockRef, tip: BlockRef, seenAt: SeenTimeRule): Promise<number> {
    const heights = Array.from(
      { length: Math.min(this.#batchSize, tip.height - from.height) },
      (_, index) => from.height + 1 + index,
    );
    const blockResults = await Promise.allSettled(
      heights.map(async (height) => await this.#chain.block(height, this.#findOwnAddresses)),
    );
    const blocks: ChainBlock[] = [];
    for (const blockResult of blockResults) {
      if (blockResult.status === 'rejected') {
        // Records the blocks before the failed one; the next round starts with it and reports the error.
        if (blocks.length > 0) break;
        this.#batchSize = 1;
        throw blockResult.reason;
      }
      const block = blockResult.value;
      // A reorg happened during the scan; the next round finds the fork.
      if (!block || block.parentHash !== (blocks.at(-1) ?? from).hash) break;
      blocks.push(block);
    }
    if (blocks.length === heights.length) this.#batchSize = Math.min(BLOCK_BATCH, this.#batchSize * 2);
    const last = blocks.at(-1);
    if (!last) {
      if (blockResults[0]?.status === 'fulfilled' && blockResults[0].value)
        await this.#requireReorg(from, blockResults[0].value);
      return 0;
    }
    const observed = blocks.flatMap(({ height, hash, minedAt, deposits }) =>
      deposits.map((deposit): ObservedDeposit => ({ deposit, block: { height, hash }, seenAt: seenAt(minedAt) })),
    );
    const dropped = await this.#findReplaced(observed, from.height, blocks);
    await this.#context.database.inTransaction(async (unit) => {
      await moveCursor(this.#leaseContext, unit, this.#name, from, last);
      await recordBlocks(unit, this.#name, blocks);
      const changes = new ChangesByWallet();
      await this.#addObserved(unit, changes, observed);
      for (const { walletId, id } of dropped) changes.forWallet(walletId).dropped.push(id);
      for (const { walletId, transactionId } of await this.#findDepthChanges(unit, from.height, last.height))
        changes.forWallet(walletId).depthChanged.push(transactionId);
      await this.#recordChanges(unit, changes, last.height);
    });
    this.#lastSeen = { hash: last.hash, at: seenAt(last.minedAt) };
    this.#context.deposits.onBlockScanned(this.#name);
    return blocks.length;
  }

  /** A block with a different parent must be part of a reorg. Throws otherwise, since the scan could never proceed. */
  async #requireReorg(from: BlockRef, next: BlockRef): Promise<void> {
    if ((await this.#chain.blockHash(from.height)) !== from.hash) return;
    const message = `The node’s block ${next.height} does not have its block ${from.height} as parent.`;
    throw new ChainError('down', message);
  }

  /** Reverses orphaned blocks, down to the last common block. */
  async #rollBack(from: BlockRef, tip: BlockRef, rescanHeight: number | null): Promise<number> {
    const common = await this.#findCommonAncestor(tip);
    const ancestor = common ?? (await this.#findRequestedAnchor(rescanHeight));
    if (!ancestor) throw new ReorgTooDeep();
    // Needed to follow the next reorg. Below a common block, the stored blocks are still valid.
    const before = common ? [] : await this.#blocksBelow(ancestor);
    await this.#context.database.inTransaction(async (unit) => {
      await moveCursor(this.#leaseContext, unit, this.#name, from, ancestor);
      await deleteBlocksAbove(unit, this.#name, ancestor, before);
      const changes = new ChangesByWallet();
      const unmined = await db(unit)
        .selectFrom('deposits')
        .select(['id', 'wallet_id', 'payment_key'])
        .where('chain', '=', this.#name)
        .where('state', '=', sql.lit('mined'))
        .where('height', '>', ancestor.height)
        .orderBy('id')
        .execute();
      for (const { id, wallet_id: walletId, payment_key: key } of unmined) {
        // A deposit found by balance has no transaction that could be mined again.
        if (key.startsWith('balance:')) changes.forWallet(walletId).dropped.push(id);
        else changes.forWallet(walletId).unmined.push(id);
      }
      for (const { walletId, transactionId } of await this.#findDepthChanges(unit, ancestor.height, from.height))
        changes.forWallet(walletId).depthChanged.push(transactionId);
      await resetBalancesAbove(unit, this.#name, ancestor);
      await this.#recordChanges(unit, changes, ancestor.height);
    });
    this.#context.deposits.onBlockScanned(this.#name);
    const depth = from.height - ancestor.height;
    this.#context.log.warn(
      { chain: this.#name, depth, height: ancestor.height },
      'chain reorg: orphaned blocks were reversed',
    );
    this.#context.metrics.orphanedBlocks.inc({ chain: this.#name }, depth);
    return 1;
  }

  /** The block from which the operator requested a rescan; null without a request, or if deposits would be missed. */
  async #findRequestedAnchor(height: number | null): Promise<BlockRef | null> {
    const { lastBlock } = await this.#readCursor();
    if (height === null || !lastBlock) return null;
    const fork = await findFork(this.#context.database, this.#context.withdrawals, this.#connected, lastBlock);
    const hash = await this.#chain.blockHash(height);
    return fork && hash !== null && height <= fork.rescanFrom ? { height, hash } : null;
  }

  async #blocksBelow({ height }: BlockRef): Promise<BlockRef[]> {
    const blocks: BlockRef[] = [];
    for (let next = Math.max(0, height - STORED_BLOCKS + 1); next < height; next += 1) {
      const hash = await this.#chain.blockHash(next);
      if (hash === null) return [];
      blocks.push({ height: next, hash });
    }
    return blocks;
  }

  /** Last common block; null if it is older than all stored blocks. */
  async #findCommonAncestor(tip: BlockRef): Promise<BlockRef | null> {
    const storedBlocks = await selectBlocks(this.#context.database, this.#name).orderBy('height', 'desc').execute();
    for (const { height, hash } of storedBlocks)
      if ((await this.#blockHash(height, tip)) === hash) return { height, hash };
    const first = storedBlocks.at(-1);
    if (!first || storedBlocks.length >= STORED_BLOCKS) return null;
    // No deposit is older than the first block ever scanned.
    const hash = await this.#chain.blockHash(first.height - 1);
    return hash === null ? null : { height: first.height - 1, hash };
  }

  /** Records new deposits in the mempool, and deposits that left it. */
  async #scanMempool(
    at: BlockRef,
    seenAt: SeenTimeRule,
  ): Promise<{ changeCount: number; listed: readonly ChainDeposit[] | null }> {
    const listed = await this.#chain.unconfirmedDeposits(this.#findOwnAddresses);
    const recorded = await db(this.#context.database)
      .selectFrom('deposits')
      .select(['id', 'wallet_id', 'payment_key', 'tx_hash'])
      .where('chain', '=', this.#name)
      .where('state', '=', sql.lit('waiting'))
      .execute();
    const unissued = await findUnminedUnissuedDeposits(this.#context.database, this.#name);
    const recordedKeys = new Set([...recorded, ...unissued].map(({ payment_key: key }) => key));
    const listedKeys = new Set(listed.map(({ paymentKey }) => paymentKey));
    const unrecorded = listed.filter(({ paymentKey }) => !recordedKeys.has(paymentKey));
    const minedKeys = await this.#findMinedKeys(unrecorded);
    const fresh = unrecorded.filter(({ paymentKey }) => !minedKeys.has(paymentKey));
    const dropped = await this.#findDropped(
      recorded.filter(({ payment_key: key }) => !listedKeys.has(key)),
      at.height,
      async (block) => await isBlockInChain(this.#context.database, this.#name, block),
    );
    // A transaction that the node has but does not list may disappear without the list changing: check every round.
    const areAllListed = recorded.every(({ payment_key: key }) => listedKeys.has(key));
    const result = { changeCount: fresh.length + dropped.length, listed: areAllListed ? listed : null };
    if (result.changeCount === 0) return result;
    await this.#context.database.inTransaction(async (unit) => {
      await moveCursor(this.#leaseContext, unit, this.#name, at, at);
      const changes = new ChangesByWallet();
      await this.#addObserved(
        unit,
        changes,
        fresh.map((deposit) => ({ deposit, block: null, seenAt: seenAt(null) })),
      );
      for (const { walletId, id } of dropped) changes.forWallet(walletId).dropped.push(id);
      await this.#recordChanges(unit, changes, at.height);
    });
    return result;
  }

  /**
   * Keys of deposits that are in a block already, although a node that lags behind lists them in its mempool. Only a
   * reorg takes a deposit out of its block.
   */
  async #findMinedKeys(listed: readonly ChainDeposit[]): Promise<ReadonlySet<string>> {
    if (listed.length === 0) return new Set();
    const rows = await db(this.#context.database)
      .selectFrom('deposits')
      .select('payment_key')
      .where('chain', '=', this.#name)
      .where(
        'payment_key',
        'in',
        listed.map(({ paymentKey }) => paymentKey),
      )
      .where('state', '=', 'mined')
      .execute();
    return new Set(rows.map(({ payment_key: key }) => key));
  }

  /** Detects ether sent by contracts. Runs before invoices expire. */
  async #scanBalances(at: BlockRef, seenAt: SeenTimeRule): Promise<number> {
    const foundAt = this.#lastSeen?.hash === at.hash ? this.#lastSeen.at : seenAt(null);
    const depositCount = await this.#balances.scan(at, foundAt, async (work) => {
      await this.#context.database.inTransaction(async (unit) => {
        await moveCursor(this.#leaseContext, unit, this.#name, at, at);
        await work(unit);
        wakeJob(unit, withdrawalJobName(this.#name));
      });
    });
    if (depositCount > 0) this.#context.deposits.onBlockScanned(this.#name);
    return depositCount;
  }

  /** Finds mempool deposits of the same wallets that were replaced by the observed ones. */
  async #findReplaced(
    observed: readonly ObservedDeposit[],
    height: number,
    blocks: readonly BlockRef[],
  ): Promise<DroppedDeposit[]> {
    const wallets = await findWalletIdsByAddress(this.#context.database, this.#name, distinctAddresses(observed));
    if (wallets.size === 0) return [];
    const waiting = await db(this.#context.database)
      .selectFrom('deposits')
      .select(['id', 'wallet_id', 'payment_key', 'tx_hash'])
      .where('wallet_id', 'in', [...wallets.values()])
      .where('state', '=', 'waiting')
      .execute();
    const seen = new Set(observed.map(({ deposit }) => deposit.paymentKey));
    return await this.#findDropped(
      waiting.filter(({ payment_key: key }) => !seen.has(key)),
      height,
      (block) => Promise.resolve(blocks.some(({ hash }) => hash === block.hash)),
    );
  }

  /**
   * Returns those of the missing deposits that were dropped. A transaction mined again after a reorg may have a
   * different effect: in a scanned block, its deposit would have been observed.
   */
  async #findDropped(
    rows: readonly { id: number; wallet_id: number; tx_hash: string }[],
    height: number,
    wasScanned: (block: BlockRef) => Promise<boolean>,
  ): Promise<DroppedDeposit[]> {
    const dropped: DroppedDeposit[] = [];
    for (const { id, wallet_id: walletId, tx_hash: txHash } of rows) {
      const sent = await this.#chain.findTransaction(txHash, height);
      if (sent.state === 'waiting' || (sent.state === 'mined' && !(await wasScanned(sent.block)))) continue;
      dropped.push({ id, walletId });
    }
    return dropped;
  }

  /** Finds crypto transactions whose deposits gain or lost their required confirmations between two heights. */
  async #findDepthChanges(unit: UnitOfWork, low: number, high: number) {
    const rows = await db(unit)
      .selectFrom('deposits')
      .select(['wallet_id', 'crypto_transaction_id'])
      .distinct()
      .where('chain', '=', this.#name)
      .where('counts_at', '>', low)
      .where('counts_at', '<=', high)
      .execute();
    return rows.map((row) => ({ walletId: row.wallet_id, transactionId: row.crypto_transaction_id }));
  }

  async #addObserved(unit: UnitOfWork, changes: ChangesByWallet, observed: readonly ObservedDeposit[]): Promise<void> {
    const wallets = await findWalletIdsByAddress(unit, this.#name, distinctAddresses(observed));
    for (const observedDeposit of observed) {
      const { deposit, block } = observedDeposit;
      const walletId = wallets.get(deposit.address);
      if (walletId === undefined) changes.unissued.push({ deposit, height: block?.height ?? null });
      else changes.forWallet(walletId).observed.push(observedDeposit);
    }
  }

  async #recordChanges(unit: UnitOfWork, changes: ChangesByWallet, tipHeight: number): Promise<void> {
    const ids = changes.inWalletOrder().map(([walletId]) => walletId);
    if (!(await this.#context.deposits.lockAffectedWallets(unit, ids)))
      throw new StaleCursorError('An invoice moved to another wallet.');
    if (changes.unissued.length > 0) await recordUnissuedDeposits(this.#context, unit, this.#name, changes.unissued);
    for (const [walletId, each] of changes.inWalletOrder())
      await this.#context.deposits.recordChanges(unit, walletId, each, tipHeight);
  }

  readonly #findOwnAddresses = async (addresses: readonly string[]): Promise<ReadonlySet<string>> => {
    const { database } = this.#context;
    const ownAddresses = new Set<string>();
    for (let from = 0; from < addresses.length; from += ADDRESS_BATCH) {
      const batch = addresses.slice(from, from + ADDRESS_BATCH);
      if (timeSlices.isUsedUp()) await timeSlices.next();
      for (const address of (await findWalletIdsByAddress(database, this.#name, batch)).keys())
        ownAddresses.add(address);
      for (const address of (await findUnissuedAddresses(database, this.#name, batch)).keys())
        ownAddresses.add(address);
    }
    return ownAddresses;
  };

  async #readCursor(): Promise<Cursor> {
    const cursor = (await readCursors(this.#context.database)).find(({ chain }) => chain === this.#name);
    if (!cursor) throw new Error(`The chain ${this.#name} has no cursor.`);
    return cursor;
  }

  async #reportError(cursor: Cursor, scanError: ScanError | null): Promise<void> {
    const description = scanError ? `${scanError.kind} ${scanError.message}` : '';
    if (description !== this.#lastLogged) {
      this.#lastLogged = description;
      if (scanError) this.#context.log.error({ chain: this.#name, ...scanError }, 'chain cannot be read');
      else this.#context.log.info({ chain: this.#name }, 'chain can be read again');
    }
    if (cursor.error?.kind === scanError?.kind && cursor.error?.message === scanError?.message) return;
    await recordScanError(this.#leaseContext, this.#name, scanError, cursor);
  }
}

/** The reorg is deeper than the stored blocks. */
class ReorgTooDeep extends Error {
  readonly kind = 'reorg_too_deep';
  constructor() {
    super(
      `The chain differs from the last ${STORED_BLOCKS} scanned blocks. Scanning is stopped until the operator runs: paylatch chain reanchor`,
    );
  }
}

interface DroppedDeposit {
  id: number;
  walletId: number;
}

type MutableChanges = { -readonly [Kind in keyof WalletChanges]: WalletChanges[Kind][number][] };

class ChangesByWallet {
  readonly #byWallet = new Map<number, MutableChanges>();
  /** Deposits to unissued addresses. */
  readonly unissued: { deposit: ChainDeposit; height: number | null }[] = [];

  forWallet(walletId: number): MutableChanges {
    let changes = this.#byWallet.get(walletId);
    if (!changes) {
      changes = {
        observed: [],
        dropped: [],
        unmined: [],
        depthChanged: [],
        writtenOff: [],
        partlyWrittenOff: [],
        restored: [],
      };
      this.#byWallet.set(walletId, changes);
    }
    return changes;
  }

  /** Changes in order of wallet IDs: every unit of work locks wallets in this order. */
  inWalletOrder(): [number, WalletChanges][] {
    return [...this.#byWallet].sort(([a], [b]) => a - b).map(([id, changes]) => [id, { ...noChanges, ...changes }]);
  }
}

/** Digest of the node's tip and mempool deposits. Null if the mempool is unknown: it then equals no other state. */
function chainState(tip: BlockRef, listed: readonly ChainDeposit[] | null): string | null {
  return listed && [tip.hash, ...listed.map(({ paymentKey }) => paymentKey).sort()].join(' ');
}

function distinctAddresses(observed: readonly { deposit: ChainDeposit }[]): string[] {
  return [...new Set(observed.map(({ deposit }) => deposit.address))];
}

import { type Expression, sql } from 'kysely';
import { type BlockRef, type Chain, type ChainBlock, type ChainPayment, ChainTrouble } from '../chains/port.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import { type Instant, SECOND } from '../shared/time.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { POLL_INTERVAL, type Job, wakeJob } from '../jobs/runner.ts';
import { timeSlices } from '../system/time-slices.ts';
import { BalanceScanner } from './balances/scan.ts';
import { takeBalancesBack } from './balances/watch.ts';
import { dropBlocksAbove, isRead, keepBlocks, KEPT_BLOCKS, keptBlocks, readBlock } from '../chains/blocks.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { DepositsContext } from './context.ts';
import { noChanges, type ObservedDeposit, type WalletChanges } from './changes.ts';
import {
  type Cursor,
  dueForReader,
  HOLD_AGAIN_MS,
  hold,
  holdOn,
  letGo,
  moveCursor,
  noteTrouble,
  Overtaken,
  readCursors,
  type Trouble,
  scanJobName,
  whenFree,
  withdrawalJobName,
} from '../chains/cursor.ts';
import { findAddresses } from '../wallets/addresses.ts';
import { findUnissued, findWaitingUnissued, deriveAhead, recordUnissued } from '../wallets/unissued.ts';
import { findFork } from './reanchor.ts';
import { db } from './schema.ts';

/** Blocks that are read ahead, and written in one unit. */
const READ_AT_ONCE = 16;
/** Addresses of a block that are looked for in one statement: a few milliseconds on SQLite. */
const FOUND_AT_ONCE = 1000;

/** Longer than this without reading the chain to its end is an outage: others wait as long before they take it over. */
const OUTAGE: Instant = 15 * SECOND;

/** When a deposit counts as seen that is in a block made at a moment, or null: in none yet. */
type SeenAt = (madeAt: Instant | null) => Instant;

interface ScanJob extends Job {
  readonly chain: ChainName;
  /** Whether this process read the chain when it last looked. */
  readonly isHeld: boolean;
  /** When this process last read the chain to its end. */
  readonly readToEndAt: Instant | null;
  /** Leaves the chain to another process. */
  stop(): Promise<void>;
}

/**
 * Reads a chain block by block from where its cursor stands, whichever process left it there, and gives what
 * comes to our wallets to whom it belongs. What a reorganisation takes back is taken back first. Invoices whose
 * time is over end once the chain has been read to its end. Only one process does so at a time, and none writes
 * what another has overtaken.
 */
export function createScanJob(context: DepositsContext, connected: ConnectedChain, holder: string): ScanJob {
  const scanner = new ChainScanner(context, connected, holder);
  const { kept } = connected.chain;
  return {
    name: scanJobName(connected.name),
    intervalMs: 500,
    ...(kept && { topics: [kept.topic] }),
    hasWork: async () => await scanner.isNeeded(),
    earliestDue: () => scanner.due(),
    round: async () => await scanner.round(),
    chain: connected.name,
    get isHeld() {
      return scanner.isHeld;
    },
    get readToEndAt() {
      return scanner.readToEndAt;
    },
    stop: async () => await scanner.stop(),
  };
}

/** Goes on holding the chains that this process reads, so that nobody takes them over while nothing happens there. */
export function createHoldJob({ database, clock }: DepositsContext, watches: readonly ScanJob[], holder: string): Job {
  return {
    name: 'chain holds',
    intervalMs: HOLD_AGAIN_MS,
    async round() {
      const held = watches.filter(({ isHeld }) => isHeld);
      if (held.length === 0) return 0;
      const chains = held.map(({ chain: name, readToEndAt }) => ({ name, readToEndAt }));
      // One that another process has taken over says so in the next round that finds something.
      await holdOn({ database, clock, holder }, chains);
      return 0;
    },
  };
}

class ChainScanner {
  readonly #context: DepositsContext;
  readonly #connected: ConnectedChain;
  readonly #chain: Chain;
  readonly #name: ChainName;
  readonly #held: { database: Database; clock: DepositsContext['clock']; holder: string };
  readonly #balances: BalanceScanner;
  isHeld = false;
  /** When this process last read the chain to its end. */
  readToEndAt: Instant | null = null;
  /** What the last round has read to its end; null where it did not. */
  #read: { state: string | null; version: string } | null = null;
  /** What the last round could not read, and why; empty where it could. */
  #trouble = '';
  /** When what the last block holds that was read here counts as seen. */
  #lastSeen: { hash: string; at: Instant } | null = null;
  /** What was logged last. */
  #told = '';

  constructor(context: DepositsContext, connected: ConnectedChain, holder: string) {
    const { chain, name } = connected;
    this.#context = context;
    this.#connected = connected;
    this.#chain = chain;
    this.#name = name;
    this.#balances = new BalanceScanner(context, connected);
    this.#held = { database: context.database, clock: context.clock, holder };
  }

  /** Reads what there is to read now; answers whether that was anything. */
  async round(): Promise<number> {
    this.#read = null;
    this.#trouble = '';
    this.isHeld = await hold(this.#held, this.#name, this.readToEndAt);
    if (!this.isHeld) return 0;
    const cursor = await this.#readCursor();
    try {
      const found = await this.#holding(async () => {
        const derived = await deriveAhead(this.#context, this.#connected);
        return derived + (await this.#readChain(cursor));
      });
      // Only now: a node that tells its last block may still not have those that are asked for.
      if (cursor.trouble) await this.#note(cursor, null);
      return found;
    } catch (error) {
      if (error instanceof Overtaken) return 0;
      if (!(error instanceof ChainTrouble || error instanceof TooDeep)) throw error;
      await this.#note(cursor, { kind: error.kind, message: error.message });
      this.#trouble = error.message;
      return 0;
    }
  }

  /**
   * Whether the chain is another one than in the last round, as its node tells; without reading the database. Where it
   * is not, it is read to its end.
   */
  async isNeeded(): Promise<boolean> {
    // When it may be taken over is due.
    if (!this.isHeld) return false;
    const askedAt = this.#context.clock.now();
    try {
      if (!this.#chain.kept && (await this.#readState()) !== this.#read?.state) return true;
    } catch (error) {
      return !(error instanceof ChainTrouble && error.message === this.#trouble);
    }
    if (!this.#read) return true;
    this.readToEndAt = askedAt;
    return false;
  }

  /** A chain in the database has changed, an invoice is over, or whoever has held the chain goes on no more. */
  due(): Expression<Instant | null> {
    const { kept } = this.#chain;
    const soon = this.#context.clock.now() + POLL_INTERVAL;
    const over = this.#context.deposits.nextExpiry(this.#name, soon);
    const changed = kept && sql`(${kept.version}) <> ${this.#read?.version ?? ''}`;
    const own = changed ? sql<Instant | null>`select case when ${changed} then 0 else (${over}) end` : over;
    return dueForReader(this.#held.holder, this.#name, own, whenFree);
  }

  async stop(): Promise<void> {
    this.isHeld = false;
    await letGo(this.#held, this.#name, this.readToEndAt);
  }

  /** However long a node takes, nobody else finds the chain left meanwhile. */
  async #holding<Result>(work: () => Promise<Result>): Promise<Result> {
    const goOn = setInterval(() => {
      // Where that fails, nothing can be written a moment later either.
      hold(this.#held, this.#name, this.readToEndAt).catch(() => undefined);
    }, HOLD_AGAIN_MS);
    try {
      return await work();
    } finally {
      clearInterval(goOn);
    }
  }

  async #readChain({ at, readToEndAt, reanchorHeight }: Cursor): Promise<number> {
    const askedAt = this.#context.clock.now();
    const version = await this.#readVersion();
    const tip = await this.#chain.tip();
    if (!at) {
      await this.#start(tip);
      return 1;
    }
    await this.#requireOurBlocks(tip, at);
    if ((await this.#chain.hashAt(at.height)) !== at.hash) return await this.#rollBack(at, reanchorHeight);
    const seenAt = this.#timing(readToEndAt);
    if (tip.height > at.height) return await this.#readOn(at, tip, seenAt);
    const waiting = await this.#lookAtWaiting(at, seenAt);
    const found = waiting.found + (await this.#lookAtBalances(at, seenAt));
    this.readToEndAt = askedAt;
    const ended = await this.#context.deposits.expire(this.#name, askedAt);
    this.#read = { state: stateOf(tip, waiting.listed), version };
    return found + ended;
  }

  async #readState(): Promise<string | null> {
    const tip = await this.#chain.tip();
    return stateOf(tip, await this.#chain.waiting(this.#findOurs));
  }

  /** Read before the chain is: a change after that is another version. */
  async #readVersion(): Promise<string> {
    const { kept } = this.#chain;
    if (!kept) return '';
    const { rows } = await sql<{ version: string }>`select (${kept.version}) as version`.execute(
      db(this.#context.database),
    );
    return rows[0]?.version ?? '';
  }

  /**
   * When a deposit counts as seen that is found now for the first time. As a rule: now, whatever a miner writes into
   * a block. After an outage of ours or of the node it was sent while nobody looked: the time of its block says when,
   * within that outage, and where it waits for a block it gets the benefit of the doubt.
   */
  #timing(readToEndAt: Instant | null): SeenAt {
    const lastAt = Math.max(readToEndAt ?? -Infinity, this.readToEndAt ?? -Infinity);
    return (madeAt) => {
      const now = this.#context.clock.now();
      if (now - lastAt <= OUTAGE) return now;
      if (madeAt === null) return Number.isFinite(lastAt) ? lastAt : now;
      return Math.min(now, Math.max(lastAt, madeAt));
    };
  }

  /** A node that has only the beginning of what was read already has not reorganised: it is behind. */
  async #requireOurBlocks(tip: BlockRef, at: BlockRef): Promise<void> {
    if (tip.height >= at.height) return;
    const kept = await readBlock(this.#context.database, this.#name, tip.height);
    if (kept && kept.hash !== tip.hash) return;
    throw new ChainTrouble('behind', `The node’s last block is ${tip.height}; ${at.height} was read already.`);
  }

  /** The first block that is ever looked at: before it, no address of ours was given to anybody. */
  async #start(tip: BlockRef): Promise<void> {
    await this.#context.database.inTransaction(async (unit) => {
      await moveCursor(this.#held, unit, this.#name, null, tip);
      await keepBlocks(unit, this.#name, [tip]);
    });
  }

  async #readOn(from: BlockRef, tip: BlockRef, seenAt: SeenAt): Promise<number> {
    const heights = Array.from(
      { length: Math.min(READ_AT_ONCE, tip.height - from.height) },
      (_, index) => from.height + 1 + index,
    );
    const read = await Promise.allSettled(
      heights.map(async (height) => await this.#chain.block(height, this.#findOurs)),
    );
    const blocks: ChainBlock[] = [];
    for (const answer of read) {
      // What came before it is kept; whether it is the same trouble is seen by the first block that has it.
      if (answer.status === 'rejected' && blocks.length > 0) break;
      if (answer.status === 'rejected') throw answer.reason;
      const block = answer.value;
      // The chain became another one while it was read; the next round sees from where on.
      if (!block || block.parentHash !== (blocks.at(-1) ?? from).hash) break;
      blocks.push(block);
    }
    const last = blocks.at(-1);
    if (!last) {
      if (read[0]?.status === 'fulfilled' && read[0].value) await this.#requireReorg(from, read[0].value);
      return 0;
    }
    const observed = blocks.flatMap(({ height, hash, at, payments }) =>
      payments.map((payment): ObservedDeposit => ({ payment, block: { height, hash }, seenAt: seenAt(at) })),
    );
    const gone = await this.#replaced(observed, from.height, blocks);
    await this.#context.database.inTransaction(async (unit) => {
      await moveCursor(this.#held, unit, this.#name, from, last);
      await keepBlocks(unit, this.#name, blocks);
      const changes = new ChangesByWallet();
      await this.#addObserved(unit, changes, observed);
      for (const { walletId, id } of gone) changes.of(walletId).gone.push(id);
      for (const { walletId, transactionId } of await this.#movedBetween(unit, from.height, last.height))
        changes.of(walletId).moved.push(transactionId);
      await this.#record(unit, changes, last.height);
    });
    this.#lastSeen = { hash: last.hash, at: seenAt(last.at) };
    this.#context.deposits.blockRead(this.#name);
    return blocks.length;
  }

  /** A block that does not follow on the last one belongs to another chain; where it does not, nothing could ever be read. */
  async #requireReorg(from: BlockRef, next: BlockRef): Promise<void> {
    if ((await this.#chain.hashAt(from.height)) !== from.hash) return;
    const words = `The node’s block ${next.height} does not name its block ${from.height} as its parent.`;
    throw new ChainTrouble('down', words);
  }

  /** Takes back what the chain has taken back, down to the last block that is still in it. */
  async #rollBack(from: BlockRef, reanchorHeight: number | null): Promise<number> {
    const common = await this.#lastCommon();
    const ancestor = common ?? (await this.#anchorAt(reanchorHeight));
    if (!ancestor) throw new TooDeep();
    // By these the next reorganisation is followed; below a block that both chains have they are the same.
    const before = common ? [] : await this.#blocksBelow(ancestor);
    await this.#context.database.inTransaction(async (unit) => {
      await moveCursor(this.#held, unit, this.#name, from, ancestor);
      await dropBlocksAbove(unit, this.#name, ancestor, before);
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
        // What was found by a balance has no transaction that could wait for another block.
        if (key.startsWith('balance:')) changes.of(walletId).gone.push(id);
        else changes.of(walletId).unmined.push(id);
      }
      for (const { walletId, transactionId } of await this.#movedBetween(unit, ancestor.height, from.height))
        changes.of(walletId).moved.push(transactionId);
      await takeBalancesBack(unit, this.#name, ancestor);
      await this.#record(unit, changes, ancestor.height);
    });
    this.#context.deposits.blockRead(this.#name);
    const depth = from.height - ancestor.height;
    this.#context.log.warn({ chain: this.#name, depth, height: ancestor.height }, 'the chain was reorganised');
    this.#context.metrics.reorganisedBlocks.inc({ chain: this.#name }, depth);
    return 1;
  }

  /** The block from which the operator has the chain read again; null where it was not asked for, or is not sound. */
  async #anchorAt(height: number | null): Promise<BlockRef | null> {
    const { at } = await this.#readCursor();
    if (height === null || !at) return null;
    const fork = await findFork(this.#context.database, this.#context.withdrawals, this.#connected, at);
    const hash = await this.#chain.hashAt(height);
    return fork && hash !== null && height <= fork.readFrom ? { height, hash } : null;
  }

  async #blocksBelow({ height }: BlockRef): Promise<BlockRef[]> {
    const blocks: BlockRef[] = [];
    for (let next = Math.max(0, height - KEPT_BLOCKS + 1); next < height; next += 1) {
      const hash = await this.#chain.hashAt(next);
      if (hash === null) return [];
      blocks.push({ height: next, hash });
    }
    return blocks;
  }

  /** The last block that both chains have; null when that is before all that is kept. */
  async #lastCommon(): Promise<BlockRef | null> {
    const kept = await keptBlocks(this.#context.database, this.#name).orderBy('height', 'desc').execute();
    for (const { height, hash } of kept) if ((await this.#chain.hashAt(height)) === hash) return { height, hash };
    const first = kept.at(-1);
    if (!first || kept.length >= KEPT_BLOCKS) return null;
    // Nothing of ours can be before the first block that was ever looked at.
    const hash = await this.#chain.hashAt(first.height - 1);
    return hash === null ? null : { height: first.height - 1, hash };
  }

  /** What waits for a block, and what does so no more. */
  async #lookAtWaiting(
    at: BlockRef,
    seenAt: SeenAt,
  ): Promise<{ found: number; listed: readonly ChainPayment[] | null }> {
    const listed = await this.#chain.waiting(this.#findOurs);
    const known = await db(this.#context.database)
      .selectFrom('deposits')
      .select(['id', 'wallet_id', 'payment_key', 'tx_hash'])
      .where('chain', '=', this.#name)
      .where('state', '=', sql.lit('waiting'))
      .execute();
    const unissued = await findWaitingUnissued(this.#context.database, this.#name);
    const knownKeys = new Set([...known, ...unissued].map(({ payment_key: key }) => key));
    const listedKeys = new Set(listed.map(({ paymentKey }) => paymentKey));
    const fresh = listed.filter(({ paymentKey }) => !knownKeys.has(paymentKey));
    const gone = await this.#goneOf(
      known.filter(({ payment_key: key }) => !listedKeys.has(key)),
      at.height,
      async (block) => await isRead(this.#context.database, this.#name, block),
    );
    // What the node has and does not list may leave without a change of the list: it is asked for in each round.
    const isAllListed = known.every(({ payment_key: key }) => listedKeys.has(key));
    const answer = { found: fresh.length + gone.length, listed: isAllListed ? listed : null };
    if (answer.found === 0) return answer;
    await this.#context.database.inTransaction(async (unit) => {
      await moveCursor(this.#held, unit, this.#name, at, at);
      const changes = new ChangesByWallet();
      await this.#addObserved(
        unit,
        changes,
        fresh.map((payment) => ({ payment, block: null, seenAt: seenAt(null) })),
      );
      for (const { walletId, id } of gone) changes.of(walletId).gone.push(id);
      await this.#record(unit, changes, at.height);
    });
    return answer;
  }

  /** What came without a transaction of its own; before anything is called late. */
  async #lookAtBalances(at: BlockRef, seenAt: SeenAt): Promise<number> {
    const foundAt = this.#lastSeen?.hash === at.hash ? this.#lastSeen.at : seenAt(null);
    const found = await this.#balances.scan(at, foundAt, async (work) => {
      await this.#context.database.inTransaction(async (unit) => {
        await moveCursor(this.#held, unit, this.#name, at, at);
        await work(unit);
        wakeJob(unit, withdrawalJobName(this.#name));
      });
    });
    if (found > 0) this.#context.deposits.blockRead(this.#name);
    return found;
  }

  /** Payments that wait at the wallets of these observed, are none of them, and are nowhere any more. */
  async #replaced(observed: readonly ObservedDeposit[], height: number, blocks: readonly BlockRef[]): Promise<Gone[]> {
    const wallets = await findAddresses(this.#context.database, this.#name, addressesOf(observed));
    if (wallets.size === 0) return [];
    const waiting = await db(this.#context.database)
      .selectFrom('deposits')
      .select(['id', 'wallet_id', 'payment_key', 'tx_hash'])
      .where('wallet_id', 'in', [...wallets.values()])
      .where('state', '=', 'waiting')
      .execute();
    const seen = new Set(observed.map(({ payment }) => payment.paymentKey));
    return await this.#goneOf(
      waiting.filter(({ payment_key: key }) => !seen.has(key)),
      height,
      (block) => Promise.resolve(blocks.some(({ hash }) => hash === block.hash)),
    );
  }

  /**
   * Of payments that were seen nowhere any more those that will not come. Where the same transaction is mined
   * again after a reorganisation, what it does may be another thing: in a block that was read it would have
   * been seen.
   */
  async #goneOf(
    rows: readonly { id: number; wallet_id: number; tx_hash: string }[],
    height: number,
    wasRead: (block: BlockRef) => Promise<boolean>,
  ): Promise<Gone[]> {
    const gone: Gone[] = [];
    for (const { id, wallet_id: walletId, tx_hash: txHash } of rows) {
      const sent = await this.#chain.lookUp(txHash, height);
      if (sent.state === 'waiting' || (sent.state === 'mined' && !(await wasRead(sent.block)))) continue;
      gone.push({ id, walletId });
    }
    return gone;
  }

  /** Transactions with money that becomes deep enough, or is so no more, when the last block is another one. */
  async #movedBetween(unit: UnitOfWork, low: number, high: number) {
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
    const wallets = await findAddresses(unit, this.#name, addressesOf(observed));
    for (const deposit of observed) {
      const { payment, block } = deposit;
      const walletId = wallets.get(payment.address);
      if (walletId === undefined) changes.unissued.push({ payment, height: block?.height ?? null });
      else changes.of(walletId).observed.push(deposit);
    }
  }

  async #record(unit: UnitOfWork, changes: ChangesByWallet, tipHeight: number): Promise<void> {
    const ids = changes.inOrder().map(([walletId]) => walletId);
    if (!(await this.#context.deposits.lockOwners(unit, ids)))
      throw new Overtaken('An invoice was given another wallet');
    if (changes.unissued.length > 0) await recordUnissued(this.#context, unit, this.#name, changes.unissued);
    for (const [walletId, each] of changes.inOrder())
      await this.#context.deposits.record(unit, walletId, each, tipHeight);
  }

  readonly #findOurs = async (addresses: readonly string[]): Promise<ReadonlySet<string>> => {
    const { database } = this.#context;
    const found = new Set<string>();
    for (let from = 0; from < addresses.length; from += FOUND_AT_ONCE) {
      const some = addresses.slice(from, from + FOUND_AT_ONCE);
      if (timeSlices.isUsedUp()) await timeSlices.next();
      for (const address of (await findAddresses(database, this.#name, some)).keys()) found.add(address);
      for (const address of (await findUnissued(database, this.#name, some)).keys()) found.add(address);
    }
    return found;
  };

  async #readCursor(): Promise<Cursor> {
    const cursor = (await readCursors(this.#context.database)).find(({ chain }) => chain === this.#name);
    if (!cursor) throw new Error(`The chain ${this.#name} has no cursor`);
    return cursor;
  }

  async #note(cursor: Cursor, trouble: Trouble | null): Promise<void> {
    const told = trouble ? `${trouble.kind} ${trouble.message}` : '';
    if (told !== this.#told) {
      this.#told = told;
      if (trouble) this.#context.log.error({ chain: this.#name, ...trouble }, 'a chain cannot be read');
      else this.#context.log.info({ chain: this.#name }, 'a chain can be read again');
    }
    if (cursor.trouble?.kind === trouble?.kind && cursor.trouble?.message === trouble?.message) return;
    await noteTrouble(this.#held, this.#name, trouble, cursor);
  }
}

/** More was taken back than can be followed. */
class TooDeep extends Error {
  readonly kind = 'too_deep';
  constructor() {
    super(
      `The chain is another one than ${KEPT_BLOCKS} blocks ago. Nothing is read until the operator resolves it: paylatch chain reanchor`,
    );
  }
}

interface Gone {
  id: number;
  walletId: number;
}

type OpenChanges = { -readonly [Kind in keyof WalletChanges]: WalletChanges[Kind][number][] };

class ChangesByWallet {
  readonly #byWallet = new Map<number, OpenChanges>();
  /** Deposits to addresses without a wallet. */
  readonly unissued: { payment: ChainPayment; height: number | null }[] = [];

  of(walletId: number): OpenChanges {
    let changes = this.#byWallet.get(walletId);
    if (!changes) {
      changes = { observed: [], gone: [], unmined: [], moved: [], writtenOff: [], reduced: [], restored: [] };
      this.#byWallet.set(walletId, changes);
    }
    return changes;
  }

  /** In one order for everybody, so that no two units wait for each other's wallets. */
  inOrder(): [number, WalletChanges][] {
    return [...this.#byWallet].sort(([a], [b]) => a - b).map(([id, changes]) => [id, { ...noChanges, ...changes }]);
  }
}

/** What a node tells without being asked for blocks: its last one, and what waits. Null for one that no state is like. */
function stateOf(tip: BlockRef, listed: readonly ChainPayment[] | null): string | null {
  return listed && [tip.hash, ...listed.map(({ paymentKey }) => paymentKey).sort()].join(' ');
}

function addressesOf(observed: readonly { payment: ChainPayment }[]): string[] {
  return [...new Set(observed.map(({ payment }) => payment.address))];
}

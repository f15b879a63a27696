import { keptBlocks, readBlock, DEEPEST_REORGANISATION, KEPT_BLOCKS } from '../../chains/blocks.ts';
import { Overtaken } from '../../chains/cursor.ts';
import { selectWallets } from '../../wallets/wallet.ts';
import { noChanges, type ObservedDeposit } from '../changes.ts';
import type { DepositsContext } from '../context.ts';
import { hasDeposit } from '../deposit.ts';
import { db } from '../schema.ts';
import { sql } from 'kysely';
import { type BlockRef, ChainTrouble } from '../../chains/port.ts';
import { chains, type CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { DAY, type Instant } from '../../shared/time.ts';
import { isWatched } from './watch.ts';
import type { UnitOfWork } from '../../database/database.ts';
import type { ConnectedChain } from '../../wallets/connected-chains.ts';
import { type Account, accountAt, type Certainty, type Movement, readMovements, type Watched } from './movements.ts';

/** Wallets that are looked at in one block: those that somebody waits for, and those that may wait for their turn. */
const MOST = { pressing: 200, patient: 100 } as const;
/** How long a user's wallet is looked at after it was made, or money came. */
const USED_WITHIN: Instant = 30 * DAY;
/** Blocks after which what is known of a wallet is added up, so that its movements are not read for ever. */
const ADD_UP_AFTER = 1000;
/** Fees that are remembered. */
const MOST_FEES = 1000;

type Lane = keyof typeof MOST;

interface Row {
  walletId: number;
  address: string;
  height: number;
  /** null until it was asked what there was. */
  account: Account | null;
  isPatient: boolean;
  idleSince: number | null;
}

/** Works in a unit that is only written while the last block that was read is still the one that was looked at. */
type InBlock = (work: (unit: UnitOfWork) => Promise<void>) => Promise<void>;

/**
 * Finds ether that came without a transaction of its own, as contracts send it: what wallets hold more than is known
 * to have come and gone. Once for each last block; of many wallets some in each, one after the other.
 */
export class BalanceScanner {
  readonly #context: DepositsContext;
  readonly #connected: ConnectedChain;
  /** The coin of the chain. */
  readonly #code: CryptoCurrencyCode;
  readonly #fees = new Map<string, { block: BlockRef; fee: bigint }>();
  /** The last wallet that was looked at. */
  readonly #last: Record<Lane, number> = { pressing: 0, patient: 0 };
  #scannedAt = '';

  constructor(context: DepositsContext, connected: ConnectedChain) {
    this.#context = context;
    this.#connected = connected;
    this.#code = chains[connected.name].feeCode;
  }

  /** Answers how much was found in the last block. `at` says when what is found there counts as seen. */
  async scan(last: BlockRef, at: Instant, inBlock: InBlock): Promise<number> {
    if (!isWatched(this.#code) || this.#scannedAt === last.hash) return 0;
    const lanes = { pressing: await this.#take('pressing'), patient: await this.#take('patient') };
    const rows = [...lanes.pressing, ...lanes.patient];
    const found = rows.length === 0 ? 0 : await this.#compare(rows, last, at, inBlock);
    for (const lane of ['pressing', 'patient'] as const)
      this.#last[lane] = lanes[lane].length < MOST[lane] ? 0 : (lanes[lane].at(-1)?.walletId ?? 0);
    this.#scannedAt = last.hash;
    return found;
  }

  async #take(lane: Lane): Promise<Row[]> {
    const rows = await db(this.#context.database)
      .selectFrom('watched_balances as watched')
      .innerJoin(selectWallets(this.#context.database).as('wallet'), 'wallet.id', 'watched.wallet_id')
      .select(['watched.wallet_id', 'watched.height', 'watched.balance', 'watched.sent', 'watched.idle_since'])
      .select('wallet.address')
      .where('watched.chain', '=', this.#connected.name)
      .where('watched.is_patient', '=', lane === 'patient' ? 1 : 0)
      .where('watched.wallet_id', '>', this.#last[lane])
      .orderBy('watched.wallet_id')
      .limit(MOST[lane])
      .execute();
    return rows.map(({ wallet_id: walletId, address, height, balance, sent, idle_since: idleSince }) => ({
      ...{ walletId, address, height, idleSince },
      account: balance === null || sent === null ? null : { balance: BigInt(balance), sent },
      isPatient: lane === 'patient',
    }));
  }

  async #compare(rows: readonly Row[], last: BlockRef, at: Instant, inBlock: InBlock): Promise<number> {
    const accounts = await this.#accounts(rows, last);
    const begun = await this.#begin(
      rows.filter(({ account }) => account === null),
      last,
      accounts,
    );
    const watched = [
      ...rows.flatMap(({ account, ...row }): Watched[] => (account ? [{ ...row, account }] : [])),
      ...begun,
    ];
    const movements = await readMovements(
      this.#context.database,
      this.#context.withdrawals,
      this.#connected.name,
      watched,
    );
    const certainty = await this.#certainty([...movements.values()].flat(), last);

    const observed: { walletId: number; deposit: ObservedDeposit }[] = [];
    const addedUp: Watched[] = [];
    for (const wallet of watched) {
      const own = movements.get(wallet.walletId) ?? [];
      const known = accountAt(wallet, own, last.height, certainty);
      const there = accounts.get(wallet.walletId);
      // Where it has sent what is not known here, nothing can be said of what has come.
      if (!known || !there || known.sent !== there.sent || there.balance < known.balance) continue;
      if (there.balance > known.balance) {
        const amount = there.balance - known.balance;
        const paymentKey = (await this.#keyTakenBack(wallet, amount, last)) ?? keyOf(wallet, amount, last);
        const { walletId, address } = wallet;
        const payment = { paymentKey, txHash: '', address, code: this.#code, amount };
        observed.push({ walletId, deposit: { payment, block: last, seenAt: at } });
      } else if (last.height - wallet.height > ADD_UP_AFTER) {
        const height = last.height - KEPT_BLOCKS;
        const account = accountAt(wallet, own, height, certainty);
        if (account) addedUp.push({ ...wallet, height, account });
      }
    }
    const idle = await this.#idle(rows, last);
    if (begun.length + observed.length + addedUp.length + idle.length > 0)
      await inBlock(async (unit) => {
        const owners = await this.#context.deposits.lockOwners(
          unit,
          observed.map(({ walletId }) => walletId),
        );
        if (!owners) throw new Overtaken('An invoice was given another wallet');
        for (const { walletId, deposit } of observed)
          await this.#context.deposits.record(unit, walletId, { ...noChanges, observed: [deposit] }, last.height);
        // After the wallets, which whoever has one looked at has locked before.
        for (const wallet of [...begun, ...addedUp]) await keep(unit, wallet);
        for (const { row, since } of idle) await markIdle(unit, row, since);
      });
    return observed.length;
  }

  async #accounts(rows: readonly Row[], at: BlockRef): Promise<Map<number, Account>> {
    const { chain } = this.#connected;
    const addresses = rows.map(({ address }) => address);
    const balances = (await chain.balances(this.#code, addresses, at)) ?? new Map<string, bigint>();
    const counts = (await chain.sentBy(addresses, at)) ?? new Map<string, number>();
    return new Map(
      rows.flatMap(({ walletId, address }) => {
        const [balance, sent] = [balances.get(address), counts.get(address)];
        return balance === undefined || sent === undefined ? [] : [[walletId, { balance, sent }] as const];
      }),
    );
  }

  /**
   * What wallets held when their addresses were given out. Nodes keep the states of the last blocks alone: where
   * that one is gone, the wallet is begun with now, and what has come until then is credited to nobody.
   */
  async #begin(rows: readonly Row[], last: BlockRef, accounts: ReadonlyMap<number, Account>): Promise<Watched[]> {
    const begun: Watched[] = [];
    for (const height of new Set(rows.map((row) => row.height))) {
      const own = rows.filter((row) => row.height === height);
      const then = height === last.height ? { at: last, accounts } : await this.#accountsThen(own, height);
      const isLost = !then && last.height - height > DEEPEST_REORGANISATION;
      if (isLost)
        this.#context.log.warn(
          { chain: this.#connected.name, height, wallets: own.length },
          'what wallets held cannot be told; ether that contracts have sent there meanwhile is not seen',
        );
      const from = isLost ? { at: last, accounts } : then;
      for (const { walletId, address } of own) {
        const account = from?.accounts.get(walletId);
        if (from && account) begun.push({ walletId, address, height: from.at.height, account });
      }
    }
    return begun;
  }

  async #accountsThen(
    rows: readonly Row[],
    height: number,
  ): Promise<{ at: BlockRef; accounts: ReadonlyMap<number, Account> } | null> {
    const block = await readBlock(this.#context.database, this.#connected.name, height);
    if (!block) return null;
    try {
      return { at: block, accounts: await this.#accounts(rows, block) };
    } catch (error) {
      if (error instanceof ChainTrouble) return null;
      throw error;
    }
  }

  /** What transactions of ours have cost, and which blocks are of the chain. */
  async #certainty(movements: readonly Movement[], last: BlockRef): Promise<Certainty> {
    const isDeep = ({ height }: BlockRef) => height <= last.height - KEPT_BLOCKS;
    const heights = movements.flatMap((movement) =>
      movement.kind !== 'came' && movement.block && !isDeep(movement.block) ? [movement.block.height] : [],
    );
    const kept =
      heights.length === 0
        ? []
        : await keptBlocks(this.#context.database, this.#connected.name)
            .where('height', 'in', [...new Set(heights)])
            .execute();
    const hashes = new Set(kept.map(({ hash }) => hash));
    if (this.#fees.size > MOST_FEES) this.#fees.clear();
    for (const movement of movements) {
      if (movement.kind !== 'went' || this.#fees.get(movement.txHash)?.block.hash === movement.block.hash) continue;
      const paid = await this.#connected.chain.feePaid(movement.txHash);
      if (paid) this.#fees.set(movement.txHash, paid);
    }
    return { fees: this.#fees, isRead: (block) => isDeep(block) || hashes.has(block.hash) };
  }

  /** What a reorganisation has taken back and comes again, in whatever block, is the same: what is done with it goes on. */
  async #keyTakenBack({ walletId }: Watched, amount: bigint, { height }: BlockRef): Promise<string | null> {
    const gone = await db(this.#context.database)
      .selectFrom('deposits')
      .select('payment_key')
      .where('wallet_id', '=', walletId)
      .where('state', '=', 'gone')
      .where('amount', '=', amount.toString())
      .where('payment_key', 'like', 'balance:%')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    const then = Number(gone?.payment_key.split(':')[2] ?? 0);
    return gone && height - then < KEPT_BLOCKS ? gone.payment_key : null;
  }

  /** Wallets at which money is waited for no more, or again. */
  async #idle(rows: readonly Row[], last: BlockRef): Promise<{ row: Row; since: number | null | 'over' }[]> {
    const wanted = new Set([...(await this.#open(rows)), ...(await this.#used(rows))]);
    return rows.flatMap((row): { row: Row; since: number | null | 'over' }[] => {
      const { walletId, idleSince } = row;
      if (wanted.has(walletId)) return idleSince === null ? [] : [{ row, since: null }];
      if (idleSince === null) return [{ row, since: last.height }];
      // Until then a reorganisation may open its last invoice again.
      return last.height - idleSince >= KEPT_BLOCKS ? [{ row, since: 'over' }] : [];
    });
  }

  async #open(rows: readonly Row[]): Promise<number[]> {
    const ids = rows.flatMap(({ walletId, isPatient }) => (isPatient ? [] : [walletId]));
    return ids.length === 0 ? [] : await this.#context.deposits.findAwaited(this.#context.database, ids);
  }

  async #used(rows: readonly Row[]): Promise<number[]> {
    const ids = rows.flatMap(({ walletId, isPatient }) => (isPatient ? [walletId] : []));
    if (ids.length === 0) return [];
    const since = this.#context.clock.now() - USED_WITHIN;
    const { database } = this.#context;
    const used = await selectWallets(database)
      .where('id', 'in', ids)
      .where('state', '=', sql.lit('serving'))
      .where(({ or, eb, ref }) =>
        or([eb('created_at', '>', since), hasDeposit(database, ref('wallets.id'), { since })]),
      )
      .execute();
    return used.map(({ id }) => id);
  }
}

function keyOf({ address }: Watched, amount: bigint, { height }: BlockRef): string {
  return `balance:${address}:${height}:${amount}`;
}

async function keep(unit: UnitOfWork, { walletId, height, account }: Watched): Promise<void> {
  await db(unit)
    .updateTable('watched_balances')
    .set({ height, balance: account.balance.toString(), sent: account.sent })
    .where('wallet_id', '=', walletId)
    .execute();
}

async function markIdle(unit: UnitOfWork, { walletId, idleSince }: Row, since: number | null | 'over'): Promise<void> {
  if (since === 'over') {
    // Unless an invoice has come meanwhile.
    const over = db(unit).deleteFrom('watched_balances').where('wallet_id', '=', walletId);
    await over.where('idle_since', '=', idleSince).execute();
    return;
  }
  const row = db(unit).updateTable('watched_balances').set({ idle_since: since }).where('wallet_id', '=', walletId);
  await row.where('idle_since', idleSince === null ? 'is' : '=', idleSince).execute();
}

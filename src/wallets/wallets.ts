import type { Runner } from '../database/engine.ts';
import { db } from './crypto-tables.ts';
import { sql } from 'kysely';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { cryptoCurrencies } from '../shared/crypto-currency.ts';
import type { InvoiceType } from '../shared/crypto-status.ts';
import { DAY, type Instant } from '../shared/time.ts';
import { claimRows, lockRows, type UnitOfWork } from '../database/database.ts';
import type { ConnectedChain } from './connected-chains.ts';
import type { InvoicesContext } from '../invoices/context.ts';
import { isExact } from '../invoices/judge.ts';
import type { InvoiceRules } from '../invoices/rules.ts';
import { type CryptoTransaction, toWallet, type Wallet, walletColumns } from '../invoices/transaction.ts';
import { highestUsed } from './used-addresses.ts';
import { takeIndex } from './accounts.ts';

/** Of the wallets that rest, how many are looked at for one that has not yet served the same amount. */
const LOOKED_AT = 50;
/** Blocks that may be taken back; what is deeper stays. */
export const DEEPEST_REORGANISATION = 100;
/** How long the address of an expired invoice rests: what an exchange holds back arrives within a few days. */
const UNUSED_REST: Instant = 7 * DAY;
/** Hashes that are kept to find where two chains part. */
export const KEPT_BLOCKS = 2 * DEEPEST_REORGANISATION;

/** For whom a wallet is wanted. */
export interface Wanted {
  merchantId: number;
  code: CryptoCurrencyCode;
  type: InvoiceType;
  amount: bigint;
  tolerance: bigint;
  rules: InvoiceRules;
  /** Of the last block that was read. */
  tipHeight: number;
  accountId: number;
}

/** An address that no wallet has yet. */
export interface FreshAddress {
  accountId: number;
  index: number;
  address: string;
}

/** A new wallet of its own at an address that nobody has yet. */
export async function makeWallet(
  context: Pick<InvoicesContext, 'clock'>,
  unit: UnitOfWork,
  wanted: Pick<Wanted, 'merchantId' | 'code' | 'type'>,
  fresh: FreshAddress,
): Promise<Wallet> {
  const made = await insertWallet(unit, wanted, fresh, context.clock.now());
  if (!made) throw new Error('A fresh address gave no wallet');
  return made;
}

/** Takes the next address of the account. Throws a `Problem` where it may belong to another payer already. */
export async function takeAddress(
  context: InvoicesContext,
  { chain, accountKey, accountId, accountName }: ConnectedChain,
): Promise<FreshAddress> {
  const index = await takeIndex(context, accountId, accountName);
  return { accountId, index, address: chain.addresses.derive(accountKey, index) };
}

/**
 * A wallet that is locked until the unit ends and serves whoever asked: for the type `static` the merchant's
 * one, for `revolver` one that has rested, else a new one at the fresh address; null where only a fresh
 * address could help and none is given.
 */
export async function takeWallet(
  context: Pick<InvoicesContext, 'clock' | 'addresses'>,
  unit: UnitOfWork,
  wanted: Wanted,
  fresh: FreshAddress | null,
): Promise<Wallet | null> {
  const now = context.clock.now();
  if (wanted.type === 'static') {
    const serving = await findServing(unit, wanted);
    // The rotation amount may have changed since its last payment.
    if (serving && !isFull(serving, wanted.rules)) return serving;
    if (serving) await careFor(context, unit, serving, wanted.rules, wanted.tipHeight);
    if (!fresh) return null;
    // Somebody else may have been faster.
    return (await insertWallet(unit, wanted, fresh, now)) ?? (await findServing(unit, wanted));
  }
  if (wanted.type === 'revolver') {
    const rested = await takeRested(context, unit, wanted);
    if (rested) return rested;
    if (!fresh && (await isGapFull(unit, wanted.accountId, context.addresses.gapLimit)))
      return await takeUnused(context, unit, wanted);
  }
  return fresh ? await insertWallet(unit, wanted, fresh, now) : null;
}

async function findServing(unit: UnitOfWork, { merchantId, code }: Wanted): Promise<Wallet | null> {
  const query = db(unit)
    .selectFrom('wallets')
    .select(walletColumns)
    .where('merchant_id', '=', merchantId)
    .where('code', '=', code)
    // Literals: the index of serving wallets is used only where it reads that they are meant.
    .where('type', '=', sql.lit('static'))
    .where('state', '=', sql.lit('serving'));
  const row = await lockRows(unit, query).executeTakeFirst();
  return row ? toWallet(row) : null;
}

async function insertWallet(
  unit: UnitOfWork,
  { merchantId, code, type }: Pick<Wanted, 'merchantId' | 'code' | 'type'>,
  { accountId, index, address }: FreshAddress,
  now: Instant,
): Promise<Wallet | null> {
  const row = await db(unit)
    .insertInto('wallets')
    .values({
      merchant_id: merchantId,
      chain: cryptoCurrencies[code].chain,
      code,
      type,
      wallet_account_id: accountId,
      derivation_index: index,
      address,
      state: 'serving',
      rests_until: null,
      rests_until_height: null,
      balance: '0',
      created_at: now,
      updated_at: now,
      retired_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(walletColumns)
    .executeTakeFirst();
  if (!row) return null;
  await db(unit)
    .deleteFrom('unissued_addresses')
    .where('wallet_account_id', '=', accountId)
    .where('derivation_index', '=', index)
    .execute();
  return toWallet(row);
}

async function takeRested(
  context: Pick<InvoicesContext, 'clock'>,
  unit: UnitOfWork,
  wanted: Wanted,
): Promise<Wallet | null> {
  const now = context.clock.now();
  const candidates = await db(unit)
    .selectFrom('wallets')
    .select('id')
    .where('merchant_id', '=', wanted.merchantId)
    .where('code', '=', wanted.code)
    .where('state', '=', sql.lit('resting'))
    .where('rests_until', '<=', now)
    .where('rests_until_height', '<=', wanted.tipHeight)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chain_payments')
            .select('chain_payments.id')
            .whereRef('chain_payments.wallet_id', '=', 'wallets.id')
            .where('chain_payments.state', '=', 'waiting'),
        ),
      ),
    )
    .orderBy('rests_until')
    .limit(LOOKED_AT)
    .execute();
  if (candidates.length === 0) return null;
  const servedAlike = await walletsThatServed(
    unit,
    candidates.map(({ id }) => id),
    wanted,
  );
  for (const { id } of candidates) {
    if (servedAlike.has(id)) continue;
    const query = db(unit)
      .selectFrom('wallets')
      .select(walletColumns)
      .where('id', '=', id)
      .where('state', '=', 'resting');
    const row = await claimRows(unit, query).executeTakeFirst();
    if (!row) continue;
    const wallet = toWallet(row);
    if (isFull(wallet, wanted.rules)) {
      await careFor(context, unit, wallet, wanted.rules, wanted.tipHeight);
      continue;
    }
    await db(unit)
      .updateTable('wallets')
      .set({ state: 'serving', rests_until: null, rests_until_height: null, updated_at: now })
      .where('id', '=', id)
      .execute();
    return { ...wallet, state: 'serving' };
  }
  return null;
}

/** Whether so many of the last addresses have received nothing that wallet software would look no further. */
export async function isGapFull(database: Runner, accountId: number, gapLimit: number): Promise<boolean> {
  const { next_index: next } = await db(database)
    .selectFrom('wallet_accounts')
    .select('next_index')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return next >= gapLimit && (await highestUsed(database, accountId, next - gapLimit)) === null;
}

/**
 * A wallet of the merchant's that never received anything and whose invoice or link expired long ago, among the last
 * addresses; one that was given for the same amount is left alone, so that what its payer sends after all fits nobody
 * else. Null where there is none.
 */
export async function takeUnused(
  context: Pick<InvoicesContext, 'clock' | 'addresses'>,
  unit: UnitOfWork,
  wanted: Wanted,
): Promise<Wallet | null> {
  const now = context.clock.now();
  const expiredBefore = now - Math.max(wanted.rules.reuseDelay, UNUSED_REST);
  const unused = db(unit)
    .selectFrom('wallets')
    .where('wallet_account_id', '=', wanted.accountId)
    .where('derivation_index', '>=', ({ selectFrom }) =>
      selectFrom('wallet_accounts')
        .select((row) => row('next_index', '-', context.addresses.gapLimit).as('first'))
        .where('wallet_accounts.id', '=', wanted.accountId),
    )
    .where('merchant_id', '=', wanted.merchantId)
    .where('code', '=', wanted.code)
    .where('type', 'in', ['revolver', 'user'])
    .where('state', '=', 'serving')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('chain_payments')
            .select('chain_payments.id')
            .whereRef('chain_payments.wallet_id', '=', 'wallets.id'),
        ),
      ),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('crypto_transactions as former')
            .select('former.id')
            .whereRef('former.wallet_id', '=', 'wallets.id')
            .where((row) =>
              row.or([
                row('former.status', '<>', 'failed'),
                row('former.expires_at', 'is', null),
                row('former.expires_at', '>=', expiredBefore),
              ]),
            ),
        ),
      ),
    );
  const candidates = await unused.select('id').orderBy('derivation_index').limit(LOOKED_AT).execute();
  if (candidates.length === 0) return null;
  const servedAlike = await walletsThatServed(
    unit,
    candidates.map(({ id }) => id),
    // No setting lets two payers have one address for the same amount.
    { ...wanted, rules: { ...wanted.rules, reuseDelay: Math.max(wanted.rules.reuseDelay, 1) } },
  );
  for (const { id } of candidates) {
    if (servedAlike.has(id)) continue;
    const row = await claimRows(unit, unused.select(walletColumns).where('id', '=', id)).executeTakeFirst();
    if (!row) continue;
    const { type } = wanted;
    await db(unit).updateTable('wallets').set({ type, updated_at: now }).where('id', '=', id).execute();
    return { ...toWallet(row), type };
  }
  return null;
}

/** Those that had an invoice of such an amount: what its payer sends once more would be taken for the next one's. */
async function walletsThatServed(unit: UnitOfWork, ids: readonly number[], wanted: Wanted): Promise<Set<number>> {
  // Whoever lets wallets serve again without a rest has chosen to do without this.
  if (wanted.rules.reuseDelay === 0) return new Set();
  const former = await db(unit)
    .selectFrom('crypto_transactions')
    .select(['wallet_id', 'amount_required'])
    .where('wallet_id', 'in', ids)
    .where('kind', '=', 'invoice')
    .execute();
  return new Set(
    former
      .filter(({ amount_required: amount }) =>
        isExact({ amountRequired: wanted.amount, tolerance: wanted.tolerance }, BigInt(amount ?? 0)),
      )
      .map((row) => row.wallet_id),
  );
}

/**
 * What becomes of a wallet whose invoices or money have changed: a revolver's rests when its last invoice
 * is complete, and serves that again when a reorganisation has undone it; one that holds as much as the
 * merchant wants in one place is rotated, and retired for as long as no invoice waits for money there. Answers it as
 * it is then. The unit holds its lock. `isForced`: it is rotated whatever it holds.
 */
export async function careFor(
  context: Pick<InvoicesContext, 'clock'>,
  unit: UnitOfWork,
  wallet: Wallet,
  rules: InvoiceRules,
  tipHeight: number,
  { isForced = false }: { isForced?: boolean } = {},
): Promise<Wallet> {
  if (wallet.type === 'user') return wallet;
  const state = await stateOf(unit, wallet, isForced || isFull(wallet, rules));
  if (state === wallet.state) return wallet;
  const now = context.clock.now();
  const isResting = state === 'resting';
  await db(unit)
    .updateTable('wallets')
    .set({
      state,
      rests_until: isResting ? now + rules.reuseDelay : null,
      rests_until_height: isResting ? (rules.reuseDelay === 0 ? 0 : tipHeight + DEEPEST_REORGANISATION) : null,
      retired_at: state === 'retired' ? now : null,
      updated_at: now,
    })
    .where('id', '=', wallet.id)
    .execute();
  return { ...wallet, state };
}

/** Whether a wallet holds the rotation amount. */
function isFull({ balance }: Wallet, { rotateAmount }: InvoiceRules): boolean {
  return rotateAmount !== null && balance >= rotateAmount;
}

/** The same as a condition of a query: digits of one length are in the order of their numbers. */
export function holdsAtLeast(amount: bigint) {
  const least = amount.toString();
  const length = sql.lit(least.length);
  return sql<boolean>`(length(balance) > ${length} or (length(balance) = ${length} and balance >= ${least}))`;
}

/** Statuses of an invoice whose money is yet to come, or to be decided about. */
export const openStatuses = ['pending', 'waiting', 'confirmed', 'approved_required'] as const;

async function stateOf(unit: UnitOfWork, wallet: Wallet, isRotated: boolean): Promise<Wallet['state']> {
  // Also of one that is retired: a reorganisation may open an invoice again, whose payer knows no other address.
  if (wallet.state === 'rotated' || wallet.state === 'retired' || isRotated)
    return (await hasOpenInvoice(unit, wallet)) ? 'rotated' : 'retired';
  if (wallet.type === 'static') return 'serving';
  const last = await db(unit)
    .selectFrom('crypto_transactions')
    .select('status')
    .where('wallet_id', '=', wallet.id)
    .where('kind', '=', 'invoice')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.status === 'complete' ? 'resting' : 'serving';
}

async function hasOpenInvoice(unit: UnitOfWork, { id }: Wallet): Promise<boolean> {
  const open = await db(unit)
    .selectFrom('crypto_transactions')
    .select('id')
    .where('wallet_id', '=', id)
    .where('kind', '=', 'invoice')
    .where('status', 'in', [...openStatuses] as CryptoTransaction['status'][])
    .limit(1)
    .executeTakeFirst();
  return open !== undefined;
}

import type { Runner } from '../database/engine.ts';
import { db, type Wallet, walletRecord } from './schema.ts';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { cryptoCurrencies } from '../shared/crypto-currency.ts';
import type { InvoiceType } from '../shared/crypto-status.ts';
import { DAY, type Instant } from '../shared/time.ts';
import { claimRows, lockRows, type UnitOfWork } from '../database/database.ts';
import type { ConnectedChain } from './connected-chains.ts';
import { DEEPEST_REORGANISATION } from '../chains/blocks.ts';
import type { WalletsContext } from './context.ts';
import type { InvoiceRules } from './rules.ts';
import { selectWallets } from './wallet.ts';
import { highestUsed } from './used-addresses.ts';
import { takeIndex } from './accounts.ts';

/** Of the wallets that rest, how many are looked at for one that has not yet served the same amount. */
const LOOKED_AT = 50;
/** How long the address of an expired invoice rests: what an exchange holds back arrives within a few days. */
const UNUSED_REST: Instant = 7 * DAY;

/** What an invoice or a payment link needs a wallet for. */
export interface WalletRequest {
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

/** Creates a wallet at a fresh address. */
export async function makeWallet(
  context: WalletsContext,
  unit: UnitOfWork,
  wanted: Pick<WalletRequest, 'merchantId' | 'code' | 'type'>,
  fresh: FreshAddress,
): Promise<Wallet> {
  const made = await insertWallet(unit, wanted, fresh, context.clock.now());
  if (!made) throw new Error('A fresh address gave no wallet');
  return made;
}

/** Issues the next address of the account. Throws a `Problem` where it may belong to another payer already. */
export async function nextDepositAddress(
  context: WalletsContext,
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
  context: WalletsContext,
  unit: UnitOfWork,
  wanted: WalletRequest,
  fresh: FreshAddress | null,
): Promise<Wallet | null> {
  const now = context.clock.now();
  if (wanted.type === 'static') {
    const serving = await findServing(unit, wanted);
    // The rotation amount may have changed since its last payment.
    if (serving && !isFull(serving, wanted.rules)) return serving;
    if (serving) await updateState(context, unit, serving, wanted.rules, wanted.tipHeight);
    if (!fresh) return null;
    // Another process may have been faster.
    return (await insertWallet(unit, wanted, fresh, now)) ?? (await findServing(unit, wanted));
  }
  if (wanted.type === 'revolver') {
    const rested = await takeRested(context, unit, wanted);
    if (rested) return rested;
    if (!fresh && (await isGapFull(context, unit, wanted.accountId))) return await takeUnused(context, unit, wanted);
  }
  return fresh ? await insertWallet(unit, wanted, fresh, now) : null;
}

async function findServing(unit: UnitOfWork, { merchantId, code }: WalletRequest): Promise<Wallet | null> {
  const query = selectWallets(unit)
    .where('merchant_id', '=', merchantId)
    .where('code', '=', code)
    // Literals: the index of serving wallets is used only where it reads that they are meant.
    .where('type', '=', sql.lit('static'))
    .where('state', '=', sql.lit('serving'));
  const row = await lockRows(unit, query).executeTakeFirst();
  return row ? walletRecord.read(row) : null;
}

async function insertWallet(
  unit: UnitOfWork,
  { merchantId, code, type }: Pick<WalletRequest, 'merchantId' | 'code' | 'type'>,
  { accountId, index, address }: FreshAddress,
  now: Instant,
): Promise<Wallet | null> {
  const row = await db(unit)
    .insertInto('wallets')
    .values(
      walletRecord.write({
        ...{ merchantId, chain: cryptoCurrencies[code].chain, code, type },
        ...{ accountId, derivationIndex: index, address, balance: 0n },
        ...{ state: 'serving', restsUntil: null, restsUntilHeight: null },
        ...{ createdAt: now, updatedAt: now, retiredAt: null },
      }),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(walletRecord.columns)
    .executeTakeFirst();
  if (!row) return null;
  await db(unit)
    .deleteFrom('unissued_addresses')
    .where('wallet_account_id', '=', accountId)
    .where('derivation_index', '=', index)
    .execute();
  return walletRecord.read(row);
}

async function takeRested(context: WalletsContext, unit: UnitOfWork, wanted: WalletRequest): Promise<Wallet | null> {
  const { walletUse } = context;
  const now = context.clock.now();
  const candidates = await db(unit)
    .selectFrom('wallets')
    .select('id')
    .where('merchant_id', '=', wanted.merchantId)
    .where('code', '=', wanted.code)
    .where('state', '=', sql.lit('resting'))
    .where('rests_until', '<=', now)
    .where('rests_until_height', '<=', wanted.tipHeight)
    .where(({ not, ref }) => not(walletUse.hasWaitingDeposit(unit, ref('wallets.id'))))
    .orderBy('rests_until')
    .limit(LOOKED_AT)
    .execute();
  if (candidates.length === 0) return null;
  const servedAlike = await walletsThatServed(
    context,
    unit,
    candidates.map(({ id }) => id),
    wanted,
  );
  for (const { id } of candidates) {
    if (servedAlike.has(id)) continue;
    const query = db(unit)
      .selectFrom('wallets')
      .select(walletRecord.columns)
      .where('id', '=', id)
      .where('state', '=', 'resting');
    const row = await claimRows(unit, query).executeTakeFirst();
    if (!row) continue;
    const wallet = walletRecord.read(row);
    if (isFull(wallet, wanted.rules)) {
      await updateState(context, unit, wallet, wanted.rules, wanted.tipHeight);
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
export async function isGapFull(
  { addresses: { gapLimit }, walletUse }: WalletsContext,
  on: Runner,
  accountId: number,
): Promise<boolean> {
  const { next_index: next } = await db(on)
    .selectFrom('wallet_accounts')
    .select('next_index')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return next >= gapLimit && (await highestUsed(on, walletUse, accountId, next - gapLimit)) === null;
}

/**
 * A wallet of the merchant's that never received anything and whose invoice or link expired long ago, among the last
 * addresses; one that was given for the same amount is left alone, so that what its payer sends after all fits nobody
 * else. Null where there is none.
 */
export async function takeUnused(
  context: WalletsContext,
  unit: UnitOfWork,
  wanted: WalletRequest,
): Promise<Wallet | null> {
  const { walletUse } = context;
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
    .where(({ not, ref }) => not(walletUse.hasDeposit(unit, ref('wallets.id'))))
    .where(({ not, ref }) => not(walletUse.isExpectedSince(unit, ref('wallets.id'), expiredBefore)));
  const candidates = await unused.select('id').orderBy('derivation_index').limit(LOOKED_AT).execute();
  if (candidates.length === 0) return null;
  const servedAlike = await walletsThatServed(
    context,
    unit,
    candidates.map(({ id }) => id),
    // No setting lets two payers have one address for the same amount.
    { ...wanted, rules: { ...wanted.rules, reuseDelay: Math.max(wanted.rules.reuseDelay, 1) } },
  );
  for (const { id } of candidates) {
    if (servedAlike.has(id)) continue;
    const row = await claimRows(unit, unused.select(walletRecord.columns).where('id', '=', id)).executeTakeFirst();
    if (!row) continue;
    const { type } = wanted;
    await db(unit).updateTable('wallets').set({ type, updated_at: now }).where('id', '=', id).execute();
    return { ...walletRecord.read(row), type };
  }
  return null;
}

/** Those that had an invoice of such an amount: what its payer sends once more would be taken for the next one's. */
async function walletsThatServed(
  { walletUse }: WalletsContext,
  unit: UnitOfWork,
  ids: readonly number[],
  { amount, tolerance, rules }: WalletRequest,
): Promise<Set<number>> {
  // Whoever lets wallets serve again without a rest has chosen to do without this.
  if (rules.reuseDelay === 0) return new Set();
  return await walletUse.findServed(unit, ids, { amountRequired: amount, tolerance });
}

/**
 * Updates the state of a wallet whose invoices or balance have changed: a revolver rests when its last invoice is
 * complete, and serves that again when a reorg has undone it; one that holds the rotation amount is rotated, and
 * retired for as long as none of its invoices is open. Returns the wallet. The unit holds its lock. `isForced`: rotates
 * it whatever it holds.
 */
export async function updateState(
  context: WalletsContext,
  unit: UnitOfWork,
  wallet: Wallet,
  rules: InvoiceRules,
  tipHeight: number,
  { isForced = false }: { isForced?: boolean } = {},
): Promise<Wallet> {
  if (wallet.type === 'user') return wallet;
  const state = await stateOf(context, unit, wallet, isForced || isFull(wallet, rules));
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

async function stateOf(
  { walletUse }: WalletsContext,
  unit: UnitOfWork,
  wallet: Wallet,
  isRotated: boolean,
): Promise<Wallet['state']> {
  // Also of one that is retired: a reorganisation may open an invoice again, whose payer knows no other address.
  if (wallet.state === 'rotated' || wallet.state === 'retired' || isRotated)
    return (await walletUse.hasOpenInvoice(unit, wallet.id)) ? 'rotated' : 'retired';
  if (wallet.type === 'static') return 'serving';
  return (await walletUse.lastStatus(unit, wallet.id)) === 'complete' ? 'resting' : 'serving';
}

/** Retires a wallet whose invoice has moved to another one. The unit holds its lock. */
export async function retire({ clock }: WalletsContext, unit: UnitOfWork, id: number): Promise<void> {
  const now = clock.now();
  await db(unit)
    .updateTable('wallets')
    .set({ state: 'retired', retired_at: now, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/** Wallets of a merchant and currency that may hold the rotation amount and still serve, in the order of their IDs. */
export async function findFull(
  unit: UnitOfWork,
  merchantId: number,
  code: CryptoCurrencyCode,
  rotateAmount: bigint,
): Promise<number[]> {
  const full = await db(unit)
    .selectFrom('wallets')
    .select('id')
    .where('merchant_id', '=', merchantId)
    .where('code', '=', code)
    .where('type', 'in', ['static', 'revolver'])
    .where('state', 'in', ['serving', 'resting'])
    // A literal: the index of wallets that hold something applies only to queries that name its condition.
    .where('balance', '<>', sql.lit('0'))
    .where(holdsAtLeast(rotateAmount))
    .orderBy('id')
    .execute();
  return full.map(({ id }) => id);
}

/** Wallets of an account that hold something: a query to compose. */
export function holdingWallets(
  on: Runner,
  { merchantId, code, accountId }: Pick<WalletRequest, 'merchantId' | 'code' | 'accountId'>,
) {
  return (
    db(on)
      .selectFrom('wallets')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('code', '=', code)
      .where('wallet_account_id', '=', accountId)
      // A literal: the index of wallets that hold something serves only who is known to ask for them.
      .where('balance', '<>', sql.lit('0'))
  );
}

/** Whether a wallet of some merchant and currency holds something: a condition of a query. */
export function holdsSomething(
  on: Runner,
  accountId: number,
  { merchantId, code }: { merchantId: Expression<number>; code: Expression<string> },
): Expression<SqlBool> {
  const holding = db(on)
    .selectFrom('wallets')
    .select('wallets.id')
    .where('wallets.merchant_id', '=', merchantId)
    .where('wallets.code', '=', code)
    .where('wallets.wallet_account_id', '=', accountId)
    .where('wallets.balance', '<>', sql.lit('0'));
  return sql<SqlBool>`exists ${holding}`;
}

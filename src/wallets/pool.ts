import type { Runner } from '../database/engine.ts';
import { db, type Wallet, walletRecord } from './schema.ts';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { cryptoCurrencies } from '../shared/crypto-currency.ts';
import type { InvoiceType } from '../shared/crypto-status.ts';
import { DAY, type Instant } from '../shared/time.ts';
import { claimRows, lockRows, type UnitOfWork } from '../database/database.ts';
import type { ConnectedChain } from './connected-chains.ts';
import { MAX_REORG_DEPTH } from '../chains/blocks.ts';
import type { WalletsContext } from './context.ts';
import type { InvoiceRules } from './rules.ts';
import { selectWallets } from './wallet.ts';
import { findHighestUsedIndex } from './used-addresses.ts';
import { reserveIndex } from './accounts.ts';

/** Maximum candidate wallets that are checked for earlier invoices of the same amount. */
const MAX_CANDIDATES = 50;
/** Cooldown of an unused address after its invoice expires: exchanges may delay a transfer by a few days. */
export const UNUSED_ADDRESS_COOLDOWN: Instant = 7 * DAY;

/** Request for a wallet, from an invoice or a payment link. */
export interface WalletRequest {
  merchantId: number;
  code: CryptoCurrencyCode;
  type: InvoiceType;
  amount: bigint;
  tolerance: bigint;
  rules: InvoiceRules;
  /** Height of the last scanned block. */
  tipHeight: number;
  accountId: number;
}

/** An issued address without a wallet. */
export interface FreshAddress {
  accountId: number;
  index: number;
  address: string;
}

/** Creates a wallet at a fresh address. */
export async function createWallet(
  context: WalletsContext,
  unit: UnitOfWork,
  request: Pick<WalletRequest, 'merchantId' | 'code' | 'type'>,
  fresh: FreshAddress,
): Promise<Wallet> {
  const wallet = await insertWallet(unit, request, fresh, context.clock.now());
  if (!wallet) throw new Error(`The fresh address ${fresh.address} already has a wallet.`);
  return wallet;
}

/** Issues the next address of the account. Throws a `Problem` if it may belong to another payer. */
export async function nextDepositAddress(
  context: WalletsContext,
  { chain, accountKey, accountId, accountName }: ConnectedChain,
): Promise<FreshAddress> {
  const index = await reserveIndex(context, accountId, accountName);
  return { accountId, index, address: chain.addresses.derive(accountKey, index) };
}

/**
 * Assigns a wallet and keeps it locked until the unit of work ends. Type `static`: the merchant's current wallet. Type
 * `revolver`: a free one. Otherwise a new wallet at the fresh address; null if none was passed.
 */
export async function assignWallet(
  context: WalletsContext,
  unit: UnitOfWork,
  request: WalletRequest,
  fresh: FreshAddress | null,
): Promise<Wallet | null> {
  const now = context.clock.now();
  if (request.type === 'static') {
    const serving = await findStaticWallet(unit, request);
    // The operator may have replaced the account key.
    const isForced = serving?.accountId !== request.accountId;
    // The rotation amount may have changed since its last deposit.
    if (serving && !isForced && !holdsRotationAmount(serving, request.rules)) return serving;
    if (serving) await updateWalletState(context, unit, serving, request.rules, request.tipHeight, { isForced });
    if (!fresh) return null;
    // Another process may have inserted one in the meantime.
    return (await insertWallet(unit, request, fresh, now)) ?? (await findStaticWallet(unit, request));
  }
  if (request.type === 'revolver') {
    const free = await assignFreeWallet(context, unit, request);
    if (free) return free;
    if (!fresh && (await isGapLimitReached(context, unit, request.accountId)))
      return await assignUnusedWallet(context, unit, request);
  }
  return fresh ? await insertWallet(unit, request, fresh, now) : null;
}

async function findStaticWallet(unit: UnitOfWork, { merchantId, code }: WalletRequest): Promise<Wallet | null> {
  const query = selectWallets(unit)
    .where('merchant_id', '=', merchantId)
    .where('code', '=', code)
    // Literals: the partial index applies only if the query repeats its condition.
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

async function assignFreeWallet(
  context: WalletsContext,
  unit: UnitOfWork,
  request: WalletRequest,
): Promise<Wallet | null> {
  const { walletUse } = context;
  const now = context.clock.now();
  const candidates = await db(unit)
    .selectFrom('wallets')
    .select('id')
    .where('merchant_id', '=', request.merchantId)
    .where('code', '=', request.code)
    .where('wallet_account_id', '=', request.accountId)
    .where('state', '=', sql.lit('resting'))
    .where('rests_until', '<=', now)
    .where('rests_until_height', '<=', request.tipHeight)
    .where(({ not, ref }) => not(walletUse.hasUnminedDeposit(unit, ref('wallets.id'))))
    .orderBy('rests_until')
    .limit(MAX_CANDIDATES)
    .execute();
  if (candidates.length === 0) return null;
  const hadEqualAmount = await findWalletsWithEqualAmount(
    context,
    unit,
    candidates.map(({ id }) => id),
    request,
  );
  for (const { id } of candidates) {
    if (hadEqualAmount.has(id)) continue;
    const query = db(unit)
      .selectFrom('wallets')
      .select(walletRecord.columns)
      .where('id', '=', id)
      .where('state', '=', 'resting');
    const row = await claimRows(unit, query).executeTakeFirst();
    if (!row) continue;
    const wallet = walletRecord.read(row);
    if (holdsRotationAmount(wallet, request.rules)) {
      await updateWalletState(context, unit, wallet, request.rules, request.tipHeight);
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

/** True if the last addresses up to the gap limit are unused: wallet software would not scan beyond them. */
export async function isGapLimitReached(
  { addresses: { gapLimit }, walletUse }: WalletsContext,
  reader: Runner,
  accountId: number,
): Promise<boolean> {
  const { next_index: next } = await db(reader)
    .selectFrom('wallet_accounts')
    .select('next_index')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return next >= gapLimit && (await findHighestUsedIndex(reader, walletUse, accountId, next - gapLimit)) === null;
}

/**
 * Assigns a wallet of the merchant that never received a deposit and whose invoice or link expired long ago. Considers
 * only the latest addresses, up to the gap limit. Wallets that had an equal amount are skipped: a late deposit then matches no other payer.
 */
export async function assignUnusedWallet(
  context: WalletsContext,
  unit: UnitOfWork,
  request: WalletRequest,
): Promise<Wallet | null> {
  const { walletUse } = context;
  const now = context.clock.now();
  const expiredBefore = now - Math.max(request.rules.reuseDelay, UNUSED_ADDRESS_COOLDOWN);
  const unused = db(unit)
    .selectFrom('wallets')
    .where('wallet_account_id', '=', request.accountId)
    .where('derivation_index', '>=', ({ selectFrom }) =>
      selectFrom('wallet_accounts')
        .select((eb) => eb('next_index', '-', context.addresses.gapLimit).as('first'))
        .where('wallet_accounts.id', '=', request.accountId),
    )
    .where('merchant_id', '=', request.merchantId)
    .where('code', '=', request.code)
    .where('type', 'in', ['revolver', 'user'])
    .where('state', '=', 'serving')
    .where(({ not, ref }) => not(walletUse.hasDeposit(unit, ref('wallets.id'))))
    .where(({ not, ref }) => not(walletUse.wasPayableSince(unit, ref('wallets.id'), expiredBefore)));
  const candidates = await unused.select('id').orderBy('derivation_index').limit(MAX_CANDIDATES).execute();
  if (candidates.length === 0) return null;
  const hadEqualAmount = await findWalletsWithEqualAmount(
    context,
    unit,
    candidates.map(({ id }) => id),
    // Two payers never share an address for the same amount, regardless of the settings.
    { ...request, rules: { ...request.rules, reuseDelay: Math.max(request.rules.reuseDelay, 1) } },
  );
  for (const { id } of candidates) {
    if (hadEqualAmount.has(id)) continue;
    const row = await claimRows(unit, unused.select(walletRecord.columns).where('id', '=', id)).executeTakeFirst();
    if (!row) continue;
    const { type } = request;
    await db(unit).updateTable('wallets').set({ type, updated_at: now }).where('id', '=', id).execute();
    return { ...walletRecord.read(row), type };
  }
  return null;
}

/** Finds wallets that had an invoice of an equal amount: a repeated deposit would match the new invoice. */
async function findWalletsWithEqualAmount(
  { walletUse }: WalletsContext,
  unit: UnitOfWork,
  ids: readonly number[],
  { amount, tolerance, rules }: WalletRequest,
): Promise<Set<number>> {
  // A delay of 0 also disables this protection.
  if (rules.reuseDelay === 0) return new Set();
  return await walletUse.findByInvoiceAmount(unit, ids, { amountRequired: amount, tolerance });
}

/**
 * Updates the state of a wallet after its invoices or balance changed. A revolver becomes free when its last invoice is
 * complete, and serves it again after a reorg. A wallet that holds the rotation amount is rotated, and retired while
 * none of its invoices is open. `isForced` rotates it regardless of its balance. The unit of work holds the wallet's
 * lock.
 */
export async function updateWalletState(
  context: WalletsContext,
  unit: UnitOfWork,
  wallet: Wallet,
  rules: InvoiceRules,
  tipHeight: number,
  { isForced = false }: { isForced?: boolean } = {},
): Promise<Wallet> {
  if (wallet.type === 'user') return wallet;
  const state = await nextState(context, unit, wallet, isForced || holdsRotationAmount(wallet, rules));
  if (state === wallet.state) return wallet;
  const now = context.clock.now();
  const isFree = state === 'resting';
  await db(unit)
    .updateTable('wallets')
    .set({
      state,
      rests_until: isFree ? now + rules.reuseDelay : null,
      rests_until_height: isFree ? (rules.reuseDelay === 0 ? 0 : tipHeight + MAX_REORG_DEPTH) : null,
      retired_at: state === 'retired' ? now : null,
      updated_at: now,
    })
    .where('id', '=', wallet.id)
    .execute();
  return { ...wallet, state };
}

function holdsRotationAmount({ balance }: Wallet, { rotateAmount }: InvoiceRules): boolean {
  return rotateAmount !== null && balance >= rotateAmount;
}

/** Query condition on the balance. Strings of digits compare like numbers if they have the same length. */
export function hasBalanceOfAtLeast(amount: bigint) {
  const minimum = amount.toString();
  const length = sql.lit(minimum.length);
  return sql<boolean>`(length(balance) > ${length} or (length(balance) = ${length} and balance >= ${minimum}))`;
}

async function nextState(
  { walletUse }: WalletsContext,
  unit: UnitOfWork,
  wallet: Wallet,
  isRotated: boolean,
): Promise<Wallet['state']> {
  // Retired wallets too: a reorg may reopen an invoice, and its payer knows no other address.
  if (wallet.state === 'rotated' || wallet.state === 'retired' || isRotated)
    return (await walletUse.hasOpenInvoice(unit, wallet.id)) ? 'rotated' : 'retired';
  if (wallet.type === 'static') return 'serving';
  return (await walletUse.readLastInvoiceStatus(unit, wallet.id)) === 'complete' ? 'resting' : 'serving';
}

/** Retires a wallet whose invoice moved to another wallet. The unit of work holds its lock. */
export async function retireWallet({ clock }: WalletsContext, unit: UnitOfWork, id: number): Promise<void> {
  const now = clock.now();
  await db(unit)
    .updateTable('wallets')
    .set({ state: 'retired', retired_at: now, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/** Finds wallets that hold the rotation amount and are still in use, in order of their IDs. */
export async function findWalletsToRotate(
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
    // A literal: the partial index applies only if the query repeats its condition.
    .where('balance', '<>', sql.lit('0'))
    .where(hasBalanceOfAtLeast(rotateAmount))
    .orderBy('id')
    .execute();
  return full.map(({ id }) => id);
}

/** Composable query: wallets of an account with a balance. */
export function selectFundedWallets(
  reader: Runner,
  { merchantId, code, accountId }: Pick<WalletRequest, 'merchantId' | 'code' | 'accountId'>,
) {
  return (
    db(reader)
      .selectFrom('wallets')
      .select('id')
      .where('merchant_id', '=', merchantId)
      .where('code', '=', code)
      .where('wallet_account_id', '=', accountId)
      // A literal: the partial index applies only if the query repeats its condition.
      .where('balance', '<>', sql.lit('0'))
  );
}

/** Query condition: a wallet of the merchant and currency has a balance. */
export function hasFundedWallet(
  reader: Runner,
  accountId: number,
  { merchantId, code }: { merchantId: Expression<number>; code: Expression<string> },
): Expression<SqlBool> {
  const fundedWallets = db(reader)
    .selectFrom('wallets')
    .select('wallets.id')
    .where('wallets.merchant_id', '=', merchantId)
    .where('wallets.code', '=', code)
    .where('wallets.wallet_account_id', '=', accountId)
    .where('wallets.balance', '<>', sql.lit('0'));
  return sql<SqlBool>`exists ${fundedWallets}`;
}

import { inCoins } from '../../contract/crypto-amount.ts';
import { type CryptoCurrencyCode, cryptoCurrencies } from '../../contract/crypto-currency.ts';
import { formatMinor } from '../../contract/money.ts';
import { percentOf } from '../../platform/money.ts';
import { minorUnitsOf } from '../../contract/currency.ts';
import { formatInstant } from '../../contract/time.ts';
import { defaultOf } from '../../merchants/preferences/keys.ts';
import { readPreferences } from '../../merchants/preferences/store.ts';
import {
  AlreadyWithdrawn,
  type ExpectedPayment,
  type IssuedInstructions,
  type OfferedChoices,
  type PushPayment,
  type PushProvider,
} from '../../providers/push-port.ts';
import type { ConnectedChain } from '../connected-chains.ts';
import type { InvoicesContext } from '../context.ts';
import { insertTransaction } from '../new-transaction.ts';
import { readRules } from '../rules.ts';
import { simulatorPath } from '../sandbox/simulator-path.ts';
import { findPayments, findTransactions, readHeight, requireIssuable } from '../store.ts';
import { confirmationsOf, type CryptoTransaction, type SeenPayment } from '../transaction.ts';
import { tellCreated } from '../transition.ts';
import { type FreshAddress, isGapFull, makeWallet, takeAddress, takeUnused, type Wanted } from '../wallets.ts';
import { heldRates, RATE_HOLDS } from './held-rates.ts';
import { priceInCoins, worthAdded, worthOf } from './price.ts';
import {
  closeCoinPayment,
  type CoinPayment,
  findCoinPayment,
  findWorths,
  insertCoinPayment,
  keepWorths,
} from './store.ts';

/**
 * Carries payments of payment links in coins: each is a crypto transaction with a wallet of its own, which takes any
 * amount, in parts and late as well, so that what is less, more or late is dealt with as for every other method.
 */
export function createCoinProvider(context: InvoicesContext): PushProvider {
  const { database, chains } = context;

  return {
    name: 'chains',
    carries: ({ action }) => action === 'crypto' && chains.currencies.length > 0,

    async choices({ method, merchantId, amountMinor, currency }): Promise<OfferedChoices> {
      if (method.choice !== 'currency') return { choices: [], amountsUntil: null };
      const least = await leastAmounts(context, merchantId);
      const rates = await heldRates(context, chains.currencies, currency);
      const offered = [...rates].flatMap(([code, { rate, heldUntil }]) => {
        const coins = priceInCoins({ amountMinor, currency }, code, rate);
        return coins >= least(code) ? [{ code, amount: inCoins(coins, code), heldUntil }] : [];
      });
      const inOrder = chains.currencies.flatMap((code) => offered.filter((each) => each.code === code));
      return {
        choices: inOrder.map(({ code, amount }) => ({
          ...{ code, amount, name: cryptoCurrencies[code].shortName, isPopular: true },
        })),
        amountsUntil: inOrder.length === 0 ? null : Math.min(...inOrder.map(({ heldUntil }) => heldUntil)),
      };
    },

    async issue(expected) {
      const known = await findCoinPayment(database, expected.instructionsKey);
      return issuedOf(known ?? (await make(context, expected)));
    },

    async lookUp(instructionsKey) {
      const payment = await findCoinPayment(database, instructionsKey);
      return payment && (await describe(context, payment));
    },

    async withdraw(instructionsKey) {
      const payment =
        (await findCoinPayment(database, instructionsKey)) ?? (await neverIssue(context, instructionsKey));
      const described = await describe(context, payment);
      if (payment.state === 'closed' || described.confirmations !== null) return described;
      await database.inUnit(async (unit) => await closeCoinPayment(unit, payment));
      // What was seen in the meantime is in it.
      return await describe(context, { ...payment, state: 'closed' });
    },

    // Whoever has paid from an exchange has no address that the money could go back to.
    refund: () =>
      Promise.resolve({
        kind: 'refused',
        code: 'address_needed',
        detail:
          'Coins go back to an address that only the payer can name: ask for one, and have a manager send them with POST /v1/withdrawals.',
      }),

    async simulatorUrl(instructionsKey) {
      const payment = await findCoinPayment(database, instructionsKey);
      const transaction = payment && (await transactionOf(context, payment));
      if (!transaction || !context.simulatedChains[transaction.chain]) return null;
      return context.publicUrl + simulatorPath(transaction.publicId);
    },
  };
}

/** The least that a merchant takes of each currency. */
async function leastAmounts(
  { database }: InvoicesContext,
  merchantId: number,
): Promise<(code: CryptoCurrencyCode) => bigint> {
  const keyOf = (code: CryptoCurrencyCode) => `min-amount-${code}` as const;
  const codes = Object.keys(cryptoCurrencies) as CryptoCurrencyCode[];
  const set: Readonly<Record<string, boolean | number | string | undefined>> = await readPreferences(
    database,
    merchantId,
    codes.map(keyOf),
  );
  return (code) => {
    const least = BigInt(set[keyOf(code)] ?? defaultOf(keyOf(code)) ?? 0);
    const { leastUnits } = cryptoCurrencies[code];
    return least > leastUnits ? least : leastUnits;
  };
}

function issuedOf({ issued }: CoinPayment): IssuedInstructions {
  if (issued) return issued;
  throw new AlreadyWithdrawn();
}

/** Has a key that was never seen stay unused. */
async function neverIssue({ database, clock }: InvoicesContext, instructionsKey: string): Promise<CoinPayment> {
  const nothing = { transactionId: null, currency: 'USD', amountMinor: 0n, returnUrl: null, issued: null } as const;
  await database.inUnit(
    async (unit) => await insertCoinPayment(unit, { instructionsKey, state: 'closed', ...nothing }, clock.now()),
  );
  return await find(database, instructionsKey);
}

async function find(database: InvoicesContext['database'], instructionsKey: string): Promise<CoinPayment> {
  const found = await findCoinPayment(database, instructionsKey);
  if (!found) throw new Error('A payment in coins is gone');
  return found;
}

/** Makes the crypto transaction that the money is to come to, with a wallet of its own. */
async function make(context: InvoicesContext, expected: ExpectedPayment): Promise<CoinPayment> {
  const { database, clock, chains } = context;
  const { instructionsKey, merchantId, currency, amountMinor, choice } = expected;
  const code = chains.currencies.find((each) => each === choice);
  const connected = code && chains.ofCurrency(code);
  if (!connected) throw new Error('No chain is set up for the currency that was chosen');
  const tipHeight = await requireIssuable(database, connected);
  const rate = (await heldRates(context, [code], currency)).get(code);
  if (!rate) throw new Error(`There is no rate of ${code} in ${currency}`);
  const coins = priceInCoins({ amountMinor, currency }, code, rate.rate);
  const expiresAt = Math.min(expected.expiresAt, clock.now() + RATE_HOLDS);
  const exchangeRate = {
    ...{ currency, code, source: rate.source, at: formatInstant(rate.at), exchangeRate: rate.rate },
    currencyAmount: formatMinor(amountMinor, minorUnitsOf(currency)),
  };
  // What this payment costs the merchant is the method’s own fee.
  const rules = { ...(await readRules(database, merchantId, code)), processingFeePercent: '0' };
  const wanted: Wanted = {
    ...{ merchantId, code, amount: coins, tolerance: percentOf(coins, rules.tolerancePercent) },
    type: 'user',
    ...{ rules, tipHeight, accountId: connected.accountId },
  };
  /** Answers whether there was a wallet: without a fresh address only one that was never used. */
  const write = async (fresh: FreshAddress | null) =>
    await database.inUnit(async (unit) => {
      const wallet = fresh
        ? await makeWallet(context, unit, { merchantId, code, type: 'user' }, fresh)
        : await takeUnused(context, unit, wanted);
      if (!wallet) return false;
      const transaction = await insertTransaction(context, unit, wallet, rules, {
        ...{
          txId: null,
          paysFor: expected.paymentReference,
          kind: 'invoice',
          code,
          amountRequired: coins,
          comment: null,
        },
        ...{ expiresAt, meantForId: null, givenLabels: [], exchangeRate },
      });
      if (!transaction) throw new Error('A crypto transaction was not written');
      const isFirst = await insertCoinPayment(
        unit,
        {
          ...{ instructionsKey, transactionId: transaction.id, state: 'open', currency, amountMinor },
          returnUrl: expected.returnUrl,
          issued: {
            instructions: instructionsFor(connected, wallet, code, coins, rules),
            reference: wallet.address,
            expiresAt,
          },
        },
        clock.now(),
      );
      if (!isFirst) throw new AskedTwice();
      await tellCreated(context, unit, wallet, transaction, { payments: [], tipHeight });
      return true;
    });
  try {
    const isGivenAgain =
      (await isGapFull(database, connected.accountId, context.addresses.gapLimit)) && (await write(null));
    if (!isGivenAgain) await write(await takeAddress(context, connected));
  } catch (error) {
    if (!(error instanceof AskedTwice)) throw error;
  }
  return await find(database, instructionsKey);
}

/** The payment was asked for, or taken back, at the same moment; what this unit has done is undone. */
class AskedTwice extends Error {}

function instructionsFor(
  { chain, network }: ConnectedChain,
  { address }: Pick<FreshAddress, 'address'>,
  code: CryptoCurrencyCode,
  coins: bigint,
  { minConfirmations }: { minConfirmations: number },
): IssuedInstructions['instructions'] {
  return {
    action: 'crypto',
    currency: code.toUpperCase(),
    network,
    address,
    amount: inCoins(coins, code),
    uri: chain.addresses.uri({ code, address, amount: coins }),
    minConfirmations,
  };
}

async function transactionOf(
  { database }: InvoicesContext,
  { transactionId }: CoinPayment,
): Promise<CryptoTransaction | null> {
  const [transaction] = await findTransactions(database, transactionId === null ? [] : [transactionId]);
  return transaction ?? null;
}

/** What has become of a payment, as the link is told: what counts is worth what it was when it was first seen. */
export async function describe(context: InvoicesContext, payment: CoinPayment): Promise<PushPayment> {
  const { database } = context;
  const transaction = await transactionOf(context, payment);
  if (!transaction) return { state: payment.state, receipts: [], confirmations: null };
  const tipHeight = (await readHeight(database, transaction.chain)) ?? 0;
  const there = (await findPayments(database, [transaction.id])).flatMap((seen) => {
    const confirmations = confirmationsOf(seen, tipHeight);
    return confirmations === null || seen.decision === 'rejected' ? [] : [{ ...seen, confirmations }];
  });
  const worths = await reckon(context, payment, transaction, there);
  const needed = transaction.minConfirmations;
  const counts = ({ decision, confirmations }: (typeof there)[number]) =>
    decision === 'accepted' && confirmations >= needed;
  const awaited = there.filter((each) => !counts(each)).map(({ confirmations }) => Math.min(confirmations, needed));
  return {
    state: payment.state,
    receipts: there
      .filter((each) => counts(each) && (worths.get(each.id) ?? 0n) > 0n)
      .map((each) => ({
        receiptKey: each.paymentKey,
        amountMinor: worths.get(each.id) ?? 0n,
        receivedAt: each.seenAt,
      })),
    confirmations: awaited.length === 0 ? null : Math.min(...awaited),
  };
}

/** Value of each deposit: in time, by the sum at the fixed rate; late, at the rate of the moment it is first valued. */
async function reckon(
  context: InvoicesContext,
  payment: CoinPayment,
  { code, amountRequired, tolerance, expiresAt }: CryptoTransaction,
  there: readonly SeenPayment[],
): Promise<ReadonlyMap<number, bigint>> {
  const known = await findWorths(context.database, payment);
  const isFresh = ({ id }: SeenPayment) => !known.has(id);
  if (!there.some(isFresh)) return known;
  const { amountMinor: priceMinor, currency } = payment;
  const coinsNow = async (): Promise<bigint> => {
    const rate = (await heldRates(context, [code], currency)).get(code);
    if (!rate) throw new Error(`There is no rate of ${code} in ${currency}`);
    return priceInCoins({ amountMinor: priceMinor, currency }, code, rate.rate);
  };
  const isLate = ({ seenAt }: SeenPayment) => expiresAt !== null && seenAt > expiresAt;
  const inTime = { amount: 0n, worthMinor: 0n };
  const add = (amount: bigint, worthMinor: bigint) => {
    inTime.amount += amount;
    inTime.worthMinor += worthMinor;
  };
  for (const each of there) {
    const worthMinor = known.get(each.id);
    if (worthMinor !== undefined && !isLate(each)) add(each.amount, worthMinor);
  }
  const worths: { chainPaymentId: number; amountMinor: bigint }[] = [];
  for (const each of there.filter(isFresh)) {
    const { id, amount } = each;
    if (amountRequired === null || isLate(each)) {
      const terms = { priceMinor, coins: await coinsNow(), tolerance };
      worths.push({ chainPaymentId: id, amountMinor: worthOf(amount, terms) });
      continue;
    }
    const amountMinor = worthAdded(inTime, amount, { priceMinor, coins: amountRequired, tolerance });
    add(amount, amountMinor);
    worths.push({ chainPaymentId: id, amountMinor });
  }
  await keepWorths(context.database, payment, worths);
  return await findWorths(context.database, payment);
}

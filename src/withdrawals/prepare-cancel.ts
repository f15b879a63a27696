import type { WaitsFor } from './schema.ts';
import type { FeeRate } from '../chains/port.ts';
import type { AccountSpender, CoinSpender, Spender } from '../chains/spender.ts';
import { type ChainName, feeCodeOf } from '../shared/crypto-currency.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { describeRate, fromReadable, rateUnit } from './fee-limit.ts';
import { othersOf, readyOf } from './prepare-transfer.ts';
import { coinsOf, type Order, type Prepared, tooLittle, waitFor } from './prepared.ts';
import { highestOf, type Price, priceOf, raised, tooDear } from './price.ts';
import type { Version } from './withdrawal.ts';

/** The price of a transaction that cancels all those made: above each of them, within the operator’s bounds. */
export function priceOfCancel(
  { withdrawalLimits: { maxFeeRates } }: WithdrawalsContext,
  { name }: ConnectedChain,
  versions: readonly Version[],
  now: FeeRate,
): Price | { waitsFor: WaitsFor } {
  const [most, before] = [maxFeeRates[name], highestOf(versions)];
  const price = priceOf(name, now, { limit: fromReadable(name, most), most, before });
  if (!('waitsFor' in price) || price.waitsFor.reason !== 'fee') return price;
  return waitForLimit(name, raised(before?.rate ?? now.amount), most);
}

/** A transaction that keeps the money where it is, in place of every one made to send it. */
export async function prepareCancel(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  order: Order,
): Promise<Prepared> {
  return spender.kind === 'coins'
    ? prepareReturn(context, connected, spender, order)
    : await prepareNothing(context, spender, order);
}

/** Spends the same coins, and returns them to the wallet of the largest. */
function prepareReturn(
  context: WithdrawalsContext,
  { name }: ConnectedChain,
  spender: CoinSpender,
  order: Order,
): Prepared {
  const { withdrawal, funds, wallets, versions } = order;
  const [largest] = funds.toSorted((one, other) => Number(other.amount - one.amount));
  const destination = largest && wallets.get(largest.walletId)?.address;
  if (destination === undefined) throw new Error(`Withdrawal ${withdrawal.publicId} has no money`);
  const build = (feeRate: bigint) => spender.build({ coins: coinsOf(order), destination, feeRate });
  // BIP 125: it pays more than each that it replaces, by 1 sat/vB of its own size at least, even where it is smaller.
  const size = build(order.rate).fee / order.rate;
  const highest = versions.reduce((most, { fee }) => (fee > most ? fee : most), 0n);
  const least = (highest + 2n * size - 1n) / size;
  const rate = least > order.rate ? least : order.rate;
  const most = context.withdrawalLimits.maxFeeRates[name];
  if (rate > fromReadable(name, most)) return { kind: 'wait', ...waitForLimit(name, rate, most) };
  const built = build(rate);
  if (built.kind === 'too_little') return tooLittle(withdrawal, built.fee);
  const dear = tooDear(context, withdrawal, { amount: withdrawal.spent, fee: built.fee });
  return dear ?? { kind: 'ready', transaction: built, rate, nonce: null };
}

/** Uses the number of the others for a transfer of nothing. */
async function prepareNothing(context: WithdrawalsContext, spender: AccountSpender, order: Order): Promise<Prepared> {
  const { withdrawal, rate, priority, tip } = order;
  const { sender, nonce, spent } = withdrawal;
  if (!sender || nonce === null) throw new Error(`Withdrawal ${withdrawal.publicId} has no number to use again`);
  const has = (await spender.etherOf([sender.address], tip)).get(sender.address) ?? 0n;
  const free = has - (await othersOf(context.database, order, feeCodeOf(withdrawal.code)));
  const needed = spender.etherGas * rate;
  if (free < needed) return waitFor('gas', `The wallet ${sender.address} has ${free} wei for a fee of ${needed}.`);
  const { amount: asked } = await order.feeRate();
  const dear = tooDear(context, withdrawal, { amount: spent, fee: spender.etherGas * asked });
  if (dear) return dear;
  const price = { nonce, feeRate: rate, priority: priority ?? rate, gas: spender.etherGas, to: sender.address };
  return readyOf(order, spender.buildCancel(price), nonce);
}

function waitForLimit(chain: ChainName, least: bigint, most: bigint): { waitsFor: WaitsFor } {
  const [feeNow, unit] = [describeRate(chain, least), rateUnit(chain)];
  const detail = `To replace what was sent it must pay ${feeNow} ${unit}; the operator’s limit is ${most} ${unit}.`;
  return { waitsFor: { reason: 'fee', detail, feeNow, limit: most.toString() } };
}

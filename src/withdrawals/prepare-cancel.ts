import type { WaitsFor } from './schema.ts';
import type { FeeRate } from '../chains/port.ts';
import type { AccountSpender, UtxoSpender, Spender } from '../chains/spender.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { ConnectedChain } from '../wallets/connected-chains.ts';
import type { WithdrawalsContext } from './context.ts';
import { formatFeeRate, toSmallestUnit, feeRateUnit } from './fee-limit.ts';
import { readEtherForFee, toPrepared } from './prepare-transfer.ts';
import { outputsToSpend, type TransactionRequest, type Prepared, amountTooSmall, waitResult } from './prepared.ts';
import { highestFeeRate, type TransactionFeeRate, chooseFeeRate, replacementRate, checkFeeShare } from './fee-rate.ts';
import type { Version } from './withdrawal.ts';

/** Chooses the fee rate of a canceling transaction: above every existing version, within the operator’s limits. */
export function chooseCancelFeeRate(
  { withdrawalLimits: { maxFeeRates } }: WithdrawalsContext,
  { name }: ConnectedChain,
  versions: readonly Version[],
  feeRate: FeeRate,
): TransactionFeeRate | { waitsFor: WaitsFor } {
  const [maxRate, before] = [maxFeeRates[name], highestFeeRate(versions)];
  const chosen = chooseFeeRate(name, feeRate, { limit: toSmallestUnit(name, maxRate), maxRate, before });
  if (!('waitsFor' in chosen) || chosen.waitsFor.reason !== 'fee_limit') return chosen;
  return limitWait(name, replacementRate(before?.rate ?? feeRate.amount), maxRate);
}

/** Prepares a transaction that replaces all versions and keeps the funds at the service. */
export async function prepareCancel(
  context: WithdrawalsContext,
  connected: ConnectedChain,
  spender: Spender,
  request: TransactionRequest,
): Promise<Prepared> {
  return spender.kind === 'utxo'
    ? prepareReturn(context, connected, spender, request)
    : await prepareEmptyTransfer(context, spender, request);
}

/** Spends the same outputs, and returns the funds to the wallet of the largest one. */
function prepareReturn(
  context: WithdrawalsContext,
  { name }: ConnectedChain,
  spender: UtxoSpender,
  request: TransactionRequest,
): Prepared {
  const { withdrawal, funds, wallets, versions } = request;
  const [largest] = funds.toSorted((one, other) => Number(other.amount - one.amount));
  const destination = largest && wallets.get(largest.walletId)?.address;
  if (destination === undefined) throw new Error(`Withdrawal ${withdrawal.publicId} has no deposits.`);
  const build = (feeRate: bigint) => spender.build({ outputs: outputsToSpend(request), destination, feeRate });
  // BIP 125: its fee exceeds that of every replaced transaction by at least 1 sat/vB of its own size.
  const size = build(request.rate).fee / request.rate;
  const highestFee = versions.reduce((highest, { fee }) => (fee > highest ? fee : highest), 0n);
  const minRate = (highestFee + 2n * size - 1n) / size;
  const rate = minRate > request.rate ? minRate : request.rate;
  const maxRate = context.withdrawalLimits.maxFeeRates[name];
  if (rate > toSmallestUnit(name, maxRate)) return { kind: 'wait', ...limitWait(name, rate, maxRate) };
  const built = build(rate);
  if (built.kind === 'too_little') return amountTooSmall(withdrawal, built.fee);
  const wait = checkFeeShare(context, withdrawal, { amount: withdrawal.spent, fee: built.fee });
  return wait ?? { kind: 'ready', transaction: built, rate, nonce: null };
}

/** Reuses the nonce for a transfer of 0 to the wallet itself. */
async function prepareEmptyTransfer(
  context: WithdrawalsContext,
  spender: AccountSpender,
  request: TransactionRequest,
): Promise<Prepared> {
  const { withdrawal, rate, priority, tip } = request;
  const { sender, nonce, spent } = withdrawal;
  if (!sender || nonce === null) throw new Error(`Withdrawal ${withdrawal.publicId} has no nonce to reuse.`);
  const balance = (await spender.etherBalances([sender.address], tip)).get(sender.address) ?? 0n;
  const available = await readEtherForFee(context.database, request, balance);
  const needed = spender.etherGasLimit * rate;
  if (available < needed)
    return waitResult('gas', `The wallet ${sender.address} has ${available} wei, but the fee is ${needed} wei.`);
  const wait = checkFeeShare(context, withdrawal, { amount: spent, fee: needed });
  if (wait) return wait;
  const fields = {
    nonce,
    feeRate: rate,
    priorityFee: priority ?? rate,
    gasLimit: spender.etherGasLimit,
    to: sender.address,
  };
  return toPrepared(request, spender.buildCancellation(fields), nonce);
}

function limitWait(chain: ChainName, minRate: bigint, maxRate: bigint): { waitsFor: WaitsFor } {
  const [feeNow, unit] = [formatFeeRate(chain, minRate), feeRateUnit(chain)];
  const detail = `Replacing the sent transaction costs ${feeNow} ${unit}; the operator’s limit is ${maxRate} ${unit}.`;
  return { waitsFor: { reason: 'fee_limit', detail, feeNow, limit: maxRate.toString() } };
}

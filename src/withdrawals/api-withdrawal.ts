import type { Runner } from '../database/engine.ts';
import { familyOf, feeCodeOf } from '../shared/crypto-currency.ts';
import { formatInstant } from '../shared/time.ts';
import type { Withdrawal as ApiWithdrawal, WithdrawalDetail } from '../api/withdrawal.ts';
import { readUserNames } from '../auth/user-names.ts';
import { readInvoiceRules } from '../wallets/rules.ts';
import { readLastHeight } from '../chains/cursor.ts';
import { findDepositsByWithdrawal } from '../deposits/deposit.ts';
import { findTransactions } from '../invoices/store.ts';
import { findWallets } from '../wallets/wallet.ts';
import { formatFeeRate } from './fee-limit.ts';
import { findVersions, findWithdrawals } from './store.ts';
import { confirmationsOf, isCanceling, type Withdrawal } from './withdrawal.ts';

/** The API representation of withdrawals of one merchant, for `GET /v1/withdrawals`. */
export async function readApiWithdrawals(reader: Runner, withdrawals: readonly Withdrawal[]): Promise<ApiWithdrawal[]> {
  const ids = withdrawals.map(({ id }) => id);
  const funds = await findDepositsByWithdrawal(reader, ids);
  const wallets = await findWallets(reader, [...new Set(funds.map(({ walletId }) => walletId))]);
  const versions = await findVersions(reader, ids);
  const defined = (values: readonly (number | null)[]) => values.flatMap((value) => (value === null ? [] : [value]));
  const transactions = await findTransactions(reader, defined(withdrawals.map(({ transactionId }) => transactionId)));
  const funded = await findWithdrawals(reader, defined(withdrawals.map(({ fundsId }) => fundsId)));
  const names = await readUserNames(
    reader,
    withdrawals.map(({ requestedBy }) => requestedBy),
  );
  const described: ApiWithdrawal[] = [];
  for (const withdrawal of withdrawals) {
    const { chain, code } = withdrawal;
    const rate = (value: bigint | null) => (value === null ? null : formatFeeRate(chain, value));
    const amountByAddress = new Map<string, bigint>();
    for (const { withdrawalId, walletId, amount } of funds) {
      if (withdrawalId !== withdrawal.id) continue;
      const address = wallets.get(walletId)?.address ?? '';
      amountByAddress.set(address, (amountByAddress.get(address) ?? 0n) + amount);
    }
    const { minConfirmations } = await readInvoiceRules(reader, withdrawal.merchantId, code);
    described.push({
      id: withdrawal.publicId,
      code,
      purpose: withdrawal.purpose,
      status: withdrawal.status,
      cancelling: isCanceling(withdrawal),
      waitsFor: withdrawal.waitsFor,
      failure: withdrawal.failure,
      heldUntil: withdrawal.heldUntil === null ? null : formatInstant(withdrawal.heldUntil),
      destination: withdrawal.destination,
      spent: withdrawal.spent.toString(),
      amount: withdrawal.amount?.toString() ?? null,
      fee: withdrawal.fee?.toString() ?? null,
      feePaid: paidFee(withdrawal)?.toString() ?? null,
      writtenOff: (withdrawal.writtenOff ?? 0n).toString(),
      feeCode: feeCodeOf(code),
      feeRate: rate(withdrawal.feeRate),
      limit: rate(withdrawal.feeLimit),
      txHash: withdrawal.txHash,
      txHashes: (versions.get(withdrawal.id) ?? []).flatMap(({ txHash }) => (txHash === null ? [] : [txHash])),
      confirmations: confirmationsOf(withdrawal, (await readLastHeight(reader, chain)) ?? 0),
      minConfirmations: minConfirmations > 0 ? minConfirmations : 1,
      wallets: [...amountByAddress].map(([address, amount]) => ({ address, amount: amount.toString() })),
      transactionId: transactions.find(({ id }) => id === withdrawal.transactionId)?.publicId ?? null,
      withdrawalId: funded.find(({ id }) => id === withdrawal.fundsId)?.publicId ?? null,
      requestedBy: withdrawal.requestedBy,
      requestedByName: names.get(withdrawal.requestedBy ?? '') ?? null,
      createdAt: formatInstant(withdrawal.createdAt),
      updatedAt: formatInstant(withdrawal.updatedAt),
    });
  }
  return described;
}

/** Fee paid in the block. On UTXO chains it is the transaction's own fee. */
function paidFee({ chain, block, fee, feePaid }: Withdrawal): bigint | null {
  return block === null ? null : familyOf(chain).model === 'account' ? feePaid : fee;
}

export async function readApiWithdrawal(reader: Runner, withdrawal: Withdrawal): Promise<ApiWithdrawal> {
  const [described] = await readApiWithdrawals(reader, [withdrawal]);
  if (!described) throw new Error(`Withdrawal ${withdrawal.publicId} was not described.`);
  return described;
}

/** Adds the unsigned transaction while it awaits an external signature. */
export async function readWithdrawalDetail(reader: Runner, withdrawal: Withdrawal): Promise<WithdrawalDetail> {
  const described = await readApiWithdrawal(reader, withdrawal);
  const newest = (await findVersions(reader, [withdrawal.id])).get(withdrawal.id)?.[0];
  if (withdrawal.status !== 'to_sign' || !newest || newest.raw !== null) return { ...described, unsigned: null };
  const { sender } = withdrawal;
  return {
    ...described,
    unsigned: {
      format: familyOf(withdrawal.chain).unsignedFormat,
      data: newest.unsigned,
      sender: sender?.address ?? null,
      path: sender === null ? null : `${sender.path.chain}/${sender.path.index}`,
    },
  };
}

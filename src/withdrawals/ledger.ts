import { feeCodeOf } from '../shared/crypto-currency.ts';
import type { UnitOfWork } from '../database/database.ts';
import { readSpentByWallet } from '../deposits/deposit.ts';
import { type EntryMove, moveDeposits } from '../invoices/ledger.ts';
import type { Account, Entry } from '../ledger/accounts.ts';
import { readWithdrawalEntries } from '../ledger/entries.ts';
import { type LockedWallet, postEntries } from '../wallets/post-entries.ts';
import { findWalletId } from '../wallets/wallet.ts';
import type { WithdrawalsContext } from './context.ts';
import { withdrawalQueries } from './facts.ts';
import { max, min } from './fee-rate.ts';
import type { Withdrawal } from './withdrawal.ts';

/**
 * Posts a withdrawal in a block with the fee paid there, or reverses its entries if its block was orphaned. The unit of
 * work holds its lock, and the locks of the wallets that it spends from.
 */
export async function postWithdrawal(
  { clock }: Pick<WithdrawalsContext, 'clock'>,
  unit: UnitOfWork,
  wallets: ReadonlyMap<number, LockedWallet>,
  withdrawal: Withdrawal,
): Promise<void> {
  const { id, chain, merchantId } = withdrawal;
  const entries = await moveDeposits(unit, withdrawalQueries, { withdrawalId: id });
  const posted = await readWithdrawalEntries(unit, id);
  const reversed = posted.map(({ code, debit, credit, amount, wallet_id: walletId }) => ({
    ...{ code, walletId, kind: 'withdrawal_reversal' as const, amount: BigInt(amount) },
    ...{ debit: credit as Account, credit: debit as Account },
  }));
  const currentMoves = withdrawal.block === null ? [] : await withdrawalMoves(unit, withdrawal);
  const moves = [...netMoves(reversed), ...currentMoves];
  await postEntries(
    unit,
    [...entries, ...moves.map((move) => ({ ...move, chain, merchantId, depositId: null, withdrawalId: id }))],
    { at: clock.now(), wallets },
  );
}

type WithdrawalMove = EntryMove & Pick<Entry, 'code' | 'amount' | 'walletId'>;

/** Nets moves, so that entries that were already reversed cancel out. */
function netMoves(moves: readonly WithdrawalMove[]): WithdrawalMove[] {
  const net = new Map<string, WithdrawalMove>();
  for (const move of moves) {
    const isForward = move.debit < move.credit;
    const key = [move.code, move.walletId, ...[move.debit, move.credit].sort()].join();
    const previous = net.get(key) ?? { ...move, amount: 0n };
    const isSameDirection = previous.debit < previous.credit === isForward;
    const amount = previous.amount + (isSameDirection ? move.amount : -move.amount);
    net.set(key, { ...previous, amount });
  }
  return [...net.values()].map((move) =>
    move.amount < 0n ? { ...move, amount: -move.amount, debit: move.credit, credit: move.debit } : move,
  );
}

/** Ledger moves of a withdrawal in a block. */
async function withdrawalMoves(unit: UnitOfWork, withdrawal: Withdrawal): Promise<WithdrawalMove[]> {
  const { purpose, isReverted, sender, destination, code, chain, feePaid } = withdrawal;
  const feeCode = feeCodeOf(code);
  const amount = withdrawal.amount ?? 0n;
  // On UTXO chains, the fee is the inputs minus the outputs.
  const fee = feePaid ?? 0n;
  if (purpose === 'gas') {
    const walletId = await findWalletId(unit, chain, destination);
    const funding = { kind: 'gas_funding', debit: 'gas', credit: 'gas_wallet', code, walletId, amount } as const;
    const paid = { kind: 'network_fee', debit: 'network_fees', credit: 'gas_wallet', code, walletId: null } as const;
    return [...(isReverted ? [] : [funding]), { ...paid, amount: fee }];
  }
  const spent = isReverted ? [] : await readSpentByWallet(unit, withdrawal.id);
  const senderId = sender === null ? null : await findWalletId(unit, chain, sender.address);
  /** A fee paid from gas; a negative amount is the unspent part of a fee. */
  const paidFromGas = (amount: bigint): WithdrawalMove[] => {
    const forward = { kind: 'network_fee', debit: 'network_fees', credit: 'gas' } as const;
    const back = { kind: 'fee_unspent', debit: 'gas', credit: 'network_fees' } as const;
    const move = amount < 0n ? { ...back, amount: -amount } : { ...forward, amount };
    return feePaid === null ? [] : [{ ...move, code: feeCode, walletId: senderId }];
  };
  if (isReverted) return paidFromGas(fee);
  const total = spent.reduce((sum, each) => sum + each.amount, 0n);
  // The difference is the fee, or its cap. Negative if a sweep also sends the unspent parts of earlier fees.
  let unallocatedLoss = withdrawal.writtenOff ?? 0n;
  const feeCharged = total - unallocatedLoss - amount;
  let unallocatedFee = max(feeCharged, 0n);
  const moves = spent.flatMap(({ walletId, code: depositCode, amount: depositAmount }): WithdrawalMove[] => {
    const lossShare = min(depositAmount, unallocatedLoss);
    unallocatedLoss -= lossShare;
    const feePart = min(depositAmount - lossShare, unallocatedFee);
    unallocatedFee -= feePart;
    const move = { debit: 'withdrawn', credit: 'wallet', code: depositCode, walletId } as const;
    return [
      { ...move, kind: 'withdrawal', amount: depositAmount - lossShare - feePart },
      { ...move, kind: 'write_off', amount: lossShare },
      { ...move, kind: 'network_fee', amount: feePart },
    ];
  });
  if (feePaid === null) return moves;
  if (code !== feeCode) return [...moves, ...paidFromGas(fee)];
  // The merchant is charged the cap; the unspent part stays in the wallet as gas.
  const gasSent = { kind: 'withdrawal', debit: 'network_fees', credit: 'gas', code, walletId: senderId } as const;
  return [...moves, { ...gasSent, amount: max(-feeCharged, 0n) }, ...paidFromGas(fee - max(feeCharged, 0n))];
}

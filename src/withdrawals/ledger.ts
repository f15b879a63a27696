import { feeCodeOf } from '../shared/crypto-currency.ts';
import type { UnitOfWork } from '../database/database.ts';
import { readSpent } from '../deposits/deposit.ts';
import { type Move, moveDeposits } from '../invoices/ledger.ts';
import type { Account, Entry } from '../ledger/accounts.ts';
import { readEntriesOf } from '../ledger/entries.ts';
import { type LockedWallet, post } from '../wallets/post.ts';
import { findWalletId } from '../wallets/wallet.ts';
import type { WithdrawalsContext } from './context.ts';
import { withdrawalFacts } from './facts.ts';
import { larger, smaller } from './price.ts';
import type { Withdrawal } from './withdrawal.ts';

/**
 * Posts a withdrawal that is in a block, with the fee that it has paid there, or takes back what was posted when its
 * block is no longer in the chain. The unit holds its lock, and those of the wallets that it spends from.
 */
export async function postWithdrawal(
  { clock }: Pick<WithdrawalsContext, 'clock'>,
  unit: UnitOfWork,
  wallets: ReadonlyMap<number, LockedWallet>,
  withdrawal: Withdrawal,
): Promise<void> {
  const { id, chain, merchantId } = withdrawal;
  const entries = await moveDeposits(unit, withdrawalFacts, { withdrawalId: id });
  const posted = await readEntriesOf(unit, id);
  const reversed = posted.map(({ code, debit, credit, amount, wallet_id: walletId }) => ({
    ...{ code, walletId, kind: 'withdrawal_reversal' as const, amount: BigInt(amount) },
    ...{ debit: credit as Account, credit: debit as Account },
  }));
  const wanted = withdrawal.block === null ? [] : await movesOf(unit, withdrawal);
  const moves = [...netOf(reversed), ...wanted];
  await post(
    unit,
    [...entries, ...moves.map((move) => ({ ...move, chain, merchantId, depositId: null, withdrawalId: id }))],
    { at: clock.now(), wallets },
  );
}

type WithdrawalMove = Move & Pick<Entry, 'code' | 'amount' | 'walletId'>;

/** What has been reversed already, and posted again, cancels itself out. */
function netOf(moves: readonly WithdrawalMove[]): WithdrawalMove[] {
  const net = new Map<string, WithdrawalMove>();
  for (const move of moves) {
    const isForward = move.debit < move.credit;
    const key = [move.code, move.walletId, ...[move.debit, move.credit].sort()].join();
    const before = net.get(key) ?? { ...move, amount: 0n };
    const isSame = before.debit < before.credit === isForward;
    const amount = before.amount + (isSame ? move.amount : -move.amount);
    net.set(key, { ...before, amount });
  }
  return [...net.values()].map((move) =>
    move.amount < 0n ? { ...move, amount: -move.amount, debit: move.credit, credit: move.debit } : move,
  );
}

/** What a withdrawal in a block has moved. */
async function movesOf(unit: UnitOfWork, withdrawal: Withdrawal): Promise<WithdrawalMove[]> {
  const { purpose, isReverted, sender, destination, code, chain, feePaid } = withdrawal;
  const feeCode = feeCodeOf(code);
  const amount = withdrawal.amount ?? 0n;
  // On chains without accounts the fee is what the inputs are more than the outputs.
  const fee = feePaid ?? 0n;
  if (purpose === 'gas') {
    const walletId = await findWalletId(unit, chain, destination);
    const funding = { kind: 'gas_funding', debit: 'gas', credit: 'gas_wallet', code, walletId, amount } as const;
    const paid = { kind: 'network_fee', debit: 'network_fees', credit: 'gas_wallet', code, walletId: null } as const;
    return [...(isReverted ? [] : [funding]), { ...paid, amount: fee }];
  }
  const spent = isReverted ? [] : await readSpent(unit, withdrawal.id);
  const senderId = sender === null ? null : await findWalletId(unit, chain, sender.address);
  /** Paid with the operator's ether, or what is left of it. */
  const paidFromGas = (amount: bigint): WithdrawalMove[] => {
    const forward = { kind: 'network_fee', debit: 'network_fees', credit: 'gas' } as const;
    const back = { kind: 'fee_unspent', debit: 'gas', credit: 'network_fees' } as const;
    const move = amount < 0n ? { ...back, amount: -amount } : { ...forward, amount };
    return feePaid === null ? [] : [{ ...move, code: feeCode, walletId: senderId }];
  };
  if (isReverted) return paidFromGas(fee);
  const total = spent.reduce((sum, each) => sum + each.amount, 0n);
  // What does not arrive: the fee, or its cap. Below zero where a sweep sends what earlier fees have left as well.
  let lost = withdrawal.writtenOff ?? 0n;
  const kept = total - lost - amount;
  let charged = larger(kept, 0n);
  const moves = spent.flatMap(({ walletId, code: own, amount: held }): WithdrawalMove[] => {
    const lostPart = smaller(held, lost);
    lost -= lostPart;
    const feePart = smaller(held - lostPart, charged);
    charged -= feePart;
    const move = { debit: 'withdrawn', credit: 'wallet', code: own, walletId } as const;
    return [
      { ...move, kind: 'withdrawal', amount: held - lostPart - feePart },
      { ...move, kind: 'write_off', amount: lostPart },
      { ...move, kind: 'network_fee', amount: feePart },
    ];
  });
  if (feePaid === null) return moves;
  if (code !== feeCode) return [...moves, ...paidFromGas(fee)];
  // The wallet is charged the cap, and keeps what of it was not spent as gas.
  const sentOfGas = { kind: 'withdrawal', debit: 'network_fees', credit: 'gas', code, walletId: senderId } as const;
  return [...moves, { ...sentOfGas, amount: larger(-kept, 0n) }, ...paidFromGas(fee - larger(kept, 0n))];
}

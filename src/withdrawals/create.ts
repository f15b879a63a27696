import type { CreateWithdrawalRequest, Withdrawal as WireWithdrawal } from '../api/withdrawal.ts';
import type { StoreResponse } from '../operations/serve.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { WithdrawalsContext } from './context.ts';
import { closeUnattributed } from '../invoices/review.ts';
import { readRules } from '../wallets/rules.ts';
import { chainUnavailable, readHeight } from '../chains/cursor.ts';
import { readAddress } from '../wallets/addresses.ts';
import { lockWallets, selectWallets } from '../wallets/wallet.ts';
import { describeWithdrawal } from './describe.ts';
import { holdFor } from './destinations.ts';
import { findSpendable, sumOf } from './funds.ts';
import { idsOf, senderOf } from './plan.ts';
import { insertWithdrawal } from './write.ts';

/** Writes down that money of a wallet is to be sent to an address, because a manager wants it. */
export async function createWithdrawal(
  context: WithdrawalsContext,
  { merchantId, identity }: { merchantId: number; identity: string },
  { code, walletAddress, source, destination }: CreateWithdrawalRequest,
  keepAnswer: StoreResponse<WireWithdrawal>,
): Promise<WireWithdrawal> {
  const { database, chains } = context;
  const read = await readAddress(context, code, destination);
  if ('problem' in read)
    throw validationProblem([{ pointer: '/destination', code: 'invalid_address', detail: read.problem }]);
  const connected = chains.ofCurrency(code);
  const address = connected?.chain.addresses.normalise(walletAddress) ?? null;
  const found =
    connected && address !== null
      ? await selectWallets(database)
          .where('chain', '=', connected.name)
          .where('address', '=', address)
          .where('merchant_id', '=', merchantId)
          .where('wallet_account_id', '=', connected.accountId)
          .executeTakeFirst()
      : undefined;
  if (!connected || !found) throw new Problem('not_found', 'There is no wallet of yours with this address.');
  const tipHeight = await readHeight(database, connected.name);
  if (tipHeight === null) throw chainUnavailable(connected.name);
  const spender = await connected.spender();
  return await database.inTransaction(async (unit) => {
    const wallet = (await lockWallets(unit, [found.id])).get(found.id);
    if (!wallet) throw new Error('A wallet is gone');
    const { minConfirmations } = await readRules(unit, merchantId, code);
    const free = await findSpendable(unit, [wallet.id], {
      code,
      source,
      tipHeight,
      minConfirmations,
      withFailed: true,
    });
    const money = free.slice(0, spender.kind === 'coins' ? spender.mostCoins : undefined);
    if (money.length === 0) {
      throw new Problem(
        'nothing_to_withdraw',
        `Nothing of this wallet is ${source} ${code}, deep enough, and free to be withdrawn.`,
      );
    }
    const made = await insertWithdrawal(
      context,
      unit,
      {
        ...{ merchantId, code, source },
        chain: connected.name,
        purpose: 'manual',
        destination: read.address,
        transactionId: null,
        fundsId: null,
        requestedBy: identity,
        sender: spender.kind === 'accounts' ? senderOf(wallet) : null,
        spent: sumOf(money),
        feeLimit: null,
        heldUntil: await holdFor(context, unit, { merchantId, code, destination: read.address }),
      },
      idsOf(money),
    );
    if (source === 'stray') await closeUnattributed(context, unit, wallet, money, identity, tipHeight);
    const answer = await describeWithdrawal(unit, made);
    await keepAnswer(unit, answer);
    return answer;
  });
}

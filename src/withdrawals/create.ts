import type { CreateWithdrawalRequest, Withdrawal as ApiWithdrawal } from '../api/withdrawal.ts';
import { cryptoCurrencies } from '../shared/crypto-currency.ts';
import type { StoreResponse } from '../operations/serve.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { WithdrawalsContext } from './context.ts';
import { closeUnattributedDeposits } from '../invoices/review.ts';
import { readInvoiceRules } from '../wallets/rules.ts';
import { chainUnavailable, readLastHeight } from '../chains/cursor.ts';
import { parsePayoutAddress } from '../wallets/addresses.ts';
import { lockWallets, selectWallets } from '../wallets/wallet.ts';
import { readApiWithdrawal } from './api-withdrawal.ts';
import { destinationHoldUntil } from './destinations.ts';
import { findSpendable, sumOf } from './funds.ts';
import { depositIds, senderFor } from './plan.ts';
import { insertWithdrawal } from './write.ts';

/** Creates a withdrawal from a wallet to an address, requested by a manager. */
export async function createWithdrawal(
  context: WithdrawalsContext,
  { merchantId, identity }: { merchantId: number; identity: string },
  { code, walletAddress, source: requestedSource, destination }: CreateWithdrawalRequest,
  storeResponse: StoreResponse<ApiWithdrawal>,
): Promise<ApiWithdrawal> {
  const { database, chains } = context;
  const source = requestedSource === 'unattributed' ? 'stray' : requestedSource;
  const parsed = await parsePayoutAddress(context, code, destination);
  if ('problem' in parsed)
    throw validationProblem([{ pointer: '/destination', code: 'invalid_address', detail: parsed.problem }]);
  const connected = chains.forCurrency(code);
  const address = connected?.chain.addresses.normalize(walletAddress) ?? null;
  const storedWallet =
    connected && address !== null
      ? await selectWallets(database)
          .where('chain', '=', connected.name)
          .where('address', '=', address)
          .where('merchant_id', '=', merchantId)
          .where('wallet_account_id', '=', connected.accountId)
          .executeTakeFirst()
      : undefined;
  if (!connected || !storedWallet) throw new Problem('not_found', 'None of your wallets has this address.');
  const tipHeight = await readLastHeight(database, connected.name);
  if (tipHeight === null) throw chainUnavailable(connected.name);
  const spender = await connected.spender();
  return await database.inTransaction(async (unit) => {
    const wallet = (await lockWallets(unit, [storedWallet.id])).get(storedWallet.id);
    if (!wallet) throw new Error(`Wallet ${storedWallet.id} does not exist.`);
    const { minConfirmations } = await readInvoiceRules(unit, merchantId, code);
    const spendable = await findSpendable(unit, [wallet.id], {
      code,
      source,
      tipHeight,
      minConfirmations,
      includeFailed: true,
    });
    const funds = spendable.slice(0, spender.kind === 'utxo' ? spender.maxInputs : undefined);
    if (funds.length === 0) {
      throw new Problem(
        'nothing_to_withdraw',
        `This wallet has no confirmed ${requestedSource} ${code} that can be withdrawn.`,
      );
    }
    const { minUnits } = cryptoCurrencies[code];
    const sum = sumOf(funds);
    if (sum < minUnits) {
      throw new Problem(
        'withdrawal_below_minimum',
        `The withdrawal of ${sum} is below the network’s minimum of ${minUnits} (smallest units of ${code}).`,
      );
    }
    const withdrawal = await insertWithdrawal(
      context,
      unit,
      {
        ...{ merchantId, code, source },
        chain: connected.name,
        purpose: 'manual',
        destination: parsed.address,
        transactionId: null,
        fundsId: null,
        requestedBy: identity,
        sender: spender.kind === 'account' ? senderFor(wallet) : null,
        spent: sum,
        feeLimit: null,
        heldUntil: await destinationHoldUntil(context, unit, { merchantId, code, destination: parsed.address }),
      },
      depositIds(funds),
    );
    if (source === 'stray') await closeUnattributedDeposits(context, unit, wallet, funds, identity, tipHeight);
    const response = await readApiWithdrawal(unit, withdrawal);
    await storeResponse(unit, response);
    return response;
  });
}

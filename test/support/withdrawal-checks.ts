import { db } from './tables.ts';
import assert from 'node:assert/strict';
import type { Selectable } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import type { BalanceEntry, WalletEntry } from '../../src/api/wallet.ts';
import { assertLedger } from './ledger-checks.ts';
import { listBalances, listWallets } from '../../src/invoices/list-wallets.ts';
import { withdrawalQueries } from '../../src/withdrawals/facts.ts';
import type { DepositTable } from '../../src/deposits/schema.ts';
import type { CryptoTransactionTable } from '../../src/invoices/schema.ts';
import type { WalletTable } from '../../src/wallets/schema.ts';
import type { WithdrawalTable, WithdrawalVersionTable } from '../../src/withdrawals/schema.ts';
import { type ChainName, isBitcoinChain } from '../../src/shared/crypto-currency.ts';

const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + BigInt(amount), 0n);

type CryptoTransactionRow = Selectable<CryptoTransactionTable>;
type DepositRow = Selectable<DepositTable>;

/** Size of an input (P2WPKH), in virtual bytes. */
const INPUT_SIZE = 68n;
/** Defaults of `WITHDRAWAL_MAX_FEE_RATES`. */
const MAX_RATE = { 'sat/vB': 500n, 'wei/gas': 500n * 10n ** 9n } as const;
/** Default of `WITHDRAWAL_MAX_FEE_PERCENT`. */
const MAX_PERCENT = 25n;

/** No fee exceeds the operator's limits. A cancellation moves nothing, or returns all that is spent. */
function assertPrice(
  { id, chain, code, purpose, spent }: Selectable<WithdrawalTable>,
  {
    amount,
    fee,
    fee_rate: rate,
    cancels,
  }: Pick<Selectable<WithdrawalVersionTable>, 'amount' | 'fee' | 'fee_rate' | 'cancels'>,
  maxPercent: bigint,
): void {
  const isBitcoin = isBitcoinChain(chain as ChainName);
  assert.ok(BigInt(rate) <= MAX_RATE[isBitcoin ? 'sat/vB' : 'wei/gas'], `fee rate of withdrawal ${id}`);
  if (isBitcoin || (code === 'eth' && purpose !== 'gas'))
    assert.ok(
      BigInt(fee) * 100n <= (cancels ? BigInt(spent) : BigInt(amount) + BigInt(fee)) * maxPercent,
      `fee of withdrawal ${id}: ${fee} for ${amount} ${code}`,
    );
}

/** Balance part of a mined deposit, derived only from the deposit and its transaction. */
function partOf({ decision, height }: DepositRow, transaction: CryptoTransactionRow, tipHeight: number) {
  if (transaction.kind === 'stray') return 'unattributed';
  if (['refunding', 'refunded', 'failed'].includes(transaction.status) || decision === 'rejected') return 'rejected';
  if (decision === 'undecided') return 'in_review';
  const isDeep = tipHeight - (height ?? 0) + 1 >= transaction.min_confirmations;
  assert.ok(isDeep || transaction.status !== 'complete', `transaction ${transaction.id} is complete`);
  return isDeep ? 'credited' : 'confirming';
}

/** Reported balance parts equal the sum of deposits, and add up to the balance. */
async function assertBalanceParts(
  database: Pick<Database, 'inSnapshot'>,
  wallets: readonly Selectable<WalletTable>[],
  recorded: {
    deposits: readonly DepositRow[];
    transactions: readonly CryptoTransactionRow[];
    /** Withdrawals in blocks. */
    mined: ReadonlySet<number>;
    inProgress: ReadonlySet<number>;
    heights: ReadonlyMap<string, number>;
  },
): Promise<void> {
  const byId = new Map(recorded.transactions.map((transaction) => [transaction.id, transaction]));
  const expected = wallets.map(({ id, address, code, chain, balance }) => {
    const sums = {
      credited: 0n,
      sending: 0n,
      confirming: 0n,
      in_review: 0n,
      unattributed: 0n,
      rejected: 0n,
      incoming: 0n,
    };
    for (const deposit of recorded.deposits) {
      if (deposit.wallet_id !== id || deposit.code !== code || deposit.state === 'gone') continue;
      if (deposit.written_off_at !== null) continue;
      if (deposit.withdrawal_id !== null && recorded.mined.has(deposit.withdrawal_id)) continue;
      const transaction = byId.get(deposit.crypto_transaction_id);
      assert.ok(transaction, 'deposit without a transaction');
      const isSending = deposit.withdrawal_id !== null && recorded.inProgress.has(deposit.withdrawal_id);
      const availablePart = () => partOf(deposit, transaction, recorded.heights.get(chain) ?? 0);
      const part = deposit.state === 'waiting' ? 'incoming' : isSending ? 'sending' : availablePart();
      sums[part] += BigInt(deposit.amount);
    }
    const { incoming, ...parts } = Object.fromEntries(
      Object.entries(sums).map(([name, amount]) => [name, amount.toString()]),
    );
    assert.equal(sum(Object.values(parts)), BigInt(balance), `parts of wallet ${id}`);
    return { walletAddress: address, balance, parts, incoming };
  });
  const reported: Pick<WalletEntry, 'walletAddress' | 'balance' | 'parts' | 'incoming'>[] = [];
  const source = { database, withdrawals: withdrawalQueries };
  for (const merchantId of new Set(wallets.map((wallet) => wallet.merchant_id))) {
    const ofMerchant: WalletEntry[] = [];
    let cursor: string | undefined;
    do {
      const page = await listWallets(source, merchantId, { per_page: 100, cursor });
      ofMerchant.push(...page.wallets);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    for (const { walletAddress, balance, parts, incoming } of ofMerchant)
      reported.push({ walletAddress, balance, parts, incoming });
    assertBalances((await listBalances(source, merchantId)).balances, ofMerchant);
  }
  const byAddress = (one: { walletAddress: string }, other: { walletAddress: string }) =>
    one.walletAddress < other.walletAddress ? -1 : 1;
  assert.deepEqual(reported.toSorted(byAddress), expected.toSorted(byAddress), 'reported wallets');
}

/** Checks that the balances are the totals of the wallets, and that no currency with funds is missing. */
function assertBalances(balances: readonly BalanceEntry[], wallets: readonly WalletEntry[]): void {
  const funded = wallets.filter(({ balance, incoming }) => balance !== '0' || incoming !== '0');
  assert.deepEqual(new Set(balances.map(({ code }) => code)), new Set(funded.map(({ code }) => code)));
  for (const { code, balance, incoming, parts } of balances) {
    const ofCode = funded.filter((wallet) => wallet.code === code);
    assert.equal(BigInt(balance), sum(ofCode.map((wallet) => wallet.balance)), `balance of ${code}`);
    assert.equal(BigInt(incoming), sum(ofCode.map((wallet) => wallet.incoming)), `incoming ${code}`);
    for (const [name, units] of Object.entries(parts))
      assert.equal(BigInt(units), sum(ofCode.map((wallet) => wallet.parts[name as keyof typeof parts])), name);
  }
}

/**
 * Checks the consistency of withdrawals, including with the simulated chains: no deposit is spent twice, no withdrawal
 * lacks deposits, at most one version is on the chain, and balances equal deposits minus withdrawals.
 */
export async function assertWithdrawals(
  database: Pick<Database, 'query' | 'inSnapshot'>,
  /** Limits the check to one merchant. */
  merchantId: number | null = null,
  /** `WITHDRAWAL_MAX_FEE_PERCENT` of the service. */
  maxPercent = MAX_PERCENT,
): Promise<void> {
  const ofMerchant = <Table extends 'withdrawals' | 'deposits' | 'wallets' | 'crypto_transactions'>(table: Table) =>
    db(database)
      .selectFrom(table as 'withdrawals')
      .selectAll()
      .$if(merchantId !== null, (rest) => rest.where('merchant_id', '=', merchantId ?? 0))
      .orderBy('id');
  const withdrawals = await ofMerchant('withdrawals').execute();
  const ids = withdrawals.map(({ id }) => id);
  const versions =
    ids.length === 0
      ? []
      : await db(database)
          .selectFrom('withdrawal_versions')
          .selectAll()
          .where('withdrawal_id', 'in', ids)
          .orderBy('id')
          .execute();
  const payments = (await ofMerchant('deposits').execute()) as unknown as Selectable<DepositTable>[];
  const wallets = (await ofMerchant('wallets').execute()) as unknown as Selectable<WalletTable>[];
  const events = await db(database)
    .selectFrom('events')
    .select(['subject_id as withdrawal_id', 'sequence', 'status', 'previous_status'])
    .where('subject_kind', '=', 'withdrawal')
    .orderBy('sequence')
    .execute();
  const mined = new Set(
    withdrawals.flatMap(({ id, height, is_reverted: off }) => (height !== null && !off ? [id] : [])),
  );

  for (const wallet of wallets) {
    const own = payments.filter((each) => each.wallet_id === wallet.id && each.code === wallet.code);
    const deposited = sum(
      own.flatMap(({ state, amount, written_off_at: off }) => (state === 'mined' && off === null ? [amount] : [])),
    );
    const withdrawn = sum(
      own.flatMap(({ withdrawal_id: id, amount }) => (id !== null && mined.has(id) ? [amount] : [])),
    );
    assert.equal(BigInt(wallet.balance), deposited - withdrawn, `balance of wallet ${wallet.id}`);
  }
  const transactions = (await ofMerchant('crypto_transactions').execute()) as unknown as CryptoTransactionRow[];
  const tips = await db(database).selectFrom('chain_cursors').select(['chain', 'height']).execute();
  const inProgress = new Set(
    withdrawals.flatMap(({ id, status, height }) => (status !== 'failed' && height === null ? [id] : [])),
  );
  const heights = new Map(tips.map(({ chain, height }) => [chain, height ?? 0]));
  await assertBalanceParts(database, wallets, { deposits: payments, transactions, mined, inProgress, heights });

  await assertLedger(database);

  for (const withdrawal of withdrawals) {
    const own = payments.filter(({ withdrawal_id: id }) => id === withdrawal.id);
    if (withdrawal.purpose === 'gas') assert.equal(own.length, 0);
    else if (withdrawal.status !== 'failed')
      assert.equal(
        sum(own.map(({ amount }) => amount)),
        BigInt(withdrawal.spent),
        `deposits of withdrawal ${withdrawal.id}`,
      );
    const made = versions.filter(({ withdrawal_id: id }) => id === withdrawal.id);
    for (const version of made) assertPrice(withdrawal, version, maxPercent);
    const [first] = made;
    // Uneconomic coins are excluded.
    if (isBitcoinChain(withdrawal.chain as ChainName) && first && made.length === 1)
      for (const { amount } of own) assert.ok(BigInt(amount) > INPUT_SIZE * BigInt(first.fee_rate));
    if (withdrawal.status === 'sent' || withdrawal.status === 'confirmed') assert.ok(made.length > 0);
    if (withdrawal.height !== null) assert.ok(made.some(({ tx_hash: hash }) => hash === withdrawal.tx_hash));
    const hashes = made.flatMap(({ tx_hash: hash }) => (hash === null ? [] : [hash]));
    if (hashes.length > 0) {
      const there = await db(database)
        .selectFrom('simulated_transactions')
        .select(['tx_hash', 'state'])
        .where('chain', '=', withdrawal.chain)
        .where('tx_hash', 'in', hashes)
        .where('state', 'in', ['waiting', 'mined'])
        .execute();
      assert.ok(there.length <= 1, `${there.length} transactions of withdrawal ${withdrawal.id} are on the chain`);
      if (withdrawal.status === 'confirmed') assert.equal(there[0]?.state, 'mined');
    }
    if (withdrawal.chain !== 'ethereum' && withdrawal.amount !== null && withdrawal.fee !== null)
      assert.equal(BigInt(withdrawal.amount) + BigInt(withdrawal.fee), BigInt(withdrawal.spent));
    const ownEvents = events.filter(({ withdrawal_id: id }) => id === withdrawal.id);
    assert.deepEqual(
      ownEvents.map(({ sequence }) => sequence),
      Array.from({ length: withdrawal.sequence }, (_, index) => index + 1),
    );
    assert.equal(ownEvents.at(-1)?.status, withdrawal.status);
    ownEvents.forEach((event, index) => assert.equal(event.previous_status, ownEvents[index - 1]?.status ?? null));
  }
}

import { db } from './tables.ts';
import assert from 'node:assert/strict';
import type { Selectable } from 'kysely';
import type { Database } from '../../src/database/database.ts';
import type { WalletEntry } from '../../src/api/wallet.ts';
import { assertLedgerBooks } from './ledger-books.ts';
import { listWallets } from '../../src/invoices/rotate.ts';
import { withdrawalFacts } from '../../src/withdrawals/facts.ts';
import type { DepositTable } from '../../src/deposits/schema.ts';
import type { CryptoTransactionTable } from '../../src/invoices/schema.ts';
import type { WalletTable } from '../../src/wallets/schema.ts';
import type { WithdrawalTable, WithdrawalVersionTable } from '../../src/withdrawals/schema.ts';
import { type ChainName, isBitcoinChain } from '../../src/shared/crypto-currency.ts';

const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + BigInt(amount), 0n);

type CryptoTransactionRow = Selectable<CryptoTransactionTable>;
type PaymentRow = Selectable<DepositTable>;

/** Of an input (P2WPKH), in virtual bytes. */
const BYTES_OF_COIN = 68n;
/** Defaults of `WITHDRAWAL_MAX_FEE_RATES`. */
const MOST_RATE = { 'sat/vB': 500n, 'wei/gas': 500n * 10n ** 9n } as const;
/** Default of `WITHDRAWAL_MAX_FEE_PERCENT`. */
const MOST_PERCENT = 25n;

/** Nothing is ever signed for more than the operator's bounds; what cancels moves nothing, or all that is spent. */
function assertPrice(
  { id, chain, code, purpose, spent }: Selectable<WithdrawalTable>,
  {
    amount,
    fee,
    fee_rate: rate,
    cancels,
  }: Pick<Selectable<WithdrawalVersionTable>, 'amount' | 'fee' | 'fee_rate' | 'cancels'>,
  mostPercent: bigint,
): void {
  const isBitcoin = isBitcoinChain(chain as ChainName);
  assert.ok(BigInt(rate) <= MOST_RATE[isBitcoin ? 'sat/vB' : 'wei/gas'], `fee rate of withdrawal ${id}`);
  if (isBitcoin || (code === 'eth' && purpose !== 'gas'))
    assert.ok(
      BigInt(fee) * 100n <= (cancels ? BigInt(spent) : BigInt(amount) + BigInt(fee)) * mostPercent,
      `fee of withdrawal ${id}: ${fee} for ${amount} ${code}`,
    );
}

/** What a payment in a block is, by what is written of it and of its transaction alone. */
function partOf({ decision, height }: PaymentRow, transaction: CryptoTransactionRow, tipHeight: number) {
  if (transaction.kind === 'stray') return 'stray';
  if (['refunding', 'refunded', 'failed'].includes(transaction.status) || decision === 'rejected') return 'rejected';
  if (decision === 'undecided') return 'undecided';
  const isDeep = tipHeight - (height ?? 0) + 1 >= transaction.min_confirmations;
  assert.ok(isDeep || transaction.status !== 'complete', `transaction ${transaction.id} is complete`);
  return isDeep ? 'credited' : 'confirming';
}

/** What merchants are told of their wallets is what every payment says by itself, and adds up to the balance. */
async function assertHoldings(
  database: Pick<Database, 'inSnapshot'>,
  wallets: readonly Selectable<WalletTable>[],
  written: {
    payments: readonly PaymentRow[];
    transactions: readonly CryptoTransactionRow[];
    /** Withdrawals that blocks hold. */
    mined: ReadonlySet<number>;
    heights: ReadonlyMap<string, number>;
  },
): Promise<void> {
  const byId = new Map(written.transactions.map((transaction) => [transaction.id, transaction]));
  const expected = wallets.map(({ id, address, code, chain, balance }) => {
    const holding = { credited: 0n, confirming: 0n, undecided: 0n, stray: 0n, rejected: 0n, incoming: 0n };
    for (const payment of written.payments) {
      if (payment.wallet_id !== id || payment.code !== code || payment.state === 'gone') continue;
      if (payment.written_off_at !== null) continue;
      if (payment.withdrawal_id !== null && written.mined.has(payment.withdrawal_id)) continue;
      const transaction = byId.get(payment.crypto_transaction_id);
      assert.ok(transaction, 'money of no transaction');
      const part =
        payment.state === 'waiting' ? 'incoming' : partOf(payment, transaction, written.heights.get(chain) ?? 0);
      holding[part] += BigInt(payment.amount);
    }
    const { incoming, ...parts } = Object.fromEntries(
      Object.entries(holding).map(([name, amount]) => [name, amount.toString()]),
    );
    assert.equal(sum(Object.values(parts)), BigInt(balance), `parts of wallet ${id}`);
    return { walletAddress: address, balance, parts, incoming };
  });
  const told: Pick<WalletEntry, 'walletAddress' | 'balance' | 'parts' | 'incoming'>[] = [];
  for (const merchantId of new Set(wallets.map((wallet) => wallet.merchant_id))) {
    let cursor: string | undefined;
    do {
      const page = await listWallets({ database, withdrawals: withdrawalFacts }, merchantId, { per_page: 100, cursor });
      for (const { walletAddress, balance, parts, incoming } of page.wallets)
        told.push({ walletAddress, balance, parts, incoming });
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
  }
  const byAddress = (one: { walletAddress: string }, other: { walletAddress: string }) =>
    one.walletAddress < other.walletAddress ? -1 : 1;
  assert.deepEqual(told.toSorted(byAddress), expected.toSorted(byAddress), 'what is told of wallets');
}

/**
 * Holds what is written of withdrawals against itself and the simulated chains: nothing is spent twice, none is without
 * its money, at most one of its transactions is there, and wallets hold what came less what went.
 */
export async function assertWithdrawalBooks(
  database: Pick<Database, 'query' | 'inSnapshot'>,
  /** The only one that is looked at. */
  merchantId: number | null = null,
  /** `WITHDRAWAL_MAX_FEE_PERCENT` of the service. */
  mostPercent = MOST_PERCENT,
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
    const came = sum(
      own.flatMap(({ state, amount, written_off_at: off }) => (state === 'mined' && off === null ? [amount] : [])),
    );
    const went = sum(own.flatMap(({ withdrawal_id: id, amount }) => (id !== null && mined.has(id) ? [amount] : [])));
    assert.equal(BigInt(wallet.balance), came - went, `balance of wallet ${wallet.id}`);
  }
  const transactions = (await ofMerchant('crypto_transactions').execute()) as unknown as CryptoTransactionRow[];
  const tips = await db(database).selectFrom('chain_cursors').select(['chain', 'height']).execute();
  const heights = new Map(tips.map(({ chain, height }) => [chain, height ?? 0]));
  await assertHoldings(database, wallets, { payments, transactions, mined, heights });

  await assertLedgerBooks(database);

  for (const withdrawal of withdrawals) {
    const own = payments.filter(({ withdrawal_id: id }) => id === withdrawal.id);
    if (withdrawal.purpose === 'gas') assert.equal(own.length, 0);
    else if (withdrawal.status !== 'failed')
      assert.equal(
        sum(own.map(({ amount }) => amount)),
        BigInt(withdrawal.spent),
        `money of withdrawal ${withdrawal.id}`,
      );
    const made = versions.filter(({ withdrawal_id: id }) => id === withdrawal.id);
    for (const version of made) assertPrice(withdrawal, version, mostPercent);
    const [first] = made;
    // A coin that costs more than it brings is left out.
    if (isBitcoinChain(withdrawal.chain as ChainName) && first && made.length === 1)
      for (const { amount } of own) assert.ok(BigInt(amount) > BYTES_OF_COIN * BigInt(first.fee_rate));
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
      assert.ok(there.length <= 1, `${there.length} transactions of withdrawal ${withdrawal.id} are there`);
      if (withdrawal.status === 'confirmed') assert.equal(there[0]?.state, 'mined');
    }
    if (withdrawal.chain !== 'ethereum' && withdrawal.amount !== null && withdrawal.fee !== null)
      assert.equal(BigInt(withdrawal.amount) + BigInt(withdrawal.fee), BigInt(withdrawal.spent));
    const told = events.filter(({ withdrawal_id: id }) => id === withdrawal.id);
    assert.deepEqual(
      told.map(({ sequence }) => sequence),
      Array.from({ length: withdrawal.sequence }, (_, index) => index + 1),
    );
    assert.equal(told.at(-1)?.status, withdrawal.status);
    told.forEach((event, index) => assert.equal(event.previous_status, told[index - 1]?.status ?? null));
  }
}

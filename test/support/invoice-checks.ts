import type { Runner } from '../../src/database/engine.ts';
import { db } from './tables.ts';
import assert from 'node:assert/strict';
import { chainNames, type CryptoCurrencyCode } from '../../src/shared/crypto-currency.ts';
import { DAY } from '../../src/shared/time.ts';

/** Payments sent by payers, by transaction hash. */
export type PaidFor = Map<string, Paid>;
interface Paid {
  invoiceId: string;
  address: string;
  code: CryptoCurrencyCode;
  amount: bigint;
}

/** Amounts that payers send. Never equal to another invoice's amount by chance: those are multiples of 100. */
export const payerErrors = {
  exact: (amount: bigint) => amount,
  less: (amount: bigint) => amount - 7n,
  more: (amount: bigint) => amount + 7n,
  rest: () => 7n,
} as const;

/** Statuses of an open invoice. */
const open = new Set(['pending', 'waiting', 'confirmed', 'approved_required']);

/** Outputs to some addresses on the simulated chains, in blocks or in the mempool. */
async function outputsAt(
  reader: Runner,
  chain: string,
  addresses: readonly string[],
): Promise<{ key: string; amount: string; code: string; isMined: boolean }[]> {
  if (addresses.length === 0) return [];
  const rows = await db(reader)
    .selectFrom('simulated_outputs as output')
    .innerJoin('simulated_transactions as tx', 'tx.id', 'output.transaction_id')
    .select(['output.payment_key', 'output.amount', 'output.code', 'tx.state'])
    .where('tx.chain', '=', chain)
    .where('output.address', 'in', addresses)
    .where('tx.state', 'in', ['mined', 'waiting'])
    // Gas funding is not a deposit; the return of a canceled withdrawal is.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('withdrawal_versions as version')
            .select('version.id')
            .whereRef('version.tx_hash', '=', 'tx.tx_hash')
            .where('version.cancels', '=', 0),
        ),
      ),
    )
    .execute();
  return rows.flatMap(({ payment_key: key, state, ...rest }) =>
    key === null ? [] : [{ key, ...rest, isMined: state === 'mined' }],
  );
}

/** Compares a merchant's crypto transactions with the chains, and checks their consistency. */
export async function assertInvoices(reader: Runner, merchantId: number, paidFor: PaidFor): Promise<void> {
  const ofMerchant = <Table extends 'wallets' | 'crypto_transactions' | 'deposits' | 'events' | 'callbacks'>(
    table: Table,
  ) =>
    db(reader)
      .selectFrom(table as 'wallets')
      .selectAll()
      .where('merchant_id', '=', merchantId)
      .orderBy('id');
  const wallets = await ofMerchant('wallets').execute();
  const transactions = (await ofMerchant('crypto_transactions').execute()) as unknown as TransactionRow[];
  const payments = (await ofMerchant('deposits').execute()) as unknown as DepositRow[];
  const events = (await ofMerchant('events').execute()) as unknown as EventRow[];
  const callbacks = (await ofMerchant('callbacks').execute()) as unknown as CallbackRow[];

  for (const chain of chainNames) await assertDepositsMatchChain(reader, chain, wallets, payments);
  assertAmounts(transactions, payments);
  assertAttribution(transactions, payments, paidFor);
  assertWallets(wallets, transactions);
  assertEvents(transactions, events, callbacks);
}

interface TransactionRow {
  id: number;
  public_id: string;
  kind: string;
  type: string;
  wallet_id: number;
  status: string;
  amount: string;
  amount_credited: string;
  rejection: string | null;
  min_confirmations: number;
  decided_by: string | null;
  expires_at: number | null;
  sequence: number;
  returned_by: number | null;
}
interface DepositRow {
  id: number;
  wallet_id: number;
  crypto_transaction_id: number;
  code: string;
  payment_key: string;
  tx_hash: string;
  seen_at: number;
  amount: string;
  state: string;
  decision: string;
}
interface EventRow {
  id: number;
  subject_kind: string;
  subject_id: number;
  sequence: number;
  status: string;
  previous_status: string | null;
  webhook_id: string;
}
interface CallbackRow {
  event_id: number;
}
interface WalletRow {
  id: number;
  code: string;
  address: string;
  chain: string;
  type: string;
  state: string;
  balance: string;
  wallet_account_id: number;
}

const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + BigInt(amount), 0n);

/** Recorded deposits equal those on the chain. On Ethereum, a mempool deposit is known only after a reorg. */
async function assertDepositsMatchChain(
  reader: Runner,
  chain: string,
  wallets: readonly WalletRow[],
  payments: readonly DepositRow[],
): Promise<void> {
  const ours = wallets.filter((wallet) => wallet.chain === chain);
  const ids = new Set(ours.map(({ id }) => id));
  const there = await outputsAt(
    reader,
    chain,
    ours.map(({ address }) => address),
  );
  const seen = payments
    .filter(({ wallet_id: id, state }) => ids.has(id) && state !== 'gone')
    .map(({ payment_key: key, amount, code, state }) => ({ key, amount, code, isMined: state === 'mined' }));
  const known = new Set(seen.map(({ key }) => key));
  const expected = there.filter(({ key, isMined }) => chain !== 'ethereum' || isMined || known.has(key));
  const byKey = (all: typeof there) => all.toSorted((a, b) => (a.key < b.key ? -1 : 1));
  assert.deepEqual(byKey(seen), byKey(expected), `recorded deposits equal those on ${chain}`);
}

/** The amounts of a transaction equal its deposits. */
function assertAmounts(transactions: readonly TransactionRow[], payments: readonly DepositRow[]): void {
  for (const transaction of transactions) {
    const own = payments.filter((payment) => payment.crypto_transaction_id === transaction.id);
    const there = own.filter(
      ({ state, decision }) => state !== 'gone' && (transaction.rejection !== null || decision !== 'rejected'),
    );
    assert.equal(BigInt(transaction.amount), sum(there.map(({ amount }) => amount)));
    const accepted = there.filter(({ decision, state }) => decision === 'accepted' && state === 'mined');
    assert.ok(BigInt(transaction.amount_credited) <= sum(accepted.map(({ amount }) => amount)));
    if (transaction.kind === 'stray') assert.equal(transaction.amount_credited, '0');
    if (transaction.status === 'complete') assert.equal(transaction.amount_credited, transaction.amount);
  }
}

/** A deposit for one invoice is never credited to another without a review. */
function assertAttribution(
  transactions: readonly TransactionRow[],
  payments: readonly DepositRow[],
  paidFor: PaidFor,
): void {
  const byId = new Map(transactions.map((transaction) => [transaction.id, transaction]));
  const timesPaid = new Map<string, number>();
  for (const { invoiceId } of paidFor.values()) timesPaid.set(invoiceId, (timesPaid.get(invoiceId) ?? 0) + 1);
  /** Key of payments that cannot be distinguished. */
  const alike = ({ address, code, amount }: Paid) => `${address} ${code} ${amount}`;
  const sentAgain = new Set(
    [...paidFor.values()].filter(({ invoiceId }) => (timesPaid.get(invoiceId) ?? 0) > 1).map(alike),
  );
  const byPublicId = new Map(transactions.map((transaction) => [transaction.public_id, transaction]));
  for (const payment of payments) {
    const sent = paidFor.get(payment.tx_hash);
    const meant = sent && byPublicId.get(sent.invoiceId);
    // A static wallet does not expect deposits later than a day after expiry. A repeated payment for a paid invoice
    // is credited to the open invoice of the same amount, whose own payment is then credited to the next one.
    // So these are exempt.
    const isAgain = sent && sentAgain.has(alike(sent));
    if (meant?.type === 'static' && (isAgain || payment.seen_at > (meant.expires_at ?? 0) + DAY)) continue;
    const owner = byId.get(payment.crypto_transaction_id);
    if (!owner || !sent || owner.kind !== 'invoice' || owner.public_id === sent.invoiceId) continue;
    assert.ok(
      payment.decision !== 'accepted' || owner.decided_by !== null,
      `${payment.amount} sent for ${sent.invoiceId} is credited to ${owner.public_id}`,
    );
  }
}

/** No wallet serves two invoices at a time, and all wallets of a chain belong to one account. */
function assertWallets(wallets: readonly WalletRow[], transactions: readonly TransactionRow[]): void {
  const accounts = new Map(wallets.map(({ chain, wallet_account_id: id }) => [chain, id]));
  assert.ok(wallets.every(({ chain, wallet_account_id: id }) => accounts.get(chain) === id));
  for (const wallet of wallets) {
    const invoices = transactions.filter((each) => each.wallet_id === wallet.id && each.kind === 'invoice');
    if (wallet.type !== 'static') {
      const unfinished = invoices.filter(({ status }) => open.has(status));
      assert.ok(unfinished.length <= 1, `wallet ${wallet.id} serves ${unfinished.length} invoices`);
    }
    if (wallet.type === 'user') assert.equal(invoices.length, wallet.state === 'retired' ? 0 : 1);
    if (wallet.state === 'retired') assert.ok(invoices.every(({ status }) => status !== 'pending'));
  }
}

/** Every status change has its event, in order, and every event its webhook; returned deposits have none. */
function assertEvents(
  transactions: readonly TransactionRow[],
  events: readonly EventRow[],
  callbacks: readonly CallbackRow[],
): void {
  const called = new Set(callbacks.map(({ event_id: id }) => id));
  for (const { id, sequence, status, returned_by: returnedBy } of transactions) {
    const own = events.filter((event) => event.subject_kind === 'crypto_transaction' && event.subject_id === id);
    if (returnedBy !== null) {
      assert.deepEqual(own, []);
      continue;
    }
    assert.deepEqual(
      own.map((event) => event.sequence),
      Array.from({ length: sequence }, (_, index) => index + 1),
    );
    assert.equal(own.at(-1)?.status, status);
    own.forEach((event, index) => assert.equal(event.previous_status, own[index - 1]?.status ?? null));
    for (const event of own) assert.ok(called.has(event.id), 'event without a webhook');
  }
}

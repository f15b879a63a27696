import { type CryptoTransaction, db, cryptoTransactionRecord } from './schema.ts';
import type { ChainPayment } from '../chains/port.ts';
import { watchBalance } from '../deposits/balances/watch.ts';
import type { ObservedDeposit, WalletChanges } from '../deposits/changes.ts';
import type { OwnPayment } from '../deposits/context.ts';
import {
  findByKey,
  findDeposit,
  findDeposits,
  findReplaced,
  insertDeposit,
  updateDeposit,
} from '../deposits/deposit.ts';
import type { Deposit } from '../deposits/schema.ts';
import type { DepositAccount, Entry } from '../ledger/accounts.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { Instant } from '../shared/time.ts';
import { type InvoiceRules, readRules } from '../wallets/rules.ts';
import { lockWallet } from '../wallets/wallet.ts';
import type { Wallet } from '../wallets/schema.ts';
import { updateState } from '../wallets/pool.ts';
import { type Attribution, attribute, type Candidate } from './attribute.ts';
import type { InvoicesContext } from './context.ts';
import { postDeposits } from './ledger.ts';
import { insertTransaction } from './new-transaction.ts';
import { findTransactions } from './store.ts';
import { reevaluate, transactionTopic } from './transition.ts';

/**
 * Records changes of a wallet's deposits, attributes new ones, and reevaluates every transaction that they touch, in
 * the given unit, which locks the wallet. Recording the same twice changes nothing.
 */
export async function recordDeposits(
  context: InvoicesContext,
  unit: UnitOfWork,
  walletId: number,
  changes: WalletChanges,
  tipHeight: number,
): Promise<void> {
  const wallet = await lockWallet(unit, walletId);
  const recorder = new WalletRecorder(context, unit, wallet, tipHeight);
  for (const id of changes.moved) recorder.touch(id);
  // What is gone makes room before anything new is looked at: it may stand in its place.
  for (const id of changes.gone) await recorder.change(id, 'gone', null);
  for (const id of changes.unmined) await recorder.change(id, 'waiting', null);
  for (const deposit of changes.observed) await recorder.observe(deposit);
  for (const id of changes.writtenOff) await recorder.writeOff(id);
  for (const { id, amount } of changes.reduced) await recorder.reduce(id, amount);
  for (const id of changes.restored) await recorder.restore(id);
  await recorder.apply();
}

/** What happens to a wallet in one unit. */
class WalletRecorder {
  readonly #context: InvoicesContext;
  readonly #unit: UnitOfWork;
  #wallet: Wallet;
  readonly #tipHeight: number;
  readonly #touched = new Set<number>();
  /** Transactions with an event even where their status stays, and its detail. */
  readonly #announced = new Map<number, 'written_off' | 'restored'>();
  readonly #rules = new Map<string, InvoiceRules>();
  /** Ledger entries for parts of deposits that were written off. */
  readonly #entries: Entry[] = [];

  constructor(context: InvoicesContext, unit: UnitOfWork, wallet: Wallet, tipHeight: number) {
    this.#context = context;
    this.#unit = unit;
    this.#wallet = wallet;
    this.#tipHeight = tipHeight;
  }

  touch(transactionId: number) {
    this.#touched.add(transactionId);
  }

  /** A payment that is known becomes something else. */
  async change(id: number, state: Deposit['state'], block: ObservedDeposit['block']): Promise<void> {
    await this.#move(await findDeposit(this.#unit, id), state, block);
  }

  /** A deposit was spent outside the service: the wallet no longer holds it. */
  async writeOff(id: number): Promise<void> {
    const payment = await findDeposit(this.#unit, id);
    if (payment.state !== 'mined' || payment.writtenOffAt !== null) return;
    await this.#setWrittenOff(id, this.#context.clock.now());
    this.#announceWriteOff(payment, payment.amount - payment.writtenOff);
  }

  /** A part of a deposit was spent outside the service; the rest is still at the wallet. */
  async reduce(id: number, amount: bigint): Promise<void> {
    const payment = await findDeposit(this.#unit, id);
    const writtenOff = payment.writtenOff + amount;
    if (payment.state !== 'mined' || payment.writtenOffAt !== null || writtenOff >= payment.amount)
      throw new Error(`There is less than ${amount} left of deposit ${id}`);
    const account = await updateDeposit(this.#unit, id, {
      writtenOff,
      updatedAt: this.#context.clock.now(),
    });
    const { id: walletId, chain, merchantId } = this.#wallet;
    this.#entries.push({
      ...{ kind: 'write_off', debit: account as DepositAccount, credit: 'wallet', amount, code: payment.code },
      ...{ chain, merchantId, walletId, depositId: id, withdrawalId: null },
    });
    this.#announceWriteOff(payment, amount);
  }

  #announceWriteOff({ transactionId, paymentKey, code }: Deposit, amount: bigint): void {
    this.#announced.set(transactionId, 'written_off');
    const { log, metrics } = this.#context;
    const { chain, address } = this.#wallet;
    this.#unit.afterCommit(() => {
      log.warn({ chain, address, payment: paymentKey, code, amount: String(amount) }, 'a deposit was written off');
      metrics.writtenOffDeposits.inc({ chain });
    });
  }

  /** A reorg has undone the transaction that spent it. */
  async restore(id: number): Promise<void> {
    const payment = await findDeposit(this.#unit, id);
    if (payment.state !== 'mined' || payment.writtenOffAt === null) return;
    await this.#setWrittenOff(id, null);
    this.#announced.set(payment.transactionId, 'restored');
  }

  async #setWrittenOff(id: number, at: Instant | null): Promise<void> {
    await updateDeposit(this.#unit, id, {
      writtenOffAt: at,
      writtenOffHeight: at === null ? null : this.#tipHeight,
      updatedAt: this.#context.clock.now(),
      ...(at !== null && { withdrawalId: null }),
    });
  }

  async observe({ payment, block, seenAt }: ObservedDeposit): Promise<void> {
    const known = await findByKey(this.#unit, this.#wallet.chain, payment.paymentKey);
    if (known) return await this.#move(known, block ? 'mined' : 'waiting', block);
    const ownPayment = await this.#context.withdrawals.findOwnPayment(this.#unit, payment.txHash);
    // Gas for tokens is the operator's.
    if (ownPayment?.cancels === 0) return;

    if (ownPayment) {
      const { transaction, decision } = await this.#returned(ownPayment);
      await this.#insert({ payment, block, seenAt }, transaction, { decision, replaced: null });
      return;
    }

    const rules = await this.#rulesOf(payment.code);
    const { candidates, isReused } = await this.#candidates(payment, rules, seenAt);
    const attribution = attribute(
      { code: payment.code, amount: payment.amount, seenAt },
      { type: this.#wallet.type, code: this.#wallet.code, isRetired: this.#wallet.state === 'retired', isReused },
      candidates,
      rules,
    );
    const transaction = await this.#ownerOf(attribution, payment);
    const isUser = this.#wallet.type === 'user';
    await this.#insert({ payment, block, seenAt }, transaction, {
      decision: attribution.kind !== 'stray' && attribution.isAccepted ? 'accepted' : 'undecided',
      replaced: isUser ? await this.#findReplaced(payment, transaction.id) : null,
    });
    // Its payer uses it again: so is its balance looked at again, if it was not any more.
    if (isUser && this.#wallet.state === 'serving' && transaction.expiresAt === null)
      await watchBalance(this.#unit, this.#wallet, { height: this.#tipHeight, isPatient: true });
  }

  async #insert(
    { payment, block, seenAt }: ObservedDeposit,
    transaction: CryptoTransaction,
    { decision, replaced }: { decision: Deposit['decision']; replaced: Deposit | null },
  ): Promise<void> {
    await insertDeposit(this.#unit, {
      merchantId: this.#wallet.merchantId,
      walletId: this.#wallet.id,
      transactionId: transaction.id,
      chain: this.#wallet.chain,
      code: payment.code,
      paymentKey: payment.paymentKey,
      txHash: payment.txHash,
      amount: payment.amount,
      state: block ? 'mined' : 'waiting',
      decision,
      height: block?.height ?? null,
      blockHash: block?.hash ?? null,
      countsAt: block ? block.height + transaction.minConfirmations - 1 : null,
      spendableFrom: payment.spendableFrom ?? null,
      withdrawalId: null,
      ...{ writtenOffAt: null, writtenOffHeight: null, writtenOff: 0n },
      replacesId: replaced?.id ?? null,
      ledgerAccount: null,
      seenAt: replaced?.seenAt ?? seenAt,
      updatedAt: this.#context.clock.now(),
    });
    this.touch(transaction.id);
  }

  /** The transaction of what a cancelled withdrawal returns: money of the kind that it was to send. */
  async #returned({
    id,
    source,
  }: OwnPayment): Promise<{ transaction: CryptoTransaction; decision: Deposit['decision'] }> {
    const decision = source === 'credited' ? 'accepted' : source === 'stray' ? 'undecided' : 'rejected';
    const known = await db(this.#unit)
      .selectFrom('crypto_transactions')
      .select(cryptoTransactionRecord.columns)
      .where('returned_by', '=', id)
      .executeTakeFirst();
    if (known) return { transaction: cryptoTransactionRecord.read(known), decision };
    const { code } = this.#wallet;
    const transaction = await insertTransaction(this.#context, this.#unit, this.#wallet, await this.#rulesOf(code), {
      code,
      kind: source === 'stray' ? 'stray' : 'unidentified',
      rejection: decision === 'rejected' ? 'failed' : null,
      returnedBy: id,
    });
    if (!transaction) throw new Error('Returned money was not written down');
    return { transaction, decision };
  }

  async #findReplaced({ amount, code }: ChainPayment, transactionId: number): Promise<Deposit | null> {
    const place = { transactionId, walletId: this.#wallet.id, code, amount };
    return await findReplaced(this.#unit, place, this.#context.clock.now());
  }

  /** Brings every transaction that was touched, and the wallet, to what the payments say. */
  async apply(): Promise<void> {
    const ids = [...new Set([...this.#touched, ...this.#announced.keys()])].sort((a, b) => a - b);
    const payments = await findDeposits(this.#unit, ids);
    for (const transaction of await findTransactions(this.#unit, ids)) {
      await reevaluate(this.#context, this.#unit, await this.#walletOf(transaction), transaction, {
        payments: payments.filter(({ transactionId }) => transactionId === transaction.id),
        tipHeight: this.#tipHeight,
        detail: this.#announced.get(transaction.id) ?? null,
      });
      // Its pages show where its money is, which may be elsewhere under the same status.
      this.#unit.announce(transactionTopic(transaction.publicId));
    }
    const wallets = new Map([[this.#wallet.id, this.#wallet]]);
    const balances = await postDeposits(this.#context, this.#unit, wallets, { transactionIds: ids }, this.#entries);
    this.#wallet = { ...this.#wallet, balance: balances.get(this.#wallet.id) ?? this.#wallet.balance };
    const rules = await this.#rulesOf(this.#wallet.code);
    this.#wallet = await updateState(this.#context, this.#unit, this.#wallet, rules, this.#tipHeight);
  }

  /** An invoice whose wallet was rotated by force has money at the former one as well. */
  async #walletOf({ walletId }: CryptoTransaction): Promise<Wallet> {
    return walletId === this.#wallet.id ? this.#wallet : await lockWallet(this.#unit, walletId);
  }

  async #move(payment: Deposit, state: Deposit['state'], block: ObservedDeposit['block']): Promise<void> {
    if (payment.state === state && payment.height === (block?.height ?? null)) return;
    const [transaction] = await findTransactions(this.#unit, [payment.transactionId]);
    if (!transaction) throw new Error('Money belongs to a transaction that is not there');
    await updateDeposit(this.#unit, payment.id, {
      state,
      height: block?.height ?? null,
      blockHash: block?.hash ?? null,
      countsAt: block ? block.height + transaction.minConfirmations - 1 : null,
      updatedAt: this.#context.clock.now(),
      // Where its block is another one, so may be the transaction that spends it.
      writtenOffAt: null,
      writtenOffHeight: null,
    });
    this.touch(payment.transactionId);
  }

  async #rulesOf(code: Deposit['code']): Promise<InvoiceRules> {
    const known = this.#rules.get(code);
    if (known) return known;
    const rules = await readRules(this.#unit, this.#wallet.merchantId, code);
    this.#rules.set(code, rules);
    return rules;
  }

  /** Invoices that the money may be meant for, and whether the wallet served others before them. */
  async #candidates(
    { amount }: ChainPayment,
    rules: InvoiceRules,
    seenAt: Instant,
  ): Promise<{ candidates: Candidate[]; isReused: boolean }> {
    const { id, type } = this.#wallet;
    const invoices = db(this.#unit)
      .selectFrom('crypto_transactions')
      .select(cryptoTransactionRecord.columns)
      .where('wallet_id', '=', id)
      .where('kind', '=', 'invoice');
    if (type !== 'static') {
      const [last, former] = await invoices.orderBy('id', 'desc').limit(2).execute();
      const transaction = last ? cryptoTransactionRecord.read(last) : null;
      const isOpen = transaction !== null && transaction.rejection === null;
      return { candidates: isOpen ? [await this.#candidate(transaction)] : [], isReused: former !== undefined };
    }
    const rows = await invoices
      .where((row) =>
        row.or([
          row('status', 'in', ['pending', 'waiting', 'approved_required']),
          // One that has just expired may be meant as well as one that is open.
          row.and([row('status', '=', 'failed'), row('expires_at', '>', seenAt - rules.reuseDelay)]),
        ]),
      )
      .where('rejection', 'is', null)
      .where((row) => row.or([row('amount_required', '=', amount.toString()), row('tolerance', '<>', '0')]))
      .orderBy('id')
      .execute();
    const candidates: Candidate[] = [];
    for (const row of rows) candidates.push(await this.#candidate(cryptoTransactionRecord.read(row)));
    return { candidates, isReused: true };
  }

  async #candidate(transaction: CryptoTransaction): Promise<Candidate> {
    const payments = await findDeposits(this.#unit, [transaction.id]);
    const there = payments.filter(({ state, decision }) => state !== 'gone' && decision !== 'rejected');
    const isAccepted = there.some(({ decision }) => decision === 'accepted');
    return {
      id: transaction.id,
      amountRequired: transaction.amountRequired,
      tolerance: transaction.tolerance,
      expiresAt: transaction.expiresAt,
      has: isAccepted ? 'accepted_money' : there.length > 0 ? 'money' : 'nothing',
    };
  }

  async #ownerOf(attribution: Attribution, { code }: ChainPayment): Promise<CryptoTransaction> {
    if (attribution.kind === 'invoice') {
      const [owner] = await findTransactions(this.#unit, [attribution.id]);
      if (!owner) throw new Error('Money was given to an invoice that is not there');
      return owner;
    }
    const made = await insertTransaction(this.#context, this.#unit, this.#wallet, await this.#rulesOf(code), {
      kind: attribution.kind,
      code,
      meantForId: attribution.kind === 'stray' ? null : attribution.meantFor,
      givenLabels: attribution.kind === 'stray' ? ['stray'] : attribution.labels,
    });
    if (!made) throw new Error('Money was not written down');
    return made;
  }
}

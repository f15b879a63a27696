import { type CryptoTransaction, db, cryptoTransactionRecord } from './schema.ts';
import type { ChainDeposit } from '../chains/port.ts';
import { watchBalance } from '../deposits/balances/watch.ts';
import type { ObservedDeposit, WalletChanges } from '../deposits/changes.ts';
import type { OwnTransfer } from '../deposits/context.ts';
import {
  findDepositByKey,
  findDeposit,
  findDeposits,
  findReplacedDeposit,
  insertDeposit,
  REPLACEMENT_WINDOW,
  updateDeposit,
} from '../deposits/deposit.ts';
import type { Deposit } from '../deposits/schema.ts';
import type { DepositAccount, Entry } from '../ledger/accounts.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { CryptoLabel } from '../shared/crypto-status.ts';
import type { Instant } from '../shared/time.ts';
import { type InvoiceRules, readInvoiceRules } from '../wallets/rules.ts';
import { lockWallet } from '../wallets/wallet.ts';
import type { Wallet } from '../wallets/schema.ts';
import { updateWalletState } from '../wallets/pool.ts';
import { type Attribution, attributeDeposit, type CandidateInvoice } from './attribute.ts';
import type { InvoicesContext } from './context.ts';
import { isExactAmount, isLate } from './evaluate.ts';
import { postDeposits } from './ledger.ts';
import { insertTransaction } from './new-transaction.ts';
import { findTransactions } from './store.ts';
import { reevaluate, transactionTopic } from './transition.ts';

/**
 * Records changes to a wallet's deposits, attributes new ones, and reevaluates every affected transaction. Locks the
 * wallet in the given unit of work. Idempotent.
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
  for (const id of changes.depthChanged) recorder.markAffected(id);
  // Dropped deposits come first: an observed deposit may replace one of them.
  for (const id of changes.dropped) await recorder.changeState(id, 'gone');
  for (const id of changes.unmined) await recorder.changeState(id, 'waiting');
  for (const deposit of changes.observed) await recorder.recordObserved(deposit);
  for (const id of changes.writtenOff) await recorder.writeOff(id);
  for (const { id, amount } of changes.partlyWrittenOff) await recorder.writeOffPart(id, amount);
  for (const id of changes.restored) await recorder.restore(id);
  await recorder.apply();
}

/** Records the changes of one wallet in one unit of work. */
class WalletRecorder {
  readonly #context: InvoicesContext;
  readonly #unit: UnitOfWork;
  #wallet: Wallet;
  readonly #tipHeight: number;
  readonly #affected = new Set<number>();
  /** Details of events that are recorded even if the status stays the same, by transaction. */
  readonly #eventDetails = new Map<number, 'written_off' | 'restored'>();
  readonly #rules = new Map<string, InvoiceRules>();
  /** Ledger entries for parts of deposits that were written off. */
  readonly #entries: Entry[] = [];

  constructor(context: InvoicesContext, unit: UnitOfWork, wallet: Wallet, tipHeight: number) {
    this.#context = context;
    this.#unit = unit;
    this.#wallet = wallet;
    this.#tipHeight = tipHeight;
  }

  markAffected(transactionId: number) {
    this.#affected.add(transactionId);
  }

  /** Changes the state of a recorded deposit that is in no block now. */
  async changeState(id: number, state: Deposit['state']): Promise<void> {
    await this.#updateDepositState(await findDeposit(this.#unit, id), state, null);
  }

  /** Writes off a deposit that was spent outside the service. */
  async writeOff(id: number): Promise<void> {
    const deposit = await findDeposit(this.#unit, id);
    if (deposit.state !== 'mined' || deposit.writtenOffAt !== null) return;
    await this.#setWrittenOff(id, this.#context.clock.now());
    this.#reportWriteOff(deposit, deposit.amount - deposit.writtenOff);
  }

  /** Writes off the part of a deposit that was spent outside the service. */
  async writeOffPart(id: number, amount: bigint): Promise<void> {
    const deposit = await findDeposit(this.#unit, id);
    const writtenOff = deposit.writtenOff + amount;
    if (deposit.state !== 'mined' || deposit.writtenOffAt !== null || writtenOff >= deposit.amount)
      throw new Error(`Deposit ${id} is too small to write off ${amount} as a part of it.`);
    const account = await updateDeposit(this.#unit, id, {
      writtenOff,
      updatedAt: this.#context.clock.now(),
    });
    const { id: walletId, chain, merchantId } = this.#wallet;
    this.#entries.push({
      ...{ kind: 'write_off', debit: account as DepositAccount, credit: 'wallet', amount, code: deposit.code },
      ...{ chain, merchantId, walletId, depositId: id, withdrawalId: null },
    });
    this.#reportWriteOff(deposit, amount);
  }

  #reportWriteOff({ transactionId, paymentKey, code }: Deposit, amount: bigint): void {
    this.#eventDetails.set(transactionId, 'written_off');
    const { log, metrics } = this.#context;
    const { chain, address } = this.#wallet;
    this.#unit.afterCommit(() => {
      log.warn({ chain, address, payment: paymentKey, code, amount: String(amount) }, 'deposit written off');
      metrics.writtenOffDeposits.inc({ chain });
    });
  }

  /** Restores a written-off deposit after a reorg has undone the transaction that spent it. */
  async restore(id: number): Promise<void> {
    const deposit = await findDeposit(this.#unit, id);
    if (deposit.state !== 'mined' || deposit.writtenOffAt === null) return;
    await this.#setWrittenOff(id, null);
    this.#eventDetails.set(deposit.transactionId, 'restored');
  }

  async #setWrittenOff(id: number, at: Instant | null): Promise<void> {
    await updateDeposit(this.#unit, id, {
      writtenOffAt: at,
      writtenOffHeight: at === null ? null : this.#tipHeight,
      updatedAt: this.#context.clock.now(),
      ...(at !== null && { withdrawalId: null }),
    });
  }

  async recordObserved({ deposit, block, seenAt }: ObservedDeposit): Promise<void> {
    const recorded = await findDepositByKey(this.#unit, this.#wallet.chain, deposit.paymentKey);
    if (recorded) return await this.#updateDepositState(recorded, block ? 'mined' : 'waiting', block, seenAt);
    const ownTransfer = await this.#context.withdrawals.findOwnTransfer(this.#unit, deposit.txHash);
    // Gas funding belongs to the operator.
    if (ownTransfer?.cancels === 0) return;

    if (ownTransfer) {
      const { transaction, decision } = await this.#findOrCreateReturn(ownTransfer);
      await this.#insert({ deposit, block, seenAt }, transaction, { decision, replaced: null });
      return;
    }

    const isUserWallet = this.#wallet.type === 'user';
    if (isUserWallet && this.#wallet.state === 'retired') {
      // After a fee bump, a payment seen before the rotation still belongs to its transaction.
      const replaced = await this.#findReplaced(deposit, null);
      const [former] = replaced ? await findTransactions(this.#unit, [replaced.transactionId]) : [];
      if (replaced && former?.returnedBy === null && former.rejection === null)
        return await this.#insert({ deposit, block, seenAt }, former, { decision: replaced.decision, replaced });
    }

    const rules = await this.#rulesFor(deposit.code);
    const { candidates, isReused } = await this.#findCandidates(deposit, rules, seenAt);
    const attribution = attributeDeposit(
      { code: deposit.code, amount: deposit.amount, seenAt },
      { type: this.#wallet.type, code: this.#wallet.code, isRetired: this.#wallet.state === 'retired', isReused },
      candidates,
      rules,
    );
    const transaction = await this.#findOrCreateTransaction(attribution, deposit);
    await this.#insert({ deposit, block, seenAt }, transaction, {
      decision: attribution.kind !== 'stray' && attribution.isAccepted ? 'accepted' : 'undecided',
      replaced: isUserWallet ? await this.#findReplaced(deposit, transaction.id) : null,
    });
    // The payer uses the wallet again, so its balance is watched again.
    if (isUserWallet && this.#wallet.state === 'serving' && transaction.expiresAt === null)
      await watchBalance(this.#unit, this.#wallet, { height: this.#tipHeight, isLongLived: true });
  }

  async #insert(
    { deposit, block, seenAt }: ObservedDeposit,
    transaction: CryptoTransaction,
    { decision, replaced }: { decision: Deposit['decision']; replaced: Deposit | null },
  ): Promise<void> {
    await insertDeposit(this.#unit, {
      merchantId: this.#wallet.merchantId,
      walletId: this.#wallet.id,
      transactionId: transaction.id,
      chain: this.#wallet.chain,
      code: deposit.code,
      paymentKey: deposit.paymentKey,
      txHash: deposit.txHash,
      amount: deposit.amount,
      state: block ? 'mined' : 'waiting',
      decision,
      height: block?.height ?? null,
      blockHash: block?.hash ?? null,
      countsAt: block ? block.height + transaction.minConfirmations - 1 : null,
      spendableFrom: deposit.spendableFrom ?? null,
      withdrawalId: null,
      ...{ writtenOffAt: null, writtenOffHeight: null, writtenOff: 0n },
      replacesId: replaced?.id ?? null,
      ledgerAccount: null,
      seenAt: replaced?.seenAt ?? seenAt,
      updatedAt: this.#context.clock.now(),
    });
    this.markAffected(transaction.id);
  }

  /** Finds or creates the transaction for funds that a canceled withdrawal returned. They keep their previous kind. */
  async #findOrCreateReturn({
    id,
    source,
  }: OwnTransfer): Promise<{ transaction: CryptoTransaction; decision: Deposit['decision'] }> {
    const decision = source === 'credited' ? 'accepted' : source === 'stray' ? 'undecided' : 'rejected';
    const existing = await db(this.#unit)
      .selectFrom('crypto_transactions')
      .select(cryptoTransactionRecord.columns)
      .where('returned_by', '=', id)
      .executeTakeFirst();
    if (existing) return { transaction: cryptoTransactionRecord.read(existing), decision };
    const { code } = this.#wallet;
    const transaction = await insertTransaction(this.#context, this.#unit, this.#wallet, await this.#rulesFor(code), {
      code,
      kind: source === 'stray' ? 'stray' : 'unidentified',
      rejection: decision === 'rejected' ? 'failed' : null,
      returnedBy: id,
    });
    if (!transaction) throw new Error(`The return of withdrawal ${id} was not recorded.`);
    return { transaction, decision };
  }

  async #findReplaced({ amount, code }: ChainDeposit, transactionId: number | null): Promise<Deposit | null> {
    const replacement = { transactionId, walletId: this.#wallet.id, code, amount };
    return await findReplacedDeposit(this.#unit, replacement, this.#context.clock.now());
  }

  /** Reevaluates every affected transaction, posts its deposits, and updates the wallet. */
  async apply(): Promise<void> {
    const ids = [...new Set([...this.#affected, ...this.#eventDetails.keys()])].sort((a, b) => a - b);
    const deposits = await findDeposits(this.#unit, ids);
    for (const transaction of await findTransactions(this.#unit, ids)) {
      await reevaluate(this.#context, this.#unit, await this.#walletFor(transaction), transaction, {
        deposits: deposits.filter(({ transactionId }) => transactionId === transaction.id),
        tipHeight: this.#tipHeight,
        detail: this.#eventDetails.get(transaction.id) ?? null,
      });
      // Pages show confirmations, which may change while the status stays the same.
      this.#unit.announce(transactionTopic(transaction.publicId));
    }
    const wallets = new Map([[this.#wallet.id, this.#wallet]]);
    const balances = await postDeposits(this.#context, this.#unit, wallets, { transactionIds: ids }, this.#entries);
    this.#wallet = { ...this.#wallet, balance: balances.get(this.#wallet.id) ?? this.#wallet.balance };
    const rules = await this.#rulesFor(this.#wallet.code);
    this.#wallet = await updateWalletState(this.#context, this.#unit, this.#wallet, rules, this.#tipHeight);
  }

  /** The wallet of a transaction. After a forced rotation, an invoice has deposits at its former wallet as well. */
  async #walletFor({ walletId }: CryptoTransaction): Promise<Wallet> {
    return walletId === this.#wallet.id ? this.#wallet : await lockWallet(this.#unit, walletId);
  }

  async #updateDepositState(
    deposit: Deposit,
    state: Deposit['state'],
    block: ObservedDeposit['block'],
    seenAt = deposit.seenAt,
  ): Promise<void> {
    if (deposit.state === state && deposit.height === (block?.height ?? null)) return;
    const [former] = await findTransactions(this.#unit, [deposit.transactionId]);
    if (!former) throw new Error(`Deposit ${deposit.id} has no crypto transaction.`);
    const { transaction, ...changes } =
      deposit.state === 'gone' ? await this.#changesOnReturn(deposit, former, seenAt) : { transaction: former };
    await updateDeposit(this.#unit, deposit.id, {
      ...changes,
      transactionId: transaction.id,
      state,
      height: block?.height ?? null,
      blockHash: block?.hash ?? null,
      countsAt: block ? block.height + transaction.minConfirmations - 1 : null,
      updatedAt: this.#context.clock.now(),
      // If it moved to another block, the transaction that spent it may be undone too.
      writtenOffAt: null,
      writtenOffHeight: null,
    });
    this.markAffected(former.id);
    this.markAffected(transaction.id);
  }

  /**
   * Changes to a dropped deposit that returns. After more time than a replacement has, it counts as seen now. It needs
   * review if it is late: the merchant may consider the invoice unpaid. If another deposit was accepted, it becomes a
   * duplicate, reviewed separately. An approval remains valid after a brief absence. In a user's wallet, any deposit is
   * accepted.
   */
  async #changesOnReturn(
    deposit: Deposit,
    transaction: CryptoTransaction,
    seenAt: Instant,
  ): Promise<Pick<Deposit, 'decision' | 'seenAt'> & { transaction: CryptoTransaction }> {
    const { decision, updatedAt } = deposit;
    const { id, type, returnedBy, rejection, decidedAt } = transaction;
    const isBrief = updatedAt >= this.#context.clock.now() - REPLACEMENT_WINDOW;
    const unchanged = { transaction, decision, seenAt: isBrief ? deposit.seenAt : seenAt };
    if (type === 'user' || returnedBy !== null || rejection !== null) return unchanged;
    const isApproved =
      decision === 'accepted' && decidedAt !== null && deposit.seenAt <= decidedAt && decidedAt <= updatedAt;
    if (isBrief && isApproved) return unchanged;
    const { received } = await this.#toCandidate(transaction);
    if (received === 'accepted') {
      const labels: CryptoLabel[] = ['duplicate'];
      const attribution = { kind: 'unidentified', intendedFor: id, isAccepted: false, labels } as const;
      const duplicate = await this.#findOrCreateTransaction(attribution, deposit);
      return { ...unchanged, transaction: duplicate, decision: 'undecided' };
    }
    return isBrief && !isLate(transaction, { seenAt }) ? unchanged : { ...unchanged, decision: 'undecided' };
  }

  async #rulesFor(code: Deposit['code']): Promise<InvoiceRules> {
    const cached = this.#rules.get(code);
    if (cached) return cached;
    const rules = await readInvoiceRules(this.#unit, this.#wallet.merchantId, code);
    this.#rules.set(code, rules);
    return rules;
  }

  /** Finds the invoices that a deposit may be intended for. `isReused`: the wallet may have had other invoices. */
  async #findCandidates(
    { amount }: ChainDeposit,
    rules: InvoiceRules,
    seenAt: Instant,
  ): Promise<{ candidates: CandidateInvoice[]; isReused: boolean }> {
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
      return { candidates: isOpen ? [await this.#toCandidate(transaction)] : [], isReused: former !== undefined };
    }
    const expiredSince = seenAt - rules.reuseDelay;
    const rows = await invoices
      .where((eb) =>
        eb.or([
          eb('status', 'in', ['pending', 'waiting', 'approved_required']),
          // The deposit may be intended for a recently expired invoice rather than an open one.
          eb.and([eb('status', '=', 'failed'), eb('expires_at', '>', expiredSince)]),
        ]),
      )
      .where('rejection', 'is', null)
      .where((eb) => eb.or([eb('amount_required', '=', amount.toString()), eb('tolerance', '<>', '0')]))
      .orderBy('id')
      .execute();
    // Without a match, the deposit may be a second payment of a complete invoice. Two of them are ambiguous.
    const paid = rows.some((row) => isExactAmount(cryptoTransactionRecord.read(row), amount))
      ? []
      : await invoices
          .where('status', '=', 'complete')
          .where('amount_required', '=', amount.toString())
          .where('expires_at', '>', expiredSince)
          .orderBy('id', 'desc')
          .limit(2)
          .execute();
    const candidates: CandidateInvoice[] = [];
    for (const row of [...rows, ...paid]) candidates.push(await this.#toCandidate(cryptoTransactionRecord.read(row)));
    return { candidates, isReused: true };
  }

  async #toCandidate(transaction: CryptoTransaction): Promise<CandidateInvoice> {
    const deposits = await findDeposits(this.#unit, [transaction.id]);
    const present = deposits.filter(({ state, decision }) => state !== 'gone' && decision !== 'rejected');
    const isAccepted = present.some(({ decision }) => decision === 'accepted');
    return {
      id: transaction.id,
      amountRequired: transaction.amountRequired,
      tolerance: transaction.tolerance,
      expiresAt: transaction.expiresAt,
      received: isAccepted ? 'accepted' : present.length > 0 ? 'unaccepted' : 'nothing',
    };
  }

  async #findOrCreateTransaction(
    attribution: Attribution,
    { code }: Pick<ChainDeposit, 'code'>,
  ): Promise<CryptoTransaction> {
    if (attribution.kind === 'invoice') {
      const [owner] = await findTransactions(this.#unit, [attribution.id]);
      if (!owner) throw new Error(`A deposit was attributed to invoice ${attribution.id}, which does not exist.`);
      return owner;
    }
    const transaction = await insertTransaction(this.#context, this.#unit, this.#wallet, await this.#rulesFor(code), {
      kind: attribution.kind,
      code,
      intendedForId: attribution.kind === 'stray' ? null : attribution.intendedFor,
      givenLabels: attribution.kind === 'stray' ? ['unattributed'] : attribution.labels,
    });
    if (!transaction) throw new Error('The crypto transaction of a deposit was not inserted.');
    return transaction;
  }
}

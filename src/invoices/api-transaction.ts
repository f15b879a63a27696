import type { CryptoTransaction } from './schema.ts';
import type { Runner } from '../database/engine.ts';
import { toCoins } from '../api/crypto-amount.ts';
import type { CryptoTransaction as ApiTransaction } from '../api/crypto-transaction.ts';
import { formatInstant } from '../shared/time.ts';
import { noNames, type UserNames, readUserNames } from '../auth/user-names.ts';
import { percentOf } from '../shared/rate-arithmetic.ts';
import type { InvoicesContext } from './context.ts';
import { toEvaluated, evaluateInvoice } from './evaluate.ts';
import { readLastHeight } from '../chains/cursor.ts';
import { findTransactions } from './store.ts';
import { confirmationsOf, findDeposits } from '../deposits/deposit.ts';
import type { Deposit } from '../deposits/schema.ts';
import { findWallets } from '../wallets/wallet.ts';
import type { Wallet } from '../wallets/schema.ts';

/** URL of the payment page of an invoice. */
function invoiceUrl({ publicUrl }: Pick<InvoicesContext, 'publicUrl'>, publicId: string): string {
  return publicUrl + invoicePath(publicId);
}

export function invoicePath(publicId: string): string {
  return `/i/${publicId}`;
}

/** In the sandbox: path of the simulator for an invoice's payer and chain. */
export function simulatorPath(publicId: string): string {
  return `/sandbox/chain/${publicId}`;
}

interface TransactionDetails {
  wallet: Wallet;
  deposits: readonly Deposit[];
  /** Height of the last scanned block. */
  tipHeight: number;
  /** The invoice that an unidentified deposit may be intended for. */
  intendedFor: string | null;
  /** Names of reviewers; omitted in webhooks. */
  names?: UserNames;
}

/** The API representation of a crypto transaction, for `GET /v1/transaction` and webhooks. */
export function toApiTransaction(
  context: Pick<InvoicesContext, 'publicUrl' | 'chains' | 'clock'>,
  transaction: CryptoTransaction,
  { wallet, deposits, tipHeight, intendedFor, names = noNames }: TransactionDetails,
): ApiTransaction {
  const { code, amountRequired } = transaction;
  const depositsWithConfirmations = deposits.map((deposit) => ({
    deposit,
    confirmations: confirmationsOf(deposit, tipHeight),
  }));
  const { amountDue, confirmations } = evaluateInvoice(
    toEvaluated(transaction),
    depositsWithConfirmations.map((each) => ({ ...each.deposit, confirmations: each.confirmations })),
    context.clock.now(),
  );
  // Other statuses expect no further payment, even if the merchant accepted less.
  const isDue = transaction.status === 'pending' || transaction.status === 'approved_required';
  return {
    id: transaction.publicId,
    txId: transaction.txId,
    type: transaction.type,
    code,
    amountRequired: amountRequired?.toString() ?? null,
    amountRequiredUnit: amountRequired === null ? null : toCoins(amountRequired, code),
    walletAddress: wallet.address,
    walletType: wallet.type,
    uri: uriOf(context, transaction, wallet),
    status: transaction.status,
    labels: [...transaction.labels],
    amount: transaction.amount.toString(),
    amountUnit: toCoins(transaction.amount, code),
    amountDue: (isDue ? amountDue : 0n).toString(),
    confirmations,
    minConfirmations: transaction.minConfirmations,
    payments: depositsWithConfirmations.map((each) => ({
      txHash: each.deposit.txHash,
      amount: each.deposit.amount.toString(),
      confirmations: each.confirmations,
      decision: each.deposit.decision === 'undecided' ? 'pending' : each.deposit.decision,
      writtenOffAt: each.deposit.writtenOffAt === null ? null : formatInstant(each.deposit.writtenOffAt),
      seenAt: formatInstant(each.deposit.seenAt),
    })),
    processingFeePercent: Number(transaction.processingFeePercent),
    processingFee: percentOf(transaction.amountCredited, transaction.processingFeePercent).toString(),
    exchangeRate: transaction.exchangeRate,
    link: { self: selfUrl(context, transaction), payment: invoiceUrl(context, transaction.publicId) },
    fiatTransactionId: transaction.paysFor,
    comment: transaction.comment,
    description: transaction.description,
    returnUrl: transaction.returnUrl,
    ...(transaction.metadata && { metadata: transaction.metadata }),
    ...(transaction.locale !== null && { locale: transaction.locale }),
    probableTxId: intendedFor,
    decision:
      transaction.decidedAt === null || transaction.decidedBy === null
        ? null
        : {
            by: transaction.decidedBy,
            byName: names.get(transaction.decidedBy) ?? null,
            at: formatInstant(transaction.decidedAt),
            reason: transaction.decisionReason,
            isApproved: transaction.isApproved ?? transaction.rejection === null,
            refundAddress: transaction.refundAddress,
          },
    availableActions: availableActions(transaction),
    createdAt: formatInstant(transaction.createdAt),
    updatedAt: formatInstant(transaction.updatedAt),
    expiredAt: transaction.expiresAt === null ? null : formatInstant(transaction.expiresAt),
  };
}

/** Reads the related records of crypto transactions, and returns their API representations. */
export async function readApiTransactions(
  context: InvoicesContext,
  reader: Runner,
  transactions: readonly CryptoTransaction[],
): Promise<ApiTransaction[]> {
  const ids = transactions.map(({ id }) => id);
  const payments = await findDeposits(reader, ids);
  const wallets = await findWallets(reader, [...new Set(transactions.map(({ walletId }) => walletId))]);
  const intendedForIds = transactions.flatMap(({ intendedForId }) => (intendedForId === null ? [] : [intendedForId]));
  const references = new Map((await findTransactions(reader, intendedForIds)).map(({ id, txId }) => [id, txId]));
  const names = await readUserNames(
    reader,
    transactions.map(({ decidedBy }) => decidedBy),
  );
  const heights = new Map<string, number>();
  for (const chain of new Set(transactions.map((each) => each.chain)))
    heights.set(chain, (await readLastHeight(reader, chain)) ?? 0);
  return transactions.map((transaction) => {
    const wallet = wallets.get(transaction.walletId);
    if (!wallet) throw new Error(`Crypto transaction ${transaction.publicId} has no wallet.`);
    return toApiTransaction(context, transaction, {
      wallet,
      deposits: payments.filter(({ transactionId }) => transactionId === transaction.id),
      tipHeight: heights.get(transaction.chain) ?? 0,
      intendedFor: transaction.intendedForId === null ? null : (references.get(transaction.intendedForId) ?? null),
      names,
    });
  });
}

export async function readApiTransaction(
  context: InvoicesContext,
  reader: Runner,
  transaction: CryptoTransaction,
): Promise<ApiTransaction> {
  const [apiTransaction] = await readApiTransactions(context, reader, [transaction]);
  if (!apiTransaction) throw new Error(`Crypto transaction ${transaction.publicId} could not be read.`);
  return apiTransaction;
}

function availableActions({ status, kind }: CryptoTransaction): ApiTransaction['availableActions'] {
  if (status !== 'approved_required') return [];
  return kind === 'stray' ? ['withdraw'] : ['approve', 'reject'];
}

/** Payment URI for wallet apps: BIP 21 or EIP-681; without an amount if any amount is accepted. */
export function uriOf(
  { chains }: Pick<InvoicesContext, 'chains'>,
  { code, type, kind, amountRequired }: Pick<CryptoTransaction, 'code' | 'type' | 'kind' | 'amountRequired'>,
  { address }: Pick<Wallet, 'address'>,
): string {
  const amount = kind === 'invoice' && type !== 'user' ? amountRequired : null;
  return chains.forCurrency(code)?.chain.addresses.paymentUri({ code, address, amount }) ?? address;
}

function selfUrl(
  { publicUrl }: Pick<InvoicesContext, 'publicUrl'>,
  { txId, code, publicId }: CryptoTransaction,
): string {
  const query = new URLSearchParams(txId === null ? { id: publicId } : { txId, code });
  return `${publicUrl}/v1/transaction?${query}`;
}

/*
 * Map of this module: `reconcile.ts` compares the ledger with each chain, and `scan.ts` with the node's UTXO set.
 * `job.ts` runs the comparison daily, and `resolve-difference.ts` writes off or books a difference. Reasons:
 * docs/decisions/ledger.md.
 */

import type { Runner } from '../database/engine.ts';
import { sql } from 'kysely';
import { type BlockRef, ChainError } from '../chains/port.ts';
import type { ChainAccount } from '../chains/family.ts';
import { type ChainName, chains, type CryptoCurrencyCode, familyOf } from '../shared/crypto-currency.ts';
import { AccountBalances, readGasWalletBalance, readBalancesByWallet } from '../ledger/balances.ts';
import type { Database } from '../database/database.ts';
import { depositAccount, selectDepositsWithFacts } from '../invoices/ledger.ts';
import { withdrawalQueries } from '../withdrawals/facts.ts';
import { countMinedTransactions, findUnminedWithdrawals, findVersions, hasUnpostedFees } from '../withdrawals/store.ts';
import { readLastBlock } from '../chains/cursor.ts';
import { readDetection } from '../deposits/balances/movements.ts';
import { selectWallets } from '../wallets/wallet.ts';

/** Wallets compared per page. */
const WALLET_BATCH = 200;

type Explanation = HarmlessExplanation | ActionableExplanation;

/** Differences that need no action: they are expected, or resolve automatically. */
type HarmlessExplanation =
  /** Blocks after the last scanned one have changed the node's balances. */
  | 'blocks_not_scanned'
  /** A withdrawal is in a block and will be posted next. */
  | 'withdrawal_not_posted'
  /** Ether that a contract sent to an address whose balance is not watched. */
  | 'balance_not_watched'
  /** Ether that a contract sent, which is recorded as a deposit when the balance of the address is compared next. */
  | 'deposit_not_detected'
  /** Ether received before the balance of the address was watched. */
  | 'before_balance_watch'
  /** Gas funding and fees that are older than the ledger. */
  | 'before_ledger'
  /** External funding of the gas wallet by the operator. */
  | 'operator_funding'
  /** A deposit to an unissued address, which is recorded separately. */
  | 'unissued_address';

/** Differences that the operator must investigate and resolve. */
const actionableExplanations = [
  /** A transaction that is not a withdrawal spent outputs of the wallet. */
  'spent_outside',
  /** The address has sent transactions that are not withdrawals. */
  'sent_outside',
  /** A token balance changed although the address sent nothing: rebasing, a fee or a seizure. */
  'token_contract',
  /** An output at one of our addresses that the ledger lacks. */
  'missed_deposit',
  /** An output that the ledger lists as dropped, withdrawn, written off or incoming. */
  'state_mismatch',
] as const;
type ActionableExplanation = (typeof actionableExplanations)[number];

/** True if the operator must investigate a difference. */
export function needsOperator({ explanation }: Pick<Difference, 'explanation'>): boolean {
  return explanation === null || actionableExplanations.some((actionable) => actionable === explanation);
}

export interface Difference {
  /** The address; null for the ledger of the whole chain. */
  address: string | null;
  /** The merchant that owns the wallet; null without one. */
  merchantId: number | null;
  code: string;
  ledger: bigint;
  /** Amount on the chain; for differences within the ledger, the correct amount in that account. */
  chain: bigint;
  /** Null if the cause is unknown. */
  explanation: Explanation | null;
  detail: string;
}

export interface Reconciliation {
  chain: ChainName;
  /** Height of the compared block: the last one scanned. */
  height: number;
  wallets: number;
  /** Balances of all wallets by currency, and the ledger accounts: debits minus credits. */
  totals: { code: string; ledger: bigint; chain: bigint; accounts: Record<string, bigint> }[];
  differences: Difference[];
  /** Number of differences that the operator must investigate. */
  unresolved: number;
}

interface ComparedWallet {
  id: number;
  merchantId: number;
  address: string;
  code: string;
  balance: bigint;
  accounts: AccountBalances;
}

interface HeldDeposit {
  walletId: number;
  paymentKey: string;
  amount: bigint;
  withdrawalId: number | null;
}

interface OpenWithdrawal {
  id: number;
  sender: string | null;
  destination: string;
  transactions: { txHash: string; since: number; unsigned: string }[];
}

interface WalletPage {
  at: BlockRef;
  lastId: number | null;
  wallets: ComparedWallet[];
  deposits: HeldDeposit[];
  misposted: (Pick<HeldDeposit, 'walletId' | 'paymentKey' | 'amount'> & {
    code: string;
    posted: string | null;
    actual: string | null;
  })[];
  open: OpenWithdrawal[];
}

/**
 * Compares the ledger of each wallet with the chain at the last scanned block, and with `wallets.balance`. Lists every
 * difference, with its explanation if known. Read-only. Throws `ChainError` if the node does not respond.
 */
export async function reconcile(
  database: Pick<Database, 'inSnapshot' | 'query'>,
  connected: Pick<ChainAccount, 'name' | 'chain' | 'spender'>,
): Promise<Reconciliation> {
  const { name } = connected;
  const total = new AccountBalances();
  const onChain = new Map<string, bigint>();
  const differences: Difference[] = [];
  let wallets = 0;
  let height: number | null = null;
  for (let after: number | null = 0; after !== null; ) {
    const page: WalletPage = await readWalletPage(database, name, after, total);
    const pageDifferences = await compareWallets(database, connected, page, onChain);
    differences.push(...pageDifferences);
    wallets += page.wallets.length;
    height = page.at.height;
    after = page.lastId;
  }
  const gas = await compareGasWallet(database, connected, total);
  if (gas) differences.push(gas);
  const codes = [...new Set([...total.codes, ...connected.chain.currencies])].sort();
  return {
    chain: name,
    height: height ?? 0,
    wallets,
    totals: codes.map((code) => ({
      code,
      ledger: total.balanceOf(code, 'wallet') + total.balanceOf(code, 'gas'),
      chain: onChain.get(code) ?? 0n,
      accounts: Object.fromEntries(total.nonZeroAccounts(code)),
    })),
    differences,
    unresolved: differences.filter(needsOperator).length,
  };
}

/** Reads a page of wallets with their deposits and open withdrawals, in one snapshot. */
async function readWalletPage(
  database: Pick<Database, 'inSnapshot'>,
  name: ChainName,
  after: number,
  total: AccountBalances,
): Promise<WalletPage> {
  return await database.inSnapshot(async (reader) => {
    const at = await readLastBlock(reader, name);
    if (!at) throw new ChainError('behind', `No block of ${name} has been read yet.`);
    const rows = await selectWallets(reader).where('id', '>', after).orderBy('id').limit(WALLET_BATCH).execute();
    const chainWallets = rows.filter(({ chain }) => chain === name);
    const ids = chainWallets.map(({ id }) => id);
    const accountsByWallet = await readBalancesByWallet(reader, ids, total);
    const deposits = () =>
      selectDepositsWithFacts(reader, withdrawalQueries)
        .select(['deposit.wallet_id', 'deposit.code', 'deposit.payment_key', 'deposit.amount', 'deposit.written_off'])
        .select(['deposit.withdrawal_id', 'deposit.ledger_account', depositAccount.as('account')])
        .where('deposit.wallet_id', 'in', ids);
    const minedDeposits =
      ids.length === 0 ? [] : await deposits().where('deposit.state', '=', 'mined').orderBy('deposit.id').execute();
    const misposted =
      ids.length === 0
        ? []
        : await deposits()
            .where(sql<boolean>`coalesce(deposit.ledger_account, '') <> coalesce(${depositAccount}, '')`)
            .execute();
    const open = await findUnminedWithdrawals(reader, name);
    const versions = await findVersions(
      reader,
      open.map(({ id }) => id),
    );
    return {
      at,
      lastId: rows.length < WALLET_BATCH ? null : (rows.at(-1)?.id ?? null),
      wallets: chainWallets.map(({ id, merchant_id: merchantId, address, code, balance }) => ({
        ...{ id, merchantId, address, code, balance: BigInt(balance) },
        accounts: accountsByWallet.get(id) ?? new AccountBalances(),
      })),
      deposits: minedDeposits
        .filter(({ account }) => account !== 'withdrawn' && account !== 'written_off')
        .map((deposit) => ({
          ...{ walletId: deposit.wallet_id, paymentKey: deposit.payment_key, withdrawalId: deposit.withdrawal_id },
          amount: BigInt(deposit.amount),
        })),
      misposted: misposted.map(({ wallet_id: walletId, code, payment_key: paymentKey, ...deposit }) => ({
        ...{ walletId, code, paymentKey, posted: deposit.ledger_account, actual: deposit.account },
        amount: BigInt(deposit.amount) - BigInt(deposit.written_off ?? 0),
      })),
      open: open.map((withdrawal) => ({
        ...withdrawal,
        transactions: (versions.get(withdrawal.id) ?? []).flatMap(({ txHash, since, unsigned }) =>
          txHash === null ? [] : [{ txHash, since, unsigned }],
        ),
      })),
    };
  });
}

async function compareWallets(
  database: Runner,
  { chain, name }: Pick<ChainAccount, 'name' | 'chain'>,
  page: WalletPage,
  onChain: Map<string, bigint>,
): Promise<Difference[]> {
  const { wallets, at } = page;
  const byId = new Map(wallets.map((wallet) => [wallet.id, wallet]));
  const differences: Difference[] = wallets.flatMap((wallet): Difference[] => {
    const { merchantId, address, code, balance, accounts } = wallet;
    const ledger = accounts.balanceOf(code, 'wallet');
    const detail = 'The balance of the wallet differs from the sum of its ledger entries.';
    return balance === ledger ? [] : [{ address, merchantId, code, ledger, chain: balance, explanation: null, detail }];
  });
  for (const { walletId, code, paymentKey, amount, posted, actual } of page.misposted)
    differences.push({
      ...{ address: byId.get(walletId)?.address ?? null, merchantId: byId.get(walletId)?.merchantId ?? null },
      ...{ code, ledger: amount, chain: 0n, explanation: null },
      detail: `Deposit ${paymentKey} is posted to ${posted ?? 'no account'} but belongs in ${actual ?? 'none'}.`,
    });
  const add = (code: string, amount: bigint) => onChain.set(code, (onChain.get(code) ?? 0n) + amount);
  const mined = await findMined(chain, page.open);
  const states = await chain.outputStates(
    page.deposits.map(({ paymentKey }) => paymentKey),
    at,
  );
  if (states) {
    const isUnspent = ({ paymentKey }: HeldDeposit) => states.get(paymentKey) !== 'spent';
    const isBehind = page.deposits.length > 0 && (await chain.tip()).hash !== at.hash;
    const code = chain.currencies[0] ?? '';
    for (const wallet of wallets) {
      const deposits = page.deposits.filter(({ walletId }) => walletId === wallet.id);
      const unspent = deposits.filter(isUnspent);
      const ledger = wallet.accounts.balanceOf(code, 'wallet');
      const chainBalance = unspent.reduce((sum, { amount }) => sum + amount, 0n);
      add(code, chainBalance);
      if (chainBalance === ledger) continue;
      const spent = deposits.filter((deposit) => !isUnspent(deposit));
      const isOurs = spent.length > 0 && spent.every(({ withdrawalId: id }) => id !== null && mined.has(id));
      const names = spent.map(({ paymentKey }) => paymentKey).join(', ');
      differences.push({
        ...{ address: wallet.address, merchantId: wallet.merchantId, code, ledger, chain: chainBalance },
        explanation: isOurs
          ? 'withdrawal_not_posted'
          : isBehind
            ? 'blocks_not_scanned'
            : spent.length > 0
              ? 'spent_outside'
              : null,
        detail:
          spent.length === 0
            ? 'The ledger differs from the sum of the unspent outputs of the wallet.'
            : isOurs
              ? `A withdrawal has spent ${names} and will be posted next.`
              : `Coins were spent or are no longer in the chain, without a withdrawal: ${names}.`,
      });
    }
    return differences;
  }
  for (const code of chain.currencies) {
    const balances = await chain.balances(
      code,
      wallets.map(({ address }) => address),
      at,
    );
    for (const wallet of wallets) {
      const ledger = wallet.accounts.balanceOf(code, 'wallet') + wallet.accounts.balanceOf(code, 'gas');
      const chainBalance = balances?.get(wallet.address) ?? 0n;
      add(code, chainBalance);
      if (chainBalance === ledger) continue;
      const difference = { address: wallet.address, merchantId: wallet.merchantId, code, ledger, chain: chainBalance };
      const isOurs = page.open.some(
        ({ id, sender, destination }) => mined.has(id) && (sender === wallet.address || destination === wallet.address),
      );
      const explained = isOurs
        ? ({
            explanation: 'withdrawal_not_posted',
            detail: 'A transaction of this service is in a block and will be posted next.',
          } as const)
        : await explainAccount(database, { chain, name }, { wallet, at, code, ledger, chainBalance });
      differences.push({ ...difference, ...explained });
    }
  }
  return differences;
}

/** Finds open withdrawals that are already in a block. */
async function findMined(chain: ChainAccount['chain'], open: readonly OpenWithdrawal[]): Promise<Set<number>> {
  const minedIds = new Set<number>();
  for (const { id, transactions } of open)
    for (const { txHash, since, unsigned } of transactions) {
      const { state } = await chain.findTransaction(txHash, since, unsigned);
      if (state === 'mined' || state === 'failed') minedIds.add(id);
    }
  return minedIds;
}

async function explainAccount(
  reader: Runner,
  { chain, name }: Pick<ChainAccount, 'name' | 'chain'>,
  {
    wallet: { id: walletId, address },
    at,
    code,
    ledger,
    chainBalance,
  }: { wallet: ComparedWallet; at: BlockRef; code: CryptoCurrencyCode; ledger: bigint; chainBalance: bigint },
): Promise<Pick<Difference, 'explanation' | 'detail'>> {
  const { feeCode } = chains[name];
  const extra = chainBalance - ledger;
  const sentCount = (await chain.transactionCounts([address], at))?.get(address) ?? 0;
  const foreignCount = sentCount - (await countMinedTransactions(reader, name, address));
  if (foreignCount > 0)
    return {
      explanation: 'sent_outside',
      detail: `The address has sent transactions that this service did not create: ${foreignCount}.`,
    };
  if (code === feeCode && extra > 0n) {
    const account = { balance: chainBalance, sentCount };
    const wallet = { walletId, address, account, at };
    const detection = await readDetection(reader, withdrawalQueries, { chain, name }, wallet);
    if (detection === 'pending')
      return { explanation: 'deposit_not_detected', detail: 'Ether from a contract is not recorded as a deposit yet.' };
    if (await hasUnpostedFees(reader, name, address))
      return { explanation: 'before_ledger', detail: 'Gas funding and fees are older than the ledger.' };
    if (detection === 'unwatched')
      return { explanation: 'balance_not_watched', detail: 'A contract sent ether to an address that is not watched.' };
    if (detection === 'complete')
      return { explanation: 'before_balance_watch', detail: 'The ether was received before the address was watched.' };
  }
  const change = extra > 0n ? 'more' : 'less';
  if (code === feeCode) return { explanation: null, detail: `The chain holds ${change} than the ledger.` };
  return {
    explanation: 'token_contract',
    detail: `The token contract reports ${change} than was transferred, and the address sent nothing else. Possible causes: a rebasing token, a fee, a seizure or an allowance.`,
  };
}

/** Compares the gas wallet. Only the operator funds it, so its balance minus the ledger is the operator's funding. */
async function compareGasWallet(
  database: Pick<Database, 'inSnapshot'>,
  { name, chain, spender: load }: Pick<ChainAccount, 'name' | 'chain' | 'spender'>,
  total: AccountBalances,
): Promise<Difference | null> {
  if (familyOf(name).model !== 'account') return null;
  const { feeCode } = chains[name];
  const { at, ledger } = await database.inSnapshot(async (reader) => ({
    ledger: await readGasWalletBalance(reader, name, total),
    at: await readLastBlock(reader, name),
  }));
  const spender = await load();
  if (spender.kind !== 'account' || !at) return null;
  const { address } = spender.gasWallet;
  const chainBalance = (await chain.balances(feeCode, [address], at))?.get(address) ?? 0n;
  if (chainBalance === ledger) return null;
  const detail = `The operator has funded the gas wallet with ${chainBalance - ledger} wei.`;
  return {
    address,
    merchantId: null,
    code: feeCode,
    ledger,
    chain: chainBalance,
    explanation: 'operator_funding',
    detail,
  };
}

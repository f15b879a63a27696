import type { Runner } from '../database/engine.ts';
import { sql } from 'kysely';
import { type BlockRef, ChainTrouble } from '../chains/port.ts';
import type { AccountOnChain } from '../chains/connect.ts';
import { type ChainName, chains, type CryptoCurrencyCode, familyOf } from '../shared/crypto-currency.ts';
import { BalanceSheet, readGasWallet, readWalletSheets } from '../ledger/balances.ts';
import type { Database } from '../database/database.ts';
import { accountOfDeposit, depositsWithFacts } from '../invoices/ledger.ts';
import { withdrawalFacts } from '../withdrawals/facts.ts';
import { countSent, findUnmined, findVersions, hasUnpostedFees } from '../withdrawals/store.ts';
import { readTip } from '../chains/cursor.ts';
import { readWatched } from '../deposits/balances/watch.ts';
import { selectWallets } from '../wallets/wallet.ts';

/** Wallets that are compared at a time. */
const WALLETS_AT_ONCE = 200;

type Explanation = HarmlessExplanation | LossExplanation;

/** Differences that need no action: they are expected, or resolve by themselves. */
type HarmlessExplanation =
  /** Blocks after the last one read have changed what the node says. */
  | 'blocks_not_read'
  /** A withdrawal is in a block and about to be posted. */
  | 'withdrawal_not_posted'
  /** Ether that a contract sent to an address whose balance is not watched. */
  | 'not_watched'
  /** Ether that was there before the balance of the address was watched. */
  | 'before_watch'
  /** Gas funding and fees from before there was a ledger. */
  | 'before_ledger'
  /** The operator funds the gas wallet from outside. */
  | 'operator_funding'
  /** A deposit to an address that was never issued, which is recorded apart. */
  | 'not_issued';

/** Differences that the operator has to look at and to settle. */
const lossExplanations = [
  /** Coins were spent by a transaction that is not a withdrawal. */
  'spent_outside',
  /** The address has sent transactions that are not withdrawals. */
  'sent_outside',
  /** A token balance changed though the address has sent nothing of its own: rebasing, a fee, a seizure. */
  'token_contract',
  /** A coin at one of our addresses that the books lack. */
  'missed_deposit',
  /** A coin that the books have as dropped, withdrawn, written off or waiting. */
  'other_state',
] as const;
type LossExplanation = (typeof lossExplanations)[number];

/** Whether the operator has to look at a difference. */
export function isUnsettled({ explanation }: Pick<Difference, 'explanation'>): boolean {
  return explanation === null || lossExplanations.some((loss) => loss === explanation);
}

export interface Difference {
  /** The address; null for the ledger of a chain as a whole. */
  address: string | null;
  /** The merchant that owns the wallet; null where no merchant does. */
  merchantId: number | null;
  code: string;
  ledger: bigint;
  /** On the chain; for differences within the books, what they must be. */
  chain: bigint;
  /** Null where the cause is not known. */
  explanation: Explanation | null;
  detail: string;
}

export interface Reconciliation {
  chain: ChainName;
  /** The block that was compared: the last one read. */
  height: number;
  wallets: number;
  /** What all wallets of a currency hold, and the accounts of the ledger: debits less credits. */
  totals: { code: string; ledger: bigint; chain: bigint; accounts: Record<string, bigint> }[];
  differences: Difference[];
  /** How many of them the operator has to look at. */
  unsettled: number;
}

interface ComparedWallet {
  id: number;
  merchantId: number;
  address: string;
  code: string;
  balance: bigint;
  sheet: BalanceSheet;
}

interface Coin {
  walletId: number;
  paymentKey: string;
  amount: bigint;
  withdrawalId: number | null;
}

interface OpenWithdrawal {
  id: number;
  sender: string | null;
  destination: string;
  txHashes: { txHash: string; since: number }[];
}

interface Page {
  at: BlockRef;
  lastId: number | null;
  wallets: ComparedWallet[];
  coins: Coin[];
  misplaced: { walletId: number; code: string; paymentKey: string; posted: string | null; actual: string | null }[];
  open: OpenWithdrawal[];
}

/**
 * Compares what the ledger says of each wallet with what the chain says at the last block that was read, and with
 * `wallets.balance`. Every difference is listed, with its explanation where there is one. Changes nothing. Throws
 * `ChainTrouble` where the node cannot tell.
 */
export async function reconcile(
  database: Pick<Database, 'inSnapshot' | 'query'>,
  connected: Pick<AccountOnChain, 'name' | 'chain' | 'spender'>,
): Promise<Reconciliation> {
  const { name } = connected;
  const sheet = new BalanceSheet();
  const onChain = new Map<string, bigint>();
  const differences: Difference[] = [];
  let wallets = 0;
  let height: number | null = null;
  for (let after: number | null = 0; after !== null; ) {
    const page: Page = await readPage(database, name, after, sheet);
    const found = await comparePage(database, connected, page, onChain);
    differences.push(...found);
    wallets += page.wallets.length;
    height = page.at.height;
    after = page.lastId;
  }
  const gas = await compareGasWallet(database, connected, sheet);
  if (gas) differences.push(gas);
  const codes = [...new Set([...sheet.codes, ...connected.chain.currencies])].sort();
  return {
    chain: name,
    height: height ?? 0,
    wallets,
    totals: codes.map((code) => ({
      code,
      ledger: sheet.of(code, 'wallet') + sheet.of(code, 'gas'),
      chain: onChain.get(code) ?? 0n,
      accounts: Object.fromEntries(sheet.accountsOf(code)),
    })),
    differences,
    unsettled: differences.filter(isUnsettled).length,
  };
}

/** Some wallets with all that decides, as of one moment. */
async function readPage(
  database: Pick<Database, 'inSnapshot'>,
  name: ChainName,
  after: number,
  total: BalanceSheet,
): Promise<Page> {
  return await database.inSnapshot(async (on) => {
    const at = await readTip(on, name);
    if (!at) throw new ChainTrouble('behind', `No block of ${name} has been read yet.`);
    const rows = await selectWallets(on).where('id', '>', after).orderBy('id').limit(WALLETS_AT_ONCE).execute();
    const ours = rows.filter(({ chain }) => chain === name);
    const ids = ours.map(({ id }) => id);
    const sheets = await readWalletSheets(on, ids, total);
    const deposits = () =>
      depositsWithFacts(on, withdrawalFacts)
        .select(['deposit.wallet_id', 'deposit.code', 'deposit.payment_key', 'deposit.amount'])
        .select(['deposit.withdrawal_id', 'deposit.ledger_account', accountOfDeposit.as('account')])
        .where('deposit.wallet_id', 'in', ids);
    const held =
      ids.length === 0 ? [] : await deposits().where('deposit.state', '=', 'mined').orderBy('deposit.id').execute();
    const misplaced =
      ids.length === 0
        ? []
        : await deposits()
            .where(sql<boolean>`coalesce(deposit.ledger_account, '') <> coalesce(${accountOfDeposit}, '')`)
            .execute();
    const open = await findUnmined(on, name);
    const versions = await findVersions(
      on,
      open.map(({ id }) => id),
    );
    return {
      at,
      lastId: rows.length < WALLETS_AT_ONCE ? null : (rows.at(-1)?.id ?? null),
      wallets: ours.map(({ id, merchant_id: merchantId, address, code, balance }) => ({
        ...{ id, merchantId, address, code, balance: BigInt(balance) },
        sheet: sheets.get(id) ?? new BalanceSheet(),
      })),
      coins: held
        .filter(({ account }) => account !== 'withdrawn' && account !== 'written_off')
        .map((coin) => ({
          ...{ walletId: coin.wallet_id, paymentKey: coin.payment_key, withdrawalId: coin.withdrawal_id },
          amount: BigInt(coin.amount),
        })),
      misplaced: misplaced.map(({ wallet_id: walletId, code, payment_key: paymentKey, ...deposit }) => ({
        ...{ walletId, code, paymentKey, posted: deposit.ledger_account, actual: deposit.account },
      })),
      open: open.map((withdrawal) => ({
        ...withdrawal,
        txHashes: (versions.get(withdrawal.id) ?? []).flatMap(({ txHash, since }) =>
          txHash === null ? [] : [{ txHash, since }],
        ),
      })),
    };
  });
}

async function comparePage(
  database: Runner,
  { chain, name }: Pick<AccountOnChain, 'name' | 'chain'>,
  page: Page,
  onChain: Map<string, bigint>,
): Promise<Difference[]> {
  const { wallets, at } = page;
  const byId = new Map(wallets.map((wallet) => [wallet.id, wallet]));
  const differences: Difference[] = wallets.flatMap((wallet): Difference[] => {
    const { merchantId, address, code, balance, sheet } = wallet;
    const ledger = sheet.of(code, 'wallet');
    const detail = 'The balance of the wallet is not what the ledger adds up to.';
    return balance === ledger ? [] : [{ address, merchantId, code, ledger, chain: balance, explanation: null, detail }];
  });
  for (const { walletId, code, paymentKey, posted, actual } of page.misplaced)
    differences.push({
      ...{ address: byId.get(walletId)?.address ?? null, merchantId: byId.get(walletId)?.merchantId ?? null },
      ...{ code, ledger: 0n, chain: 0n, explanation: null },
      detail: `Deposit ${paymentKey} is posted to ${posted ?? 'no account'} and belongs in ${actual ?? 'none'}.`,
    });
  const add = (code: string, amount: bigint) => onChain.set(code, (onChain.get(code) ?? 0n) + amount);
  const landed = await findLanded(chain, page.open);
  const states = await chain.coinStates(
    page.coins.map(({ paymentKey }) => paymentKey),
    at,
  );
  if (states) {
    const isThere = ({ paymentKey }: Coin) => states.get(paymentKey) !== 'spent';
    const isBehind = page.coins.length > 0 && (await chain.tip()).hash !== at.hash;
    const code = chain.currencies[0] ?? '';
    for (const wallet of wallets) {
      const coins = page.coins.filter(({ walletId }) => walletId === wallet.id);
      const there = coins.filter(isThere);
      const ledger = wallet.sheet.of(code, 'wallet');
      const held = there.reduce((sum, { amount }) => sum + amount, 0n);
      add(code, held);
      if (held === ledger) continue;
      const spent = coins.filter((coin) => !isThere(coin));
      const isOurs = spent.length > 0 && spent.every(({ withdrawalId: id }) => id !== null && landed.has(id));
      const names = spent.map(({ paymentKey }) => paymentKey).join(', ');
      differences.push({
        ...{ address: wallet.address, merchantId: wallet.merchantId, code, ledger, chain: held },
        explanation: isOurs
          ? 'withdrawal_not_posted'
          : isBehind
            ? 'blocks_not_read'
            : spent.length > 0
              ? 'spent_outside'
              : null,
        detail:
          spent.length === 0
            ? 'The ledger does not add up to the coins of the wallet.'
            : isOurs
              ? `A withdrawal has spent ${names}; it is posted next.`
              : `Spent or no longer in the chain, and not by a withdrawal: ${names}.`,
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
      const ledger = wallet.sheet.of(code, 'wallet') + wallet.sheet.of(code, 'gas');
      const held = balances?.get(wallet.address) ?? 0n;
      add(code, held);
      if (held === ledger) continue;
      const found = { address: wallet.address, merchantId: wallet.merchantId, code, ledger, chain: held };
      const isOurs = page.open.some(
        ({ id, sender, destination }) =>
          landed.has(id) && (sender === wallet.address || destination === wallet.address),
      );
      const explained = isOurs
        ? ({
            explanation: 'withdrawal_not_posted',
            detail: 'A transaction of ours is in a block; it is posted next.',
          } as const)
        : await explainAccount(database, { chain, name, wallet, at }, { code, extra: held - ledger });
      differences.push({ ...found, ...explained });
    }
  }
  return differences;
}

/** Withdrawals that are in a block by now. */
async function findLanded(chain: AccountOnChain['chain'], open: readonly OpenWithdrawal[]): Promise<Set<number>> {
  const landed = new Set<number>();
  for (const { id, txHashes } of open)
    for (const { txHash, since } of txHashes) {
      const { state } = await chain.lookUp(txHash, since);
      if (state === 'mined' || state === 'failed') landed.add(id);
    }
  return landed;
}

async function explainAccount(
  on: Runner,
  {
    chain,
    name,
    wallet,
    at,
  }: { chain: AccountOnChain['chain']; name: ChainName; wallet: ComparedWallet; at: BlockRef },
  { code, extra }: { code: CryptoCurrencyCode; extra: bigint },
): Promise<Pick<Difference, 'explanation' | 'detail'>> {
  const { id, address } = wallet;
  const { feeCode } = chains[name];
  if (code === feeCode && (await hasUnpostedFees(on, name, address)))
    return { explanation: 'before_ledger', detail: 'Gas funding and fees from before there was a ledger.' };
  if (code === feeCode && extra > 0n) {
    const watched = await readWatched(on, id);
    if (watched === null)
      return { explanation: 'not_watched', detail: 'A contract sent ether to an address that is not watched.' };
    if (extra <= watched)
      return { explanation: 'before_watch', detail: 'The ether was there before the address was watched.' };
  }
  const sent = (await chain.sentBy([address], at))?.get(address) ?? 0;
  const others = sent - (await countSent(on, name, address));
  if (others > 0)
    return { explanation: 'sent_outside', detail: `The address has sent ${others} transactions that are not ours.` };
  const change = extra > 0n ? 'more' : 'less';
  if (code === feeCode) return { explanation: null, detail: `The chain has ${change} than the ledger.` };
  return {
    explanation: 'token_contract',
    detail: `The token contract reports ${change} than was transferred, and the address has sent nothing else: a rebasing token, a fee, a seizure or an allowance.`,
  };
}

/** The gas wallet is funded by the operator, and by nobody else: what it has left is what came in less what we know went out. */
async function compareGasWallet(
  database: Pick<Database, 'inSnapshot'>,
  { name, chain, spender: load }: Pick<AccountOnChain, 'name' | 'chain' | 'spender'>,
  total: BalanceSheet,
): Promise<Difference | null> {
  if (familyOf(name).model !== 'accounts') return null;
  const { feeCode } = chains[name];
  const { at, ledger } = await database.inSnapshot(async (on) => ({
    ledger: await readGasWallet(on, name, total),
    at: await readTip(on, name),
  }));
  const spender = await load();
  if (spender.kind !== 'accounts' || !at) return null;
  const { address } = spender.gasWallet;
  const held = (await chain.balances(feeCode, [address], at))?.get(address) ?? 0n;
  if (held === ledger) return null;
  const detail = `The operator has funded the gas wallet with ${held - ledger} wei from outside.`;
  return { address, merchantId: null, code: feeCode, ledger, chain: held, explanation: 'operator_funding', detail };
}

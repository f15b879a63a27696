import type { Account } from '../../../src/api/account.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import type { AccountApi } from '../api.ts';
import type { Command } from '../command-palette.ts';
import type { AccountMerchant } from '../context.ts';
import { Format } from '../format.ts';
import { outcomeOf } from '../transactions/outcome.ts';
import { statusText } from '../transactions/status.ts';
import { accountPath, type RouteName, routes } from '../routes.ts';
import { scopesFor } from './access.ts';

interface CommandContext {
  i18n: I18n;
  account: Account;
  merchant: AccountMerchant | null;
  pages: readonly RouteName[];
  navigate(url: string): void;
  showShortcuts(): void;
  signOut(): void;
}

const textOf = ({ i18n }: Pick<CommandContext, 'i18n'>, key: string, values = {}) =>
  i18n.text(`account.shell.${key}`, values);

/** The commands of the palette. */
export function commandsOf(context: CommandContext): Command[] {
  const { account, merchant, pages } = context;
  const group = textOf(context, 'palette.you');
  const page = (name: RouteName, group: string, url: string): Command => ({
    ...{ id: name, label: textOf(context, `pages.${name}`), group, icon: routes[name].icon },
    run: () => context.navigate(url),
  });
  const ownPages: RouteName[] = account.person.isManager ? ['me', 'merchants'] : ['me'];
  return [
    ...pages.map((name) =>
      page(name, textOf(context, 'palette.pages'), accountPath(merchant?.id ?? null, routes[name].path)),
    ),
    ...ownPages.map((name) => page(name, group, `/account/${routes[name].path}`)),
    { id: 'keys', label: textOf(context, 'keys.title'), group, icon: 'keyboard', run: () => context.showShortcuts() },
    { id: 'sign-out', label: textOf(context, 'sign_out'), group, icon: 'log-out', run: () => context.signOut() },
    ...account.merchants.filter(({ id }) => id !== merchant?.id).map((listed) => merchantCommand(context, listed)),
  ];
}

function merchantCommand(
  context: Pick<CommandContext, 'i18n' | 'navigate'>,
  { id, name }: { id: number; name: string },
): Command {
  const group = textOf(context, 'palette.merchants');
  return { id: `merchant-${id}`, label: name, group, icon: 'store', run: () => context.navigate(accountPath(id)) };
}

/** For managers: searches merchants beyond the first hundred. */
async function findMerchants(context: CommandContext, api: AccountApi, search: string): Promise<Command[]> {
  return (await api.listMerchants({ search })).merchants.map((listed) => merchantCommand(context, listed));
}

/** The merchant whose transactions the user can search. */
function searchableMerchant({ merchant }: CommandContext): AccountMerchant | null {
  return merchant !== null && scopesFor(merchant).has('transaction:read') ? merchant : null;
}

/** Maximum lengths of a search; the hash of an Ethereum transaction has 66 characters. */
const MAX_SEARCH_LENGTH = { fiat: 64, crypto: 128 };

/** Hexadecimal hashes and addresses, bech32 addresses, and base58 addresses by their first character. */
const CRYPTO_SHAPES = [
  /^(?:0x[0-9a-f]{40}|(?:0x)?[0-9a-f]{64})$/i,
  /^[a-z]{2,8}1[a-z0-9]{20,}$/i,
  /^[13LMT2mn][1-9A-HJ-NP-Za-km-z]{25,34}$/,
];

/** Opens the list of transactions with this search: of crypto transactions for an address or a hash. */
export function searchCommand(context: CommandContext, search: string): Command[] {
  const merchant = searchableMerchant(context);
  if (search === '' || merchant === null) return [];
  const [label, group] = [textOf(context, 'palette.search', { search }), textOf(context, 'palette.transactions')];
  const isCrypto = search.length > MAX_SEARCH_LENGTH.fiat || CRYPTO_SHAPES.some((shape) => shape.test(search));
  const kind = isCrypto ? 'kind=crypto&' : '';
  const url = `${accountPath(merchant.id, 'transactions')}?${kind}search=${encodeURIComponent(search)}`;
  return [{ id: 'search', label, group, icon: 'search', run: () => context.navigate(url) }];
}

const MAX_FOUND_TRANSACTIONS = 5;
/** A single character matches too many transactions to be useful. */
const MIN_SEARCH_LENGTH = 2;

/** Finds transactions by reference, payer, amount, or the last digits of a card. */
async function findTransactions(context: CommandContext, api: AccountApi, search: string): Promise<Command[]> {
  const merchant = searchableMerchant(context);
  if (merchant === null || search.length < MIN_SEARCH_LENGTH || search.length > MAX_SEARCH_LENGTH.fiat) return [];
  const { i18n } = context;
  const format = new Format(i18n.locale);
  const group = textOf(context, 'palette.transactions');
  const { transactions } = await api.listTransactions({ search, per_page: MAX_FOUND_TRANSACTIONS });
  return transactions.map((item) => {
    const { transaction_id: reference, currency, payer, card } = item;
    const { status, hasTwoAmounts } = outcomeOf(item);
    const details = [
      ...[statusText(status, i18n), payer?.name ?? payer?.email, card && `••••\u00a0${card.last4}`],
      format.dateText(item.created_at),
    ];
    return {
      ...{ id: `transaction-${reference}`, label: reference, group, icon: 'receipt-text' },
      details: details.filter((detail) => typeof detail === 'string'),
      amount: format.money(hasTwoAmounts ? item.amount_received : item.amount, currency),
      run: () => context.navigate(accountPath(merchant.id, 'transactions', reference)),
    };
  });
}

/** Finds crypto transactions by reference, address or transaction hash. */
async function findCryptoTransactions(context: CommandContext, api: AccountApi, search: string): Promise<Command[]> {
  const merchant = searchableMerchant(context);
  if (merchant === null || search.length < MIN_SEARCH_LENGTH || search.length > MAX_SEARCH_LENGTH.crypto) return [];
  const { i18n } = context;
  const format = new Format(i18n.locale);
  const group = textOf(context, 'palette.transactions');
  const { transactions } = await api.listCryptoTransactions({ search, per_page: MAX_FOUND_TRANSACTIONS });
  return transactions.map(
    ({ id, txId, walletAddress, amount, amountRequiredUnit, amountUnit, code, status, createdAt }) => ({
      ...{ id: `crypto-${id}`, label: txId ?? walletAddress, group, icon: 'bitcoin' },
      details: [statusText(status, i18n), format.dateText(createdAt)],
      amount: format.coins(amount === '0' ? (amountRequiredUnit ?? amountUnit) : amountUnit, code),
      run: () => context.navigate(`${accountPath(merchant.id, 'transactions', id)}?kind=crypto`),
    }),
  );
}

/**
 * Finds transactions of the shown merchant, unless only merchants are wanted, and for managers merchants. If a search
 * fails, the results of the others are still shown. The list of all matches comes before them, so that Enter does not
 * depend on the speed of the search: only an exact reference precedes it.
 */
export async function findCommands(
  context: CommandContext,
  apiFor: (merchantId: number | null) => AccountApi,
  search: string,
  { onlyMerchants = false } = {},
): Promise<Command[]> {
  const api = apiFor(context.merchant?.id ?? null);
  const searches = await Promise.allSettled([
    onlyMerchants ? [] : findTransactions(context, api, search),
    onlyMerchants ? [] : findCryptoTransactions(context, api, search),
    context.account.person.isManager ? findMerchants(context, apiFor(null), search) : [],
  ]);
  const [payments = [], crypto = [], merchants = []] = searches.map((each) =>
    each.status === 'fulfilled' ? each.value : [],
  );
  const found = [...payments, ...crypto];
  const failed = searches.find((each) => each.status === 'rejected');
  if (failed && found.length + merchants.length === 0) throw failed.reason;
  const exact = found.filter(({ label }) => label === search);
  const isSearched = search.length >= MIN_SEARCH_LENGTH;
  const list = onlyMerchants || (isSearched && found.length === 0) ? [] : searchCommand(context, search);
  return [...exact, ...list, ...found.filter((command) => !exact.includes(command)), ...merchants];
}

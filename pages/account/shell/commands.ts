import type { Account } from '../../../src/api/account.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import type { AccountApi } from '../api.ts';
import type { Command } from '../command-palette.ts';
import type { AccountMerchant } from '../context.ts';
import { addressOf, type RouteName, routes } from '../routes.ts';
import { scopesFor } from './access.ts';

interface Commanded {
  i18n: I18n;
  account: Account;
  merchant: AccountMerchant | null;
  pages: readonly RouteName[];
  navigate(address: string): void;
  showKeys(): void;
  signOut(): void;
}

const textOf = ({ i18n }: Pick<Commanded, 'i18n'>, key: string, values = {}) =>
  i18n.text(`account.shell.${key}`, values);

/** The commands of the palette. */
export function commandsOf(frame: Commanded): Command[] {
  const { account, merchant, pages } = frame;
  const you = textOf(frame, 'palette.you');
  const page = (name: RouteName, group: string, address: string): Command => ({
    ...{ id: name, label: textOf(frame, `pages.${name}`), group, icon: routes[name].icon },
    run: () => frame.navigate(address),
  });
  const own: RouteName[] = account.person.isManager ? ['me', 'merchants'] : ['me'];
  return [
    ...pages.map((name) =>
      page(name, textOf(frame, 'palette.pages'), addressOf(merchant?.id ?? null, routes[name].path)),
    ),
    ...own.map((name) => page(name, you, `/account/${routes[name].path}`)),
    { id: 'keys', label: textOf(frame, 'keys.title'), group: you, icon: 'keyboard', run: () => frame.showKeys() },
    { id: 'sign-out', label: textOf(frame, 'sign_out'), group: you, icon: 'log-out', run: () => frame.signOut() },
    ...account.merchants.filter(({ id }) => id !== merchant?.id).map((each) => merchantCommand(frame, each)),
  ];
}

function merchantCommand(
  frame: Pick<Commanded, 'i18n' | 'navigate'>,
  { id, name }: { id: number; name: string },
): Command {
  const group = textOf(frame, 'palette.merchants');
  return { id: `merchant-${id}`, label: name, group, icon: 'store', run: () => frame.navigate(addressOf(id)) };
}

/** For managers: merchants beyond the first hundred. */
export async function findMerchants(frame: Commanded, api: AccountApi, search: string): Promise<Command[]> {
  return (await api.listMerchants({ search })).merchants.map((each) => merchantCommand(frame, each));
}

/** The transaction with the typed reference. */
export function transactionCommand(frame: Commanded, reference: string): Command[] {
  const { merchant } = frame;
  if (reference === '' || merchant === null || !scopesFor(merchant).has('transaction:read')) return [];
  const [label, group] = [textOf(frame, 'palette.transaction', { reference }), textOf(frame, 'palette.find')];
  const run = () => frame.navigate(addressOf(merchant.id, 'transactions', reference));
  return [{ id: 'reference', label, group, icon: 'receipt-text', run }];
}

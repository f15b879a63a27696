import type { Account } from '../../../src/api/account.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import type { AccountApi } from '../api.ts';
import type { Command } from '../command-palette.ts';
import type { AccountMerchant } from '../context.ts';
import { accountPath, type RouteName, routes } from '../routes.ts';
import { scopesFor } from './access.ts';

interface CommandContext {
  i18n: I18n;
  account: Account;
  merchant: AccountMerchant | null;
  pages: readonly RouteName[];
  navigate(address: string): void;
  showShortcuts(): void;
  signOut(): void;
}

const textOf = ({ i18n }: Pick<CommandContext, 'i18n'>, key: string, values = {}) =>
  i18n.text(`account.shell.${key}`, values);

/** The commands of the palette. */
export function commandsOf(context: CommandContext): Command[] {
  const { account, merchant, pages } = context;
  const group = textOf(context, 'palette.you');
  const page = (name: RouteName, group: string, address: string): Command => ({
    ...{ id: name, label: textOf(context, `pages.${name}`), group, icon: routes[name].icon },
    run: () => context.navigate(address),
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
export async function findMerchants(context: CommandContext, api: AccountApi, search: string): Promise<Command[]> {
  return (await api.listMerchants({ search })).merchants.map((listed) => merchantCommand(context, listed));
}

/** Opens the transaction with this reference. */
export function transactionCommand(context: CommandContext, reference: string): Command[] {
  const { merchant } = context;
  if (reference === '' || merchant === null || !scopesFor(merchant).has('transaction:read')) return [];
  const [label, group] = [textOf(context, 'palette.transaction', { reference }), textOf(context, 'palette.find')];
  const run = () => context.navigate(accountPath(merchant.id, 'transactions', reference));
  return [{ id: 'reference', label, group, icon: 'receipt-text', run }];
}

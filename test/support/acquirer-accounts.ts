import { paymentMethods } from '../../src/methods/catalog.ts';
import type { CardAcquirer } from '../../src/acquirers/port.ts';
import type { PushAcquirer } from '../../src/acquirers/push-port.ts';
import { type AcquirerAccount, findCapability } from '../../src/acquirers/registry.ts';
import type { Service } from '../../src/app.ts';

/** Changes every account of a service. Returns a function that restores them. */
export function changeAccounts(
  { payments: { acquirers } }: Pick<Service, 'payments'>,
  change: (account: AcquirerAccount) => AcquirerAccount,
): () => void {
  const { route, find } = acquirers;
  acquirers.route = (payment) =>
    route(payment)
      .map(change)
      .filter((account) => findCapability(account, payment));
  acquirers.find = (key) => {
    const account = find(key);
    return account && change(account);
  };
  return () => Object.assign(acquirers, { route, find });
}

/** Changes the push port of every account. Returns a function that restores them. */
export function changePush(service: Service, change: (push: PushAcquirer) => PushAcquirer): () => void {
  return changeAccounts(service, (account) => (account.push ? { ...account, push: change(account.push) } : account));
}

/** Changes the card port of the sandbox's account; null removes it. Returns a function that restores it. */
export function changeCard(service: Service, change: (card: CardAcquirer) => CardAcquirer | null): () => void {
  return changeAccounts(service, (account) => {
    if (!account.card) return account;
    const { card, ...rest } = account;
    const changed = change(card);
    if (changed) return { ...rest, card: changed };
    return { ...rest, capabilities: account.capabilities.filter(({ method }) => !cardMethods.includes(method)) };
  });
}

/** Adds an account for cards to a service of the production environment, which has none without setup. */
export function addCardAccount({ payments: { acquirers } }: Service, card: CardAcquirer): void {
  const account: AcquirerAccount = {
    key: 'test',
    adapter: 'test',
    capabilities: cardMethods.map((method) => ({
      ...{ method, countries: 'all', currencies: 'all', refunds: 'partial', latePayments: false, payerFields: [] },
    })),
    card,
    check: () => Promise.resolve({ result: 'ok', detail: '' }),
  };
  const { route, find } = acquirers;
  acquirers.route = (payment) => [...(findCapability(account, payment) ? [account] : []), ...route(payment)];
  acquirers.find = (key) => (key === account.key ? account : find(key));
}

const cardMethods = paymentMethods.filter(({ action }) => action === 'card').map(({ code }) => code);

import { expect } from 'chai';
import { findCommands, searchCommand } from '../../pages/account/shell/commands.ts';
import { PaylatchError } from '../../client/error.ts';
import { CommandPalette, type Command } from '../../pages/account/command-palette.ts';
import {
  accountContext,
  accountI18n,
  accessibilityViolations,
  type FakeResponse,
  hostileTexts,
  problem,
  waitForPage,
  horizontalOverflow,
  textOf,
  loadStyles,
} from './account-fixtures.ts';

async function openPalette(commands: readonly Command[], change: Partial<CommandPalette> = {}) {
  const palette = new CommandPalette();
  // Searches start without a pause in typing.
  const schedule: CommandPalette['schedule'] = (_delayMs, callback) => {
    callback();
    return () => {};
  };
  Object.assign(palette, { i18n: accountI18n, commands, schedule, ...change });
  await loadStyles();
  document.body.append(palette);
  await palette.updateComplete;
  palette.open();
  await waitForPage(palette);
  const input = palette.querySelector('input');
  if (!input) throw new Error('The palette has no field');
  const press = async (key: string) => {
    input.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await palette.updateComplete;
  };
  const type = async (text: string) => {
    input.value = text;
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await palette.updateComplete;
    await new Promise((resolve) => setTimeout(resolve));
    await palette.updateComplete;
  };
  const options = () => [...palette.querySelectorAll('[role=option]')].map(textOf);
  const chosen = () => textOf(palette.querySelector('[aria-selected=true]'));
  return { palette, input, press, type, options, chosen };
}

function commandsOf(ran: string[], labels: readonly string[]): Command[] {
  return labels.map((label, index) => ({
    id: `command-${index}`,
    label,
    group: 'Pages',
    icon: 'list',
    run: () => void ran.push(label),
  }));
}

describe('the command palette', () => {
  afterEach(() => document.body.replaceChildren());

  it('is a combobox: the field keeps the focus, arrows select, Enter runs the command and closes', async () => {
    const ran: string[] = [];
    const { palette, input, press, chosen } = await openPalette(commandsOf(ran, ['Overview', 'Team', 'Settings']));
    expect(document.activeElement === input).to.equal(true);
    expect(chosen()).to.equal('Overview');
    await press('ArrowDown');
    expect(chosen()).to.equal('Team');
    expect(input.getAttribute('aria-activedescendant')).to.equal(
      palette.querySelector('[aria-selected=true]')?.id ?? '(none)',
    );
    await press('ArrowUp');
    await press('ArrowUp');
    expect(chosen(), 'wraps around').to.equal('Settings');
    await press('Enter');
    await waitForPage(palette);
    expect(ran).to.deep.equal(['Settings']);
    expect(palette.isOpen).to.equal(false);
  });

  it('matches any part, ignores accents and case, and announces no results', async () => {
    const { palette, type, options } = await openPalette(commandsOf([], ['Configuración', 'Team']));
    await type('CION');
    expect(options()).to.deep.equal(['Configuración']);
    await type('zzz');
    expect(options()).to.deep.equal([]);
    expect(textOf(palette.querySelector('[role=status]'))).to.match(/^No results/);
  });

  const numbered = (ran: string[], prefix: string) => (typed: string) =>
    commandsOf(ran, typed === '' ? [] : [`${prefix} ${typed}`]).map((each) => ({ ...each, id: prefix }));

  it('offers commands derived from the query, then fetched ones', async () => {
    const ran: string[] = [];
    let fetch: (commands: readonly Command[]) => void = () => {};
    const { palette, type, options, press } = await openPalette(commandsOf([], ['Team']), {
      deriveCommands: numbered(ran, 'Open'),
      searchCommands: async () => await new Promise((resolve) => (fetch = resolve)),
    });
    const status = () => textOf(palette.querySelector('[role=status]'));
    await type('order-1');
    expect(options()).to.deep.equal(['Open order-1']);
    expect(status()).to.equal('Loading');
    fetch([...numbered(ran, 'Open')('order-1'), ...numbered(ran, 'Found')('order-1')]);
    await waitForPage(palette);
    expect(options()).to.deep.equal(['Open order-1', 'Found order-1']);
    expect(status()).to.equal('');
    await press('ArrowDown');
    await press('Enter');
    await waitForPage(palette);
    expect(ran).to.deep.equal(['Found order-1']);
  });

  it('searches after a pause in typing, once for several characters', async () => {
    const searched: string[] = [];
    const delays: number[] = [];
    const waiting = new Set<() => void>();
    const { palette, type } = await openPalette([], {
      searchCommands: async (typed) => {
        searched.push(typed);
        return [];
      },
      schedule: (delayMs, callback) => {
        delays.push(delayMs);
        waiting.add(callback);
        return () => void waiting.delete(callback);
      },
    });
    const pause = () => {
      for (const callback of waiting) callback();
      waiting.clear();
    };
    await type('o');
    await type('or');
    expect(textOf(palette.querySelector('[role=status]'))).to.equal('Loading');
    pause();
    expect(searched).to.deep.equal(['or']);
    expect(delays).to.deep.equal([150, 150]);
    await type('ord');
    await type('');
    pause();
    await type('orde');
    palette.close();
    pause();
    expect(searched, 'after the query was cleared, or the palette closed').to.deep.equal(['or']);
  });

  it('offers what was found for another query only if it matches this one', async () => {
    const ran: string[] = [];
    const { palette, type, options, press } = await openPalette(commandsOf([], ['Team']), {
      deriveCommands: numbered(ran, 'Open'),
      searchCommands: async (typed) =>
        typed === 'ord' ? commandsOf(ran, ['Found order-1', 'Found order-2']) : await new Promise(() => {}),
    });
    await type('ord');
    expect(options()).to.deep.equal(['Found order-1', 'Found order-2']);
    await type('order-2');
    expect(options()).to.deep.equal(['Open order-2', 'Found order-2']);
    await type('order-3');
    expect(options()).to.deep.equal(['Open order-3']);
    await press('Enter');
    await waitForPage(palette);
    expect(ran).to.deep.equal(['Open order-3']);
  });

  it('keeps the selected command selected when others are found', async () => {
    const ran: string[] = [];
    let fetch: (commands: readonly Command[]) => void = () => {};
    const { palette, type, press } = await openPalette(commandsOf(ran, ['Order page', 'Orders']), {
      searchCommands: async () => await new Promise((resolve) => (fetch = resolve)),
      deriveCommands: numbered(ran, 'Open'),
    });
    await type('order');
    await press('ArrowDown');
    await press('ArrowDown');
    fetch([...numbered(ran, 'Found')('order'), ...numbered(ran, 'Open')('order')]);
    await waitForPage(palette);
    await press('Enter');
    await waitForPage(palette);
    expect(ran).to.deep.equal(['Open order']);
  });

  it('keeps the derived command if the search fails, and shows the problem', async () => {
    const { palette, type, options } = await openPalette([], {
      deriveCommands: numbered([], 'Open'),
      searchCommands: async () => await Promise.reject(new PaylatchError('unreachable', '')),
    });
    await type('order-1');
    expect(options()).to.deep.equal(['Open order-1']);
    expect(textOf(palette.querySelector('[role=status]'))).to.equal('Service unavailable');
  });

  it('opens for one group, or for all if the group is empty', async () => {
    const merchants = commandsOf([], ['Kettle & Co']).map((each) => ({ ...each, id: 'merchant', group: 'Merchants' }));
    const { palette, options } = await openPalette([...commandsOf([], ['Team']), ...merchants]);
    expect(options()).to.deep.equal(['Team', 'Kettle & Co']);
    palette.open('Merchants');
    await palette.updateComplete;
    expect(options()).to.deep.equal(['Kettle & Co']);
    palette.open('Others');
    await palette.updateComplete;
    expect(options()).to.deep.equal(['Team', 'Kettle & Co']);
  });

  it('is accessible', async () => {
    await openPalette(commandsOf([], ['Overview', 'Team']));
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows hostile names as text', async () => {
    const { options } = await openPalette(commandsOf([], hostileTexts));
    expect(options()).to.deep.equal(hostileTexts.map((text) => text.trim()));
    expect(horizontalOverflow()).to.be.at.most(0);
    expect(Object.hasOwn(window, 'hostileTextRan')).to.equal(false);
  });
});

describe('the palette search', () => {
  const payment = {
    ...{ id: 1, merchant_id: 7, amount: 12.5, amount_charged: 12.5, transaction_id: 'order-1', currency: 'USD' },
    ...{ status: 'transaction_status_confirmed', description: '', additional_currency: 'USD' },
    ...{ rate_merchant_final: 1, created_at: '2026-03-10T11:00:00.000000Z', payment_method: 'credit_card' },
    ...{ updated_at: '2026-03-10T11:00:00.000000Z', amount_received: 12.5, amount_kept: 12.5 },
    ...{ card: { brand: 'visa', last4: '4242' }, payer: { name: 'José Muñoz', email: 'jose@shop.example' } },
  };
  const pagination = { page: 1, per_page: 5, total: 1, total_capped: false, pages: 1, next_cursor: null };
  const payments: FakeResponse = { body: { transactions: [payment], pagination } };
  const invoice = {
    ...{ id: 'money-1', txId: 'coffee-1', code: 'eth', walletAddress: `0x${'5'.repeat(40)}`, status: 'complete' },
    createdAt: '2026-03-10T11:00:00.000000Z',
    ...{ amountRequiredUnit: '2.5', amountUnit: '2.5' },
  };

  function searchIn(responses: Record<string, FakeResponse>) {
    const { context, requests } = accountContext(responses);
    const { account, merchant, api } = context;
    if (account === null) throw new Error('There is no account');
    const visited: string[] = [];
    const nothing = () => {};
    const palette = {
      ...{ i18n: accountI18n, account, merchant, pages: [], showShortcuts: nothing, signOut: nothing },
      navigate: (url: string) => void visited.push(url),
    };
    return {
      palette,
      requests,
      visited,
      find: async (search: string) => await findCommands(palette, () => api, search),
    };
  }

  it('finds transactions with payer, card, amount and status, and leads to the list', async () => {
    const { palette, requests, visited, find } = searchIn({ 'GET /fiat/v1/transactions': payments });
    const [list, command] = await find('jose');
    expect(list?.id).to.equal('search');
    expect(requests[0]?.query.get('search')).to.equal('jose');
    expect(command?.label).to.equal('order-1');
    expect(command?.details).to.deep.equal(['Confirmed', 'José Muñoz', '••••\u00a04242', 'Mar 10, 2026']);
    expect(command?.amount).to.equal('$12.50');
    command?.run();
    searchCommand(palette, 'a b')[0]?.run();
    expect(visited).to.deep.equal(['/account/7/transactions/order-1', '/account/7/transactions?search=a%20b']);
    expect((await find('j')).map(({ id }) => id)).to.deep.equal(['search']);
  });

  it('lists an exact reference first, and no list without matches', async () => {
    const none = { body: { transactions: [], pagination, next_cursor: null } };
    const two = { body: { transactions: [{ ...payment, transaction_id: 'order-10' }, payment], pagination } };
    const { find } = searchIn({ 'GET /fiat/v1/transactions': two, 'GET /v1/transactions': none });
    const ids = (await find('order-1')).map(({ id }) => id);
    expect(ids).to.deep.equal(['transaction-order-1', 'search', 'transaction-order-10']);
    const { find: findNothing } = searchIn({ 'GET /fiat/v1/transactions': none, 'GET /v1/transactions': none });
    expect(await findNothing('zzz')).to.deep.equal([]);
  });

  it('fails if nothing was found because a search failed', async () => {
    const { find } = searchIn({ 'GET /fiat/v1/transactions': problem(503, 'unavailable') });
    const error = await find('order').catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(PaylatchError);
  });

  it('offers a manager the merchants found when another search failed', async () => {
    const { palette, find } = searchIn({
      'GET /fiat/v1/transactions': problem(503, 'unavailable'),
      'GET /v1/merchants': { body: { merchants: [{ merchant_id: 9, name: 'Kettle', status: 'active' }] } },
    });
    palette.account = { ...palette.account, person: { ...palette.account.person, isManager: true } };
    expect((await find('kettle')).map(({ label }) => label)).to.deep.equal(['Kettle']);
  });

  it('finds crypto transactions too', async () => {
    const withoutInvoice = { ...invoice, id: 'money-2', txId: null, amountRequiredUnit: null };
    const { requests, visited, find } = searchIn({
      'GET /fiat/v1/transactions': payments,
      'GET /v1/transactions': { body: { transactions: [invoice, withoutInvoice], next_cursor: null } },
    });
    const found = await find('coffee');
    expect(requests.map(({ query }) => [query.get('search'), query.get('per_page')])).to.deep.equal(
      Array(2).fill(['coffee', '5']),
    );
    expect(found.slice(2).map(({ label, amount }) => [label, amount])).to.deep.equal([
      ['coffee-1', '2.5\u00a0ETH'],
      [invoice.walletAddress, '2.5\u00a0ETH'],
    ]);
    expect(found[2]?.details).to.deep.equal(['Complete', 'Mar 10, 2026']);
    found[2]?.run();
    expect(visited).to.deep.equal(['/account/7/transactions/money-1?kind=crypto']);
  });

  it('finds a hash, which is longer than a search for payments may be', async () => {
    const { palette, requests, visited, find } = searchIn({
      'GET /v1/transactions': { body: { transactions: [invoice], next_cursor: null } },
    });
    const hash = `0x${'a'.repeat(64)}`;
    expect((await find(hash)).map(({ id }) => id)).to.deep.equal(['search', 'crypto-money-1']);
    expect(requests.map(({ path }) => path)).to.deep.equal(['/v1/transactions']);
    searchCommand(palette, hash)[0]?.run();
    expect(visited).to.deep.equal([`/account/7/transactions?kind=crypto&search=${hash}`]);
    expect(await find('a'.repeat(129))).to.deep.equal([]);
  });

  it('opens the crypto list for an address or a hash, the payments for other text', () => {
    const { palette, visited } = searchIn({});
    const crypto = [
      ...[`0x${'5'.repeat(40)}`, 'A1'.repeat(32), 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq'],
      ...['1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2', 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'],
    ];
    const payments = [
      ...['order-1', 'jose@shop.example', 'José Muñoz', '4242', 'a'.repeat(25), 'order 1BvBMSEYstWetqTFn5Au4m4GFg7'],
      'subscription-2026-03-10-000000000001',
    ];
    for (const search of [...crypto, ...payments]) searchCommand(palette, search)[0]?.run();
    const list = '/account/7/transactions?';
    expect(visited).to.deep.equal([
      ...crypto.map((search) => `${list}kind=crypto&search=${search}`),
      ...payments.map((search) => `${list}search=${encodeURIComponent(search)}`),
    ]);
  });

  it('shows payments if the search for crypto transactions fails', async () => {
    const { find } = searchIn({
      'GET /fiat/v1/transactions': payments,
      'GET /v1/transactions': problem(403, 'missing_scope'),
    });
    expect((await find('order')).map(({ id }) => id)).to.deep.equal(['search', 'transaction-order-1']);
  });
});

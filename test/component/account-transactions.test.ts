import { expect } from 'chai';
import type WaDetails from '@awesome.me/webawesome/dist/components/details/details.js';
import type WaInput from '@awesome.me/webawesome/dist/components/input/input.js';
import type WaSelect from '@awesome.me/webawesome/dist/components/select/select.js';
import { ReactiveElement, render } from 'lit';
import type { CallbackDetail, CryptoTransaction, TransactionDetail, TransactionListItem } from '../../client/api.ts';
import type { LiveUpdate } from '../../pages/account/live.ts';
import { parseTypedAmount, typedAmountText } from '../../pages/account/typed-amount.ts';
import { RowCounter, saveExport } from '../../pages/account/transactions/export.ts';
import { toApiQuery, parseListQuery, formatListQuery } from '../../pages/account/transactions/filters.ts';
import { visibleColumns } from '../../pages/account/transactions/columns.ts';
import { deleteFilter, readSavedFilters, saveFilter } from '../../pages/account/transactions/saved-filters.ts';
import { datePresets, presetOf, presetRange } from '../../pages/account/dates.ts';
import { RefundAmount } from '../../pages/account/transactions/refund-amount.ts';
import { netAmountLines, requestedLines } from '../../pages/account/transactions/amount-lines.ts';
import { TransactionPage } from '../../pages/account/transactions/transaction-page.ts';
import { TransactionsPage } from '../../pages/account/transactions/transactions-page.ts';
import {
  accountContext,
  toggleExpandable,
  type FakeResponse,
  accessibilityViolations,
  button,
  copyValues,
  radio,
  hostileTexts,
  problem,
  waitForPage,
  resizePage,
  showPage,
  horizontalOverflow,
  textOf,
} from './account-fixtures.ts';

const own = location.pathname;

function item(index: number, change: Partial<TransactionListItem> = {}): TransactionListItem {
  return {
    id: 100_000 - index,
    merchant_id: 7,
    amount: 12.5,
    amount_charged: 12.5,
    transaction_id: `order-${index}`,
    currency: 'USD',
    status: 'transaction_status_confirmed',
    description: 'Two cups and a saucer',
    additional_currency: 'USD',
    rate_merchant_final: 1,
    created_at: '2026-03-10T11:00:00.000000Z',
    payment_method: 'credit_card',
    updated_at: '2026-03-10T11:00:00.000000Z',
    amount_received: 12.5,
    amount_kept: 12.5,
    ...change,
  };
}

function listed(transactions: readonly TransactionListItem[], next: string | null = null): FakeResponse {
  const pagination = { page: 1, per_page: 50, total: transactions.length, total_capped: false, pages: 1 };
  return { body: { transactions, pagination: { ...pagination, next_cursor: next } } };
}

function detail(change: Partial<TransactionDetail> = {}): TransactionDetail {
  return {
    transaction_id: 'order-1',
    created_at: '2026-03-10T10:00:00.000000Z',
    updated_at: '2026-03-10T10:05:00.000000Z',
    expires_at: '2026-03-11T10:00:00.000000Z',
    amount: 100,
    amount_charged: 100,
    amount_delivered: 96.8,
    amount_received: 100,
    refunded_amount: 0,
    currency: 'USD',
    country: 'USA',
    descriptions: 'A teapot',
    payment_method: 'credit_card',
    status: 'transaction_status_confirmed',
    type_of_fee_calculate: 'forward_without_fee',
    link: 'https://pay.example/p/abc',
    merchant_fee_fix: 0.3,
    merchant_fee_percent: 2.9,
    additional_currency: 'USD',
    rate: 1,
    rate_merchant_final: 0.971,
    buyer_country: 'FR',
    buyer_country_source: 'address',
    attempts: [
      {
        number: 1,
        state: 'declined',
        brand: 'visa',
        first6: '400000',
        last4: '9995',
        three_d_secure: true,
        decline: { code: 'insufficient_funds', network_code: '51', retryable: true, advice: 'use_other_card' },
        created_at: '2026-03-10T10:03:00.000000Z',
      },
    ],
    instructions: [],
    receipts: [],
    refunds: [],
    disputes: [],
    available_actions: ['refund'],
    timeline: [
      {
        sequence: 0,
        type: 'fiat.transaction.created',
        at: '2026-03-10T10:00:00.000000Z',
        status: 'transaction_status_pending',
      },
      {
        sequence: 1,
        type: 'fiat.transaction.updated',
        at: '2026-03-10T10:05:00.000000Z',
        status: 'transaction_status_confirmed',
        detail: 'card ending 4242',
      },
    ],
    ...change,
  };
}

const callback = {
  ...{ id: 'evt_1', webhook_id: 'evt_1', endpoint_id: 'callback-url', endpoint_name: 'shop.example' },
  type: 'fiat.transaction.updated',
  transaction_id: 'order-1',
  sequence: 1,
  status: 'transaction_status_failed',
  previous_status: 'transaction_status_waiting',
  detail: 'insufficient_funds',
  url: null,
  state: 'failed',
  attempts_made: 1,
  last_attempt: { at: '2026-03-10T10:05:00.000000Z', status: 500, error: null },
  next_attempt_at: null,
  created_at: '2026-03-10T10:05:00.000000Z',
  finished_at: '2026-03-10T10:05:01.000000Z',
} as const;
const receiver = {
  url: 'https://shop.example/callbacks',
  failing_since: null,
  disabled_at: null,
  disabled_reason: null,
};
const callbacks: FakeResponse = { body: { callbacks: [callback], next_cursor: null, endpoint: receiver } };

const coin: CryptoTransaction = {
  id: 'money-1',
  txId: 'coffee-1',
  type: 'static',
  code: 'eth',
  amountRequired: '2500000000000000001',
  amountRequiredUnit: '2.500000000000000001',
  description: null,
  returnUrl: null,
  walletAddress: `0x${'5'.repeat(40)}`,
  walletType: 'static',
  uri: 'ethereum:0x5',
  status: 'approved_required',
  labels: ['underpaid'],
  amount: '2000000000000000000',
  amountUnit: '2',
  amountDue: '500000000000000001',
  confirmations: 3,
  minConfirmations: 12,
  payments: [
    {
      txHash: `0x${'a'.repeat(64)}`,
      amount: '2000000000000000000',
      confirmations: 3,
      decision: 'pending',
      writtenOffAt: null,
      seenAt: '2026-03-10T10:00:00.000000Z',
    },
  ],
  processingFeePercent: 0,
  processingFee: '0',
  exchangeRate: null,
  link: { self: 'https://pay.example/v1', payment: 'https://pay.example/i/1' },
  fiatTransactionId: null,
  comment: null,
  probableTxId: null,
  decision: null,
  availableActions: ['approve', 'reject'],
  createdAt: '2026-03-10T09:00:00.000000Z',
  updatedAt: '2026-03-10T10:00:00.000000Z',
  expiredAt: null,
};

const frame = async () => await new Promise(requestAnimationFrame);

/** Notifies a page as a live update does. */
function liveUpdate(page: TransactionsPage) {
  (page as unknown as { handleLiveUpdate(update: LiveUpdate): void }).handleLiveUpdate({ type: 'changed' });
}

/** Expects rows wherever the list is in the view; blocks that just came into it are filled within frames. */
async function expectRowsInView(page: TransactionsPage) {
  for (let frames = 0; frames < 100 && emptyPlaceInView(page) !== null; frames += 1) await frame();
  expect(emptyPlaceInView(page), 'a place in the list without a row').to.equal(null);
}

/** Returns a vertical position within the list, below its headings, that shows no row; null if there is none. */
function emptyPlaceInView(page: TransactionsPage): number | null {
  const list = page.querySelector('.transaction-list')?.getBoundingClientRect();
  const bottom = Math.min(innerHeight, list?.bottom ?? 0);
  const head = page.querySelector('.transaction-list-head')?.getBoundingClientRect();
  for (let y = Math.max(0, list?.top ?? 0, head?.bottom ?? 0) + 1; y < bottom; y += 20) {
    const hit = document.elementFromPoint((list?.left ?? 0) + 30, y);
    if (!hit?.closest('.transaction-item')) return y;
  }
  return null;
}

function at(search: string) {
  history.replaceState(null, '', own + search);
}

describe('the list of transactions', () => {
  afterEach(() => {
    document.body.replaceChildren();
    scrollTo(0, 0);
    at('');
  });

  it('shows the transactions, each row as a link', async () => {
    const { context } = accountContext({ 'GET /fiat/v1/transactions': listed([item(1), item(2)]) });
    const page = await showPage(new TransactionsPage(), context);
    const rows = [...page.querySelectorAll<HTMLAnchorElement>('.transaction-row')];
    expect(rows.map((row) => row.getAttribute('href'))).to.deep.equal([
      '/account/7/transactions/order-1',
      '/account/7/transactions/order-2',
    ]);
    expect(textOf(rows[0])).to.match(/order-1.*Card.*\$12\.50.*Confirmed/);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('applies the filters of the URL', async () => {
    at('?status=transaction_status_failed&search=12.50&order=largest&color=red');
    const { context, requests } = accountContext({ 'GET /fiat/v1/transactions': listed([]) });
    const page = await showPage(new TransactionsPage(), context);
    expect(Object.fromEntries(requests[0]?.query ?? [])).to.deep.equal({
      ...{ status: 'transaction_status_failed', search: '12.50', per_page: '50' },
      ...{ order: 'amount', order_direction: 'desc', counts: 'true' },
    });
    expect(page.querySelector<WaInput>('#transaction-search')?.value).to.equal('12.50');
    expect(textOf(page.querySelector('account-state'))).to.match(/No matching transactions/);
    button(page, /^Clear filters$/).click();
    await waitForPage(page);
    expect(location.search).to.equal('?order=largest');
  });

  it('shows and clears the filter of a reusable link, with the link’s title', async () => {
    at('?reusable_link_id=Yk9sVQ0p3mM7hZf2');
    const { context, requests } = accountContext({
      'GET /fiat/v1/transactions': listed([item(1)]),
      'GET /fiat/v1/reusable-link': { body: { id: 'Yk9sVQ0p3mM7hZf2', title: 'Workshop' } },
    });
    const page = await showPage(new TransactionsPage(), context);
    const query = requests.find(({ path }) => path === '/fiat/v1/transactions')?.query;
    expect(query?.get('reusable_link_id')).to.equal('Yk9sVQ0p3mM7hZf2');
    button(page, /^Filters/).click();
    await waitForPage(page);
    expect(await accessibilityViolations()).to.deep.equal([]);
    button(page, /^Reusable link: Workshop/).click();
    await waitForPage(page);
    expect(location.search).to.equal('');
    expect(requests.findLast(({ path }) => path === '/fiat/v1/transactions')?.query.has('reusable_link_id')).to.equal(
      false,
    );
  });

  it('shows the ID of a reusable link that can’t be read', async () => {
    at('?reusable_link_id=gone');
    const { context } = accountContext({
      'GET /fiat/v1/transactions': listed([]),
      'GET /fiat/v1/reusable-link': problem(404, 'not_found'),
    });
    const page = await showPage(new TransactionsPage(), context);
    expect(button(page, /^Reusable link: gone/)).to.be.an.instanceOf(HTMLElement);
  });

  it('searches while typing, without changing the field', async () => {
    const { context, requests } = accountContext({ 'GET /fiat/v1/transactions': listed([item(1)]) });
    const page = await showPage(new TransactionsPage(), context);
    const search = page.querySelector<WaInput>('#transaction-search');
    if (!search) throw new Error('There is no search');
    search.value = 'tea ';
    search.dispatchEvent(new InputEvent('input', { bubbles: true }));
    while (requests.at(-1)?.query.get('search') !== 'tea') await waitForPage(page);
    await waitForPage(page);
    expect(search.value).to.equal('tea ');
    button(page, /^Filters/).click();
    await waitForPage(page);
    search.value = 'tea pot';
    const order = page.querySelector<WaSelect>('#filter-order');
    if (!order) throw new Error('There is no order select');
    order.value = 'oldest';
    order.dispatchEvent(new Event('change'));
    await waitForPage(page);
    expect(requests.at(-1)?.query.get('search')).to.equal('tea pot');
    radio(page, /^Crypto$/).click();
    await waitForPage(page);
    expect(search.value).to.equal('');
  });

  it('changes the URL with a filter, and goes back', async () => {
    const { context, requests } = accountContext({ 'GET /fiat/v1/transactions': listed([item(1)]) });
    const page = await showPage(new TransactionsPage(), context);
    button(page, /^Filters/).click();
    await waitForPage(page);
    expect(await accessibilityViolations()).to.deep.equal([]);
    radio(page, /^Failed/).click();
    await waitForPage(page);
    expect(location.search).to.equal('?status=transaction_status_failed');
    expect(requests.at(-1)?.query.get('status')).to.equal('transaction_status_failed');
  });

  it('has the height of ten thousand rows before it renders them, and continues with the cursor', async () => {
    const all = Array.from({ length: 10_000 }, (_, index) => item(index));
    const { context, requests } = accountContext({
      'GET /fiat/v1/transactions': ({ query }) =>
        query.has('cursor') ? listed([item(10_001)]) : listed(all, 'further'),
    });
    const page = new TransactionsPage();
    await showPage(page, context);
    const list = page.querySelector<HTMLElement>('.transaction-list');
    expect(list?.offsetHeight ?? 0).to.be.greaterThan(10_000 * 40);
    expect(page.querySelectorAll('.transaction-item').length).to.be.within(40, 1000);
    // Components in rows would halve the frame rate while scrolling.
    expect([...(list?.querySelectorAll('*') ?? [])].filter(({ localName }) => localName.includes('-'))).to.deep.equal(
      [],
    );
    expect(requests.length).to.equal(1);
    scrollTo(0, document.documentElement.scrollHeight);
    while (!page.querySelector('.list-end')) await frame();
    expect(requests.at(-1)?.query.get('cursor')).to.equal('further');
    expect(textOf(page.querySelector('.list-end'))).to.equal('10,001 transactions');
    await expectRowsInView(page);
  });

  it('scrolls only with the user, and shows rows everywhere', async () => {
    const all = Array.from({ length: 3000 }, (_, index) => item(index));
    const { context } = accountContext({ 'GET /fiat/v1/transactions': listed(all) });
    const page = await showPage(new TransactionsPage(), context);
    const positions: number[] = [];
    for (let step = 0; step < 120; step++) {
      scrollBy(0, step % 10 === 9 ? 900 : 120);
      await frame();
      positions.push(scrollY);
    }
    const head = page.querySelector('.transaction-list-head')?.getBoundingClientRect();
    expect(head?.bottom, 'headings in the view').to.be.within(1, innerHeight);
    const steps = positions.map((position, index) => position - (positions[index - 1] ?? 0));
    expect([...new Set(steps)].toSorted((one, other) => one - other)).to.deep.equal([120, 900]);
    const scrollPosition = scrollY;
    for (let count = 0; count < 40; count++) {
      await frame();
      expect(scrollY).to.equal(scrollPosition);
    }
    await expectRowsInView(page);
  });

  it('runs no script of the list while a thousand rows scroll', async () => {
    const all = Array.from({ length: 1000 }, (_, index) => item(index));
    const { context } = accountContext({ 'GET /fiat/v1/transactions': listed(all) });
    const page = await showPage(new TransactionsPage(), context);
    while (page.querySelectorAll('.transaction-item').length < 1000) await frame();
    await frame();
    let changes = 0;
    const observer = new MutationObserver((records) => (changes += records.length));
    observer.observe(page, { subtree: true, childList: true, attributes: true, characterData: true });
    const rendered: string[] = [];
    for (const element of [page, ...page.querySelectorAll('*')])
      if (element instanceof ReactiveElement)
        element.addController({ hostUpdate: () => void rendered.push(element.localName) });
    rendered.length = 0;
    const end = document.documentElement.scrollHeight - innerHeight;
    for (const step of [900, -900])
      for (let left = end; left > 0; left -= Math.abs(step)) {
        scrollBy(0, step);
        await frame();
      }
    await frame();
    expect(scrollY).to.equal(0);
    observer.disconnect();
    expect([changes, rendered]).to.deep.equal([0, []]);
  });

  it('keeps the view when transactions arrive, and offers to show them', async () => {
    const all = Array.from({ length: 50 }, (_, index) => item(index));
    let items = all;
    const { context } = accountContext({ 'GET /fiat/v1/transactions': () => listed(items) });
    const page = await showPage(new TransactionsPage(), context);
    scrollTo(0, 700);
    await frame();
    const row = page.querySelector('[data-reference="order-20"]');
    const positionOf = () => row?.getBoundingClientRect().top;
    const position = positionOf();
    items = [item(-1), ...all.slice(0, 49)];
    liveUpdate(page);
    while (!page.querySelector('.new-items-pill')) await waitForPage(page);
    await frame();
    expect(positionOf()).to.equal(position);
    button(page, /^1 new/).click();
    while (!page.querySelector('[data-reference="order--1"]')) await waitForPage(page);
    expect(scrollY).to.equal(0);
  });

  it('removes rows that no longer match, and shows changes of all rows after the user returns', async () => {
    const isDecided = new Set<number>();
    const refunded = new Set<number>();
    let gate = Promise.resolve();
    const { context } = accountContext({
      'GET /fiat/v1/transactions': async ({ query }) => {
        await gate;
        const all = Array.from({ length: 120 }, (_, index) =>
          item(index, refunded.has(index) ? { description: 'Refunded' } : {}),
        );
        const matching = all.filter((_, index) => !isDecided.has(index));
        const start = Number(query.get('cursor') ?? 0);
        return listed(matching.slice(start, start + 50), start + 50 < matching.length ? String(start + 50) : null);
      },
    });
    const page = await showPage(new TransactionsPage(), context);
    const rows = () =>
      [...page.querySelectorAll<HTMLElement>('.transaction-item')].map(({ dataset }) => dataset['reference']);
    button(page, /^Show more/).click();
    while ((page.querySelector('transaction-table')?.items.length ?? 0) < 100) await frame();
    isDecided.add(12);
    liveUpdate(page);
    while (rows().includes('order-12')) await waitForPage(page);
    expect(rows()).to.include.members(['order-11', 'order-13']);
    page.remove();
    refunded.add(80);
    isDecided.add(70);
    const open = Promise.withResolvers<void>();
    gate = open.promise;
    const returned = await showPage(new TransactionsPage(), context);
    const itemsOf = () => returned.querySelector('transaction-table')?.items ?? [];
    expect(itemsOf().some(({ id }) => id === item(70).id)).to.equal(true);
    open.resolve();
    while (itemsOf().some(({ id }) => id === item(70).id)) await waitForPage(returned);
    expect(itemsOf().find(({ id }) => id === item(80).id)).to.deep.include({ description: 'Refunded' });
  });

  it('adds a transaction on top without moving other rows to new elements', async () => {
    const all = Array.from({ length: 60 }, (_, index) => item(index));
    let newest = all.slice(0, 50);
    const { context } = accountContext({
      'GET /fiat/v1/transactions': ({ query }) =>
        query.has('cursor') ? listed(all.slice(50)) : listed(newest, 'further'),
    });
    const page = await showPage(new TransactionsPage(), context);
    const rows = () => [...page.querySelectorAll<HTMLElement>('.transaction-item')];
    button(page, /^Show more/).click();
    while (rows().length < 60) await frame();
    const former = rows();
    for (let count = 1; count <= 12; count++) {
      newest = [item(-count), ...newest.slice(0, 49)];
      liveUpdate(page);
      while (rows().length < 60 + count) await waitForPage(page);
    }
    expect(rows().slice(12)).to.deep.equal(former);
    expect(rows().map(({ dataset }) => dataset['reference'])).to.deep.equal(
      Array.from({ length: 72 }, (_, index) => `order-${index - 12}`),
    );
  });

  it('renders only the block of a changed row', async () => {
    const all = Array.from({ length: 50 }, (_, index) => item(index));
    let items = all;
    const { context } = accountContext({ 'GET /fiat/v1/transactions': () => listed(items) });
    const rendered: unknown[] = [];
    const { format } = context;
    const money = format.money.bind(format);
    format.money = (amount, currency) => {
      rendered.push(amount);
      return money(amount, currency);
    };
    const page = await showPage(new TransactionsPage(), context);
    while (page.querySelectorAll('.transaction-item').length < 50) await frame();
    expect(rendered.length).to.be.within(50, 60);
    rendered.length = 0;
    items = all.map((each, index) => (index === 25 ? { ...each, amount: 99 } : each));
    liveUpdate(page);
    while (!rendered.includes(99)) await waitForPage(page);
    await waitForPage(page);
    expect(rendered).to.deep.equal([...Array<number>(5).fill(12.5), 99, ...Array<number>(4).fill(12.5)]);
    expect(textOf(page.querySelector('[data-reference="order-25"] .cell-amount'))).to.equal('$99.00');
  });

  it('shows counts by status as tabs, and the payer and card of each row', async () => {
    const counts = { pending: 3, waiting: 0, confirmed: 10_000, failed: 1, awaiting_review: 2 };
    const card = { card: { brand: 'visa', last4: '4242' }, payer: { name: 'José Muñoz', email: 'jose@shop.example' } };
    const response = listed([item(1, card)]);
    const { context, requests } = accountContext({
      'GET /fiat/v1/transactions': { body: { ...(response.body as object), counts } },
    });
    const page = await showPage(new TransactionsPage(), context);
    const tabs = [...page.querySelectorAll('.status-tabs wa-radio')].map(textOf);
    expect(tabs).to.deep.equal([
      ...['All 10,000+', 'Awaiting review 2', 'Confirmed 10,000+', 'Pending 3', 'Waiting 0', 'Failed 1'],
    ]);
    expect(textOf(page.querySelector('.cell-method'))).to.equal('Visa •••• 4242');
    await resizePage(page, '80rem');
    expect(textOf(page.querySelector('.cell-payer'))).to.equal('José Muñoz');
    const hint = () => textOf(page.querySelector('.status-tabs + .hint'));
    radio(page, /^Waiting/).click();
    await waitForPage(page);
    expect(hint()).to.match(/^Includes authorized payments and waiting payments that need a review\./);
    radio(page, /^Awaiting review/).click();
    await waitForPage(page);
    expect(hint()).to.equal('');
    expect(requests.at(-1)?.query.get('awaiting_review')).to.equal('true');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows captured parts and refunds', async () => {
    const captured = { amount: 180, amount_charged: 180, authorization_status: 'captured' } as const;
    const { context } = accountContext({
      'GET /fiat/v1/transactions': listed([
        item(1, { ...captured, amount_received: 80, amount_kept: 80 }),
        item(2, { ...captured, amount_received: 180, amount_kept: 180 }),
        item(3, { amount_kept: 2.5 }),
        item(4, { amount_kept: 0 }),
        item(5, { ...captured, amount_received: 80, amount_kept: 67.5 }),
      ]),
    });
    const page = await showPage(new TransactionsPage(), context);
    const cells = (name: string) => [...page.querySelectorAll(`.cell-${name}`)].map(textOf);
    expect(cells('amount')).to.deep.equal([
      ...['$80.00 of $180.00', '$180.00', '$12.50 −$10.00 refunded', '$12.50', '$80.00 −$12.50 refunded'],
    ]);
    expect(cells('status')).to.deep.equal([
      ...['Partially captured', 'Confirmed', 'Partially refunded', 'Refunded', 'Partially refunded'],
    ]);
  });

  it('shows received funds that await a review, and the part of the amount that was received', async () => {
    const open = { amount: 1250, amount_charged: 1250, currency: 'THB' } as const;
    const waiting = { ...open, status: 'transaction_status_waiting' } as const;
    const { context } = accountContext({
      'GET /fiat/v1/transactions': listed([
        item(1, { ...waiting, amount_received: 1125, amount_kept: 1125 }),
        item(2, { ...waiting, amount_received: 1250, amount_kept: 1250 }),
        item(3, { ...waiting, amount_received: 0, amount_kept: 0 }),
        item(4, { ...open, status: 'transaction_status_failed', amount_received: 1375, amount_kept: 1375 }),
        item(5, { ...open, status: 'transaction_status_failed', amount_received: 1375, amount_kept: 0 }),
      ]),
    });
    const page = await showPage(new TransactionsPage(), context);
    const cells = (name: string) => [...page.querySelectorAll(`.cell-${name}`)].map(textOf);
    const [part, over] = ['THB 1,125.00 of THB 1,250.00', 'THB 1,375.00 of THB 1,250.00'];
    const thb = (texts: string[]) => texts.map((text) => text.replaceAll('\u00a0', ' '));
    expect(thb(cells('amount'))).to.deep.equal([part, 'THB 1,250.00', 'THB 1,250.00', over, 'THB 1,250.00']);
    expect(cells('status')).to.deep.equal([
      'Awaiting review',
      'Awaiting review',
      'Waiting',
      'Awaiting review',
      'Failed',
    ]);
  });

  it('has rows of one height at every width, on phones with the status beside the method', async () => {
    const waiting = { status: 'transaction_status_waiting', amount: 180, amount_charged: 180 } as const;
    const card = { brand: 'visa', last4: '4242' };
    const payer = { name: 'Maximiliane Oberländer-Schönefeld von und zu Unterfranken', email: null };
    const { context } = accountContext({
      'GET /fiat/v1/transactions': listed([
        item(1, { ...waiting, card, payer, amount_received: 80, amount_kept: 80 }),
        item(2, { card, payer, amount_kept: 2.5 }),
        ...Array.from({ length: 8 }, (_, index) => item(index + 3, { card })),
      ]),
    });
    const page = await showPage(new TransactionsPage(), context);
    for (const [inlineSize, expected] of [
      ['20.5rem', 84],
      ['60rem', 44],
    ] as const) {
      await resizePage(page, inlineSize);
      const boxOf = (element: Element | null) => (element as Element).getBoundingClientRect();
      const rows = [...page.querySelectorAll('.transaction-item')];
      expect(new Set(rows.map((row) => boxOf(row).height))).to.deep.equal(new Set([expected]));
      expect(boxOf(page.querySelector('.transaction-block')).height).to.equal(10 * expected);
      for (const row of rows.slice(0, 3)) {
        const [status, method] = ['.tag', '.cell-method'].map((name) => boxOf(row.querySelector(name)));
        expect(
          Math.abs((status?.top ?? 0) + (status?.bottom ?? 0) - (method?.top ?? 0) - (method?.bottom ?? 0)),
        ).to.be.lessThan(6);
        for (const name of ['date', 'amount', 'status', 'method']) {
          const cell = row.querySelector(`.cell-${name}`) as HTMLElement;
          expect(cell.scrollWidth, name).to.be.at.most(cell.clientWidth);
        }
        expect(boxOf(row.querySelector('.tag')).bottom).to.be.lessThan(boxOf(row).bottom);
      }
      if (expected === 84) expect(horizontalOverflow()).to.equal(0);
    }
    await resizePage(page, '20.5rem');
    const paddings = ['ltr', 'rtl'].map((direction) => {
      document.dir = direction;
      const { paddingLeft, paddingRight } = getComputedStyle(page.querySelector('.cell-payer') as Element);
      return [paddingLeft, paddingRight];
    });
    document.dir = '';
    expect(paddings).to.deep.equal([
      ['0px', '12px'],
      ['12px', '0px'],
    ]);
  });

  it('shortens the button to export to its icon on phones', async () => {
    const { context } = accountContext({ 'GET /fiat/v1/transactions': listed([item(1)]) });
    const page = await showPage(new TransactionsPage(), context);
    const exportButton = () => button(page, /^Export CSV$/).getBoundingClientRect();
    await resizePage(page, '60rem');
    expect(exportButton().width).to.be.greaterThan(100);
    await resizePage(page, '20.5rem');
    expect(exportButton().width).to.be.within(44, 60);
    const title = page.querySelector('h1')?.getBoundingClientRect();
    expect(exportButton().top).to.be.lessThan(title?.bottom ?? 0);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows the payer at every width: in a column, below the reference, or on the second line of a card', async () => {
    const name = 'Maximiliane Oberländer-Schönefeld von und zu Unterfranken';
    const { context } = accountContext({
      'GET /fiat/v1/transactions': listed([
        item(1, { payer: { name, email: 'm@b.example' } }),
        item(2, { payer: { name: null, email: 'ada@b.example' } }),
        item(3),
      ]),
    });
    const page = await showPage(new TransactionsPage(), context);
    const show = async (inlineSize: string) => {
      await resizePage(page, inlineSize);
      return [...page.querySelectorAll('.transaction-row')];
    };
    const shown = (rows: Element[], selector: string) => rows.map((row) => textOf(row.querySelector(selector)));
    const names = [name, 'ada@b.example'];
    expect(shown(await show('80rem'), '.cell-payer')).to.deep.equal([...names, '–']);
    for (const [width, selector] of [
      ['46rem', '.payer-below'],
      ['20.5rem', '.cell-payer'],
    ] as const) {
      const rows = await show(width);
      expect(shown(rows, selector), width).to.deep.equal([...names, '']);
      const [long] = rows.map((row) => row.querySelector(selector) as HTMLElement);
      expect(long?.getBoundingClientRect().width, width).to.be.greaterThan(0);
      if (long) expect(long.scrollWidth, width).to.be.greaterThan(long.clientWidth);
      expect(horizontalOverflow(), width).to.equal(0);
      expect(await accessibilityViolations(), width).to.deep.equal([]);
    }
    expect(shown(await show('46rem'), '.cell-reference')[1]).to.equal('order-2 ada@b.example');
    button(page, /^Filters/).click();
    await waitForPage(page);
    const buyer = [...page.querySelectorAll('wa-checkbox')].find((field) => textOf(field) === 'Buyer');
    buyer?.click();
    await waitForPage(page);
    expect(page.querySelector('.payer-below')).to.equal(null);
    buyer?.click();
    await waitForPage(page);
    expect(page.querySelectorAll('.payer-below')).to.have.length(2);
  });

  it('is sorted by its headings, and hides columns on request', async () => {
    const { context, requests } = accountContext({ 'GET /fiat/v1/transactions': listed([item(1)]) });
    const page = await showPage(new TransactionsPage(), context);
    const heading = () => page.querySelector<HTMLElement>('.column-amount wa-button');
    heading()?.click();
    await waitForPage(page);
    expect(location.search).to.equal('?order=largest');
    heading()?.click();
    await waitForPage(page);
    expect(requests.at(-1)?.query.get('order_direction')).to.equal('asc');
    button(page, /^Filters/).click();
    await waitForPage(page);
    const method = [...page.querySelectorAll('wa-checkbox')].find((field) => textOf(field) === 'Method');
    method?.click();
    await waitForPage(page);
    expect(page.querySelector('.cell-method')).to.equal(null);
    method?.click();
    await waitForPage(page);
    expect(page.querySelector('.cell-method')).not.to.equal(null);
  });

  it('offers only columns that fit', async () => {
    const { context } = accountContext({ 'GET /fiat/v1/transactions': listed([item(1)]) });
    const page = await showPage(new TransactionsPage(), context);
    button(page, /^Filters/).click();
    await waitForPage(page);
    const choice = (name: string) => [...page.querySelectorAll('wa-checkbox')].find((each) => textOf(each) === name);
    const state = () => [choice('Description')?.checked, choice('Description')?.disabled];
    await resizePage(page, '80rem');
    expect(state()).to.deep.equal([true, false]);
    await resizePage(page, '58rem');
    expect(page.querySelector('.cell-description')).to.equal(null);
    expect(state()).to.deep.equal([false, true]);
    choice('Buyer')?.click();
    await waitForPage(page);
    expect(page.querySelector('.cell-description')).not.to.equal(null);
    expect(state()).to.deep.equal([true, false]);
    choice('Buyer')?.click();
    await waitForPage(page);
    expect(state()).to.deep.equal([false, true]);
  });

  it('keeps saved filters in this browser, and ignores others’ data', () => {
    const search = '?status=transaction_status_failed&country=FRA';
    expect(saveFilter(7, { name: 'French', search })).to.deep.equal([{ name: 'French', search }]);
    expect(saveFilter(7, { name: 'French', search: '?country=FRA' })).to.deep.equal([
      { name: 'French', search: '?country=FRA' },
    ]);
    expect(readSavedFilters(8)).to.deep.equal([]);
    expect(deleteFilter(7, 'French')).to.deep.equal([]);
    for (const stored of ['{', '[1, null, {"name": 1}]', '{"name": "x"}']) {
      localStorage.setItem('paylatch.saved-filters.7', stored);
      expect(readSavedFilters(7)).to.deep.equal([]);
    }
    localStorage.removeItem('paylatch.saved-filters.7');
  });

  it('keeps the period of a saved filter relative to today', () => {
    const week = () => {
      const { since, till } = presetRange('last_7');
      return `?since=${since}&till=${till}&country=FRA`;
    };
    const [earlier, fixed] = [week(), '?since=2025-01-01&till=2025-01-07'];
    const { now } = Date;
    try {
      expect(saveFilter(7, { name: 'Week', search: earlier })).to.deep.equal([{ name: 'Week', search: earlier }]);
      Date.now = () => now() + 3 * 86_400_000;
      expect(week()).to.not.equal(earlier);
      expect(saveFilter(7, { name: 'Fixed', search: fixed })).to.deep.equal([
        { name: 'Week', search: week() },
        { name: 'Fixed', search: fixed },
      ]);
      Date.now = () => now() + 6 * 86_400_000;
      expect(readSavedFilters(7).map(({ search }) => search)).to.deep.equal([week(), fixed]);
    } finally {
      Date.now = now;
      localStorage.removeItem('paylatch.saved-filters.7');
    }
  });

  it('hides columns that do not fit, and offers date presets', () => {
    const names = (width: number) => visibleColumns('fiat', ['status'], width).map(({ name }) => name);
    expect(names(100)).to.deep.equal(['date', 'reference', 'description', 'payer', 'method', 'amount']);
    expect(names(48)).to.deep.equal(['date', 'reference', 'payer', 'method', 'amount']);
    expect(names(40)).to.deep.equal(['date', 'reference', 'method', 'amount']);
    // A tablet in portrait.
    expect(visibleColumns('fiat', [], 45).map(({ name }) => name)).to.deep.equal([...names(40), 'status']);
    for (const preset of datePresets) {
      const { since, till } = presetRange(preset);
      expect(since <= till, preset).to.equal(true);
      expect(presetOf(since, till), preset).not.to.equal(null);
    }
  });

  it('renders all loaded rows on paper', async () => {
    const all = Array.from({ length: 3000 }, (_, index) => item(index));
    const { context } = accountContext({ 'GET /fiat/v1/transactions': listed(all) });
    const page = await showPage(new TransactionsPage(), context);
    expect(page.querySelectorAll('.transaction-item').length).to.be.lessThan(3000);
    dispatchEvent(new Event('beforeprint'));
    await waitForPage(page);
    expect(page.querySelectorAll('.transaction-item').length).to.equal(3000);
  });

  it('moves to rows that are not rendered yet', async () => {
    const all = Array.from({ length: 3000 }, (_, index) => item(index));
    const { context } = accountContext({ 'GET /fiat/v1/transactions': listed(all) });
    const page = await showPage(new TransactionsPage(), context);
    const table = page.querySelector('transaction-table');
    await table?.moveFocus(2000);
    expect(document.activeElement?.getAttribute('href')).to.equal('/account/7/transactions/order-1999');
    await table?.moveFocus(-1);
    expect(document.activeElement?.getAttribute('href')).to.equal('/account/7/transactions/order-1998');
    // The rows around it are rendered before the next frame is painted.
    await frame();
    await waitForPage(page);
    await expectRowsInView(page);
  });

  it('is operated by keyboard, and / focuses the search', async () => {
    const { context } = accountContext({ 'GET /fiat/v1/transactions': listed([item(1), item(2), item(3)]) });
    const page = await showPage(new TransactionsPage(), context);
    const press = async (key: string) => {
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      );
      await waitForPage(page);
    };
    await press('j');
    await press('j');
    expect(document.activeElement?.getAttribute('href')).to.equal('/account/7/transactions/order-2');
    await press('ArrowDown');
    await press('k');
    expect(document.activeElement?.getAttribute('href')).to.equal('/account/7/transactions/order-2');
    await press('/');
    expect(document.activeElement?.id).to.equal('transaction-search');
  });

  it('shows a problem, and retries', async () => {
    let isUnavailable = true;
    const { context } = accountContext({
      'GET /fiat/v1/transactions': () => (isUnavailable ? problem(503, 'unavailable') : listed([item(1)])),
    });
    const page = await showPage(new TransactionsPage(), context);
    expect(textOf(page.querySelector('account-state'))).to.match(/Service unavailable/);
    isUnavailable = false;
    button(page, /Try again/).click();
    await waitForPage(page);
    expect(page.querySelectorAll('.transaction-row').length).to.equal(1);
  });

  it('shows third-party content as text, without overflow', async () => {
    const { context } = accountContext({
      'GET /fiat/v1/transactions': listed(
        hostileTexts.map((text, index) => item(index, { description: text, transaction_id: text.slice(0, 64) })),
      ),
    });
    const page = await showPage(new TransactionsPage(), context);
    expect(textOf(page.querySelector('.transaction-list'))).to.contain(hostileTexts[0]);
    expect(page.querySelector('.transaction-list img[onerror]')).to.equal(null);
    expect(horizontalOverflow()).to.equal(0);
  });

  it('shows crypto transactions on request', async () => {
    at('?kind=crypto');
    const { context } = accountContext({
      'GET /v1/transactions': { body: { transactions: [coin], next_cursor: null } },
    });
    const page = await showPage(new TransactionsPage(), context);
    const row = page.querySelector('.transaction-row');
    expect(textOf(row)).to.match(/coffee-1.*2\.500000000000000001.ETH.*Awaiting review/);
    expect(row?.getAttribute('href')).to.equal('/account/7/transactions/money-1?kind=crypto');
  });

  it('shows what was received of a crypto payment, and its statuses as tabs', async () => {
    at('?kind=crypto&status=complete');
    const underpaid = { ...coin, amount: '1', amountUnit: '1', amountRequired: '2', amountRequiredUnit: '2' };
    const { context, requests } = accountContext({
      'GET /v1/transactions': { body: { transactions: [underpaid], next_cursor: null } },
    });
    const page = await showPage(new TransactionsPage(), context);
    expect(textOf(page.querySelector('.cell-amount'))).to.equal('1 ETH of 2 ETH');
    expect(radio(page, /^Complete/).getAttribute('aria-checked')).to.equal('true');
    radio(page, /^Awaiting review/).click();
    await waitForPage(page);
    expect(location.search).to.equal('?kind=crypto&status=approved_required');
    expect(requests.at(-1)?.query.get('status')).to.equal('approved_required');
  });

  it('filters crypto transactions by period', async () => {
    at('?kind=crypto');
    const { context, requests } = accountContext({
      'GET /v1/transactions': { body: { transactions: [coin], next_cursor: null } },
    });
    const page = await showPage(new TransactionsPage(), context);
    const choose = async (value: string) => {
      const select = page.querySelector<WaSelect>('#filter-period');
      if (!select) throw new Error('There is no select of a period');
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
      await waitForPage(page);
    };
    await choose('last_7');
    const { since, till } = presetRange('last_7');
    expect(location.search).to.equal(`?kind=crypto&since=${since}&till=${till}`);
    const { query } = requests.at(-1) ?? {};
    expect(Date.parse(query?.get('since') ?? '')).to.equal(new Date(`${since}T00:00`).getTime());
    expect(Date.parse(query?.get('till') ?? '')).to.be.greaterThan(new Date(`${till}T23:59`).getTime());
    expect(query?.get('order')).to.equal(null);
    await choose('custom');
    expect(page.querySelector<WaInput>('#filter-since')?.value).to.equal(since);
    await choose('');
    expect(location.search).to.equal('?kind=crypto');
  });
});

describe('an export', () => {
  const stream = (pieces: readonly string[], end?: Error) =>
    new Response(
      new ReadableStream<Uint8Array>({
        start(controller) {
          for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
          if (end) controller.error(end);
          else controller.close();
        },
      }),
    );

  it('counts rows, not line breaks within a value', () => {
    const count = new RowCounter();
    count.add(new TextEncoder().encode('id,description\r\n1,"two\r\nlines"\r\n2,'));
    count.add(new TextEncoder().encode('"a ""quoted"" one"\r\n'));
    expect(count.rows).to.equal(2);
  });

  it('downloads only a complete file', async () => {
    const downloads: Blob[] = [];
    const environment = { pickFile: null, download: (_name: string, file: Blob) => void downloads.push(file) };
    const download = { name: 'x.csv', signal: new AbortController().signal, progress: () => {} };
    const done = await saveExport(environment, {
      ...download,
      fetch: async () => await Promise.resolve(stream(['id\r\n', '1\r\n', '2\r\n'])),
    });
    expect(done).to.deep.equal({ rows: 2, bytes: 10 });
    expect(await downloads[0]?.text()).to.equal('id\r\n1\r\n2\r\n');
    const broken = saveExport(environment, {
      ...download,
      fetch: async () => await Promise.resolve(stream(['id\r\n'], new Error('The connection broke'))),
    });
    expect(await broken.catch((error: unknown) => String(error))).to.match(/The connection broke/);
    expect(downloads.length).to.equal(1);
  });
});

describe('a list query', () => {
  it('is the same after formatting and parsing', () => {
    const written = '?status=transaction_status_failed&since=2026-03-01&search=a+b%26c&order=oldest';
    expect(formatListQuery(parseListQuery(written))).to.equal(written);
    expect(formatListQuery(parseListQuery('?kind=crypto&code=btc&country=FRA'))).to.equal('?kind=crypto&code=btc');
  });

  it('has dates in the user’s time zone, including the whole last day', () => {
    const { since, till } = toApiQuery(parseListQuery('?since=2026-03-01&till=2026-03-01'));
    expect(Date.parse(String(till)) - Date.parse(String(since))).to.equal(86_400_000);
    expect(toApiQuery(parseListQuery('?since=yesterday'))['since']).to.equal(null);
  });
});

describe('amounts', () => {
  it('are parsed from input', () => {
    const cases: [text: string, currency: string, minor: bigint | null, locale?: string][] = [
      ['12.5', 'USD', 1250n],
      ['12,50', 'EUR', 1250n],
      ['1,250.00', 'USD', 125_000n],
      ['250 000', 'VND', 250_000n],
      ['250.000', 'VND', 250_000n, 'vi'],
      ['1.500', 'BRL', 150_000n, 'pt'],
      ['1.500', 'BRL', null],
      ['1,500', 'BRL', null, 'pt'],
      ['1.234', 'KWD', 1234n],
      ['1,234', 'KWD', 1234n, 'de'],
      ['1,234.5', 'KWD', 1_234_500n],
      ['1,234', 'KWD', null],
      ['1,00,000', 'INR', 10_000_000n, 'hi'],
      ['12,34,567.50', 'INR', 123_456_750n, 'hi'],
      ['1.234', 'KWD', null, 'de'],
      ['0,125', 'KWD', 125n],
      ['0,125', 'USD', null],
      ['0.5', 'JPY', null],
      ...['', '-1', '1.234', '12 dollars', '1,2,3', '1e3'].map((wrong): [string, string, null] => [wrong, 'USD', null]),
    ];
    for (const [text, currency, minor, locale = 'en'] of cases)
      expect(parseTypedAmount(text, currency, locale), `${text} ${currency} in ${locale}`).to.equal(minor);
    for (const locale of ['en', 'de', 'vi', 'pt', 'ar'])
      for (const currency of ['VND', 'EUR', 'KWD'])
        expect(parseTypedAmount(typedAmountText(1_234_500n, currency, locale), currency, locale)).to.equal(1_234_500n);
  });

  it('add up with refunds at any time', () => {
    const refund = (amount: number, created_at: string) =>
      ({ number: 1, amount, state: 'succeeded', created_at, updated_at: created_at }) as const;
    for (const change of [
      {},
      { amount: 0.1, amount_charged: 0.3, amount_received: 0.3, amount_delivered: 0.1 },
      { refunds: [refund(5.25, '2026-03-10T12:00:00.000000Z')] },
      {
        amount_received: 90,
        amount_delivered: 76.8,
        refunds: [refund(10, '2026-03-10T10:01:00.000000Z')],
        receipts: [
          { amount: 90, reference: 'r-1', instructions_number: 1, received_at: '2026-03-10T10:02:00.000000Z' },
        ],
      },
    ]) {
      let sum = 0n;
      for (const { minor, isTotal } of netAmountLines(detail(change))) {
        if (isTotal) expect(sum).to.equal(minor);
        else sum += minor;
      }
    }
  });
});

/** Text of a prompt, which may be a template. */
function shownText(content: unknown): string {
  const shown = document.createElement('div');
  render(content, shown);
  return textOf(shown);
}

describe('the refund amount', () => {
  afterEach(() => document.body.replaceChildren());

  it('is fixed where only full refunds are possible', async () => {
    const { context } = accountContext();
    const field = new RefundAmount();
    Object.assign(field, { context, currency: 'USD', maximum: 1250n, isFixed: true });
    document.body.append(field);
    await field.updateComplete;
    const input = field.querySelector('wa-input');
    expect([input?.readonly, input?.value]).to.deep.equal([true, '12.50']);
    expect(textOf(field.querySelector('.hint'))).to.equal('This payment can only be refunded in full.');
  });

  it('is validated while typing', async () => {
    const { context } = accountContext();
    const field = new RefundAmount();
    Object.assign(field, { context, currency: 'USD', maximum: 1250n });
    document.body.append(field);
    await field.updateComplete;
    const input = field.querySelector('wa-input');
    if (!input) throw new Error('There is no field');
    const type = async (text: string) => {
      input.value = text;
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await field.updateComplete;
      return [input.checkValidity(), textOf(field.querySelector('.field-error, .hint'))];
    };
    expect(await type('12.51')).to.deep.equal([false, 'You can refund up to $12.50.']);
    expect(await type('0')).to.deep.equal([false, 'Enter an amount greater than zero.']);
    expect(await type('2.5')).to.deep.equal([true, 'You keep $10.00.']);
  });
});

describe('a transaction', () => {
  afterEach(() => {
    document.body.replaceChildren();
    at('');
  });

  it('shows its history, attempts and amounts', async () => {
    const { context } = accountContext({
      'GET /fiat/v1/transaction': { body: detail() },
      'GET /v1/callbacks': callbacks,
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    expect(textOf(page.querySelector('h1'))).to.equal('order-1: $100.00');
    const lines = [...page.querySelectorAll('.amount-line')].map((line) => [...line.children].map(textOf));
    expect(lines).to.deep.equal([
      ['Amount received', '$100.00'],
      ['Fee', '−$3.20'],
      ['Net amount', '$96.80'],
    ]);
    expect(textOf(page)).to.match(/Insufficient funds/);
    expect(textOf(page), 'the expiry of a paid link').not.to.match(/Expires/);
    expect(textOf(page)).to.match(/Payment method\s?Visa •••• 9995/);
    expect(textOf(page)).to.match(/France.*based on IP address/);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('is titled with the captured part, and shows refunds beside', async () => {
    const times = { created_at: '2026-03-10T10:05:00.000000Z', expires_at: '2026-03-17T10:05:00.000000Z' };
    const authorization = { ...times, status: 'captured', amount: 100, captured_amount: 60 } as const;
    const refund = {
      ...{ id: 'r1', amount: 10, state: 'succeeded' },
      created_at: times.created_at,
      updated_at: times.created_at,
    };
    for (const [change, title] of [
      [{ authorization, amount_received: 60 }, 'order-1: $60.00 Partially captured of $100.00 order-1'],
      [{ refunds: [refund] }, 'order-1: $100.00 Partially refunded order-1'],
    ] as const) {
      const body = detail(change as Partial<TransactionDetail>);
      const { context } = accountContext({ 'GET /fiat/v1/transaction': { body }, 'GET /v1/callbacks': callbacks });
      const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
      expect(textOf(page.querySelector('.transaction-head'))).to.contain(title);
      expect(textOf(page), 'beside the refund').not.to.contain('Paid.');
    }
  });

  it('shows the items, with the price of one if there are several', async () => {
    const line_items = [
      { name: 'Kettle', quantity: 3, unit_amount: 34 },
      { name: 'Spring sale', unit_amount: -2 },
    ];
    const body = detail({ line_items });
    const { context } = accountContext({ 'GET /fiat/v1/transaction': { body }, 'GET /v1/callbacks': callbacks });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    const section = page.querySelector('[aria-labelledby="items-heading"]');
    expect(textOf(section)).to.equal('Items Kettle 3 × $34.00 $102.00 Spring sale −$2.00');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows the metadata, and lists the transactions with the same pair', async () => {
    const body = detail({ metadata: { cart: '7731', '<b>CRM</b>': 'a=b & c' } });
    const { context } = accountContext({ 'GET /fiat/v1/transaction': { body }, 'GET /v1/callbacks': callbacks });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    const section = page.querySelector('[aria-labelledby="metadata-heading"]');
    expect(textOf(section)).to.equal('Metadata cart7731<b>CRM</b>a=b & c');
    const [, link] = section?.querySelectorAll('a') ?? [];
    expect(link?.search).to.equal('?metadata=%3Cb%3ECRM%3C%2Fb%3E%3Da%3Db+%26+c');
    expect(toApiQuery(parseListQuery(link?.search ?? ''))).to.include({ 'metadata[<b>CRM</b>]': 'a=b & c' });
    expect(parseListQuery('?metadata=cart').filters).to.deep.equal({});
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows disputes with their reason and deadline, and their events', async () => {
    const dispute: TransactionDetail['disputes'][number] = {
      ...{ number: 1, state: 'needs_response', amount: 12.5, currency: 'USD', reference: 'dp_1' },
      ...{ reason_code: '10.4', reason: 'Fraud', respond_by: '2026-03-17T10:00:00.000000Z' },
      ...{ created_at: '2026-03-10T10:06:00.000000Z', updated_at: '2026-03-10T10:06:00.000000Z' },
    };
    const { timeline } = detail();
    const event: TransactionDetail['timeline'][number] = {
      ...{ sequence: 2, type: 'fiat.dispute.created', at: dispute.created_at, status: 'transaction_status_confirmed' },
      detail: 'dispute of 12.50 USD: needs_response, respond by 2026-03-17T10:00:00.000000Z',
    };
    const body = detail({ disputes: [dispute], timeline: [...timeline, event] });
    const { context } = accountContext({ 'GET /fiat/v1/transaction': { body }, 'GET /v1/callbacks': callbacks });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    expect(textOf(page)).to.match(
      /Disputes \$12\.50 .*Fraud · 10\.4.*Respond through your acquirer by.*Needs response/s,
    );
    expect(textOf(page)).to.match(/Dispute of \$12\.50: Needs response ?Respond by Mar 17/);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows the exchange rate with its sources and time, and marks that of the sandbox', async () => {
    const show = async (rate_source: string) => {
      document.body.replaceChildren();
      const rate_at = '2026-03-09T00:00:00.000000Z';
      const body = detail({ currency: 'EUR', additional_currency: 'USD', rate: 1.1534, rate_source, rate_at });
      const { context } = accountContext({ 'GET /fiat/v1/transaction': { body }, 'GET /v1/callbacks': callbacks });
      return textOf(await showPage(new TransactionPage(), context, { reference: 'order-1' }));
    };
    expect(await show('coinbase-fiat, ecb, nbp')).to.match(
      /Exchange rate from coinbase-fiat, ecb, nbp, Mar 9, 12:00 AM/,
    );
    expect(await show('sandbox-table')).to.match(/Sandbox exchange rates as of .*2026, not real prices\./);
  });

  it('refunds the typed amount once, and shows the result', async () => {
    const { context, requests, promptAnswers, announced } = accountContext({
      'GET /fiat/v1/transaction': { body: detail() },
      'GET /v1/callbacks': callbacks,
      'POST /fiat/v1/transaction/refund': { body: detail({ available_actions: [] }) },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    promptAnswers.push({ amount: '12.5' });
    button(page, /^Refund payment$/).click();
    await waitForPage(page);
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).to.deep.equal([{ transaction_id: 'order-1', amount: 12.5 }]);
    expect(announced).to.deep.equal(['Refund issued']);
    expect(page.querySelector('.transaction-actions')).to.equal(null);
  });

  it('offers the refunds that the acquirer can issue', async () => {
    const show = async (change: Partial<TransactionDetail>, result: Record<string, string>) => {
      document.body.replaceChildren();
      const { context, requests, promptAnswers, prompts, announced } = accountContext({
        'GET /fiat/v1/transaction': { body: detail(change) },
        'GET /v1/callbacks': callbacks,
        'POST /fiat/v1/transaction/refund': { body: detail({ available_actions: [] }) },
        'POST /fiat/v1/transaction/reject': { body: detail({ available_actions: [] }) },
      });
      const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
      const labels = [...page.querySelectorAll('.transaction-actions wa-button')].map(textOf);
      promptAnswers.push(result);
      page.querySelector<HTMLElement>('.transaction-actions wa-button')?.click();
      await waitForPage(page);
      const shown = document.createElement('div');
      render(prompts[0]?.fields, shown);
      const body = requests.find(({ method }) => method === 'POST')?.body;
      return {
        labels,
        text: shownText(prompts[0]?.text),
        fields: textOf(shown),
        amount: shown.querySelector<RefundAmount>('refund-amount'),
        ...{ body, announced },
      };
    };
    const full = await show({ refund_options: { maximum: 100, partial: false } }, { amount: '100' });
    expect([full.labels, full.amount?.isFixed]).to.deep.equal([['Refund payment'], true]);
    expect(full.body).to.deep.equal({ transaction_id: 'order-1' });
    // Of two payments, the acquirer refunds only one.
    const part = await show(
      { refund_options: { maximum: 60, partial: true, refusal: 'refund_not_supported' } },
      { amount: '60' },
    );
    expect([part.amount?.isFixed, part.amount?.maximum]).to.deep.equal([false, 6000n]);
    expect(part.body).to.deep.equal({ transaction_id: 'order-1', amount: 60 });
    // Refunded in part by another user while the prompt was open.
    const late = await show({ refund_options: { maximum: 60, partial: true } }, { amount: '100' });
    expect([late.body, late.announced]).to.deep.equal([undefined, ['You can refund up to $60.00.']]);
    const none = await show(
      {
        available_actions: ['refund_out_of_band'],
        refund_options: { maximum: 0, partial: false, refusal: 'refund_not_supported' },
      },
      { amount: '100' },
    );
    expect(none.labels).to.deep.equal(['Record refund']);
    expect(none.text).to.match(/The acquirer can’t refund this payment\. .*\$100\.00/);
    expect(none.fields).not.to.contain('Refunded outside Paylatch');
    expect(none.body).to.deep.equal({ transaction_id: 'order-1', out_of_band: true });
    const rejected = await show(
      { available_actions: ['reject_out_of_band'], status: 'transaction_status_failed', reason: 'underpaid' },
      { reason: 'Sold out' },
    );
    expect(rejected.labels).to.deep.equal(['Reject payment']);
    expect(rejected.body).to.deep.equal({ transaction_id: 'order-1', reason: 'Sold out', out_of_band: true });
  });

  it('lists what was authorized, released and captured', () => {
    const times = { created_at: '2026-03-10T10:05:00.000000Z', expires_at: '2026-03-17T10:05:00.000000Z' };
    const lines = (status: 'authorized' | 'captured' | 'voided', captured_amount: number, change = {}) =>
      requestedLines(detail({ authorization: { ...times, status, amount: 100, captured_amount }, ...change })).map(
        ({ name, minor, isTotal }) => `${isTotal ? 'total ' : ''}${name} ${minor}`,
      );
    expect(lines('authorized', 0)).to.eql(['total authorized 10000']);
    expect(lines('captured', 100)).to.eql(['authorized 10000', 'total captured 10000']);
    expect(lines('captured', 60)).to.eql(['authorized 10000', 'released -4000', 'total captured 6000']);
    expect(lines('voided', 0)).to.eql(['authorized 10000', 'released -10000', 'total captured 0']);
    expect(lines('captured', 60, { amount: 95, amount_charged: 100 })).to.eql([
      ...['requested 9500', 'fee_on_top 500', 'authorized 10000', 'released -4000', 'total captured 6000'],
    ]);
  });

  it('names a captured payment by one status, and events of the authorization by their amounts', async () => {
    const times = { created_at: '2026-03-10T10:05:00.000000Z', expires_at: '2026-03-17T10:05:00.000000Z' };
    const event = { type: 'fiat.transaction.updated', at: times.created_at };
    const body = detail({
      authorization: { ...times, status: 'captured', amount: 100, captured_amount: 60 },
      amount_received: 60,
      timeline: [
        ...detail().timeline.slice(0, 1),
        {
          ...{ ...event, sequence: 1, status: 'transaction_status_waiting' },
          detail: '100.00 USD authorized on card ending 4242',
        },
        { ...event, sequence: 2, status: 'transaction_status_confirmed', detail: '60.00 USD captured' },
      ],
    });
    const { context } = accountContext({ 'GET /fiat/v1/transaction': { body }, 'GET /v1/callbacks': callbacks });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    expect([...page.querySelectorAll('.tag')].map(textOf))
      .to.include('Partially captured')
      .and.not.include('Captured');
    expect(textOf(page.querySelector('.timeline'))).to.match(
      /\$100\.00 authorized on the card ending in 4242.*\$60\.00 captured/,
    );
    expect(textOf(page.querySelector('.timeline'))).to.not.match(/Waiting|Confirmed/);
    expect([...page.querySelectorAll('h2')].map(textOf)).to.not.include('Authorization');
  });

  it('shows each detail within its panel, and a method in one line', async () => {
    const attempts = detail().attempts.map((attempt) => ({ ...attempt, brand: 'american-express' }));
    const { context } = accountContext({
      'GET /fiat/v1/transaction': { body: detail({ attempts, descriptions: 'a'.repeat(200) }) },
      'GET /v1/callbacks': callbacks,
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    for (const inlineSize of ['20.5rem', '48rem', '64rem']) {
      await resizePage(page, inlineSize);
      const values = [...page.querySelectorAll('.fact-list dd')];
      expect(values).to.have.length(6);
      for (const value of values) {
        const list = value.closest('.fact-list') as Element;
        // Content can be wider than its box.
        const content = document.createRange();
        content.selectNodeContents(value);
        expect(content.getBoundingClientRect().right, textOf(value)).to.be.at.most(list.getBoundingClientRect().right);
      }
      const method = page.querySelector('.fact-list .with-logo > bdi') as Element;
      expect(method.getClientRects().length * method.getBoundingClientRect().height, inlineSize).to.be.within(1, 29);
    }
  });

  it('captures the typed amount of an authorized payment, or voids it', async () => {
    const authorization = {
      ...({ status: 'authorized', amount: 100, captured_amount: 0 } as const),
      ...{ created_at: '2026-03-10T10:05:00.000000Z', expires_at: '2026-03-17T10:05:00.000000Z' },
      failure: { code: 'capture_refused', detail: 'The issuer refused.' },
    };
    const authorized = detail({
      ...{ status: 'transaction_status_waiting', amount_received: 0, capture: 'manual', authorization },
      available_actions: ['capture', 'void'],
      timeline: [
        ...detail().timeline.slice(0, 1),
        {
          ...{ sequence: 1, type: 'fiat.transaction.updated', at: '2026-03-10T10:05:00.000000Z' },
          ...{ status: 'transaction_status_waiting', detail: '100.00 USD authorized on card ending 4242' },
        },
        {
          ...{ sequence: 2, type: 'fiat.transaction.updated', at: '2026-03-10T10:06:00.000000Z' },
          ...{ status: 'transaction_status_waiting', detail: 'capture of 60.00 USD refused: capture_refused' },
        },
      ],
    });
    const { context, requests, promptAnswers, prompts, announced } = accountContext({
      'GET /fiat/v1/transaction': { body: authorized },
      'GET /v1/callbacks': callbacks,
      'POST /fiat/v1/transaction/capture': { body: authorized },
      'POST /fiat/v1/transaction/void': { body: detail({ available_actions: [] }) },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    for (const shown of [
      'Authorized. Capture the payment by Mar 17, 10:05 AM, or the authorization expires.',
      '$100.00 authorized on the card ending in 4242',
      'Capture of $60.00 failed',
      'The issuer refused.',
    ])
      expect(textOf(page)).to.contain(shown);
    promptAnswers.push({ amount: '60' });
    button(page, /^Capture payment$/).click();
    await waitForPage(page);
    promptAnswers.push({});
    button(page, /^Void authorization$/).click();
    await waitForPage(page);
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).to.deep.equal([
      { transaction_id: 'order-1', amount: 60 },
      { transaction_id: 'order-1' },
    ]);
    expect(announced).to.deep.equal(['Capture requested', 'Void requested']);
    const fields = document.createElement('div');
    render(prompts[0]?.fields, fields);
    const amount = fields.querySelector<RefundAmount>('refund-amount');
    expect([amount?.maximum, amount?.purpose]).to.deep.equal([10_000n, 'capture']);
  });

  it('warns of late payments before a link is canceled', async () => {
    const instructions: TransactionDetail['instructions'] = [
      {
        ...{ number: 1, payment_method: 'qr_code', choice: null, state: 'issued', reference: 'R1', expires_at: null },
        ...{ confirmations: null, late_payments: true, created_at: '2026-03-10T10:03:00.000000Z' },
      },
    ];
    const { context, prompts } = accountContext({
      'GET /fiat/v1/transaction': { body: detail({ available_actions: ['cancel'], instructions }) },
      'GET /v1/callbacks': callbacks,
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    button(page, /^Cancel link$/).click();
    await waitForPage(page);
    expect(shownText(prompts[0]?.text)).to.contain('already sent can still arrive');
  });

  it('shows card checks in words and codes, and the codes of declines in the timeline', async () => {
    const [attempt] = detail().attempts;
    if (!attempt) throw new Error('There is no attempt');
    const declined = {
      ...attempt,
      decline: { code: 'insufficient_funds', network_code: '51', retryable: false, advice: 'do_not_retry' as const },
      charge_details: { network_code: '51', merchant_advice_code: '03', avs_result: 'N', cvv_result: 'M' },
    };
    const { decline: _, ...rest } = attempt;
    const approved = {
      ...{ ...rest, number: 2, state: 'approved', last4: '4444', acquirer_name: 'Adyen' },
      acquirer_reference: 'NC6HT9CRT65ZGN82',
      charge_details: { authorization_code: 'A1B2C3', arn: '2469216', avs_result: '4 AVS not supported' },
    };
    const [created, paid] = detail().timeline;
    if (!created || !paid) throw new Error('There is no timeline');
    const started = { ...paid, status: 'transaction_status_waiting' as const, detail: 'card ending 9995' };
    const ended = {
      ...{ ...paid, sequence: 2, status: 'transaction_status_pending' as const, detail: 'insufficient_funds' },
    };
    const body = detail({
      attempts: [declined, approved],
      timeline: [created, started, ended, { ...paid, sequence: 3 }],
    });
    const { context } = accountContext({ 'GET /fiat/v1/transaction': { body }, 'GET /v1/callbacks': callbacks });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    const attempts = textOf(page.querySelector('[aria-labelledby=attempts-heading]'));
    for (const line of [
      'Network response code: 51',
      'Merchant advice code: don’t try again (03)',
      'Address check: no match (N)',
      'Security code check: match (M)',
      'The card network forbids another attempt with this card.',
      'Authorization code: A1B2C3',
      'Acquirer reference number (ARN): 2469216',
      'Address check: 4 AVS not supported',
      'Adyen · NC6HT9CRT65ZGN82',
    ])
      expect(attempts).to.contain(line);
    expect(copyValues(page)).to.deep.include(['Copy Acquirer reference', 'NC6HT9CRT65ZGN82']);
    expect(textOf(page.querySelector('.timeline'))).to.match(
      /Declined by the bank Insufficient funds · Network response code: 51 · Merchant advice code: don’t try again \(03\)/,
    );
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('records an out-of-band refund, and labels it', async () => {
    const moment = '2026-03-10T11:00:00.000000Z';
    const changed = detail({
      refunds: [
        { number: 1, amount: 40, state: 'succeeded', out_of_band: true, created_at: moment, updated_at: moment },
      ],
      timeline: [
        {
          ...{ sequence: 1, type: 'fiat.transaction.updated', at: moment },
          ...{ status: 'transaction_status_confirmed', detail: '40.00 USD refunded out of band' },
        },
      ],
    });
    const { context, requests, promptAnswers, prompts, announced } = accountContext({
      'GET /fiat/v1/transaction': { body: detail() },
      'GET /v1/callbacks': callbacks,
      'POST /fiat/v1/transaction/refund': { body: changed },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    promptAnswers.push({ amount: '40', outOfBand: 'on' });
    button(page, /^Refund payment$/).click();
    await waitForPage(page);
    const [question] = prompts;
    const shown = document.createElement('div');
    render(question?.fields, shown);
    expect(textOf(shown)).to.match(/Refunded outside Paylatch ?Record only; no money is sent\./);
    expect(requests.find(({ method }) => method === 'POST')?.body).to.deep.equal({
      ...{ transaction_id: 'order-1', amount: 40, out_of_band: true },
    });
    expect(announced).to.deep.equal(['Refund recorded']);
    expect(textOf(page.querySelector('.timeline'))).to.contain('$40.00 refunded outside Paylatch');
    expect(textOf(page)).to.match(/Refunds \$40\.00 .* Refunded outside Paylatch/s);

    const { context: later } = accountContext({
      'GET /fiat/v1/transaction': {
        body: { ...changed, reason: 'rejected', amount_received: 40, status: 'transaction_status_failed' },
      },
      'GET /v1/callbacks': callbacks,
    });
    const rejected = await showPage(new TransactionPage(), later, { reference: 'order-1' });
    expect(textOf(rejected)).to.contain('Rejected and refunded outside Paylatch.');
  });

  const partiallyPaid: Partial<TransactionDetail> = {
    ...{ amount_received: 90, reason: 'underpaid', status: 'transaction_status_failed' },
    available_actions: ['accept', 'reject', 'refund'],
  };

  for (const [role, actions, words] of [
    ['operator', ['accept', 'reject'], /Underpaid\. You can approve or reject it\.$/],
    ['operator', ['reject'], /Underpaid\. The amount doesn’t cover the fee, so you can only reject it\.$/],
    ['viewer', ['accept', 'reject'], /Underpaid\. Waiting for review by an authorized team member\.$/],
    ['operator', [], /Underpaid\.$/],
  ] as const)
    it(`shows the options for a payment awaiting review: ${words.source}`, async () => {
      const { context } = accountContext(
        { 'GET /fiat/v1/transaction': { body: detail({ ...partiallyPaid, available_actions: [...actions] }) } },
        role,
      );
      const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
      const leads = [...page.querySelectorAll('.transaction-head .page-lead')].map(textOf);
      expect(leads.at(-1)).to.match(words);
    });

  it('rejects a payment with a reason, and shows the reviewer and reason', async () => {
    const [hostile = ''] = hostileTexts;
    const rejected = detail({
      ...{ ...partiallyPaid, available_actions: [], reason: 'rejected' },
      decision: {
        ...{ by: 'person 1', by_name: 'Ada Lovelace', at: '2026-03-10T11:00:00.000000Z' },
        ...{ reason: hostile, is_approved: false },
      },
      refunds: [
        {
          number: 1,
          amount: 90,
          state: 'pending',
          created_at: '2026-03-10T11:00:00Z',
          updated_at: '2026-03-10T11:00:00Z',
        },
      ],
      timeline: [
        {
          ...{ sequence: 1, type: 'fiat.transaction.updated', at: '2026-03-10T11:00:00.000000Z' },
          ...{ status: 'transaction_status_failed', detail: `90.00 USD rejected: ${hostile}` },
        },
      ],
    });
    const { context, requests, promptAnswers, prompts, announced } = accountContext(
      {
        'GET /fiat/v1/transaction': { body: detail(partiallyPaid) },
        'GET /v1/callbacks': callbacks,
        'POST /fiat/v1/transaction/reject': { body: rejected },
      },
      'operator',
    );
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    expect(page.querySelector('#decision-heading')).to.equal(null);
    promptAnswers.push({ reason: hostile });
    button(page, /^Reject payment$/).click();
    await waitForPage(page);
    expect([prompts[0]?.heading, prompts[0]?.isDestructive]).to.deep.equal(['Reject $90.00?', true]);
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).to.deep.equal([{ transaction_id: 'order-1', reason: hostile.trim() }]);
    expect(announced).to.deep.equal(['Payment rejected']);
    expect(textOf(page)).to.match(/Rejected\. The amount received was or is being refunded to the buyer\./);
    expect(textOf(page)).to.match(/Review Rejected by Ada Lovelace/);
    expect(textOf(page)).to.contain(`$90.00 rejected: ${hostile.trim()}`.slice(0, 40));
    expect(page.querySelector('.transaction-actions')).to.equal(null);
    expect(horizontalOverflow()).to.equal(0);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows a rejected payment that is still held, and another user’s decision', async () => {
    let now = detail({ ...partiallyPaid, reason: 'rejected' });
    const accepted = detail({
      ...{ ...partiallyPaid, status: 'transaction_status_confirmed', available_actions: ['refund'] },
      decision: {
        ...{ by: 'token 9', by_name: null, at: '2026-03-10T11:00:00.000000Z' },
        ...{ reason: null, is_approved: true },
      },
    });
    const { context, promptAnswers } = accountContext(
      {
        'GET /fiat/v1/transaction': () => ({ body: now }),
        'GET /v1/callbacks': callbacks,
        'POST /fiat/v1/transaction/reject': problem(409, 'already_paid'),
      },
      'operator',
    );
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    expect(textOf(page)).to.match(/Rejected, but not fully refunded/);
    now = accepted;
    promptAnswers.push({ reason: '' });
    button(page, /^Reject payment$/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('[role="alert"]'))).not.to.equal('');
    expect(textOf(page)).to.match(/Approved\. The amount received counts as full payment\./);
    expect(textOf(page)).to.match(/Review Approved by token 9/);
  });

  it('offers a viewer no actions', async () => {
    const { context } = accountContext(
      { 'GET /fiat/v1/transaction': { body: detail() }, 'GET /v1/callbacks': callbacks },
      'viewer',
    );
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    expect(page.querySelector('.transaction-actions')).to.equal(null);
    expect(textOf(page)).not.to.match(/Redeliver/);
  });

  it('redelivers a webhook, and shows the response as text', async () => {
    const [hostile = ''] = hostileTexts;
    const attempt = {
      ...{ number: 1, at: callback.created_at, url: receiver.url, duration_ms: 12, status: 500, error: null },
      ...{ response_body: hostile, request_headers: [], response_headers: [] },
    };
    const read: CallbackDetail = { ...callback, attempts: [attempt], payload: null };
    const { context, requests } = accountContext({
      'GET /fiat/v1/transaction': { body: detail() },
      'GET /v1/callbacks': callbacks,
      'GET /v1/callback': { body: read },
      'POST /v1/callback/redeliver': { body: callback },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    expect(page.querySelector('.callback-head .row-content')?.textContent).to.match(
      /^\s*Failed\s+fiat\.transaction\.updated\s/,
    );
    button(page, /^Redeliver/).click();
    await waitForPage(page);
    expect(requests.find(({ method }) => method === 'POST')?.body).to.deep.equal({ id: 'evt_1' });
    expect(page.querySelector('.attempt .code')?.textContent).to.equal(hostile);
    expect(page.querySelector('.attempt img')).to.equal(null);
  });

  it('names the endpoints of webhooks to several', async () => {
    const other = { ...callback, id: 'evt_1.we_1', endpoint_id: 'we_1', endpoint_name: 'Bookkeeping' };
    const { context } = accountContext({
      'GET /fiat/v1/transaction': { body: detail() },
      'GET /v1/callbacks': { body: { callbacks: [callback, other], next_cursor: null, endpoint: receiver } },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    expect([...page.querySelectorAll('.callback-type + .row-text')].map(textOf)).to.deep.equal([
      'fiat.transaction.updated · shop.example',
      'fiat.transaction.updated · Bookkeeping',
    ]);
  });

  it('sums up several webhooks in one row, which is open if one of them is not delivered', async () => {
    for (const [states, summary, isOpen] of [
      [['delivered', 'delivered'], '2 of 2 delivered', false],
      [['delivered', 'failed'], '1 of 2 delivered', true],
      [['pending', 'delivered'], '1 of 2 delivered', true],
    ] as const) {
      const rows = states.map((state, index) => ({ ...callback, id: `evt_${index}`, state }));
      const { context } = accountContext({
        'GET /fiat/v1/transaction': { body: detail() },
        'GET /v1/callbacks': { body: { callbacks: rows, next_cursor: null, endpoint: receiver } },
      });
      const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
      const list = page.querySelector<WaDetails>('.callbacks');
      expect(textOf(list?.querySelector('[slot=summary]') ?? null)).to.equal(summary);
      expect(list?.open).to.equal(isOpen);
      expect(page.querySelector('.callback-head')?.checkVisibility()).to.equal(isOpen);
      expect(await accessibilityViolations()).to.deep.equal([]);
      document.body.replaceChildren();
    }
  });

  it('keeps a webhook expanded when a newer one is added', async () => {
    const rows = [1, 2].map((number) => ({ ...callback, id: `evt_${number}`, type: `fiat.transaction.${number}` }));
    const { context } = accountContext({
      'GET /fiat/v1/transaction': { body: detail() },
      'GET /v1/callbacks': () => ({ body: { callbacks: [...rows], next_cursor: null, endpoint: receiver } }),
      'GET /v1/callback': { body: { ...callback, attempts: [], payload: null } },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    const heads = () => [...page.querySelectorAll<WaDetails>('.callback-head')];
    const open = () =>
      heads()
        .filter((each) => each.open)
        .map((each) => textOf(each.querySelector('code')));
    toggleExpandable(heads()[0] ?? null);
    await waitForPage(page);
    expect(open()).to.deep.equal(['fiat.transaction.1']);
    rows.unshift({ ...callback, id: 'evt_3', type: 'fiat.transaction.3' });
    await page.querySelector('callback-list')?.refresh();
    await waitForPage(page);
    expect(heads().length).to.equal(3);
    expect(open()).to.deep.equal(['fiat.transaction.1']);
    toggleExpandable(heads()[1] ?? null);
    await waitForPage(page);
    expect(open()).to.deep.equal([]);
  });

  it('polls until a pending delivery ends, and shows its attempts', async () => {
    const pending = { ...callback, state: 'pending' as const, attempts_made: 0, last_attempt: null, finished_at: null };
    const delivered = { ...callback, state: 'delivered' as const, attempts_made: 2 };
    let listCount = 0;
    const { context, requests } = accountContext({
      'GET /fiat/v1/transaction': { body: detail() },
      'GET /v1/callbacks': () => {
        listCount += 1;
        return { body: { callbacks: [listCount < 3 ? pending : delivered], next_cursor: null, endpoint: receiver } };
      },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    const list = page.querySelector('callback-list');
    expect(textOf(list)).to.match(/0 attempts.*Pending/s);
    const countListRequests = () => requests.filter(({ path }) => path === '/v1/callbacks').length;
    while (countListRequests() < 3) await waitForPage(page);
    await waitForPage(page);
    expect(textOf(list)).to.match(/2 attempts.*Delivered/s);
    expect(countListRequests()).to.equal(3);
  });

  it('translates event details of the service', async () => {
    const eventDetails = [
      'expired_card',
      '1125.00 THB received',
      '49.00 USD refunded',
      'refund of 9.00 USD refused: gone',
      'awaits approval',
    ];
    const { context } = accountContext({
      'GET /fiat/v1/transaction': {
        body: detail({
          timeline: eventDetails.map((eventDetail, index) => ({
            ...{ sequence: index, type: 'fiat.transaction.updated', at: `2026-03-10T10:0${index}:00.000000Z` },
            ...{ status: 'transaction_status_waiting' as const, detail: eventDetail },
          })),
        }),
      },
      'GET /v1/callbacks': callbacks,
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    const timeline = textOf(page.querySelector('.timeline'));
    const expected = ['Expired card', 'THB 1,125.00 received', '$49.00 refunded', 'Refund of $9.00 failed'];
    for (const words of [...expected, 'Awaiting review']) expect(timeline.replaceAll('\u00a0', ' ')).to.contain(words);
  });

  it('with crypto ends its timeline with the tone of its status', async () => {
    for (const [status, tone] of [
      ['complete', 'good'],
      ['failed', 'bad'],
      ['approved_required', null],
    ] as const) {
      at('?kind=crypto');
      const { context } = accountContext({
        'GET /v1/transaction': { body: { ...coin, status } },
        'GET /v1/callbacks': callbacks,
      });
      const page = await showPage(new TransactionPage(), context, { reference: 'money-1' });
      expect([...page.querySelectorAll('.timeline-entry')].at(-1)?.getAttribute('data-tone')).to.equal(tone);
    }
  });

  it('with crypto without an invoice is titled as such, with its address', async () => {
    at('?kind=crypto');
    const { context } = accountContext({
      'GET /v1/transaction': { body: { ...coin, txId: null } },
      'GET /v1/callbacks': callbacks,
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'money-1' });
    expect(textOf(page.querySelector('h1'))).to.match(/^Deposit without an invoice: /);
    const title = page.querySelector('.transaction-reference');
    expect(textOf(title).startsWith(`Deposit without an invoice ${coin.walletAddress}`)).to.equal(true);
    expect(copyValues(title as HTMLElement)).to.deep.equal([['Copy Deposit address', coin.walletAddress]]);
  });

  it('with crypto shows the overpaid amount', async () => {
    at('?kind=crypto');
    const body = { ...coin, amount: '3000000000000000001', amountDue: '0', labels: ['overpaid'] };
    const { context } = accountContext({ 'GET /v1/transaction': { body }, 'GET /v1/callbacks': callbacks });
    const page = await showPage(new TransactionPage(), context, { reference: 'money-1' });
    expect(textOf(page.querySelector('.amount-total'))).to.match(/^Overpaid\s?0\.5\sETH$/);
  });

  it('prompts with the amount before crypto is approved or rejected', async () => {
    at('?kind=crypto');
    for (const [name, heading] of [
      [/^Approve payment$/, /^Approve 2\sETH\?$/],
      [/^Reject payment$/, /^Reject 2\sETH\?$/],
    ] as const) {
      const { context, prompts } = accountContext({
        'GET /v1/transaction': { body: coin },
        'GET /v1/callbacks': callbacks,
      });
      const page = await showPage(new TransactionPage(), context, { reference: 'money-1' });
      button(page, name).click();
      await waitForPage(page);
      expect(prompts[0]?.heading).to.match(heading);
    }
  });

  it('asks for a refund address of rejected crypto only if one is accepted', async () => {
    at('?kind=crypto');
    for (const [type, isAsked] of [
      ['static', true],
      ['user', false],
    ] as const) {
      const { context, prompts } = accountContext({
        'GET /v1/transaction': { body: { ...coin, type } },
        'GET /v1/callbacks': callbacks,
      });
      const page = await showPage(new TransactionPage(), context, { reference: 'money-1' });
      button(page, /^Reject payment$/).click();
      await waitForPage(page);
      render(prompts[0]?.fields, document.body.appendChild(document.createElement('div')));
      expect(document.querySelector('[name=refundAddress]') !== null).to.equal(isAsked);
      document.body.replaceChildren();
    }
  });

  it('names the reviewer of coins, a token by its ID', async () => {
    at('?kind=crypto');
    for (const [who, words] of [
      [{ by: 'person 3', byName: 'Grace Hopper' }, 'Approved by Grace Hopper'],
      [{ by: 'token 3', byName: null }, 'Approved by token 3'],
    ] as const) {
      const decision = {
        ...who,
        ...{ at: '2026-03-10T10:30:00.000000Z', reason: null, isApproved: true, refundAddress: null },
      };
      const { context } = accountContext({
        'GET /v1/transaction': { body: { ...coin, status: 'complete', decision, availableActions: [] } },
        'GET /v1/callbacks': callbacks,
      });
      const page = await showPage(new TransactionPage(), context, { reference: 'money-1' });
      await waitForPage(page);
      expect(textOf(page.querySelector('.timeline'))).to.contain(words);
    }
  });

  it('shows hostile text without overflow', async () => {
    const long = 'a'.repeat(500);
    const { context } = accountContext({
      'GET /fiat/v1/transaction': {
        body: detail({
          descriptions: long,
          transaction_id: long,
          link: `https://pay.example/${long}`,
          status: 'transaction_status_pending',
        }),
      },
      'GET /v1/callbacks': callbacks,
    });
    await showPage(new TransactionPage(), context, { reference: long });
    expect(horizontalOverflow()).to.equal(0);
  });

  it('with crypto has every digit, and awaits review', async () => {
    at('?kind=crypto');
    const { context, requests, promptAnswers } = accountContext({
      'GET /v1/transaction': { body: coin },
      'GET /v1/callbacks': { body: { callbacks: [], next_cursor: null, endpoint: receiver } },
      'POST /v1/transaction/reject': { body: { ...coin, status: 'failed', availableActions: [] } },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'money-1' });
    expect(textOf(page.querySelector('.amount-lines'))).to.match(
      /2\.500000000000000001.ETH.*2.ETH.*0\.500000000000000001.ETH/,
    );
    expect(textOf(page)).to.match(/3 of 12 confirmations/);
    expect(copyValues(page)).to.deep.equal([
      ['Copy Reference', 'coffee-1'],
      ['Copy Transaction hash', coin.payments[0]?.txHash],
      ['Copy Deposit address', coin.walletAddress],
    ]);
    expect(await accessibilityViolations()).to.deep.equal([]);
    promptAnswers.push({ reason: 'Paid twice', refundAddress: '' });
    button(page, /^Reject payment$/).click();
    await waitForPage(page);
    expect(requests.find(({ method }) => method === 'POST')?.body).to.deep.equal({
      id: 'money-1',
      reason: 'Paid twice',
    });
    expect(page.querySelector('.transaction-actions')).to.equal(null);
  });

  it('shows a missing transaction', async () => {
    const { context } = accountContext({
      'GET /fiat/v1/transaction': problem(404, 'not_found'),
      'GET /v1/transaction': problem(404, 'not_found'),
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'nothing' });
    expect(textOf(page.querySelector('account-state'))).to.match(/Not found/);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });
});

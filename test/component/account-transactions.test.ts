import { expect } from 'chai';
import type WaInput from '@awesome.me/webawesome/dist/components/input/input.js';
import type WaSelect from '@awesome.me/webawesome/dist/components/select/select.js';
import { render } from 'lit';
import type { CallbackDetail, CryptoTransaction, TransactionDetail, TransactionListItem } from '../../client/api.ts';
import { decimalsOf } from '../../pages/account/format.ts';
import { readTyped } from '../../pages/account/amounts.ts';
import { RowCount, saveExport } from '../../pages/account/transactions/export.ts';
import { queryOf, readNarrowed, writeNarrowed } from '../../pages/account/transactions/filters.ts';
import { RefundAmount } from '../../pages/account/transactions/refund-amount.ts';
import { deliveredSum } from '../../pages/account/transactions/sums.ts';
import { TransactionPage } from '../../pages/account/transactions/transaction-page.ts';
import { TransactionsPage } from '../../pages/account/transactions/transactions-page.ts';
import { currencyCodes, currencyMinorUnits } from '../../src/api/currency.ts';
import {
  accountContext,
  type Answer,
  barriers,
  button,
  radio,
  hostileTexts,
  problem,
  settledPage,
  showPage,
  sidewaysBy,
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

function listed(transactions: readonly TransactionListItem[], next: string | null = null): Answer {
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
        decline: { code: 'insufficient_funds', advice: 'use_other_card' },
        created_at: '2026-03-10T10:03:00.000000Z',
      },
    ],
    instructions: [],
    receipts: [],
    refunds: [],
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
  id: 'evt_1',
  type: 'fiat.transaction.updated',
  transaction_id: 'order-1',
  sequence: 1,
  url: null,
  state: 'failed',
  attempts_made: 1,
  last_attempt: { at: '2026-03-10T10:05:00.000000Z', status: 500, error: null },
  next_attempt_at: null,
  created_at: '2026-03-10T10:05:00.000000Z',
  finished_at: '2026-03-10T10:05:01.000000Z',
} as const;
const receiver = { url: 'https://shop.example/callbacks', failing_since: null, off_since: null, off_reason: null };
const callbacks: Answer = { body: { callbacks: [callback], next_cursor: null, receiver } };

const coin: CryptoTransaction = {
  id: 'money-1',
  txId: 'coffee-1',
  type: 'static',
  code: 'eth',
  amountRequired: '2500000000000000001',
  amountRequiredUnit: '2.500000000000000001',
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
      decision: 'undecided',
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
  meantFor: null,
  decision: null,
  availableActions: ['approve', 'reject'],
  createdAt: '2026-03-10T09:00:00.000000Z',
  updatedAt: '2026-03-10T10:00:00.000000Z',
  expiredAt: null,
};

function at(search: string) {
  history.replaceState(null, '', own + search);
}

describe('the list of transactions', () => {
  afterEach(() => {
    document.body.replaceChildren();
    scrollTo(0, 0);
    at('');
  });

  it('says what is there, each row as a whole a link', async () => {
    const { context } = accountContext({ 'GET /fiat/v1/transactions': listed([item(1), item(2)]) });
    const page = await showPage(new TransactionsPage(), context);
    const rows = [...page.querySelectorAll<HTMLAnchorElement>('.transaction-row')];
    expect(rows.map((row) => row.getAttribute('href'))).to.deep.equal([
      '/account/7/transactions/order-1',
      '/account/7/transactions/order-2',
    ]);
    expect(textOf(rows[0])).to.match(/order-1.*Card.*\$12\.50.*Paid/);
    expect(await barriers()).to.deep.equal([]);
  });

  it('takes what narrows it from the address, and asks for nothing else', async () => {
    at('?status=transaction_status_failed&search=12.50&order=largest&colour=red');
    const { context, asked } = accountContext({ 'GET /fiat/v1/transactions': listed([]) });
    const page = await showPage(new TransactionsPage(), context);
    expect(Object.fromEntries(asked[0]?.query ?? [])).to.deep.equal({
      ...{ status: 'transaction_status_failed', search: '12.50', per_page: '50' },
      ...{ order: 'amount', order_direction: 'desc' },
    });
    expect(page.querySelector<WaInput>('#transaction-search')?.value).to.equal('12.50');
    expect(textOf(page.querySelector('account-state'))).to.match(/Nothing matches/);
    button(page, /^Clear filters$/).click();
    await settledPage(page);
    expect(location.search).to.equal('?order=largest');
  });

  it('searches for what is typed, and leaves the field to whoever types on', async () => {
    const { context, asked } = accountContext({ 'GET /fiat/v1/transactions': listed([item(1)]) });
    const page = await showPage(new TransactionsPage(), context);
    const search = page.querySelector<WaInput>('#transaction-search');
    if (!search) throw new Error('There is no search');
    search.value = 'tea ';
    search.dispatchEvent(new InputEvent('input', { bubbles: true }));
    while (asked.at(-1)?.query.get('search') !== 'tea') await settledPage(page);
    await settledPage(page);
    expect(search.value).to.equal('tea ');
    button(page, /^Filters/).click();
    await settledPage(page);
    search.value = 'tea pot';
    const order = page.querySelector<WaSelect>('#filter-order');
    if (!order) throw new Error('There is no choice of an order');
    order.value = 'oldest';
    order.dispatchEvent(new Event('change'));
    await settledPage(page);
    expect(asked.at(-1)?.query.get('search')).to.equal('tea pot');
    radio(page, /^Crypto$/).click();
    await settledPage(page);
    expect(search.value).to.equal('');
  });

  it('goes to another address where a filter is chosen, and back', async () => {
    const { context, asked } = accountContext({ 'GET /fiat/v1/transactions': listed([item(1)]) });
    const page = await showPage(new TransactionsPage(), context);
    button(page, /^Filters/).click();
    await settledPage(page);
    expect(await barriers()).to.deep.equal([]);
    const status = page.querySelector<WaSelect>('#filter-status');
    if (!status) throw new Error('There is no choice of a status');
    status.value = 'transaction_status_failed';
    status.dispatchEvent(new Event('change'));
    await settledPage(page);
    expect(location.search).to.equal('?status=transaction_status_failed');
    expect(asked.at(-1)?.query.get('status')).to.equal('transaction_status_failed');
  });

  it('draws only what is in sight of ten thousand, and goes on by the cursor', async () => {
    const all = Array.from({ length: 10_000 }, (_, index) => item(index));
    const { context, asked } = accountContext({
      'GET /fiat/v1/transactions': ({ query }) =>
        query.has('cursor') ? listed([item(10_001)]) : listed(all, 'further'),
    });
    const page = await showPage(new TransactionsPage(), context);
    expect(page.querySelectorAll('.transaction-item').length).to.be.lessThan(100);
    const list = page.querySelector<HTMLElement>('.transaction-list');
    expect(list?.offsetHeight ?? 0).to.be.greaterThan(10_000 * 50);
    scrollTo(0, document.documentElement.scrollHeight);
    await new Promise((resolve) => addEventListener('scroll', resolve, { once: true }));
    await settledPage(page);
    expect(asked.at(-1)?.query.get('cursor')).to.equal('further');
    expect(textOf(page.querySelector('.list-end'))).to.equal('10,001 transactions');
    expect(page.querySelectorAll('.transaction-item').length).to.be.lessThan(100);
  });

  it('is gone through by keys, and / goes to the search', async () => {
    const { context } = accountContext({ 'GET /fiat/v1/transactions': listed([item(1), item(2), item(3)]) });
    const page = await showPage(new TransactionsPage(), context);
    const press = async (key: string) => {
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }),
      );
      await settledPage(page);
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

  it('says why nothing came, and tries again', async () => {
    let isAway = true;
    const { context } = accountContext({
      'GET /fiat/v1/transactions': () => (isAway ? problem(503, 'unavailable') : listed([item(1)])),
    });
    const page = await showPage(new TransactionsPage(), context);
    expect(textOf(page.querySelector('account-state'))).to.match(/Title of unavailable/);
    isAway = false;
    button(page, /Try again/).click();
    await settledPage(page);
    expect(page.querySelectorAll('.transaction-row').length).to.equal(1);
  });

  it('shows what others wrote as text, in its place', async () => {
    const { context } = accountContext({
      'GET /fiat/v1/transactions': listed(
        hostileTexts.map((text, index) => item(index, { description: text, transaction_id: text.slice(0, 64) })),
      ),
    });
    const page = await showPage(new TransactionsPage(), context);
    expect(page.querySelector('.transaction-list img[onerror]')).to.equal(null);
    expect(sidewaysBy()).to.equal(0);
  });

  it('shows money on chains where that is asked for', async () => {
    at('?kind=crypto');
    const { context } = accountContext({
      'GET /v1/transactions': { body: { transactions: [coin], next_cursor: null } },
    });
    const page = await showPage(new TransactionsPage(), context);
    const row = page.querySelector('.transaction-row');
    expect(textOf(row)).to.match(/coffee-1.*2\.500000000000000001.ETH.*Needs a decision/);
    expect(row?.getAttribute('href')).to.equal('/account/7/transactions/money-1?kind=crypto');
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
    const count = new RowCount();
    count.add(new TextEncoder().encode('id,description\r\n1,"two\r\nlines"\r\n2,'));
    count.add(new TextEncoder().encode('"a ""quoted"" one"\r\n'));
    expect(count.rows).to.equal(2);
  });

  it('hands over what is complete, and nothing else', async () => {
    const given: Blob[] = [];
    const world = { pick: null, give: (_name: string, file: Blob) => void given.push(file) };
    const asked = { name: 'x.csv', signal: new AbortController().signal, progress: () => {} };
    const done = await saveExport(world, {
      ...asked,
      fetch: async () => await Promise.resolve(stream(['id\r\n', '1\r\n', '2\r\n'])),
    });
    expect(done).to.deep.equal({ rows: 2, bytes: 10 });
    expect(await given[0]?.text()).to.equal('id\r\n1\r\n2\r\n');
    const broken = saveExport(world, {
      ...asked,
      fetch: async () => await Promise.resolve(stream(['id\r\n'], new Error('The line broke'))),
    });
    expect(await broken.catch((error: unknown) => String(error))).to.match(/The line broke/);
    expect(given.length).to.equal(1);
  });
});

describe('what narrows a list', () => {
  it('is the same when it is written and read again', () => {
    const written = '?status=transaction_status_failed&since=2026-03-01&search=a+b%26c&order=oldest';
    expect(writeNarrowed(readNarrowed(written))).to.equal(written);
    expect(writeNarrowed(readNarrowed('?kind=crypto&code=btc&country=FRA'))).to.equal('?kind=crypto&code=btc');
  });

  it('takes days as those of the reader, the last one whole', () => {
    const { since, till } = queryOf(readNarrowed('?since=2026-03-01&till=2026-03-01'));
    expect(Date.parse(String(till)) - Date.parse(String(since))).to.equal(86_400_000);
    expect(queryOf(readNarrowed('?since=yesterday'))['since']).to.equal(null);
  });
});

describe('amounts', () => {
  it('have the decimals of the contract', () => {
    const decimals = Object.fromEntries(currencyCodes.map((code) => [code, decimalsOf(code)]));
    expect(decimals).to.deep.equal(currencyMinorUnits);
  });

  it('are read as they are typed', () => {
    expect(readTyped('12.5', 'USD')).to.equal(1250n);
    expect(readTyped('12,50', 'EUR')).to.equal(1250n);
    expect(readTyped('1,250.00', 'USD')).to.equal(125_000n);
    expect(readTyped('250 000', 'VND')).to.equal(250_000n);
    for (const wrong of ['', '-1', '1.234', '12 dollars', '1e3']) expect(readTyped(wrong, 'USD'), wrong).to.equal(null);
  });

  it('add up, whenever something went back', () => {
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
      for (const { minor, isSum } of deliveredSum(detail(change))) {
        if (isSum) expect(sum).to.equal(minor);
        else sum += minor;
      }
    }
  });
});

describe('how much goes back', () => {
  afterEach(() => document.body.replaceChildren());

  it('is checked as it is typed', async () => {
    const { context } = accountContext();
    const field = new RefundAmount();
    Object.assign(field, { context, currency: 'USD', most: 1250n });
    document.body.append(field);
    await field.updateComplete;
    const input = field.querySelector('wa-input');
    if (!input) throw new Error('There is no field');
    const type = async (text: string) => {
      input.value = text;
      input.dispatchEvent(new InputEvent('input', { bubbles: true }));
      await field.updateComplete;
      return [input.checkValidity(), textOf(field.querySelector('.mistake, .hint'))];
    };
    expect(await type('12.51')).to.deep.equal([false, '$12.50 is the most that can go back.']);
    expect(await type('0')).to.deep.equal([false, 'Write more than zero.']);
    expect(await type('2.5')).to.deep.equal([true, '$10.00 stays with you.']);
  });
});

describe('a transaction', () => {
  afterEach(() => {
    document.body.replaceChildren();
    at('');
  });

  it('says what happened, what was tried and how the amounts add up', async () => {
    const { context } = accountContext({
      'GET /fiat/v1/transaction': { body: detail() },
      'GET /v1/callbacks': callbacks,
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    expect(textOf(page.querySelector('h1'))).to.equal('order-1: $100.00');
    const lines = [...page.querySelectorAll('.sum-line')].map((line) => [...line.children].map(textOf));
    expect(lines).to.deep.equal([
      ['Asked for', '$100.00'],
      ['Received', '$100.00'],
      ['Fee', '−$3.20'],
      ['Delivered to you', '$96.80'],
    ]);
    expect(textOf(page)).to.match(/There is not enough money for it/);
    expect(textOf(page)).to.match(/France.*by the address of the connection/);
    expect(await barriers()).to.deep.equal([]);
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
    expect(await show('sandbox-table')).to.match(/Sandbox exchange rates of .*2026, not real prices\./);
  });

  it('gives back what was typed, once, and shows what it is then', async () => {
    const { context, asked, nextAnswers, said } = accountContext({
      'GET /fiat/v1/transaction': { body: detail() },
      'GET /v1/callbacks': callbacks,
      'POST /fiat/v1/transaction/refund': { body: detail({ available_actions: [] }) },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    nextAnswers.push({ amount: '12.5' });
    button(page, /^Refund$/).click();
    await settledPage(page);
    const sent = asked.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).to.deep.equal([{ transaction_id: 'order-1', amount: 12.5 }]);
    expect(said).to.deep.equal(['The refund is on its way']);
    expect(page.querySelector('.transaction-actions')).to.equal(null);
  });

  it('writes down what was given back another way, and tells it apart', async () => {
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
    const { context, asked, nextAnswers, questions, said } = accountContext({
      'GET /fiat/v1/transaction': { body: detail() },
      'GET /v1/callbacks': callbacks,
      'POST /fiat/v1/transaction/refund': { body: changed },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    nextAnswers.push({ amount: '40', outOfBand: 'on' });
    button(page, /^Refund$/).click();
    await settledPage(page);
    const [question] = questions;
    const shown = document.createElement('div');
    render(question?.fields, shown);
    expect(textOf(shown)).to.match(/I have given it back another way ?It is only written down\./);
    expect(asked.find(({ method }) => method === 'POST')?.body).to.deep.equal({
      ...{ transaction_id: 'order-1', amount: 40, out_of_band: true },
    });
    expect(said).to.deep.equal(['Written down as given back']);
    expect(textOf(page.querySelector('.timeline'))).to.contain('$40.00 given back another way');
    expect(textOf(page)).to.match(/Refunds \$40\.00 .* Given back another way/s);

    const { context: later } = accountContext({
      'GET /fiat/v1/transaction': {
        body: { ...changed, reason: 'rejected', amount_received: 40, status: 'transaction_status_failed' },
      },
      'GET /v1/callbacks': callbacks,
    });
    const rejected = await showPage(new TransactionPage(), later, { reference: 'order-1' });
    expect(textOf(rejected)).to.contain('It was rejected. What had come was given back another way.');
  });

  const inPart: Partial<TransactionDetail> = {
    ...{ amount_received: 90, reason: 'underpaid', status: 'transaction_status_failed' },
    available_actions: ['accept', 'reject', 'refund'],
  };

  for (const [role, actions, words] of [
    ['operator', ['accept', 'reject'], /asked for\. You can accept it or give it back\.$/],
    ['operator', ['reject'], /asked for\. It is not more than its fee: you can only give it back\.$/],
    ['viewer', ['accept', 'reject'], /asked for\. It waits for somebody who may decide about it\.$/],
    ['operator', [], /asked for\.$/],
  ] as const)
    it(`says what can be done with money that waits: ${words.source}`, async () => {
      const { context } = accountContext(
        { 'GET /fiat/v1/transaction': { body: detail({ ...inPart, available_actions: [...actions] }) } },
        role,
      );
      const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
      const said = [...page.querySelectorAll('.transaction-head .page-lead')].map(textOf);
      expect(said.at(-1)).to.match(words);
    });

  it('rejects what came with a reason, and says who did, and why', async () => {
    const [hostile = ''] = hostileTexts;
    const rejected = detail({
      ...{ ...inPart, available_actions: [], reason: 'rejected' },
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
    const { context, asked, nextAnswers, questions, said } = accountContext(
      {
        'GET /fiat/v1/transaction': { body: detail(inPart) },
        'GET /v1/callbacks': callbacks,
        'POST /fiat/v1/transaction/reject': { body: rejected },
      },
      'operator',
    );
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    expect(page.querySelector('#decision-heading')).to.equal(null);
    nextAnswers.push({ reason: hostile });
    button(page, /^Reject$/).click();
    await settledPage(page);
    expect([questions[0]?.heading, questions[0]?.isGrave]).to.deep.equal(['Reject $90.00?', true]);
    const sent = asked.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body }) => body)).to.deep.equal([{ transaction_id: 'order-1', reason: hostile.trim() }]);
    expect(said).to.deep.equal(['Rejected']);
    expect(textOf(page)).to.match(/It was rejected\. What had come goes back the way it came\./);
    expect(textOf(page)).to.match(/Decision Rejected by Ada Lovelace/);
    expect(textOf(page)).to.contain(`$90.00 rejected: ${hostile.trim()}`.slice(0, 40));
    expect(page.querySelector('.transaction-actions')).to.equal(null);
    expect(sidewaysBy()).to.equal(0);
    expect(await barriers()).to.deep.equal([]);
  });

  it('says that rejected money is still here, and shows what somebody else has decided first', async () => {
    let now = detail({ ...inPart, reason: 'rejected' });
    const accepted = detail({
      ...{ ...inPart, status: 'transaction_status_confirmed', available_actions: ['refund'] },
      decision: {
        ...{ by: 'token 9', by_name: null, at: '2026-03-10T11:00:00.000000Z' },
        ...{ reason: null, is_approved: true },
      },
    });
    const { context, nextAnswers } = accountContext(
      {
        'GET /fiat/v1/transaction': () => ({ body: now }),
        'GET /v1/callbacks': callbacks,
        'POST /fiat/v1/transaction/reject': problem(409, 'already_paid'),
      },
      'operator',
    );
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    expect(textOf(page)).to.match(/It was rejected, but money is here/);
    now = accepted;
    nextAnswers.push({ reason: '' });
    button(page, /^Reject$/).click();
    await settledPage(page);
    expect(textOf(page.querySelector('[role="alert"]'))).not.to.equal('');
    expect(textOf(page)).to.match(/What came was accepted as the payment\./);
    expect(textOf(page)).to.match(/Decision Accepted by token 9/);
  });

  it('offers nothing to whoever only looks', async () => {
    const { context } = accountContext(
      { 'GET /fiat/v1/transaction': { body: detail() }, 'GET /v1/callbacks': callbacks },
      'viewer',
    );
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    expect(page.querySelector('.transaction-actions')).to.equal(null);
    expect(textOf(page)).not.to.match(/Send again/);
  });

  it('sends a callback again, and shows what was answered as text', async () => {
    const [hostile = ''] = hostileTexts;
    const attempt = {
      ...{ number: 1, at: callback.created_at, url: receiver.url, duration_ms: 12, status: 500, error: null },
      answer: hostile,
    };
    const read: CallbackDetail = { ...callback, attempts: [attempt] };
    const { context, asked } = accountContext({
      'GET /fiat/v1/transaction': { body: detail() },
      'GET /v1/callbacks': callbacks,
      'GET /v1/callback': { body: read },
      'POST /v1/callback/redeliver': { body: callback },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    button(page, /^Send again/).click();
    await settledPage(page);
    expect(asked.find(({ method }) => method === 'POST')?.body).to.deep.equal({ id: 'evt_1' });
    expect(page.querySelector('.attempt .code')?.textContent).to.equal(hostile);
    expect(page.querySelector('.attempt img')).to.equal(null);
  });

  it('looks for the end of a delivery that is on its way, with its attempts', async () => {
    const pending = { ...callback, state: 'pending' as const, attempts_made: 0, last_attempt: null, finished_at: null };
    const delivered = { ...callback, state: 'delivered' as const, attempts_made: 2 };
    let looks = 0;
    const { context, asked } = accountContext({
      'GET /fiat/v1/transaction': { body: detail() },
      'GET /v1/callbacks': () => {
        looks += 1;
        return { body: { callbacks: [looks < 3 ? pending : delivered], next_cursor: null, receiver } };
      },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    const list = page.querySelector('callback-list');
    expect(textOf(list)).to.match(/0 attempts.*Waiting/s);
    const askedFor = () => asked.filter(({ path }) => path === '/v1/callbacks').length;
    while (askedFor() < 3) await settledPage(page);
    await settledPage(page);
    expect(textOf(list)).to.match(/2 attempts.*Delivered/s);
    expect(askedFor()).to.equal(3);
  });

  it('tells what the service noted in the reader’s words', async () => {
    const noted = ['expired_card', '1125.00 THB received', '49.00 USD refunded', 'refund of 9.00 USD refused: gone'];
    const { context } = accountContext({
      'GET /fiat/v1/transaction': {
        body: detail({
          timeline: noted.map((told, index) => ({
            ...{ sequence: index, type: 'fiat.transaction.updated', at: `2026-03-10T10:0${index}:00.000000Z` },
            ...{ status: 'transaction_status_waiting' as const, detail: told },
          })),
        }),
      },
      'GET /v1/callbacks': callbacks,
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'order-1' });
    const told = textOf(page.querySelector('.timeline'));
    for (const words of [
      'The card has expired',
      'THB 1,125.00 received',
      '$49.00 given back',
      'Giving back $9.00 was refused',
    ])
      expect(told.replaceAll('\u00a0', ' ')).to.contain(words);
  });

  it('on a chain says by how much too much has come', async () => {
    at('?kind=crypto');
    const body = { ...coin, amount: '3000000000000000001', amountDue: '0', labels: ['overpaid'] };
    const { context } = accountContext({ 'GET /v1/transaction': { body }, 'GET /v1/callbacks': callbacks });
    const page = await showPage(new TransactionPage(), context, { reference: 'money-1' });
    expect(textOf(page.querySelector('.sum-total'))).to.match(/^Too much\s?0\.5\sETH$/);
  });

  it('asks with the amount before crypto is approved or rejected', async () => {
    at('?kind=crypto');
    for (const [name, heading] of [
      [/^Approve$/, /^Approve 2\sETH\?$/],
      [/^Reject$/, /^Reject 2\sETH\?$/],
    ] as const) {
      const { context, questions } = accountContext({
        'GET /v1/transaction': { body: coin },
        'GET /v1/callbacks': callbacks,
      });
      const page = await showPage(new TransactionPage(), context, { reference: 'money-1' });
      button(page, name).click();
      await settledPage(page);
      expect(questions[0]?.heading).to.match(heading);
    }
  });

  it('names who decided about coins, a token by its number', async () => {
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
      await settledPage(page);
      expect(textOf(page.querySelector('.timeline'))).to.contain(words);
    }
  });

  it('keeps hostile words within their place', async () => {
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
    expect(sidewaysBy()).to.equal(0);
  });

  it('on a chain has every digit, and waits for the decision', async () => {
    at('?kind=crypto');
    const { context, asked, nextAnswers } = accountContext({
      'GET /v1/transaction': { body: coin },
      'GET /v1/callbacks': { body: { callbacks: [], next_cursor: null, receiver } },
      'POST /v1/transaction/reject': { body: { ...coin, status: 'failed', availableActions: [] } },
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'money-1' });
    expect(textOf(page.querySelector('.sum'))).to.match(/2\.500000000000000001.ETH.*2.ETH.*0\.500000000000000001.ETH/);
    expect(textOf(page)).to.match(/3 of 12 confirmations/);
    expect(await barriers()).to.deep.equal([]);
    nextAnswers.push({ reason: 'Paid twice', refundAddress: '' });
    button(page, /^Reject$/).click();
    await settledPage(page);
    expect(asked.find(({ method }) => method === 'POST')?.body).to.deep.equal({ id: 'money-1', reason: 'Paid twice' });
    expect(page.querySelector('.transaction-actions')).to.equal(null);
  });

  it('says where there is none', async () => {
    const { context } = accountContext({
      'GET /fiat/v1/transaction': problem(404, 'not_found'),
      'GET /v1/transaction': problem(404, 'not_found'),
    });
    const page = await showPage(new TransactionPage(), context, { reference: 'nothing' });
    expect(textOf(page.querySelector('account-state'))).to.match(/This is not there/);
    expect(await barriers()).to.deep.equal([]);
  });
});

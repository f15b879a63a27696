import { expect } from 'chai';
import { html, render } from 'lit';
import type { CryptoTransaction, TransactionDetail, TransactionListItem } from '../../client/api.ts';
import { ReviewQueuePage } from '../../pages/account/review-queue/review-queue-page.ts';
import type { AccountContext } from '../../pages/account/context.ts';
import type { LiveUpdate } from '../../pages/account/live.ts';
import {
  type FakeResponse,
  accountContext,
  type SentRequest,
  accessibilityViolations,
  button,
  hostileTexts,
  keydown,
  problem,
  waitForPage,
  showPage,
  horizontalOverflow,
  textOf,
} from './account-fixtures.ts';

function cryptoPayment(id: string, change: Partial<CryptoTransaction> = {}): Partial<CryptoTransaction> {
  return {
    ...{ id, txId: `order-${id}`, code: 'btc', amount: '135000', amountRequired: '150000', labels: ['underpaid'] },
    ...{
      status: 'approved_required',
      payments: [],
      probableTxId: null,
      decision: null,
      updatedAt: '2026-03-10T11:55:00Z',
    },
    availableActions: ['approve', 'reject'],
    ...change,
  };
}

function payment(id: string, change: Partial<TransactionListItem> = {}): Partial<TransactionListItem> {
  return {
    ...{ transaction_id: id, currency: 'THB', amount_charged: 1250, amount_received: 1125, amount_kept: 1125 },
    ...{ reason: 'underpaid', status: 'transaction_status_waiting', updated_at: '2026-03-10T11:50:00Z' },
    payment_method: 'promptpay',
    ...change,
  };
}

const byAda = { by: 'person 1', by_name: 'Ada Lovelace', at: '2026-03-10T11:59:00Z', reason: null, is_approved: true };
/** A payment of THB 1,125, accepted by the signed-in user. */
const accepted: Partial<TransactionDetail> = {
  ...{ currency: 'THB', amount_received: 1125, refunds: [], decision: byAda, available_actions: [] },
  status: 'transaction_status_confirmed',
};
const rejected: Partial<TransactionDetail> = {
  ...accepted,
  ...{ status: 'transaction_status_failed', reason: 'rejected', decision: { ...byAda, is_approved: false } },
  refunds: [{ number: 1, amount: 1125, state: 'pending', created_at: '', updated_at: '' }],
};

/** A service with these pending reviews; a reviewed payment leaves the queue. */
function service(pendingReviews: Partial<CryptoTransaction>[], fiat: Partial<TransactionListItem>[] = []) {
  const payments = new Map(fiat.map((each) => [each.transaction_id ?? '', each]));
  const remaining = new Map(pendingReviews.map((each) => [each.id ?? '', each]));
  const review = ({ body }: SentRequest): FakeResponse => {
    const { id } = body as { id: string };
    if (!remaining.delete(id)) return problem(409, 'nothing_to_review');
    return { body: {} };
  };
  const reviewPayment =
    (response: Partial<TransactionDetail>) =>
    ({ body }: SentRequest): FakeResponse => {
      const { transaction_id: id } = body as { transaction_id: string };
      return payments.delete(id) ? { body: response } : problem(409, 'already_paid');
    };
  return {
    remaining,
    payments,
    responses: {
      'GET /v1/transactions': () => ({ body: { transactions: [...remaining.values()], next_cursor: null } }),
      'GET /fiat/v1/transactions': ({ query }: SentRequest) => ({
        body: {
          transactions: query.get('awaiting_review') === 'true' ? [...payments.values()] : [],
          pagination: { next_cursor: null },
        },
      }),
      'GET /fiat/v1/transaction': {
        body: { ...accepted, decision: { ...byAda, by: 'person 3', by_name: 'Grace', reason: 'Regular customer' } },
      },
      'GET /v1/transaction': ({ query }: SentRequest): FakeResponse => {
        if (query.has('txId')) return { body: cryptoPayment('meant', { amountRequired: '150000' }) };
        const decision = {
          by: 'person 3',
          byName: 'Grace',
          isApproved: false,
          reason: 'Not ours',
          at: '',
          refundAddress: null,
        };
        return { body: cryptoPayment(query.get('id') ?? '', { status: 'failed', decision }) };
      },
      'POST /v1/transaction/approve': review,
      'POST /v1/transaction/reject': review,
      'POST /fiat/v1/transaction/accept': reviewPayment(accepted),
      'POST /fiat/v1/transaction/reject': reviewPayment(rejected),
    },
  };
}

async function openReviewQueue(
  pendingReviews: Partial<CryptoTransaction>[],
  { fiat = [], change = {} }: { fiat?: Partial<TransactionListItem>[]; change?: Partial<AccountContext> } = {},
) {
  const { responses, remaining, payments } = service(pendingReviews, fiat);
  const setup = accountContext(responses, 'operator', change);
  const page = await showPage(new ReviewQueuePage(), setup.context);
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      const target = document.activeElement ?? document.body;
      target.dispatchEvent(keydown(key));
      await waitForPage(page);
    }
  };
  const rows = () => [...page.querySelectorAll('.queue-row')].map(textOf);
  const sent = () => setup.requests.filter(({ method }) => method === 'POST');
  /** Reports another user's decision as a live update. */
  const sendUpdate = async () => {
    const requestCount = setup.requests.length;
    (page as unknown as { handleLiveUpdate(update: LiveUpdate): void }).handleLiveUpdate({ type: 'changed' });
    while (setup.requests.length === requestCount) await waitForPage(page);
    await waitForPage(page);
  };
  return { ...setup, page, press, rows, sent, left: remaining, payments, answers: responses, sendUpdate };
}

describe('the review queue', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows received and requested amount, difference, reason and intended invoice of each payment', async () => {
    const duplicate = cryptoPayment('2', {
      txId: null,
      amountRequired: null,
      labels: ['duplicate'],
      probableTxId: 'order-9',
    });
    const { page, rows } = await openReviewQueue([cryptoPayment('1'), duplicate], { fiat: [payment('tea-1')] });
    const [short, second, tea] = rows();
    expect(short).to.match(/0\.00135\sBTC 0\.00015\sBTC short Requested: 0\.0015\sBTC 5 minutes ago Bitcoin order-1/);
    expect(second).to.match(/Duplicate Requested: 0\.0015\sBTC .* View transaction Likely match order-9/);
    expect(tea).to.match(/THB\s1,125\.00 THB\s125\.00 short Requested: THB\s1,250\.00/);
    expect([...page.querySelectorAll('.queue-row a')].map((link) => link.getAttribute('href'))).to.deep.equal([
      ...['/account/7/transactions/1?kind=crypto', '/account/7/transactions/2?kind=crypto'],
      ...['/account/7/transactions?kind=crypto&search=order-9', '/account/7/transactions/tea-1'],
    ]);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows method and payer of each payment, as the list of transactions does', async () => {
    const card = { brand: 'visa', last4: '4242' };
    const { page, rows } = await openReviewQueue([cryptoPayment('1')], {
      fiat: [
        payment('tea-1', {
          payment_method: 'credit_card',
          card,
          payer: { name: 'Somchai D.', email: 's@mail.example' },
        }),
        payment('tea-2', { payer: { name: null, email: hostileTexts[2] ?? '' } }),
      ],
    });
    const [coin, visa, transfer] = rows();
    expect(coin).to.contain('Bitcoin');
    expect(visa).to.match(/Visa •••• 4242 Somchai D\./);
    expect(transfer).to.contain(`Promptpay ${hostileTexts[2]}`);
    expect(horizontalOverflow()).to.equal(0);
    expect(await accessibilityViolations()).to.deep.equal([]);
    expect(page.querySelectorAll('.queue-payer')).to.have.length(2);
  });

  it('shows an empty queue, a problem, and being offline', async () => {
    const empty = await openReviewQueue([]);
    expect(textOf(empty.page)).to.contain('All caught up');
    expect(await accessibilityViolations()).to.deep.equal([]);
    document.body.replaceChildren();
    const unavailable = accountContext({ 'GET /v1/transactions': problem(503, 'unavailable', { request_id: 'abc' }) });
    const page = await showPage(new ReviewQueuePage(), unavailable.context);
    expect(button(page, /Try again/)).to.be.an.instanceOf(HTMLElement);
  });

  it('is operated by keyboard: move, select, accept the selected payments with one request each', async () => {
    const { press, sent, promptAnswers, prompts, page } = await openReviewQueue([
      cryptoPayment('1'),
      cryptoPayment('2'),
      cryptoPayment('3'),
    ]);
    await press('j');
    expect(textOf(document.activeElement)).to.contain('order-1');
    await press('x', 'j', 'x', 'j', 'k');
    expect(textOf(document.activeElement)).to.contain('order-2');
    expect(textOf(page.querySelector('.queue-bar'))).to.match(/2 selected 0\.0027\sBTC/);
    expect(await accessibilityViolations()).to.deep.equal([]);
    promptAnswers.push({ reason: 'Regular customer' });
    await press('a');
    expect(prompts[0]?.heading).to.equal('Approve 2 payments?');
    expect(sent().map(({ path, body }) => [path, body])).to.deep.equal([
      ['/v1/transaction/approve', { id: '1', reason: 'Regular customer' }],
      ['/v1/transaction/approve', { id: '2', reason: 'Regular customer' }],
    ]);
    const keys = sent().map(({ headers }) => headers.get('Idempotency-Key'));
    expect(new Set(keys).size).to.equal(2);
    expect(textOf(page.querySelector('.results'))).to.match(/2 reviewed\..*order-1 Approved.*order-2 Approved/);
    expect(page.querySelectorAll('.queue-row').length).to.equal(1);
  });

  it('clears the selection, and ignores single letters after g and in text fields', async () => {
    const { press, page, prompts } = await openReviewQueue([cryptoPayment('1')]);
    await press('j', 'x');
    expect(page.querySelector('.queue-bar')).to.be.an.instanceOf(Element);
    await press('u');
    expect(page.querySelector('.queue-bar')).to.equal(null);
    await press('g', 'a');
    const input = document.createElement('input');
    document.body.append(input);
    input.focus();
    await press('a');
    expect(prompts).to.deep.equal([]);
  });

  it('rejects coins with a reason and a refund address', async () => {
    const { promptAnswers, sent, page, announced } = await openReviewQueue([cryptoPayment('1')]);
    promptAnswers.push({ reason: 'Not ours', refundAddress: 'bc1qxyz' });
    button(page, /^Reject 0\.00135/).click();
    await waitForPage(page);
    expect(sent().map(({ body }) => body)).to.deep.equal([{ id: '1', reason: 'Not ours', refundAddress: 'bc1qxyz' }]);
    expect(announced.at(-1)).to.match(/0\.00135\sBTC: Rejected/);
  });

  it('asks for a refund address only if one is accepted', async () => {
    for (const [type, isAsked] of [
      ['revolver', true],
      ['user', false],
    ] as const) {
      const { prompts, page } = await openReviewQueue([cryptoPayment('1', { type })]);
      button(page, /^Reject 0\.00135/).click();
      await waitForPage(page);
      render(prompts[0]?.fields, document.body.appendChild(document.createElement('div')));
      expect(document.querySelector('[name=refundAddress]') !== null).to.equal(isAsked);
      document.body.replaceChildren();
    }
  });

  it('rejects a payment with a reason, and states that it is refunded to its source', async () => {
    const { promptAnswers, prompts, sent, announced, press, requests } = await openReviewQueue([], {
      fiat: [payment('tea-1')],
    });
    expect(requests.map(({ path }) => path)).to.deep.equal(['/v1/transactions', '/fiat/v1/transactions']);
    promptAnswers.push({ reason: 'Sold out' });
    await press('j', 'r');
    const fields = document.createElement('div');
    render(html`${prompts[0]?.text} ${prompts[0]?.fields}`, fields);
    expect(textOf(fields)).to.match(/refunded to the buyer in full/);
    expect(
      [...fields.querySelectorAll<HTMLInputElement>('wa-input, wa-checkbox')].map(({ name }) => name),
    ).to.deep.equal(['reason', 'outOfBand']);
    expect(sent().map(({ path, body }) => [path, body])).to.deep.equal([
      ['/fiat/v1/transaction/reject', { transaction_id: 'tea-1', reason: 'Sold out' }],
    ]);
    expect(announced.at(-1)).to.match(/THB\s1,125\.00: Rejected/);
  });

  it('records an out-of-band refund of a rejected payment', async () => {
    const { promptAnswers, sent, press } = await openReviewQueue([], { fiat: [payment('tea-1')] });
    promptAnswers.push({ outOfBand: 'on' });
    await press('j', 'r');
    expect(sent().map(({ body }) => body)).to.deep.equal([{ transaction_id: 'tea-1', out_of_band: true }]);
  });

  it('rejects payments that no acquirer can refund only as refunded another way', async () => {
    const { page, press, prompts, promptAnswers, sent, answers, announced } = await openReviewQueue([], {
      fiat: [payment('tea-1'), payment('tea-2')],
    });
    const unrefundable = new Set(['tea-1']);
    const fields = document.createElement('div');
    const dialog = () => {
      render(html`${prompts.at(-1)?.text} ${prompts.at(-1)?.fields}`, fields);
      return textOf(fields);
    };
    Object.assign(answers, {
      'GET /fiat/v1/transaction': ({ query }: SentRequest) => ({
        body: {
          ...accepted,
          available_actions: [unrefundable.has(query.get('transaction_id') ?? '') ? 'reject_out_of_band' : 'reject'],
        },
      }),
    });
    // Of several, it is left out.
    await press('j', 'x', 'j', 'x');
    promptAnswers.push({});
    button(page.querySelector('.queue-bar') ?? page, /^Reject$/).click();
    await waitForPage(page);
    expect(dialog()).to.contain('1 payment can’t be rejected and won’t change.');
    expect(sent().map(({ body }) => body)).to.deep.equal([{ transaction_id: 'tea-2' }]);

    // On its own, the merchant refunds it another way.
    promptAnswers.push({});
    await press('j', 'r');
    await waitForPage(page);
    expect(dialog()).to.match(/The acquirer can’t refund THB\s1,125\.00\./);
    expect(dialog()).not.to.contain('refunded to the buyer');
    expect(fields.querySelectorAll('wa-checkbox').length).to.equal(0);
    expect(sent().at(-1)?.body).to.deep.equal({ transaction_id: 'tea-1', out_of_band: true });
    expect(announced.at(-1)).to.contain('Rejected');
  });

  it('labels failed payments, and receipts after a rejection', async () => {
    const { rows } = await openReviewQueue([], {
      fiat: [
        payment('tea-1', { status: 'transaction_status_failed' }),
        payment('tea-2', { status: 'transaction_status_failed', reason: 'rejected', amount_kept: 1250 }),
      ],
    });
    expect(rows()[0]).to.match(/THB\s125\.00 short Payment failed Requested/);
    expect(rows()[1]).to.match(/THB\s1,250\.00 Previously rejected Requested/);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('keeps a rejected payment whose refund failed, and reports it', async () => {
    const { promptAnswers, answers, page } = await openReviewQueue([], { fiat: [payment('tea-1')] });
    Object.assign(answers, { 'POST /fiat/v1/transaction/reject': { body: { ...rejected, refunds: [] } } });
    promptAnswers.push({ reason: '' });
    button(page, /^Reject THB/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('.results'))).to.match(
      /1 refund failed\. .*tea-1 Rejected, but the refund failed\. The payment stays in the review queue\./,
    );
    expect(page.querySelectorAll('.queue-row').length).to.equal(1);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows who reviewed a payment first, and the decision', async () => {
    const { promptAnswers, page, payments } = await openReviewQueue([], { fiat: [payment('tea-1'), payment('tea-2')] });
    payments.delete('tea-1');
    promptAnswers.push({ reason: 'Sold out' });
    button(page, /^Reject THB/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('.results'))).to.contain(
      'tea-1 Already approved by Grace. Reason: Regular customer',
    );
  });

  it('shows who reviewed coins first', async () => {
    const { promptAnswers, page, left: remaining } = await openReviewQueue([cryptoPayment('1'), cryptoPayment('2')]);
    remaining.delete('1');
    promptAnswers.push({ reason: '' });
    button(page, /^Approve 0\.00135/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('.results'))).to.contain(
      '1 already reviewed. Close 0.00135 BTC order-1 Already rejected by Grace. Reason: Not ours',
    );
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('shows another user’s decision before a row is removed', async () => {
    const {
      page,
      left: remaining,
      sendUpdate,
      announced,
      rows,
    } = await openReviewQueue([cryptoPayment('1'), cryptoPayment('2')]);
    remaining.delete('1');
    await sendUpdate();
    expect(rows().length).to.equal(2);
    const leavingRow = page.querySelector('[data-leaving]');
    expect(textOf(leavingRow)).to.contain('Already rejected by Grace. Reason: Not ours');
    expect(leavingRow?.querySelector('button')).to.equal(null);
    expect(announced.at(-1)).to.contain('Already rejected by Grace.');
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('removes a row without a message if newer payments moved it to the next page', async () => {
    const { page, answers, sendUpdate, announced, rows } = await openReviewQueue([
      cryptoPayment('1'),
      cryptoPayment('2'),
    ]);
    const { body } = answers['GET /v1/transactions']();
    const transactions = body.transactions.slice(1);
    answers['GET /v1/transactions'] = () => ({ body: { ...body, transactions } });
    answers['GET /v1/transaction'] = () => ({ body: cryptoPayment('1') });
    await sendUpdate();
    expect(rows().length).to.equal(1);
    expect(page.querySelector('[data-leaving]')).to.equal(null);
    expect(announced).to.deep.equal([]);
  });

  it('does not report its own decision as another user’s while the response is pending', async () => {
    const { page, answers, payments, sendUpdate, promptAnswers, announced, rows } = await openReviewQueue([], {
      fiat: [payment('tea-1'), payment('tea-2')],
    });
    const responded = Promise.withResolvers<FakeResponse>();
    Object.assign(answers, { 'POST /fiat/v1/transaction/reject': async () => await responded.promise });
    promptAnswers.push({ reason: '' });
    button(page, /^Reject THB/).click();
    await waitForPage(page);
    payments.delete('tea-1');
    await sendUpdate();
    expect(rows()).to.have.length(1);
    expect(textOf(page)).to.not.contain('Grace');
    responded.resolve({ body: rejected });
    await waitForPage(page);
    expect(announced).to.have.length(1);
    expect(announced[0]).to.match(/THB\s1,125\.00: Rejected/);
  });

  it('reports a failed review, and retries with the same key after a lost response', async () => {
    const { answers, promptAnswers, page, sent } = await openReviewQueue([cryptoPayment('1')]);
    const { 'POST /v1/transaction/approve': approve } = answers;
    Object.assign(answers, { 'POST /v1/transaction/approve': undefined });
    for (const isBack of [false, true]) {
      if (isBack) Object.assign(answers, { 'POST /v1/transaction/approve': approve });
      promptAnswers.push({ reason: '' });
      button(page, /^Approve 0\.00135/).click();
      await waitForPage(page);
      if (!isBack) expect(textOf(page.querySelector('.results'))).to.contain('1 review not saved.');
    }
    const [first, second] = sent().map(({ headers }) => headers.get('Idempotency-Key'));
    expect(first).to.equal(second);
    expect(textOf(page)).to.contain('All caught up');
  });

  it('shows hostile text as text, without overflow', async () => {
    const { page } = await openReviewQueue(
      hostileTexts.map((text, index) => cryptoPayment(String(index), { txId: text, probableTxId: text, labels: [] })),
    );
    expect('hostileTextRan' in window).to.equal(false);
    expect(page.querySelectorAll('img:not(.mark-image)').length).to.equal(0);
    expect(horizontalOverflow()).to.equal(0);
  });
});

import { expect } from 'chai';
import type { CryptoTransaction, TransactionDetail } from '../../client/api.ts';
import { DecisionsPage } from '../../pages/account/decisions/decisions-page.ts';
import type { AccountContext } from '../../pages/account/context.ts';
import {
  type Answer,
  accountContext,
  type AskedRequest,
  barriers,
  button,
  hostileTexts,
  problem,
  settledPage,
  showPage,
  sidewaysBy,
  textOf,
} from './account-fixtures.ts';

function money(id: string, change: Partial<CryptoTransaction> = {}): Partial<CryptoTransaction> {
  return {
    ...{ id, txId: `order-${id}`, code: 'btc', amount: '135000', amountRequired: '150000', labels: ['underpaid'] },
    ...{ status: 'approved_required', payments: [], meantFor: null, decision: null, updatedAt: '2026-03-10T11:55:00Z' },
    availableActions: ['approve', 'reject'],
    ...change,
  };
}

const detail: Partial<TransactionDetail> = {
  ...{ transaction_id: 'tea-1', currency: 'THB', amount_charged: 1250, amount_received: 1125, reason: 'underpaid' },
  ...{ receipts: [], updated_at: '2026-03-10T11:50:00Z', available_actions: ['accept'] },
  status: 'transaction_status_waiting',
};

/** A service where this waits, and what is decided waits no more. */
function service(waiting: Partial<CryptoTransaction>[], fiat: Partial<TransactionDetail>[] = []) {
  const left = new Map(waiting.map((each) => [each.id ?? '', each]));
  const take = ({ body }: AskedRequest): Answer => {
    const { id } = body as { id: string };
    if (!left.delete(id)) return problem(409, 'nothing_to_decide');
    return { body: {} };
  };
  return {
    left,
    answers: {
      'GET /v1/transactions': () => ({ body: { transactions: [...left.values()], next_cursor: null } }),
      'GET /fiat/v1/transactions': ({ query }: AskedRequest) => ({
        body: { transactions: query.get('reason') === 'underpaid' ? fiat : [], pagination: { next_cursor: null } },
      }),
      'GET /fiat/v1/transaction': ({ query }: AskedRequest) => ({
        body: fiat.find((each) => each.transaction_id === query.get('transaction_id')),
      }),
      'GET /v1/transaction': ({ query }: AskedRequest): Answer => {
        if (query.has('txId')) return { body: money('meant', { amountRequired: '150000' }) };
        const decision = {
          by: 'person 3',
          byName: 'Grace',
          isApproved: false,
          reason: 'Not ours',
          at: '',
          refundAddress: null,
        };
        return { body: money(query.get('id') ?? '', { status: 'failed', decision }) };
      },
      'POST /v1/transaction/approve': take,
      'POST /v1/transaction/reject': take,
      'POST /fiat/v1/transaction/accept': { body: detail },
    },
  };
}

async function openDecisions(
  waiting: Partial<CryptoTransaction>[],
  { fiat = [], change = {} }: { fiat?: Partial<TransactionDetail>[]; change?: Partial<AccountContext> } = {},
) {
  const { answers, left } = service(waiting, fiat);
  const given = accountContext(answers, 'operator', change);
  const page = await showPage(new DecisionsPage(), given.context);
  const press = async (...keys: string[]) => {
    for (const key of keys) {
      const target = document.activeElement ?? document.body;
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
      await settledPage(page);
    }
  };
  const rows = () => [...page.querySelectorAll('.queue-row')].map(textOf);
  const sent = () => given.asked.filter(({ method }) => method === 'POST');
  /** Somebody else's decision comes by the stream. */
  const hear = async () => {
    (page as unknown as { newsCame(): void }).newsCame();
    await new Promise((resolve) => setTimeout(resolve, 350));
    await settledPage(page);
  };
  return { ...given, page, press, rows, sent, left, answers, hear };
}

describe('the page of decisions', () => {
  afterEach(() => document.body.replaceChildren());

  it('says of each what came, what was asked, by how much it differs, why, and what it was meant for', async () => {
    const twice = money('2', { txId: null, amountRequired: null, labels: ['duplicate'], meantFor: 'order-9' });
    const { page, rows } = await openDecisions([money('1'), twice], { fiat: [detail] });
    const [short, second, tea] = rows();
    expect(short).to.match(/0\.00135\sBTC 0\.00015\sBTC less Underpaid Asked: 0\.0015\sBTC · 5 minutes ago order-1/);
    expect(second).to.match(/Paid twice Asked: 0\.0015\sBTC .* Money without an invoice · probably for order-9/);
    expect(tea).to.match(/THB\s1,125\.00 THB\s125\.00 less Underpaid Asked: THB\s1,250\.00/);
    expect([...page.querySelectorAll('.queue-row a')].map((link) => link.getAttribute('href'))).to.deep.equal([
      ...['/account/7/transactions/order-1', '/account/7/transactions/2'],
      ...['/account/7/transactions/order-9', '/account/7/transactions/tea-1'],
    ]);
    expect(await barriers()).to.deep.equal([]);
  });

  it('says that nothing waits, that it did not come, and that somebody is offline', async () => {
    const empty = await openDecisions([]);
    expect(textOf(empty.page)).to.contain('Nothing waits for you');
    expect(await barriers()).to.deep.equal([]);
    document.body.replaceChildren();
    const away = accountContext({ 'GET /v1/transactions': problem(503, 'unavailable', { request_id: 'abc' }) });
    const page = await showPage(new DecisionsPage(), away.context);
    expect(button(page, /Try again/)).to.be.an.instanceOf(HTMLElement);
  });

  it('is gone through by keys: move, select, accept what is selected, each by a request of its own', async () => {
    const { press, sent, nextAnswers, questions, page } = await openDecisions([money('1'), money('2'), money('3')]);
    await press('j');
    expect(textOf(document.activeElement)).to.contain('order-1');
    await press('x', 'j', 'x', 'j', 'k');
    expect(textOf(document.activeElement)).to.contain('order-2');
    expect(textOf(page.querySelector('.queue-bar'))).to.match(/2 selected 0\.0027\sBTC/);
    expect(await barriers()).to.deep.equal([]);
    nextAnswers.push({ reason: 'A friend' });
    await press('a');
    expect(questions[0]?.heading).to.equal('Accept 2 payments?');
    expect(sent().map(({ path, body }) => [path, body])).to.deep.equal([
      ['/v1/transaction/approve', { id: '1', reason: 'A friend' }],
      ['/v1/transaction/approve', { id: '2', reason: 'A friend' }],
    ]);
    const keys = sent().map(({ headers }) => headers.get('Idempotency-Key'));
    expect(new Set(keys).size).to.equal(2);
    expect(textOf(page.querySelector('.results'))).to.match(/2 decided\..*order-1 Accepted.*order-2 Accepted/);
    expect(page.querySelectorAll('.queue-row').length).to.equal(1);
  });

  it('clears the selection, and leaves single letters alone after g and where somebody writes', async () => {
    const { press, page, questions } = await openDecisions([money('1')]);
    await press('j', 'x');
    expect(page.querySelector('.queue-bar')).to.be.an.instanceOf(Element);
    await press('u');
    expect(page.querySelector('.queue-bar')).to.equal(null);
    await press('g', 'a');
    const input = document.createElement('input');
    document.body.append(input);
    input.focus();
    await press('a');
    expect(questions).to.deep.equal([]);
  });

  it('rejects with a reason and an address; money that is no crypto is left out', async () => {
    const { nextAnswers, sent, page, said, press } = await openDecisions([money('1')], { fiat: [detail] });
    nextAnswers.push({ reason: 'Not ours', refundAddress: 'bc1qxyz' });
    button(page, /^Reject 0\.00135/).click();
    await settledPage(page);
    expect(sent().map(({ body }) => body)).to.deep.equal([{ id: '1', reason: 'Not ours', refundAddress: 'bc1qxyz' }]);
    expect(said.at(-1)).to.match(/0\.00135\sBTC: Rejected/);
    await press('j', 'r');
    expect(said.at(-1)).to.contain('This cannot be rejected');
  });

  it('says who was first, where somebody else has decided', async () => {
    const { nextAnswers, page, left } = await openDecisions([money('1'), money('2')]);
    left.delete('1');
    nextAnswers.push({ reason: '' });
    button(page, /^Accept 0\.00135/).click();
    await settledPage(page);
    expect(textOf(page.querySelector('.results'))).to.contain(
      '1 was already decided by somebody else. Close 0.00135 BTC order-1 Grace has already rejected this. Reason: Not ours',
    );
    expect(await barriers()).to.deep.equal([]);
  });

  it('says of a row that somebody else decides while it is on screen who did, before it goes', async () => {
    const { page, left, hear, said, rows } = await openDecisions([money('1'), money('2')]);
    left.delete('1');
    await hear();
    expect(rows().length).to.equal(2);
    const gone = page.querySelector('[data-leaving]');
    expect(textOf(gone)).to.contain('Grace has already rejected this. Reason: Not ours');
    expect(gone?.querySelector('button')).to.equal(null);
    expect(said.at(-1)).to.contain('Grace has already rejected this.');
    expect(await barriers()).to.deep.equal([]);
  });

  it('tells a decision that failed, and sends it once more under the same key where no answer came', async () => {
    const { answers, nextAnswers, page, sent } = await openDecisions([money('1')]);
    const { 'POST /v1/transaction/approve': approve } = answers;
    Object.assign(answers, { 'POST /v1/transaction/approve': undefined });
    for (const isBack of [false, true]) {
      if (isBack) Object.assign(answers, { 'POST /v1/transaction/approve': approve });
      nextAnswers.push({ reason: '' });
      button(page, /^Accept 0\.00135/).click();
      await settledPage(page);
      if (!isBack) expect(textOf(page.querySelector('.results'))).to.contain('1 failed.');
    }
    const [first, second] = sent().map(({ headers }) => headers.get('Idempotency-Key'));
    expect(first).to.equal(second);
    expect(textOf(page)).to.contain('Nothing waits for you');
  });

  it('shows the words of others as text within their place', async () => {
    const { page } = await openDecisions(
      hostileTexts.map((text, index) => money(String(index), { txId: text, meantFor: text, labels: [] })),
    );
    expect('hostileTextRan' in window).to.equal(false);
    expect(page.querySelector('img')).to.equal(null);
    expect(sidewaysBy()).to.equal(0);
  });
});

import { expect } from 'chai';
import type { Statistics } from '../../client/api.ts';
import { localDate } from '../../pages/account/dates.ts';
import { axisTicks, BarChart } from '../../pages/account/overview/bar-chart.ts';
import '../../pages/account/overview/overview-figures.ts';
import { OverviewPage } from '../../pages/account/overview/overview-page.ts';
import {
  accountContext,
  button,
  accessibilityViolations,
  radio,
  hostileTexts,
  problem,
  waitForPage,
  resizePage,
  showPage,
  horizontalOverflow,
  textOf,
} from './account-fixtures.ts';

const originalPath = location.pathname;

/** Elements that extend beyond the page, or clip their content. */
function clippedIn(page: HTMLElement): string[] {
  const { left, right } = page.getBoundingClientRect();
  return [...page.querySelectorAll('*')]
    .filter((element) => {
      const box = element.getBoundingClientRect();
      // Closed details, and text for screen readers only.
      const head = element.closest('thead');
      const isUnseen = box.width <= 1 || (head && getComputedStyle(head).clipPath !== 'none');
      if (isUnseen || element.closest('.visually-hidden') || !element.checkVisibility()) return false;
      const clips = getComputedStyle(element).overflowX !== 'visible' && element.scrollWidth > element.clientWidth;
      return clips || box.left < left - 1 || box.right > right + 1;
    })
    .map((element) => element.outerHTML.slice(0, 100));
}

function statistics(change: Partial<Statistics> = {}): Statistics {
  return {
    since: '2026-03-09T00:00:00.000000Z',
    till: '2026-03-11T00:00:00.000000Z',
    time_zone: 'UTC',
    currencies: [{ currency: 'EUR', count: 3, paid_count: 2, paid_amount: 20.88, refunded_amount: 1.5 }],
    total: {
      ...{ count: 3, paid_count: 2, failed_count: 1, open_count: 0, paid_share: 0.6667 },
      paid_in_additional_currency: { currency: 'USD', amount: 58.82, excluded_count: 1 },
    },
    days: [
      { date: '2026-03-09', count: 1, paid_count: 0, paid_amount: 0 },
      { date: '2026-03-10', count: 2, paid_count: 2, paid_amount: 58.82 },
    ],
    hours: Array.from({ length: 24 }, (_, hour) => ({ hour, count: hour === 15 ? 3 : 0, paid_count: 0 })),
    methods: [{ payment_method: 'gcash_ewallet', count: 3, paid_count: 2, paid_amount: 58.82 }],
    countries: [{ country: 'FRA', count: 3, paid_count: 2, paid_amount: 58.82 }],
    failures: [{ reason: 'insufficient_funds', count: 1 }],
    waiting: { crypto_reviews: 2, payment_reviews: 1, failed_callbacks: 1000 },
    ...change,
  };
}

const nothing: Statistics = statistics({
  total: {
    ...{ count: 0, paid_count: 0, failed_count: 0, open_count: 0, paid_share: null },
    paid_in_additional_currency: { currency: 'USD', amount: 0, excluded_count: 0 },
  },
  waiting: { crypto_reviews: 0, payment_reviews: 0, failed_callbacks: 0 },
});

const newest = {
  ...{ id: 1, merchant_id: 7, amount: 12.5, amount_charged: 12.5, transaction_id: 'order-1', currency: 'USD' },
  ...{ status: 'transaction_status_confirmed', description: '', additional_currency: 'USD', rate_merchant_final: 1 },
  ...{ created_at: '2026-03-10T11:00:00.000000Z', updated_at: '2026-03-10T11:00:00.000000Z' },
  ...{ payment_method: 'credit_card', amount_received: 12.5, amount_kept: 12.5 },
  ...{ card: { brand: 'visa', last4: '4242' }, payer: { name: 'José Muñoz', email: null } },
};
const recent = { 'GET /fiat/v1/transactions': { body: { transactions: [newest], pagination: {} } } };

/** Waits for the charts, which are drawn after the next frame. */
async function waitForPlot(page: OverviewPage) {
  while (!page.querySelector('.plot-canvas') || page.querySelector('.plot-canvas:empty')) await waitForPage(page);
  await waitForPage(page);
}

describe('the overview', () => {
  afterEach(() => {
    document.body.replaceChildren();
    history.replaceState(null, '', originalPath);
  });

  it('shows no changes without payments in the previous period', async () => {
    const before = statistics({
      total: {
        ...{ count: 0, paid_count: 0, failed_count: 0, open_count: 0, paid_share: null },
        paid_in_additional_currency: { currency: 'USD', amount: 0, excluded_count: 0 },
      },
    });
    let count = 0;
    const { context } = accountContext({
      'GET /fiat/v1/transactions': { body: { transactions: [], pagination: {} } },
      'GET /v1/statistics': () => ({ body: (count += 1) === 3 ? before : statistics() }),
    });
    const page = await showPage(new OverviewPage(), context);
    await waitForPlot(page);
    expect([...page.querySelectorAll('.tile')].map(textOf)).to.deep.equal([
      'Volume $58.82',
      'Transactions 3',
      'Paid 2',
      'Success rate 66.7%',
    ]);
  });

  it('links pending work to the page that handles it', async () => {
    const { context } = accountContext({ ...recent, 'GET /v1/statistics': { body: statistics() } });
    const page = await showPage(new OverviewPage(), context);
    const links = [...page.querySelectorAll<HTMLAnchorElement>('.link-card')];
    expect(
      links.map((wait) => [wait.getAttribute('href'), textOf(wait.querySelector('.pending-count'))]),
    ).to.deep.equal([
      ['/account/7/reviews', '2'],
      ['/account/7/reviews', '1'],
      ['/account/7/webhooks', '1,000+'],
    ]);
    const headings = [...page.querySelectorAll('.overview > .section h2')].map(textOf);
    expect(headings).to.deep.equal(['Needs attention', 'Last 30 days']);
  });

  for (const width of [360, 768, 1280, 1920])
    it(`clips nothing and shifts nothing while its figures load, ${width} pixels wide`, async () => {
      let respond = () => {};
      const responded = new Promise<void>((resolve) => {
        respond = resolve;
      });
      const { context } = accountContext({
        'GET /v1/statistics': async () => {
          await responded;
          return { body: { ...statistics(), waiting: nothing.waiting, total: { ...nothing.total, count: 1 } } };
        },
        'GET /fiat/v1/transactions': { body: { transactions: Array(5).fill(newest), pagination: {} } },
      });
      const page = await showPage(new OverviewPage(), context);
      await resizePage(page, `${width}px`);
      // Layout shift entries omit elements that replace others: the skeleton's.
      const places = () =>
        ['.pending-empty', '.tiles', '.today', '.recent-list', '.overview > :last-child'].map(
          (selector) => (page.querySelector(selector) as Element).getBoundingClientRect().top,
        );
      expect(page.querySelector('[aria-busy=true]')).not.to.equal(null);
      expect(await accessibilityViolations()).to.deep.equal([]);
      const before = places();
      respond();
      await waitForPage(page);
      await waitForPlot(page);
      expect(page.querySelector('[aria-busy=true]') === null).to.equal(true);
      const shifts = places().map((top, index) => Math.abs(top - (before[index] ?? 0)));
      expect(Math.max(...shifts)).to.be.lessThan(1);
      expect(clippedIn(page)).to.deep.equal([]);
    });

  it('shows the figures, as charts and as tables', async () => {
    const before = statistics({
      total: {
        ...{ count: 4, paid_count: 2, failed_count: 2, open_count: 0, paid_share: 0.5 },
        paid_in_additional_currency: { currency: 'USD', amount: 29.41, excluded_count: 0 },
      },
    });
    let count = 0;
    const returned = { ...newest, id: 2, payer: { name: 'Ada Lovelace', email: null }, amount_kept: 2.5 };
    const received = { ...returned, id: 3, status: 'transaction_status_waiting', payer: { name: 'Li', email: null } };
    const { context } = accountContext({
      'GET /fiat/v1/transactions': { body: { transactions: [newest, returned, received], pagination: {} } },
      'GET /v1/statistics': () => ({ body: (count += 1) === 3 ? before : statistics() }),
    });
    const page = await showPage(new OverviewPage(), context);
    await waitForPlot(page);
    expect([...page.querySelectorAll('.tile')].map(textOf)).to.deep.equal([
      'Volume $58.82 +100%',
      'Transactions 3 -25%',
      'Paid 2 0%',
      'Success rate 66.7% +16.7%',
    ]);
    expect(textOf(page.querySelector('#period-heading + p'))).to.equal('vs. previous period');
    expect(page.querySelectorAll('.tile-spark polyline').length).to.equal(4);
    expect([...page.querySelectorAll('.recent-row')].map(textOf)).to.deep.equal([
      'José Muñoz 1 hour ago $12.50 Confirmed',
      'Ada Lovelace 1 hour ago $12.50 Partially refunded',
      'Li 1 hour ago $12.50 Awaiting review',
    ]);
    expect(page.querySelectorAll('canvas').length).to.equal(2);
    const [days] = page.querySelectorAll('.plot');
    expect(days?.getAttribute('aria-label')).to.match(/Highest: \$58\.82 on Mar 10, 2026/);
    const rows = [...page.querySelectorAll('.plot-table tbody tr')].map((row) => [...row.children].map(textOf));
    expect(rows[0]).to.deep.equal(['Mar 10, 2026', '2', '2', '$58.82']);
    const ranks = [...page.querySelectorAll('.plot-panel > .table-scroll tbody tr')];
    expect(ranks.map((row) => [...row.children].map(textOf))).to.deep.equal([
      ['GCash', '3', '2', '$58.82'],
      ['France', '3', '2', '$58.82'],
      ['EUR', '3', '€20.88', '€1.50'],
      ['Insufficient funds', '1', '100%'],
    ]);
    expect(ranks.flatMap((row) => row.querySelector('a')?.getAttribute('href') ?? [])).to.deep.equal([
      '/account/7/transactions?payment_method=gcash_ewallet&since=2026-03-09&till=2026-03-10',
      '/account/7/transactions?country=FRA&since=2026-03-09&till=2026-03-10',
      '/account/7/transactions?currency=EUR&since=2026-03-09&till=2026-03-10',
    ]);
    for (const details of page.querySelectorAll('details')) details.open = true;
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('ends each sparkline with the last complete day', async () => {
    const days = [3, 2, 1, 0, -1].map((daysAgo) => ({
      ...{ date: localDate(daysAgo), count: 1, paid_count: 1, paid_amount: 1 },
    }));
    const { context } = accountContext({
      'GET /fiat/v1/transactions': { body: { transactions: [newest], pagination: {} } },
      'GET /v1/statistics': { body: statistics({ days }) },
    });
    const page = await showPage(new OverviewPage(), context);
    const [line] = page.querySelectorAll('.tile-spark polyline');
    expect(line?.getAttribute('points')?.split(' ').length).to.equal(3);
  });

  it('shows the currencies of a shop with unpaid transactions only', async () => {
    const unpaid = { count: 3, paid_count: 0, paid_amount: 0, refunded_amount: 0 };
    const { context } = accountContext({
      'GET /fiat/v1/transactions': { body: { transactions: [newest], pagination: {} } },
      'GET /v1/statistics': { body: statistics({ currencies: [{ currency: 'EUR', ...unpaid }] }) },
    });
    const page = await showPage(new OverviewPage(), context);
    await waitForPlot(page);
    const panel = page.querySelector('[aria-labelledby=plot-by_currency]');
    expect([...(panel?.querySelectorAll('tbody tr > *') ?? [])].map(textOf)).to.deep.equal([
      'EUR',
      '3',
      '€0.00',
      '€0.00',
    ]);
    expect(panel?.querySelector('.ranks-more')).to.equal(null);
  });

  it('shows the newest transactions beside the volume, at the same height; below it on narrow screens', async () => {
    const { context } = accountContext({
      'GET /v1/statistics': { body: statistics() },
      'GET /fiat/v1/transactions': { body: { transactions: Array(5).fill(newest), pagination: {} } },
    });
    const page = await showPage(new OverviewPage(), context);
    await waitForPlot(page);
    const places = async (inlineSize: string) => {
      await resizePage(page, inlineSize);
      const [day, recents, rank] = ['.chart-panel', '.recent', '[aria-labelledby=plot-by_reason]'].map((selector) =>
        page.querySelector(selector)?.getBoundingClientRect(),
      );
      if (!day || !recents || !rank) throw new Error('A panel is missing');
      return { day, recents, rank };
    };
    const wide = await places('58rem');
    expect([wide.recents.top, wide.recents.bottom]).to.deep.equal([wide.day.top, wide.day.bottom]);
    // In line with the third column of the tables below.
    expect(wide.recents.left).to.be.closeTo(wide.rank.left, 1);
    const narrow = await places('46rem');
    expect(narrow.recents.top).to.equal(narrow.day.bottom + 16);
    expect(narrow.recents.width).to.equal(narrow.day.width);
  });

  it('shows the newest transactions also without payments in the period', async () => {
    const { context } = accountContext({ ...recent, 'GET /v1/statistics': { body: nothing } });
    const page = await showPage(new OverviewPage(), context);
    expect(page.querySelectorAll('.recent-row').length).to.equal(1);
    expect(textOf(page.querySelector('overview-figures account-state'))).to.match(/^No payments/);
    expect(page.querySelector('.plots')).to.equal(null);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('requests the period of the URL in the user’s time zone', async () => {
    history.replaceState(null, '', `${originalPath}?days=7`);
    const { context, requests } = accountContext({ ...recent, 'GET /v1/statistics': { body: statistics() } });
    const page = await showPage(new OverviewPage(), context);
    const [today, span, before] = requests.map(({ query }) => query);
    expect(Date.parse(span?.get('since') ?? '') - Date.parse(before?.get('till') ?? '')).to.equal(86_400_000);
    expect(Date.parse(span?.get('since') ?? '') - Date.parse(before?.get('since') ?? '')).to.equal(7 * 86_400_000);
    expect(today?.get('since')).to.equal(today?.get('till'));
    expect(Date.parse(span?.get('till') ?? '') - Date.parse(span?.get('since') ?? '')).to.equal(6 * 86_400_000);
    expect(span?.get('time_zone')).to.equal(new Intl.DateTimeFormat().resolvedOptions().timeZone);
    radio(page, /^90 days$/).click();
    await waitForPage(page);
    expect(location.search).to.equal('?days=90');
  });

  it('uses UTC if the service does not know the user’s time zone', async () => {
    const { context } = accountContext({
      ...recent,
      'GET /v1/statistics': ({ query }) =>
        query.has('time_zone')
          ? problem(422, 'invalid_request', {
              errors: [{ pointer: '?time_zone', code: 'unknown_time_zone', detail: '' }],
            })
          : { body: statistics() },
    });
    const page = await showPage(new OverviewPage(), context);
    expect(page.querySelector('period-tiles')).not.to.equal(null);
  });

  it('applies typed dates once they are complete and in order, or both fields are left', async () => {
    history.replaceState(null, '', `${originalPath}?since=2026-02-01&till=2026-02-28`);
    const { context } = accountContext({ ...recent, 'GET /v1/statistics': { body: statistics() } });
    const page = await showPage(new OverviewPage(), context);
    await import('../../pages/account/overview/period-dates.ts');
    await waitForPage(page);
    const fieldOf = (name: string) => page.querySelector<HTMLInputElement>(`#period-${name}`);
    const type = async (name: string, value: string) => {
      const field = fieldOf(name);
      if (!field) throw new Error(`There is no field ${name}`);
      field.value = value;
      field.dispatchEvent(new Event('change', { bubbles: true }));
      await waitForPage(page);
      expect(['since', 'till'].map((each) => fieldOf(each)?.value)).to.include(value);
    };
    const period = () => location.search;
    for (const typed of ['0002-02-10', '0202-02-10', '2026-03-10']) await type('since', typed);
    expect(period()).to.equal('?since=2026-02-01&till=2026-02-28');
    await type('till', '2026-03-31');
    expect(period()).to.equal('?since=2026-03-10&till=2026-03-31');
    await type('till', '2026-03-01');
    expect(period()).to.equal('?since=2026-03-10&till=2026-03-31');
    fieldOf('till')?.dispatchEvent(new FocusEvent('focusout', { bubbles: true, relatedTarget: fieldOf('since') }));
    expect(period()).to.equal('?since=2026-03-10&till=2026-03-31');
    fieldOf('till')?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    await waitForPage(page);
    expect(period()).to.equal('?since=2026-03-01&till=2026-03-10');
    expect(['since', 'till'].map((each) => fieldOf(each)?.value)).to.eql(['2026-03-01', '2026-03-10']);
  });

  it('ends a relative period today, also in a tab that was opened earlier', async () => {
    history.replaceState(null, '', `${originalPath}?days=7`);
    let isUnavailable = true;
    const { context, requests } = accountContext({
      ...recent,
      'GET /v1/statistics': () => (isUnavailable ? problem(503, 'unavailable') : { body: statistics() }),
    });
    const page = await showPage(new OverviewPage(), context);
    isUnavailable = false;
    const openedAt = Date.now();
    const { now } = Date;
    requests.length = 0;
    try {
      Date.now = () => openedAt + 3 * 86_400_000;
      button(page, /^Try again$/).click();
      await waitForPage(page);
    } finally {
      Date.now = now;
    }
    const [today, span] = requests.map(({ query }) => query);
    expect(span?.get('till')).to.equal(today?.get('till'));
    expect(Date.parse(span?.get('till') ?? '') - Date.parse(span?.get('since') ?? '')).to.equal(6 * 86_400_000);
  });

  it('shows a new merchant the permitted first steps', async () => {
    const results = {
      'GET /v1/statistics': { body: nothing },
      'GET /fiat/v1/transactions': { body: { transactions: [], pagination: {} } },
      'GET /v1/transactions': { body: { transactions: [], next_cursor: null } },
    };
    const page = await showPage(new OverviewPage(), accountContext(results).context);
    const steps = [...page.querySelectorAll('.getting-started-steps a')].map((step) => step.getAttribute('href'));
    expect(steps).to.deep.equal(['/account/7/new-link', '/account/7/webhooks', '/reference']);
    expect(await accessibilityViolations()).to.deep.equal([]);
    document.body.replaceChildren();
    const viewers = await showPage(new OverviewPage(), accountContext(results, 'viewer').context);
    expect(viewers.querySelector('a[href$="/new-link"]')).to.equal(null);
  });

  it('keeps the content if a refresh fails', async () => {
    let isUnavailable = false;
    const { context } = accountContext({
      ...recent,
      'GET /v1/statistics': () => (isUnavailable ? problem(503, 'unavailable') : { body: statistics() }),
    });
    const page = await showPage(new OverviewPage(), context);
    isUnavailable = true;
    radio(page, /^7 days$/).click();
    await waitForPage(page);
    expect(textOf(page.querySelector('account-state'))).to.match(/Service unavailable/);
    expect(page.querySelectorAll('.tile').length).to.equal(4);
    expect([...page.querySelectorAll('.overview h2')].map(textOf)).to.include('Last 30 days');
  });

  it('shows hostile text as text, without overflow', async () => {
    const failures = hostileTexts.map((reason) => ({ reason, count: 1 }));
    const { context } = accountContext({ ...recent, 'GET /v1/statistics': { body: statistics({ failures }) } });
    const page = await showPage(new OverviewPage(), context);
    expect(textOf(page)).to.contain(hostileTexts[0]);
    expect(page.querySelector('.figures img[onerror]')).to.equal(null);
    expect(horizontalOverflow()).to.equal(0);
  });
});

describe('a chart', () => {
  it('has an axis that ends at the first tick above the highest bar', () => {
    expect(axisTicks(1234.5, false)).to.deep.equal([0, 500, 1000, 1500]);
    expect(axisTicks(480, false)).to.deep.equal([0, 200, 400, 600]);
    expect(axisTicks(1000, false)).to.deep.equal([0, 250, 500, 750, 1000]);
    expect(axisTicks(0.03, false).at(-1)).to.be.closeTo(0.03, 1e-9);
    expect(axisTicks(3, true)).to.deep.equal([0, 1, 2, 3]);
    expect(axisTicks(9, true)).to.deep.equal([0, 5, 10]);
    expect(axisTicks(1, true)).to.deep.equal([0, 1]);
    expect(axisTicks(0, true)).to.deep.equal([0]);
    expect(axisTicks(0, false)).to.deep.equal([0]);
    for (let highest = 1; highest < 3000; highest += 7) {
      const ticks = axisTicks(highest, true);
      expect(ticks.length).to.be.within(2, 5);
      expect(ticks.at(-1)).to.be.at.least(highest);
      expect(ticks.at(-2)).to.be.below(highest);
    }
  });

  it('is destroyed with its element', async () => {
    const plot = new BarChart();
    Object.assign(plot, { bars: [{ label: '1', description: 'one', value: 1 }], label: 'One' });
    document.body.append(plot);
    plot.remove();
    await import('uplot');
    await waitForPage(plot);
    expect(plot.querySelector('canvas')).to.equal(null);
  });
});

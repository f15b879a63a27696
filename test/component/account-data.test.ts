import { expect } from 'chai';
import { render } from 'lit';
import { createAccountApi } from '../../pages/account/api.ts';
import { differencesOf } from '../../pages/account/audit-log/differences.ts';
import { Format, negativeAmount } from '../../pages/account/format.ts';
import { LiveUpdates, type LiveUpdate } from '../../pages/account/live.ts';
import { deviceName } from '../../pages/account/me/device.ts';
import { accountPath, pagesFor, matchRoute } from '../../pages/account/routes.ts';
import { MERCHANT_HEADER } from '../../src/shared/account-calls.ts';
import { allScopes } from '../../src/shared/scopes.ts';
import { scopesOfRole } from '../../src/shared/roles.ts';
import type { PaylatchError } from '../../client/error.ts';
import { fieldDetail, problemText } from '../../pages/account/problems.ts';
import { accountI18n, problem, fakeService } from './account-fixtures.ts';

describe('requests of the account area', () => {
  it('name the merchant, and an idempotency key for every change', async () => {
    const { api, requests } = fakeService({ 'GET /v1/merchants': {}, 'POST /v1/people/remove': {} }, 7);
    await api.listMerchants({ cursor: '', per_page: undefined as never, search: 'a b' });
    await api.removePerson({ id: 1 });
    await api.removePerson({ id: 1 }, { idempotencyKey: 'mine' });
    const [read, first, second] = requests;
    expect(read?.headers.get(MERCHANT_HEADER)).to.equal('7');
    expect(read?.query.toString()).to.equal('search=a+b');
    expect(read?.headers.has('Idempotency-Key')).to.equal(false);
    expect(first?.headers.get('Idempotency-Key')).to.match(/^[\da-f-]{36}$/);
    expect(first?.body).to.deep.equal({ id: 1 });
    expect(second?.headers.get('Idempotency-Key')).to.equal('mine');
  });

  it('return problems with all details of the service', async () => {
    const { api } = fakeService({
      'POST /v1/people/invite': {
        ...problem(422, 'invalid_fields', {
          request_id: 'req-1',
          errors: [{ pointer: '/email', code: 'invalid', detail: 'must be an email address' }],
        }),
        headers: { 'Retry-After': '5' },
      },
      'GET /v1/people': { status: 502, body: 'Bad gateway' },
    });
    const refused = await api.invitePerson({} as never).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'invalid_fields', status: 422, requestId: 'req-1', retryAfterMs: 5000 });
    expect(fieldDetail(refused as PaylatchError, 'email')).to.equal('must be an email address');
    const unavailable = accountI18n.text('account.shell.problems.unavailable.title');
    for (const [response, status] of [
      [api.listPeople(), 502],
      [api.getCallbackKeys(), null],
    ] as const) {
      const problem = await response.catch((error: unknown) => error);
      expect(problem).to.include({ status });
      expect(problemText(problem as PaylatchError, accountI18n).heading).to.equal(unavailable);
    }
  });

  it('retry a change with the same key, even if the user retries after a lost response', async () => {
    const statuses = [503, 200, 503, 503, 200, 200];
    const respond = () => ({
      status: statuses.shift() ?? 200,
      body: { code: 'unavailable', detail: 'Away', retryable: true },
    });
    const { requests, fetch } = fakeService({ 'POST /v1/people/remove': respond });
    const api = createAccountApi({ fetch, maxRetries: 1 });
    const keys = () => requests.splice(0).map(({ headers }) => headers.get('Idempotency-Key'));
    await api.removePerson({ id: 1 });
    expect(new Set(keys()).size).to.equal(1);
    await api.removePerson({ id: 1 }).catch(() => {});
    await api.removePerson({ id: 1 });
    expect(new Set(keys()).size).to.equal(1);
    await api.removePerson({ id: 1 });
    await api.removePerson({ id: 2 });
    expect(new Set(keys()).size).to.equal(2);
  });

  it('retry a change with the same key while its first request is processed', async () => {
    const statuses = [409, 200];
    const respond = () => ({
      status: statuses.shift() ?? 200,
      body: { code: 'idempotency_key_in_use', detail: 'Retry in a moment', retryable: true },
    });
    const { requests, fetch } = fakeService({ 'POST /fiat/v1/transaction/refund': respond });
    const api = createAccountApi({ fetch, maxRetries: 0 });
    await api.refundTransaction({ transaction_id: 'order-1', amount: 10 }).catch(() => {});
    await api.refundTransaction({ transaction_id: 'order-1', amount: 10 });
    expect(new Set(requests.map(({ headers }) => headers.get('Idempotency-Key'))).size).to.equal(1);
  });

  it('report an ended session, but not a wrong password', async () => {
    const { api } = fakeService({
      'GET /v1/people': problem(401, 'unauthorized'),
      'POST /account/sign-in/password': problem(401, 'sign_in_failed'),
    });
    let ended = 0;
    api.onSignedOut = () => ended++;
    await api.call('passwordSignIn', { email: 'a@b.example', password: 'x' }).catch(() => {});
    expect(ended).to.equal(0);
    await api.listPeople().catch(() => {});
    expect(ended).to.equal(1);
  });
});

describe('URLs of the account area', () => {
  it('match pages of a merchant and of the user', () => {
    expect(matchRoute('/account')).to.deep.equal({ page: 'start', merchant: null });
    expect(matchRoute('/account/7/')).to.deep.equal({ page: 'start', merchant: 7 });
    expect(matchRoute('/account/1024000000000001')).to.deep.equal({ page: 'start', merchant: 1024000000000001 });
    expect(matchRoute('/account/7/team')).to.deep.equal({ page: 'team', merchant: 7, params: {} });
    expect(matchRoute('/account/me')).to.deep.equal({ page: 'me', merchant: null, params: {} });
    for (const address of ['/account/team', '/account/7/me', '/account/7/nothing', '/account/07/team', '/elsewhere'])
      expect(matchRoute(address).page, address).to.equal('unknown');
  });

  it('encode any reference', () => {
    for (const reference of ['order-1', 'a/b?c#d', '100 %', 'ü']) {
      const address = accountPath(7, 'transactions', reference);
      const { pathname } = new URL(address, location.origin);
      expect(matchRoute(pathname)).to.deep.equal({ page: 'transaction', merchant: 7, params: { reference } });
    }
    expect(matchRoute('/account/7/transactions/%E0%A4%A').page).to.equal('transaction');
  });

  it('are listed for users with the scope', () => {
    const of = (role: keyof typeof scopesOfRole) => pagesFor(allScopes(scopesOfRole[role]));
    expect(of('viewer')).to.deep.equal([
      ...['overview', 'transactions', 'reusable_links', 'crypto'],
      ...['branding', 'settings', 'email', 'integration', 'webhooks'],
    ]);
    expect(of('operator')).to.include.members(['reviews', 'new_link']).and.not.include('team');
    expect(of('owner')).to.include.members(['team', 'audit_log']);
  });
});

describe('live updates', () => {
  class Source extends EventTarget {
    static readonly all: Source[] = [];
    readyState = 0;
    readonly url: string;
    constructor(url: string) {
      super();
      this.url = url;
      Source.all.push(this);
    }
    close() {
      this.readyState = 2;
    }
    emit(type: string, data?: unknown) {
      this.dispatchEvent(data === undefined ? new Event(type) : new MessageEvent(type, { data: JSON.stringify(data) }));
    }
  }

  function listen() {
    Source.all.length = 0;
    const shown: { visibilityState: DocumentVisibilityState } = { visibilityState: 'visible' };
    const page = Object.assign(new EventTarget(), shown);
    const waiting: (() => void)[] = [];
    const live = new LiveUpdates({
      openStream: (url) => new Source(url) as unknown as EventSource,
      schedule(_delay, act) {
        waiting.push(act);
        return () => void waiting.splice(waiting.indexOf(act), 1);
      },
      page,
    });
    const updates: LiveUpdate[] = [];
    live.subscribe((each) => void updates.push(each));
    live.switchMerchant(7);
    const show = (state: DocumentVisibilityState) => {
      page.visibilityState = state;
      page.dispatchEvent(new Event('visibilitychange'));
    };
    const pass = () => {
      for (const act of waiting.splice(0)) act();
    };
    const source = () => Source.all.at(-1) ?? new Source('(none)');
    return { live, updates, show, pass, source, waiting };
  }

  it('come from the merchant’s stream as a rising number', () => {
    const { updates, source } = listen();
    expect(source().url).to.equal('/v1/events/stream?merchant=7');
    source().emit('open');
    for (const changes of [0, 0, 1]) source().emit('state', { isSignedIn: true, changes });
    expect(updates).to.deep.equal([{ type: 'connected' }, { type: 'changed' }]);
  });

  it('include changes before the first event of each opened stream', () => {
    const { updates, source } = listen();
    source().emit('open');
    source().emit('state', { isSignedIn: true, changes: 1 });
    source().emit('error');
    source().emit('open');
    source().emit('state', { isSignedIn: true, changes: 0 });
    source().emit('state', { isSignedIn: true, changes: 1 });
    expect(updates.map(({ type }) => type)).to.deep.equal(['connected', 'changed', 'missed', 'changed']);
  });

  it('end with the session, and report it', () => {
    const { updates, source } = listen();
    source().emit('open');
    source().emit('state', { isSignedIn: false, changes: 0 });
    expect(updates).to.deep.equal([{ type: 'connected' }, { type: 'signed_out' }]);
    expect(source().readyState).to.equal(2);
  });

  it('are polled only while the stream is down', () => {
    const { updates, pass, source, waiting } = listen();
    source().emit('error');
    pass();
    pass();
    expect(updates.map(({ type }) => type)).to.deep.equal(['missed', 'missed']);
    source().emit('open');
    expect(updates).to.have.length(3);
    expect(waiting).to.deep.equal([]);
  });

  it('reopen a stream that the service has closed', () => {
    const { pass, source } = listen();
    source().close();
    source().emit('error');
    pass();
    expect(Source.all).to.have.length(2);
  });

  it('pause on a hidden page, and then report that changes may have been missed', () => {
    const { updates, show, source } = listen();
    source().emit('open');
    show('hidden');
    expect(source().readyState).to.equal(2);
    show('visible');
    expect(Source.all).to.have.length(2);
    source().emit('open');
    expect(updates).to.deep.equal([{ type: 'connected' }, { type: 'missed' }]);
  });

  it('are for one merchant at a time', () => {
    const { live, source } = listen();
    live.switchMerchant(8);
    expect(Source.all[0]?.readyState).to.equal(2);
    expect(source().url).to.equal('/v1/events/stream?merchant=8');
    live.switchMerchant(null);
    expect(source().readyState).to.equal(2);
  });
});

describe('formats', () => {
  const format = new Format('en-US', () => Date.parse('2026-03-10T12:00:00Z'), 'UTC');

  it('of money, coins, dates and countries follow the locale', () => {
    expect(format.money('1250.5', 'usd')).to.equal('$1,250.50');
    expect(format.money(1250, 'JPY')).to.equal('¥1,250');
    expect(format.money('0.1', 'usdt!')).to.equal('0.1 USDT!');
    expect(format.coins('0.00150000', 'btc')).to.equal('0.00150000\u00a0BTC');
    expect(format.dateTimeText('2026-03-10T10:45:00Z')).to.match(/^Mar 10, 10:45\sAM$/);
    expect(format.dateTimeText('2025-12-31T10:45:00Z')).to.match(/^Dec 31, 2025, 10:45\sAM$/);
    expect(format.country('FR')).to.equal('France');
    expect(format.country('not one')).to.equal('not one');
  });

  it('of past times are relative for a week, also with a clock that is behind', () => {
    const relative = (at: string) => {
      const place = document.createElement('div');
      render(format.relativeTime(at), place);
      return place.textContent.trim();
    };
    expect(relative('2026-03-10T11:15:00Z')).to.equal('45 minutes ago');
    expect(relative('2026-03-09T11:15:00Z')).to.equal('yesterday');
    expect(relative('2026-03-01T11:15:00Z')).to.equal('Mar 1, 2026');
    expect(relative('2026-03-11T18:00:00Z')).to.equal('this minute');
  });

  it('of amounts in Arabic have Latin digits, and signs in their usual place', () => {
    const arabic = new Format('ar-EG');
    expect(arabic.money('1250.5', 'USD')).to.equal('\u200f1,250.50\u00a0US$\u200e');
    expect(arabic.money('0.125', 'KWD')).to.equal('\u200f0.125\u00a0د.ك\u200f');
    expect(negativeAmount(arabic.money('0.5', 'EUR'))).to.equal('\u200f\u200e−0.50\u200f\u00a0€');
    expect(negativeAmount(format.money('0.5', 'EUR'))).to.equal('−€0.50');
    expect(negativeAmount(arabic.coins('0.5', 'btc'))).to.equal('\u200f\u200e−0.5\u200f\u00a0BTC');
  });
});

describe('differences', () => {
  it('are listed by field, without unchanged ones', () => {
    const before = { role: 'viewer', name: 'Same', address: { city: 'Oslo' } };
    const after = { role: 'operator', name: 'Same', address: { city: 'Bergen' }, tags: ['a'] };
    expect(differencesOf(before, after)).to.deep.equal([
      { name: 'role', before: 'viewer', after: 'operator' },
      { name: 'address.city', before: 'Oslo', after: 'Bergen' },
      { name: 'tags', before: null, after: '["a"]' },
    ]);
    const way = (currency: string, fee: number) => ({ payment_method: 'upi', currency, fee });
    expect(differencesOf([way('INR', 1), way('USD', 2)], [way('INR', 1), way('USD', 3)])).to.deep.equal([
      { name: 'upi USD.fee', before: '2', after: '3' },
    ]);
    expect(differencesOf(null, null)).to.deep.equal([]);
    expect(differencesOf(null, 'x')).to.deep.equal([{ name: 'value', before: null, after: 'x' }]);
  });
});

describe('the name of a device', () => {
  it('is the browser and system', () => {
    const chrome =
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
    expect(deviceName(chrome)).to.equal('Chrome, Windows');
    expect(deviceName(`${chrome} Edg/140.0`)).to.equal('Edge, Windows');
    expect(deviceName('curl/8')).to.equal('');
  });
});

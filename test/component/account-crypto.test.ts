import type WaDropdown from '@awesome.me/webawesome/dist/components/dropdown/dropdown.js';
import { expect } from 'chai';
import { render } from 'lit';
import type { Balance, Wallet, Withdrawal } from '../../client/api.ts';
import { CryptoPage } from '../../pages/account/crypto/crypto-page.ts';
import type { WalletList } from '../../pages/account/crypto/wallet-list.ts';
import type { WithdrawalList } from '../../pages/account/crypto/withdrawal-list.ts';
import type { UserRole } from '../../src/shared/roles.ts';
import {
  accountContext,
  accountOf,
  accessibilityViolations,
  button,
  copyValues,
  hostileTexts,
  problem,
  waitForPage,
  showPage,
  horizontalOverflow,
  resizePage,
  textOf,
} from './account-fixtures.ts';

const wallet: Wallet = {
  ...{ walletAddress: 'bc1qserving', code: 'btc', walletType: 'revolver', state: 'assigned', balance: '150000' },
  parts: { credited: '140000', sending: '0', confirming: '0', in_review: '10000', unattributed: '0', rejected: '0' },
  incoming: '7000',
  ...{ reusableAt: null, createdAt: '2026-03-10T11:00:00Z', retiredAt: null },
};
const retired: Wallet = {
  ...{ ...wallet, walletAddress: 'bc1qretired', state: 'retired', balance: '50000', incoming: '0' },
  parts: { credited: '20000', sending: '0', confirming: '0', in_review: '0', unattributed: '30000', rejected: '0' },
};
const balance: Balance = {
  ...{ code: 'btc', balance: '200000', incoming: '7000' },
  parts: { ...wallet.parts, credited: '160000', unattributed: '30000' },
};
const withdrawal: Withdrawal = {
  ...{ id: 'w1', code: 'btc', purpose: 'sweep', status: 'to_sign', failure: null, destination: 'bc1qdestination' },
  waitsFor: { reason: 'fee_limit', detail: 'The network asks for 40 sat/vB.', feeNow: '40', limit: '20' },
  ...{ spent: '200000', amount: '199000', fee: '1000', feeCode: 'btc', feeRate: '5', limit: '20', txHash: 'ab12' },
  ...{ txHashes: ['cd34', 'ab12'], confirmations: 0, minConfirmations: 2, transactionId: null, withdrawalId: null },
  ...{ wallets: [{ address: 'bc1qserving', amount: '200000' }], requestedBy: 'person 3' },
  heldUntil: null,
  cancelling: false,
  ...{ feePaid: null, writtenOff: '0' },
  requestedByName: hostileTexts[0] ?? '',
  ...{ createdAt: '2026-03-10T11:00:00Z', updatedAt: '2026-03-10T11:00:00Z' },
};
const unsigned = { format: 'psbt', data: 'cHNidP8BAFICAAAA', sender: null, path: null };

async function openCrypto(role: UserRole, results: Parameters<typeof accountContext>[0] = {}) {
  const account = accountOf({ person: { id: 1, email: 'a@b.example', name: 'Ada', isManager: role === 'manager' } });
  const setup = accountContext(
    {
      'GET /v1/balances': { body: { balances: [balance] } },
      'GET /v1/wallets': { body: { wallets: [wallet, retired], next_cursor: null } },
      'GET /v1/withdrawals': { body: { withdrawals: [withdrawal], pendingDestinations: [], next_cursor: null } },
      'GET /v1/withdrawal': { body: { ...withdrawal, unsigned } },
      ...results,
    },
    role,
    { account },
  );
  const page = await showPage(new CryptoPage(), setup.context);
  const open = async () => {
    page.querySelector<HTMLElement>('.withdrawal-row')?.click();
    await waitForPage(page);
  };
  return { ...setup, page, open };
}

describe('the crypto page', () => {
  afterEach(() => document.body.replaceChildren());

  it('shows wallet balances by part, and what blocks a withdrawal', async () => {
    const { page } = await openCrypto('viewer');
    expect(textOf(page.querySelector('.balance')).replaceAll('\u{a0}', ' ')).to.equal(
      'BTC on-chain balance 0.002 BTC Credited 0.0016 BTC Awaiting review 0.0001 BTC Unattributed 0.0003 BTC ' +
        'Unconfirmed 0.00007 BTC',
    );
    expect([...page.querySelectorAll('.wallet .balance-part')].map((part) => part.getAttribute('data-part'))).to.eql([
      ...['credited', 'in_review', 'incoming'],
      ...['credited', 'unattributed'],
    ]);
    expect(textOf(page.querySelector('.withdrawal-row'))).to.match(
      /0\.00199\sBTC Automatic withdrawal · 1 hour ago On hold until the network fee drops below the limit\. .* Awaiting signature/,
    );
    expect(textOf(page.querySelector('.wallet'))).to.contain(' Created 1 hour ago');
    expect(textOf(page.querySelector('crypto-balances .hint'))).to.match(/^Unattributed funds arrived/);
    expect(page.querySelectorAll('.wallet wa-copy-button > .icon-button')).to.have.length(2);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('links wallets to their payments, names a type that all share once, and explains shown parts only', async () => {
    const parts = { ...wallet.parts, in_review: '0' };
    const empty = { ...wallet, parts, walletAddress: 'bc1qempty', balance: '0', incoming: '0' };
    const wallets: Wallet[] = [wallet, empty];
    const results = () => ({
      'GET /v1/balances': { body: { balances: [{ ...balance, parts }] } },
      'GET /v1/wallets': { body: { wallets, next_cursor: null } },
    });
    const { page } = await openCrypto('viewer', results());
    const type = 'One per invoice, reused after cooldown';
    expect([...page.querySelectorAll('.wallet a')].map((link) => link.getAttribute('href'))).to.eql([
      '/account/7/transactions?kind=crypto&search=bc1qserving',
    ]);
    expect(textOf(page.querySelector('wallet-list')).split(type)).to.have.length(2);
    expect(textOf(page.querySelector('wallet-list .wallet'))).to.not.contain(type);
    expect(textOf(page.querySelector('crypto-balances .hint'))).to.equal('');
    expect(await accessibilityViolations()).to.deep.equal([]);
    document.body.replaceChildren();
    wallets.push({ ...empty, walletType: 'static' });
    const { page: mixed } = await openCrypto('viewer', results());
    expect([...mixed.querySelectorAll('.wallet')].map((row) => textOf(row).includes(' · Created'))).to.eql([
      true,
      true,
      true,
    ]);
    expect(mixed.querySelector('wallet-list .section-text')).to.equal(null);
  });

  it('shortens addresses in the middle, with emphasized ends', async () => {
    const walletAddress = `bc1p${'q'.repeat(52)}xyz789`;
    const wallets = [wallet, { ...wallet, walletAddress }];
    const { page } = await openCrypto('manager', { 'GET /v1/wallets': { body: { wallets, next_cursor: null } } });
    const addresses = [...page.querySelectorAll<HTMLElement>('.wallet .address')];
    expect(addresses.map((each) => each.textContent)).to.deep.equal(['bc1qserving', walletAddress]);
    for (const width of ['36rem', '46rem']) {
      await resizePage(page, width);
      const [start, middle, end] = [...(addresses[1]?.children ?? [])] as HTMLElement[];
      expect([start?.textContent, end?.textContent]).to.deep.equal(['bc1pqq', 'xyz789']);
      expect((middle?.scrollWidth ?? 0) - (middle?.clientWidth ?? 0), width).to.be.above(0);
      const edge = addresses[1]?.getBoundingClientRect().right ?? NaN;
      expect(end?.getBoundingClientRect().right).to.be.at.most(edge + 0.5);
      const actions = [...page.querySelectorAll('.wallet > .row-actions')].map(
        (each) => each.getBoundingClientRect().left,
      );
      expect(edge).to.be.at.most(Math.min(...actions));
      expect(horizontalOverflow()).to.equal(0);
    }
  });

  it('shows funds that are being withdrawn apart', async () => {
    const parts = { ...wallet.parts, credited: '0', sending: '140000' };
    const { page } = await openCrypto('owner', {
      'GET /v1/balances': { body: { balances: [{ ...balance, parts }] } },
      'GET /v1/wallets': { body: { wallets: [{ ...wallet, parts }], next_cursor: null } },
    });
    const shown = [...page.querySelectorAll('.balance .balance-part')].map((part) => part.getAttribute('data-part'));
    expect(shown).to.eql(['credited', 'sending', 'in_review', 'incoming']);
    expect(textOf(page.querySelector('[data-part=sending]'))).to.match(/^Being withdrawn 0\.0014\sBTC$/);
  });

  it('shows a free wallet as cooling down until it can be reused', async () => {
    const free = (reusableAt: string | null): Wallet => ({ ...wallet, state: 'free', reusableAt });
    const wallets = [free('2099-03-10T11:00:00Z'), free('2020-03-10T11:00:00Z'), free(null)];
    const { page } = await openCrypto('viewer', { 'GET /v1/wallets': { body: { wallets, next_cursor: null } } });
    const rows = [...page.querySelectorAll('.wallet')];
    expect(rows.map((row) => textOf(row.querySelector('.tag')))).to.eql(['Cooling down', 'Free', 'Free']);
    expect(rows.map((row) => textOf(row).includes('Cooldown ends'))).to.eql([true, false, false]);
  });

  it('shows a withdrawal with its versions and unsigned transaction; a viewer cannot submit', async () => {
    const { page, open } = await openCrypto('viewer');
    await open();
    const text = textOf(page.querySelector('withdrawal-detail'));
    expect(text).to.contain('Transaction 1');
    expect(text).to.match(/Fee rate5 sat\/vB.*Current network fee rate40 sat\/vB.*Fee rate limit20 sat\/vB/);
    expect(copyValues(page.querySelector('withdrawal-detail .fact-list') ?? page)).to.deep.equal([
      ['Copy Withdrawal ID', withdrawal.id],
      ['Copy Withdrawal address', withdrawal.destination],
      ['Copy Transaction 1', 'cd34'],
      ['Copy Transaction 2', 'ab12'],
    ]);
    expect(textOf(page.querySelector('.unsigned'))).to.equal(unsigned.data);
    expect(page.querySelector('wa-textarea')).to.equal(null);
    expect('hostileTextRan' in window).to.equal(false);
    expect(horizontalOverflow()).to.equal(0);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('accepts a signed transaction, and shows its error at the field', async () => {
    const rejection = { errors: [{ pointer: '/signed', code: 'other', detail: 'is another transaction' }] };
    const { page, open, requests } = await openCrypto('owner', {
      'POST /v1/withdrawal/submit': problem(422, 'validation_failed', rejection),
    });
    await open();
    const field = page.querySelector('wa-textarea');
    if (!field) throw new Error('There is no field for the signed transaction');
    field.value = ' cHNidP8B\nAQ== ';
    await waitForPage(page);
    button(page, /^Submit transaction$/).click();
    await waitForPage(page);
    expect(requests.at(-1)?.body).to.deep.equal({ id: 'w1', signed: 'cHNidP8BAQ==' });
    expect(textOf(page.querySelector('withdrawal-detail .field-error'))).to.equal('is another transaction');
  });

  it('lets users with the scope cancel a withdrawal that is held for its new destination', async () => {
    const waitsFor = { reason: 'new_destination', detail: 'Held.', feeNow: null, limit: null };
    const heldWithdrawal = { ...withdrawal, status: 'waiting', waitsFor, heldUntil: '2026-03-11T12:00:00Z' };
    const results = {
      'GET /v1/withdrawals': {
        body: { withdrawals: [heldWithdrawal, withdrawal], pendingDestinations: [], next_cursor: null },
      },
      'POST /v1/withdrawal/cancel': { body: {} },
    };
    const { page, requests, announced } = await openCrypto('owner', results);
    expect(textOf(page.querySelector('.withdrawal-row'))).to.contain('until Mar 11, 12:00 PM');
    expect(page.querySelectorAll('.withdrawal-actions')).to.have.length(1);
    expect(page.querySelector('.withdrawal-actions .hint')).to.equal(null);
    expect(await accessibilityViolations()).to.deep.equal([]);
    button(page, /^Cancel withdrawal$/).click();
    await waitForPage(page);
    expect(requests.find(({ method }) => method === 'POST')?.body).to.deep.equal({ id: 'w1' });
    expect(announced).to.deep.equal(['Withdrawal canceled']);
    document.body.replaceChildren();
    const { page: seen } = await openCrypto('viewer', results);
    expect(seen.querySelector('.withdrawal-actions')).to.equal(null);
  });

  it('prompts a manager before canceling a sent withdrawal, and shows the pending cancellation', async () => {
    const sent = { ...withdrawal, status: 'sent', waitsFor: null, confirmations: 0 };
    const listing = (each: object) => ({ body: { withdrawals: [each], pendingDestinations: [], next_cursor: null } });
    const results = { 'GET /v1/withdrawals': listing(sent), 'POST /v1/withdrawal/cancel': { body: {} } };
    const { page, requests, announced, promptAnswers, prompts } = await openCrypto('manager', results);
    expect(textOf(page.querySelector('.withdrawal-row .tag'))).to.equal('Sent, unconfirmed');
    expect(textOf(page.querySelector('.withdrawal-actions .hint'))).to.equal(
      'Can be canceled until its first confirmation.',
    );
    button(page, /^Cancel withdrawal$/).click();
    await waitForPage(page);
    expect(requests.filter(({ method }) => method === 'POST')).to.deep.equal([]);
    promptAnswers.push({});
    button(page, /^Cancel withdrawal$/).click();
    await waitForPage(page);
    expect(prompts.map(({ heading, dismiss }) => [heading, dismiss])).to.deep.equal(
      Array(2).fill(['Cancel this withdrawal?', 'Keep withdrawal']),
    );
    expect(requests.find(({ method }) => method === 'POST')?.body).to.deep.equal({ id: 'w1' });
    expect(announced).to.deep.equal(['Cancellation requested']);
    for (const other of [{ cancelling: true }, { confirmations: 1 }, { purpose: 'gas' }]) {
      document.body.replaceChildren();
      const { page: seen } = await openCrypto('manager', { 'GET /v1/withdrawals': listing({ ...sent, ...other }) });
      expect(seen.querySelector('.withdrawal-actions')).to.equal(null);
      const text = textOf(seen.querySelector('.withdrawal-row'));
      expect(text.includes('A replacement transaction returns the funds')).to.equal('cancelling' in other);
    }
  });

  it('lets a manager rotate a wallet and withdraw unattributed deposits', async () => {
    const { page, requests, promptAnswers, prompts } = await openCrypto('manager', {
      'POST /v1/wallet/rotate': { body: {} },
      'POST /v1/withdrawals': { body: {} },
    });
    promptAnswers.push({}, { destination: 'bc1qelsewhere', source: 'unattributed bc1qretired' });
    button(page, /^More$/).click();
    await waitForPage(page);
    page.querySelector<HTMLElement>('wa-dropdown-item[value=rotate]')?.click();
    await waitForPage(page);
    const sends = [...page.querySelectorAll<HTMLElement>('.wallet wa-dropdown-item')].filter(
      (each) => textOf(each) === 'Withdraw funds',
    );
    button(sends[1]?.parentElement ?? page, /^More$/).click();
    await waitForPage(page);
    sends[1]?.click();
    await waitForPage(page);
    expect(prompts.length).to.equal(2);
    expect(requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])).to.deep.equal([
      ['/v1/wallet/rotate', { walletAddress: 'bc1qserving' }],
      [
        '/v1/withdrawals',
        { code: 'btc', walletAddress: 'bc1qretired', source: 'unattributed', destination: 'bc1qelsewhere' },
      ],
    ]);
  });

  it('keeps the open menu of a wallet and a pasted transaction when a refresh inserts rows', async () => {
    const [wallets, withdrawals] = [[wallet, retired], [withdrawal]];
    const { page, open } = await openCrypto('manager', {
      'GET /v1/wallets': () => ({ body: { wallets: [...wallets], next_cursor: null } }),
      'GET /v1/withdrawals': () => ({
        body: { withdrawals: [...withdrawals], pendingDestinations: [], next_cursor: null },
      }),
    });
    await open();
    const field = page.querySelector('wa-textarea');
    const menu = page.querySelector<WaDropdown>('.wallet wa-dropdown');
    if (!field || !menu) throw new Error('There is no field or menu');
    field.value = 'cHNidP8BAQ==';
    menu.open = true;
    wallets.unshift({ ...wallet, walletAddress: 'bc1qnew' });
    withdrawals.unshift({ ...withdrawal, id: 'w2' });
    for (const list of page.querySelectorAll<WalletList | WithdrawalList>('wallet-list, withdrawal-list'))
      await list.loader.refresh();
    await waitForPage(page);
    expect([...page.querySelectorAll('.wallet .address')].map(textOf)).to.eql([
      ...['bc1qnew', 'bc1qserving', 'bc1qretired'],
    ]);
    expect(menu.open).to.equal(true);
    expect(textOf(menu.closest('.wallet')?.querySelector('.address') ?? null)).to.equal('bc1qserving');
    expect(page.querySelectorAll('.withdrawal').length).to.equal(2);
    expect(page.querySelector('wa-textarea')).to.equal(field);
    expect(field.value).to.equal('cHNidP8BAQ==');
  });

  it('shows the balances of all wallets first, and lets a manager withdraw the funds of any', async () => {
    const { page, requests, promptAnswers, prompts, announced } = await openCrypto('manager', {
      'POST /v1/withdrawals': { body: {} },
      'GET /v1/wallets': (request) => ({
        body: request.query.has('cursor')
          ? { wallets: [retired], next_cursor: null }
          : { wallets: [wallet], next_cursor: request.query.get('per_page') === '100' ? 'second' : null },
      }),
    });
    expect([...page.querySelectorAll('h2')].map(textOf)).to.deep.equal(['Balances', 'Withdrawals', 'Wallets']);
    expect([...page.querySelectorAll('.balance-total')].map(textOf)).to.deep.equal(['0.002 BTC']);
    promptAnswers.push({ destination: 'bc1qelsewhere', source: 'credited bc1qretired' });
    button(page, /^Withdraw funds: BTC$/).click();
    await waitForPage(page);
    expect(requests.find(({ method }) => method === 'POST')?.body).to.deep.equal({
      ...{ code: 'btc', walletAddress: 'bc1qretired', source: 'credited', destination: 'bc1qelsewhere' },
    });
    expect(announced).to.deep.equal(['Withdrawal requested']);
    const dialog = document.body.appendChild(document.createElement('div'));
    render(prompts[0]?.fields, dialog);
    expect([...dialog.querySelectorAll('wa-radio')].map((radio) => textOf(radio))).to.deep.equal([
      'Credited 0.0014 BTC bc1qserving',
      'Unattributed 0.0003 BTC bc1qretired',
      'Credited 0.0002 BTC bc1qretired',
    ]);
    document.body.replaceChildren();
    const { page: seen } = await openCrypto('owner');
    expect(seen.querySelector('.balance wa-button')).to.equal(null);
  });

  it('offers the newest 1,000 wallets with funds as the source of a withdrawal, and says why it cannot', async () => {
    let isFailing = false;
    const { page, requests, prompts, announced } = await openCrypto('manager', {
      'GET /v1/wallets': () =>
        isFailing ? problem(503, 'unavailable') : { body: { wallets: Array(100).fill(wallet), next_cursor: 'more' } },
    });
    button(page, /^Withdraw funds: BTC$/).click();
    await waitForPage(page);
    const pages = requests.filter(({ query }) => query.get('funded') === 'true' && query.get('code') === 'btc');
    expect(pages).to.have.length(10);
    expect(prompts).to.have.length(1);
    isFailing = true;
    button(page, /^Withdraw funds: BTC$/).click();
    await waitForPage(page);
    expect(prompts).to.have.length(1);
    expect(announced).to.have.length(1);
    expect(button(page, /^Withdraw funds: BTC$/).hasAttribute('disabled')).to.equal(false);
  });

  it('shows empty states and problems', async () => {
    const empty = await openCrypto('viewer', {
      'GET /v1/balances': { body: { balances: [] } },
      'GET /v1/wallets': { body: { wallets: [], next_cursor: null } },
      'GET /v1/withdrawals': { body: { withdrawals: [], next_cursor: null } },
    });
    expect(textOf(empty.page)).to.contain('No withdrawals yet');
    expect(empty.page.querySelector('.head-filters'), 'a filter of nothing').to.equal(null);
    expect(textOf(empty.page)).to.contain('No wallets yet');
    expect(textOf(empty.page)).not.to.contain('Balances');
    expect(await accessibilityViolations()).to.deep.equal([]);
    document.body.replaceChildren();
    const { page } = await openCrypto('viewer', { 'GET /v1/wallets': problem(503, 'unavailable') });
    expect(button(page, /Try again/)).to.be.an.instanceOf(HTMLElement);
  });
});

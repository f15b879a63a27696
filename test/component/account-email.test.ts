import { expect } from 'chai';
import type { Email } from '../../client/api.ts';
import { EmailPage } from '../../pages/account/email/email-page.ts';
import '../../pages/account/me/notification-section.ts';
import { sendLink } from '../../pages/account/send-link.ts';
import type { UserRole } from '../../src/shared/roles.ts';
import {
  accessibilityViolations,
  accountContext,
  accountOf,
  type FakeResponse,
  horizontalOverflow,
  hostileTexts,
  problem,
  showPage,
  textOf,
  waitForPage,
} from './account-fixtures.ts';

const preference = (key: string, value: boolean | null = null) => ({
  ...{ key, meaning: '', type: 'boolean', default: true, manager_only: false, scope: 'preference:write' },
  ...{ value, pending: null, updated_at: null, updated_by: null },
});
const keys = ['email-receipts', 'email-refunds', 'email-underpayments', 'brand-name'].map((key) => preference(key));

const mail = (change: Partial<Email> = {}): Email => ({
  ...{ id: 1, kind: 'receipt', recipient: 'buyer@example.com', transaction_id: 'order-1', state: 'sent' },
  ...{ attempts: 1, created_at: '2026-03-10T11:00:00Z', finished_at: '2026-03-10T11:00:01Z', error: null },
  ...change,
});

async function open(
  emails: readonly Email[],
  { role = 'owner', sendsEmail = true }: { role?: UserRole; sendsEmail?: boolean } = {},
) {
  const given = accountContext(
    {
      'GET /v1/merchant/preferences/keys': { body: { keys } },
      'GET /v1/people': { body: { people: [] } },
      'GET /v1/tokens': { body: { tokens: [], next_cursor: null } },
      'GET /v1/emails': { body: { is_set_up: sendsEmail, emails, next_cursor: null } },
    },
    role,
    { account: accountOf({ sendsEmail, merchants: [{ id: 7, name: 'Kettle & Co', role }] }) },
  );
  return { page: await showPage(new EmailPage(), given.context), ...given };
}

afterEach(() => document.body.replaceChildren());

describe('the emails page', () => {
  it('shows the merchant’s choices, previews and recent emails, with the reason of a failure', async () => {
    const [hostile = ''] = hostileTexts;
    const { page } = await open([
      mail({ id: 2, kind: 'payment_link', state: 'failed', error: `550 ${hostile}` }),
      mail({ kind: 'invitation', transaction_id: null }),
    ]);
    expect(page.querySelectorAll('.setting').length).to.equal(3);
    const setting = page.querySelector('.setting');
    const edge = (setting?.getBoundingClientRect().right ?? 0) - 20;
    const box = setting?.querySelector('wa-switch')?.getBoundingClientRect();
    expect(box?.right).to.be.closeTo(edge, 1);
    expect(box?.width).to.be.lessThan(100);
    const shown = textOf(page);
    for (const text of ['Receipts', 'Payment link', 'order-1', '550 <img', 'Failed', 'Invitation', 'Sent'])
      expect(shown).to.contain(text);
    const frame = page.querySelector('iframe');
    expect(frame?.getAttribute('sandbox')).to.equal('');
    expect(frame?.getAttribute('src')).to.match(/^\/email-preview\?merchant=7&kind=receipt&locale=en&scheme=/);
    expect(horizontalOverflow()).to.equal(0);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('says that email is not set up, and lists nothing', async () => {
    const { page } = await open([], { sendsEmail: false });
    expect(textOf(page)).to.contain('Email is not set up').and.to.contain('until the operator of this service');
    expect(page.querySelector('#email-recent')).to.equal(null);
    const person = { id: 1, email: 'a@b.example', name: 'Ada', isManager: true };
    page.context = { ...page.context, account: accountOf({ sendsEmail: false, person }) };
    await waitForPage(page);
    expect(textOf(page)).to.contain('No emails are sent until SMTP_URL is set in the environment of this service.');
  });

  it('previews another email in its languages', async () => {
    const { page } = await open([]);
    const select = page.querySelector<HTMLElement & { value: string }>('#email-kind');
    if (!select) throw new Error('No select');
    select.value = 'new_sign_in';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await waitForPage(page);
    expect(page.querySelector('iframe')?.getAttribute('src')).to.contain('kind=new_sign_in');
    expect(page.querySelectorAll('#email-language wa-option').length).to.equal(12);
  });
});

describe('sending a link by email', () => {
  it('prompts until the address is valid', async () => {
    const { context, requests, prompts, promptAnswers, announced } = accountContext({
      'POST /fiat/v1/transaction/send': ({ body }) =>
        (body as { email: string }).email === 'ada@example.com'
          ? { body: { email: mail() } }
          : problem(422, 'validation_failed', { errors: [{ pointer: '/email', code: 'x', detail: 'is invalid' }] }),
    });
    promptAnswers.push({ email: 'nobody' }, { email: 'ada@x' }, { email: 'ada@example.com' });
    await sendLink(context, 'order-1', 'payer@example.com');
    expect(prompts.length).to.equal(3);
    expect(requests.map(({ body }) => (body as { email: string }).email)).to.deep.equal(['ada@x', 'ada@example.com']);
    expect(announced).to.deep.equal(['Payment link sent to ada@example.com']);
  });
});

describe('the notifications of a member', () => {
  const kinds = (isOn: boolean) => ({
    is_set_up: true,
    kinds: [
      { kind: 'review_waiting', is_on: isOn },
      { kind: 'endpoint_disabled', is_on: true },
    ],
  });

  async function notifications(answer: FakeResponse) {
    const { MePage } = await import('../../pages/account/me/me-page.ts');
    const accountSecurity = {
      passkeys: [],
      hasPassword: true,
      hasSecondFactor: false,
      recoveryCodesLeft: 0,
      sessions: [],
    };
    const setup = accountContext({
      'GET /account/protection': { body: accountSecurity },
      'GET /account/notifications': { body: kinds(true) },
      'POST /account/notifications': answer,
    });
    const page = await showPage(new MePage(), setup.context);
    const box = page.querySelector<HTMLElement & { checked: boolean }>('notification-section wa-checkbox');
    if (!box) throw new Error('No checkbox');
    box.checked = false;
    box.dispatchEvent(new Event('change', { bubbles: true }));
    await waitForPage(page);
    return { box, ...setup };
  }

  it('are turned off and saved', async () => {
    const { requests, announced } = await notifications({ body: kinds(false) });
    expect(requests.at(-1)?.body).to.deep.equal({ kind: 'review_waiting', is_on: false });
    expect(announced).to.deep.equal(['Notification settings saved']);
    expect(await accessibilityViolations()).to.deep.equal([]);
  });

  it('stay on if the change was not saved', async () => {
    const { box, announced } = await notifications(problem(503, 'unavailable'));
    expect(announced.join('')).to.match(/^Service unavailable/);
    expect(box.checked).to.equal(true);
  });
});

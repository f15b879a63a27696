// Databases: sqlite
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { PayerField } from '../../src/acquirers/adapter.ts';
import type { CardCharge } from '../../src/acquirers/port.ts';
import type { PushPaymentRequest } from '../../src/acquirers/push-port.ts';
import { changeAccounts } from '../support/acquirer-accounts.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { cards, createLink, creation, detailOf, submission } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const ada = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '+44 20 7946 0000',
  address: '12 St James’s Square',
  city: 'London',
  postcode: 'SW1Y 4JH',
  country: 'GB',
};
const { first_name, last_name, email, phone, address, city, postcode, country } = ada;
const short = ['first_name', 'last_name', 'country', 'postcode', 'email'];

describe('the payer of a payment', () => {
  let fixture: Fixture;
  let restore = () => {};
  const charges: CardCharge[] = [];
  const started: PushPaymentRequest[] = [];
  before(async () => {
    fixture = await openFixture();
    await enableEveryMethod(fixture, fixture.merchant);
  });
  afterEach(() => {
    restore();
    charges.length = 0;
    started.length = 0;
  });
  after(async () => await fixture.close());

  /** Records calls of the acquirer, which needs `fields` of the payer. */
  const needing = (...fields: PayerField[]) => {
    restore = changeAccounts(fixture.service(), ({ card, push, ...account }) => ({
      ...account,
      capabilities: account.capabilities.map((capability) => ({ ...capability, payerFields: fields })),
      ...(card && {
        card: {
          ...card,
          charge: async (charge) => {
            charges.push(charge);
            return await card.charge(charge);
          },
        },
      }),
      ...(push && {
        push: {
          ...push,
          issueInstructions: async (payment) => {
            started.push(payment);
            return await push.issueInstructions(payment);
          },
        },
      }),
    }));
  };
  const stateOf = async (path: string) => (await fixture.request(`${path}/state`, { token: null })).body;
  const asks = async (path: string, code = 'credit_card') =>
    (await stateOf(path)).methods.find((method: { code: string }) => method.code === code).payerFields;
  const { transaction_id: _, ...card } = submission('');
  /** Submits as the page does: the card, and these fields of the payer. */
  const submitOnPage = async (link: { reference: string; clientToken: string }, payer: Record<string, string>) => {
    const { card_number, card_expiry_month, card_expiry_year, card_cvv } = card;
    const body = {
      transaction_id: link.reference,
      card_number,
      card_expiry_month,
      card_expiry_year,
      card_cvv,
      ...payer,
    };
    return await fixture.request('/fiat/v1/transaction/submit', { body, token: link.clientToken });
  };
  const problemsOf = (body: { errors: { pointer: string; code: string }[] }) =>
    body.errors.map(({ pointer, code }) => `${pointer} ${code}`);

  test('is returned, and is in no page', async () => {
    const link = await createLink(fixture, { payer: ada });
    assert.deepEqual((await detailOf(fixture, link.reference)).payer, ada);
    const page = await fixture.request(link.path, { token: null });
    for (const value of [email, phone, address, 'Lovelace']) assert.ok(!page.text.includes(value), value);
    assert.equal((await detailOf(fixture, (await createLink(fixture)).reference)).payer, undefined);
  });

  test('is shown as entered with the card, or else as supplied by the merchant', async () => {
    const { reference, path, clientToken } = await createLink(fixture, { payer: ada });
    const listed = async () =>
      (await fixture.request(`/fiat/v1/transactions?search=${reference}`)).body.transactions[0];
    assert.deepEqual((await listed()).payer, { name: 'Ada Lovelace', email });
    assert.equal((await submitOnPage({ reference, clientToken }, { first_name: 'Byron' })).status, 200, path);
    const entered = { name: 'Byron Lovelace', email };
    assert.deepEqual((await listed()).payer, entered);
    const [attempt] = (await detailOf(fixture, reference)).attempts;
    assert.deepEqual(attempt?.payer, entered);
  });

  test('is masked in lists and absent from details without the scope `approval:write`, and absent from webhooks', async () => {
    const { reference, clientToken } = await createLink(fixture, { payer: ada });
    await submitOnPage({ reference, clientToken }, {});
    const { body } = await fixture.request('/v1/tokens', {
      ...{ token: fixture.merchant.managerToken, body: { name: 'Reports', scopes: ['transaction:read'] } },
    });
    const token = String(body.access_token);
    const shown = await fixture.request(`/fiat/v1/transaction?transaction_id=${reference}`, { token });
    assert.deepEqual([shown.status, 'payer' in shown.body, shown.body.attempts.length], [200, false, 1]);
    assert.doesNotMatch(shown.text, /Lovelace/);
    const unpaid = await createLink(fixture, { payer: ada });
    const list = await fixture.request(`/fiat/v1/transactions?search=${unpaid.reference}`, { token });
    assert.deepEqual(list.body.transactions[0].payer, { name: 'A••• L•••', email: 'a•••@example.com' });
    const events = await fixture.request('/v1/events');
    assert.match(events.text, new RegExp(reference));
    assert.doesNotMatch(events.text, /Lovelace/);
  });

  test('is validated on creation', async () => {
    const refused: [payer: unknown, problem: string][] = [
      [{ ...ada, email: 'ada@' }, '/payer/email invalid_email'],
      [{ ...ada, phone: 'call me' }, '/payer/phone invalid_phone'],
      [{ ...ada, country: 'GBR' }, '/payer/country unknown_country'],
      [{ ...ada, postcode: '12345' }, '/payer/postcode invalid_postcode'],
      [{ postcode }, '/payer/country required'],
      [{ name: 'Ada' }, '/payer/name unknown_field'],
      [{ city: '' }, '/payer/city required'],
    ];
    for (const [payer, problem] of refused) {
      const { status, body } = await fixture.request('/fiat/v1/transaction', { body: creation({ payer }) });
      assert.deepEqual([status, problemsOf(body)], [422, [problem]]);
    }
  });

  test('has any email address of the Internet', async () => {
    for (const email of ['ivan@xn--80a1acny.xn--p1ai', 'a&b@x.com', "o'neil+shop@mail.example"])
      await createLink(fixture, { payer: { email } });
  });

  test('is asked only for unknown details, and all reach the acquirer', async () => {
    needing();
    assert.deepEqual(await asks((await createLink(fixture)).path), short);
    const link = await createLink(fixture, { payer: { first_name, last_name, address, city } });
    assert.deepEqual(await asks(link.path), ['country', 'postcode', 'email']);
    const { body } = await submitOnPage(link, { country, postcode: 'sw1y4jh', email });
    assert.equal(body.response_type, 'confirmed');
    assert.deepEqual(charges[0]?.payer, {
      ...{ firstName: 'Ada', lastName: 'Lovelace', address, city, country, email },
      ...{ postcode: 'sw1y4jh', state: '', phone: '', ipAddress: '127.0.0.1' },
    });
  });

  test('may change the merchant’s details on the page', async () => {
    needing();
    const link = await createLink(fixture, { payer: ada });
    assert.deepEqual(await asks(link.path), []);
    assert.equal((await submitOnPage(link, { first_name: 'Byron' })).body.response_type, 'confirmed');
    assert.equal(charges[0]?.payer.firstName, 'Byron');
  });

  test('must enter the requested details that the country has', async () => {
    needing();
    const link = await createLink(fixture);
    const payer = { first_name, last_name, email };
    const pointers = async (entered: Record<string, string>) => problemsOf((await submitOnPage(link, entered)).body);
    assert.deepEqual(await pointers({}), [
      ...['/first_name required', '/last_name required', '/country required', '/email required'],
    ]);
    assert.deepEqual(await pointers({ ...payer, country: 'DK' }), ['/postcode required']);
    assert.deepEqual(await pointers({ ...payer, country: 'DK', postcode: 'SW1Y 4JH' }), ['/postcode invalid_postcode']);
    assert.deepEqual(await pointers({ ...payer, country: 'US', postcode: '6270' }), ['/postcode invalid_postcode']);
    assert.equal(charges.length, 0);
    assert.equal((await submitOnPage(link, { ...payer, country: 'AE' })).body.response_type, 'confirmed');
  });

  test('needs state and postcode in the merchant’s own submission only where the country has them', async () => {
    const submit = async (change: Record<string, unknown>) => {
      const { reference } = await createLink(fixture);
      const body = Object.fromEntries(
        Object.entries(submission(reference, cards.visa, change)).filter(([, value]) => value !== undefined),
      );
      const { body: response } = await fixture.request('/fiat/v1/transaction/submit', { body });
      return response.response_type ?? problemsOf(response);
    };
    assert.equal(await submit({ country: 'DK', state: undefined }), 'confirmed');
    assert.equal(await submit({ country: 'HK', postcode: undefined }), 'confirmed');
    assert.deepEqual(await submit({ country: 'US', state: undefined }), ['/state required']);
    assert.deepEqual(await submit({ country: 'GB', postcode: undefined, city: undefined }), [
      ...['/city required', '/postcode required'],
    ]);
    assert.deepEqual(await submit({ phone: undefined }), ['/phone required']);
  });

  test('enters an address and a phone number where the merchant or the acquirer needs them', async () => {
    const { path } = await createLink(fixture);
    const address = ['first_name', 'last_name', 'country', 'address', 'city', 'state', 'postcode'];
    needing('phone');
    assert.deepEqual(await asks(path), ['first_name', 'last_name', 'country', 'postcode', 'phone', 'email']);
    restore();
    needing('address');
    assert.deepEqual(await asks(path), [...address, 'email']);
    restore();
    const set = async (value: string | null) =>
      await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: { key: 'card-form-fields', value } });
    assert.equal((await set('address_and_phone')).status, 200);
    assert.deepEqual(await asks(path), [...address, 'phone', 'email']);
    const link = await createLink(fixture);
    const { body } = await submitOnPage(link, { first_name, last_name, email, country: 'SG', postcode: '546080' });
    assert.deepEqual(problemsOf(body), ['/address required', '/phone required']);
    assert.equal((await set(null)).status, 200);
  });

  test('is asked for the details of a push payment before it starts', async () => {
    needing('name', 'email', 'phone', 'handle');
    const thai = { payment_method: 'qr_code', country: 'THA', currency: 'THB', amount: 300 };
    const link = await createLink(fixture, { ...thai, payer: { email } });
    assert.deepEqual(await asks(link.path, 'qr_code'), ['first_name', 'last_name', 'phone', 'handle']);
    const start = async (entered: Record<string, string>) => {
      const body = { payment_method: 'qr_code', ...entered };
      return await fixture.request(`${link.path}/method`, { body, token: link.clientToken });
    };
    const refused = await start({ first_name });
    assert.deepEqual(problemsOf(refused.body), ['/last_name required', '/phone required', '/handle required']);
    assert.equal(started.length, 0);
    const { body } = await start({ first_name, last_name, phone: '66 2 123 4567', handle: 'ada@bank' });
    assert.equal(body.started.code, 'qr_code');
    assert.deepEqual(started[0]?.payer, {
      ...{ name: 'Ada Lovelace', email, phone: '+6621234567', handle: 'ada@bank', ipAddress: '127.0.0.1' },
    });
  });

  test('has a phone number in E.164 format for the acquirer, with or without a prefix of the country code', async () => {
    needing();
    const atAcquirer = async (entered: string) => {
      charges.length = 0;
      const link = await createLink(fixture);
      const { body } = await submitOnPage(link, { first_name, last_name, country, postcode, email, phone: entered });
      assert.equal(body.response_type, 'confirmed');
      return charges[0]?.payer.phone;
    };
    for (const entered of ['+44 (20) 7946-0000', '44 20 7946 0000', '0044 20 7946 0000', '+٤٤ ٢٠ ٧٩٤٦ ٠٠٠٠'])
      assert.equal(await atAcquirer(entered), '+442079460000', entered);
    // A number without a country code is ambiguous.
    assert.equal(await atAcquirer('020 7946 0000'), '');
  });
});

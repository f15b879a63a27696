import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { allScopes, type TokenScope, tokenScopes, defaultScopes } from '../../src/shared/scopes.ts';
import type { Operation } from '../../src/api/operation.ts';
import { operations } from '../../src/api/operations.ts';
import { type UserRole, scopesOfRole } from '../../src/shared/roles.ts';
import { DAY } from '../../src/shared/time.ts';
import { preferenceKeys } from '../../src/merchants/preferences/keys.ts';
import { createToken } from '../../src/auth/tokens.ts';
import { systemRandom } from '../../src/system/random.ts';
import { ApiDocument, type Schema } from '../support/api-document.ts';
import { Attempts, callOperation, openUnlimitedFixture } from '../support/attacks.ts';
import { invoicesOf } from '../support/invoices.ts';
import { signedIn } from '../support/users.ts';
import { createLink, submitCard } from '../support/requests.ts';
import { allowedBy } from '../support/schema-values.ts';
import { bitcoinAddress, ethereumAddress } from '../support/simulated-chains.ts';
import { withdrawalsOf } from '../support/withdrawals.ts';
import type { TestMerchant, Fixture } from '../support/fixture.ts';

/** Addresses of the attacker. */
const attackers: readonly string[] = [bitcoinAddress(910), ethereumAddress(910)];
/** Random bodies for each operation and credential, in addition to the targeted ones. */
const BODIES = 4;
/** Twice the delay of a new destination. */
const LATER = 3 * DAY;

const withdrawalScope: TokenScope = 'withdrawal:write';

interface Credential {
  name: string;
  scopes: ReadonlySet<string>;
  headersFor(merchant: TestMerchant): Promise<Record<string, string>>;
}

describe('withdrawals', () => {
  let fixture: Fixture;
  let api: ApiDocument;
  before(async () => {
    fixture = await openUnlimitedFixture({ post: () => Promise.resolve({ status: 204, retryAfter: null, body: '' }) });
    await fixture.work();
    api = new ApiDocument((await fixture.request('/openapi.json', { token: null })).body);
  });
  after(async () => await fixture.close());

  const byToken = (
    name: string,
    scopes: readonly TokenScope[],
    role: 'merchant' | 'manager' = 'merchant',
  ): Credential => ({
    name,
    scopes: allScopes(scopes),
    async headersFor({ id: merchantId }) {
      const token = await fixture.service().database.inTransaction(
        async (unit) =>
          await createToken(unit, {
            ...{ environment: 'sandbox', random: systemRandom, clock: fixture.clock },
            ...{ merchantId, role, scopes },
          }),
      );
      return { authorization: `Bearer ${token}` };
    },
  });
  const byRole = (role: UserRole): Credential => ({
    name: role,
    scopes: allScopes(scopesOfRole[role]),
    async headersFor({ id: merchant }) {
      const { cookie } = await signedIn(fixture, role, { merchant });
      return { cookie: cookie ?? '', 'sec-fetch-site': 'same-origin' };
    },
  });
  const without = tokenScopes.filter((scope) => !allScopes([scope]).has(withdrawalScope));
  const credentials: readonly Credential[] = [
    byRole('viewer'),
    byRole('operator'),
    byToken('usual scopes', defaultScopes),
    byToken(`every scope but ${withdrawalScope}`, without),
    byToken(`a manager's, every scope but ${withdrawalScope}`, without, 'manager'),
    ...without.map((scope) => byToken(`only ${scope}`, [scope])),
  ];

  /** One object of each kind, for the attacker to reference. */
  const bait = async (merchant: TestMerchant) => {
    const { create, pay, mine } = withdrawalsOf(() => fixture);
    const invoices = [];
    for (const amount of [undefined, 1000n, 300_000n]) {
      const invoice = await create({}, merchant);
      await pay(invoice, amount);
      invoices.push(invoice);
    }
    const ether = await create({ code: 'eth', amount: '1000000000000000000' }, merchant);
    await pay(ether);
    await mine(2);
    await mine(20, 'ethereum');
    return [...invoices, ether];
  };
  /** An invoice that awaits review. */
  const waiting = async (merchant: TestMerchant) => {
    const { create, pay } = invoicesOf(() => fixture);
    const invoice = await create({}, merchant);
    await pay(invoice, 1000n);
    await fixture.work();
    return invoice.id;
  };

  /** Sent and planned withdrawals to an address of the attacker. */
  const gone = async () => {
    const query = db(fixture.service().database);
    const planned = await query
      .selectFrom('withdrawals')
      .select(['destination', 'purpose', 'status', 'requested_by'])
      .where('destination', 'in', attackers)
      .execute();
    const sent = await query
      .selectFrom('simulated_outputs')
      .select(['address', 'amount'])
      .where('address', 'in', attackers)
      .execute();
    return [...planned, ...sent].map((row) => JSON.stringify(row));
  };

  const schemaOf = ({ id }: Operation): Schema | undefined =>
    api.operations.find(({ operationId }) => operationId === id)?.requestBody?.content['application/json']?.schema;

  const takesId = (described: Operation) =>
    Object.keys(api.resolve(schemaOf(described) ?? {})['properties'] ?? {}).includes('id');

  /** Targeted bodies: preferences one by one, and everything else at random. */
  const bodiesFor = (described: Operation, likely: Record<string, readonly unknown[]>, seed: number): unknown[] => {
    const schema = schemaOf(described);
    if (!schema) return [];
    const names = Object.keys(api.resolve(schema)['properties'] ?? {});
    const settings = [...preferenceKeys].flatMap(([key, { type }]): { key: string; value: unknown }[] => {
      if (type === 'boolean') return [{ key, value: true }];
      return type === 'address' ? attackers.map((value) => ({ key, value })) : [];
    });
    const aimed = names.includes('key') ? settings : names.includes('preferences') ? [{ preferences: settings }] : [];
    const full = Object.fromEntries(
      Object.entries(likely).flatMap(([name, [first]]) => (names.includes(name) ? [[name, first]] : [])),
    );
    const random = fc.sample(allowedBy(api, schema, likely), { numRuns: BODIES, seed });
    return [...aimed, full, ...random.map((body) => ({ ...(body as object), ...pick(full, 'id') })), ...random];
  };

  test(`never go to the attacker's address without ${withdrawalScope}`, async (context) => {
    const attempts = new Attempts(
      `every operation × every credential without ${withdrawalScope}, to send funds to an address`,
    );
    // One merchant for all credentials: changes by one may help the next, and none may succeed.
    const merchant = await fixture.makeMerchant('Kettle & Daughters');
    const invoices = await bait(merchant);
    const { reference } = await createLink(fixture, {}, merchant.token);
    await submitCard(fixture, reference, undefined, merchant.token);
    let made = 0;
    for (const [seed, credential] of credentials.entries()) {
      const headers = await credential.headersFor(merchant);
      for (const described of operations) {
        if (described.method === 'GET') continue;
        const isHeld = credential.scopes.has(described.scope);
        const likely = {
          id: [isHeld && takesId(described) ? await waiting(merchant) : 'none', ...invoices.map(({ id }) => id)],
          walletAddress: invoices.map(({ walletAddress }) => walletAddress),
          code: ['btc', 'eth'],
          source: ['credited', 'rejected', 'unattributed'],
          ...Object.fromEntries(['destination', 'refundAddress', 'address', 'value'].map((name) => [name, attackers])),
          key: [...preferenceKeys.keys()],
          transaction_id: [reference],
          reason: ['A friend of the house'],
        };
        const bodies = bodiesFor(described, likely, seed);
        // Missing scopes are rejected regardless of the body, so one body is enough.
        for (const body of isHeld ? bodies : bodies.slice(0, 1)) {
          const response = await callOperation(fixture, described, { body }, { token: null, headers });
          made += 1;
          assert.ok(response.status < 500, `${described.id} ${JSON.stringify(body)}: ${response.text}`);
        }
      }
    }
    const { mine } = invoicesOf(() => fixture);
    await fixture.work();
    await mine(3);
    await fixture.advance(LATER);
    // Later deposits are not withdrawn either.
    await fixture.request('/v1/merchant/preferences', {
      ...{ method: 'PATCH', token: merchant.managerToken, body: { key: 'default-invoice-type', value: null } },
    });
    await bait(merchant);
    await fixture.advance(LATER);
    await mine(3);
    attempts.addUnchanged(made, await gone(), [], 'funds left');
    attempts.report(context);
  });

  test(`reach their address with ${withdrawalScope}, so that the search above would find them`, async () => {
    const { create, pay, mine, requestWithdrawal } = withdrawalsOf(() => fixture);
    const paid = await create();
    await pay(paid);
    await mine(2);
    const { status, text } = await requestWithdrawal({
      ...{ code: 'btc', walletAddress: paid.walletAddress, source: 'credited', destination: attackers[0] },
    });
    assert.equal(status, 200, text);
    await mine(3);
    assert.ok((await gone()).length >= 2);
  });
});

function pick(object: Record<string, unknown>, name: string): Record<string, unknown> {
  return name in object ? { [name]: object[name] } : {};
}

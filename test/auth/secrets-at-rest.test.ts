import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { createService, type Service } from '../../src/app.ts';
import { HOUR, toMillis } from '../../src/shared/time.ts';
import { createMerchant } from '../../src/merchants/merchants.ts';
import { findEndpoint } from '../../src/webhooks/endpoint.ts';
import { loadPages } from '../../src/startup/pages.ts';
import { createUser, updateUser } from '../../src/auth/users.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/system/log.ts';
import { packageRoot } from '../../src/system/root.ts';
import { SimulatedClock } from '../support/clock.ts';
import { createMigratedDatabase, type TestDatabase } from '../support/databases.ts';
import { dumpRows } from '../support/rows.ts';

const pages = loadPages(join(packageRoot(), 'dist', 'pages'));
const silent = () => createLog('silent', new Writable({ write: (_chunk, _encoding, done) => done() }));
const clock = new SimulatedClock();

describe('webhook secrets and authenticator secrets at rest', () => {
  let database: TestDatabase;
  const [first, second] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  /** The merchant's secrets, newest first, and the user's authenticator secret. */
  let secrets: string[];
  let merchantId: number;
  let userId: number;
  let authenticator: TOTP;

  /** Runs a service with sealing keys on the database. */
  async function withKeys(keys: readonly string[], act: (service: Service) => Promise<void> = async () => {}) {
    const config = readConfig({
      ...{ DATABASE_URL: database.url, DEMO_SHOP: 'off', PAYLATCH_SECRET_KEY: 'ab'.repeat(32) },
      ...(keys.length > 0 && { SEALING_KEY: keys.join(',') }),
    });
    const service = await createService({ config, log: silent(), pages, clock });
    try {
      await act(service);
    } finally {
      await service.close();
    }
  }

  /** All rows of webhook endpoints and users, as text. */
  async function storedText(service: Service): Promise<string> {
    const { webhook_endpoints: endpoints, people } = await dumpRows(service.database);
    return JSON.stringify([endpoints, people]);
  }

  async function assertUsable({ database: open, webhookSecrets, auth }: Service): Promise<void> {
    assert.deepEqual(await webhookSecrets.readValid(open, merchantId, clock.now()), secrets);
    const { second_factor: kept } = await db(open)
      .selectFrom('people')
      .select('second_factor')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    assert.ok(kept);
    const code = authenticator.generate({ timestamp: toMillis(clock.now()) });
    assert.notEqual(auth.secondFactors.timeStepOf(userId, kept, code, { now: clock.now(), after: 0 }), null);
  }

  before(async () => {
    database = await createMigratedDatabase();
    await withKeys([], async ({ database: open, webhookSecrets, auth }) => {
      await open.inTransaction(async (unit) => {
        const now = clock.now();
        const { id, callbackSecret } = await createMerchant(unit, { name: 'Kettle', clock, webhookSecrets });
        merchantId = id;
        secrets = [await webhookSecrets.rotate(unit, id, now + HOUR), callbackSecret];
        userId = await createUser(unit, { email: 'ada@shop.example', name: 'Ada', now });
        const { sealed, secret } = auth.secondFactors.create(userId, 'ada@shop.example');
        authenticator = new TOTP({ secret: Secret.fromBase32(secret) });
        await updateUser(unit, userId, { secondFactor: sealed }, now);
      });
    });
  });
  after(async () => await database.drop());

  test('webhook secrets are plain without a sealing key, and authenticator secrets never are', async () => {
    await withKeys([], async (service) => {
      await assertUsable(service);
      const text = await storedText(service);
      assert.ok(text.includes(secrets[0] ?? ''));
      assert.ok(!text.includes(authenticator.secret.base32));
    });
  });

  test('the first start with a sealing key seals existing secrets', async () => {
    await withKeys([first], async (service) => {
      await assertUsable(service);
      const text = await storedText(service);
      assert.doesNotMatch(text, /whsec_/);
      assert.equal(text.match(/sealed1\./g)?.length, 3);
    });
  });

  test('new merchants and rotated secrets are stored sealed', async () => {
    await withKeys([first], async (service) => {
      const { database: open, webhookSecrets } = service;
      await open.inTransaction(async (unit) => {
        await createMerchant(unit, { name: 'Saucer', clock, webhookSecrets });
        const rotated = await webhookSecrets.rotate(unit, merchantId, clock.now() + HOUR);
        secrets = [rotated, secrets[0] ?? ''];
      });
      assert.doesNotMatch(await storedText(service), /whsec_/);
      await assertUsable(service);
    });
  });

  test('a new key is used after a restart, and the old one can then be removed', async () => {
    await withKeys([second, first], assertUsable);
    await withKeys([second], assertUsable);
  });

  test('a start without the sealing key fails with the key’s id and changes nothing', async () => {
    let before = '';
    await withKeys([second], async (service) => {
      before = await storedText(service);
    });
    for (const keys of [[], [first]])
      await assert.rejects(withKeys(keys), { name: 'OperatorError', message: /is sealed with key [0-9a-f]{8}, which/ });
    await withKeys([second], async (service) => assert.equal(await storedText(service), before));
  });

  test('a sealed secret moved to another merchant does not open', async () => {
    await withKeys([second], async ({ database: open, webhookSecrets }) => {
      const endpoint = await findEndpoint(open, merchantId);
      assert.ok(endpoint);
      const moved = { ...endpoint, merchant_id: merchantId + 1 };
      assert.throws(() => webhookSecrets.validAt(moved, clock.now()), /was modified/);
    });
  });
});

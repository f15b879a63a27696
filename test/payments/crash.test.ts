import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type WebhookBody, webhookBodies } from '../../src/api/webhook-events.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { moveDueTimesBack, assertPayments, assertDelivered } from '../support/payment-checks.ts';
import { runCommandInProcess } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { countRowsForProof, killBudget } from '../support/proof.ts';
import { seededRandom } from '../../src/cli/webhook-chaos.ts';
import { type Program, type Settings, startProgram, until } from '../support/program.ts';
import { freePort } from '../support/ports.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';
import { cards, creation, submission } from '../support/requests.ts';
import type { FixtureResponse } from '../support/fixture.ts';

/** `npm run prove` kills at many more moments. */
const KILLS = 5;
const WORKERS = 6;
const cardCycle = [
  cards.visa,
  cards.challenge,
  cards.declined,
  cards.visa,
  cards.unknown,
  cards.frictionless,
  cards.challenge,
  cards.mastercard,
] as const;

type Reply = Pick<FixtureResponse, 'status' | 'body'>;

/** Facts that the program has confirmed in responses: they must stay true. */
interface Promises {
  created: Map<string, { body: object; link: string }>;
  /** Creations without a response: they exist at most once. */
  unanswered: Map<string, object>;
  confirmed: Set<string>;
  declined: Set<string>;
  approvedAtIssuer: Set<string>;
  challenged: Set<string>;
  statuses: Map<number, number>;
}

describe('a process killed at a random moment', () => {
  const { seed, countKill } = killBudget(KILLS);
  const random = seededRandom(seed);
  const promises: Promises = {
    created: new Map(),
    unanswered: new Map(),
    confirmed: new Set(),
    declined: new Set(),
    approvedAtIssuer: new Set(),
    challenged: new Set(),
    statuses: new Map(),
  };
  const accepted: WebhookBody<'fiat.transaction.updated'>[] = [];
  /** Webhooks that an added endpoint accepted. */
  const acceptedAlso: WebhookBody<'fiat.transaction.updated'>[] = [];
  /** The `webhook-id`s of each event. */
  const idsOfEvents = new Map<string, Set<string>>();
  const unverified: string[] = [];
  let store: TestDatabase;
  let database: Database;
  let endpoint: TestEndpoint;
  let addedEndpoint: TestEndpoint;
  let settings: Settings;
  let token: string;
  let program: Program;
  let kills = 0;
  /** True once the program is no longer killed. */
  let isQuiet = false;
  let counter = 0;

  before(async () => {
    store = await createTestDatabase();
    endpoint = await openEndpoint();
    const port = await freePort();
    settings = {
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: store.url,
      DEMO_SHOP: 'off',
      LOG_LEVEL: 'info',
    };
    const merchant = await runCommandInProcess(['merchant', 'create', '--name', 'Kettle & Co'], settings);
    const id = String(merchant.merchant_id);
    const method = ['--method', 'credit_card', '--currency', 'USD', '--fee-percent', '2.9', '--fee-fix', '0.30'];
    await runCommandInProcess(['merchant', 'method', '--merchant', id, ...method], settings);
    token = String((await runCommandInProcess(['token', 'create', '--merchant', id], settings)).access_token);
    addedEndpoint = await openEndpoint();
    const filter = ['--url', addedEndpoint.url, '--type', 'fiat.transaction.updated'];
    const added = await runCommandInProcess(['webhooks', 'endpoint', 'add', '--merchant', id, ...filter], settings);
    const receive = (secret: unknown, list: typeof accepted): TestEndpoint['respond'] => {
      const webhook = new Webhook(String(secret));
      return ({ body, headers }) => {
        try {
          webhook.verify(body, headers);
        } catch {
          unverified.push(body);
        }
        // A notice of the changed endpoints.
        if (JSON.parse(body).type.startsWith('callback.')) return 204;
        // Endpoints fail at random while the program is killed.
        if (!isQuiet && random() < 0.2) return 503;
        const event = webhookBodies['fiat.transaction.updated'].parse(JSON.parse(body));
        const name = `${event.data.transaction_id} ${event.data.sequence}`;
        idsOfEvents.set(name, (idsOfEvents.get(name) ?? new Set()).add(headers['webhook-id'] ?? ''));
        list.push(event);
        return 204;
      };
    };
    endpoint.respond = receive(merchant.callback_secret, accepted);
    addedEndpoint.respond = receive(added.secret, acceptedAlso);
    database = openDatabase(store.url, () => undefined);
    program = await startProgram(settings);
    const set = await call('/v1/merchant/preferences', {
      method: 'PATCH',
      body: { key: 'callback-url', value: endpoint.url },
    });
    assert.equal(set?.status, 200);
  });

  after(async () => {
    await program.kill();
    await endpoint.close();
    await addedEndpoint.close();
    await database.close();
    await store.drop();
  });

  /** Returns the response; null when the process died first. */
  async function call(
    path: string,
    { method = 'POST', body }: { method?: string; body?: object } = {},
  ): Promise<Reply | null> {
    try {
      const response = await fetch(settings.PUBLIC_URL + path, {
        method,
        redirect: 'manual',
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      promises.statuses.set(response.status, (promises.statuses.get(response.status) ?? 0) + 1);
      return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : null };
    } catch {
      return null;
    }
  }

  async function decide(issuerUrl: string): Promise<number | null> {
    try {
      const response = await fetch(issuerUrl, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ decision: 'approve' }),
      });
      await response.body?.cancel();
      return response.status;
    } catch {
      return null;
    }
  }

  async function create(body: ReturnType<typeof creation>): Promise<boolean> {
    promises.unanswered.set(body.transaction_id, body);
    const reply = await call('/fiat/v1/transaction', { body });
    if (!reply) return false;
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    const link = String(reply.body.value.link);
    const existing = promises.created.get(body.transaction_id);
    if (existing) assert.equal(link, existing.link, 'a repeated creation returns the same link');
    promises.unanswered.delete(body.transaction_id);
    promises.created.set(body.transaction_id, { body, link });
    return true;
  }

  async function submit(reference: string, card: string): Promise<boolean> {
    const reply = await call('/fiat/v1/transaction/submit', { body: submission(reference, card) });
    if (!reply) return false;
    const { response_type: type, redirect_url: issuerUrl } = reply.body;
    if (type === 'confirmed') promises.confirmed.add(reference);
    if (type === 'declined') promises.declined.add(reference);
    if (type !== '3ds_redirect') return true;
    promises.challenged.add(reference);
    if (random() < 0.5) return true;
    const status = await decide(issuerUrl);
    if (status === 303) promises.approvedAtIssuer.add(reference);
    return status !== null;
  }

  /** Creates and submits until the process dies. Some cards are submitted twice at once, like a double click. */
  async function work(onProgress: () => void): Promise<void> {
    for (;;) {
      counter += 1;
      const reference = `crash-${counter}`;
      const card = cardCycle[counter % cardCycle.length] ?? cards.visa;
      const body = creation({ transaction_id: reference, amount: (1000 + counter) / 100 });
      const clicks = random() < 0.3 ? 2 : 1;
      if (!(await create(body))) return;
      onProgress();
      const answered = await Promise.all(Array.from({ length: clicks }, () => submit(reference, card)));
      onProgress();
      if (answered.includes(false)) return;
      if (promises.declined.has(reference) && !(await submit(reference, cards.visa))) return;
      onProgress();
    }
  }

  async function workAndKill(): Promise<void> {
    let steps = Math.floor(random() * 90);
    const killed: Promise<void>[] = [];
    const onProgress = () => {
      if (steps > 0) steps -= 1;
      else if (killed.length === 0) killed.push(program.kill());
    };
    const repeated = [
      ...promises.unanswered.values(),
      ...[...promises.created.values()].slice(-3).map(({ body }) => body),
    ];
    const again = repeated.map(async (body) => await create(body as ReturnType<typeof creation>));
    await Promise.all([...again, ...Array.from({ length: WORKERS }, async () => await work(onProgress))]);
    await Promise.all(killed);
    kills += 1;
    isQuiet = !countKill();
  }

  test('loses nothing, charges no card twice, and completes interrupted payments', async (context) => {
    context.diagnostic(`SEED=${seed} repeats these moments`);
    try {
      while (!isQuiet) {
        await workAndKill();
        await assertPayments(database, promises);
        if (isQuiet) await moveDueTimesBack(database);
        program = await startProgram(settings);
      }

      // Buyers return to their links and complete their challenges, on pages opened before the crash.
      await until('every payment has an outcome', async () => {
        const open = await db(database)
          .selectFrom('card_attempts as attempt')
          .innerJoin('fiat_transactions as transaction', 'transaction.id', 'attempt.fiat_transaction_id')
          .select(['transaction.link_id', 'attempt.state'])
          .where('attempt.state', 'in', ['submitting', 'challenge', 'unknown'])
          .execute();
        for (const { link_id } of open.filter(({ state }) => state === 'challenge')) {
          const page = await call(`/p/${link_id}/state`, { method: 'GET' });
          if (page?.body.phase !== 'challenge') continue;
          assert.equal(await decide(page.body.challengeUrl), 303);
          const back = await call(`/p/${link_id}/state`, { method: 'GET' });
          assert.equal(back?.body.phase, 'paid');
        }
        return open.length === 0;
      });
      await until('every webhook is delivered', async () => {
        const rows = await db(database).selectFrom('callbacks').select('id').where('state', '=', 'pending').execute();
        return rows.length === 0;
      });
      await assertPayments(database, promises);

      for (const reference of promises.challenged) {
        const detail = await call(`/fiat/v1/transaction?transaction_id=${reference}`, { method: 'GET' });
        assert.equal(detail?.body.status, 'transaction_status_confirmed', `${reference} was confirmed at its issuer`);
      }
      assert.deepEqual(unverified, []);
      for (const list of [accepted, acceptedAlso]) await assertDelivered(database, list);
      for (const [event, ids] of idsOfEvents) assert.equal(ids.size, 1, `ids of ${event}`);
      context.diagnostic(`${promises.created.size} transactions, ${accepted.length} webhooks, ${kills} kills`);
      assert.deepEqual(
        [...promises.statuses.keys()].filter((status) => status >= 500),
        [],
        'no response was a server error',
      );
      await countRowsForProof(database);
      assert.ok(
        kills < KILLS || (promises.confirmed.size > 10 && promises.declined.size > 0 && promises.challenged.size > 0),
        'payments of every kind were made',
      );
    } catch (error) {
      throw new Error(
        `With SEED=${seed}, after ${kills} kills: ${error instanceof Error ? error.message : String(error)}`,
        {
          cause: error,
        },
      );
    }
  });
});

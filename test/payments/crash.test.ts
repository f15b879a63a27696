import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { type WebhookBody, webhookBodies } from '../../src/api/webhook-events.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { anHourPasses, assertBooks, assertDelivered } from '../support/books.ts';
import { runCommandHere } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { countRowsForProof, killBudget } from '../support/proof.ts';
import { type Program, seededRandom, type Settings, startProgram, until } from '../support/program.ts';
import { freePort } from '../support/ports.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { cards, creation, submission } from '../support/requests.ts';
import type { Answer } from '../support/world.ts';

const KILLS = 8;
const WORKERS = 6;
const cardsInTurn = [
  cards.visa,
  cards.challenge,
  cards.declined,
  cards.visa,
  cards.unknown,
  cards.frictionless,
  cards.challenge,
  cards.mastercard,
] as const;

type Reply = Pick<Answer, 'status' | 'body'>;

/** What the program has promised: it answered, so it must be true ever after. */
interface Promises {
  created: Map<string, { body: object; link: string }>;
  /** Creations that were sent and not answered; they may be there or not, but never twice. */
  unanswered: Map<string, object>;
  confirmed: Set<string>;
  declined: Set<string>;
  approvedAtIssuer: Set<string>;
  challenged: Set<string>;
  statuses: Map<number, number>;
}

describe('a process that is killed at any moment', () => {
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
  const unverified: string[] = [];
  let store: TestDatabase;
  let books: Database;
  let receiver: Receiver;
  let settings: Settings;
  let token: string;
  let program: Program;
  let kills = 0;
  /** Whether the program lives from now on. */
  let isQuiet = false;
  let counter = 0;

  before(async () => {
    store = await createTestDatabase();
    receiver = await openReceiver();
    const port = await freePort();
    settings = {
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: store.url,
      DEMO_SHOP: 'off',
      LOG_LEVEL: 'info',
    };
    const merchant = await runCommandHere(['merchant', 'create', '--name', 'Kettle & Co'], settings);
    const id = String(merchant.merchant_id);
    const method = ['--method', 'credit_card', '--currency', 'USD', '--fee-percent', '2.9', '--fee-fix', '0.30'];
    await runCommandHere(['merchant', 'method', '--merchant', id, ...method], settings);
    token = String((await runCommandHere(['token', 'create', '--merchant', id], settings)).access_token);
    const webhook = new Webhook(String(merchant.callback_secret));
    receiver.answer = ({ body, headers }) => {
      try {
        webhook.verify(body, headers);
      } catch {
        unverified.push(body);
      }
      // A shop that fails now and then, as long as the program does.
      if (!isQuiet && random() < 0.2) return 503;
      accepted.push(webhookBodies['fiat.transaction.updated'].parse(JSON.parse(body)));
      return 204;
    };
    books = openDatabase(store.url, () => undefined);
    program = await startProgram(settings);
    const set = await call('/v1/merchant/preferences', {
      method: 'PATCH',
      body: { key: 'callback-url', value: receiver.url },
    });
    assert.equal(set?.status, 200);
  });

  after(async () => {
    await program.kill();
    await receiver.close();
    await books.close();
    await store.drop();
  });

  /** The answer, or null when the process died before it gave one. */
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
    const known = promises.created.get(body.transaction_id);
    if (known) assert.equal(link, known.link, 'the same creation again has the same link');
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

  /** Creates and submits until the process is dead; some cards twice at once, as a double click does. */
  async function work(onProgress: () => void): Promise<void> {
    for (;;) {
      counter += 1;
      const reference = `crash-${counter}`;
      const card = cardsInTurn[counter % cardsInTurn.length] ?? cards.visa;
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

  test('loses nothing, charges nobody twice, and finishes what was begun', async (context) => {
    context.diagnostic(`SEED=${seed} repeats these moments`);
    try {
      while (!isQuiet) {
        await workAndKill();
        await assertBooks(books, promises);
        if (isQuiet) await anHourPasses(books);
        program = await startProgram(settings);
      }

      // Buyers come back to their links and confirm with their banks, in pages that were opened before the crash.
      await until('every payment is decided', async () => {
        const open = await db(books)
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
      await until('every callback is delivered', async () => {
        const rows = await db(books).selectFrom('callbacks').select('id').where('state', '=', 'pending').execute();
        return rows.length === 0;
      });
      await assertBooks(books, promises);

      for (const reference of promises.challenged) {
        const detail = await call(`/fiat/v1/transaction?transaction_id=${reference}`, { method: 'GET' });
        assert.equal(detail?.body.status, 'transaction_status_confirmed', `${reference} was confirmed at its issuer`);
      }
      assert.deepEqual(unverified, []);
      await assertDelivered(books, accepted);
      context.diagnostic(`${promises.created.size} transactions, ${accepted.length} callbacks, ${kills} kills`);
      assert.deepEqual(
        [...promises.statuses.keys()].filter((status) => status >= 500),
        [],
        'no answer was a failure',
      );
      await countRowsForProof(books);
      assert.ok(
        kills < KILLS || (promises.confirmed.size > 10 && promises.declined.size > 0 && promises.challenged.size > 0),
        'there was work',
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

// Databases: postgres
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import http from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { startPostgres } from '../../scripts/postgres.mjs';
import { type WebhookBody, webhookBodies } from '../../src/api/webhook-events.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { moveDueTimesBack, assertPayments, assertDelivered } from '../support/payment-checks.ts';
import { testEngine } from '../support/databases.ts';
import { freePort } from '../support/ports.ts';
import { runCommandInProcess } from '../support/command-line.ts';
import { seededRandom } from '../../src/cli/webhook-chaos.ts';
import { type Program, type Settings, startProgram, until } from '../support/program.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';
import { cards, creation, submission } from '../support/requests.ts';

const { CLUSTER_KILLS, CLUSTER_SEED } = process.env;
const KILLS = Number(CLUSTER_KILLS ?? 4);
/** Payments that the processes acknowledge between two kills. */
const PAYMENTS_PER_KILL = 15;
const PROCESSES = 3;
const WORKERS = 4;
/** Database connections of each process. */
const CONNECTIONS = 3;

interface Reply {
  status: number;
  body: { code?: string; response_type?: string; redirect_url?: string; value?: { link: string } } | null;
}

/** Several processes need a shared database. */
if (testEngine === 'postgres') {
  describe('three processes on one PostgreSQL', () => {
    // The same in every test run.
    const seed = Number(CLUSTER_SEED ?? (CLUSTER_KILLS ? randomInt(2 ** 31) : 1));
    const random = seededRandom(seed);
    const reported = {
      created: new Map<string, { link: string }>(),
      confirmed: new Set<string>(),
      approvedAtIssuer: new Set<string>(),
    };
    const accepted: WebhookBody<'fiat.transaction.updated'>[] = [];
    const failures = new Map<string, number>();
    let server: Awaited<ReturnType<typeof startPostgres>>;
    let receiver: TestEndpoint;
    let database: Database;
    let token: string;
    let places: { settings: Settings; program: Program | null }[];
    let counter = 0;
    /** True once all requests have ended. */
    let isGivenUp = false;

    before(async () => {
      server = await startPostgres();
      receiver = await openEndpoint();
      receiver.respond = ({ body }) => {
        accepted.push(webhookBodies['fiat.transaction.updated'].parse(JSON.parse(body)));
        return 204;
      };
      const ports = new Set<number>();
      while (ports.size < PROCESSES) ports.add(await freePort());
      const [first] = ports;
      const settingsAt = (port: number) => ({
        PORT: String(port),
        HOST: '127.0.0.1',
        PUBLIC_URL: `http://127.0.0.1:${first}`,
        DATABASE_URL: server.url,
        DATABASE_CONNECTIONS: String(CONNECTIONS),
        DEMO_SHOP: 'off',
        LOG_LEVEL: 'error',
        LIMIT_TOKEN_PER_SECOND: '0',
        LIMIT_CARD_PER_HOUR: '0',
      });
      places = [...ports].map((port) => ({ settings: settingsAt(port), program: null }));
      const [{ settings } = assert.fail()] = places;
      const merchant = await runCommandInProcess(['merchant', 'create', '--name', 'Kettle & Co'], settings);
      const of = ['--merchant', String(merchant.merchant_id)];
      await runCommandInProcess(
        ['merchant', 'method', ...of, '--method', 'credit_card', '--currency', 'USD'],
        settings,
      );
      token = String((await runCommandInProcess(['token', 'create', ...of], settings)).access_token);
      database = openDatabase(server.url, () => undefined);
      await Promise.all(places.map(start));
      await call('PATCH', '/v1/merchant/preferences', { key: 'callback-url', value: receiver.url });
    });
    after(async () => {
      await Promise.all(places.map(async ({ program }) => await program?.kill()));
      await receiver.close();
      await database.close();
      await server.stop();
    });

    async function start(place: { settings: Settings; program: Program | null }): Promise<void> {
      place.program = await startProgram(place.settings);
    }

    /** One request to one process, on a new connection; null if the connection was refused or broke. */
    async function sendRequest(
      port: string,
      method: string,
      path: string,
      body?: object,
      key?: string,
    ): Promise<Reply | null> {
      return await new Promise((resolve) => {
        const headers = {
          authorization: `Bearer ${token}`,
          ...(body && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
        };
        const request = http.request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
          response.on('error', () => resolve(null));
          response.on('end', () => {
            const status = response.statusCode ?? 0;
            resolve({ status, body: text.startsWith('{') ? JSON.parse(text) : null });
          });
        });
        request.on('error', () => resolve(null));
        request.end(body && JSON.stringify(body));
      });
    }

    /** Like a load balancer: any process, and another one if it does not respond. */
    async function call(method: string, path: string, body?: object, key?: string): Promise<Reply> {
      for (;;) {
        if (isGivenUp) throw new Error('Given up');
        const place = places[Math.floor(random() * PROCESSES)] ?? assert.fail();
        const reply = await sendRequest(place.settings.PORT ?? '', method, path, body, key);
        if (reply && reply.status >= 500) {
          const what = `${reply.status} ${reply.body?.code}`;
          failures.set(what, (failures.get(what) ?? 0) + 1);
        } else if (reply && reply.body?.code !== 'idempotency_key_in_use') return reply;
        // The key of a killed process is released after a while, and the payment continues.
        else if (reply) return reply;
        await pause(20);
      }
    }

    async function work(isOver: () => boolean): Promise<void> {
      while (!isOver()) {
        counter += 1;
        const body = creation({ transaction_id: `cluster-${seed}-${counter}`, amount: (1000 + counter) / 100 });
        const reference = body.transaction_id;
        const created = await call('POST', '/fiat/v1/transaction', body);
        assert.equal(created.status, 200, JSON.stringify(created.body));
        reported.created.set(reference, { link: created.body?.value?.link ?? '' });
        const plans = [cards.visa, cards.visa, cards.challenge, cards.declined] as const;
        const card = plans[counter % plans.length] ?? cards.visa;
        const submitted = await call('POST', '/fiat/v1/transaction/submit', submission(reference, card), reference);
        assert.ok([200, 409].includes(submitted.status), JSON.stringify(submitted.body));
        if (submitted.body?.response_type === 'confirmed') reported.confirmed.add(reference);
        if (submitted.body?.response_type !== '3ds_redirect') continue;
        const issuer = new URL(submitted.body.redirect_url ?? '').pathname;
        const decided = await decide(issuer);
        if (decided) reported.approvedAtIssuer.add(reference);
      }
    }

    async function decide(path: string): Promise<boolean> {
      const place = places[Math.floor(random() * PROCESSES)] ?? assert.fail();
      const response = await fetch(`http://127.0.0.1:${place.settings.PORT}${path}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { connection: 'close' },
        body: new URLSearchParams({ decision: 'approve' }),
      }).catch(() => null);
      return response?.status === 303;
    }

    /** Runs `trouble` under load, then checks that nothing was lost. */
    async function under(trouble: () => Promise<void>): Promise<void> {
      let isOver = false;
      const workers = Promise.all(Array.from({ length: WORKERS }, async () => await work(() => isOver)));
      try {
        await trouble();
      } catch (error) {
        isGivenUp = true;
        await workers.catch(() => undefined);
        throw error;
      }
      isOver = true;
      await workers;
      await moveDueTimesBack(database);
      await until('every payment is decided, but those that wait for their buyer', async () => {
        const open = await db(database)
          .selectFrom('card_attempts as attempt')
          .leftJoin('sandbox_charges as charge', 'charge.attempt_key', 'attempt.attempt_key')
          .select('attempt.id')
          .where((eb) =>
            eb.or([
              eb('attempt.state', 'in', ['submitting', 'unknown']),
              // The buyer has confirmed, and the process was killed before it stored the outcome.
              eb.and([eb('attempt.state', '=', 'challenge'), eb('charge.state', '!=', 'open')]),
            ]),
          )
          .execute();
        return open.length === 0;
      });
      await until('every callback is delivered', async () => {
        const rows = await db(database).selectFrom('callbacks').select('id').where('state', '=', 'pending').execute();
        return rows.length === 0;
      });
      await assertPayments(database, reported);
      await assertDelivered(database, accepted);
    }

    test('restarted one after the other under load, lose nothing and respond to every request', async () => {
      failures.clear();
      await under(async () => {
        for (const place of places) {
          const before = reported.created.size;
          await place.program?.end();
          await start(place);
          await until('there is work', async () => await Promise.resolve(reported.created.size > before + 10));
        }
      });
      assert.deepEqual([...failures], []);
    });

    test('use at most the configured database connections, and one that listens', async () => {
      const [{ settings } = assert.fail()] = places;
      const path = '/v1/merchant/preferences';
      const replies = await Promise.all(
        Array.from({ length: 50 }, async () => await sendRequest(settings.PORT ?? '', 'GET', path)),
      );
      assert.ok(replies.every((reply) => reply?.status === 200));
      const { rows } = await sql<{ held: number }>`
        select count(*)::int as held from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(db(database));
      const held = rows[0]?.held ?? 0;
      assert.ok(held > CONNECTIONS && held <= PROCESSES * (CONNECTIONS + 1), String(held));
    });

    test(`killed ${KILLS} times, one after the other, lose nothing and charge no card twice`, async (context) => {
      context.diagnostic(`CLUSTER_SEED=${seed}`);
      failures.clear();
      const before = reported.created.size;
      const alive = () => places.filter(({ program }) => program !== null);
      await under(async () => {
        const starting: Promise<void>[] = [];
        try {
          for (let kill = 0; kill < KILLS; kill += 1) {
            const enough = reported.created.size + PAYMENTS_PER_KILL;
            await until('there is work', () => Promise.resolve(reported.created.size >= enough && alive().length > 0));
            const victim = alive()[Math.floor(random() * alive().length)] ?? assert.fail();
            const { program } = victim;
            victim.program = null;
            await program?.kill();
            starting.push(start(victim));
          }
        } finally {
          await Promise.all(starting);
        }
      });
      context.diagnostic(
        `${KILLS} kills, ${reported.created.size - before} transactions, ${accepted.length} callbacks`,
      );
      // A starting process responds with 503.
      assert.deepEqual(
        [...failures.keys()].filter((what) => what !== '503 unavailable'),
        [],
      );
    });

    test('whose database is killed and restarted, lose nothing and report that it is unavailable', async () => {
      failures.clear();
      const before = reported.created.size;
      await under(async () => {
        await until('there is work', async () => await Promise.resolve(reported.created.size > before + 20));
        await server.crash();
        await until('they say so', async () => await Promise.resolve((failures.get('503 unavailable') ?? 0) > 10));
        const [{ settings } = assert.fail()] = places;
        assert.equal((await sendRequest(settings.PORT ?? '', 'GET', '/readyz'))?.status, 503);
        assert.equal((await sendRequest(settings.PORT ?? '', 'GET', '/healthz'))?.status, 200);
        await server.restart();
        const then = reported.created.size;
        await until('there is work again', async () => await Promise.resolve(reported.created.size > then + 20));
      });
      assert.deepEqual(
        [...failures.keys()].filter((what) => what !== '503 unavailable'),
        [],
      );
    });
  });
}

import assert from 'node:assert/strict';
import pg from 'pg';
import type { Fixture } from './fixture.ts';
import { creation, submission } from './requests.ts';

/** Counts all statements sent to PostgreSQL by this process, including BEGIN, COMMIT and NOTIFY. */
export class StatementCounter {
  statements: string[] = [];
  /** Statements that PostgreSQL parses and plans for every run. */
  unprepared: string[] = [];
  /** Statements sent while no response was pending on their connection: each begins a round trip. */
  trips: string[] = [];
  readonly #plain = pg.Client.prototype.query;

  start(): void {
    const count = (client: pg.Client, text: string, name: string | undefined) => {
      this.statements.push(text);
      if (name === undefined) this.unprepared.push(text);
      const before = unanswered.get(client) ?? 0;
      if (before === 0) this.trips.push(text);
      unanswered.set(client, before + 1);
    };
    const plain = this.#plain;
    const unanswered = new WeakMap<pg.Client, number>();
    pg.Client.prototype.query = function counted(this: pg.Client, ...requested: unknown[]) {
      const [query] = requested as [string | { text: string; name?: string }];
      const { text, name } = typeof query === 'string' ? { text: query, name: undefined } : query;
      count(this, text, name);
      const response = Reflect.apply(plain, this, requested) as unknown as Promise<unknown>;
      const answered = () => unanswered.set(this, (unanswered.get(this) ?? 1) - 1);
      response.then(answered, answered);
      return response as never;
    };
  }

  reset(): void {
    this.statements = [];
    this.unprepared = [];
    this.trips = [];
  }

  stop(): void {
    pg.Client.prototype.query = this.#plain;
  }
}

/** The round trips to submit an approved card, the sandbox acquirer's included. */
export async function roundTripsOfCard(fixture: Fixture, counter: StatementCounter): Promise<readonly string[]> {
  await fixture.service().jobs.stop();
  const request = creation();
  await fixture.request('/fiat/v1/transaction', { body: request });
  counter.reset();
  const submitted = await fixture.request('/fiat/v1/transaction/submit', { body: submission(request.transaction_id) });
  assert.equal(submitted.body.response_type, 'confirmed');
  return counter.trips;
}

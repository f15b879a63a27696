import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Operation } from '../../src/api/operation.ts';
import type { Database } from '../../src/database/database.ts';
import type { CallInput } from './operation-calls.ts';
import { dumpRows } from './rows.ts';
import {
  type FixtureResponse,
  openFixture,
  type RequestOptions,
  type Fixture,
  type FixtureOptions,
} from './fixture.ts';

/** Counts the attempts of one kind of attack, and keeps those that got through. */
export class Attempts {
  readonly #name: string;
  readonly #through: string[] = [];
  #made = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** Counts one attempt. `describe` describes the attempt if `isRefused` is false. */
  add(isRefused: boolean, describe: () => string): void {
    this.#made += 1;
    if (!isRefused) this.#through.push(describe());
  }

  /** Counts attempts that are refused together: after them `actual` must equal `expected`. */
  addUnchanged(count: number, actual: unknown, expected: unknown, name: string): void {
    this.#made += count;
    try {
      assert.deepEqual(actual, expected);
    } catch (error) {
      this.#through.push(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Fails if any attempt got through. */
  check(): void {
    assert.deepEqual(this.#through.splice(0).slice(0, 20), []);
  }

  /** Prints the count in the test report, and fails if any attempt got through. */
  report(context: TestContext): void {
    context.diagnostic(`${this.#made} attempts: ${this.#name}; ${this.#through.length} got through`);
    this.check();
    assert.ok(this.#made > 0, 'nothing was attempted');
  }
}

/** A fixture in which no rate limit hides whether an attack is refused for the right reason. */
export async function openUnlimitedFixture(options: FixtureOptions = {}): Promise<Fixture> {
  const unlimited = {
    LIMIT_TOKEN_PER_SECOND: '0',
    LIMIT_OAUTH_PER_MINUTE: '0',
    LIMIT_PAGE_PER_MINUTE: '0',
    LIMIT_SUBMIT_PER_HOUR: '0',
    LIMIT_CARD_PER_HOUR: '0',
    LIMIT_SIGN_IN_PER_HOUR: '0',
  };
  return await openFixture({ ...options, env: { ...unlimited, ...options.env } });
}

/** Sends one call of an operation. */
export async function callOperation(
  fixture: Fixture,
  { method, path }: Pick<Operation, 'method' | 'path'>,
  { query, body }: CallInput,
  options: Pick<RequestOptions, 'token' | 'headers'>,
): Promise<FixtureResponse> {
  const search = new URLSearchParams(query).toString();
  return await fixture.request(search === '' ? path : `${path}?${search}`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...options,
  });
}

/** Tables that record refused requests as well. */
const RECORDS_OF_REFUSALS: readonly string[] = ['audit_entries', 'rate_limits', 'idempotency_keys'];

/** Every stored row, except when a credential was last used and the records of refused requests. */
export async function storedState(
  database: Database,
  isWanted: (row: string, table: string) => boolean = () => true,
): Promise<string[]> {
  return Object.entries(await dumpRows(database)).flatMap(([table, rows]) =>
    RECORDS_OF_REFUSALS.includes(table)
      ? []
      : rows
          .filter((row) => isWanted(row, table))
          .map((row) => `${table} ${row.replace(/"last_used_at":(?:\d+|null|"[^"]*")/, '"last_used_at":…')}`),
  );
}

/** The rows of one merchant, as `storedState` shows them. */
export async function stateOfMerchant(database: Database, merchantId: number): Promise<string[]> {
  return await storedState(database, (row) => new RegExp(`"merchant_id":"?${merchantId}[",}]`).test(row));
}

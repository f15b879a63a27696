import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { after, before, describe, test } from 'node:test';
import { until } from '../support/program.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('an interrupted body', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  test('a client that disconnects during its body is logged as a client error', async () => {
    const { port } = new URL(fixture.url);
    const socket = net.connect(Number(port), '127.0.0.1');
    await once(socket, 'connect');
    const head = [
      'POST /fiat/v1/transaction HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${fixture.merchant.token}`,
      'Content-Type: application/json',
      'Content-Length: 100',
    ];
    const uses = async () =>
      await db(fixture.service().database)
        .selectFrom('access_tokens')
        .select('last_used_at')
        .where('last_used_at', 'is not', null)
        .execute();
    socket.write(`${head.join('\r\n')}\r\n\r\n{"amount":`);
    // The service is now reading the body.
    await until('the token is used', async () => (await uses()).length > 0);
    socket.destroy();
    const lines = () =>
      fixture
        .log()
        .split('\n')
        .filter((line) => line.includes('/fiat/v1/transaction"'))
        .map((line) => JSON.parse(line) as { level: number; status?: number });
    await until('the request has ended', async () => await Promise.resolve(lines().some(({ status }) => status)));
    assert.deepEqual(
      lines().map(({ level, status }) => [level, status]),
      [[30, 400]],
    );
  });
});

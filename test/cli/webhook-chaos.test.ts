// Databases: sqlite
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createChaos, seededRandom, type WebhookFault, webhookFaults } from '../../src/cli/webhook-chaos.ts';

/** Sends numbered messages and returns what was sent, with the fault of each delivery. */
async function sendAll(count: number, faults: readonly WebhookFault[], seed: number) {
  const sent: { message: number; fault: WebhookFault | null }[] = [];
  const dropped: number[] = [];
  const scheduled: { action: () => void; delayMs: number }[] = [];
  const send = createChaos<number>({
    faults,
    random: seededRandom(seed),
    send: (message, fault) => {
      sent.push({ message, fault });
      return Promise.resolve();
    },
    dropped: (message) => dropped.push(message),
    schedule: (action, delayMs) => scheduled.push({ action, delayMs }),
  });
  for (let message = 0; message < count; message += 1) await send(message);
  const atOnce = sent.map(({ message }) => message);
  for (const { action, delayMs } of scheduled) {
    assert.ok(delayMs >= 200 && delayMs <= 5000, String(delayMs));
    action();
  }
  return { sent, atOnce, dropped, all: sent.map(({ message }) => message) };
}

const numbers = Array.from({ length: 400 }, (_, index) => index);
const sorted = (list: readonly number[]) => list.toSorted((a, b) => a - b);

test('without faults, every webhook is sent once and in order', async () => {
  assert.deepEqual((await sendAll(400, [], 1)).all, numbers);
});

test('a seed repeats the faults, and another gives others', async () => {
  const first = await sendAll(400, webhookFaults, 7);
  assert.deepEqual(await sendAll(400, webhookFaults, 7), first);
  assert.notDeepEqual(await sendAll(400, webhookFaults, 8), first);
  for (const fault of webhookFaults)
    assert.ok(fault === 'drop' ? first.dropped.length > 20 : first.sent.some((each) => each.fault === fault), fault);
});

test('drop omits webhooks, and sends the others once and in order', async () => {
  const { all, dropped } = await sendAll(400, ['drop'], 3);
  assert.ok(dropped.length > 100);
  assert.deepEqual(
    all,
    numbers.filter((number) => !dropped.includes(number)),
  );
});

test('duplicate sends webhooks again later, and delay sends them later', async () => {
  const duplicated = await sendAll(400, ['duplicate'], 3);
  assert.deepEqual(duplicated.atOnce, numbers);
  assert.ok(duplicated.all.length > 500);
  const delayed = await sendAll(400, ['delay'], 3);
  assert.ok(delayed.atOnce.length < 300);
  assert.deepEqual(sorted(delayed.all), numbers);
});

test('reorder sends a webhook after the next one, and the last one too', async () => {
  const { all, atOnce } = await sendAll(400, ['reorder'], 3);
  assert.notDeepEqual(atOnce, numbers);
  assert.deepEqual(sorted(all), numbers);
  assert.ok(all.every((message, index) => Math.abs(message - index) <= 2));
  const alone = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(async (seed) => await sendAll(1, ['reorder'], seed)));
  for (const each of alone) assert.deepEqual(each.all, [0]);
  assert.ok(alone.some((each) => each.atOnce.length === 0));
});

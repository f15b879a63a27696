// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { createBatcher, createCoalescer } from '../../src/database/batch.ts';

/** A promise that the test resolves. */
function openEnd(): { end: () => void; ended: Promise<void> } {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, ended };
}

describe('createBatcher', () => {
  test('runs each item once, in batches up to the maximum size, and returns each result to its caller', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ value: fc.integer(), fails: fc.boolean(), turns: fc.nat({ max: 5 }) }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 8 }),
        async (plan, most) => {
          const done: number[] = [];
          const sizes: number[] = [];
          const double = createBatcher<number, number>(
            async (requested) => {
              sizes.push(requested.length);
              await nextTurn();
              if (requested.some((index) => plan[index]?.fails)) throw new Error(`failed: ${requested.join()}`);
              done.push(...requested);
              return requested.map((index) => 2 * (plan[index]?.value ?? 0));
            },
            { maxSize: most },
          );
          const ends = await Promise.allSettled(
            plan.map(async ({ turns }, index) => {
              for (let turn = 0; turn < turns; turn += 1) await nextTurn();
              return await double(index);
            }),
          );
          for (const [index, end] of ends.entries()) {
            const { fails, value } = plan[index] ?? { fails: false, value: 0 };
            if (!fails) assert.deepEqual(end, { status: 'fulfilled', value: 2 * value });
            else assert.equal((end as PromiseRejectedResult).reason.message, `failed: ${index}`);
          }
          const right = plan.flatMap(({ fails }, index) => (fails ? [] : [index]));
          assert.deepEqual(
            done.toSorted((a, b) => a - b),
            right,
          );
          assert.ok(sizes.every((size) => size <= most));
        },
      ),
    );
  });

  test('collects the next batch while one is running', async () => {
    const groups: number[][] = [];
    const { end, ended } = openEnd();
    const ask = createBatcher<number, number>(async (requested) => {
      groups.push([...requested]);
      if (groups.length === 1) await ended;
      return requested;
    });
    const first = ask(1);
    await nextTurn();
    await nextTurn();
    const rest = [ask(2), ask(3), ask(4)];
    end();
    assert.deepEqual(await Promise.all([first, ...rest]), [1, 2, 3, 4]);
    assert.deepEqual(groups, [[1], [2, 3, 4]]);
  });
});

describe('createCoalescer', () => {
  test('reads once per key for all calls in one turn', async () => {
    const requested: string[] = [];
    const read = createCoalescer((name) => {
      requested.push(name);
      return Promise.resolve(name.toUpperCase());
    });
    assert.deepEqual(await Promise.all(['a', 'b', 'a', 'a'].map(read)), ['A', 'B', 'A', 'A']);
    assert.deepEqual(requested, ['a', 'b']);
    await read('a');
    assert.deepEqual(requested, ['a', 'b', 'a']);
  });

  test('never returns the result of a read that began before the call', async () => {
    let state = 'old';
    const { end, ended } = openEnd();
    let readings = 0;
    const read = createCoalescer(async () => {
      readings += 1;
      const seen = state;
      if (readings === 1) await ended;
      return seen;
    });
    const before = read('token');
    await nextTurn();
    await nextTurn();
    state = 'revoked';
    // The earlier read is still running.
    const after = [read('token'), read('token')];
    await nextTurn();
    end();
    assert.equal(await before, 'old');
    assert.deepEqual(await Promise.all(after), ['revoked', 'revoked']);
    assert.equal(readings, 2);
  });

  test('rejects waiting callers on an error, and reads again for the next', async () => {
    let readings = 0;
    const read = createCoalescer(() => {
      readings += 1;
      return readings === 1 ? Promise.reject(new Error('away')) : Promise.resolve('there');
    });
    const ends = await Promise.allSettled([read('a'), read('a')]);
    assert.deepEqual(
      ends.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
    assert.equal(await read('a'), 'there');
  });
});

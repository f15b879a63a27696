// Databases: sqlite
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { ChainError } from '../../src/chains/port.ts';
import { runInProcess } from '../support/command-line.ts';
import { invoicesOf } from '../support/invoices.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('a chain that differs from the scanned blocks', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  afterEach(async () => await fixture.close());
  const { chain, create, get, pay, mine } = invoicesOf(() => fixture);

  const paylatch = async (...args: string[]) => await runInProcess(args, { DATABASE_URL: fixture.databaseUrl });
  const status = async () => (await fixture.request('/readyz', { token: null })).body.chains.bitcoin.status as string;
  const createRefused = async (type: string) => {
    const response = await fixture.request('/v1/transaction/invoice', {
      body: { txId: `refused-${type}`, code: 'btc', amount: '150000', type },
    });
    return [response.status, response.body.code, response.body.detail];
  };
  const balanceOf = async ({ walletAddress }: { walletAddress: string }) => {
    const { body } = await fixture.request('/v1/wallets?per_page=100');
    return body.wallets.find((each: any) => each.walletAddress === walletAddress)?.balance;
  };

  test('reorg_too_deep stops invoices; after chain reanchor each deposit is credited once', async () => {
    const [kept, remined, dropped] = [await create(), await create(), await create({ type: 'user' })];
    await pay(kept);
    await mine(60);
    const txHash = await pay(dropped);
    await pay(remined);
    await mine(240);
    assert.deepEqual(
      [await balanceOf(kept), await balanceOf(remined), await balanceOf(dropped)],
      ['150000', '150000', '150000'],
    );
    await chain().reorg(250, { drop: [txHash] });
    await fixture.work();
    await mine(2);
    assert.equal(await status(), 'reorg_too_deep');
    for (const type of ['revolver', 'static', 'user']) {
      const [code, problem, detail] = await createRefused(type);
      assert.deepEqual([code, problem], [503, 'chain_unavailable']);
      assert.match(detail, /deeper reorg/);
    }

    const preview = await paylatch('chain', 'reanchor', '--chain', 'bitcoin', '--output', 'json');
    assert.equal(preview.code, 0, preview.stderr);
    const fork = JSON.parse(preview.stdout);
    assert.deepEqual([fork.common, fork.orphaned_deposits, fork.confirmed], [1, 2, false]);
    await fixture.work();
    assert.equal(await status(), 'reorg_too_deep', 'nothing was changed');
    const tooHigh = await paylatch('chain', 'reanchor', '--chain', 'bitcoin', '--from', '61', '--confirm');
    assert.equal(tooHigh.code, 1);
    assert.match(tooHigh.stderr, /--from must be at most 1/);

    const result = await paylatch('chain', 'reanchor', '--chain', 'bitcoin', '--confirm', '--output', 'json');
    assert.equal(result.code, 0, result.stderr);
    await fixture.work();
    assert.equal(await status(), 'read');
    const statuses = async () => [
      ...[(await get(kept)).status, (await get(remined)).status, (await get(dropped)).status],
      ...[await balanceOf(kept), await balanceOf(remined), await balanceOf(dropped)],
    ];
    assert.deepEqual(await statuses(), ['complete', 'complete', 'pending', '150000', '150000', '0']);
    await mine(3);
    assert.deepEqual(await statuses(), ['complete', 'complete', 'pending', '150000', '150000', '0']);
    assert.equal((await create()).status, 'pending');
    const again = await paylatch('chain', 'reanchor', '--chain', 'bitcoin');
    assert.equal(again.code, 1);
    assert.match(again.stderr, /not in the state reorg_too_deep/);
    // The next deep reorg is detected as well.
    await mine(10);
    await chain().reorg(205);
    await fixture.work();
    assert.equal(await status(), 'reorg_too_deep');
  });

  test('a node that limits calls is read up to its tip', async (t) => {
    const bitcoin = chain();
    const { block } = bitcoin;
    let calls = 0;
    /** One of two calls per block. */
    const call = async () => {
      calls += 1;
      if (calls > 10) throw new ChainError('down', '429');
      await setImmediate();
    };
    t.mock.method(bitcoin, 'block', async (...args: Parameters<typeof block>) => {
      await call();
      await call();
      return await block(...args);
    });
    await bitcoin.mine(25);
    for (let periods = 0; periods < 12; periods += 1) {
      calls = 0;
      await fixture.work();
    }
    const { body } = await fixture.request('/readyz', { token: null });
    assert.deepEqual([body.chains.bitcoin.status, body.chains.bitcoin.height], ['read', (await bitcoin.tip()).height]);
  });

  test('addresses list, suspend and resume: no address is issued while suspended', async () => {
    await create({ type: 'user' });
    const listed = await paylatch('addresses', 'list', '--output', 'json');
    assert.equal(listed.code, 0, listed.stderr);
    const [bitcoin] = JSON.parse(listed.stdout).accounts;
    assert.deepEqual(
      [bitcoin.next_index, bitcoin.state, bitcoin.gap_limit, bitcoin.highest_used],
      [1, 'active', 1000, null],
    );
    assert.match(bitcoin.descriptor, /^wpkh\(\[[0-9a-f]{8}\/84h\/1h\/0h\]tpub\w+\/0\/\*\)#[a-z0-9]{8}$/);
    const resumed = await paylatch('addresses', 'resume', '--chain', 'bitcoin');
    assert.equal(resumed.code, 1);

    assert.equal((await paylatch('addresses', 'suspend', '--chain', 'bitcoin')).code, 0);
    for (const type of ['revolver', 'user'])
      assert.deepEqual((await createRefused(type)).slice(0, 2), [503, 'chain_unavailable']);
    assert.match((await paylatch('addresses', 'list')).stdout, /bitcoin .* suspended/);
    const result = await paylatch('addresses', 'resume', '--chain', 'bitcoin', '--skip', '50', '--output', 'json');
    assert.equal(result.code, 0, result.stderr);
    assert.deepEqual(JSON.parse(result.stdout), { chain: 'bitcoin', resumed: true, next_index: 51 });
    await create({ type: 'user' });
    const [after] = JSON.parse((await paylatch('addresses', 'list', '--output', 'json')).stdout).accounts;
    assert.equal(after.next_index, 52);
  });
});

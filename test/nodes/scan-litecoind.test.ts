import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test';
import { createBitcoinChain } from '../../src/chains/bitcoin/chain.ts';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import { ChainError } from '../../src/chains/port.ts';
import { scanOutputs } from '../../src/reconciliation/scan.ts';
import { readAccount } from '../../src/wallets/accounts.ts';
import { type Litecoind, litecoindSettings, startLitecoind } from '../support/litecoind.ts';
import { type NodeProxy, openNodeProxy } from '../support/node-proxy.ts';
import { clockOfBlock, freshAccountKey, nodeInvoicesOf } from '../support/node-invoices.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const AMOUNT = 150_000n;
const GAP = 20;

/** Coins that a node finds at our addresses, in the ledger or not. */
describe('a UTXO scan on litecoind', () => {
  let node: Litecoind;
  let between: NodeProxy;
  let fixture: Fixture;
  const { create } = nodeInvoicesOf(() => fixture, 'bitcoin');
  const mine = async (blocks = 1) => {
    await node.mine(blocks);
    await fixture.work();
  };
  const query = () => db(fixture.service().database);
  const connected = () => {
    const found = fixture.service().invoices.context.chains.all.find(({ name }) => name === 'bitcoin');
    assert.ok(found);
    return found;
  };
  const scan = async () => {
    const { database } = fixture.service();
    const { nextIndex } = await readAccount(database, connected().accountId);
    const found = await scanOutputs(database, connected(), { nextIndex, gapLimit: GAP, onProgress: () => undefined });
    assert.ok(found);
    return found;
  };
  const readTo = async (height: number, hash: string) => {
    await query().updateTable('chain_cursors').set({ height, hash }).where('chain', '=', 'bitcoin').execute();
    await query().insertInto('chain_blocks').values({ chain: 'bitcoin', height, hash }).execute();
  };

  before(async () => {
    node = await startLitecoind();
    between = await openNodeProxy(node.url);
  });
  beforeEach(async () => {
    const { time } = await node.call('getblockheader', await node.call('getbestblockhash'));
    fixture = await openFixture({
      clock: clockOfBlock(time),
      env: { ...litecoindSettings(between.url, await freshAccountKey('bitcoin')), ADDRESS_GAP_LIMIT: String(GAP) },
    });
    await fixture.work();
  });
  afterEach(async () => {
    between.edit = (_call, result) => result;
    await fixture?.close();
  });
  after(async () => {
    await between.close();
    await node.stop();
  });

  test('finds the coins of the ledger, at the height reported by the node', async () => {
    const [one, other] = [await create(), await create()];
    await node.sendToAddress(one.walletAddress, AMOUNT);
    await node.sendToAddress(other.walletAddress, AMOUNT);
    await mine();
    const { height, addresses, coins, differences } = await scan();
    assert.deepEqual([coins, differences], [2, []]);
    assert.equal(height, await node.call('getblockcount'));
    // Issued addresses and the gap beyond them, each once.
    assert.equal(addresses, 2 + GAP);
  });

  test('lists a deposit missing in the ledger, with wallet, merchant, amount and height', async () => {
    const invoice = await create();
    const txid = await node.sendToAddress(invoice.walletAddress, AMOUNT);
    // Scanned past its block, as if its deposits had been lost.
    const [hash = ''] = await node.mine();
    const height = await node.call<number>('getblockcount');
    await readTo(height, hash);
    await mine();
    const { differences } = await scan();
    const [difference, ...others] = differences;
    assert.ok(difference);
    assert.equal(others.length, 0);
    const { address, merchantId, code, ledger, chain, explanation, detail } = difference;
    assert.deepEqual(
      { address, merchantId, code, ledger, chain, explanation },
      {
        ...{ address: invoice.walletAddress, merchantId: fixture.merchant.id, code: 'btc' },
        ...{ ledger: 0n, chain: AMOUNT, explanation: 'missed_deposit' },
      },
    );
    assert.match(detail, new RegExp(`^${txid}:\\d+, unspent since block ${height}, at a wallet of merchant`));
  });

  test('compares with the block of the scan, at any read position of the service', async () => {
    const invoice = await create();
    await node.sendToAddress(invoice.walletAddress, AMOUNT);
    await node.mine();
    const explanations = async () => (await scan()).differences.map(({ explanation }) => explanation);
    assert.deepEqual(await explanations(), ['blocks_not_scanned']);
    await fixture.work();
    assert.deepEqual(await explanations(), []);
    // The ledger follows another branch, which it leaves next.
    const { height } = (await query().selectFrom('chain_cursors').select('height').executeTakeFirstOrThrow()) as {
      height: number;
    };
    await node.reorg(1, { blocks: 'remined' });
    await query().updateTable('deposits').set({ state: 'gone' }).execute();
    assert.ok((await node.call<number>('getblockcount')) > height);
    assert.deepEqual(await explanations(), ['blocks_not_scanned']);
    await query().updateTable('deposits').set({ state: 'mined' }).execute();
    await fixture.work();
    assert.deepEqual(await explanations(), []);
  });

  test('reports the state of a coin in the ledger', async () => {
    const invoice = await create();
    await node.sendToAddress(invoice.walletAddress, AMOUNT);
    await mine();
    await query().updateTable('deposits').set({ written_off_at: 1 }).execute();
    const { differences } = await scan();
    assert.deepEqual(
      differences.map(({ explanation, chain }) => [explanation, chain]),
      [['state_mismatch', AMOUNT]],
    );
    assert.match(differences[0]?.detail ?? '', /the ledger lists it as written_off/);
    await query().updateTable('deposits').set({ written_off_at: null }).execute();
  });

  test('extends beyond the last address by the gap limit of wallet software', async () => {
    await create();
    const { accountId, accountKey, chain } = connected();
    const { nextIndex } = await readAccount(fixture.service().database, accountId);
    const last = chain.addresses.derive(accountKey, nextIndex + GAP - 1);
    const beyond = chain.addresses.derive(accountKey, nextIndex + GAP);
    await node.sendToAddress(last, AMOUNT);
    await node.sendToAddress(beyond, AMOUNT);
    const [hash = ''] = await node.mine();
    await readTo(await node.call<number>('getblockcount'), hash);
    const found = (await scan()).differences;
    assert.deepEqual(
      found.map(({ address, merchantId, explanation }) => [address, merchantId, explanation]),
      [[last, null, 'missed_deposit']],
    );
    assert.match(found[0]?.detail ?? '', /an unissued address/);
  });

  test('reports that the node is scanning already, its progress, and how to abort it', async () => {
    const assertChainError = async (words: RegExp) =>
      await assert.rejects(scan(), (error) => error instanceof ChainError && words.test(error.message));
    // Running already, and started by another caller in between.
    between.edit = (call, result) =>
      call.method === 'scantxoutset' && call.params[0] === 'status'
        ? { id: call.id, result: { progress: 37 } }
        : result;
    await assertChainError(/already scanning its UTXO set \(37%\).*scantxoutset abort/);
    const words = 'Scan already in progress, use action "abort" or "status"';
    between.edit = (call, result) =>
      call.method === 'scantxoutset' && call.params[0] === 'start'
        ? { id: call.id, error: { code: -8, message: words } }
        : result;
    await assertChainError(/already scanning its UTXO set\. /);
    between.edit = (call, result) =>
      call.method === 'scantxoutset' ? { id: call.id, error: { code: -32601, message: 'Method not found' } } : result;
    await assertChainError(/does not support scantxoutset\. Use Bitcoin Core/);
  });

  test("reports the node's progress", async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const chain = createBitcoinChain({ url: between.url, network: bitcoinChain.networks.regtest });
    try {
      let isStarted = false;
      let end = () => {};
      const isReported = new Promise<void>((resolve) => {
        end = resolve;
      });
      between.edit = async (call, result) => {
        if (call.method !== 'scantxoutset') return result;
        if (call.params[0] === 'status') return isStarted ? { id: call.id, result: { progress: 42 } } : result;
        isStarted = true;
        mock.timers.tick(5000);
        await isReported;
        return result;
      };
      const reported: number[] = [];
      const found = await chain.scanUtxoSet([await node.newAddress()], (percent) => {
        reported.push(percent);
        end();
      });
      assert.deepEqual([reported, found?.outputs], [[42], []]);
    } finally {
      mock.timers.reset();
      await chain.close();
    }
  });
});

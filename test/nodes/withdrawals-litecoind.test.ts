import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import type { Service } from '../../src/app.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { createBitcoinSpender } from '../../src/chains/bitcoin/spender.ts';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { type Litecoind, litecoindSettings, startLitecoind } from '../support/litecoind.ts';
import {
  createDepositAddress,
  cancelNewest,
  followChains,
  createWithdrawingMerchant,
  withdrawalRows,
  withNodeService,
  writeSeedFile,
} from '../support/node-fixture.ts';

const seed = new Uint8Array(64).fill(26);

describe('withdrawals on a node of the Bitcoin Core family', () => {
  let node: Litecoind;
  let store: TestDatabase;
  let settings: Record<string, string>;
  let destination: string;
  let file: ReturnType<typeof writeSeedFile>;
  before(async () => {
    node = await startLitecoind();
    store = await createTestDatabase();
    file = writeSeedFile(seed);
    const { publicKey } = await deriveAccount(seed, 'bitcoin', { isTest: true });
    settings = {
      PUBLIC_URL: 'http://localhost:1',
      DATABASE_URL: store.url,
      CHAIN_SEED_FILE: file.path,
      ...litecoindSettings(node.url, publicKey),
    };
    destination = await node.newAddress();
  });
  after(async () => {
    file.remove();
    await node.stop();
    await store.drop();
  });

  /** A merchant whose deposits have one of the two blocks that they need. */
  async function deposit(service: Service, amounts: readonly bigint[]) {
    await followChains(service);
    const merchantId = await createWithdrawingMerchant(service, { btc: destination });
    const addresses: string[] = [];
    for (const [index, amount] of amounts.entries()) {
      const address = await createDepositAddress(service, merchantId, {
        txId: `deposit-${index}`,
        code: 'btc',
        amount,
      });
      await node.sendToAddress(address, amount);
      addresses.push(address);
    }
    await node.mine(1);
    await followChains(service);
    const mine = async () => {
      await node.mine(1);
      await followChains(service);
      return await withdrawalRows(service, merchantId);
    };
    return { merchantId, addresses, mine };
  }

  test('a sweep evicted by a higher minimum fee is replaced at a higher fee, and confirmed', async () => {
    await withNodeService(settings, async (service) => {
      const { mine } = await deposit(service, [500_000n]);
      const [first] = await mine();
      assert.equal(first?.status, 'sent');
      await node.restart({ options: ['-minrelaytxfee=0.0003'] });
      const [again] = await mine();
      assert.equal(again?.status, 'sent');
      assert.notEqual(again?.tx_hash, first?.tx_hash);
      assert.ok(BigInt(again?.fee ?? 0) >= 30n * 110n, `the fee is ${again?.fee}`);
      await mine();
      const [done] = await mine();
      assert.deepEqual([done?.status, done?.tx_hash], ['confirmed', again?.tx_hash]);
      await node.restart();
    });
  });

  test('a deposit spent manually with the same keys is written off, and the other is swept', async () => {
    await withNodeService(settings, async (service) => {
      const { addresses, mine } = await deposit(service, [510_000n, 520_000n]);
      const { publicKey: accountKey, privateKey } = await deriveAccount(seed, 'bitcoin', { isTest: true });
      const row = await db(service.database)
        .selectFrom('deposits as deposit')
        .innerJoin('wallets', 'wallets.id', 'deposit.wallet_id')
        .select(['deposit.payment_key', 'wallets.derivation_index'])
        .where('wallets.address', '=', addresses[0] ?? '')
        .executeTakeFirstOrThrow();
      const spender = createBitcoinSpender({ network: bitcoinChain.networks.regtest, accountKey, privateKey });
      const outputs = [{ paymentKey: row.payment_key, amount: 510_000n, index: row.derivation_index }];
      const built = spender.build({ outputs, destination, feeRate: 5n });
      assert.ok(built.kind === 'built');
      const [{ chain } = assert.fail()] = service.invoices.context.chains.all;
      assert.deepEqual(await chain.broadcast((await spender.sign(built.data)).raw), { kind: 'sent' });
      for (let left = 3; left > 0; left -= 1) await mine();
      const [swept] = await mine();
      assert.deepEqual([swept?.status, swept?.spent], ['confirmed', '520000']);
    });
  });

  test('a manager cancels a sent sweep: the node replaces it, and the returned coin is swept again', async () => {
    await withNodeService(settings, async (service) => {
      const { merchantId, mine } = await deposit(service, [540_000n, 550_000n]);
      const [sent] = await mine();
      assert.equal(sent?.status, 'sent');
      assert.equal((await cancelNewest(service, merchantId)).cancelling, true);
      const [replaced] = await withdrawalRows(service, merchantId);
      assert.notEqual(replaced?.tx_hash, sent?.tx_hash);
      assert.deepEqual(await node.call('getrawmempool'), [replaced?.tx_hash]);
      const [cancelled] = await mine();
      assert.deepEqual([cancelled?.status, cancelled?.tx_hash], ['sent', replaced?.tx_hash]);
      const [failed, again] = await mine();
      assert.equal(failed?.status, 'failed');
      assert.deepEqual([again?.status, again?.spent], ['sent', failed?.amount]);
      assert.equal(BigInt(failed?.amount ?? 0) + BigInt(failed?.fee ?? 0), 1_090_000n);
      await mine();
      assert.equal((await mine())[1]?.status, 'confirmed');
    });
  });

  test('a block with the original confirms it despite its cancellation; after a reorg without either it can be canceled', async () => {
    await withNodeService(settings, async (service) => {
      const { merchantId, mine } = await deposit(service, [560_000n]);
      const [sent] = await mine();
      const original = await node.call<string>('getrawtransaction', sent?.tx_hash);
      await cancelNewest(service, merchantId);
      await node.mineOnly([original]);
      await followChains(service);
      const [confirmed] = await mine();
      assert.deepEqual([confirmed?.status, confirmed?.tx_hash], ['confirmed', sent?.tx_hash]);
      await node.reorg(2);
      await node.evict(sent?.tx_hash ?? '');
      await mine();
      await mine();
      const [failed] = await mine();
      assert.equal(failed?.status, 'failed');
      assert.notEqual(failed?.tx_hash, sent?.tx_hash);
    });
  });

  test('a fee estimate not supported by blocks or the mempool is not paid', async () => {
    await withNodeService(settings, async (service) => {
      const [{ chain } = assert.fail()] = service.invoices.context.chains.all;
      assert.equal((await chain.feeRate()).disagreement, undefined);
    });
    const url = new URL(node.url);
    // A proxy before the node: one method returns an invalid result.
    const respondWrongly = async (request: IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString();
      const requested = JSON.parse(body) as { id: number; method?: string };
      response.setHeader('content-type', 'application/json');
      if (requested.method === 'estimatesmartfee') {
        response.end(JSON.stringify({ id: requested.id, result: { feerate: 0.003, blocks: 6 }, error: null }));
        return;
      }
      const result = await fetch(`${url.protocol}//${url.host}/`, {
        method: 'POST',
        headers: { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' },
        body,
      });
      response.statusCode = result.status;
      response.end(await result.text());
    };
    const proxy = createServer((request, response) => {
      respondWrongly(request, response).catch(() => response.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const address = proxy.address();
    assert.ok(address !== null && typeof address === 'object');
    const wrong = new URL(node.url);
    wrong.host = `127.0.0.1:${address.port}`;
    try {
      await withNodeService({ ...settings, CHAIN_BTC_URL: wrong.href }, async (service) => {
        const { mine } = await deposit(service, [530_000n]);
        const [waiting] = await mine();
        assert.equal(waiting?.status, 'waiting');
        assert.match(waiting?.waits_for ?? '', /"fee_estimate".*300 sat\/vB; recent blocks and the mempool show \d+/);
      });
    } finally {
      proxy.close();
    }
  });
});

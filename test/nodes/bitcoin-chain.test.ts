import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { base64 } from '@scure/base';
import { Transaction } from '@scure/btc-signer';
import fc from 'fast-check';
import { createBitcoinAddresses } from '../../src/chains/bitcoin/addresses.ts';
import { createBitcoinChain } from '../../src/chains/bitcoin/chain.ts';
import { satPerVirtualByte } from '../../src/chains/bitcoin/fee-rate.ts';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import { type Chain, type ChainDeposit, ChainError, type ChainErrorKind } from '../../src/chains/port.ts';
import { type NodeProxy, openNodeProxy, type WireResponse } from '../support/node-proxy.ts';
import { until } from '../support/program.ts';
import { type Regtest, type RegtestPayment, startRegtest } from '../support/regtest.ts';

/** BIP 84's account in the notation of test networks. */
const accountKey =
  'tpubDC8msFGeGuwnKG9Upg7DM2b4DaRqg3CUZa5g8v2SRQ6K4NSkxUgd7HsL2XVWbVm39yBA4LAxysQAm397zwQSQoQgewGiYZqrA9DsP4zbQ1M';

const { derive } = createBitcoinAddresses(bitcoinChain.networks.regtest);
const [first, second, third] = [0, 1, 2].map((index) => derive(accountKey, index)) as [string, string, string];
const theirs = 'bcrt1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqc8gma6';

const findOwnAddresses = async (addresses: readonly string[]) =>
  new Set(addresses.filter((address) => [first, second, third].includes(address)));
const failing = async () => await Promise.reject(new Error('The database is unavailable'));

const unchanged = (_call: unknown, result: WireResponse) => result;

describe('a Bitcoin chain', () => {
  let node: Regtest;
  let between: NodeProxy;
  let chain: Chain;

  before(async () => {
    node = await startRegtest();
    between = await openNodeProxy(node.url);
    chain = createBitcoinChain({ url: between.url, network: bitcoinChain.networks.regtest });
  });
  beforeEach(() => {
    between.edit = unchanged;
    between.methods.length = 0;
  });
  after(async () => {
    await chain.close();
    await between.close();
    await node.stop();
  });

  const height = async () => (await chain.tip()).height;
  const countOf = (method: string) => between.methods.filter((requests) => requests === method).length;
  const paymentKeys = (payments: readonly ChainDeposit[]) => payments.map(({ paymentKey }) => paymentKey).sort();
  const keyOf = ({ txid, vout }: RegtestPayment) => `${txid}:${vout}`;
  const paymentOf = (payment: RegtestPayment, address: string, amount: bigint): ChainDeposit => ({
    paymentKey: keyOf(payment),
    txHash: payment.txid,
    address,
    code: 'btc',
    amount,
  });

  /** Changes the responses to one method. */
  function editing(method: string, change: (result: WireResponse) => WireResponse): void {
    between.edit = (call, result) => (call.method === method ? change(result) : result);
  }

  async function assertChainError(promise: Promise<unknown>, kind: ChainErrorKind, pattern: RegExp): Promise<void> {
    await assert.rejects(promise, (error) => {
      assert.ok(error instanceof ChainError, String(error));
      assert.deepEqual([error.kind, pattern.test(error.message) || error.message], [kind, true]);
      assert.ok(!error.message.includes(node.password));
      return true;
    });
  }

  describe('its blocks', () => {
    test('end with the tip', async () => {
      const [hash] = await node.mine(1);
      const tip = await chain.tip();
      assert.deepEqual(tip, { height: await node.call('getblockcount'), hash });
      assert.equal(await chain.blockHash(tip.height), hash);
      assert.equal(await chain.blockHash(tip.height + 1), null);
      assert.equal(await chain.block(tip.height + 1, failing), null);
      assert.equal(await chain.blockHash(0), bitcoinChain.networks.regtest.genesisHash);
      assert.deepEqual(chain.currencies, ['btc']);
      assert.equal(chain.balances('btc', [first], tip), null);
    });

    test('contain our deposits among any other outputs', async () => {
      const one = await node.payAll([
        { address: first, amount: 1000n },
        { address: theirs, amount: 2000n },
        { address: second, amount: 3000n },
        { address: first, amount: 4000n },
      ]);
      const other = await node.pay(third, 5000n);
      await node.pay(theirs, 6000n);
      const [hash] = await node.mine(1);
      const at = await height();
      const requests: string[][] = [];
      const block = await chain.block(at, async (addresses) => {
        requests.push([...addresses]);
        return await findOwnAddresses(addresses);
      });
      const { time, tx } = await node.call<{ time: number; tx: string[] }>('getblock', hash, 1);
      assert.deepEqual(
        { ...block, deposits: undefined },
        {
          height: at,
          hash,
          parentHash: await chain.blockHash(at - 1),
          minedAt: time * 1_000_000,
          deposits: undefined,
        },
      );
      assert.deepEqual(
        new Set(block?.deposits),
        new Set([
          { ...paymentOf(one, first, 1000n), paymentKey: `${one.txid}:0` },
          { ...paymentOf(one, second, 3000n), paymentKey: `${one.txid}:2` },
          { ...paymentOf(one, first, 4000n), paymentKey: `${one.txid}:3` },
          paymentOf(other, third, 5000n),
        ]),
      );
      assert.ok(block?.deposits.every(({ txHash }) => tx.includes(txHash)));
      // Once each, without duplicates.
      assert.equal(requests.length, 1);
      assert.equal(new Set(requests[0]).size, requests[0]?.length);
      assert.ok(requests[0]?.includes(theirs));
    });

    test('contain the height from which coinbase outputs may be spent', async () => {
      await node.mine(1, second);
      const at = await height();
      const block = await chain.block(at, findOwnAddresses);
      assert.deepEqual(
        block?.deposits.map(({ address, spendableFrom }) => [address, spendableFrom]),
        [[second, at + 100]],
      );
    });

    test('change after a reorg', async () => {
      const payment = await node.pay(first, 1000n);
      await node.mine(2);
      const at = await height();
      const [lost, before] = [await chain.block(at - 1, findOwnAddresses), await chain.blockHash(at - 2)];
      assert.deepEqual(paymentKeys(lost?.deposits ?? []), [keyOf(payment)]);
      const hashes = await node.invalidate(2);
      const now = await chain.block(at - 1, findOwnAddresses);
      assert.notEqual(now?.hash, lost?.hash);
      assert.deepEqual([now?.hash, now?.parentHash, now?.deposits], [hashes[0], before, []]);
      assert.deepEqual(await chain.tip(), { height: at + 1, hash: hashes[2] });
      assert.deepEqual(paymentKeys(await chain.unconfirmedDeposits(findOwnAddresses)), [keyOf(payment)]);
      await node.mine(1);
      assert.deepEqual(paymentKeys((await chain.block(at + 2, findOwnAddresses))?.deposits ?? []), [keyOf(payment)]);
    });

    test('are rejected if the node sends another block, a partial one or none', async () => {
      const at = await height();
      const other = await node.call<string>('getblock', await chain.blockHash(at - 1), 0);
      editing('getblock', (result) => ({ ...result, result: other }));
      await assertChainError(chain.block(at, findOwnAddresses), 'down', /sent a different block than/);
      editing('getblock', (result) => ({ ...result, result: String(result.result).slice(0, -2) }));
      await assertChainError(chain.block(at, findOwnAddresses), 'down', /sent a malformed block/);
      editing('getblock', ({ id }) => ({ id, result: null, error: null }));
      await assertChainError(chain.block(at, findOwnAddresses), 'down', /unexpected result for getblock/);
      editing('getblock', ({ id }) => ({ id, error: { code: -1, message: 'Block not available (pruned data)' } }));
      await assertChainError(chain.block(at, findOwnAddresses), 'behind', /has pruned block/);
      editing('getblock', ({ id }) => ({ id, error: { code: -5, message: 'Block not found' } }));
      await assertChainError(chain.block(at, findOwnAddresses), 'down', /rejected getblock: Block not found/);
      editing('getblockhash', (result) => ({ ...result, result: '../../etc' }));
      await assertChainError(chain.block(at, findOwnAddresses), 'down', /unexpected result for getblockhash/);
      between.edit = unchanged;
      await assert.rejects(chain.block(at, failing), /The database is unavailable/);
    });
  });

  describe('its node', () => {
    test('is behind while it downloads blocks or lacks many announced ones', async () => {
      const other = createBitcoinChain({
        url: between.url,
        network: { ...bitcoinChain.networks.regtest, minesOnDemand: false },
      });
      try {
        editing('getblockchaininfo', ({ id, result }) => ({ id, result: { ...result, initialblockdownload: true } }));
        await assertChainError(other.tip(), 'behind', /still downloading blocks/);
        // On demand, an old last block makes the node report its initial download.
        assert.equal((await chain.tip()).height, await node.call('getblockcount'));
        const ahead = (headers: number) =>
          editing('getblockchaininfo', ({ id, result }) => ({
            id,
            result: { ...result, headers: result.blocks + headers, initialblockdownload: false },
          }));
        ahead(3);
        await other.tip();
        await chain.tip();
        ahead(4);
        await assertChainError(other.tip(), 'behind', /of \d+ known blocks/);
        await assertChainError(chain.tip(), 'behind', /of \d+ known blocks/);
      } finally {
        await other.close();
      }
    });

    test('is rejected for every call if it is on another network', async () => {
      const mainnet = createBitcoinChain({ url: between.url, network: bitcoinChain.networks.mainnet });
      try {
        for (const sendRequest of [
          () => mainnet.tip(),
          () => mainnet.blockHash(0),
          () => mainnet.block(0, findOwnAddresses),
          () => mainnet.unconfirmedDeposits(findOwnAddresses),
          () => mainnet.feeRate(),
          () => mainnet.broadcast('00'),
          () => mainnet.findTransaction('00'.repeat(32), 0),
        ]) {
          await assertChainError(sendRequest(), 'wrong_network', /not on mainnet: its genesis block is 0f9188f13cb7/);
        }
        assert.equal(countOf('sendrawtransaction'), 0);
      } finally {
        await mainnet.close();
      }
    });

    test('is checked for its network once per connection', async () => {
      for (let call = 0; call < 30; call += 1) await chain.tip();
      assert.equal(countOf('getblockchaininfo'), 30);
      assert.ok(countOf('getblockhash') <= 4, between.methods.join());
      // From now on, the URL serves another node.
      editing('getblockhash', ({ id }) => ({ id, result: bitcoinChain.networks.signet.genesisHash }));
      between.disconnect();
      const kindNow = async () =>
        await chain.tip().then(
          () => null,
          (error: unknown) => (error instanceof ChainError ? error.kind : null),
        );
      let kind = await kindNow();
      await until('the connection is restored', async () => {
        kind = await kindNow();
        return kind !== 'down';
      });
      assert.equal(kind, 'wrong_network');
      between.edit = unchanged;
      assert.equal((await chain.tip()).height, await node.call('getblockcount'));
    });

    test('is down if it rejects the password', async () => {
      const url = new URL(node.url);
      url.password = 'wrong';
      const wrong = createBitcoinChain({ url: url.href, network: bitcoinChain.networks.regtest });
      try {
        await assertChainError(wrong.tip(), 'down', /rejected the user and password/);
      } finally {
        await wrong.close();
      }
    });
  });

  describe('mempool deposits', () => {
    test('are reported until they are mined, and each transaction is parsed once', async () => {
      const payments = [];
      for (let index = 0; index < 34; index += 1) {
        payments.push(await node.pay(index % 4 === 0 ? first : theirs, BigInt(10_000 + index)));
      }
      const ours = payments.filter((_, index) => index % 4 === 0).map(keyOf);
      assert.deepEqual(paymentKeys(await chain.unconfirmedDeposits(findOwnAddresses)), ours.sort());
      assert.equal(countOf('getrawtransaction'), 34);
      assert.deepEqual(paymentKeys(await chain.unconfirmedDeposits(failing)), ours);
      assert.equal(countOf('getrawtransaction'), 34);
      const later = await node.pay(second, 777n);
      assert.deepEqual(paymentKeys(await chain.unconfirmedDeposits(findOwnAddresses)), [...ours, keyOf(later)].sort());
      assert.equal(countOf('getrawtransaction'), 35);
      const [waiting] = (await chain.unconfirmedDeposits(failing)).filter(({ address }) => address === second);
      assert.deepEqual(waiting, paymentOf(later, second, 777n));
      await node.mine(1);
      assert.deepEqual(await chain.unconfirmedDeposits(failing), []);
    });

    test('are not reported once they are replaced, and the replacement is', async () => {
      const payment = await node.pay(first, 20_000n);
      assert.deepEqual(paymentKeys(await chain.unconfirmedDeposits(findOwnAddresses)), [keyOf(payment)]);
      const replacement = await node.pay(second, 15_000n, { replaces: payment, feeRate: 10n });
      assert.deepEqual(paymentKeys(await chain.unconfirmedDeposits(findOwnAddresses)), [keyOf(replacement)]);
      await node.evict(replacement.txid);
      assert.deepEqual(await chain.unconfirmedDeposits(findOwnAddresses), []);
      // It may return, so it is parsed again.
      between.methods.length = 0;
      await node.call('sendrawtransaction', replacement.raw);
      assert.deepEqual(paymentKeys(await chain.unconfirmedDeposits(findOwnAddresses)), [keyOf(replacement)]);
      assert.equal(countOf('getrawtransaction'), 1);
      await node.mine(1);
    });

    test('are reported again after a reorg, unless it dropped them', async () => {
      const payment = await node.pay(first, 20_000n);
      await node.mine(1);
      assert.deepEqual(await chain.unconfirmedDeposits(findOwnAddresses), []);
      await node.invalidate(1);
      assert.deepEqual(paymentKeys(await chain.unconfirmedDeposits(findOwnAddresses)), [keyOf(payment)]);
      await node.mine(1);
      await node.invalidate(1, { isLost: true });
      assert.deepEqual(await chain.unconfirmedDeposits(findOwnAddresses), []);
    });

    test('may leave the mempool while they are parsed', async () => {
      const [gone, stays] = [await node.pay(first, 20_000n), await node.pay(first, 30_000n)];
      between.edit = async (call, result) => {
        if (call.method === 'getrawmempool') await node.evict(gone.txid);
        return result;
      };
      assert.deepEqual(paymentKeys(await chain.unconfirmedDeposits(findOwnAddresses)), [keyOf(stays)]);
      // Bitcoin Core's message and code for the same.
      await node.call('sendrawtransaction', gone.raw);
      between.edit = (call, result) =>
        call.method === 'getrawtransaction'
          ? { id: result.id, error: { code: -5, message: 'No such mempool transaction. Use -txindex…' } }
          : result;
      assert.deepEqual(paymentKeys(await chain.unconfirmedDeposits(findOwnAddresses)), [keyOf(stays)]);
      between.edit = unchanged;
      assert.deepEqual(
        paymentKeys(await chain.unconfirmedDeposits(findOwnAddresses)),
        [keyOf(gone), keyOf(stays)].sort(),
      );
      await node.mine(1);
    });

    test('are complete or an error; transactions that were parsed are not parsed again', async () => {
      const payments = [];
      for (let index = 0; index < 34; index += 1) payments.push(await node.pay(first, BigInt(30_000 + index)));
      let requests = 0;
      const failLater = async (addresses: readonly string[]) => {
        requests += 1;
        return requests === 1 ? await findOwnAddresses(addresses) : await failing();
      };
      await assert.rejects(chain.unconfirmedDeposits(failLater), /The database is unavailable/);
      between.methods.length = 0;
      assert.deepEqual(paymentKeys(await chain.unconfirmedDeposits(findOwnAddresses)), payments.map(keyOf).sort());
      assert.ok(countOf('getrawtransaction') > 0 && countOf('getrawtransaction') < 34);

      editing('getmempoolinfo', ({ id, result }) => ({ id, result: { ...result, loaded: false } }));
      await assertChainError(chain.unconfirmedDeposits(findOwnAddresses), 'behind', /still loading/);
      between.edit = unchanged;
      await node.mine(1);
    });

    test('are the same for concurrent callers', async () => {
      const payments = [];
      for (let index = 0; index < 10; index += 1) payments.push(await node.pay(first, BigInt(40_000 + index)));
      const results = await Promise.all([0, 1, 2].map(() => chain.unconfirmedDeposits(findOwnAddresses)));
      for (const result of results) assert.deepEqual(paymentKeys(result), payments.map(keyOf).sort());
      await node.mine(1);
    });

    test('are rejected if the node sends another transaction', async () => {
      const [one, other] = [await node.pay(first, 50_000n), await node.pay(second, 60_000n)];
      editing('getrawtransaction', (result) => ({ ...result, result: other.raw }));
      await assertChainError(chain.unconfirmedDeposits(findOwnAddresses), 'down', /sent a different transaction than/);
      editing('getrawtransaction', (result) => ({ ...result, result: one.raw.slice(0, -2) }));
      await assertChainError(chain.unconfirmedDeposits(findOwnAddresses), 'down', /sent a malformed transaction/);
      editing('getrawtransaction', ({ id }) => ({ id, error: { code: -20, message: 'Database error' } }));
      await assertChainError(
        chain.unconfirmedDeposits(findOwnAddresses),
        'down',
        /rejected getrawtransaction: Database error/,
      );
      between.edit = unchanged;
      assert.deepEqual(
        paymentKeys(await chain.unconfirmedDeposits(findOwnAddresses)),
        [keyOf(one), keyOf(other)].sort(),
      );
      await node.mine(1);
    });
  });

  describe('its fee rate', () => {
    test('is the mempool minimum if the node has no estimate', async () => {
      assert.deepEqual(await chain.feeRate(), { unit: 'sat/vB', amount: 1n });
      editing('getmempoolinfo', ({ id, result }) => ({ id, result: { ...result, mempoolminfee: 0.00002001 } }));
      assert.deepEqual(await chain.feeRate(), { unit: 'sat/vB', amount: 3n });
    });

    test("is the node's estimate, rounded up, and at least the mempool minimum", async () => {
      for (const [feerate, mempoolminfee, amount] of [
        [0.00012, 0.00001, 12n],
        [0.00012001, 0.00001, 13n],
        [0.00000001, 0.000001, 1n],
        [0.00001, 0.00012345, 13n],
        [0.1, 0.00001, 10_000n],
      ] as const) {
        between.edit = ({ method }, response) => {
          const { id, result } = response;
          if (method === 'estimatesmartfee') return { id, result: { feerate, blocks: 6 } };
          return method === 'getmempoolinfo' ? { id, result: { ...result, mempoolminfee } } : response;
        };
        assert.deepEqual(await chain.feeRate(), { unit: 'sat/vB', amount });
      }
      editing('estimatesmartfee', ({ id }) => ({ id, result: { errors: ['Insufficient data'], blocks: 6 } }));
      assert.deepEqual(await chain.feeRate(), { unit: 'sat/vB', amount: 1n });
      editing('estimatesmartfee', ({ id }) => ({ id, result: { feerate: -1 } }));
      await assertChainError(chain.feeRate(), 'down', /unexpected result for estimatesmartfee/);
    });

    test('is exact: no rate is rounded down, and none up by a unit', () => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 2_100_000_000 }), (satPerKilobyte) => {
          // As in the response: a JSON number of coins with eight decimals.
          const digits = String(satPerKilobyte).padStart(9, '0');
          const coins = JSON.parse(`${Number(digits.slice(0, -8))}.${digits.slice(-8)}`) as number;
          const expected = Math.max(1, Math.ceil(satPerKilobyte / 1000));
          assert.equal(satPerVirtualByte(coins), BigInt(expected));
        }),
        { numRuns: 2000 },
      );
    });
  });

  describe('a broadcast transaction', () => {
    test('is accepted once, and counts as sent again in the mempool and in a block', async () => {
      const payment = await node.pay(first, 70_000n);
      await node.evict(payment.txid);
      const since = await height();
      assert.deepEqual(await chain.findTransaction(payment.txid, since), { state: 'unknown' });
      assert.deepEqual(await chain.broadcast(payment.raw), { kind: 'sent' });
      assert.deepEqual(await chain.broadcast(payment.raw), { kind: 'sent' });
      assert.deepEqual(await chain.findTransaction(payment.txid, since), { state: 'waiting' });
      const [hash] = await node.mine(1);
      assert.deepEqual(await chain.broadcast(payment.raw), { kind: 'sent' });
      assert.deepEqual(await chain.findTransaction(payment.txid, since), {
        state: 'mined',
        block: { height: since + 1, hash },
      });
      // The message of older nodes.
      editing('sendrawtransaction', ({ id }) => ({ id, error: { code: -26, message: 'txn-already-in-mempool' } }));
      assert.deepEqual(await chain.broadcast(payment.raw), { kind: 'sent' });
    });

    test('is rejected with the node’s message', async () => {
      const payment = await node.pay(first, 80_000n, { replaceable: false });
      for (const [raw, reason] of [
        ['00', /^TX decode failed/],
        ['nonsense', /^TX decode failed/],
        [payment.raw.replace(/00000000$/, '01000000'), /./],
      ] as const) {
        const result = await chain.broadcast(raw);
        assert.equal(result.kind, 'refused');
        assert.ok(result.kind === 'refused' && reason.test(result.reason), JSON.stringify(result));
      }
      await assert.rejects(node.pay(second, 80_000n, { replaces: payment, feeRate: 100n }), /txn-mempool-conflict/);
      await node.mine(1);
      await assert.rejects(
        node.pay(second, 80_000n, { replaces: payment, feeRate: 100n }),
        /bad-txns-inputs-missingorspent/,
      );
    });

    test('has no known state if the node does not report it', async () => {
      editing('sendrawtransaction', ({ id }) => ({ id, error: { code: -1, message: 'Out of sorts' } }));
      await assertChainError(chain.broadcast('00'), 'down', /rejected sendrawtransaction: Out of sorts/);
      editing('getmempoolentry', ({ id }) => ({ id, error: { code: -1, message: 'Out of sorts' } }));
      await assertChainError(
        chain.findTransaction('00'.repeat(32), 0),
        'down',
        /rejected getmempoolentry: Out of sorts/,
      );
    });

    test('is found in its block without an index at any depth, and each block is searched once', async () => {
      const payment = await node.pay(theirs, 90_000n);
      const since = await height();
      const [hash] = await node.mine(1);
      await node.mine(20);
      const mined = { state: 'mined', block: { height: since + 1, hash } };
      between.methods.length = 0;
      assert.deepEqual(await chain.findTransaction(payment.txid, since), mined);
      assert.equal(countOf('getblock'), 21);
      assert.deepEqual(await chain.findTransaction(payment.txid, since), mined);
      assert.equal(countOf('getblock'), 21);

      const absent = 'ab'.repeat(32);
      between.methods.length = 0;
      assert.deepEqual(await chain.findTransaction(absent, since + 15), { state: 'unknown' });
      const searched = countOf('getblock');
      assert.deepEqual(await chain.findTransaction(absent, since + 15), { state: 'unknown' });
      assert.equal(countOf('getblock'), searched);
      await node.mine(2);
      assert.deepEqual(await chain.findTransaction(absent, since + 15), { state: 'unknown' });
      assert.equal(countOf('getblock'), searched + 2);
      // A search from further down starts again.
      assert.deepEqual(await chain.findTransaction(absent, since), { state: 'unknown' });
      assert.ok(countOf('getblock') > searched + 2 + 20);
    });

    test('is tracked through a reorg: mined, in the mempool, mined elsewhere, dropped', async () => {
      const payment = await node.pay(theirs, 100_000n);
      const since = await height();
      const stateNow = async () => await chain.findTransaction(payment.txid, since);
      await node.mine(2);
      assert.equal((await stateNow()).state, 'mined');
      await node.invalidate(2);
      assert.deepEqual(await stateNow(), { state: 'waiting' });
      const [hash] = await node.mine(1);
      assert.deepEqual(await stateNow(), { state: 'mined', block: { height: since + 4, hash } });
      await node.invalidate(1, { isLost: true });
      assert.deepEqual(await stateNow(), { state: 'unknown' });
      assert.deepEqual(await chain.broadcast(payment.raw), { kind: 'sent' });
      assert.deepEqual(await stateNow(), { state: 'waiting' });
      await node.mine(1);
    });

    test('is found in a block that replaced one from before its broadcast', async () => {
      await node.mine(3);
      const payment = await node.pay(theirs, 110_000n);
      const since = await height();
      await node.mine(1);
      await node.invalidate(4, { isLost: true });
      await node.call('sendrawtransaction', payment.raw);
      await node.invalidate(2);
      const [hash] = await node.mine(1);
      const at = await height();
      // The service has a later height than that of the broadcast.
      assert.deepEqual(await chain.findTransaction(payment.txid, at + 5), {
        state: 'mined',
        block: { height: at, hash },
      });
      assert.ok(at > since);
    });

    test('may return to the mempool during the search', async () => {
      const payment = await node.pay(theirs, 120_000n);
      const since = await height();
      await node.mine(1);
      let isDone = false;
      between.edit = async (call, result) => {
        if (call.method === 'getmempoolentry' && !isDone) {
          isDone = true;
          await node.invalidate(1);
        }
        return result;
      };
      assert.deepEqual(await chain.findTransaction(payment.txid, since), { state: 'waiting' });
      await node.mine(1);
    });

    /** Reports every block below the last one as pruned. */
    const prune = async () => {
      const best = await node.call('getbestblockhash');
      const error = { code: -1, message: 'Block not available (pruned data)' };
      between.edit = ({ method, params }, result) =>
        method === 'getblock' && params[0] !== best ? { id: result.id, error } : result;
    };

    test('that leaves the mempool of a pruned node is unknown, or found in a later block', async () => {
      const payment = await node.pay(theirs, 130_000n);
      assert.deepEqual(await chain.findTransaction(payment.txid, 0), { state: 'waiting' });
      await node.evict(payment.txid);
      await prune();
      assert.deepEqual(await chain.findTransaction(payment.txid, 0), { state: 'unknown' });
      await node.call('sendrawtransaction', payment.raw);
      assert.deepEqual(await chain.findTransaction(payment.txid, 0), { state: 'waiting' });
      const [hash] = await node.mine(1);
      await prune();
      const block = { height: await height(), hash };
      assert.deepEqual(await chain.findTransaction(payment.txid, 0), { state: 'mined', block });
    });

    test('is unknown to a pruned node after a restart if one of its inputs is unspent', async () => {
      const payment = await node.pay(theirs, 140_000n);
      const { txid, vout: index } = payment.coin;
      const transaction = new Transaction();
      transaction.addInput({ txid, index });
      const unsigned = base64.encode(transaction.toPSBT());
      await node.evict(payment.txid);
      await prune();
      await assertChainError(chain.findTransaction(payment.txid, 0), 'behind', /has pruned block/);
      assert.deepEqual(await chain.findTransaction(payment.txid, 0, unsigned), { state: 'unknown' });
      await node.call('sendrawtransaction', payment.raw);
      await node.mine(2);
      await prune();
      const restarted = createBitcoinChain({ url: between.url, network: bitcoinChain.networks.regtest });
      await assertChainError(restarted.findTransaction(payment.txid, 0, unsigned), 'behind', /has pruned block/);
      await restarted.close();
    });

    test('is not reported as unknown without a reliable result', async () => {
      const absent = 'cd'.repeat(32);
      const since = await height();
      editing('getblock', ({ id }) => ({ id, error: { code: -1, message: 'Block not available (pruned data)' } }));
      await assertChainError(chain.findTransaction(absent, since), 'behind', /has pruned block/);
      editing('getblock', ({ id, result }) => ({ id, result: { ...result, previousblockhash: result.hash } }));
      await assertChainError(chain.findTransaction(absent, since), 'down', /a wrong height/);
      editing('getblock', ({ id, result }) => ({ id, result: { ...result, hash: absent } }));
      await assertChainError(chain.findTransaction(absent, since), 'down', /sent a different block than/);
      editing('getmempoolinfo', ({ id, result }) => ({ id, result: { ...result, loaded: false } }));
      await assertChainError(chain.findTransaction(absent, since), 'behind', /still loading/);
    });
  });
});

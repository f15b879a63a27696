// Databases: sqlite
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { chains } from '../../src/shared/crypto-currency.ts';
import { SECOND } from '../../src/shared/time.ts';
import { ChainError, type BlockRef, type ChainDeposit } from '../../src/chains/port.ts';
import {
  createSimulatedBitcoin,
  type SimulatedChain,
  simulatedChainTopic,
  simulatedEthereumNetwork,
} from '../../src/chains/simulated/chain.ts';
import { openDatabase } from '../../src/database/open.ts';
import { systemRandom } from '../../src/system/random.ts';
import { testEngine, onSqlite } from '../support/databases.ts';
import {
  bit,
  bitcoinAddress,
  createChains,
  clock,
  closeSimulatedChains,
  ether,
  ethereumAddress,
  findAllAddresses,
  withSimulatedChains,
  findOnly,
  openSimulatedChains,
  type SimulatedChains,
  readAllBlocks,
} from '../support/simulated-chains.ts';

const [alice, bob, carol] = [bitcoinAddress(0), bitcoinAddress(1), bitcoinAddress(2)];
const [anna, bert, cora] = [ethereumAddress(0), ethereumAddress(1), ethereumAddress(2)];

const summarize = (payments: readonly ChainDeposit[]) =>
  payments.map(({ address, code, amount }) => [address, code, amount]);

describe('a simulated chain', () => {
  test('is created once by concurrent processes, and persists', () =>
    withSimulatedChains(async ({ store, bitcoin, bitcoinElsewhere, ethereum, ethereumElsewhere }) => {
      const tips = await Promise.all([bitcoin.tip(), bitcoinElsewhere.tip(), bitcoinElsewhere.blockHash(0)]);
      assert.deepEqual(tips[0], tips[1]);
      assert.deepEqual([tips[0].height, tips[0].hash], [0, tips[2]]);
      assert.match(tips[0].hash, /^[0-9a-f]{64}$/);
      const first = await ethereumElsewhere.block(0, findAllAddresses);
      assert.match(first?.hash ?? '', /^0x[0-9a-f]{64}$/);
      assert.deepEqual([first?.height, first?.parentHash, first?.deposits], [0, `0x${'0'.repeat(64)}`, []]);
      assert.equal(await ethereum.blockHash(0), first?.hash);
      assert.notEqual(first?.hash.slice(2), tips[0].hash);

      const { txHash } = await bitcoin.pay(bit(alice, 5n));
      const tip = await bitcoin.mine();
      const again = openDatabase(store.url, (error) => console.error(error));
      const reopened = createSimulatedBitcoin({ name: 'bitcoin', database: again, clock, random: systemRandom });
      assert.deepEqual(await reopened.tip(), tip);
      assert.deepEqual((await reopened.block(1, findAllAddresses))?.deposits[0]?.txHash, txHash);
      await reopened.close();
      await again.close();
    }));

  test('mines mempool transactions into the first block, and links each block to its parent', () =>
    withSimulatedChains(async ({ bitcoin, bitcoinElsewhere }) => {
      const start = await bitcoin.tip();
      const { txHash } = await bitcoin.pay([bit(alice, 7n), bit(bob, 8n), bit(alice, 9n)]);
      const expected = [
        { paymentKey: `${txHash}:0`, txHash, ...bit(alice, 7n) },
        { paymentKey: `${txHash}:2`, txHash, ...bit(alice, 9n) },
      ];
      assert.deepEqual(await bitcoinElsewhere.unconfirmedDeposits(findOnly(alice)), expected);
      assert.deepEqual(await bitcoinElsewhere.findTransaction(txHash, 0), { state: 'waiting' });
      assert.equal(await bitcoinElsewhere.block(1, findAllAddresses), null);
      assert.equal(await bitcoinElsewhere.blockHash(1), null);

      const now = clock.now();
      const tip = await bitcoin.mine(3);
      assert.equal(tip.height, 3);
      assert.deepEqual(await bitcoinElsewhere.tip(), tip);
      assert.deepEqual(await bitcoinElsewhere.unconfirmedDeposits(findAllAddresses), []);
      const blocks = await readAllBlocks(bitcoinElsewhere, findOnly(alice));
      assert.deepEqual(
        blocks.map(({ deposits }) => deposits),
        [[], expected, [], []],
      );
      const [, first] = blocks;
      assert.ok(first);
      assert.equal(first.parentHash, start.hash);
      assert.equal(first.minedAt % SECOND, 0);
      assert.ok(first.minedAt > now - SECOND && first.minedAt <= clock.now());
      const block = { height: 1, hash: first.hash };
      assert.deepEqual(await bitcoinElsewhere.findTransaction(txHash, 0), { state: 'mined', block });
      assert.deepEqual(await bitcoin.findTransaction('ff'.repeat(32), 0), { state: 'unknown' });
    }));

  onSqlite('looks up addresses once per block or mempool, and only if there are any', () =>
    withSimulatedChains(async ({ bitcoin, ethereum }) => {
      const lookups: string[][] = [];
      const findOwnAddresses = (addresses: readonly string[]) => {
        lookups.push([...addresses].sort());
        return Promise.resolve(new Set([bob]));
      };
      await bitcoin.pay([bit(alice, 1n), bit(bob, 2n)]);
      await bitcoin.pay([bit(alice, 3n), bit(carol, 4n)]);
      assert.deepEqual(summarize(await bitcoin.unconfirmedDeposits(findOwnAddresses)), [[bob, 'btc', 2n]]);
      await bitcoin.mine(2);
      assert.deepEqual(summarize((await bitcoin.block(1, findOwnAddresses))?.deposits ?? []), [[bob, 'btc', 2n]]);
      await bitcoin.block(2, findOwnAddresses);
      await bitcoin.unconfirmedDeposits(findOwnAddresses);
      const all = [alice, bob, carol].sort();
      assert.deepEqual(lookups, [all, all]);

      await ethereum.sendFromContract({ address: anna, amount: 1n });
      await ethereum.mine();
      await ethereum.block(1, findOwnAddresses);
      assert.equal(lookups.length, 2);
    }),
  );

  onSqlite('uses the payment keys of an Ethereum node, and reports no mempool', () =>
    withSimulatedChains(async ({ ethereum }) => {
      const outputs = [
        { address: anna, code: 'usdt' as const, amount: 4n },
        ether(anna.toLowerCase(), 10n ** 30n),
        { address: bert, code: 'usdc' as const, amount: 5n },
      ];
      const { txHash } = await ethereum.pay(outputs);
      assert.match(txHash, /^0x[0-9a-f]{64}$/);
      assert.deepEqual(await ethereum.unconfirmedDeposits(findAllAddresses), []);
      await ethereum.mine();
      assert.deepEqual((await ethereum.block(1, findAllAddresses))?.deposits, [
        { paymentKey: `${txHash}:0`, txHash, ...outputs[0] },
        { paymentKey: `${txHash}:native`, txHash, ...ether(anna, 10n ** 30n) },
        { paymentKey: `${txHash}:1`, txHash, ...outputs[2] },
      ]);
    }),
  );

  test('reports balances at its blocks', () =>
    withSimulatedChains(async ({ bitcoin, ethereum, ethereumElsewhere }) => {
      assert.equal(bitcoin.balances('btc', [alice], await bitcoin.tip()), null);
      const before = await ethereum.tip();
      await ethereum.pay(ether(anna, 5n));
      const { txHash } = await ethereum.sendFromContract({ address: anna, amount: 2n });
      await ethereum.pay({ address: anna, code: 'usdt', amount: 3n });
      const first = await ethereum.mine();
      await ethereum.sendFromContract({ address: bert, amount: 9n });
      const second = await ethereum.mine(2);

      const balances = async (at: BlockRef, code: 'eth' | 'usdt' = 'eth') => [
        ...(await ethereumElsewhere.balances(code, [anna, bert, cora], at)),
      ];
      assert.deepEqual(await balances(before), [
        [anna, 0n],
        [bert, 0n],
        [cora, 0n],
      ]);
      assert.deepEqual(await balances(first), [
        [anna, 7n],
        [bert, 0n],
        [cora, 0n],
      ]);
      assert.deepEqual(await balances(first, 'usdt'), [
        [anna, 3n],
        [bert, 0n],
        [cora, 0n],
      ]);
      assert.deepEqual(await balances(second), [
        [anna, 7n],
        [bert, 9n],
        [cora, 0n],
      ]);
      assert.deepEqual(summarize((await readAllBlocks(ethereum)).flatMap(({ deposits }) => deposits)), [
        [anna, 'eth', 5n],
        [anna, 'usdt', 3n],
      ]);
      assert.deepEqual(await ethereum.findTransaction(txHash), { state: 'mined', block: first });

      await ethereum.reorg(2);
      await assert.rejects(balances(second), (error) => error instanceof ChainError && error.kind === 'behind');
      assert.deepEqual(await balances(first), [
        [anna, 7n],
        [bert, 0n],
        [cora, 0n],
      ]);
    }));

  test('replaces the last blocks with one more, and returns their transactions to the mempool', () =>
    withSimulatedChains(async ({ bitcoin, bitcoinElsewhere }) => {
      const deep = await bitcoin.pay(bit(alice, 1n));
      await bitcoin.mine();
      const kept = await bitcoin.pay(bit(alice, 2n));
      await bitcoin.mine();
      const lost = await bitcoin.pay(bit(alice, 3n));
      const old = await bitcoin.mine(2);
      const before = await readAllBlocks(bitcoin);

      const tip = await bitcoinElsewhere.reorg(3, { drop: [lost.txHash] });
      assert.equal(tip.height, old.height + 1);
      assert.deepEqual(await bitcoin.tip(), tip);
      const now = await readAllBlocks(bitcoin);
      assert.deepEqual(now.slice(0, 2), before.slice(0, 2));
      for (const { hash } of before.slice(2)) assert.ok(now.every((block) => block.hash !== hash));
      assert.deepEqual(
        now.slice(2).map(({ deposits }) => deposits),
        [[], [], [], []],
      );
      const states = async () =>
        await Promise.all(
          [deep, kept, lost].map(async ({ txHash }) => (await bitcoin.findTransaction(txHash, 0)).state),
        );
      assert.deepEqual(await states(), ['mined', 'waiting', 'unknown']);
      assert.deepEqual(
        (await bitcoin.unconfirmedDeposits(findAllAddresses)).map(({ txHash }) => txHash),
        [kept.txHash],
      );
      const { hash, height } = await bitcoin.mine();
      assert.deepEqual(await bitcoin.findTransaction(kept.txHash, 0), { state: 'mined', block: { height, hash } });
      assert.deepEqual(await states(), ['mined', 'mined', 'unknown']);
    }));

  onSqlite('rejects reorgs beyond the genesis block, and drops only orphaned transactions', () =>
    withSimulatedChains(async ({ bitcoin }) => {
      await assert.rejects(bitcoin.reorg(1), RangeError);
      const paid = await bitcoin.pay(bit(alice, 1n));
      await bitcoin.mine();
      const later = await bitcoin.pay(bit(alice, 2n));
      const tip = await bitcoin.mine();
      await assert.rejects(bitcoin.reorg(3), /A reorg of 3 blocks is too deep: only 2 follow the genesis block/);
      await assert.rejects(bitcoin.reorg(1, { drop: [paid.txHash] }), /is not in the last 1 blocks/);
      for (const depth of [0, -1, 1.5]) await assert.rejects(bitcoin.reorg(depth), RangeError);
      for (const blocks of [0, -1, 1.5]) await assert.rejects(bitcoin.mine(blocks), RangeError);
      assert.deepEqual(await bitcoin.tip(), tip, 'no part of it was done');
      const first = await bitcoin.blockHash(0);
      await bitcoin.reorg(2, { drop: [paid.txHash, later.txHash] });
      assert.equal(await bitcoin.blockHash(0), first);
    }),
  );

  test('replaces and evicts only unconfirmed transactions', () =>
    withSimulatedChains(async ({ bitcoin, ethereum }) => {
      for (const [chain, address, code] of [
        [bitcoin, alice, 'btc'],
        [ethereum, anna, 'eth'],
      ] as const) {
        const first = await chain.pay({ address, code, amount: 1n });
        const second = await chain.replace(first.txHash, { address, code, amount: 2n });
        assert.ok(second);
        assert.notEqual(second.txHash, first.txHash);
        assert.deepEqual(await chain.findTransaction(first.txHash, 0), { state: 'unknown' });
        assert.equal(await chain.replace(second.txHash), null);
        const third = await chain.pay({ address, code, amount: 3n });
        await chain.evict(third.txHash);
        const fourth = await chain.pay({ address, code, amount: 4n });
        await chain.mine();
        assert.deepEqual(summarize((await chain.block(1, findAllAddresses))?.deposits ?? []), [[address, code, 4n]]);
        for (const { txHash } of [first, second, third]) {
          await assert.rejects(chain.evict(txHash), /is not in the mempool .* it is unknown/);
          await assert.rejects(chain.replace(txHash), /is not in the mempool .* it is unknown/);
        }
        await assert.rejects(chain.evict(fourth.txHash), /is already in a block/);
        await assert.rejects(chain.replace(fourth.txHash, { address, code, amount: 9n }), /is already in a block/);
        assert.equal((await chain.findTransaction(fourth.txHash, 0)).state, 'mined');
      }
    }));

  onSqlite('rejects invalid payments', () =>
    withSimulatedChains(async ({ bitcoin, ethereum }) => {
      await assert.rejects(bitcoin.pay(bit(anna, 1n)), /is not an address of the simulated chain bitcoin/);
      await assert.rejects(bitcoin.pay(bit('bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 1n)), RangeError);
      await assert.rejects(bitcoin.pay({ ...bit(alice, 1n), code: 'eth' }), /has no eth/);
      await assert.rejects(bitcoin.pay(bit(alice, 0n)), RangeError);
      await assert.rejects(bitcoin.pay([]), RangeError);
      await assert.rejects(ethereum.pay(ether(alice, 1n)), RangeError);
      await assert.rejects(ethereum.pay([ether(anna, 1n), ether(bert, 1n)]), /can send ether to one address/);
      await assert.rejects(ethereum.sendFromContract({ address: anna, amount: 0n }), RangeError);
      await ethereum.mine();
      assert.deepEqual((await ethereum.block(1, findAllAddresses))?.deposits, []);
    }),
  );

  test('has one fee rate for all processes', () =>
    withSimulatedChains(async ({ bitcoin, bitcoinElsewhere, ethereum, ethereumElsewhere }) => {
      assert.equal((await bitcoin.feeRate()).unit, 'sat/vB');
      await bitcoinElsewhere.setFeeRate({ unit: 'sat/vB', amount: 77n });
      assert.deepEqual(await bitcoin.feeRate(), { unit: 'sat/vB', amount: 77n });
      assert.equal((await ethereum.feeRate()).unit, 'wei/gas');
      await ethereumElsewhere.setFeeRate({ unit: 'wei/gas', amount: 9n, priority: 2n });
      assert.deepEqual(await ethereum.feeRate(), { unit: 'wei/gas', amount: 9n, priority: 2n });
      await assert.rejects(bitcoin.setFeeRate({ unit: 'wei/gas', amount: 9n, priority: 2n }), RangeError);
      await assert.rejects(bitcoin.setFeeRate({ unit: 'sat/vB', amount: 0n }), RangeError);
      await assert.rejects(ethereum.setFeeRate({ unit: 'wei/gas', amount: 1n, priority: 2n }), RangeError);
    }));

  onSqlite('derives addresses and payment URIs like the real chain', () =>
    withSimulatedChains(async ({ bitcoin, ethereum }) => {
      assert.equal(bitcoin.addresses.normalize(alice.toUpperCase()), alice);
      assert.equal(bitcoin.addresses.paymentUri(bit(alice, 150n)), `bitcoin:${alice}?amount=0.0000015`);
      assert.deepEqual([bitcoin.currencies, ethereum.currencies], [['btc'], Object.keys(chains.ethereum.coins)]);
      const { address = '' } = simulatedEthereumNetwork.tokens.usdt ?? {};
      const uri = ethereum.addresses.paymentUri({ code: 'usdt', address: anna, amount: 7n });
      assert.equal(uri, `ethereum:${address}@31337/transfer?address=${anna}&uint256=7`);
    }),
  );

  test('announces each change and nothing else', () =>
    withSimulatedChains(async ({ databases: [database], bitcoin, ethereum }) => {
      let heard = 0;
      const { announcements } = database;
      announcements.subscribe(simulatedChainTopic('bitcoin'), () => (heard += 1));
      const isTold = async (change: Promise<unknown>, expected = true) => {
        const before = heard;
        await change.catch((error: unknown) => assert.ok(error instanceof RangeError));
        assert.equal(heard > before, expected);
      };
      const { txHash } = await bitcoin.pay(bit(alice, 1n));
      assert.ok(heard > 0);
      await isTold(bitcoin.replace(txHash, bit(bob, 1n)));
      await isTold(bitcoin.replace(txHash), false);
      const again = await bitcoin.pay(bit(alice, 1n));
      await isTold(bitcoin.evict(again.txHash));
      await isTold(bitcoin.mine());
      await isTold(bitcoin.reorg(1));
      await isTold(bitcoin.reorg(9), false);
      await isTold(bitcoin.setFeeRate({ unit: 'sat/vB', amount: 2n }));
      await isTold(bitcoin.broadcast('00'), false);
      await isTold(bitcoin.tip(), false);
      await isTold(ethereum.mine(), false);
    }));

  if (testEngine === 'postgres') {
    test('announces changes to other processes', () =>
      withSimulatedChains(async ({ databases: [, elsewhere], bitcoin }) => {
        await bitcoin.tip();
        await elsewhere.listen();
        const isHeard = new Promise<void>((resolve) => {
          elsewhere.announcements.subscribe(simulatedChainTopic('bitcoin'), resolve);
        });
        await bitcoin.mine();
        await isHeard;
      }));
  }

  test('serializes concurrent changes', () =>
    withSimulatedChains(async ({ bitcoin, bitcoinElsewhere }) => {
      const work = Array.from({ length: 24 }, (_, index) => {
        const chain = index % 2 ? bitcoin : bitcoinElsewhere;
        return index % 3 === 2 ? chain.mine() : chain.pay(bit(alice, BigInt(index + 1)));
      });
      await Promise.all(work);
      const { height } = await bitcoin.mine();
      assert.equal(height, 9);
      const paid = (await readAllBlocks(bitcoinElsewhere)).flatMap(({ deposits }) => deposits);
      assert.deepEqual(
        paid.map(({ amount }) => amount).sort((one, other) => Number(one - other)),
        Array.from({ length: 24 }, (_, index) => BigInt(index + 1)).filter((_, index) => index % 3 !== 2),
      );
    }));

  test('never returns a partial block during reorgs', () =>
    withSimulatedChains(async ({ bitcoin, bitcoinElsewhere }) => {
      await bitcoin.pay([bit(alice, 1n), bit(bob, 2n)]);
      await bitcoin.mine();
      const turns = async () => {
        for (let turn = 0; turn < 8; turn += 1) {
          await bitcoin.reorg(1);
          await bitcoin.mine();
        }
      };
      const turning = turns();
      const seen = new Map<string, string>();
      for (let look = 0; look < 60; look += 1) {
        const block = await bitcoinElsewhere.block(1, findAllAddresses);
        assert.ok(block);
        const content = JSON.stringify(summarize(block.deposits), (_key, value) => String(value));
        assert.equal(seen.get(block.hash) ?? content, content, 'a block is always the same');
        seen.set(block.hash, content);
        await nextTurn();
      }
      await turning;
      const { length } = (await readAllBlocks(bitcoin)).flatMap(({ deposits }) => deposits);
      assert.equal(length, 2);
    }));
});

type Step =
  | { do: 'pay'; who: number; amount: bigint; outputs: number }
  | { do: 'inside'; who: number; amount: bigint }
  | { do: 'mine'; blocks: number }
  | { do: 'reorg'; depth: number; drop: number }
  | { do: 'replace'; which: number; amount: bigint | null }
  | { do: 'evict'; which: number };

const amount = fc.bigInt({ min: 1n, max: 10n ** 20n });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      who: fc.nat(2),
      amount,
      outputs: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('inside' as const), who: fc.nat(2), amount }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('mine' as const), blocks: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('reorg' as const),
      depth: fc.integer({ min: 1, max: 5 }),
      // Chosen by bits.
      drop: fc.nat(7),
    }),
  },
  fc.record({ do: fc.constant('replace' as const), which: fc.nat(5), amount: fc.option(amount) }),
  fc.record({ do: fc.constant('evict' as const), which: fc.nat(5) }),
);

/** Several sequences on separate chains, one after the other. */
const RUNS = Number(process.env['SIMULATED_CHAIN_RUNS'] ?? (testEngine === 'sqlite' ? 60 : 30));

describe('funds on a simulated chain, in random sequences', () => {
  let shared: SimulatedChains;
  before(async () => (shared = await openSimulatedChains()));
  after(async () => await closeSimulatedChains(shared));

  const forget = async () => {
    const query = db(shared.databases[0]);
    await query.deleteFrom('simulated_outputs').execute();
    await query.deleteFrom('simulated_transactions').execute();
    await query.deleteFrom('simulated_blocks').execute();
    await query.deleteFrom('simulated_chains').execute();
  };

  interface Paid {
    txHash: string;
    isSeen: boolean;
    outputs: { address: string; amount: bigint }[];
  }

  const oneOf = <Each>(list: readonly Each[], index: number): Each => list[index % list.length] ?? assert.fail();

  for (const name of ['bitcoin', 'ethereum'] as const)
    test(`equal the payments that were not dropped, on ${name}`, async () => {
      const [code, people] =
        name === 'bitcoin' ? (['btc', [alice, bob, carol]] as const) : (['usdt', [anna, bert, cora]] as const);
      await fc.assert(
        fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(1)), { minLength: 1, maxLength: 14 }), async (steps) => {
          await forget();
          const chains = createChains(shared.databases);
          const { ethereum } = chains;
          /** Expected deposits by height, and of the mempool, in their order. */
          let blocks: Paid[][] = [[]];
          let pool: Paid[] = [];
          let came = 0;
          const places = new Map<string, number>();
          const add = (txHash: string, outputs: Paid['outputs'], isSeen: boolean) => {
            places.set(txHash, (came += 1));
            pool.push({ txHash, outputs, isSeen });
          };
          const inOrder = (some: Paid[]) =>
            some.sort((one, other) => (places.get(one.txHash) ?? 0) - (places.get(other.txHash) ?? 0));

          for (const [next, where] of steps) {
            const instances: SimulatedChain[] =
              name === 'bitcoin'
                ? [chains.bitcoin, chains.bitcoinElsewhere]
                : [chains.ethereum, chains.ethereumElsewhere];
            const chain = oneOf(instances, where);
            if (next.do === 'pay') {
              const outputs = Array.from({ length: next.outputs }, (_, index) => ({
                address: oneOf(people, next.who + index),
                amount: next.amount + BigInt(index),
              }));
              const { txHash } = await chain.pay(outputs.map((output) => ({ ...output, code })));
              add(txHash, outputs, true);
            } else if (next.do === 'inside') {
              // Only contracts can.
              if (name === 'bitcoin') continue;
              const output = { address: oneOf(people, next.who), amount: next.amount };
              add((await ethereum.sendFromContract(output)).txHash, [output], false);
            } else if (next.do === 'mine') {
              await chain.mine(next.blocks);
              blocks.push(inOrder(pool), ...Array.from({ length: next.blocks - 1 }, () => []));
              pool = [];
            } else if (next.do === 'reorg') {
              if (next.depth >= blocks.length) {
                await assert.rejects(chain.reorg(next.depth), RangeError);
                continue;
              }
              const above = blocks.slice(-next.depth).flat();
              const dropped = above.filter((_, index) => (next.drop >> (index % 3)) & 1);
              await chain.reorg(next.depth, { drop: dropped.map(({ txHash }) => txHash) });
              blocks = [...blocks.slice(0, -next.depth), ...Array.from({ length: next.depth + 1 }, () => [])];
              pool = inOrder([...pool, ...above.filter((paid) => !dropped.includes(paid))]);
            } else if (pool.length > 0) {
              const { txHash } = oneOf(pool, next.which);
              pool = pool.filter((paid) => paid.txHash !== txHash);
              if (next.do === 'evict') await chain.evict(txHash);
              else {
                const output = next.amount === null ? null : { address: people[0], amount: next.amount };
                const replaced = await chain.replace(txHash, output ? { ...output, code } : undefined);
                assert.equal(replaced === null, output === null);
                if (replaced && output) add(replaced.txHash, [output], true);
              }
            }
          }

          const chain: SimulatedChain = name === 'bitcoin' ? chains.bitcoinElsewhere : chains.ethereumElsewhere;
          const expected = (paid: Paid[]) =>
            paid.flatMap(({ txHash, outputs, isSeen }) =>
              isSeen
                ? outputs.map((output, index) => ({ paymentKey: `${txHash}:${index}`, txHash, ...output, code }))
                : [],
            );
          const found = await readAllBlocks(chain);
          assert.deepEqual(
            found.map(({ deposits }) => deposits),
            blocks.map(expected),
          );
          assert.deepEqual(await chain.unconfirmedDeposits(findAllAddresses), name === 'bitcoin' ? expected(pool) : []);
          if (name === 'bitcoin') return;
          for (const { height, hash } of found) {
            const upTo = blocks.slice(0, height + 1).flat();
            for (const [code, isSeen] of [
              ['usdt', true],
              ['eth', false],
            ] as const) {
              const balances = await ethereum.balances(code, people, { height, hash });
              for (const person of people)
                assert.equal(
                  balances.get(person),
                  upTo
                    .filter((paid) => paid.isSeen === isSeen)
                    .flatMap(({ outputs }) => outputs.filter(({ address }) => address === person))
                    .reduce((sum, output) => sum + output.amount, 0n),
                );
            }
          }
        }),
        { numRuns: RUNS },
      );
    });
});

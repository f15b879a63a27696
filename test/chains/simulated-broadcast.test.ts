// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { hex } from '@scure/base';
import { p2wpkh, Transaction } from '@scure/btc-signer';
import { RawTx } from '@scure/btc-signer/script.js';
import fc from 'fast-check';
import { buildSweep, type OwnOutput, signSweep } from '../../src/chains/bitcoin/sweep.ts';
import { createCustomNetwork } from '../../src/chains/ethereum/networks.ts';
import type { TransactionFields } from '../../src/chains/ethereum/transaction.ts';
import {
  ETHER_GAS_LIMIT,
  buildGasFunding,
  buildEtherSweep,
  buildTokenTransfer,
} from '../../src/chains/ethereum/transfers.ts';
import type { Chain, ChainDeposit, BroadcastResult } from '../../src/chains/port.ts';
import {
  type SimulatedChain,
  simulatedBitcoinNetwork,
  type SimulatedEthereum,
  simulatedEthereumNetwork,
} from '../../src/chains/simulated/chain.ts';
import { bumpFees, createWalletSigner, feeCaps, maxCostOf } from '../support/ethereum-transfers.ts';
import {
  bit,
  bitcoinAccount,
  bitcoinAddress,
  ether,
  ethereumAccount,
  ethereumAddress,
  findAllAddresses,
  withSimulatedChains,
  findOnly,
  readAllBlocks,
} from '../support/simulated-chains.ts';

const sent: BroadcastResult = { kind: 'sent' };

async function assertRefused(response: Promise<BroadcastResult>, pattern: RegExp): Promise<void> {
  const result = await response;
  assert.equal(result.kind, 'refused');
  if (result.kind === 'refused') assert.match(result.reason, pattern);
}

const readState = async (chain: Chain, txHash: string) => (await chain.findTransaction(txHash, 0)).state;

const [alice, bob, carol] = [bitcoinAddress(0), bitcoinAddress(1), bitcoinAddress(2)];

/** Pays the address at an index of the account. */
function owned({ paymentKey, txHash, amount }: ChainDeposit, index: number): OwnOutput {
  return { txid: txHash, vout: Number(paymentKey.split(':')[1]), amount, index };
}

function sweepOf(outputs: readonly OwnOutput[], destination: string, feeRate = 2n) {
  const network = simulatedBitcoinNetwork;
  const { publicExtendedKey: accountKey, privateExtendedKey } = bitcoinAccount;
  const sweep = buildSweep({ network, accountKey, outputs, destination, feeRate, signer: 'account_key' });
  assert.equal(sweep.kind, 'built');
  if (sweep.kind !== 'built') throw new Error('not built');
  return signSweep({ network, accountKey: privateExtendedKey, psbt: sweep.psbt });
}

/** Pays the addresses at indexes. Returns their outputs. */
async function fund(chain: SimulatedChain, indexes: readonly number[], amount = 100_000n): Promise<OwnOutput[]> {
  const { txHash } = await chain.pay(indexes.map((index) => bit(bitcoinAddress(index), amount)));
  return indexes.map((index, vout) => ({ txid: txHash, vout, amount, index }));
}

/** Signs any transaction, even one that `buildSweep` would not build. */
function signed(coin: OwnOutput, outputs: readonly { address: string; amount: bigint }[]): string {
  const { privateKey, publicKey } = bitcoinAccount.deriveChild(0).deriveChild(coin.index);
  assert.ok(privateKey && publicKey);
  const { txid, vout: index, amount } = coin;
  const transaction = new Transaction();
  const { script } = p2wpkh(publicKey, simulatedBitcoinNetwork);
  transaction.addInput({ txid, index, witnessUtxo: { script, amount } });
  for (const output of outputs) transaction.addOutputAddress(output.address, output.amount, simulatedBitcoinNetwork);
  transaction.signIdx(privateKey, 0);
  const [[, signature] = []] = transaction.getInput(0).partialSig ?? [];
  assert.ok(signature);
  return withWitnesses(hex.encode(transaction.unsignedTx), [[signature, publicKey]]);
}

function withWitnesses(raw: string, witnesses: Uint8Array[][]): string {
  const { witnesses: _before, ...rest } = RawTx.decode(hex.decode(raw));
  const segwitFlag = witnesses.some(({ length }) => length > 0);
  return hex.encode(RawTx.encode({ ...rest, segwitFlag, ...(segwitFlag && { witnesses }) }));
}

describe('a sweep on the simulated Bitcoin chain', () => {
  test('waits in the mempool, is mined, and pays like any other transaction', () =>
    withSimulatedChains(async ({ bitcoin, bitcoinElsewhere }) => {
      const outputs = await fund(bitcoin, [0, 1]);
      await bitcoin.mine();
      const { raw, txid, amount } = sweepOf(outputs, carol);
      assert.deepEqual(await bitcoin.broadcast(raw), sent);
      const payment = { paymentKey: `${txid}:0`, txHash: txid, ...bit(carol, amount) };
      assert.deepEqual(await bitcoinElsewhere.unconfirmedDeposits(findAllAddresses), [payment]);
      assert.equal(await readState(bitcoinElsewhere, txid), 'waiting');
      assert.deepEqual(await bitcoinElsewhere.broadcast(raw), sent, 'it has it');
      await bitcoin.mine();
      assert.deepEqual(await bitcoin.broadcast(raw.toUpperCase()), sent, 'it still has it');
      assert.equal(await readState(bitcoin, txid), 'mined');
      assert.deepEqual((await bitcoin.block(2, findOnly(carol)))?.deposits, [payment]);
      const onward = sweepOf([owned(payment, 2)], bob);
      assert.deepEqual(await bitcoin.broadcast(onward.raw), sent);
    }));

  test('may spend unconfirmed outputs, and is removed together with them', () =>
    withSimulatedChains(async ({ bitcoin }) => {
      const outputs = await fund(bitcoin, [0]);
      const first = sweepOf(outputs, bob);
      assert.deepEqual(await bitcoin.broadcast(first.raw), sent);
      const second = sweepOf([{ txid: first.txid, vout: 0, amount: first.amount, index: 1 }], carol);
      assert.deepEqual(await bitcoin.broadcast(second.raw), sent);
      await bitcoin.replace(outputs[0]?.txid ?? '', bit(alice, 5n));
      assert.deepEqual(
        [await readState(bitcoin, first.txid), await readState(bitcoin, second.txid)],
        ['unknown', 'unknown'],
      );
      await assertRefused(bitcoin.broadcast(first.raw), /is missing or spent/);
    }));

  test('is replaced only by one with a higher fee, and only while unconfirmed', () =>
    withSimulatedChains(async ({ bitcoin }) => {
      const outputs = await fund(bitcoin, [0, 1]);
      await bitcoin.mine();
      const first = sweepOf(outputs, carol, 2n);
      assert.deepEqual(await bitcoin.broadcast(first.raw), sent);
      const onward = sweepOf([{ txid: first.txid, vout: 0, amount: first.amount, index: 2 }], bob, 2n);
      assert.deepEqual(await bitcoin.broadcast(onward.raw), sent);
      await assertRefused(bitcoin.broadcast(sweepOf(outputs, bob, 2n).raw), /transactions that it replaces/);
      // More than the first alone, but not more than both.
      await assertRefused(bitcoin.broadcast(sweepOf(outputs, carol, 3n).raw), /transactions that it replaces/);
      await assertRefused(
        bitcoin.broadcast(
          sweepOf([...outputs, { txid: first.txid, vout: 0, amount: first.amount, index: 2 }], alice, 9n).raw,
        ),
        /an output of a transaction that it replaces/,
      );
      const second = sweepOf(outputs, carol, 9n);
      assert.deepEqual(await bitcoin.broadcast(second.raw), sent);
      assert.equal(await readState(bitcoin, first.txid), 'unknown');
      assert.equal(await readState(bitcoin, onward.txid), 'unknown');
      await bitcoin.mine();
      assert.deepEqual(
        (await bitcoin.block(2, findAllAddresses))?.deposits.map(({ txHash }) => txHash),
        [second.txid],
      );
      await assertRefused(bitcoin.broadcast(sweepOf(outputs, carol, 20n).raw), /is missing or spent/);
    }));

  test('can be sent again after an eviction or a reorg, but not once it was dropped', () =>
    withSimulatedChains(async ({ bitcoin }) => {
      const outputs = await fund(bitcoin, [0]);
      await bitcoin.mine();
      const sweep = sweepOf(outputs, carol);
      await bitcoin.broadcast(sweep.raw);
      await assert.rejects(bitcoin.replace(sweep.txid, bit(bob, 1n)), /Only its signer can replace it/);
      await bitcoin.evict(sweep.txid);
      assert.equal(await readState(bitcoin, sweep.txid), 'unknown');
      assert.deepEqual(await bitcoin.broadcast(sweep.raw), sent);
      await bitcoin.mine();
      await bitcoin.reorg(1);
      assert.equal(await readState(bitcoin, sweep.txid), 'waiting');
      assert.deepEqual(await bitcoin.broadcast(sweep.raw), sent);
      await bitcoin.mine();
      await bitcoin.reorg(1, { drop: [] });
      await bitcoin.mine();
      await bitcoin.reorg(1, { drop: [sweep.txid] });
      assert.equal(await readState(bitcoin, sweep.txid), 'unknown');
      await assertRefused(bitcoin.broadcast(sweep.raw), /dropped in a reorg/);
      const other = sweepOf(outputs, bob);
      assert.deepEqual(await bitcoin.broadcast(other.raw), sent);
      await bitcoin.mine();
      assert.equal(await readState(bitcoin, other.txid), 'mined');
    }));

  test('is dropped together with the payment that it spends', () =>
    withSimulatedChains(async ({ bitcoin }) => {
      const [output] = await fund(bitcoin, [0]);
      assert.ok(output);
      const mined = sweepOf([output], bob);
      await bitcoin.mine();
      await bitcoin.broadcast(mined.raw);
      await bitcoin.mine();
      const waits = sweepOf([{ txid: mined.txid, vout: 0, amount: mined.amount, index: 1 }], carol);
      await bitcoin.broadcast(waits.raw);
      await bitcoin.reorg(2, { drop: [output.txid] });
      assert.deepEqual(await bitcoin.unconfirmedDeposits(findAllAddresses), []);
      for (const { txid } of [mined, waits]) assert.equal(await readState(bitcoin, txid), 'unknown');
      await bitcoin.mine();
      assert.deepEqual(
        (await readAllBlocks(bitcoin)).flatMap(({ deposits }) => deposits),
        [],
      );
    }));

  test('is rejected without valid signatures for its inputs', () =>
    withSimulatedChains(async ({ bitcoin }) => {
      const outputs = await fund(bitcoin, [0, 1]);
      const [first, second] = outputs;
      assert.ok(first && second);
      const { raw } = sweepOf(outputs, carol);
      const { raw: otherRaw } = sweepOf(outputs, carol, 3n);
      const witnesses = (of: string) => RawTx.decode(hex.decode(of)).witnesses ?? [];
      const [mine, others] = [witnesses(raw), witnesses(otherRaw)];
      const sendWith = async (result: Uint8Array[][]) => await bitcoin.broadcast(withWitnesses(raw, result));
      assert.equal(withWitnesses(raw, mine), raw);
      await assertRefused(sendWith(others), /does not match this transaction/);
      await assertRefused(sendWith([...mine].reverse()), /a key that does not belong to/);
      await assertRefused(sendWith([[], []]), /must have a witness/);
      const [[signature, key] = [], unchanged = []] = mine;
      assert.ok(signature && key);
      await assertRefused(sendWith([[signature, key, key], unchanged]), /must have a witness/);
      await assertRefused(sendWith([[signature, new Uint8Array(33)], unchanged]), /a key that does not/);
      for (const broken of [new Uint8Array(), new Uint8Array(1), signature.slice(1), signature.slice(0, 20), key])
        await assertRefused(
          sendWith([[broken, key], unchanged]),
          /does not match this transaction|must be signed with SIGHASH_ALL/,
        );
      // Signatures commit to amounts.
      const richer = sweepOf([{ ...first, amount: first.amount + 1n }], carol);
      await assertRefused(bitcoin.broadcast(richer.raw), /does not match this transaction/);
      assert.deepEqual(await bitcoin.broadcast(raw), sent);
    }));

  test('is rejected if it is malformed or its inputs are missing', () =>
    withSimulatedChains(async ({ bitcoin }) => {
      const [output] = await fund(bitcoin, [0]);
      assert.ok(output);
      await assertRefused(bitcoin.broadcast(sweepOf([{ ...output, vout: 1 }], carol).raw), /is missing or spent/);
      await assertRefused(
        bitcoin.broadcast(sweepOf([{ ...output, txid: 'ab'.repeat(32) }], carol).raw),
        /is missing or spent/,
      );
      const { raw } = sweepOf([output], carol);
      const twice = RawTx.decode(hex.decode(raw));
      const [input, witness] = [twice.inputs[0], twice.witnesses?.[0]];
      assert.ok(input && witness);
      twice.inputs.push(input);
      twice.witnesses?.push(witness);
      await assertRefused(bitcoin.broadcast(hex.encode(RawTx.encode(twice))), /each only once/);
      await assertRefused(
        bitcoin.broadcast(signed(output, [bit(bob, 60_000n), bit(carol, 40_001n)])),
        /Its outputs exceed its inputs by 1 satoshi/,
      );
      const cheap = signed(output, [bit(bob, 99_900n)]);
      // One in some hundred signatures is a byte shorter.
      const { vsize } = Transaction.fromRaw(hex.decode(cheap));
      await assertRefused(
        bitcoin.broadcast(cheap),
        new RegExp(`^Its fee is 100 satoshi; the relay minimum is ${vsize}\\.$`),
      );
      for (const pattern of ['', 'zz', raw.slice(2), raw.slice(0, -2), `${raw}00`, `0x${raw}`])
        await assertRefused(bitcoin.broadcast(pattern), /is malformed/);
      assert.deepEqual(
        (await bitcoin.unconfirmedDeposits(findAllAddresses)).map(({ txHash }) => txHash),
        [output.txid],
      );
    }));

  test('may pay several addresses, its own included', () =>
    withSimulatedChains(async ({ bitcoin }) => {
      const [output] = await fund(bitcoin, [0]);
      assert.ok(output);
      const raw = signed(output, [bit(bob, 1000n), bit(alice, 98_000n)]);
      assert.deepEqual(await bitcoin.broadcast(raw), sent);
      const txid = Transaction.fromRaw(hex.decode(raw)).id;
      const [, ...payments] = await bitcoin.unconfirmedDeposits(findAllAddresses);
      assert.deepEqual(payments, [
        { paymentKey: `${txid}:0`, txHash: txid, ...bit(bob, 1000n) },
        { paymentKey: `${txid}:1`, txHash: txid, ...bit(alice, 98_000n) },
      ]);
      const change = { txid, vout: 1, amount: 98_000n, index: 0 };
      assert.deepEqual(await bitcoin.broadcast(sweepOf([change], carol).raw), sent);
    }));

  test('never spends a missing output or an output twice, in random sequences', () => {
    type Step =
      | { do: 'fund' | 'mine' | 'again' | 'sweep' | 'evict'; which: number }
      | { do: 'reorg'; depth: number; drop: boolean };
    const step: fc.Arbitrary<Step> = fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          do: fc.constantFrom('fund', 'mine', 'again', 'sweep', 'sweep', 'sweep', 'evict'),
          which: fc.nat(20),
        }),
      },
      fc.record({ do: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 3 }), drop: fc.boolean() }),
    );
    return fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 6, maxLength: 18 }),
        async (steps) =>
          await withSimulatedChains(async ({ bitcoin, bitcoinElsewhere }) => {
            await fund(bitcoin, [0, 1, 2]);
            await bitcoin.mine();
            const sweeps: { raw: string; txid: string; spends: string[] }[] = [];
            const indexOf = new Map([alice, bob, carol].map((address, index) => [address, index]));
            for (const [place, next] of steps.entries()) {
              if (next.do === 'fund') await fund(bitcoin, [next.which % 3]);
              else if (next.do === 'mine') await bitcoin.mine();
              else if (next.do === 'reorg') {
                const { height } = await bitcoin.tip();
                const depth = Math.min(next.depth, height);
                const [lost] = (await readAllBlocks(bitcoin)).slice(-depth).flatMap(({ deposits }) => deposits);
                await bitcoin.reorg(depth, { drop: next.drop && lost ? [lost.txHash] : [] });
              } else if (next.do === 'again') {
                const sweep = sweeps[next.which % sweeps.length];
                if (sweep) await bitcoinElsewhere.broadcast(sweep.raw);
              } else {
                const waiting = await bitcoin.unconfirmedDeposits(findAllAddresses);
                if (next.do === 'evict') {
                  const some = waiting[next.which % waiting.length];
                  if (some) await bitcoin.evict(some.txHash);
                  continue;
                }
                // Includes spent outputs.
                const all = [...(await readAllBlocks(bitcoin)).flatMap(({ deposits }) => deposits), ...waiting];
                const inputs = all.filter((_, index) => (index + next.which) % 2 === 0).slice(0, 3);
                if (inputs.length === 0) continue;
                const outputs = inputs.map((payment) => owned(payment, indexOf.get(payment.address) ?? -1));
                const { raw, txid } = sweepOf(
                  outputs,
                  [alice, bob, carol][place % 3] ?? alice,
                  BigInt(1 + (next.which % 5)),
                );
                await bitcoin.broadcast(raw);
                sweeps.push({ raw, txid, spends: inputs.map(({ paymentKey }) => paymentKey) });
              }
            }
            const blocks = await readAllBlocks(bitcoin);
            const minedAt = new Map(
              blocks.flatMap(({ height, deposits }) => deposits.map((each) => [each.paymentKey, height])),
            );
            const waiting = new Set(
              (await bitcoin.unconfirmedDeposits(findAllAddresses)).map(({ paymentKey }) => paymentKey),
            );
            const spent = new Set<string>();
            for (const { txid, spends } of new Map(sweeps.map((sweep) => [sweep.txid, sweep])).values()) {
              const state = await bitcoin.findTransaction(txid, 0);
              if (state.state === 'unknown') continue;
              for (const key of spends) {
                assert.ok(!spent.has(key), 'spent once');
                spent.add(key);
                if (state.state === 'waiting') assert.ok(minedAt.has(key) || waiting.has(key));
                else if (state.state === 'mined') assert.ok((minedAt.get(key) ?? Infinity) <= state.block.height);
              }
            }
          }),
      ),
      { numRuns: 20 },
    );
  });
});

const [anna, bert, cora] = [ethereumAddress(0), ethereumAddress(1), ethereumAddress(2)];
const wallet = createWalletSigner(ethereumAccount.privateExtendedKey, 0);
const network = simulatedEthereumNetwork;
const GWEI = 10n ** 9n;
const ETHER = 10n ** 18n;

async function readBalance(chain: SimulatedEthereum, address: string, code: 'eth' | 'usdt' = 'eth'): Promise<bigint> {
  return (await chain.balances(code, [address], await chain.tip())).get(address) ?? -1n;
}

async function send(chain: SimulatedEthereum, transfer: TransactionFields | null, signer = wallet) {
  assert.ok(transfer);
  const { raw, txHash } = signer.sign(transfer);
  return { answer: await chain.broadcast(raw), raw, txHash };
}

/** Broadcasts a valid transaction. Returns its hash. */
async function broadcastTransfer(
  chain: SimulatedEthereum,
  transfer: TransactionFields | null,
  signer = wallet,
): Promise<string> {
  const { answer, txHash } = await send(chain, transfer, signer);
  assert.deepEqual(answer, sent);
  return txHash;
}

describe('a transfer on the simulated Ethereum chain', () => {
  test('sends ether and pays its gas at the price of its block', () =>
    withSimulatedChains(async ({ ethereum, ethereumElsewhere }) => {
      await ethereum.setFeeRate({ unit: 'wei/gas', amount: 12n * GWEI, priority: 2n * GWEI });
      const caps = feeCaps(await ethereum.feeRate());
      await ethereum.pay(ether(anna, ETHER));
      await ethereum.mine();
      assert.equal(await ethereum.nextNonce(anna), 0);
      const transfer = buildGasFunding({ network, nonce: 0, caps, to: bert, amount: 1000n, gasLimit: 50_000n });
      const { answer, raw, txHash } = await send(ethereum, transfer);
      assert.deepEqual(answer, sent);
      assert.equal(await ethereumElsewhere.nextNonce(anna.toLowerCase()), 1);
      assert.equal(await readState(ethereum, txHash), 'waiting');
      assert.deepEqual(await ethereumElsewhere.broadcast(raw), sent, 'it has it');
      const tip = await ethereum.mine();
      assert.deepEqual(await ethereum.findTransaction(txHash), { state: 'mined', block: tip });
      assert.deepEqual(await ethereum.broadcast(raw), sent, 'it still has it');
      const payment = { paymentKey: `${txHash}:native`, txHash, ...ether(bert, 1000n) };
      assert.deepEqual((await ethereum.block(2, findAllAddresses))?.deposits, [payment]);
      assert.equal(await readBalance(ethereum, bert), 1000n);
      assert.equal(await readBalance(ethereum, anna), ETHER - 1000n - ETHER_GAS_LIMIT * 12n * GWEI);
      const before = { height: 1, hash: (await ethereum.blockHash(1)) ?? '' };
      assert.equal((await ethereum.balances('eth', [anna], before)).get(anna), ETHER);
      assert.equal(await ethereum.nextNonce(anna), 1);
    }));

  test('sweeps the whole balance if both caps are equal', () =>
    withSimulatedChains(async ({ ethereum }) => {
      await ethereum.pay(ether(anna, ETHER));
      await ethereum.sendFromContract({ address: anna, amount: 5n });
      await ethereum.mine();
      const caps = { maxFeePerGas: 40n * GWEI, maxPriorityFeePerGas: 40n * GWEI };
      const balance = await readBalance(ethereum, anna);
      await broadcastTransfer(ethereum, buildEtherSweep({ network, nonce: 0, caps, to: bert, balance }));
      await ethereum.mine();
      assert.equal(await readBalance(ethereum, anna), 0n);
      assert.equal(await readBalance(ethereum, bert), ETHER + 5n - ETHER_GAS_LIMIT * 40n * GWEI);
    }));

  test('sends tokens once its wallet has ether for gas', () =>
    withSimulatedChains(async ({ ethereum }) => {
      await ethereum.pay({ address: anna, code: 'usdt', amount: 500n });
      await ethereum.pay(ether(bert, ETHER));
      await ethereum.mine();
      const caps = feeCaps(await ethereum.feeRate());
      const gas = await ethereum.estimateGas(
        anna,
        buildTokenTransfer({ network, nonce: 0, caps, code: 'usdt', to: cora, amount: 500n }),
      );
      const transfer = buildTokenTransfer({
        network,
        nonce: 0,
        caps,
        gasLimit: gas,
        code: 'usdt',
        to: cora,
        amount: 500n,
      });
      await assertRefused(
        ethereum.broadcast(wallet.sign(transfer).raw),
        /has 0 wei; this and its pending transactions may cost/,
      );
      const amount = maxCostOf(transfer);
      const gasWallet = createWalletSigner(ethereumAccount.privateExtendedKey, 1);
      await broadcastTransfer(ethereum, buildGasFunding({ network, nonce: 0, caps, to: anna, amount }), gasWallet);
      await assertRefused(ethereum.broadcast(wallet.sign(transfer).raw), /has 0 wei/);
      await ethereum.mine();
      const txHash = await broadcastTransfer(ethereum, transfer);
      await ethereum.mine();
      const payment = { paymentKey: `${txHash}:0`, txHash, address: cora, code: 'usdt', amount: 500n };
      assert.deepEqual((await ethereum.block(3, findAllAddresses))?.deposits, [payment]);
      assert.deepEqual(
        [await readBalance(ethereum, anna, 'usdt'), await readBalance(ethereum, cora, 'usdt')],
        [0n, 500n],
      );
      const left = await readBalance(ethereum, anna);
      assert.equal(left, amount - gas * (await ethereum.feeRate()).amount);

      // After a reorg both are in one block again, in their order.
      await ethereum.reorg(2);
      assert.equal(await readBalance(ethereum, anna), 0n);
      await ethereum.mine();
      assert.equal(await readState(ethereum, txHash), 'mined');
      assert.equal(await readBalance(ethereum, anna), left);
    }));

  test('fails in its block without enough tokens or gas, and costs its gas', () =>
    withSimulatedChains(async ({ ethereum }) => {
      await ethereum.pay([ether(anna, ETHER), { address: anna, code: 'usdt', amount: 10n }]);
      await ethereum.mine();
      const caps = feeCaps(await ethereum.feeRate());
      const transfer = buildTokenTransfer({ network, nonce: 0, caps, code: 'usdt', to: bert, amount: 11n });
      await assert.rejects(ethereum.estimateGas(anna, transfer), /would fail/);
      const tooMuch = await broadcastTransfer(ethereum, transfer);
      const tooLow = await broadcastTransfer(
        ethereum,
        buildTokenTransfer({ network, nonce: 1, caps, gasLimit: 21_000n, code: 'usdt', to: bert, amount: 10n }),
      );
      const tip = await ethereum.mine();
      for (const txHash of [tooMuch, tooLow])
        assert.deepEqual(await ethereum.findTransaction(txHash), { state: 'failed', block: tip });
      assert.deepEqual((await ethereum.block(2, findAllAddresses))?.deposits, []);
      assert.equal(await readBalance(ethereum, anna, 'usdt'), 10n);
      assert.equal(await ethereum.nextNonce(anna), 2);
      const price = (await ethereum.feeRate()).amount;
      const cost = ETHER - (await readBalance(ethereum, anna));
      assert.ok(cost > 42_000n * price && cost < 121_000n * price);
      await ethereum.reorg(1);
      assert.equal(await readState(ethereum, tooMuch), 'waiting');
      assert.equal(await readBalance(ethereum, anna), ETHER);
      await ethereum.pay({ address: anna, code: 'usdt', amount: 1n });
      await ethereum.mine();
      // The tokens arrived later.
      assert.equal(await readState(ethereum, tooMuch), 'failed');
    }));

  test('waits in the mempool below the base fee, and is replaced by one with a higher fee', () =>
    withSimulatedChains(async ({ ethereum }) => {
      await ethereum.pay(ether(anna, ETHER));
      await ethereum.mine();
      const before = feeCaps(await ethereum.feeRate());
      const transfer = buildEtherSweep({ network, nonce: 0, caps: before, to: bert, balance: ETHER });
      assert.ok(transfer);
      const first = await broadcastTransfer(ethereum, transfer);
      await ethereum.setFeeRate({ unit: 'wei/gas', amount: 100n * GWEI, priority: GWEI });
      await ethereum.mine(2);
      assert.equal(await readState(ethereum, first), 'waiting');

      const same = { ...transfer, to: cora };
      await assertRefused(ethereum.broadcast(wallet.sign(same).raw), /both fees must be at least 10% higher/);
      const halfway = { ...same, maxFeePerGas: transfer.maxFeePerGas * 2n, value: 1n };
      await assertRefused(ethereum.broadcast(wallet.sign(halfway).raw), /both fees must be at least 10% higher/);
      const bumped = bumpFees(transfer, feeCaps(await ethereum.feeRate()));
      const second = await broadcastTransfer(ethereum, bumped);
      assert.equal(await readState(ethereum, first), 'unknown');
      const tip = await ethereum.mine();
      assert.deepEqual(await ethereum.findTransaction(second), { state: 'mined', block: tip });
      assert.equal(await readBalance(ethereum, bert), bumped.value);
      await assertRefused(ethereum.broadcast(wallet.sign(transfer).raw), /The nonce 0 is too low; the next one is 1/);
    }));

  test('keeps the order of nonces, even if one is dropped', () =>
    withSimulatedChains(async ({ ethereum }) => {
      await ethereum.pay(ether(anna, ETHER));
      await ethereum.mine();
      const caps = feeCaps(await ethereum.feeRate());
      const at = (nonce: number, amount = 1n) => buildGasFunding({ network, nonce, caps, to: bert, amount });
      await assertRefused(ethereum.broadcast(wallet.sign(at(1)).raw), /The nonce 1 is too high; the next one is 0/);
      const hashes = [
        await broadcastTransfer(ethereum, at(0)),
        await broadcastTransfer(ethereum, at(1)),
        await broadcastTransfer(ethereum, at(2)),
      ];
      await ethereum.mine();
      await ethereum.reorg(1, { drop: [hashes[0] ?? ''] });
      assert.equal(await ethereum.nextNonce(anna), 0);
      await ethereum.mine();
      const states = async () => await Promise.all(hashes.map(async (hash) => await readState(ethereum, hash)));
      assert.deepEqual(await states(), ['unknown', 'waiting', 'waiting']);
      await assertRefused(ethereum.broadcast(wallet.sign(at(0)).raw), /dropped in a reorg/);
      const replacement = await broadcastTransfer(ethereum, at(0, 5n));
      assert.equal(await ethereum.nextNonce(anna), 3);
      await ethereum.evict(hashes[2] ?? '');
      // It arrived last and is mined first.
      await ethereum.mine();
      assert.equal(await readState(ethereum, replacement), 'mined');
      assert.deepEqual(await states(), ['unknown', 'mined', 'unknown']);
      await broadcastTransfer(ethereum, at(2));
    }));

  test('waits in the mempool if a reorg removed its funds', () =>
    withSimulatedChains(async ({ ethereum }) => {
      const { txHash: paid } = await ethereum.pay(ether(anna, ETHER));
      await ethereum.mine();
      const caps = feeCaps(await ethereum.feeRate());
      const txHash = await broadcastTransfer(
        ethereum,
        buildEtherSweep({ network, nonce: 0, caps, to: bert, balance: ETHER }),
      );
      await ethereum.mine();
      await ethereum.reorg(2, { drop: [paid] });
      await ethereum.mine();
      assert.equal(await readState(ethereum, txHash), 'waiting');
      assert.deepEqual([await readBalance(ethereum, anna), await readBalance(ethereum, bert)], [0n, 0n]);
      await ethereum.pay(ether(anna, ETHER));
      await ethereum.mine();
      assert.equal(await readState(ethereum, txHash), 'mined');
    }));

  test('is rejected if it could never be mined', () =>
    withSimulatedChains(async ({ ethereum }) => {
      await ethereum.pay([ether(anna, ETHER), { address: anna, code: 'usdt', amount: 10n }]);
      await ethereum.mine();
      const caps = feeCaps(await ethereum.feeRate());
      const good = buildGasFunding({ network, nonce: 0, caps, to: bert, amount: 1n });
      const token = buildTokenTransfer({ network, nonce: 0, caps, code: 'usdt', to: bert, amount: 1n });
      const foreign = createCustomNetwork('ethereum', { chainId: 1 });
      const cases: [TransactionFields, RegExp][] = [
        [
          buildGasFunding({ network: foreign, nonce: 0, caps, to: bert, amount: 1n }),
          /signed for chain 1 instead of 31337/,
        ],
        [{ ...good, gasLimit: 20_999n }, /the minimum is 21000/],
        [{ ...good, gasLimit: 30_000_001n }, /that of a block is 30000000/],
        [{ ...good, value: ETHER }, /wei; this and its pending transactions may cost/],
        [{ ...good, data: '0x00' }, /Only transfers/],
        [{ ...token, data: '0x' }, /Only transfers/],
        [{ ...token, data: token.data.slice(0, -2) as `0x${string}` }, /Only transfers/],
        [{ ...token, value: 1n }, /Only transfers/],
        [{ ...token, to: bert }, /Only transfers/],
      ];
      for (const [transfer, pattern] of cases)
        await assertRefused(ethereum.broadcast(wallet.sign(transfer).raw), pattern);
      const { raw } = wallet.sign(good);
      for (const broken of ['', '0x', '0x0', raw.slice(2), raw.slice(0, -2), `${raw}00`, '0x02c0', '0xf800'])
        assert.equal((await ethereum.broadcast(broken)).kind, 'refused', broken);
      // Signed by another account, without funds.
      const flipped = raw.slice(0, -2) + (raw.endsWith('00') ? '01' : '00');
      assert.equal((await ethereum.broadcast(flipped)).kind, 'refused');
      assert.equal(await ethereum.nextNonce(anna), 0);
      assert.deepEqual(await ethereum.broadcast(raw), sent);
      // Pending transactions count.
      const rest = (await readBalance(ethereum, anna)) - 2n * ETHER_GAS_LIMIT * caps.maxFeePerGas - 1n;
      await assertRefused(
        ethereum.broadcast(wallet.sign({ ...good, nonce: 1, value: rest + 1n }).raw),
        /this and its pending transactions may cost/,
      );
      await broadcastTransfer(ethereum, { ...good, nonce: 1, value: rest });
    }));
});

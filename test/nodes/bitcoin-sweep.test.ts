import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { inspect } from 'node:util';
import { base64, hex } from '@scure/base';
import { HDKey } from '@scure/bip32';
import { Address, Transaction } from '@scure/btc-signer';
import type { Signer } from '@scure/btc-signer/transaction.js';
import fc from 'fast-check';
import { createBitcoinAddresses } from '../../src/chains/bitcoin/addresses.ts';
import { createBitcoinChain } from '../../src/chains/bitcoin/chain.ts';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import {
  buildSweep,
  type OwnOutput,
  type SweepResult,
  type SweepRequest,
  signSweep,
} from '../../src/chains/bitcoin/sweep.ts';
import type { Chain } from '../../src/chains/port.ts';
import { type Regtest, startRegtest } from '../support/regtest.ts';

const network = bitcoinChain.networks.regtest;
const { derive } = createBitcoinAddresses(network);
const [, vpubVersions] = network.extendedKeys;
const master = HDKey.fromMasterSeed(new Uint8Array(32).fill(7), vpubVersions);
const account = master.derive("m/84'/1'/0'");
const accountKey = account.publicExtendedKey;
const privateKey = account.privateExtendedKey;
const H = 0x80000000;
const origin = { fingerprint: master.fingerprint, path: [84 + H, 1 + H, 0 + H] };

const coder = Address(network);
const point = hex.decode('79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798');
/** An address of each standard type, with the dust limit of nodes (Bitcoin Core's `policy_tests`). */
const destinations = {
  pkh: { address: coder.encode({ type: 'pkh', hash: new Uint8Array(20).fill(1) }), dust: 546n },
  sh: { address: coder.encode({ type: 'sh', hash: new Uint8Array(20).fill(2) }), dust: 540n },
  wpkh: { address: coder.encode({ type: 'wpkh', hash: new Uint8Array(20).fill(3) }), dust: 294n },
  wsh: { address: coder.encode({ type: 'wsh', hash: new Uint8Array(32).fill(4) }), dust: 330n },
  tr: { address: coder.encode({ type: 'tr', pubkey: point }), dust: 330n },
} as const;

type Built = Extract<SweepResult, { kind: 'built' }>;

function built(sweep: SweepResult): Built {
  assert.equal(
    sweep.kind,
    'built',
    JSON.stringify(sweep, (_key, value) => String(value)),
  );
  return sweep;
}

const request = (changes: Partial<SweepRequest> & Pick<SweepRequest, 'outputs'>): SweepRequest => ({
  network,
  accountKey,
  origin,
  destination: destinations.wpkh.address,
  feeRate: 1n,
  signer: 'account_key',
  ...changes,
});
const sign = (psbt: string) => signSweep({ network, accountKey: privateKey, psbt });

const output: fc.Arbitrary<OwnOutput> = fc.record({
  txid: fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => hex.encode(bytes)),
  vout: fc.integer({ min: 0, max: 0xffffffff }),
  amount: fc.bigInt({ min: 200_000n, max: 2_100_000_000_000_000n / 10n }),
  index: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
});
const outputs = fc.uniqueArray(output, {
  minLength: 1,
  maxLength: 6,
  selector: ({ txid, vout }) => `${txid}:${vout}`,
});
const destination = fc.constantFrom(...Object.values(destinations)).map(({ address }) => address);
const feeRate = fc.bigInt({ min: 1n, max: 1000n });

describe('a sweep', () => {
  test('sends everything minus the fee, which is its size times the rate', () => {
    fc.assert(
      fc.property(outputs, destination, feeRate, (owned, to, rate) => {
        const sweep = built(buildSweep(request({ outputs: owned, destination: to, feeRate: rate })));
        const signed = sign(sweep.psbt);
        const sum = owned.reduce((total, { amount }) => total + amount, 0n);
        assert.equal(sweep.amount + sweep.fee, sum);
        assert.equal(sweep.fee, sweep.virtualBytes * rate);
        const transaction = Transaction.fromRaw(hex.decode(signed.raw));
        assert.deepEqual(
          [transaction.outputsLength, transaction.getOutputAddress(0, network), transaction.getOutput(0).amount],
          [1, to, sweep.amount],
        );
        assert.deepEqual(
          { ...signed, raw: transaction.hex, virtualBytes: BigInt(transaction.vsize) },
          { ...signed, txid: sweep.txid, destination: to, amount: sweep.amount, fee: sweep.fee },
        );
        // Exact to the byte, except for signatures that are shorter than the maximum.
        const witnesses = Array.from({ length: owned.length }, (_, input) => {
          const [signature] = transaction.getInput(input).finalScriptWitness ?? [];
          return signature?.length ?? 0;
        });
        assert.ok(witnesses.every((length) => length <= 71));
        const spared = witnesses.reduce((total, length) => total + 71 - length, 0);
        assert.ok(signed.virtualBytes <= sweep.virtualBytes);
        assert.ok(sweep.virtualBytes - signed.virtualBytes <= Math.ceil(spared / 4));
        if (spared === 0) assert.equal(signed.fee, signed.virtualBytes * rate);
      }),
      { numRuns: 30 },
    );
  });

  test('never pays less than the rate, for any signer', () => {
    fc.assert(
      fc.property(outputs, destination, feeRate, (owned, to, rate) => {
        const sweep = built(buildSweep(request({ outputs: owned, destination: to, feeRate: rate, signer: 'any' })));
        const transaction = Transaction.fromPSBT(base64.decode(sweep.psbt));
        transaction.sign(master as Signer);
        transaction.finalize();
        assert.equal(transaction.id, sweep.txid);
        assert.equal(transaction.fee, sweep.fee);
        assert.ok(BigInt(transaction.vsize) <= sweep.virtualBytes);
        assert.ok(transaction.fee >= BigInt(transaction.vsize) * rate);
      }),
      { numRuns: 20 },
    );
  });

  test('is the same in any order of outputs, and signals replaceability', () => {
    fc.assert(
      fc.property(outputs, destination, feeRate, (owned, to, rate) => {
        const sweep = built(buildSweep(request({ outputs: owned, destination: to, feeRate: rate })));
        const again = built(buildSweep(request({ outputs: [...owned].reverse(), destination: to, feeRate: rate })));
        assert.deepEqual(again, sweep);
        assert.deepEqual(sign(again.psbt), sign(sweep.psbt));
        const dearer = built(buildSweep(request({ outputs: owned, destination: to, feeRate: rate + 1n })));
        assert.notEqual(dearer.txid, sweep.txid);
        assert.equal(dearer.virtualBytes, sweep.virtualBytes);
        assert.equal(dearer.fee - sweep.fee, sweep.virtualBytes);
        const [one, other] = [sweep, dearer].map(({ psbt }) => Transaction.fromPSBT(base64.decode(psbt)));
        for (let input = 0; input < owned.length; input += 1) {
          const { txid, index, sequence } = one?.getInput(input) ?? {};
          assert.deepEqual(other?.getInput(input).txid, txid);
          assert.equal(other?.getInput(input).index, index);
          assert.equal(sequence, 0xfffffffd);
        }
      }),
      { numRuns: 10 },
    );
  });

  test('contains the path of each key and the spent outputs for a signer', () => {
    const owned = [
      { txid: 'bb'.repeat(32), vout: 1, amount: 60_000n, index: 9 },
      { txid: 'aa'.repeat(32), vout: 4, amount: 50_000n, index: 5 },
      { txid: 'aa'.repeat(32), vout: 3, amount: 40_000n, index: 9 },
    ];
    const psbt = Transaction.fromPSBT(base64.decode(built(buildSweep(request({ outputs: owned }))).psbt));
    const inputs = [0, 1, 2].map((input) => {
      const { txid, index, witnessUtxo, bip32Derivation } = psbt.getInput(input);
      const [publicKey, { fingerprint, path }] = bip32Derivation?.[0] ?? [null, { fingerprint: 0, path: [] }];
      assert.deepEqual(publicKey, account.deriveChild(0).deriveChild(path.at(-1) ?? 0).publicKey);
      return [hex.encode(txid ?? point).slice(0, 2), index, witnessUtxo?.amount, fingerprint, path];
    });
    const { fingerprint, path } = origin;
    assert.deepEqual(inputs, [
      ['aa', 3, 40_000n, fingerprint, [...path, 0, 9]],
      ['aa', 4, 50_000n, fingerprint, [...path, 0, 5]],
      ['bb', 1, 60_000n, fingerprint, [...path, 0, 9]],
    ]);
    // Without a known master key, the account key counts as it.
    const { origin: _unknown, ...withoutOrigin } = request({ outputs: owned });
    const { psbt: bare } = built(buildSweep(withoutOrigin));
    const [derivation] = Transaction.fromPSBT(base64.decode(bare)).getInput(0).bip32Derivation ?? [];
    assert.deepEqual(derivation?.[1], { fingerprint: account.fingerprint, path: [0, 9] });
    assert.equal(sign(bare).txid, built(buildSweep(withoutOrigin)).txid);
  });

  test('is rejected if at most dust would remain, exact to the satoshi', () => {
    for (const { address, dust } of Object.values(destinations)) {
      const sweepOf = (amount: bigint) => {
        const owned = [{ txid: 'aa'.repeat(32), vout: 0, amount, index: 0 }];
        return buildSweep(request({ outputs: owned, destination: address, feeRate: 7n }));
      };
      const { fee } = built(sweepOf(1_000_000n));
      assert.equal(built(sweepOf(fee + dust)).amount, dust);
      const sum = fee + dust - 1n;
      assert.deepEqual(sweepOf(sum), { kind: 'refused', reason: 'too_little', sum, fee });
      assert.deepEqual(sweepOf(1n), { kind: 'refused', reason: 'too_little', sum: 1n, fee });
    }
  });

  test('is rejected if it is larger than nodes relay', () => {
    const many = (length: number) =>
      buildSweep(
        request({
          outputs: Array.from({ length }, (_, vout) => ({ txid: 'aa'.repeat(32), vout, amount: 1000n, index: 0 })),
        }),
      );
    const refused = many(1500);
    assert.deepEqual([refused.kind, refused.kind === 'refused' && refused.reason], ['refused', 'too_many']);
  });

  test('has the correct size if the number of inputs takes more bytes', () => {
    const owned = Array.from({ length: 253 }, (_, vout) => ({
      txid: 'aa'.repeat(32),
      vout,
      amount: 1000n,
      index: vout % 3,
    }));
    const sweep = built(buildSweep(request({ outputs: owned })));
    const { virtualBytes } = sign(sweep.psbt);
    // One in 128 signatures is a byte shorter.
    assert.ok(virtualBytes <= sweep.virtualBytes && sweep.virtualBytes - virtualBytes <= 1n);
  });

  test('is not built from an invalid request', () => {
    const owned = [{ txid: 'aa'.repeat(32), vout: 0, amount: 100_000n, index: 0 }];
    for (const [changes, pattern] of [
      [{ outputs: [] }, /at least one output/],
      [{ outputs: [...owned, ...owned] }, /duplicate/],
      [{ outputs: owned, feeRate: 0n }, /at least 1 sat/],
      [{ outputs: owned, destination: '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' }, /not an address of regtest/],
      [{ outputs: owned, accountKey: 'vpub' }, /not an extended account key/],
      [
        { outputs: [{ txid: 'aa'.repeat(32), vout: 0, amount: 100_000n, index: -1 }] },
        /index of an address must be from 0/,
      ],
    ] as const) {
      assert.throws(() => buildSweep(request(changes)), pattern);
    }
  });

  test('is signed only by its own account, and only with its own structure', () => {
    const owned = [{ txid: 'aa'.repeat(32), vout: 0, amount: 100_000n, index: 3 }];
    const { psbt } = built(buildSweep(request({ outputs: owned })));
    const stranger = master.derive("m/84'/1'/1'").privateExtendedKey;
    for (const [key, pattern] of [
      [stranger, /does not belong to this account/],
      [accountKey, /needs the account’s private key/],
      ['nonsense', /not an extended account key/],
    ] as const) {
      assert.throws(
        () => signSweep({ network, accountKey: key, psbt }),
        (error) => {
          assert.match(String(error), pattern);
          return !inspect(error, { depth: 9, showHidden: true }).includes(stranger);
        },
      );
    }
    const edited = (edit: (transaction: Transaction) => void) => {
      const transaction = Transaction.fromPSBT(base64.decode(psbt));
      edit(transaction);
      return base64.encode(transaction.toPSBT());
    };
    const change = (transaction: Transaction) => transaction.addOutputAddress(destinations.tr.address, 1000n, network);
    assert.throws(() => sign(edited(change)), /one output/);
    const bare = Transaction.fromPSBT(base64.decode(psbt));
    const { txid, index, witnessUtxo } = bare.getInput(0);
    assert.ok(txid && index !== undefined && witnessUtxo);
    const unnamed = new Transaction();
    unnamed.addInput({ txid, index, witnessUtxo });
    unnamed.addOutputAddress(destinations.tr.address, 1000n, network);
    assert.throws(() => sign(base64.encode(unnamed.toPSBT())), /has no key derivation/);
    for (const broken of ['', psbt.slice(0, -8), 'cHNidP8='] as const) assert.throws(() => sign(broken));
  });
});

describe('a sweep on a real node', () => {
  let node: Regtest;
  let chain: Chain;

  before(async () => {
    node = await startRegtest();
    chain = createBitcoinChain({ url: node.url, network });
  });
  after(async () => {
    await chain.close();
    await node.stop();
  });

  /** Pays our addresses, mines the payments, and returns the outputs reported by the chain. */
  async function receive(amounts: readonly bigint[]): Promise<OwnOutput[]> {
    const indexes = new Map(amounts.map((_, index) => [derive(accountKey, index), index]));
    const paid = [...indexes.keys()].map((address, index) => ({ address, amount: amounts[index] ?? 0n }));
    await node.payAll(paid);
    await node.mine(1);
    const { height } = await chain.tip();
    const block = await chain.block(height, async (addresses) => new Set(addresses.filter((one) => indexes.has(one))));
    return (block?.deposits ?? []).map(({ paymentKey, txHash, amount, address }) => ({
      txid: txHash,
      vout: Number(paymentKey.split(':')[1]),
      amount,
      index: indexes.get(address) ?? -1,
    }));
  }

  test('is accepted and mined for every type of destination', async () => {
    for (const { address } of Object.values(destinations)) {
      const owned = await receive([50_000n, 70_000n, 90_000n]);
      assert.equal(owned.length, 3);
      const sweep = built(buildSweep(request({ outputs: owned, destination: address, feeRate: 3n })));
      const signed = sign(sweep.psbt);
      assert.deepEqual(await chain.broadcast(signed.raw), { kind: 'sent' });
      const { size, fee } = await node.call<{ size: number; fee: number }>('getmempoolentry', sweep.txid);
      // The node computes size and fee itself.
      assert.equal(BigInt(size), signed.virtualBytes);
      assert.equal(BigInt(Math.round(fee * 1e8)), sweep.fee);
      const { height } = await chain.tip();
      await node.mine(1);
      const block = await chain.block(
        height + 1,
        async (addresses) => new Set(addresses.filter((one) => one === address)),
      );
      assert.deepEqual(
        block?.deposits.map(({ paymentKey, amount }) => [paymentKey, amount]),
        [[`${sweep.txid}:0`, sweep.amount]],
      );
      assert.deepEqual(await chain.findTransaction(sweep.txid, height), {
        state: 'mined',
        block: { height: height + 1, hash: block?.hash },
      });
    }
  });

  test('is replaced by one with a higher rate, but not by one with the same rate', async () => {
    const owned = await receive([60_000n, 80_000n]);
    const { height } = await chain.tip();
    const at = (feeRate: bigint) => sign(built(buildSweep(request({ outputs: owned, feeRate }))).psbt);
    const [cheap, dear] = [at(2n), at(3n)];
    const elsewhere = sign(
      built(buildSweep(request({ outputs: owned, feeRate: 2n, destination: derive(accountKey, 77) }))).psbt,
    );
    assert.deepEqual(await chain.broadcast(cheap.raw), { kind: 'sent' });
    assert.equal((await chain.broadcast(elsewhere.raw)).kind, 'refused');
    assert.deepEqual(await chain.broadcast(dear.raw), { kind: 'sent' });
    assert.deepEqual(await chain.findTransaction(cheap.txid, height), { state: 'unknown' });
    assert.deepEqual(await chain.findTransaction(dear.txid, height), { state: 'waiting' });
    await node.mine(1);
    assert.equal((await chain.findTransaction(dear.txid, height)).state, 'mined');
    const result = await chain.broadcast(cheap.raw);
    assert.deepEqual(result, { kind: 'refused', reason: 'bad-txns-inputs-missingorspent', cause: 'inputs' });
  });
});

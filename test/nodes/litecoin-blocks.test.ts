import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { RawOldTx, RawTx } from '@scure/btc-signer/script.js';
import fc from 'fast-check';
import { parseBlock, parseTransaction } from '../../src/chains/bitcoin/blocks.ts';
import { isWithinMweb } from '../../src/chains/bitcoin/mweb.ts';
import { createScriptToAddress } from '../../src/chains/bitcoin/script-address.ts';
import { litecoin as litecoinChain } from '../../src/shared/chains/litecoin.ts';
import { ChainError } from '../../src/chains/port.ts';

const addressOf = createScriptToAddress(litecoinChain.networks.regtest);
const isChainError = (error: unknown) => error instanceof ChainError;

const twice = (bytes: Uint8Array) => createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const output = fc.record({
  amount: fc.bigInt(1n, 10n ** 12n),
  script: fc.oneof(
    bytes(20).map((hash) => Uint8Array.from([0x00, 0x14, ...hash])),
    // Peg-in, and the HogEx's own output.
    bytes(32).map((hash) => Uint8Array.from([0x59, 0x20, ...hash])),
    bytes(32).map((hash) => Uint8Array.from([0x58, 0x20, ...hash])),
  ),
});
const input = fc.record({
  txid: bytes(32),
  index: fc.nat(3),
  finalScriptSig: fc.uint8Array({ maxLength: 300 }),
  sequence: fc.constant(0xffffffff),
});
const plain = fc.record({
  version: fc.constantFrom(1, 2),
  inputs: fc.array(input, { minLength: 1, maxLength: 3 }),
  outputs: fc.array(output, { minLength: 1, maxLength: 4 }),
  lockTime: fc.nat(1000),
});
type Plain = typeof plain extends fc.Arbitrary<infer Value> ? Value : never;

/** With or without witnesses and an MWEB part, as Litecoin Core writes it. */
function written(transaction: Plain, { witness, mweb }: { witness: boolean; mweb: Uint8Array | null }): Buffer {
  const old = Buffer.from(RawOldTx.encode(transaction));
  const witnesses = transaction.inputs.map(() => [Uint8Array.of(1, 2, 3), new Uint8Array(300)]);
  const standard = witness ? Buffer.from(RawTx.encode({ ...transaction, segwitFlag: true, witnesses })) : old;
  if (mweb === null) return standard;
  const body = standard.subarray(witness ? 6 : 4, -4);
  return Buffer.concat([old.subarray(0, 4), Buffer.from([0, witness ? 9 : 8]), body, mweb, old.subarray(-4)]);
}

const txidOf = (transaction: Plain) =>
  Buffer.from(twice(RawOldTx.encode(transaction)))
    .reverse()
    .toString('hex');

const paysOf = (transaction: Plain) =>
  transaction.outputs.flatMap(({ amount, script }, vout) => {
    const address = addressOf(script);
    return address === null ? [] : [{ txid: txidOf(transaction), vout, address, amount }];
  });

function headerOf(transactions: readonly Plain[]): Buffer {
  let level: Buffer[] = transactions.map((each) => twice(RawOldTx.encode(each)));
  while (level.length > 1)
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, place) =>
      twice(
        Buffer.concat([
          level[2 * place] ?? Buffer.alloc(0),
          level[2 * place + 1] ?? level[2 * place] ?? Buffer.alloc(0),
        ]),
      ),
    );
  return Buffer.concat([Buffer.alloc(36), level[0] ?? Buffer.alloc(32), Buffer.alloc(12)]);
}

describe('blocks with an extension block', () => {
  const block = fc.record({
    transactions: fc.uniqueArray(plain, { minLength: 1, maxLength: 6, selector: txidOf }),
    hogEx: plain,
    extension: fc.uint8Array({ minLength: 1, maxLength: 500 }),
    witness: fc.boolean(),
  });
  const rawOf = ({
    transactions,
    hogEx,
    extension,
    witness,
  }: typeof block extends fc.Arbitrary<infer Value> ? Value : never) =>
    Buffer.concat([
      headerOf([...transactions, hogEx]),
      Buffer.from([transactions.length + 1]),
      ...transactions.map((each) => written(each, { witness, mweb: null })),
      written(hogEx, { witness: false, mweb: Uint8Array.of(0) }),
      Buffer.from([1, ...extension]),
    ]);

  test('contain every ordinary output, and identify the HogEx', async () => {
    await fc.assert(
      fc.asyncProperty(block, async (given) => {
        fc.pre(given.transactions.every((each) => txidOf(each) !== txidOf(given.hogEx)));
        const { txids, outputs, hogEx } = await parseBlock(rawOf(given), addressOf);
        const all = [...given.transactions, given.hogEx];
        assert.deepEqual(txids, all.map(txidOf));
        assert.deepEqual(outputs, all.flatMap(paysOf));
        assert.equal(hogEx, txidOf(given.hogEx));
      }),
    );
  });

  test('are rejected if their bytes before the extension block are truncated or changed', async () => {
    await fc.assert(
      fc.asyncProperty(block, fc.nat(), fc.integer({ min: 1, max: 255 }), async (given, place, mask) => {
        const raw = rawOf(given);
        const end = raw.length - given.extension.length - 1;
        await assert.rejects(parseBlock(raw.subarray(0, place % end), addressOf), isChainError);
        const changed = Buffer.from(raw);
        const at = 36 + (place % 32);
        changed[at] = (changed[at] ?? 0) ^ mask;
        await assert.rejects(parseBlock(changed, addressOf), isChainError);
      }),
    );
  });

  test('an MWEB part that is not at the end is rejected, as are extra bytes after an ordinary block', async () => {
    await fc.assert(
      fc.asyncProperty(plain, plain, async (one, other) => {
        fc.pre(txidOf(one) !== txidOf(other));
        const hogEx = written(one, { witness: false, mweb: Uint8Array.of(0) });
        const ordinary = written(other, { witness: true, mweb: null });
        const first = Buffer.concat([headerOf([one, other]), Buffer.from([2]), hogEx, ordinary]);
        await assert.rejects(parseBlock(first, addressOf), isChainError);
        const full = written(one, { witness: false, mweb: Uint8Array.of(1, 7) });
        const last = Buffer.concat([headerOf([other, one]), Buffer.from([2]), ordinary, full]);
        await assert.rejects(parseBlock(last, addressOf), isChainError);
        const behind = Buffer.concat([headerOf([other]), Buffer.from([1]), ordinary, Buffer.from([1])]);
        await assert.rejects(parseBlock(behind, addressOf), isChainError);
      }),
    );
  });
});

describe('transactions with an MWEB part', () => {
  test('have their hash and their ordinary outputs', async () => {
    await fc.assert(
      fc.asyncProperty(
        plain,
        fc.boolean(),
        fc.uint8Array({ minLength: 1, maxLength: 500 }),
        async (given, witness, part) => {
          const raw = written(given, { witness, mweb: Uint8Array.of(1, ...part) }).toString('hex');
          assert.equal(isWithinMweb(raw), false);
          assert.deepEqual(await parseTransaction(raw, addressOf), { txid: txidOf(given), outputs: paysOf(given) });
        },
      ),
    );
  });

  test('are detected if they stay within the extension block', () => {
    // As in the mempool of Litecoin Core; the part is truncated.
    assert.equal(isWithinMweb('0200000000080000012633aeca3321d08024927df0712cb12e7769b92871'), true);
    assert.equal(isWithinMweb('020000000001010000'), false);
  });
});

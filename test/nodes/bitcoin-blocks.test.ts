import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { BTCArray, RawOldTx, RawTx } from '@scure/btc-signer/script.js';
import fc from 'fast-check';
import { type AddressOutput, parseBlock, type ParsedBlock, parseTransaction } from '../../src/chains/bitcoin/blocks.ts';
import { createScriptToAddress } from '../../src/chains/bitcoin/script-address.ts';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import { ChainError } from '../../src/chains/port.ts';
import { createTimeSlices } from '../../src/system/time-slices.ts';
import { count } from '../support/mempool-node.ts';

const addressOf = createScriptToAddress(bitcoinChain.networks.mainnet);

/** The genesis block, as every node has it. Its only output pays a bare key. */
const genesis =
  '0100000000000000000000000000000000000000000000000000000000000000000000003ba3edfd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c0101000000010000000000000000000000000000000000000000000000000000000000000000ffffffff4d04ffff001d0104455468652054696d65732030332f4a616e2f32303039204368616e63656c6c6f72206f6e206272696e6b206f66207365636f6e64206261696c6f757420666f722062616e6b73ffffffff0100f2052a01000000434104678afdb0fe5548271967f1a67130b7105cd6a828e03909a67962e0ea1f61deb649f6bc3f4cef38c4f35504e51ec112de5c384df7ba0b8d578a4c702b6bf11d5fac00000000';

interface WrittenTransaction {
  version: number;
  inputs: { txid: Uint8Array; vout: number; script: Uint8Array; sequence: number; witness: Uint8Array[] }[];
  outputs: { amount: bigint; script: Uint8Array }[];
  lockTime: number;
}

/*
 * Writes blocks according to the protocol's documentation, without code shared with the parser.
 */

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
}

function amount(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

const list = (items: Uint8Array[]) => Buffer.concat([count(items.length), ...items]);
const lengthAnd = (bytes: Uint8Array) => Buffer.concat([count(bytes.length), bytes]);

function writeTransaction({ version, inputs, outputs, lockTime }: WrittenTransaction, withWitness: boolean): Buffer {
  const hasWitness = withWitness && inputs.some(({ witness }) => witness.length > 0);
  return Buffer.concat([
    number(version),
    Buffer.from(hasWitness ? [0, 1] : []),
    list(
      inputs.map(({ txid, vout, script, sequence }) =>
        Buffer.concat([txid, number(vout), lengthAnd(script), number(sequence)]),
      ),
    ),
    list(outputs.map(({ amount: value, script }) => Buffer.concat([amount(value), lengthAnd(script)]))),
    ...(hasWitness ? inputs.map(({ witness }) => list(witness.map(lengthAnd))) : []),
    number(lockTime),
  ]);
}

function hash(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
}

const shown = (bytes: Uint8Array) => Buffer.from(bytes).reverse().toString('hex');

function writeRoot(hashes: Buffer[]): Buffer {
  const [only] = hashes;
  if (hashes.length === 1 && only) return only;
  const pairs = Array.from({ length: Math.ceil(hashes.length / 2) }, (_, pair) => {
    const left = hashes[pair * 2] ?? Buffer.alloc(0);
    return hash(Buffer.concat([left, hashes[pair * 2 + 1] ?? left]));
  });
  return writeRoot(pairs);
}

interface Written {
  raw: Buffer;
  hash: string;
  parentHash: string;
  seconds: number;
  txids: string[];
}

function writeBlock(parent: Uint8Array, seconds: number, transactions: WrittenTransaction[]): Written {
  const hashes = transactions.map((transaction) => hash(writeTransaction(transaction, false)));
  const header = Buffer.concat([
    number(0x20000000),
    parent,
    writeRoot(hashes),
    number(seconds),
    number(0x207fffff),
    number(7),
  ]);
  return {
    raw: Buffer.concat([header, list(transactions.map((transaction) => writeTransaction(transaction, true)))]),
    hash: shown(hash(header)),
    parentHash: shown(parent),
    seconds,
    txids: hashes.map(shown),
  };
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const anyBytes = (maxLength: number) => fc.uint8Array({ maxLength });
const around = (before: number[], length: number, after: number[] = []) =>
  bytes(length).map((payload) => Uint8Array.from([...before, ...payload, ...after]));

const outputScript = fc.oneof(
  around([0x76, 0xa9, 0x14], 20, [0x88, 0xac]),
  around([0xa9, 0x14], 20, [0x87]),
  around([0x00, 0x14], 20),
  around([0x00, 0x20], 32),
  around([0x51, 0x20], 32),
  around([0x00, 0x4c, 0x14], 20),
  around([0x6a, 0x04], 4),
  anyBytes(300),
);

const transaction: fc.Arbitrary<WrittenTransaction> = fc.record({
  version: fc.integer({ min: 0, max: 0xffffffff }),
  inputs: fc.array(
    fc.record({
      txid: bytes(32),
      vout: fc.integer({ min: 0, max: 0xffffffff }),
      script: anyBytes(300),
      sequence: fc.integer({ min: 0, max: 0xffffffff }),
      witness: fc.array(anyBytes(300), { maxLength: 3 }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  outputs: fc.array(fc.record({ amount: fc.bigInt({ min: 0n, max: 2_100_000_000_000_000n }), script: outputScript }), {
    maxLength: 5,
  }),
  lockTime: fc.integer({ min: 0, max: 0xffffffff }),
});

const block = fc.record({
  parent: bytes(32),
  seconds: fc.integer({ min: 0, max: 0xffffffff }),
  transactions: fc.uniqueArray(transaction, {
    minLength: 1,
    maxLength: 7,
    selector: (written) => writeTransaction(written, false).toString('hex'),
  }),
});

/** The expected result. */
function paidIn(transactions: WrittenTransaction[], txids: string[]): AddressOutput[] {
  return transactions.flatMap(({ outputs }, index) =>
    outputs.flatMap(({ amount, script }, vout) => {
      const address = addressOf(script);
      return address && amount > 0n ? [{ txid: txids[index] ?? '', vout, address, amount }] : [];
    }),
  );
}

async function parse(raw: string): Promise<ParsedBlock> {
  return await parseBlock(Buffer.from(raw, 'hex'), addressOf);
}

/** The transaction hashes according to a general decoder; null if it fails. */
function plainly(raw: Buffer): Buffer[] | null {
  try {
    const transactions = BTCArray(RawTx).decode(raw.subarray(80));
    return transactions.map((each) => hash(RawOldTx.encode(each)));
  } catch {
    return null;
  }
}

describe('blocks', () => {
  test('the genesis block is parsed', async () => {
    assert.deepEqual(await parse(genesis), {
      hash: bitcoinChain.networks.mainnet.genesisHash,
      parentHash: '0'.repeat(64),
      minedAt: Date.UTC(2009, 0, 3, 18, 15, 5) * 1000,
      txids: ['4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b'],
      outputs: [],
    });
  });

  test('any block is parsed as written, with or without witnesses', async () => {
    await fc.assert(
      fc.asyncProperty(block, async ({ parent, seconds, transactions }) => {
        const written = writeBlock(parent, seconds, transactions);
        assert.deepEqual(await parse(written.raw.toString('hex')), {
          hash: written.hash,
          parentHash: written.parentHash,
          minedAt: seconds * 1_000_000,
          txids: written.txids,
          outputs: paidIn(transactions, written.txids),
        });
      }),
    );
  });

  test('a truncated block or one with extra bytes is rejected', async () => {
    await fc.assert(
      fc.asyncProperty(block, async ({ parent, seconds, transactions }) => {
        const raw = writeBlock(parent, seconds, transactions).raw.toString('hex');
        for (let end = 0; end < raw.length; end += 1 + Math.floor(raw.length / 300)) {
          await assert.rejects(parse(raw.slice(0, end)), isUnreadable);
        }
        await assert.rejects(parse(raw.slice(0, -1)), isUnreadable);
        await assert.rejects(parse(`${raw}00`), isUnreadable);
        await assert.rejects(parse(raw + raw), isUnreadable);
      }),
      { numRuns: 20 },
    );
  });

  test('a block with a changed byte is rejected, has another hash, or differs only in uncommitted bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        block,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        async ({ parent, seconds, transactions }, at, flip) => {
          const { raw, hash: name, txids } = writeBlock(parent, seconds, transactions);
          const position = at % raw.length;
          raw[position] = (raw[position] ?? 0) ^ flip;
          let read: ParsedBlock;
          try {
            read = await parse(raw.toString('hex'));
          } catch (error) {
            assert.ok(isUnreadable(error));
            const plain = plainly(raw);
            assert.ok(plain === null || !writeRoot(plain).equals(raw.subarray(36, 68)));
            return;
          }
          assert.deepEqual(read.txids, plainly(raw)?.map(shown));
          if (read.hash !== name) return;
          assert.deepEqual([read.txids, read.outputs], [txids, paidIn(transactions, txids)]);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('other data is rejected immediately', async () => {
    const header = genesis.slice(0, 160);
    for (const raw of [
      '',
      header,
      // No transactions, or counts larger than any block.
      `${header}00`,
      `${header}ffffffffffffffffff`,
      `${header}feffffffff`,
      `${header}0101000000ffffffffffffffffff`,
      `${header}010100000001${'00'.repeat(36)}feffffff7f`,
      // A count that is not in its shortest form.
      `${header}fd0100${genesis.slice(162)}`,
    ]) {
      await assert.rejects(parse(raw), isUnreadable, raw.slice(0, 200));
    }
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 1000 }), async (noise) => {
        await assert.rejects(parse(Buffer.from(noise).toString('hex')), isUnreadable);
      }),
    );
  });

  test('a block with repeated transactions under the same root is rejected', async () => {
    const [one] = fc.sample(block, { numRuns: 1, seed: 1 });
    assert.ok(one);
    const { parent, seconds } = one;
    const transactions = [0, 1, 2].map((lockTime) => ({ ...exampleTransaction, lockTime }));
    const honest = writeBlock(parent, seconds, transactions);
    const repeated = writeBlock(parent, seconds, [...transactions, ...transactions.slice(2)]);
    assert.equal(repeated.hash, honest.hash);
    assert.equal((await parse(honest.raw.toString('hex'))).outputs.length, 3);
    await assert.rejects(parse(repeated.raw.toString('hex')), /twice/);
  });

  test('a full block is parsed', async () => {
    const transactions = Array.from({ length: 5000 }, (_, lockTime) => ({ ...exampleTransaction, lockTime }));
    const { raw } = writeBlock(new Uint8Array(32), 1, transactions);
    assert.ok(raw.length > 800_000);
    const { outputs, txids } = await parse(raw.toString('hex'));
    assert.deepEqual([outputs.length, new Set(txids).size], [5000, 5000]);
    assert.ok(
      outputs.every(({ address, amount }) => address === '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2' && amount === 9n),
    );
  });

  test('other work runs while several blocks are parsed', async () => {
    const raws = [1, 2, 3].map((version) => {
      const transactions = Array.from({ length: 40 }, (_, lockTime) => ({ ...exampleTransaction, version, lockTime }));
      return writeBlock(new Uint8Array(32), 1, transactions).raw;
    });
    let [time, turn, isOver] = [0, 0, false];
    const countTicks = () => {
      turn += 1;
      if (!isOver) setImmediate(countTicks);
    };
    countTicks();
    const portions = createTimeSlices(() => time);
    const perTurn = new Map<number, number>();
    const slowly = (script: Uint8Array) => {
      // A millisecond per address.
      time += 1;
      perTurn.set(turn, (perTurn.get(turn) ?? 0) + 1);
      return addressOf(script);
    };
    const read = await Promise.all(raws.map(async (raw) => await parseBlock(raw, slowly, portions)));
    isOver = true;
    assert.deepEqual(await Promise.all(raws.map(async (raw) => await parseBlock(raw, addressOf))), read);
    assert.equal(time, 120);
    assert.ok(Math.max(...perTurn.values()) <= 5, 'no event loop iteration is longer than a portion');
  });
});

const exampleTransaction: WrittenTransaction = {
  version: 2,
  inputs: [
    {
      txid: new Uint8Array(32).fill(1),
      vout: 0,
      script: new Uint8Array(),
      sequence: 0,
      witness: [new Uint8Array(71), new Uint8Array(33)],
    },
  ],
  outputs: [{ amount: 9n, script: Buffer.from('76a91477bff20c60e522dfaa3350c39b030a5d004e839a88ac', 'hex') }],
  lockTime: 0,
};

describe('transactions', () => {
  test('any transaction is parsed as written, with the hash that excludes its witness', async () => {
    await fc.assert(
      fc.asyncProperty(transaction, async (written) => {
        const raw = writeTransaction(written, true).toString('hex');
        const txid = shown(hash(writeTransaction(written, false)));
        assert.deepEqual(await parseTransaction(raw, addressOf), { txid, outputs: paidIn([written], [txid]) });
      }),
    );
  });

  test('an output of 0 is not a deposit', async () => {
    const [output] = exampleTransaction.outputs;
    assert.ok(output);
    const written = { ...exampleTransaction, outputs: [{ ...output, amount: 0n }, output] };
    const { outputs } = await parseTransaction(writeTransaction(written, true).toString('hex'), addressOf);
    assert.deepEqual(
      outputs.map(({ vout, amount }) => [vout, amount]),
      [[1, 9n]],
    );
  });

  test('a truncated transaction or one with extra bytes is rejected', async () => {
    const raw = writeTransaction(exampleTransaction, true).toString('hex');
    for (let end = 0; end < raw.length; end += 1) {
      await assert.rejects(parseTransaction(raw.slice(0, end), addressOf), isUnreadable);
    }
    for (const end of ['00', 'zz', '0'])
      await assert.rejects(parseTransaction(`${raw}${end}`, addressOf), isUnreadable);
  });
});

function isUnreadable(error: unknown): boolean {
  return error instanceof ChainError && error.kind === 'down' && /malformed/.test(error.message);
}

import { createHash } from 'node:crypto';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import { respondEach, type NodeServer, openNodeServer } from './node-server.ts';

/** A transaction as nodes relay it: one input with an unknown output, one P2WPKH output. */
export function buildTransaction(
  seed: number,
  program: Uint8Array = new Uint8Array(20),
): { txid: string; raw: string } {
  const bytes = Buffer.alloc(82);
  bytes.writeUInt32LE(2);
  bytes[4] = 1;
  bytes.writeUInt32LE(seed + 1, 5);
  bytes.writeUInt32LE(0xffff_ffff, 42);
  bytes[46] = 1;
  bytes.writeBigUInt64LE(10_000n, 47);
  bytes.set([22, 0, 20], 55);
  bytes.set(program, 58);
  const txid = doubleSha256(bytes).reverse().toString('hex');
  return { txid, raw: bytes.toString('hex') };
}

/** A block with a number of transactions, each with one input, a witness of a given size, and P2WPKH outputs. */
export function buildBlock(shape: { transactions: number; witness: number; outputs: number }): {
  hash: string;
  raw: Buffer;
} {
  const [version, end] = [Buffer.from([2, 0, 0, 0]), Buffer.alloc(4)];
  const transactions = Array.from({ length: shape.transactions }, (_, seed) => {
    const input = Buffer.alloc(42);
    input[0] = 1;
    input.writeUInt32LE(seed + 1, 1);
    const outputs = Array.from({ length: shape.outputs }, (_output, vout) => {
      const output = Buffer.alloc(31);
      output.writeBigUInt64LE(10_000n);
      output.set([22, 0, 20], 8);
      output.writeUInt32LE(seed, 11);
      output.writeUInt32LE(vout, 15);
      return output;
    });
    const plain = Buffer.concat([input, count(shape.outputs), ...outputs]);
    const witness = [count(1), count(shape.witness), Buffer.alloc(shape.witness)];
    return {
      hash: doubleSha256(Buffer.concat([version, plain, end])),
      raw: Buffer.concat([version, Buffer.from([0, 1]), plain, ...witness, end]),
    };
  });
  let level = transactions.map(({ hash }) => hash);
  while (level.length > 1)
    level = Array.from({ length: Math.ceil(level.length / 2) }, (_, place) => {
      const left = level[2 * place] ?? Buffer.alloc(0);
      return doubleSha256(Buffer.concat([left, level[2 * place + 1] ?? left]));
    });
  const header = Buffer.concat([Buffer.alloc(36), level[0] ?? Buffer.alloc(32), Buffer.alloc(12)]);
  return {
    hash: doubleSha256(header).reverse().toString('hex'),
    raw: Buffer.concat([header, count(transactions.length), ...transactions.map(({ raw }) => raw)]),
  };
}

/** A count before a list, as in transactions and blocks (CompactSize). */
export function count(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value]);
  const bytes = Buffer.alloc(value <= 0xffff ? 3 : 5);
  bytes[0] = value <= 0xffff ? 0xfd : 0xfe;
  if (value <= 0xffff) bytes.writeUInt16LE(value, 1);
  else bytes.writeUInt32LE(value, 1);
  return bytes;
}

function doubleSha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
}

/** Simulates a regtest node with a large mempool: no node available here has hundreds of thousands of transactions. */
export interface MempoolNode extends NodeServer {
  /** Raw transactions by txid. Those in `listed` but not here have left the mempool when they are requested. */
  transactions: Map<string, string>;
  /** `getrawmempool`; the keys of `transactions` by default. */
  listed: readonly string[] | null;
  /** `getmempoolinfo`. */
  info: Record<string, unknown>;
  bestBlock: string;
  /** The only block after the genesis block, at height 1. */
  block: { hash: string; raw: string } | null;
  countOf(method: string): number;
}

export async function openMempoolNode(): Promise<MempoolNode> {
  const counts = new Map<string, number>();
  const node: MempoolNode = Object.assign(
    await openNodeServer(
      respondEach(({ method, params: [first] }) => {
        counts.set(method, (counts.get(method) ?? 0) + 1);
        switch (method) {
          case 'getblockhash':
            return { result: first === 1 && node.block ? node.block.hash : bitcoinChain.networks.regtest.genesisHash };
          case 'getblock':
            return { result: node.block?.raw };
          case 'getbestblockhash':
            return { result: node.bestBlock };
          case 'getmempoolinfo':
            return { result: { mempoolminfee: 0.00001, loaded: true, ...node.info } };
          case 'getrawmempool':
            return { result: node.listed ?? [...node.transactions.keys()] };
          case 'getrawtransaction': {
            const raw = node.transactions.get(String(first));
            return raw === undefined
              ? { error: { code: -5, message: 'No such mempool transaction' } }
              : { result: raw };
          }
          default:
            throw new Error(`The node does not support ${method}`);
        }
      }),
    ),
    {
      transactions: new Map<string, string>(),
      listed: null,
      info: {},
      bestBlock: bitcoinChain.networks.regtest.genesisHash,
      block: null,
      countOf: (method: string) => counts.get(method) ?? 0,
    },
  );
  return node;
}

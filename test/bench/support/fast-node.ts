import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { bitcoin as bitcoinChain } from '../../../src/shared/chains/bitcoin.ts';
import { at } from './figures.ts';

interface Call {
  id: number | string;
  method: string;
  params: readonly unknown[];
}

/** A witness program of 20 bytes, the recipient of an output (BIP 141). */
export type WitnessProgram = Uint8Array;

/**
 * A Bitcoin node that responds immediately with prepared blocks, to measure the reader and not a node. Blocks are
 * complete and linked (transactions, root, parents), and valid except for signatures and proof of work.
 */
export class FastNode {
  readonly #server: Server;
  /** By height; the genesis block has only its hash. */
  readonly #hashes: string[] = [bitcoinChain.networks.regtest.genesisHash];
  readonly #blocks = new Map<string, Buffer>();
  #published = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const calls = JSON.parse(Buffer.concat(chunks).toString()) as Call | Call[];
        const result = Array.isArray(calls) ? calls.map((call) => this.#respond(call)) : this.#respond(calls);
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://user:password@127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  close() {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** Creates blocks with this number of transactions with two outputs each; every tenth block pays one of `paid`. */
  create(blocks: number, transactions: number, paid: readonly WitnessProgram[]): void {
    for (let created = 0; created < blocks; created += 1) {
      const height = this.#hashes.length;
      const ours = height % 10 === 0 ? at(paid, (height / 10) % paid.length) : null;
      const bodies = Array.from({ length: transactions }, (_, index) =>
        transaction(height, index, index === 1 ? ours : null),
      );
      const header = headerOf(at(this.#hashes, height - 1), height, rootOf(bodies.map(doubleSha256)));
      const hash = shown(doubleSha256(header));
      this.#hashes.push(hash);
      this.#blocks.set(hash, Buffer.concat([header, size(bodies.length), ...bodies]));
    }
  }

  /** Publishes all created blocks; returns the height. */
  publish(): number {
    this.#published = this.#hashes.length - 1;
    return this.#published;
  }

  #respond({ id, method, params }: Call) {
    const result = this.#resultOf(method, params);
    return result === undefined
      ? { id, error: { code: -8, message: 'Block height out of range' } }
      : { id, result, error: null };
  }

  #resultOf(method: string, [first]: readonly unknown[]): unknown {
    switch (method) {
      case 'getblockchaininfo':
        return { blocks: this.#published, headers: this.#published, bestblockhash: at(this.#hashes, this.#published) };
      case 'getblockhash':
        return Number(first) <= this.#published ? this.#hashes[Number(first)] : undefined;
      case 'getblock':
        return this.#blocks.get(String(first))?.toString('hex');
      case 'getbestblockhash':
        return at(this.#hashes, this.#published);
      case 'getrawmempool':
        return [];
      case 'getmempoolinfo':
        return { mempoolminfee: 0.00001, loaded: true };
      case 'estimatesmartfee':
        return {};
      default:
        throw new Error(`The node does not support ${method}`);
    }
  }
}

/** A transaction without witness: an unknown input, an output to `ours` or an unknown program, and one to another. */
function transaction(height: number, index: number, ours: WitnessProgram | null): Buffer {
  const seed = createHash('sha256').update(`${height}:${index}`).digest();
  const input = Buffer.concat([seed, number(0), size(0), number(0xffff_ffff)]);
  const outputs = [output(10_000n, ours ?? seed.subarray(0, 20)), output(20_000n, seed.subarray(12))];
  return Buffer.concat([number(2), size(1), input, size(outputs.length), ...outputs, number(0)]);
}

function output(amount: bigint, program: Uint8Array): Buffer {
  const value = Buffer.alloc(8);
  value.writeBigUInt64LE(amount);
  return Buffer.concat([value, size(22), Buffer.from([0, 20]), program]);
}

function headerOf(parent: string, height: number, root: Buffer): Buffer {
  const seconds = 1_700_000_000 + height * 600;
  return Buffer.concat([
    number(4),
    Buffer.from(parent, 'hex').reverse(),
    root,
    number(seconds),
    number(0),
    number(height),
  ]);
}

function rootOf(hashes: readonly Buffer[]): Buffer {
  let level = hashes;
  while (level.length > 1) {
    const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, index) => {
      const left = at(level, 2 * index);
      return doubleSha256(Buffer.concat([left, level[2 * index + 1] ?? left]));
    });
    level = pairs;
  }
  return at(level, 0);
}

function doubleSha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest();
}

function shown(hash: Buffer): string {
  return Buffer.from(hash).reverse().toString('hex');
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** A CompactSize integer up to 65535. */
function size(value: number): Buffer {
  if (value < 0xfd) return Buffer.from([value]);
  return Buffer.from([0xfd, value & 0xff, value >> 8]);
}

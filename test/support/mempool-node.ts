import { createHash } from 'node:crypto';
import { bitcoinNetworks } from '../../src/chains/bitcoin/parameters.ts';
import { answerEach, type NodeServer, openNodeServer } from './node-server.ts';

/** A transaction as nodes relay it: one input that nobody knows, one P2WPKH output. */
export function madeTransaction(seed: number, program: Uint8Array = new Uint8Array(20)): { txid: string; raw: string } {
  const bytes = Buffer.alloc(82);
  bytes.writeUInt32LE(2);
  bytes[4] = 1;
  bytes.writeUInt32LE(seed + 1, 5);
  bytes.writeUInt32LE(0xffff_ffff, 42);
  bytes[46] = 1;
  bytes.writeBigUInt64LE(10_000n, 47);
  bytes.set([22, 0, 20], 55);
  bytes.set(program, 58);
  const once = createHash('sha256').update(bytes).digest();
  const txid = createHash('sha256').update(once).digest().reverse().toString('hex');
  return { txid, raw: bytes.toString('hex') };
}

/** A server with the mempool of a node on regtest; made up, because no node here holds hundreds of thousands. */
export interface MempoolNode extends NodeServer {
  /** Raw transactions by txid; what is in `listed` and not here has left the mempool when it is asked for. */
  transactions: Map<string, string>;
  /** `getrawmempool`: those of `transactions` unless set. */
  listed: readonly string[] | null;
  /** `getmempoolinfo`. */
  info: Record<string, unknown>;
  bestBlock: string;
  countOf(method: string): number;
}

export async function openMempoolNode(): Promise<MempoolNode> {
  const counts = new Map<string, number>();
  const node: MempoolNode = Object.assign(
    await openNodeServer(
      answerEach(({ method, params: [first] }) => {
        counts.set(method, (counts.get(method) ?? 0) + 1);
        switch (method) {
          case 'getblockhash':
            return { result: bitcoinNetworks.regtest.genesisHash };
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
            throw new Error(`The node is not made for ${method}`);
        }
      }),
    ),
    {
      transactions: new Map<string, string>(),
      listed: null,
      info: {},
      bestBlock: bitcoinNetworks.regtest.genesisHash,
      countOf: (method: string) => counts.get(method) ?? 0,
    },
  );
  return node;
}

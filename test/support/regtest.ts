import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Address, OutScript, p2wpkh, Transaction } from '@scure/btc-signer';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import { isInstalled } from '../../scripts/regtest.mjs';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import { packageRoot } from '../../src/system/root.ts';

/** A sent payment. */
export interface RegtestPayment {
  txid: string;
  /** Output index of the first address. */
  vout: number;
  raw: string;
  /** The output that it spends; another payment from the same one replaces it. */
  coin: Coin;
  fee: bigint;
}

interface Coin {
  txid: string;
  vout: number;
  amount: bigint;
}

export interface PayOptions {
  /** Satoshi per virtual byte; 2 by default. */
  feeRate?: bigint;
  /** Signals replaceability (BIP 125). */
  replaceable?: boolean;
  /** Spends the same coin as this payment, to replace it. */
  replaces?: RegtestPayment;
}

/** A real Bitcoin node on its own regtest network. */
export interface Regtest {
  /** RPC URL with user and password. */
  url: string;
  password: string;
  /** Any RPC call; rejects with the node's message. */
  call<Result>(method: string, ...params: unknown[]): Promise<Result>;
  /** Mines blocks with the whole mempool, to an address or the wallet. Returns their hashes. */
  mine(count: number, address?: string): Promise<string[]>;
  /** Pays satoshi to an address from the wallet. */
  pay(address: string, amount: bigint, options?: PayOptions): Promise<RegtestPayment>;
  /** Pays several outputs in one transaction; addresses may repeat. */
  payAll(outputs: readonly { address: string; amount: bigint }[], options?: PayOptions): Promise<RegtestPayment>;
  /**
   * Replaces the last blocks with one more, all empty. Orphaned and unconfirmed transactions return to the mempool, unless
   * `isLost`.
   */
  invalidate(depth: number, options?: { isLost?: boolean }): Promise<string[]>;
  /** Removes a transaction from the mempool, as a full mempool does. */
  evict(txid: string): Promise<void>;
  stop(): Promise<void>;
}

const network = bitcoinChain.networks.regtest;
const walletKey = new Uint8Array(32).fill(0x42);
const wallet = p2wpkh(pubECDSA(walletKey), network);

/** Height from which segwit is active on this node. */
const SEGWIT_HEIGHT = 432;
const DUST = 546n;

/** Starts a node whose wallet has about a hundred coins. */
export async function startRegtest(): Promise<Regtest> {
  if (!isInstalled(packageRoot(), 'test/regtest'))
    throw new Error('The Bitcoin node is not installed: run npm test -- chains once');
  const password = 'a secret: with / and @';
  const child = spawn(process.execPath, [join(packageRoot(), 'test', 'regtest', 'node.cjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, REGTEST_PASSWORD: password },
  });
  const port = await portOf(child);
  const origin = `http://127.0.0.1:${port}/`;
  let nextCoinHeight = 1;

  async function call<Result>(method: string, ...params: unknown[]): Promise<Result> {
    const response = await fetch(origin, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        // A keep-alive connection may be closed while the next request is on its way.
        Connection: 'close',
        Authorization: `Basic ${Buffer.from(`paylatch:${password}`).toString('base64')}`,
      },
      body: JSON.stringify({ id: 0, method, params }),
    });
    const { result, error } = (await response.json()) as { result: Result; error: { message: string } | null };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  async function mine(count: number, address = wallet.address ?? ''): Promise<string[]> {
    return await call('generatetoaddress', count, address);
  }

  /** The wallet's next coinbase output; the oldest blocks are the wallet's. */
  async function takeCoin(): Promise<Coin> {
    const height = nextCoinHeight;
    if (height > SEGWIT_HEIGHT) throw new Error('The wallet has no coin left');
    nextCoinHeight += 1;
    const block = await call<{ tx: string[] }>('getblock', await call('getblockhash', height), 1);
    const [txid = ''] = block.tx;
    const { value } = await call<{ value: number }>('gettxout', txid, 0);
    return { txid, vout: 0, amount: BigInt(Math.round(value * 1e8)) };
  }

  async function payAll(
    outputs: readonly { address: string; amount: bigint }[],
    { feeRate = 2n, replaceable = true, replaces }: PayOptions = {},
  ): Promise<RegtestPayment> {
    const coin = replaces?.coin ?? (await takeCoin());
    const build = (fee: bigint) => {
      const transaction = new Transaction({ lowR: true });
      transaction.addInput({
        txid: coin.txid,
        index: coin.vout,
        sequence: replaceable ? 0xfffffffd : 0xffffffff,
        witnessUtxo: { script: wallet.script, amount: coin.amount },
      });
      for (const { address, amount } of outputs) {
        transaction.addOutput({ script: OutScript.encode(Address(network).decode(address)), amount });
      }
      const rest = coin.amount - outputs.reduce((sum, { amount }) => sum + amount, 0n) - fee;
      if (rest < DUST) throw new Error('The coin is too small for this payment');
      transaction.addOutput({ script: wallet.script, amount: rest });
      transaction.sign(walletKey);
      transaction.finalize();
      return transaction;
    };
    const fee = feeRate * BigInt(build(0n).vsize);
    const transaction = build(fee);
    const txid = await call<string>('sendrawtransaction', transaction.hex);
    return { txid, vout: 0, raw: transaction.hex, coin, fee };
  }

  await mine(SEGWIT_HEIGHT);
  return {
    url: `http://paylatch:${encodeURIComponent(password)}@127.0.0.1:${port}/`,
    password,
    call,
    mine,
    pay: async (address, amount, options) => await payAll([{ address, amount }], options),
    payAll,
    invalidate: async (depth, { isLost = false } = {}) => await call('reorg', depth, wallet.address, isLost),
    async evict(txid) {
      await call('evict', txid);
    },
    async stop() {
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    },
  };
}

/** The port reported by the node; rejects if the node ends before that. */
export async function portOf(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('The node has no output');
  const line = once(createInterface(child.stdout), 'line').then(([text]) => String(text));
  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`The node ended with ${code}`)));
  const { port } = JSON.parse(await Promise.race([line, died])) as { port: number };
  died.catch(() => undefined);
  return port;
}

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Decimal } from '@scure/btc-signer';
import { RawOldTx } from '@scure/btc-signer/script.js';
import { bitcoin as bitcoinChain } from '../../src/shared/chains/bitcoin.ts';
import { litecoin as litecoinChain } from '../../src/shared/chains/litecoin.ts';
import { freePort } from './ports.ts';

/** Options of a payment from the node's wallet. */
interface SendOptions {
  /** Satoshi per virtual byte; 2 by default. */
  feeRate?: number;
  /** Signals replaceability (BIP 125); true by default. */
  replaceable?: boolean;
}

interface ReorgOptions {
  /**
   * Contents of the new blocks: the transactions of the old ones again (`remined`), none (`empty`, the default; the old
   * transactions return to the mempool), or these raw transactions in the first new block.
   */
  blocks?: 'remined' | 'empty' | readonly string[];
}

interface RestartOptions {
  /** Command-line options for this run only, such as `-minrelaytxfee=0.0003`. */
  options?: readonly string[];
  /** Starts with an empty data directory: without chain, mempool and wallet. */
  emptied?: boolean;
}

/**
 * A node of the Bitcoin Core family (Debian's Litecoin Core 0.21) on its own regtest chain, with a funded wallet.
 * Amounts are satoshi.
 */
export interface Litecoind {
  /** RPC address with user and password. */
  url: string;
  /** Calls any RPC method, of the wallet too; rejects with the node's message. */
  call<Result = any>(method: string, ...params: unknown[]): Promise<Result>;
  /** A new address of the node's wallet. */
  newAddress(): Promise<string>;
  /** Mines blocks with the mempool's transactions; returns the block hashes. */
  mine(count?: number): Promise<string[]>;
  /** Mines one block with exactly these transactions: raw, or txids from the mempool. */
  mineOnly(transactions: readonly string[]): Promise<string>;
  /** Pays an address from the wallet; returns the txid. */
  sendToAddress(address: string, amount: bigint, options?: SendOptions): Promise<string>;
  /** Pays several outputs in one transaction; the same address may occur more than once. */
  sendOutputs(outputs: readonly (readonly [address: string, amount: bigint])[], options?: SendOptions): Promise<string>;
  /** Pays many addresses with the wallet's `sendmany`. */
  sendMany(amounts: Readonly<Record<string, bigint>>): Promise<string>;
  /** Replaces a wallet transaction with the same payment at a higher fee; returns the new txid. */
  bumpFee(txid: string): Promise<string>;
  /**
   * Signs a transaction that spends an input of `txid` and pays these outputs instead, without sending it. Change goes to
   * the wallet; the fee is `fee`.
   */
  conflicting(txid: string, outputs: readonly (readonly [string, bigint])[], fee?: bigint): Promise<string>;
  /** Raw transaction of the wallet or the mempool. */
  rawOf(txid: string): Promise<string>;
  /** Replaces the last blocks with one more. Returns the new hashes. */
  reorg(depth: number, options?: ReorgOptions): Promise<string[]>;
  /** Drops a transaction from the mempool, as a full mempool does, by restarting the node. */
  evict(txid: string): Promise<void>;
  /** Writes chain and mempool to disk, so that `kill` does not lose them. */
  flush(): Promise<void>;
  /** Ends the node with SIGKILL. */
  kill(): Promise<void>;
  /** Stops the node if it runs, and starts it at the same RPC URL. */
  restart(options?: RestartOptions): Promise<void>;
  /** Signs a PSBT (base64) with the wallet; `sighash` as in `walletprocesspsbt`. */
  signPsbt(psbt: string, sighash?: string): Promise<{ psbt: string; complete: boolean }>;
  stop(): Promise<void>;
}

const USER = 'paylatch';
const PASSWORD = 'a secret: with / and @';
const WALLET = 'w';
/** Coinbase outputs are spendable after 100 blocks. */
const MATURITY = 100;
/** Independent coins of one LTC in the wallet, so that payments do not depend on each other. */
const COINS = 150;

/** 0.00002 LTC per 1,000 virtual bytes are 2 satoshi per virtual byte. */
const perKilobyte = (feeRate: number) => Number((feeRate / 1e5).toFixed(8));
/** Whole coins as a string, so that they are exact. */
const coins = (amount: bigint) => Decimal.encode(amount);

const bitcoinRegtest = { ...bitcoinChain.networks.regtest };
/** The running nodes of this process. */
let running = 0;

/**
 * Settings for the service to use this node as its chain `bitcoin`. Litecoin's regtest differs from Bitcoin's only in
 * address prefixes and genesis block; in this process they replace Bitcoin's until the last node stops, because other
 * test files may follow.
 */
export function litecoindSettings(url: string, accountKey: string): Record<string, string> {
  Object.assign(bitcoinChain.networks.regtest, litecoinChain.networks.regtest);
  return { CHAIN_BTC_URL: url, CHAIN_BTC_NETWORK: 'regtest', CHAIN_BTC_ACCOUNT_KEY: accountKey };
}

/**
 * Starts a node with its own data directory; resolves when it is ready. Its wallet has spendable coins, unless it starts
 * with an empty chain.
 */
export async function startLitecoind(
  options: readonly string[] = [],
  { isEmpty = false }: { isEmpty?: boolean } = {},
): Promise<Litecoind> {
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-litecoind-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let child: ChildProcess | null = null;
  const killNow = () => child?.kill('SIGKILL');
  process.once('exit', killNow);

  async function start(more: readonly string[] = []): Promise<void> {
    child = spawn(
      'litecoind',
      [
        ...['-regtest', `-datadir=${folder}`, '-server', '-listen=0', '-printtoconsole', '-debuglogfile=0'],
        ...[`-rpcuser=${USER}`, `-rpcpassword=${PASSWORD}`, `-rpcport=${port}`],
        ...['-rpcbind=127.0.0.1', '-rpcallowip=127.0.0.1', '-rpcworkqueue=64'],
        // Blocks keep Bitcoin's format: extension blocks (MWEB) are never activated.
        '-vbparams=mweb:4000000000:4000000001',
        ...['-fallbackfee=0.0002', '-mempoolreplacement=1', '-walletrbf=1', '-maxtxfee=1'],
        // The wallet does not rebroadcast, so dropped transactions stay out of the mempool.
        '-walletbroadcast=0',
        ...[...options, ...more],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const { stdout, stderr } = child;
    if (!stdout || !stderr) throw new Error('litecoind has no output');
    let complaints = '';
    stderr.on('data', (chunk: Buffer) => {
      complaints = (complaints + chunk.toString()).slice(-4000);
    });
    const ready = new Promise<void>((resolve) => {
      createInterface(stdout).on('line', (line) => {
        if (line.includes('init message: Done loading')) resolve();
      });
    });
    const died = new Promise<never>((_resolve, reject) => {
      child?.once('error', (error) =>
        reject(new Error('litecoind cannot be started: apt-get install litecoind', { cause: error })),
      );
      child?.once('exit', (code) => reject(new Error(`litecoind ended with ${code}. Output:\n${complaints}`)));
    });
    died.catch(() => undefined);
    await Promise.race([ready, died]);
  }

  async function end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const running = child;
    if (!running || running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, 'exit');
    running.kill(signal);
    await ended;
  }

  async function call<Result = any>(method: string, ...params: unknown[]): Promise<Result> {
    const response = await fetch(`${origin}/`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        // A restart may close a keep-alive connection while the next request is on its way.
        Connection: 'close',
        Authorization: `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString('base64')}`,
      },
      body: JSON.stringify({ id: 0, method, params }),
    });
    const { result, error } = (await response.json()) as {
      result: Result;
      error: { code: number; message: string } | null;
    };
    if (error) throw new Error(`${method}: ${error.message} (${error.code})`);
    return result;
  }

  /** The node responds while it loads its mempool; a block mined before that would miss deposits. */
  async function mempoolLoaded(): Promise<void> {
    while (!(await call<{ loaded: boolean }>('getmempoolinfo')).loaded);
  }

  const newAddress = async () => await call<string>('getnewaddress', '', 'bech32');
  const rawOf = async (txid: string): Promise<string> =>
    await call<string>('getrawtransaction', txid).catch(async () => (await call('gettransaction', txid, true)).hex);
  const broadcast = async (txid: string) => await call<string>('sendrawtransaction', await rawOf(txid));
  const mine = async (count = 1) => await call<string[]>('generatetoaddress', count, await newAddress());
  const mineOnly = async (transactions: readonly string[]) =>
    (await call<{ hash: string }>('generateblock', await newAddress(), transactions)).hash;

  async function sign(raw: string, spent: readonly object[] = []): Promise<string> {
    const { hex, complete } = await call<{ hex: string; complete: boolean }>(
      'signrawtransactionwithwallet',
      raw,
      spent,
    );
    if (!complete) throw new Error('The wallet cannot sign this transaction');
    return hex;
  }

  const listed = (outputs: readonly (readonly [string, bigint])[]) =>
    outputs.map(([address, amount]) => ({ [address]: coins(amount) }));

  /** The RPC rejects duplicate addresses, so two transactions are built and their outputs combined. */
  async function sendOutputs(
    outputs: readonly (readonly [string, bigint])[],
    { feeRate = 2, replaceable = true }: SendOptions = {},
  ): Promise<string> {
    const parsed = await Promise.all(
      listed(outputs).map(async (output) =>
        RawOldTx.decode(Buffer.from(await call<string>('createrawtransaction', [], [output]), 'hex')),
      ),
    );
    const [template] = parsed;
    if (!template) throw new Error('There is nothing to pay');
    const joined = { ...template, outputs: parsed.flatMap((each) => each.outputs) };
    const unfunded = Buffer.from(RawOldTx.encode(joined)).toString('hex');
    const { hex } = await call<{ hex: string }>(
      'fundrawtransaction',
      unfunded,
      { feeRate: perKilobyte(feeRate), replaceable, changePosition: outputs.length, lockUnspents: true },
      false,
    );
    return await call<string>('sendrawtransaction', await sign(hex));
  }

  async function fund(): Promise<void> {
    await mine(MATURITY + 5);
    const targets: Record<string, string> = {};
    for (let index = 0; index < COINS; index += 1) targets[await newAddress()] = '1';
    await broadcast(await call('sendmany', '', targets));
    await mine();
  }

  const node: Litecoind = {
    url: `http://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/`,
    call,
    newAddress,
    mine,
    mineOnly,
    sendToAddress: async (address, amount, sending) => await sendOutputs([[address, amount]], sending),
    sendOutputs,
    sendMany: async (amounts) => {
      const written = Object.entries(amounts).map(([address, amount]) => [address, coins(amount)]);
      return await broadcast(await call('sendmany', '', Object.fromEntries(written)));
    },
    bumpFee: async (txid) => await broadcast((await call<{ txid: string }>('bumpfee', txid)).txid),

    async conflicting(txid, outputs, fee = 20_000n) {
      const { vin } = await call<{ vin: { txid: string; vout: number }[] }>('decoderawtransaction', await rawOf(txid));
      const [coin] = vin;
      if (!coin) throw new Error(`${txid} spends nothing`);
      const { vout } = await call<{ vout: { value: number; scriptPubKey: { hex: string } }[] }>(
        'decoderawtransaction',
        await rawOf(coin.txid),
      );
      const output = vout[coin.vout];
      if (!output) throw new Error(`${coin.txid} has no output ${coin.vout}`);
      const amount = BigInt(Math.round(output.value * 1e8));
      const change = amount - fee - outputs.reduce((sum, [, each]) => sum + each, 0n);
      const raw = await call<string>(
        'createrawtransaction',
        [{ txid: coin.txid, vout: coin.vout, sequence: 0xfffffffd }],
        listed([...outputs, [await newAddress(), change]]),
      );
      // If the first transaction is mined, the node no longer has its coin.
      const { scriptPubKey, value } = output;
      return await sign(raw, [{ txid: coin.txid, vout: coin.vout, scriptPubKey: scriptPubKey.hex, amount: value }]);
    },

    rawOf,

    async reorg(depth, { blocks = 'empty' } = {}) {
      const height = await call<number>('getblockcount');
      await call('invalidateblock', await call('getblockhash', height - depth + 1));
      if (blocks === 'remined') return await mine(depth + 1);
      const hashes = [await mineOnly(blocks === 'empty' ? [] : blocks)];
      while (hashes.length <= depth) hashes.push(await mineOnly([]));
      return hashes;
    },

    async evict(txid) {
      const others = (await call<string[]>('getrawmempool')).filter((other) => other !== txid);
      const raws = await Promise.all(others.map(rawOf));
      await node.restart({ options: ['-persistmempool=0'] });
      for (const raw of raws) await call('sendrawtransaction', raw);
    },

    async flush() {
      await call('gettxoutsetinfo');
      await call('savemempool');
    },
    kill: async () => await end('SIGKILL'),

    async restart({ options: more = [], emptied = false } = {}) {
      await end('SIGTERM');
      if (emptied) rmSync(join(folder, 'regtest'), { recursive: true });
      await start([...more, ...(emptied ? [] : [`-wallet=${WALLET}`])]);
      await mempoolLoaded();
      if (emptied) await call('createwallet', WALLET);
    },

    signPsbt: async (psbt, sighash = 'ALL') => await call('walletprocesspsbt', psbt, true, sighash),

    async stop() {
      process.off('exit', killNow);
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
      running -= 1;
      if (running === 0) Object.assign(bitcoinChain.networks.regtest, bitcoinRegtest);
    },
  };
  running += 1;
  await start();
  await call('createwallet', WALLET);
  if (!isEmpty) await fund();
  return node;
}

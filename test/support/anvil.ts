import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { packageRoot } from '../../src/system/root.ts';

/** A real node with its own chain in its own process. Blocks are mined only when a test asks for them. */
export interface Anvil {
  url: string;
  chainId: number;
  /** Has ether; the node signs for it (`from` of `send`). */
  accounts: readonly string[];
  /** Any JSON-RPC call. Results are not validated. */
  call<Result = string>(method: string, params?: readonly unknown[]): Promise<Result>;
  /** Sends from an account and returns the transaction hash. The gas is fixed, so that a transaction can also fail. */
  send(transaction: { from?: string; to?: string; value?: bigint; data?: string }): Promise<string>;
  mine(blocks?: number): Promise<void>;
  height(): Promise<number>;
  /**
   * Replaces the last blocks with as many others, without their transactions. `transactions` (raw) are added to the new
   * block at their position, counted from 0.
   */
  reorg(depth: number, transactions?: readonly (readonly [raw: string, place: number])[]): Promise<void>;
  stop(): Promise<void>;
}

/** All nodes derive their accounts from this mnemonic. */
export const ANVIL_MNEMONIC = 'test test test test test test test test test test test junk';

const quantity = (amount: bigint | number) => `0x${amount.toString(16)}`;

/** Binary that `scripts/regtest.mjs` installs on Linux (x64); elsewhere `anvil` must be on the PATH. */
function binary(): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'anvil';
  const packages = join(packageRoot(), 'test', 'regtest', 'package.json');
  return createRequire(packages).resolve('@foundry-rs/anvil-linux-amd64/bin/anvil');
}

/** Starts a node on a free port; resolves when it is listening. */
export async function startAnvil({ chainId = 31_337 }: { chainId?: number } = {}): Promise<Anvil> {
  const child = spawn(
    binary(),
    ['--port', '0', '--chain-id', String(chainId), '--no-mining', '--order', 'fifo', '--mnemonic', ANVIL_MNEMONIC],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const killNow = () => child.kill('SIGKILL');
  process.once('exit', killNow);
  const ended = once(child, 'exit');
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-4000);
  });
  const listening = new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (line) => {
      const port = /^Listening on 127\.0\.0\.1:(\d+)$/.exec(line)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
  });
  const died = ended.then(([code]) => Promise.reject(new Error(`anvil ended with ${code}. Output:\n${complaints}`)));
  const url = await Promise.race([listening, died]);
  died.catch(() => undefined);

  async function call<Result = string>(method: string, params: readonly unknown[] = []): Promise<Result> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result?: Result; error?: { message: string } };
    if (error) throw new Error(`anvil refused ${method}: ${error.message}`);
    return result as Result;
  }

  const accounts = await call<string[]>('eth_accounts');
  return {
    url,
    chainId,
    accounts,
    call,
    send: async ({ from = accounts[0], to, value = 0n, data = '0x' }) =>
      await call('eth_sendTransaction', [{ from, to, value: quantity(value), data, gas: quantity(5_000_000) }]),
    mine: async (blocks = 1) => {
      await call('anvil_mine', [quantity(blocks)]);
    },
    height: async () => Number(await call('eth_blockNumber')),
    reorg: async (depth, transactions = []) => {
      await call('anvil_reorg', [depth, transactions]);
    },
    stop: async () => {
      process.off('exit', killNow);
      child.kill('SIGTERM');
      await ended;
    },
  };
}

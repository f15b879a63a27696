import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { isInstalled } from '../../scripts/regtest.mjs';
import { packageRoot } from '../../src/system/root.ts';
import { portOf } from './regtest.ts';

type Calls = readonly [method: string, params: readonly unknown[]][];

/** Ethereum nodes that are not anvil, each with its own names for the test methods. */
const kinds = {
  hardhat: {
    program: 'hardhat.cjs',
    // `hardhat_mine` mines blocks without a parent, which breaks the chain of hashes.
    mine: (blocks: number): Calls => Array.from({ length: blocks }, () => ['evm_mine', []]),
    setBalance: 'hardhat_setBalance',
  },
  ganache: {
    program: 'ganache.cjs',
    mine: (blocks: number): Calls => [['evm_mine', [{ blocks }]]],
    setBalance: 'evm_setAccountBalance',
  },
};
export type EvmNodeKind = keyof typeof kinds;

/** A node with its own chain, in its own process. Blocks are mined only when a test asks for them. */
export interface EvmNode {
  url: string;
  chainId: number;
  /** Accounts with ether; the node signs for them (`from` of `send`). */
  accounts: readonly string[];
  /** Any JSON-RPC call. */
  call<Result = string>(method: string, params?: readonly unknown[]): Promise<Result>;
  /** Sends from an account and returns the transaction hash. The gas is fixed, so that a transaction can also fail. */
  send(transaction: { from?: string; to?: string; value?: bigint; data?: string }): Promise<string>;
  mine(blocks?: number): Promise<void>;
  height(): Promise<number>;
  setBalance(address: string, amount: bigint): Promise<void>;
  /** Returns a function that reverts the chain to this point. Blocks mined afterward differ from the orphaned ones. */
  snapshot(): Promise<() => Promise<void>>;
  stop(): Promise<void>;
}

const quantity = (amount: bigint | number) => `0x${amount.toString(16)}`;

/** Seconds added to a fork's first block: the same block at the same time would have the same hash. */
const FORK_DELAY = 100;

/** Starts a node on a free port; resolves when it is listening. */
export async function startEvmNode(kind: EvmNodeKind, { chainId = 31_337 } = {}): Promise<EvmNode> {
  if (!isInstalled(packageRoot(), 'test/evm')) throw new Error(`${kind} is not installed: run npm test -- chains once`);
  const { program, mine, setBalance } = kinds[kind];
  const child = spawn(process.execPath, [join(packageRoot(), 'test', 'evm', program)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CHAIN_ID: String(chainId) },
  });
  const url = `http://127.0.0.1:${await portOf(child)}`;

  /** One batch; rejects with the first error. */
  async function callAll(calls: Calls): Promise<unknown[]> {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params }))),
    });
    const results = (await response.json()) as { id: number; result?: unknown; error?: { message: string } }[];
    return results.map(({ id, result, error }) => {
      if (error) throw new Error(`${kind} refused ${calls[id]?.[0]}: ${error.message}`);
      return result;
    });
  }

  async function call<Result = string>(method: string, params: readonly unknown[] = []): Promise<Result> {
    const [result] = await callAll([[method, params]]);
    return result as Result;
  }

  const accounts = await call<string[]>('eth_accounts');
  return {
    url,
    chainId,
    accounts,
    call,
    send: async ({ from = accounts[0], to, value = 0n, data = '0x' }) =>
      await call('eth_sendTransaction', [{ from, to, value: quantity(value), data, gas: quantity(1_000_000) }]),
    mine: async (blocks = 1) => {
      await callAll(mine(blocks));
    },
    height: async () => Number(await call('eth_blockNumber')),
    setBalance: async (address, amount) => {
      await call(setBalance, [address, quantity(amount)]);
    },
    async snapshot() {
      const id = await call('evm_snapshot');
      return async () => {
        if (!(await call<boolean>('evm_revert', [id]))) throw new Error(`${kind} has no snapshot ${id}`);
        await call('evm_increaseTime', [FORK_DELAY]);
      };
    },
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

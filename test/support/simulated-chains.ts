import assert from 'node:assert/strict';
import { HDKey } from '@scure/bip32';
import { createBitcoinAddresses } from '../../src/chains/bitcoin/addresses.ts';
import { type ChainName, chainNames, chains, isBitcoinChain } from '../../src/shared/crypto-currency.ts';
import { createEthereumAddresses } from '../../src/chains/ethereum/addresses.ts';
import type { Chain, ChainBlock, FindOwnAddresses } from '../../src/chains/port.ts';
import {
  createSimulatedBitcoin,
  createSimulatedEthereum,
  type SimulatedChain,
  simulatedBitcoinNetwork,
  type SimulatedEthereum,
  simulatedEthereumNetwork,
} from '../../src/chains/simulated/chain.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { systemRandom } from '../../src/system/random.ts';
import { SimulatedClock } from './clock.ts';
import { createMigratedDatabase, type TestDatabase } from './databases.ts';

const [versions] = simulatedBitcoinNetwork.extendedKeys;

/** Accounts with known keys. */
export const bitcoinAccount = HDKey.fromMasterSeed(new Uint8Array(32).fill(7), versions).derive("m/84'/1'/0'");
export const ethereumAccount = HDKey.fromMasterSeed(new Uint8Array(32).fill(8)).derive("m/44'/60'/0'");

const bitcoin = createBitcoinAddresses(simulatedBitcoinNetwork);
const ethereum = createEthereumAddresses(simulatedEthereumNetwork);

export const bitcoinAddress = (index: number) => bitcoin.derive(bitcoinAccount.publicExtendedKey, index);
export const ethereumAddress = (index: number) => ethereum.derive(ethereumAccount.publicExtendedKey, index);

/** Addresses of these accounts on each chain. */
export const addressOn = Object.fromEntries(
  chainNames.map((name) => {
    if (!isBitcoinChain(name)) return [name, ethereumAddress];
    const addresses = createBitcoinAddresses(chains[name].networks.regtest);
    return [name, (index: number) => addresses.derive(bitcoinAccount.publicExtendedKey, index)];
  }),
) as Readonly<Record<ChainName, (index: number) => string>>;

export const bit = (address: string, amount: bigint) => ({ address, code: 'btc' as const, amount });
export const ether = (address: string, amount: bigint) => ({ address, code: 'eth' as const, amount });

export const clock = new SimulatedClock();

/** Simulated chains of two processes that share a database. */
export interface SimulatedChains {
  store: TestDatabase;
  databases: [Database, Database];
  bitcoin: SimulatedChain;
  bitcoinElsewhere: SimulatedChain;
  ethereum: SimulatedEthereum;
  ethereumElsewhere: SimulatedEthereum;
}

export function createChains(databases: [Database, Database]) {
  const [here, elsewhere] = databases.map((database) => ({ database, clock, random: systemRandom }));
  assert.ok(here && elsewhere);
  return {
    bitcoin: createSimulatedBitcoin({ ...here, name: 'bitcoin' }),
    bitcoinElsewhere: createSimulatedBitcoin({ ...elsewhere, name: 'bitcoin' }),
    ethereum: createSimulatedEthereum({ ...here, name: 'ethereum' }),
    ethereumElsewhere: createSimulatedEthereum({ ...elsewhere, name: 'ethereum' }),
  };
}

export async function openSimulatedChains(): Promise<SimulatedChains> {
  const store = await createMigratedDatabase();
  const databases: [Database, Database] = [open(store), open(store)];
  return { store, databases, ...createChains(databases) };
}

const open = ({ url }: TestDatabase) => openDatabase(url, (error) => console.error(error));

export async function closeSimulatedChains({ store, databases }: SimulatedChains): Promise<void> {
  for (const database of databases) await database.close();
  await store.drop();
}

export async function withSimulatedChains(run: (chains: SimulatedChains) => Promise<void>): Promise<void> {
  const chains = await openSimulatedChains();
  try {
    await run(chains);
  } finally {
    await closeSimulatedChains(chains);
  }
}

/** Treats every address as ours. */
export const findAllAddresses: FindOwnAddresses = (addresses) => Promise.resolve(new Set(addresses));

export const findOnly =
  (...ours: readonly string[]): FindOwnAddresses =>
  (addresses) =>
    Promise.resolve(new Set(addresses.filter((address) => ours.includes(address))));

/** Reads all blocks from the genesis block; asserts that each has the previous one as parent. */
export async function readAllBlocks(
  chain: Chain,
  findOwnAddresses: FindOwnAddresses = findAllAddresses,
): Promise<ChainBlock[]> {
  const { height, hash } = await chain.tip();
  const blocks: ChainBlock[] = [];
  for (let next = 0; next <= height; next += 1) {
    const block = await chain.block(next, findOwnAddresses);
    assert.ok(block);
    assert.equal(await chain.blockHash(next), block.hash);
    const parent = blocks.at(-1);
    if (parent) assert.equal(block.parentHash, parent.hash);
    blocks.push(block);
  }
  assert.equal(blocks.at(-1)?.hash, hash);
  return blocks;
}

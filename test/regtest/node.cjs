/*
 * A full node of the regtest network in memory, for tests: bcoin, with what it lacks beside Bitcoin Core.
 * Prints a line of JSON with its port when it is ready, and ends when its standard input ends.
 */
'use strict';

process.env.NODE_BACKEND = 'js';
const bcoin = require('bcoin');
const Network = require('bcoin/lib/protocol/network');
const { RPCError } = require('bweb');

const network = Network.get('regtest');
// bcoin chose 'rb' before the rest of the world agreed on another prefix.
network.addressPrefix.bech32 = 'bcrt';

const node = new bcoin.FullNode({
  network: 'regtest',
  memory: true,
  httpHost: '127.0.0.1',
  httpPort: 0,
  apiKey: process.env.REGTEST_PASSWORD,
  listen: false,
  workers: false,
  logLevel: 'none',
  replaceByFee: true,
  limitFree: false,
});
const { chain, mempool, miner, rpc } = node;

/** Codes and words of Bitcoin Core's `sendrawtransaction`. */
const DESERIALIZATION_ERROR = -22;
const VERIFY_ERROR = -25;
const VERIFY_REJECTED = -26;
const ALREADY_IN_UTXO_SET = -27;

/** What a replacement pays more than what it replaces, in satoshi for a thousand virtual bytes (BIP 125, rule 4). */
const INCREMENTAL_RELAY_FEE = 1000;

/** Sequences from here on do not say that a transaction may be replaced (BIP 125). */
const NOT_REPLACEABLE = 0xfffffffe;

/** The entries of the pool that spend what a transaction spends. */
function conflictsOf(tx) {
  const entries = new Set();
  for (const { prevout } of tx.inputs) {
    const spender = mempool.getSpent(prevout.hash, prevout.index);
    if (spender) entries.add(spender);
  }
  return [...entries];
}

/** An entry and everything in the pool that hangs on it. */
function withDescendants(entry, found = new Set()) {
  if (found.has(entry)) return found;
  found.add(entry);
  const hash = entry.hash('hex');
  for (let index = 0; index < entry.tx.outputs.length; index += 1) {
    const child = mempool.getSpent(hash, index);
    if (child) withDescendants(child, found);
  }
  return found;
}

/** BIP 125 in short; bcoin never replaces anything. Puts back what it took out where the new one is refused after all. */
async function replace(tx, conflicts) {
  const evicted = new Set();
  for (const entry of conflicts) {
    if (!entry.tx.inputs.some(({ sequence }) => sequence < NOT_REPLACEABLE))
      throw new RPCError(VERIFY_REJECTED, 'txn-mempool-conflict');
    withDescendants(entry, evicted);
  }
  let replacedFees = 0;
  for (const entry of evicted) replacedFees += entry.fee;
  const view = await mempool.getSpentView(tx);
  const room = Math.ceil((tx.getVirtualSize() * INCREMENTAL_RELAY_FEE) / 1000);
  if (tx.getFee(view) < replacedFees + room)
    throw new RPCError(VERIFY_REJECTED, `insufficient fee, rejecting replacement ${tx.txid()}`);
  const lost = [...evicted].map((entry) => entry.tx);
  for (const entry of conflicts) if (mempool.hasEntry(entry.hash('hex'))) mempool.evictEntry(entry);
  try {
    return await mempool.addTX(tx);
  } catch (error) {
    for (const old of lost) await mempool.addTX(old);
    throw error;
  }
}

/** bcoin answers before it has looked at the transaction, and never says no. */
async function sendRawTransaction([hex]) {
  let tx;
  try {
    if (!/^([0-9a-f]{2})+$/i.test(hex)) throw new Error('Not hexadecimal');
    tx = bcoin.TX.fromRaw(hex, 'hex');
  } catch {
    throw new RPCError(DESERIALIZATION_ERROR, 'TX decode failed. Make sure the tx has at least one input.');
  }
  if (mempool.hasEntry(tx.hash('hex'))) return tx.txid();
  try {
    const conflicts = conflictsOf(tx);
    const missing = conflicts.length > 0 ? await replace(tx, conflicts) : await mempool.addTX(tx);
    if (missing) {
      mempool.removeOrphan(tx.hash('hex'));
      throw new RPCError(VERIFY_ERROR, 'bad-txns-inputs-missingorspent');
    }
  } catch (error) {
    if (error.type !== 'VerifyError') throw error;
    if (error.reason === 'txn-already-known')
      throw new RPCError(ALREADY_IN_UTXO_SET, 'Transaction outputs already in utxo set');
    throw new RPCError(VERIFY_REJECTED, error.reason);
  }
  return tx.txid();
}

/** A block on another than the last one, or without what waits in the pool. */
async function mineOn(tip, address) {
  miner.mempool = null;
  try {
    const block = await miner.mineBlock(tip, address);
    return await chain.add(block);
  } finally {
    miner.mempool = mempool;
  }
}

/**
 * Gives up the last blocks for one more of other, empty ones. What was in them, and in the pool, waits
 * again afterwards unless it is to be lost, as when another node's blocks spent the same.
 */
async function reorganise([depth, address, isLost]) {
  const returning = [...mempool.map.values()].map((entry) => entry.tx);
  let tip = chain.tip;
  const undone = [];
  for (let step = 0; step < depth; step += 1) {
    const block = await chain.getBlock(tip.hash);
    undone.unshift(...block.txs.filter((tx) => !tx.isCoinbase()));
    tip = await chain.getEntry(tip.prevBlock);
  }
  const hashes = [];
  for (let mined = 0; mined <= depth; mined += 1) {
    tip = await mineOn(tip, bcoin.Address.fromString(address, network));
    hashes.push(tip.rhash());
  }
  await mempool.reset();
  if (!isLost)
    for (const tx of [...undone, ...returning]) if (!mempool.hasEntry(tx.hash('hex'))) await mempool.addTX(tx);
  return hashes;
}

/** Takes a transaction out of the pool, with what hangs on it, as a full pool or two weeks would. */
async function evict([txid]) {
  const entry = mempool.getEntry(Buffer.from(txid, 'hex').reverse().toString('hex'));
  if (!entry) throw new RPCError(-5, 'Transaction not in mempool');
  mempool.evictEntry(entry);
  return true;
}

async function main() {
  node.on('error', () => {});
  rpc.calls.sendrawtransaction = sendRawTransaction;
  rpc.add('reorganise', reorganise);
  rpc.add('evict', evict);
  node.http.on('listening', ({ port }) => process.stdout.write(`${JSON.stringify({ port })}\n`));
  await node.open();
  process.stdin.resume();
  process.stdin.on('end', () => process.exit(0));
}

main().catch((error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});

/*
 * A full regtest node in memory, for tests: bcoin, with the behavior of Bitcoin Core that it lacks. Prints a JSON line
 * with its port when it is ready, and exits when its standard input ends.
 */
'use strict';

process.env.NODE_BACKEND = 'js';
const bcoin = require('bcoin');
const Network = require('bcoin/lib/protocol/network');
const { RPCError } = require('bweb');

const network = Network.get('regtest');
// bcoin chose 'rb' before another prefix became common.
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

/** Codes and messages of Bitcoin Core's `sendrawtransaction`. */
const DESERIALIZATION_ERROR = -22;
const VERIFY_ERROR = -25;
const VERIFY_REJECTED = -26;
const ALREADY_IN_UTXO_SET = -27;

/** Minimum extra fee of a replacement, in satoshi per 1,000 virtual bytes (BIP 125, rule 4). */
const INCREMENTAL_RELAY_FEE = 1000;

/** Sequences from here on do not signal replaceability (BIP 125). */
const NOT_REPLACEABLE = 0xfffffffe;

/** Mempool entries that conflict with a transaction. */
function conflictsOf(tx) {
  const entries = new Set();
  for (const { prevout } of tx.inputs) {
    const spender = mempool.getSpent(prevout.hash, prevout.index);
    if (spender) entries.add(spender);
  }
  return [...entries];
}

/** An entry with its descendants in the mempool. */
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

/** BIP 125 in short, because bcoin never replaces. Restores the removed entries if the new one is rejected. */
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

/** bcoin responds before validation, and never rejects. */
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

/** Mines a block without mempool transactions, on a given parent. */
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
 * Replaces the last blocks with one more, all empty. Orphaned and unconfirmed transactions return to the mempool, unless
 * they are to be lost, as if another node's blocks had spent the same coins.
 */
async function reorg([depth, address, isLost]) {
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

/** Removes a transaction and its descendants from the mempool, as a full mempool or two weeks would. */
async function evict([txid]) {
  const entry = mempool.getEntry(Buffer.from(txid, 'hex').reverse().toString('hex'));
  if (!entry) throw new RPCError(-5, 'Transaction not in mempool');
  mempool.evictEntry(entry);
  return true;
}

async function main() {
  node.on('error', () => {});
  rpc.calls.sendrawtransaction = sendRawTransaction;
  rpc.add('reorg', reorg);
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

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { createEthereumAddresses } from '../../src/chains/ethereum/addresses.ts';
import { createEthereumChain, type EthereumChain } from '../../src/chains/ethereum/chain.ts';
import { requireAddress } from '../../src/chains/ethereum/checksum.ts';
import { type EthereumNetwork, createCustomNetwork } from '../../src/chains/ethereum/networks.ts';
import type { Signer } from '../../src/chains/ethereum/signing.ts';
import {
  ETHER_GAS_LIMIT,
  buildGasFunding,
  buildEtherSweep,
  buildTokenTransfer,
} from '../../src/chains/ethereum/transfers.ts';
import { type ChainDeposit, ChainError } from '../../src/chains/port.ts';
import { TransferWouldFail } from '../../src/chains/spender.ts';
import { systemClock } from '../../src/system/clock.ts';
import { ANVIL_MNEMONIC, type Anvil, startAnvil } from '../support/anvil.ts';
import {
  type Deployed,
  deployFalseToken,
  deployNoReturnToken,
  deployToken,
  deployVestingWallet,
  REVERTING_CODE,
} from '../support/contracts.ts';
import { bumpFees, createWalletSigner, feeCaps, maxCostOf } from '../support/ethereum-transfers.ts';
import { openRelay } from '../support/node-server.ts';

const ETHER = 10n ** 18n;

const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(3)).derive("m/44'/60'/0'");
let lastIndex = -1;

/** One of our wallets, unused. */
function newWallet(network: EthereumNetwork): { address: string; signer: Signer } {
  lastIndex += 1;
  const address = createEthereumAddresses(network).derive(account.publicExtendedKey, lastIndex);
  return { address, signer: createWalletSigner(account.privateExtendedKey, lastIndex) };
}

/** Accounts that have ether from the beginning. */
const payers = HDKey.fromMasterSeed(mnemonicToSeedSync(ANVIL_MNEMONIC)).derive("m/44'/60'/0'");
const payer = (index: number) => createWalletSigner(payers.privateExtendedKey, index);

const finder = (...ours: string[]) => {
  const addressLookups: (readonly string[])[] = [];
  const findOwnAddresses = async (addresses: readonly string[]) => {
    addressLookups.push(addresses);
    return new Set(ours.filter((address) => addresses.includes(address)));
  };
  return { addressLookups, findOwnAddresses };
};

const isBehind = (error: unknown) => error instanceof ChainError && error.kind === 'behind';

describe('Ethereum on a real node', () => {
  let node: Anvil;
  let chain: EthereumChain;
  let network: EthereumNetwork;
  /** A current ERC-20 contract. */
  let coin: Deployed;
  /** A token whose `transfer` returns nothing. */
  let noReturnToken: string;
  const opened: { close(): Promise<void> }[] = [];

  const chainAt = (url: string, of = network) => {
    const chain = createEthereumChain({ url, network: of, clock: systemClock() });
    opened.push(chain);
    return chain;
  };
  const relayTo = async (before: (methods: readonly string[]) => Promise<void>) => {
    const relay = await openRelay(node.url, before);
    opened.unshift(relay);
    return chainAt(relay.url);
  };
  const lastBlock = async (...ours: string[]) =>
    await chain.block(await node.height(), finder(...ours).findOwnAddresses);
  /** A transfer of the coin by its creator. */
  const coinTo = async (to: string, amount: bigint) =>
    await node.send({ to: coin.address, data: coin.data('transfer', [to, amount]) });
  /** A transfer of the token without a return value by its creator, with the same call as the coin's. */
  const sendNoReturn = async (to: string, amount: bigint) =>
    await node.send({ to: noReturnToken, data: coin.data('transfer', [to, amount]) });
  const rawPayment = async (from: Signer, to: string, value: bigint) => {
    const caps = feeCaps(await chain.feeRate());
    const nonce = await chain.nextNonce(from.address);
    return from.sign(buildGasFunding({ network, nonce, caps, to, amount: value }));
  };

  before(async () => {
    node = await startAnvil();
    coin = await deployToken(node);
    noReturnToken = await deployNoReturnToken(node);
    const [maker = ''] = node.accounts;
    await node.send({ to: coin.address, data: coin.data('mint', [maker, 10n ** 30n]) });
    await node.mine();
    network = {
      ...createCustomNetwork('ethereum', {
        chainId: node.chainId,
        tokens: { usdt: { address: noReturnToken, decimals: 6 } },
      }),
    };
    network = {
      ...network,
      tokens: { ...network.tokens, usdc: { address: requireAddress(coin.address), decimals: 18 } },
    };
    chain = chainAt(node.url);
  });
  after(async () => {
    for (const { close } of opened) await close();
    await node.stop();
  });

  test('derives the same addresses as the node from the same mnemonic', () => {
    const { addresses } = chain;
    assert.deepEqual(
      node.accounts.map((_address, index) => addresses.derive(payers.publicExtendedKey, index)),
      node.accounts.map((address) => addresses.normalize(address)),
    );
  });

  test('reports its last block and the expected network', async () => {
    await node.mine();
    const height = await node.height();
    const { hash } = await node.call<{ hash: string }>('eth_getBlockByNumber', ['latest', false]);
    assert.deepEqual(await chain.tip(), { height, hash });
    assert.equal(await chain.blockHash(height), hash);
    assert.equal(await chain.blockHash(height + 1), null);
    assert.equal(await chain.block(height + 1, finder().findOwnAddresses), null);
    const other = chainAt(node.url, { ...network, chainId: 1, name: 'mainnet' });
    await assert.rejects(other.tip(), (error: unknown) => {
      assert.ok(error instanceof ChainError && error.kind === 'wrong_network');
      assert.match(error.message, /follows chain 31337; mainnet is chain 1/);
      return true;
    });
    const elsewhere = { ...network, tokens: { usdc: { address: requireAddress(`0x${'5'.repeat(40)}`), decimals: 6 } } };
    await assert.rejects(chainAt(node.url, elsewhere).tip(), /has no usdc contract with 6 decimals at 0x5555/);
  });

  test('finds ether and tokens of an address in a block full of other traffic, with one address lookup', async () => {
    const [ours, other] = [newWallet(network).address, newWallet(network).address];
    const [, ...strangers] = node.accounts;
    const [first = '', second = '', third = ''] = strangers;
    const stray = await deployToken(node);
    const [maker = ''] = node.accounts;
    await node.send({ to: stray.address, data: stray.data('mint', [maker, 10n]) });
    await node.mine();

    await node.send({ from: first, to: second, value: 5n });
    const ether = await node.send({ from: first, to: ours, value: 3n * ETHER });
    await node.send({ from: second, to: ours, value: 0n });
    await node.send({ from: third, data: '0x00' });
    await coinTo(first, 7n);
    const coins = await coinTo(ours, 250n);
    await coinTo(ours, 0n);
    const quiet = await sendNoReturn(ours, 1_500_000n);
    // A transfer reported by a contract of another token.
    await node.send({ to: stray.address, data: stray.data('transfer', [ours, 9n]) });
    // Another event, not a transfer.
    await node.send({ to: coin.address, data: coin.data('approve', [ours, 4n]) });
    // Minted tokens have no sender.
    const minted = await node.send({ to: coin.address, data: coin.data('mint', [ours, 12n]) });
    const toOther = await node.send({ from: second, to: other, value: 1n });
    await node.mine();

    const height = await node.height();
    await coinTo(ours, 1n);
    await node.mine();

    const { addressLookups, findOwnAddresses } = finder(ours, other);
    const block = await chain.block(height, findOwnAddresses);
    const payment = (
      txHash: string,
      place: number | 'native',
      code: ChainDeposit['code'],
      amount: bigint,
    ): ChainDeposit => ({
      ...{ paymentKey: place === 'native' ? `${txHash}:native` : `${txHash}:${place}:${amount}`, txHash },
      ...{ address: ours, code, amount },
    });
    assert.deepEqual(block?.deposits, [
      payment(ether, 'native', 'eth', 3n * ETHER),
      { ...payment(toOther, 'native', 'eth', 1n), address: other },
      payment(coins, 0, 'usdc', 250n),
      payment(quiet, 0, 'usdt', 1_500_000n),
      payment(minted, 0, 'usdc', 12n),
    ]);
    const { parentHash, timestamp } = await node.call<{ parentHash: string; timestamp: string }>(
      'eth_getBlockByNumber',
      [`0x${height.toString(16)}`, false],
    );
    assert.deepEqual(
      [block?.hash, block?.parentHash, block?.height, block?.minedAt],
      [await chain.blockHash(height), parentHash, height, Number(timestamp) * 1_000_000],
    );
    assert.deepEqual(
      addressLookups.map((addresses) => addresses.toSorted()),
      [[second, first, ours, other].map((address) => requireAddress(address)).toSorted()],
    );
    assert.deepEqual(await chain.unconfirmedDeposits(findOwnAddresses), []);
  });

  test('credits nothing of a failed transaction', async () => {
    const { address: ours } = newWallet(network);
    await node.call('anvil_setCode', [ours, REVERTING_CODE]);
    await node.send({ to: coin.address, data: coin.data('pause') });
    await node.mine();
    const ether = await node.send({ from: node.accounts[1] ?? '', to: ours, value: ETHER });
    const coins = await coinTo(ours, 5n);
    const quiet = await sendNoReturn(ours, 10n ** 20n);
    await node.mine();
    const block = await lastBlock(ours);
    assert.deepEqual(block?.deposits, []);
    for (const txHash of [ether, coins, quiet])
      assert.deepEqual(await chain.findTransaction(txHash), {
        state: 'failed',
        block: { height: block?.height, hash: block?.hash },
      });
    await node.send({ to: coin.address, data: coin.data('unpause') });
    await node.mine();
    assert.equal((await chain.balances('eth', [ours], await chain.tip())).get(ours), 0n);
  });

  test('finds ether sent by contracts, which no block shows, by balances', async () => {
    const { address: ours } = newWallet(network);
    const vesting = await deployVestingWallet(node, ours);
    await node.send({ to: vesting.address, value: 2n * ETHER });
    await node.mine();
    const before = await chain.tip();
    await node.send({ from: node.accounts[4] ?? '', to: vesting.address, data: vesting.data('release()') });
    await node.mine();
    assert.deepEqual((await lastBlock(ours))?.deposits, []);
    const after = await chain.tip();
    assert.deepEqual([...(await chain.balances('eth', [ours], before))], [[ours, 0n]]);
    assert.deepEqual([...(await chain.balances('eth', [ours], after))], [[ours, 2n * ETHER]]);
  });

  test('reads balances at any block, of many addresses and every currency', async () => {
    const wallets = Array.from({ length: 60 }, () => newWallet(network).address);
    const [one = '', two = ''] = wallets;
    await coinTo(one, 10n);
    await sendNoReturn(two, 20n);
    await node.mine();
    const early = await chain.tip();
    await coinTo(one, 1n);
    await node.send({ to: two, value: 5n });
    await node.mine();
    const late = await chain.tip();
    const balanceOf = async (code: 'eth' | 'usdt' | 'usdc', at: typeof early) =>
      [...(await chain.balances(code, wallets, at))].filter(([, amount]) => amount > 0n);
    assert.deepEqual(await balanceOf('usdc', early), [[one, 10n]]);
    assert.deepEqual(await balanceOf('usdc', late), [[one, 11n]]);
    assert.deepEqual(await balanceOf('usdt', early), [[two, 20n]]);
    assert.deepEqual(await balanceOf('eth', early), []);
    assert.deepEqual(await balanceOf('eth', late), [[two, 5n]]);
    assert.equal((await chain.balances('eth', wallets, late)).size, wallets.length);
    assert.equal((await chain.balances('eth', [], late)).size, 0);
    await assert.rejects(chain.balances('btc', wallets, late), /no btc/);
  });

  test('follows a reorg of several blocks', async () => {
    const { address: ours } = newWallet(network);
    const sender = payer(5);
    await node.mine();
    const height = (await node.height()) + 1;
    const { raw, txHash } = await rawPayment(sender, ours, ETHER);
    assert.deepEqual(await chain.broadcast(raw), { kind: 'sent' });
    await node.mine(3);
    const blocksNow = async () =>
      await Promise.all([0, 1, 2].map(async (step) => await chain.block(height + step, finder(ours).findOwnAddresses)));
    const before = await blocksNow();
    const payment = { paymentKey: `${txHash}:native`, txHash, address: ours, code: 'eth', amount: ETHER };
    assert.deepEqual(
      before.map((block) => block?.deposits),
      [[payment], [], []],
    );

    // Three other blocks, with the payment in the last one.
    await node.reorg(3, [[raw, 2]]);
    const after = await blocksNow();
    for (const [step, block] of after.entries()) {
      assert.notEqual(block?.hash, before[step]?.hash);
      assert.equal(block?.parentHash, step === 0 ? before[0]?.parentHash : after[step - 1]?.hash);
      assert.equal(await chain.blockHash(height + step), block?.hash);
    }
    assert.deepEqual(
      after.map((block) => block?.deposits),
      [[], [], [payment]],
    );
    const place = { height: height + 2, hash: after[2]?.hash ?? '' };
    assert.deepEqual(await chain.tip(), place);
    assert.deepEqual(await chain.findTransaction(txHash), { state: 'mined', block: place });

    // A balance at an orphaned block is not read from its replacement.
    const orphaned = { height, hash: before[0]?.hash ?? '' };
    for (const code of ['eth', 'usdc'] as const) await assert.rejects(chain.balances(code, [ours], orphaned), isBehind);

    // Without the payment in the new block, the node no longer has it.
    await node.reorg(1);
    assert.deepEqual((await lastBlock(ours))?.deposits, []);
    assert.deepEqual(await chain.findTransaction(txHash), { state: 'unknown' });
    assert.equal((await chain.balances('eth', [ours], await chain.tip())).get(ours), 0n);
  });

  test('keeps the key of a token deposit in a reorg, at any position in its block', async () => {
    const { address: ours } = newWallet(network);
    const sender = payer(6);
    await coinTo(sender.address, 100n);
    await node.mine();
    await coinTo(node.accounts[3] ?? '', 1n);
    const caps = feeCaps(await chain.feeRate());
    const nonce = await chain.nextNonce(sender.address);
    const { raw, txHash } = sender.sign(
      buildTokenTransfer({ network, nonce, caps, code: 'usdc', to: ours, amount: 77n }),
    );
    await chain.broadcast(raw);
    await node.mine();
    const logIndex = async () =>
      (await node.call<{ logs: { logIndex: string }[] }>('eth_getTransactionReceipt', [txHash])).logs[0]?.logIndex;
    const payments = [{ paymentKey: `${txHash}:0:77`, txHash, address: ours, code: 'usdc', amount: 77n }];
    assert.equal(await logIndex(), '0x1');
    assert.deepEqual((await lastBlock(ours))?.deposits, payments);
    await node.reorg(1, [[raw, 0]]);
    assert.equal(await logIndex(), '0x0');
    assert.deepEqual((await lastBlock(ours))?.deposits, payments);
  });

  describe('a block that vanishes between two calls', () => {
    /** The last block before and after, and the result of reading it while it is replaced at a call. */
    async function replacedAt(method: string) {
      const { address: ours } = newWallet(network);
      const sender = payer(7);
      await node.mine();
      const earlier = await rawPayment(sender, ours, 5n);
      await chain.broadcast(earlier.raw);
      const { raw, txHash } = await rawPayment(payer(8), ours, 6n);
      await coinTo(ours, 3n);
      await node.mine();
      const height = await node.height();
      const before = await chain.blockHash(height);
      let isReplaced = false;
      const relayed = await relayTo(async (methods) => {
        if (isReplaced || !methods.includes(method)) return;
        isReplaced = true;
        await node.reorg(1, [[raw, 0]]);
      });
      const block = await relayed.block(height, finder(ours).findOwnAddresses);
      assert.ok(isReplaced);
      assert.notEqual(block?.hash, before);
      assert.equal(block?.hash, await chain.blockHash(height));
      assert.deepEqual(block?.deposits, [
        { paymentKey: `${txHash}:native`, txHash, address: ours, code: 'eth', amount: 6n },
      ]);
    }

    test('is replaced completely if it vanished before its logs were read', async () => {
      await replacedAt('eth_getLogs');
    });

    test('is replaced completely if it vanished before its receipts were read', async () => {
      await replacedAt('eth_getTransactionReceipt');
    });

    test('becomes null if the chain is shorter', async () => {
      const { address: ours } = newWallet(network);
      for (const method of ['eth_getLogs', 'eth_getTransactionReceipt']) {
        await node.mine();
        await coinTo(ours, 3n);
        await node.mine();
        let isGone = false;
        const relayed = await relayTo(async (methods) => {
          if (isGone || !methods.includes(method)) return;
          isGone = true;
          await node.call('anvil_rollback', [1]);
        });
        assert.equal(await relayed.block(await node.height(), finder(ours).findOwnAddresses), null);
      }
    });

    test('makes the node count as behind if it happens repeatedly', async () => {
      const { address: ours } = newWallet(network);
      await node.mine();
      const relayed = await relayTo(async (methods) => {
        if (methods.includes('eth_getLogs')) await node.reorg(1);
      });
      await assert.rejects(relayed.block(await node.height(), finder(ours).findOwnAddresses), isBehind);
    });
  });

  describe('transfers', () => {
    /** A wallet with ether and tokens, and the current fees. */
    async function funded() {
      const wallet = newWallet(network);
      await node.send({ to: wallet.address, value: ETHER });
      await coinTo(wallet.address, 50n);
      await sendNoReturn(wallet.address, 60n);
      await node.mine();
      return { ...wallet, caps: feeCaps(await chain.feeRate()) };
    }
    const balanceOf = async (code: 'eth' | 'usdt' | 'usdc', address: string) =>
      (await chain.balances(code, [address], await chain.tip())).get(address);

    test('sweep all ether of a wallet', async () => {
      const { address, signer } = await funded();
      const { address: to } = newWallet(network);
      const { amount } = await chain.feeRate();
      // With equal caps the whole maximum fee is paid, so nothing remains.
      const caps = { maxFeePerGas: amount, maxPriorityFeePerGas: amount };
      const balance = (await balanceOf('eth', address)) ?? 0n;
      const sweep = buildEtherSweep({ network, nonce: await chain.nextNonce(address), caps, to, balance });
      assert.ok(sweep);
      assert.equal(await chain.estimateGas(address, sweep), ETHER_GAS_LIMIT);
      const { raw, txHash } = signer.sign(sweep);
      assert.deepEqual(await chain.findTransaction(txHash), { state: 'unknown' });
      assert.deepEqual(await chain.broadcast(raw), { kind: 'sent' });
      assert.deepEqual(await chain.findTransaction(txHash), { state: 'waiting' });
      assert.equal(await chain.nextNonce(address), 1);
      await node.mine();
      assert.deepEqual(await chain.findTransaction(txHash), { state: 'mined', block: await chain.tip() });
      assert.equal(await balanceOf('eth', address), 0n);
      assert.equal(await balanceOf('eth', to), balance - ETHER_GAS_LIMIT * amount);
      assert.deepEqual((await lastBlock(to))?.deposits, [
        { paymentKey: `${txHash}:native`, txHash, address: to, code: 'eth', amount: sweep.value },
      ]);
    });

    test("fund a wallet's gas, which then sends tokens of both kinds", async () => {
      const gasWallet = payer(9);
      for (const code of ['usdc', 'usdt'] as const) {
        const { address, signer } = newWallet(network);
        await (code === 'usdc' ? coinTo(address, 50n) : sendNoReturn(address, 50n));
        await node.mine();
        const { address: to } = newWallet(network);
        const caps = feeCaps(await chain.feeRate());
        const sent = buildTokenTransfer({ network, nonce: 0, caps, code, to, amount: 50n });
        const { raw, txHash } = signer.sign(sent);
        const early = await chain.broadcast(raw);
        assert.equal(early.kind, 'refused');
        assert.match(early.kind === 'refused' ? early.reason : '', /insufficient funds/i);

        const missing = maxCostOf(sent);
        const nonce = await chain.nextNonce(gasWallet.address);
        const gas = gasWallet.sign(buildGasFunding({ network, nonce, caps, to: address, amount: missing }));
        assert.deepEqual(await chain.broadcast(gas.raw), { kind: 'sent' });
        await node.mine();
        assert.equal((await chain.findTransaction(gas.txHash)).state, 'mined');
        assert.equal(await balanceOf('eth', address), missing);
        assert.ok((await chain.estimateGas(address, sent)) <= sent.gasLimit);

        assert.deepEqual(await chain.broadcast(raw), { kind: 'sent' });
        await node.mine();
        assert.deepEqual(await chain.findTransaction(txHash), { state: 'mined', block: await chain.tip() });
        assert.equal(await balanceOf(code, to), 50n);
        assert.equal(await balanceOf(code, address), 0n);
      }
    });

    test('count as sent again while unconfirmed and once mined', async () => {
      const { signer, caps } = await funded();
      const { raw } = signer.sign(buildGasFunding({ network, nonce: 0, caps, to: signer.address, amount: 1n }));
      for (let times = 0; times < 2; times += 1) assert.deepEqual(await chain.broadcast(raw), { kind: 'sent' });
      await node.mine();
      assert.deepEqual(await chain.broadcast(raw), { kind: 'sent' });
      assert.deepEqual(await chain.broadcast(raw.toUpperCase().replace('0X', '0x')), { kind: 'sent' });
    });

    test('need a higher fee to replace another, which is unknown afterward', async () => {
      const { address, signer, caps } = await funded();
      const { address: to } = newWallet(network);
      const balance = (await balanceOf('eth', address)) ?? 0n;
      const sweep = buildEtherSweep({ network, nonce: 0, caps, to, balance });
      assert.ok(sweep);
      const first = signer.sign(sweep);
      assert.deepEqual(await chain.broadcast(first.raw), { kind: 'sent' });
      const other = signer.sign({ ...sweep, value: 1n });
      const refused = await chain.broadcast(other.raw);
      assert.match(refused.kind === 'refused' ? refused.reason : '', /underpriced/i);

      const raised = bumpFees(sweep, caps);
      const second = signer.sign(raised);
      assert.deepEqual(await chain.broadcast(second.raw), { kind: 'sent' });
      assert.deepEqual(await chain.findTransaction(first.txHash), { state: 'unknown' });
      await node.mine();
      assert.equal((await chain.findTransaction(second.txHash)).state, 'mined');
      assert.equal(await balanceOf('eth', to), raised.value);
      const late = await chain.broadcast(first.raw);
      assert.match(late.kind === 'refused' ? late.reason : '', /nonce too low/i);
    });

    test('of tokens are replaced in the same way', async () => {
      const { signer, caps } = await funded();
      const { address: to } = newWallet(network);
      const sent = buildTokenTransfer({ network, nonce: 0, caps, code: 'usdt', to, amount: 60n });
      assert.deepEqual(await chain.broadcast(signer.sign(sent).raw), { kind: 'sent' });
      const raised = bumpFees(sent, { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n });
      const { raw, txHash } = signer.sign(raised);
      assert.deepEqual(await chain.broadcast(raw), { kind: 'sent' });
      await node.mine();
      assert.equal((await chain.findTransaction(txHash)).state, 'mined');
      assert.equal(await balanceOf('usdt', to), 60n);
    });

    test('are rejected if malformed or for another chain', async () => {
      const { signer, caps } = await funded();
      const other = signer.sign(
        buildGasFunding({ network: { ...network, chainId: 1 }, nonce: 0, caps, to: signer.address, amount: 1n }),
      );
      for (const raw of ['', '0x', '0x1', 'zz', '0x1234', other.raw]) {
        const result = await chain.broadcast(raw);
        assert.ok(result.kind === 'refused' && result.reason.length > 0, raw);
      }
    });

    test('that would fail are detected before the broadcast', async () => {
      const { address, caps } = await funded();
      const { address: to } = newWallet(network);
      const sent = buildTokenTransfer({ network, nonce: 0, caps, code: 'usdc', to, amount: 51n });
      await assert.rejects(chain.estimateGas(address, sent), TransferWouldFail);
      await assert.rejects(chain.estimateGas(address, sent), /exceeds balance/);
      const usdc = { address: requireAddress(await deployFalseToken(node)), decimals: 6 };
      const falseNetwork = { ...network, tokens: { usdc } };
      const options = { network: falseNetwork, nonce: 0, caps, code: 'usdc', to } as const;
      const nodeAccount = node.accounts[0] ?? '';
      assert.ok((await chain.estimateGas(nodeAccount, buildTokenTransfer({ ...options, amount: 51n }))) > 21_000n);
      const refused = chain.estimateGas(address, buildTokenTransfer({ ...options, amount: 51n }));
      await assert.rejects(refused, new TransferWouldFail('The token’s contract returns false.'));
    });
  });

  test('with the current fee rate are mined in the next block', async () => {
    const sender = payer(2);
    for (let blocks = 0; blocks < 3; blocks += 1) {
      for (const tip of [3n, 5n, 11n]) {
        const transaction = { from: node.accounts[Number(tip % 3n)] ?? '', to: sender.address, gas: '0x5208' };
        const fees = { maxPriorityFeePerGas: `0x${tip.toString(16)}`, maxFeePerGas: `0x${(10n ** 12n).toString(16)}` };
        await node.call('eth_sendTransaction', [{ ...transaction, ...fees }]);
      }
      await node.mine();
    }
    const { unit, amount, priority } = await chain.feeRate();
    assert.equal(unit, 'wei/gas');
    assert.ok(priority >= 1n && priority < amount);
    const { address: to } = newWallet(network);
    const nonce = await chain.nextNonce(sender.address);
    const caps = { maxFeePerGas: amount, maxPriorityFeePerGas: priority };
    const { raw, txHash } = sender.sign(buildGasFunding({ network, nonce, caps, to, amount: 1n }));
    assert.deepEqual(await chain.broadcast(raw), { kind: 'sent' });
    await node.mine();
    assert.equal((await chain.findTransaction(txHash)).state, 'mined');
    const { baseFeePerGas } = await node.call<{ baseFeePerGas: string }>('eth_getBlockByNumber', ['latest', false]);
    assert.equal(BigInt(baseFeePerGas) + priority, amount);
  });
});

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import type { Hex, TransactionSerializedEIP1559 } from 'viem';
import { sign } from 'viem/accounts';
import { decodeFunctionData, keccak256, parseAbi, parseTransaction, recoverAddress, toEventSelector } from 'viem/utils';
import { createEthereumAddresses } from '../../src/chains/ethereum/addresses.ts';
import { feeCaps, feeRateOf } from '../../src/chains/ethereum/fees.ts';
import { mainnet, sepolia } from '../../src/chains/ethereum/networks.ts';
import { TRANSFER_TOPIC } from '../../src/chains/ethereum/questions.ts';
import { signerOf, walletSigner } from '../../src/chains/ethereum/signing.ts';
import {
  bumpFees,
  ETHER_GAS,
  fundGas,
  missingForGas,
  sweepEther,
  type Transfer,
  transferToken,
  unsignedForm,
} from '../../src/chains/ethereum/transfers.ts';

const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(1)).derive("m/44'/60'/0'");
const addresses = createEthereumAddresses(mainnet);
const wallet = walletSigner(account.privateExtendedKey, 5);
const to = addresses.derive(account.publicExtendedKey, 6);

const fee = fc.bigInt(0n, 10n ** 13n);
const caps = fc.tuple(fee, fee).map(([base, priority]) => ({
  maxFeePerGas: base + priority,
  maxPriorityFeePerGas: priority,
}));
const nonce = fc.nat(2 ** 31);
const amount = fc.bigInt(1n, 2n ** 96n);
const transfer: fc.Arbitrary<Transfer> = fc.oneof(
  fc
    .record({ nonce, caps, amount })
    .map(({ nonce, caps, amount }) => fundGas({ network: mainnet, nonce, caps, to, amount })),
  fc
    .record({ nonce, caps, amount, code: fc.constantFrom('usdt', 'usdc') })
    .map((given) => transferToken({ network: mainnet, to, ...given })),
  fc.record({ nonce, caps, amount }).map(({ nonce, caps, amount }) => {
    const balance = amount + ETHER_GAS * caps.maxFeePerGas;
    const sweep = sweepEther({ network: mainnet, nonce, caps, to, balance });
    assert.ok(sweep);
    return sweep;
  }),
);

describe('a sweep', () => {
  test('sends exactly what its gas may not cost', () => {
    fc.assert(
      fc.property(caps, fc.bigInt(0n, 2n ** 70n), fc.bigInt(21_000n, 60_000n), (caps, balance, gas) => {
        const sweep = sweepEther({ network: mainnet, nonce: 0, caps, gas, to, balance });
        const cost = gas * caps.maxFeePerGas;
        if (!sweep) assert.ok(balance <= cost);
        else {
          assert.equal(sweep.value + cost, balance);
          assert.ok(sweep.value > 0n);
          assert.equal(missingForGas(sweep, balance), 0n);
          assert.equal(missingForGas(sweep, balance - 1n), 1n);
        }
      }),
    );
  });

  test('is none where nothing would be left', () => {
    const caps = { maxFeePerGas: 100n, maxPriorityFeePerGas: 1n };
    assert.equal(sweepEther({ network: mainnet, nonce: 0, caps, to, balance: 2_100_000n }), null);
    assert.equal(sweepEther({ network: mainnet, nonce: 0, caps, to, balance: 2_100_001n })?.value, 1n);
  });
});

describe('a transfer of tokens', () => {
  test('calls the contract of the network, sends no ether and counts on no answer', () => {
    const caps = { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
    const sent = transferToken({ network: mainnet, nonce: 3, caps, code: 'usdt', to, amount: 1_000_000n });
    assert.equal(sent.to, '0xdAC17F958D2ee523a2206206994597C13D831ec7');
    assert.equal(sent.value, 0n);
    const abi = parseAbi(['function transfer(address,uint256)']);
    assert.deepEqual(decodeFunctionData({ abi, data: sent.data }).args, [to, 1_000_000n]);
    assert.equal(missingForGas(sent, 0n), 900_000n);
    assert.equal(missingForGas(sent, 900_001n), 0n);
  });

  test('is refused without a contract, an amount or an address', () => {
    const given = { network: sepolia, nonce: 0, caps: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } };
    assert.throws(() => transferToken({ ...given, code: 'usdt', to, amount: 1n }), /no usdt/);
    assert.throws(() => transferToken({ ...given, code: 'usdc', to, amount: 0n }), /Nothing/);
    assert.throws(() => transferToken({ ...given, code: 'usdc', to, amount: 2n ** 256n }));
    assert.throws(() => transferToken({ ...given, code: 'usdc', to: to.slice(0, -1), amount: 1n }), /No Ethereum/);
    const wrongCheck = to.toLowerCase().replace(/[a-f]/, (letter) => letter.toUpperCase());
    if (wrongCheck !== to) assert.throws(() => fundGas({ ...given, to: wrongCheck, amount: 1n }), /No Ethereum/);
    assert.throws(() => fundGas({ ...given, to, amount: -1n }), /Nothing/);
  });

  test('makes the event by which it is found', () => {
    assert.equal(TRANSFER_TOPIC, toEventSelector('Transfer(address,address,uint256)'));
  });
});

describe('fees', () => {
  test('X10: of a history that neither the last block nor the node bears out are in doubt', () => {
    const gwei = 10n ** 9n;
    const history = (base: bigint, tip: bigint) => ({
      ...{ baseFeePerGas: [base, base], gasUsedRatio: [0.5], reward: [[tip]] },
    });
    const usual = feeRateOf(history(20n * gwei, gwei), { baseFee: 20n * gwei, gasPrice: 21n * gwei });
    assert.deepEqual(usual, { unit: 'wei/gas', amount: 21n * gwei, priority: gwei });
    const wrong = { baseFee: gwei / 16n, gasPrice: gwei };
    assert.match(feeRateOf(history(10_000n * gwei, 1n), wrong).doubt ?? '', /the last block 62500000/);
    assert.match(feeRateOf(history(gwei / 16n, 10_000n * gwei), wrong).doubt ?? '', /the node itself 1000000000/);
    // A quiet network has no usual fee.
    assert.equal(feeRateOf(history(7n, 9n), { baseFee: 7n, gasPrice: 7n }).doubt, undefined);
  });

  test('of a new transfer hold while the base fee doubles', () => {
    const caps = feeCaps({ unit: 'wei/gas', amount: 31n, priority: 2n });
    assert.deepEqual(caps, { maxFeePerGas: 60n, maxPriorityFeePerGas: 2n });
  });

  test('are raised by an eighth at least, and to what is usual now, with the same nonce', () => {
    fc.assert(
      fc.property(transfer, caps, (before, now) => {
        const after = bumpFees(before, now);
        if (!after) {
          assert.equal(before.kind, 'sweep');
          return;
        }
        for (const name of ['maxFeePerGas', 'maxPriorityFeePerGas'] as const) {
          assert.ok(8n * after[name] >= 9n * before[name]);
          assert.ok(after[name] >= now[name]);
          // No higher than needed.
          assert.ok(after[name] === now[name] || 8n * (after[name] - 1n) < 9n * before[name]);
        }
        assert.ok(after.maxPriorityFeePerGas <= after.maxFeePerGas);
        const { value, maxFeePerGas: _most, maxPriorityFeePerGas: _priority, ...rest } = after;
        assert.deepEqual({ ...before, ...rest }, before);
        if (before.kind === 'sweep')
          assert.equal(value + after.gas * after.maxFeePerGas, before.value + before.gas * before.maxFeePerGas);
        else assert.equal(value, before.value);
      }),
    );
  });

  test('of a sweep are not raised beyond what there is', () => {
    const caps = { maxFeePerGas: 80n, maxPriorityFeePerGas: 8n };
    const sweep = (balance: bigint) => sweepEther({ network: mainnet, nonce: 0, caps, to, balance });
    const none = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
    const [scarce, enough] = [sweep(21_000n * 90n), sweep(21_000n * 90n + 1n)];
    assert.ok(scarce && enough);
    assert.equal(bumpFees(scarce, none), null);
    assert.deepEqual(bumpFees(enough, none), {
      ...enough,
      value: 1n,
      maxFeePerGas: 90n,
      maxPriorityFeePerGas: 9n,
    });
  });
});

describe('a signed transfer', () => {
  test('is of its sender, says what was to be said, and is the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(transfer, async (sent) => {
        const { raw, txHash } = await wallet.sign(sent);
        assert.deepEqual(await wallet.sign(sent), { raw, txHash });
        assert.equal(txHash, keccak256(raw as Hex));
        const read = parseTransaction(raw as TransactionSerializedEIP1559);
        const { r = '0x', s = '0x', yParity = 0 } = read;
        const hash = keccak256(unsignedForm(sent) as Hex);
        assert.equal(await recoverAddress({ hash, signature: { r, s, yParity } }), wallet.address);
        assert.equal(addresses.normalise(read.to ?? ''), sent.to);
        assert.deepEqual(
          [read.type, read.chainId, read.nonce ?? 0, read.value ?? 0n, read.data ?? '0x', read.gas],
          ['eip1559', 1, sent.nonce, sent.value, sent.data, sent.gas],
        );
        assert.deepEqual(
          [read.maxFeePerGas ?? 0n, read.maxPriorityFeePerGas ?? 0n],
          [sent.maxFeePerGas, sent.maxPriorityFeePerGas],
        );
      }),
      { numRuns: 50 },
    );
  });

  test('is what somebody else makes of the unsigned form with the same key', async () => {
    const caps = { maxFeePerGas: 30n, maxPriorityFeePerGas: 2n };
    const sent = fundGas({ network: sepolia, nonce: 1, caps, to, amount: 5n });
    const privateKey: Hex = `0x${'4f'.repeat(32)}`;
    const unsigned = unsignedForm(sent) as TransactionSerializedEIP1559;
    assert.ok(unsigned.startsWith('0x02'));
    const signature = await sign({ hash: keccak256(unsigned), privateKey });
    const read = parseTransaction((await signerOf(privateKey).sign(sent)).raw as TransactionSerializedEIP1559);
    assert.deepEqual([read.r, read.s, read.yParity], [signature.r, signature.s, signature.yParity]);
  });

  test('comes from the address that was derived from the public key', () => {
    for (const index of [0, 5, 77])
      assert.equal(
        walletSigner(account.privateExtendedKey, index).address,
        addresses.derive(account.publicExtendedKey, index),
      );
  });

  test('is not made with a public key, or a key of another depth or form; no error repeats the key', () => {
    assert.throws(() => walletSigner(account.publicExtendedKey, 0), /public/);
    assert.throws(() => walletSigner(account.deriveChild(0).privateExtendedKey, 0), /of depth 4/);
    const short = 'ab'.repeat(31);
    assert.throws(
      () => signerOf(`0x${short}`),
      (error: Error) => /32 bytes in hexadecimal/.test(error.message) && !error.message.includes(short),
    );
    assert.throws(() => signerOf('4f'.repeat(33)), /with 0x/);
    assert.throws(() => signerOf(`0x${'0'.repeat(64)}`));
  });
});

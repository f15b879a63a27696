import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { Transaction } from 'micro-eth-signer';
import { createContract, ERC20 } from 'micro-eth-signer/abi.js';
import { createEthereumAddresses } from '../../src/chains/ethereum/addresses.ts';
import { toFeeRate } from '../../src/chains/ethereum/fees.ts';
import { findEthereumNetwork } from '../../src/chains/ethereum/networks.ts';
import { TRANSFER_TOPIC } from '../../src/chains/ethereum/rpc-methods.ts';
import { createSigner } from '../../src/chains/ethereum/signing.ts';
import {
  keccak256,
  parseSigned,
  parseUnsigned,
  serializeUnsigned,
  type TransactionFields,
} from '../../src/chains/ethereum/transaction.ts';
import {
  ETHER_GAS_LIMIT,
  buildGasFunding,
  buildEtherSweep,
  buildTokenTransfer,
} from '../../src/chains/ethereum/transfers.ts';
import { createWalletSigner, maxCostOf } from '../support/ethereum-transfers.ts';

const account = HDKey.fromMasterSeed(new Uint8Array(32).fill(1)).derive("m/44'/60'/0'");
const mainnet = findEthereumNetwork('ethereum', 'mainnet');
const sepolia = findEthereumNetwork('ethereum', 'sepolia');
const addresses = createEthereumAddresses(mainnet);
const wallet = createWalletSigner(account.privateExtendedKey, 5);
const to = addresses.derive(account.publicExtendedKey, 6);

const fee = fc.bigInt(0n, 10n ** 13n);
const caps = fc.tuple(fee, fee).map(([base, priority]) => ({
  maxFeePerGas: base + priority,
  maxPriorityFeePerGas: priority,
}));
const nonce = fc.nat(2 ** 31);
const amount = fc.bigInt(1n, 2n ** 96n);
const transfer: fc.Arbitrary<TransactionFields> = fc.oneof(
  fc
    .record({ nonce, caps, amount })
    .map(({ nonce, caps, amount }) => buildGasFunding({ network: mainnet, nonce, caps, to, amount })),
  fc
    .record({ nonce, caps, amount, code: fc.constantFrom('usdt', 'usdc') })
    .map((fields) => buildTokenTransfer({ network: mainnet, to, ...fields })),
  fc.record({ nonce, caps, amount }).map(({ nonce, caps, amount }) => {
    const balance = amount + ETHER_GAS_LIMIT * caps.maxFeePerGas;
    const sweep = buildEtherSweep({ network: mainnet, nonce, caps, to, balance });
    assert.ok(sweep);
    return sweep;
  }),
);

describe('a sweep', () => {
  test('sends the balance minus the maximum gas cost', () => {
    fc.assert(
      fc.property(caps, fc.bigInt(0n, 2n ** 70n), fc.bigInt(21_000n, 60_000n), (caps, balance, gas) => {
        const sweep = buildEtherSweep({ network: mainnet, nonce: 0, caps, gasLimit: gas, to, balance });
        const cost = gas * caps.maxFeePerGas;
        if (!sweep) assert.ok(balance <= cost);
        else {
          assert.equal(sweep.value + cost, balance);
          assert.ok(sweep.value > 0n);
          assert.equal(maxCostOf(sweep), balance);
        }
      }),
    );
  });

  test('is null if nothing would remain', () => {
    const caps = { maxFeePerGas: 100n, maxPriorityFeePerGas: 1n };
    assert.equal(buildEtherSweep({ network: mainnet, nonce: 0, caps, to, balance: 2_100_000n }), null);
    assert.equal(buildEtherSweep({ network: mainnet, nonce: 0, caps, to, balance: 2_100_001n })?.value, 1n);
  });
});

describe('a token transfer', () => {
  test("calls the network's contract, sends no ether and ignores the result", () => {
    const caps = { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
    const sent = buildTokenTransfer({ network: mainnet, nonce: 3, caps, code: 'usdt', to, amount: 1_000_000n });
    assert.equal(sent.to, '0xdAC17F958D2ee523a2206206994597C13D831ec7');
    assert.equal(sent.value, 0n);
    const call = createContract(ERC20).transfer.encodeInput({ to, value: 1_000_000n });
    assert.equal(sent.data, `0x${Buffer.from(call).toString('hex')}`);
    assert.equal(maxCostOf(sent), 900_000n);
  });

  test('is rejected without a contract, an amount or an address', () => {
    const fields = { network: sepolia, nonce: 0, caps: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n } };
    assert.throws(() => buildTokenTransfer({ ...fields, code: 'usdt', to, amount: 1n }), /no usdt/);
    assert.throws(() => buildTokenTransfer({ ...fields, code: 'usdc', to, amount: 0n }), /must be greater than 0/);
    assert.throws(() => buildTokenTransfer({ ...fields, code: 'usdc', to, amount: 2n ** 256n }));
    assert.throws(
      () => buildTokenTransfer({ ...fields, code: 'usdc', to: to.slice(0, -1), amount: 1n }),
      /Not an Ethereum/,
    );
    const wrongCheck = to.toLowerCase().replace(/[a-f]/, (letter) => letter.toUpperCase());
    if (wrongCheck !== to)
      assert.throws(() => buildGasFunding({ ...fields, to: wrongCheck, amount: 1n }), /Not an Ethereum/);
    assert.throws(() => buildGasFunding({ ...fields, to, amount: -1n }), /must be greater than 0/);
  });

  test('creates the log by which it is found', () => {
    const signature = Buffer.from('Transfer(address,address,uint256)').toString('hex');
    assert.equal(TRANSFER_TOPIC, keccak256(`0x${signature}`));
  });
});

describe('fees', () => {
  test('are implausible if neither the last block nor the node confirms the fee history', () => {
    const gwei = 10n ** 9n;
    const history = (base: bigint, tip: bigint) => ({
      ...{ baseFeePerGas: [base, base], gasUsedRatio: [0.5], reward: [[tip]] },
    });
    const usual = toFeeRate(history(20n * gwei, gwei), { baseFee: 20n * gwei, gasPrice: 21n * gwei });
    assert.deepEqual(usual, { unit: 'wei/gas', amount: 21n * gwei, priority: gwei });
    const wrong = { baseFee: gwei / 16n, gasPrice: gwei };
    assert.match(toFeeRate(history(10_000n * gwei, 1n), wrong).disagreement ?? '', /the last block 62500000/);
    assert.match(
      toFeeRate(history(gwei / 16n, 10_000n * gwei), wrong).disagreement ?? '',
      /the node itself 1000000000/,
    );
    // A quiet network has no usual fee.
    assert.equal(toFeeRate(history(7n, 9n), { baseFee: 7n, gasPrice: 7n }).disagreement, undefined);
  });
});

describe('a signed transfer', () => {
  test('has the correct sender and fields, and is deterministic', () => {
    fc.assert(
      fc.property(transfer, (sent) => {
        const { raw, txHash } = wallet.sign(sent);
        assert.deepEqual(wallet.sign(sent), { raw, txHash });
        assert.equal(txHash, keccak256(raw));
        assert.deepEqual(parseSigned(raw), { fields: sent, unsigned: serializeUnsigned(sent), sender: wallet.address });
        assert.deepEqual(parseUnsigned(serializeUnsigned(sent)), sent);
        assert.equal(parseSigned(serializeUnsigned(sent)), null);
      }),
      { numRuns: 50 },
    );
  });

  test('equals the transaction that another implementation (viem) signs', () => {
    const caps = { maxFeePerGas: 30_000_000_000n, maxPriorityFeePerGas: 2_000_000_000n };
    const signer = createSigner(`0x${'4f'.repeat(32)}`);
    const payee = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
    const ether = buildGasFunding({ network: sepolia, nonce: 0, caps, to: payee, amount: 5n });
    assert.equal(
      signer.sign(ether).raw,
      '0x02f86e83aa36a78084773594008506fc23ac00825208949858effd232b4033e47d90003d41ec34ecaeda940580c080a0c4c650c4846c97bc55fa5f868ff93e6074c811232fc7ccf7e58e50ce76223b5ea04c27119a6f0f536751b6047e153a0c71e509b94afdf9d796c7b95759b4f5d053',
    );
    const token = buildTokenTransfer({
      network: mainnet,
      nonce: 300,
      caps,
      code: 'usdt',
      to: payee,
      amount: 1_000_000n,
    });
    assert.equal(
      signer.sign(token).raw,
      '0x02f8b30182012c84773594008506fc23ac00830186a094dac17f958d2ee523a2206206994597c13d831ec780b844a9059cbb0000000000000000000000009858effd232b4033e47d90003d41ec34ecaeda9400000000000000000000000000000000000000000000000000000000000f4240c080a039e265ecf9c97aba3f95e570250b185c408205f30fa2c12a4472688b767d38e0a0633095a6f130ab49480c8d17136a2092edc77dc2223fce31d2aeaf75453b9721',
    );
  });

  test('with fields that a transfer lacks is rejected', () => {
    const key = `0x${'4f'.repeat(32)}`;
    const fields = { nonce: 0n, value: 1n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
    const contract = Transaction.prepare({ ...fields, to: '0x', data: '0x00', gasLimit: 90_000n }, false);
    assert.throws(() => parseSigned(contract.signBy(key).toHex()), /must not create a contract/);
    const accessList = [{ address: to, storageKeys: [] }];
    const listed = Transaction.prepare({ ...fields, to, accessList, gasLimit: 90_000n }, false);
    assert.throws(() => parseSigned(listed.signBy(key).toHex()), /access list/);
    const legacy = Transaction.prepare({ type: 'legacy', nonce: 0n, value: 1n, gasPrice: 1n, to }, false);
    assert.throws(() => parseSigned(legacy.signBy(key).toHex()), /type 2/);
  });

  test('has the address derived from the public key as its sender', () => {
    for (const index of [0, 5, 77])
      assert.equal(
        createWalletSigner(account.privateExtendedKey, index).address,
        addresses.derive(account.publicExtendedKey, index),
      );
  });

  test('needs a private key of the correct depth and format; no error repeats the key', () => {
    assert.throws(() => createWalletSigner(account.publicExtendedKey, 0), /public/);
    assert.throws(() => createWalletSigner(account.deriveChild(0).privateExtendedKey, 0), /has depth 4/);
    const short = 'ab'.repeat(31);
    assert.throws(
      () => createSigner(`0x${short}`),
      (error: Error) => /32 bytes in hexadecimal/.test(error.message) && !error.message.includes(short),
    );
    assert.throws(() => createSigner('4f'.repeat(33)), /with 0x/);
    assert.throws(() => createSigner(`0x${'0'.repeat(64)}`));
  });
});

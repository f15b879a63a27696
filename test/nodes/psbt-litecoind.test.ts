import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HDKey } from '@scure/bip32';
import { WIF } from '@scure/btc-signer';
import { litecoin as litecoinChain } from '../../src/shared/chains/litecoin.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { clockOfBlock } from '../support/node-invoices.ts';
import { type Litecoind, litecoindSettings, startLitecoind } from '../support/litecoind.ts';
import { withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const seed = new Uint8Array(64).fill(33);
const { regtest } = litecoinChain.networks;
/** Indexes of deposit addresses whose keys the node's wallet has. */
const KEYS = 10;

describe("withdrawals signed by litecoind's wallet", () => {
  let node: Litecoind;
  let fixture: Fixture;
  const { create, enableWithdrawals, prefer, onlyWithdrawal, submit } = withdrawalsOf(() => fixture);

  before(async () => {
    node = await startLitecoind();
    const { publicKey, privateKey } = await deriveAccount(seed, 'bitcoin', { isTest: true });
    const [versions] = regtest.extendedKeys;
    const external = HDKey.fromExtendedKey(privateKey, versions).deriveChild(0);
    for (let index = 0; index < KEYS; index += 1) {
      const key = external.deriveChild(index).privateKey;
      assert.ok(key);
      await node.call('importprivkey', WIF(regtest).encode(key), '', false);
    }
    const { time } = await node.call('getblockheader', await node.call('getbestblockhash'));
    fixture = await openFixture({ clock: clockOfBlock(time), env: litecoindSettings(node.url, publicKey) });
    await fixture.work();
  });
  after(async () => {
    await fixture?.close();
    await node.stop();
  });

  test('SIGHASH_NONE is rejected, SIGHASH_ALL passes testmempoolaccept and is sent', async () => {
    const destination = await node.newAddress();
    await enableWithdrawals('btc', destination);
    await prefer({ 'wallet-rotate-amount-btc': '1' });
    const invoices = [await create({ amount: '500000' }), await create({ amount: '700000' })];
    for (const { walletAddress, amountRequired } of invoices)
      await node.sendToAddress(walletAddress, BigInt(amountRequired ?? 0));
    await node.mine(2);
    await fixture.work();
    const toSign = await onlyWithdrawal({ status: 'to_sign' });
    const psbt = toSign.unsigned?.data ?? '';
    const decoded = await node.call('decodepsbt', psbt);
    assert.equal(decoded.inputs.length, 2);

    const open = await node.signPsbt(psbt, 'NONE');
    assert.equal(open.complete, true);
    const refused = await submit(toSign, open.psbt);
    assert.deepEqual([refused.status, refused.body.errors?.[0]?.code], [422, 'transaction_mismatch']);
    assert.match(refused.body.errors[0].detail, /SIGHASH_ALL/);
    assert.deepEqual(await node.call('getrawmempool'), []);

    const signed = await node.signPsbt(psbt);
    const { hex } = await node.call('finalizepsbt', signed.psbt);
    const [accepted] = await node.call('testmempoolaccept', [hex]);
    assert.equal(accepted.allowed, true, JSON.stringify(accepted));
    const taken = await submit(toSign, signed.psbt);
    assert.deepEqual([taken.status, taken.body.status, taken.body.txHash], [200, 'sent', toSign.txHash]);
    assert.deepEqual(await node.call('getrawmempool'), [toSign.txHash]);
    await node.mine(2);
    await fixture.work();
    const { status, amount } = await onlyWithdrawal();
    assert.equal(status, 'confirmed');
    const received = await node.call<number>('getreceivedbyaddress', destination);
    assert.equal(BigInt(Math.round(received * 1e8)), BigInt(amount ?? 0));
  });
});

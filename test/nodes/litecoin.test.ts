import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { WIF } from '@scure/btc-signer';
import { parseAccountKey } from '../../src/chains/bitcoin/account-key.ts';
import { createBitcoinChain } from '../../src/chains/bitcoin/chain.ts';
import { litecoin as litecoinChain } from '../../src/shared/chains/litecoin.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { type Litecoind, startLitecoind } from '../support/litecoind.ts';
import { clockOfBlock, nodeInvoicesOf } from '../support/node-invoices.ts';
import { writeSeedFile } from '../support/node-fixture.ts';
import { findAllAddresses } from '../support/simulated-chains.ts';
import { withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const network = litecoinChain.networks.regtest;
const AMOUNT = 1_500_000n;
/** Confirmations of a deposit in LTC by default. */
const DEEP = 6;
/** The last block without an extension block. */
const LAST_PLAIN = 431;

/** The service on a node, with its own account, which can sign unless `keys` says otherwise. */
async function openOn(node: Litecoind, { canSign = true } = {}) {
  const seed = randomBytes(64);
  const keys = await deriveAccount(seed, 'litecoin', { isTest: true });
  const file = writeSeedFile(seed);
  const { time } = await node.call('getblockheader', await node.call('getbestblockhash'));
  const fixture = await openFixture({
    clock: clockOfBlock(time),
    env: {
      CHAIN_LTC_URL: node.url,
      CHAIN_LTC_NETWORK: 'regtest',
      CHAIN_LTC_ACCOUNT_KEY: keys.publicKey,
      ...(canSign && { CHAIN_SEED_FILE: file.path }),
    },
  });
  await fixture.work();
  return {
    fixture,
    keys,
    async close() {
      await fixture.close();
      file.remove();
    },
  };
}

/** Amount that a transaction pays an address, from the node; 0 if nothing. */
async function paidBy(node: Litecoind, txid: string, address: string): Promise<bigint> {
  const { vout } = await node.call('getrawtransaction', txid, true);
  return vout
    .filter(({ scriptPubKey }: any) => scriptPubKey?.addresses?.includes(address))
    .reduce((sum: bigint, { value }: any) => sum + BigInt(Math.round(value * 1e8)), 0n);
}

describe('Litecoin on a node', () => {
  let node: Litecoind;
  let fixture: Fixture;
  let opened: Awaited<ReturnType<typeof openOn>>;
  const { create, get, reportedStatuses } = nodeInvoicesOf(() => fixture, 'litecoin');
  const { onlyWithdrawal, enableWithdrawals, prefer, submit, requestWithdrawal } = withdrawalsOf(() => fixture);
  const mine = async (blocks = 1) => {
    await node.mine(blocks);
    await fixture.work();
  };
  before(async () => {
    node = await startLitecoind(['-txindex']);
  });
  beforeEach(async () => {
    opened = await openOn(node);
    ({ fixture } = opened);
  });
  afterEach(async () => {
    await opened.close();
  });
  after(async () => {
    await node.stop();
  });

  test('an invoice is complete after six blocks', async () => {
    const invoice = await create({ code: 'ltc', amount: `${AMOUNT}` });
    assert.match(invoice.walletAddress, /^rltc1q/);
    assert.equal(invoice.uri, `litecoin:${invoice.walletAddress}?amount=0.015`);
    await node.sendToAddress(invoice.walletAddress, AMOUNT);
    await fixture.work();
    assert.equal((await get(invoice)).status, 'waiting');
    await mine(DEEP - 1);
    assert.equal((await get(invoice)).status, 'waiting');
    await mine();
    const { status, amount, confirmations } = await get(invoice);
    assert.deepEqual([status, amount, confirmations], ['complete', `${AMOUNT}`, DEEP]);
    assert.deepEqual(await reportedStatuses(invoice), ['pending', 'waiting', 'confirmed', 'complete']);
  });

  test('credited funds are swept, signed with the seed', async () => {
    const destination = await node.newAddress();
    await enableWithdrawals('ltc', destination);
    await prefer({ 'wallet-rotate-amount-ltc': '1' });
    for (const amount of [AMOUNT, 2n * AMOUNT]) {
      const invoice = await create({ code: 'ltc', amount: `${amount}` });
      await node.sendToAddress(invoice.walletAddress, amount);
    }
    await fixture.work();
    await mine(DEEP);
    const sent = await onlyWithdrawal({ code: 'ltc' });
    assert.deepEqual([sent.status, sent.spent, sent.feeCode], ['sent', `${3n * AMOUNT}`, 'ltc']);
    await mine(DEEP);
    const done = await onlyWithdrawal({ code: 'ltc' });
    assert.equal(done.status, 'confirmed');
    assert.equal(BigInt(done.amount ?? 0) + BigInt(done.fee ?? 0), 3n * AMOUNT);
    assert.equal(await paidBy(node, done.txHash ?? '', destination), BigInt(done.amount ?? 0));
  });

  test("outputs below Litecoin's dust limit are neither requested nor sent", async () => {
    const tooSmall = await fixture.request('/v1/transaction/invoice', {
      body: { txId: 'dust', code: 'ltc', amount: '2939', type: 'revolver' },
    });
    assert.equal(tooSmall.status, 422, tooSmall.text);
    await enableWithdrawals('ltc', await node.newAddress());
    await prefer({ 'wallet-rotate-amount-ltc': '1' });
    // More than the fee and Bitcoin's dust limit, less than Litecoin's.
    const invoice = await create({ code: 'ltc', amount: '2940' });
    await node.sendToAddress(invoice.walletAddress, 2940n);
    await fixture.work();
    await mine(DEEP);
    assert.equal((await get(invoice)).status, 'complete');
    const { status, waitsFor, txHash } = await onlyWithdrawal({ code: 'ltc' });
    assert.deepEqual([status, waitsFor?.reason, txHash], ['waiting', 'amount_too_small', null]);
  });

  test('a PSBT is signed by the wallet of Litecoin Core', async () => {
    await opened.close();
    opened = await openOn(node, { canSign: false });
    ({ fixture } = opened);
    const { privateKey } = parseAccountKey(opened.keys.privateKey, network).deriveChild(0).deriveChild(0);
    assert.ok(privateKey);
    const destination = await node.newAddress();
    await enableWithdrawals('ltc', destination);
    await prefer({ 'wallet-rotate-amount-ltc': '1' });
    const invoice = await create({ code: 'ltc', amount: `${AMOUNT}` });
    await node.call('importprivkey', WIF(network).encode(privateKey), '', false);
    await node.sendToAddress(invoice.walletAddress, AMOUNT);
    await fixture.work();
    await mine(DEEP);
    const { unsigned, ...withdrawal } = await onlyWithdrawal({ code: 'ltc' });
    assert.deepEqual([withdrawal.status, unsigned?.format], ['to_sign', 'psbt']);
    const signed = await node.signPsbt(unsigned?.data ?? '');
    assert.equal(signed.complete, true);
    const response = await submit(withdrawal, signed.psbt);
    assert.equal(response.status, 200, response.text);
    await mine(DEEP);
    const done = await onlyWithdrawal({ code: 'ltc' });
    assert.equal(done.status, 'confirmed');
    assert.equal(await paidBy(node, done.txHash ?? '', destination), BigInt(done.amount ?? 0));
  });

  test('MWEB addresses are rejected as destinations, with an explanation', async () => {
    const address = await node.call('getnewaddress', '', 'mweb');
    assert.match(address, /^tmweb1/);
    const invoice = await create({ code: 'ltc', amount: `${AMOUNT}` });
    for (const response of [
      await fixture.request('/v1/merchant/preferences', {
        method: 'PATCH',
        body: { key: 'auto-withdrawal-destination-ltc', value: address },
        token: fixture.merchant.managerToken,
      }),
      await requestWithdrawal({
        code: 'ltc',
        source: 'credited',
        walletAddress: invoice.walletAddress,
        destination: address,
      }),
    ]) {
      assert.equal(response.status, 422, response.text);
      assert.match(response.text, /MWEB/);
    }
  });
});

describe('Litecoin with an extension block (MWEB)', () => {
  let node: Litecoind;
  let opened: Awaited<ReturnType<typeof openOn>>;
  let fixture: Fixture;
  const { create, get } = nodeInvoicesOf(() => fixture, 'litecoin');
  const { onlyWithdrawal, listWithdrawals, enableWithdrawals, prefer } = withdrawalsOf(() => fixture);
  const mine = async (blocks = 1) => {
    const hashes = await node.mine(blocks);
    await fixture.work();
    return hashes;
  };

  /** The node's wallet pegs funds in or out. */
  const pegIn = async (amount: string) =>
    await node.call<string>('sendtoaddress', await node.call('getnewaddress', '', 'mweb'), amount);
  async function pegOut(address: string, amount: string): Promise<string> {
    const unspent = await node.call<{ txid: string; vout?: number; address: string }[]>('listunspent', 1);
    const plain = unspent
      .filter((coin) => !coin.address.startsWith('tmweb1'))
      .map(({ txid, vout }) => ({ txid, vout }));
    await node.call('lockunspent', false, plain);
    try {
      return await node.call('sendtoaddress', address, amount);
    } finally {
      await node.call('lockunspent', true);
    }
  }

  before(async () => {
    // Later options override: the extension block is activated, and the wallet broadcasts its transactions.
    node = await startLitecoind(['-vbparams=mweb:1601450001:9999999999999', '-walletbroadcast=1', '-txindex']);
    await node.mine(LAST_PLAIN - (await node.call<number>('getblockcount')));
    await pegIn('40');
    await node.mine(2);
  });
  beforeEach(async () => {
    opened = await openOn(node);
    ({ fixture } = opened);
  });
  afterEach(async () => {
    await opened.close();
  });
  after(async () => {
    await node.stop();
  });

  test('every block is parsed: hashes, and all payments to ordinary addresses', async () => {
    const invoice = await create({ code: 'ltc', amount: `${AMOUNT}` });
    await node.sendToAddress(invoice.walletAddress, AMOUNT);
    await pegOut(await node.newAddress(), '1.25');
    await pegIn('0.5');
    await node.mine();
    const chain = createBitcoinChain({ url: node.url, network, code: 'ltc' });
    try {
      const { height } = await chain.tip();
      let hogEx = 0;
      for (let next = LAST_PLAIN - 1; next <= height; next += 1) {
        const read = await chain.block(next, findAllAddresses);
        const nodeBlock = await node.call('getblock', read?.hash, 2);
        const expected = nodeBlock.tx.flatMap(({ txid, vout }: any, place: number) =>
          vout
            .filter(({ scriptPubKey, value }: any) => value > 0 && scriptPubKey.addresses)
            .map(({ n, value, scriptPubKey }: any) => ({
              paymentKey: `${txid}:${n}`,
              txHash: txid,
              address: scriptPubKey.addresses[0],
              code: 'ltc',
              amount: BigInt(Math.round(value * 1e8)),
              ...(place === 0 && { spendableFrom: next + 100 }),
              ...(next > LAST_PLAIN && place === nodeBlock.tx.length - 1 && { spendableFrom: next + 6 }),
            })),
        );
        assert.deepEqual(read?.deposits, expected, `block ${next}`);
        if (nodeBlock.mweb) hogEx += 1;
      }
      assert.ok(hogEx >= 3);
    } finally {
      await chain.close();
    }
    await fixture.work();
    assert.equal((await get(invoice)).confirmations, 1);
  });

  test('a peg-out pays an invoice once it is mined, and is swept once it may be spent', async () => {
    const destination = await node.newAddress();
    await prefer({ 'min-confirmation-ltc': 1, 'wallet-rotate-amount-ltc': '1' });
    await enableWithdrawals('ltc', destination);
    const invoice = await create({ code: 'ltc', amount: `${AMOUNT}` });
    const txid = await pegOut(invoice.walletAddress, '0.015');
    // In the mempool it has the hash of a kernel, and no address.
    assert.ok((await node.call<string[]>('getrawmempool')).includes(txid));
    await fixture.work();
    assert.deepEqual((await get(invoice)).payments, []);
    await mine();
    const paid = await get(invoice);
    assert.deepEqual([paid.status, paid.amount, paid.payments.length], ['complete', `${AMOUNT}`, 1]);
    assert.notEqual(paid.payments[0]?.txHash, txid);
    // Six blocks after its own. Nodes reject it earlier.
    await mine(4);
    assert.deepEqual(await listWithdrawals(), []);
    await mine();
    const sent = await onlyWithdrawal({ code: 'ltc' });
    assert.equal(sent.status, 'sent', JSON.stringify(sent.waitsFor));
    await mine();
    const done = await onlyWithdrawal({ code: 'ltc' });
    assert.equal(done.status, 'confirmed');
    assert.equal(await paidBy(node, done.txHash ?? '', destination), BigInt(done.amount ?? 0));
  });

  test('a peg-in is not a deposit, and hides no deposit in the same block', async () => {
    const invoice = await create({ code: 'ltc', amount: `${AMOUNT}` });
    const entering = await pegIn('0.75');
    const payment = await node.sendToAddress(invoice.walletAddress, AMOUNT);
    await fixture.work();
    const pool = await node.call<string[]>('getrawmempool');
    assert.deepEqual(
      [entering, payment].map((txid) => pool.includes(txid)),
      [true, true],
    );
    assert.deepEqual(
      (await get(invoice)).payments.map(({ txHash, amount }) => [txHash, amount]),
      [[payment, `${AMOUNT}`]],
    );
    await mine(DEEP);
    assert.equal((await get(invoice)).status, 'complete');
  });

  test('a peg-out counts once if its block is replaced', async () => {
    const invoice = await create({ code: 'ltc', amount: `${AMOUNT}` });
    await pegOut(invoice.walletAddress, '0.015');
    await mine(2);
    const [before] = (await get(invoice)).payments;
    await node.reorg(2, { blocks: 'remined' });
    await fixture.work();
    const { amount, payments } = await get(invoice);
    assert.equal(amount, `${AMOUNT}`);
    assert.deepEqual(payments.filter(({ confirmations }) => confirmations !== null).length, 1);
    assert.ok(before);
    await mine(DEEP);
    assert.equal((await get(invoice)).status, 'complete');
  });
});

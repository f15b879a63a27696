import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { MINUTE } from '../../src/shared/time.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { deployForwarder, deployNoReturnToken, forwardData, transferData } from '../support/contracts.ts';
import { nodeInvoicesOf } from '../support/node-invoices.ts';
import { openEthereumFixture } from '../support/node-fixture.ts';
import { ethereumAddress } from '../support/simulated-chains.ts';
import { withdrawalsOf } from '../support/withdrawals.ts';
import type { Fixture } from '../support/fixture.ts';
import { resumeIssuing } from '../../src/wallets/accounts.ts';

const ETHER = 10n ** 18n;
/** Confirmations after which a deposit is credited. */
const DEEP = 12;
const destination = ethereumAddress(77);

describe('ether that contracts send, by an Ethereum node', () => {
  let node: Anvil;
  let fixture: Fixture;
  let usedOutside: string[] = [];
  let forwarder: string;
  let token: string;
  let gasWallet: string;
  let file: { remove(): void };

  before(async () => {
    node = await startAnvil();
    forwarder = await deployForwarder(node);
    token = await deployNoReturnToken(node);
  });
  beforeEach(async () => {
    ({ fixture, gasWallet, seedFile: file } = await openEthereumFixture(node, `usdt=${token}`));
  });
  afterEach(async () => {
    await fixture.close({ usedOutside });
    usedOutside = [];
    file.remove();
  });
  after(async () => await node.stop());

  const { create, review, get, list, statusOf, reportedStatuses, trouble } = nodeInvoicesOf(() => fixture, 'ethereum');
  const { requestWithdrawal, listWithdrawals, prefer } = withdrawalsOf(() => fixture);
  const ether = async (body: Record<string, unknown> = {}) =>
    await create({ code: 'eth', amount: String(ETHER), ...body });
  const pay = async ({ walletAddress: to }: CryptoTransaction, value = ETHER) => await node.send({ to, value });
  /** Sends ether through the contract. */
  const forward = async ({ walletAddress: to }: CryptoTransaction, value = ETHER) =>
    await node.send({ to: forwarder, value, data: forwardData(to) });
  const mine = async (blocks = 1) => {
    await node.mine(blocks);
    await fixture.work();
  };
  const amountsOf = async (transaction: { id: string }) =>
    (await get(transaction)).payments.map(({ amount, confirmations }) => [amount, confirmations]);
  const amountOf = async (transaction: { id: string }) => BigInt((await get(transaction)).amount);
  const balanceOf = async (address: string) => BigInt(await node.call('eth_getBalance', [address, 'latest']));

  test('is detected by balance, and completes an invoice', async () => {
    const [invoice, unpaid] = [await ether(), await ether()];
    await mine();
    await forward(invoice);
    await mine();
    const seen = await get(invoice);
    assert.deepEqual([seen.status, seen.confirmations, seen.amount], ['waiting', 1, String(ETHER)]);
    assert.deepEqual(
      seen.payments.map(({ txHash }) => txHash),
      [''],
    );
    await mine(DEEP - 1);
    assert.deepEqual(await amountsOf(invoice), [[String(ETHER), DEEP]]);
    assert.deepEqual(await reportedStatuses(invoice), ['pending', 'waiting', 'confirmed', 'complete']);
    assert.deepEqual([await statusOf(unpaid), await amountsOf(unpaid)], ['pending', []]);
    assert.deepEqual([await list({ status: 'approved_required' }), await trouble()], [[], null]);
  });

  test('is detected in the first block after its address was issued, and as late after the deadline', async () => {
    const [first, late] = [await ether(), await ether()];
    await forward(first);
    await mine();
    assert.equal(await statusOf(first), 'waiting');
    await fixture.advance(31 * MINUTE);
    await node.call('evm_increaseTime', [31 * 60]);
    await forward(late);
    await mine(DEEP + 1);
    const { status, labels } = await get(late);
    assert.deepEqual([await statusOf(first), status, labels], ['complete', 'approved_required', ['late']]);
  });

  test('an earlier balance of the address is not a payment', async () => {
    const [ethereum] = fixture.service().invoices.context.chains.all.filter(({ name }) => name === 'ethereum');
    assert.ok(ethereum);
    const { accountKey, accountId, chain } = ethereum;
    for (let index = 0; index < 5; index += 1)
      await node.send({ to: chain.addresses.derive(accountKey, index), value: ETHER });
    await mine();
    // Deposits at addresses that were never issued: the operator knows that no writes were lost.
    await resumeIssuing(fixture.service().invoices.context, accountId, 0);
    const invoice = await ether();
    await mine(DEEP);
    assert.deepEqual([await statusOf(invoice), await amountsOf(invoice)], ['pending', []]);
    await forward(invoice);
    await mine(DEEP);
    assert.deepEqual(await amountsOf(invoice), [[String(ETHER), 1]]);
  });

  test('an ordinary transfer in the same block is one payment, and the contract’s transfer another', async () => {
    const user = await ether({ type: 'user' });
    await pay(user, 3n * ETHER);
    await forward(user, 5n * ETHER);
    await forward(user, 7n * ETHER);
    await mine();
    await mine(DEEP);
    const { status, amount } = await get(user);
    assert.deepEqual([status, amount], ['complete', String(15n * ETHER)]);
    assert.deepEqual(await amountsOf(user), [
      [String(3n * ETHER), DEEP + 1],
      [String(12n * ETHER), DEEP + 1],
    ]);
    await forward(user, 1n);
    await mine();
    assert.equal(await amountOf(user), 15n * ETHER + 1n);
  });

  test('a reorg reverses it; it is credited again once', async () => {
    const invoice = await ether();
    await mine();
    const raw = await node.call('eth_getRawTransactionByHash', [await forward(invoice)]);
    await mine();
    await mine(DEEP - 1);
    assert.equal(await statusOf(invoice), 'complete');
    await node.reorg(DEEP);
    await fixture.work();
    const gone = await get(invoice);
    assert.deepEqual([gone.status, gone.payments[0]?.confirmations], ['pending', null]);
    await node.reorg(1, [[raw, 0]]);
    await fixture.work();
    await mine();
    await mine(DEEP);
    const { status, amount, payments } = await get(invoice);
    assert.deepEqual([status, amount], ['complete', String(ETHER)]);
    assert.equal(payments.filter(({ confirmations }) => confirmations !== null).length, 1);
    assert.deepEqual(await list({ status: 'approved_required' }), []);
  });

  test('if the block in which an address was issued is orphaned, detection starts at the block before', async () => {
    const [ethereum] = fixture.service().invoices.context.chains.all.filter(({ name }) => name === 'ethereum');
    assert.ok(ethereum);
    // The block that will be orphaned already contains a payment.
    const address = ethereum.chain.addresses.derive(ethereum.accountKey, 0);
    await node.call('anvil_setBalance', [address, `0x${(3n * ETHER).toString(16)}`]);
    await mine();
    const invoice = await ether();
    assert.equal(invoice.walletAddress, address);
    await mine();
    assert.deepEqual(await amountsOf(invoice), []);
    await node.reorg(2);
    await fixture.work();
    await forward(invoice);
    await mine();
    assert.deepEqual(await amountsOf(invoice), [[String(ETHER), 1]]);
  });

  test('withdrawals, fees and gas funding are deducted, whatever arrives in the meantime', async () => {
    await node.call('anvil_setBalance', [gasWallet, `0x${(10n * ETHER).toString(16)}`]);
    await prefer({ 'min-confirmation-eth': 2, 'min-confirmation-usdt': 2 });
    const user = await ether({ type: 'user' });
    await pay(user, 2n * ETHER);
    // Tokens sent by mistake are rejected and refunded, which needs gas.
    await node.send({ to: token, data: transferData(user.walletAddress, 25_000_000n) });
    await mine(3);
    const [wrong] = await list({ status: 'approved_required' });
    const rejected = await review('reject', wrong ?? user);
    assert.equal(rejected.status, 200, rejected.text);
    const { walletAddress } = user;
    for (const [code, source] of [
      ['eth', 'credited'],
      ['usdt', 'rejected'],
    ] as const) {
      const { status, text } = await requestWithdrawal({ code, walletAddress, source, destination });
      assert.equal(status, 200, text);
    }
    await fixture.work();
    // The contract sends during these steps, in the same blocks.
    let forwarded = 0n;
    for (let block = 1n; block <= 8n; block += 1n) {
      await forward(user, block);
      forwarded += block;
      await mine();
    }
    await mine(3);
    const made = await listWithdrawals();
    assert.deepEqual(
      made.map(({ purpose, code, status }) => `${purpose} ${code} ${status}`),
      ['manual eth confirmed', 'manual usdt confirmed', 'gas eth confirmed'],
    );
    const { payments, amount } = await get(user);
    assert.equal(amount, String(2n * ETHER + forwarded), JSON.stringify(payments));
    assert.ok((await balanceOf(user.walletAddress)) > forwarded, 'gas remains there');
    // The pending deposit is found immediately, and no other.
    await mine(3);
    assert.equal((await get(user)).amount, amount);
  });

  test('a withdrawal whose block is orphaned, and that is mined again, is deducted once', async () => {
    await prefer({ 'min-confirmation-eth': 2 });
    const user = await ether({ type: 'user' });
    await pay(user, 2n * ETHER);
    await mine(2);
    const { walletAddress } = user;
    assert.equal(
      (await requestWithdrawal({ code: 'eth', walletAddress, source: 'credited', destination })).status,
      200,
    );
    await fixture.work();
    const had = await balanceOf(destination);
    const raw = await node.call('eth_getRawTransactionByHash', [await forward(user, 5n)]);
    await mine();
    assert.deepEqual([await amountOf(user), (await balanceOf(destination)) > had], [2n * ETHER + 5n, true]);
    await node.reorg(1);
    await fixture.work();
    assert.deepEqual([await amountOf(user), await balanceOf(destination)], [2n * ETHER, had]);
    await node.call('eth_sendRawTransaction', [raw]);
    for (let left = 4; left > 0; left -= 1) await mine();
    const [made] = await listWithdrawals();
    assert.equal(made?.status, 'confirmed');
    assert.equal((await balanceOf(destination)) - had, BigInt(made.amount ?? 0));
    const left = BigInt(made.fee ?? 0) - BigInt(made.feePaid ?? 0);
    assert.deepEqual([await amountOf(user), await balanceOf(walletAddress)], [2n * ETHER + 5n, 5n + left]);
  });

  test('after a manual transfer from a wallet nothing is credited by its balance', async () => {
    const user = await ether({ type: 'user' });
    await pay(user, 2n * ETHER);
    await mine(DEEP);
    const { walletAddress: from } = user;
    usedOutside.push(from);
    await node.call('anvil_impersonateAccount', [from]);
    await node.call('eth_sendTransaction', [{ from, to: destination, value: '0x1', gas: '0x5208' }]);
    await forward(user, 4n * ETHER);
    await mine(3);
    assert.equal(await amountOf(user), 2n * ETHER);
  });
});

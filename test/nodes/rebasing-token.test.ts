import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { needsOperator, reconcile } from '../../src/reconciliation/reconcile.ts';
import { resolveDifference } from '../../src/reconciliation/resolve-difference.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { balanceData, deployRebasingToken, rebaseData, transferData } from '../support/contracts.ts';
import { openEthereumFixture } from '../support/node-fixture.ts';
import { ethereumAddress } from '../support/simulated-chains.ts';
import { withdrawalsOf } from '../support/withdrawals.ts';
import type { Fixture } from '../support/fixture.ts';

const AMOUNT = 500_000_000n;
const destination = ethereumAddress(78);

describe('a rebasing token on an Ethereum node', () => {
  let node: Anvil;
  let token: string;
  let fixture: Fixture;
  let gasWallet: string;
  let file: { remove(): void };
  const { requestWithdrawal, create, get, listWithdrawals, prefer } = withdrawalsOf(() => fixture);
  const mine = async (blocks = 1) => {
    await node.mine(blocks);
    await fixture.work();
  };
  const ethereum = () => {
    const found = fixture.service().invoices.context.chains.all.find(({ name }) => name === 'ethereum');
    assert.ok(found);
    return found;
  };
  const differences = async () =>
    (await reconcile(fixture.service().database, ethereum())).differences.filter(needsOperator);
  const rebase = async (factor: number) => {
    await node.send({ to: token, data: rebaseData(factor) });
    await mine(13);
  };
  const balanceOf = async (address: string) =>
    BigInt(await node.call('eth_call', [{ to: token, data: balanceData(address) }, 'latest']));
  const withdraw = async ({ walletAddress }: CryptoTransaction) => {
    const { status, text } = await requestWithdrawal({ code: 'usdt', walletAddress, source: 'credited', destination });
    assert.equal(status, 200, text);
    for (const blocks of [1, 13, 1, 13]) await mine(blocks);
    return (await listWithdrawals()).find(({ purpose }) => purpose === 'manual');
  };

  before(async () => {
    node = await startAnvil();
  });
  beforeEach(async () => {
    token = await deployRebasingToken(node);
    ({ fixture, gasWallet, seedFile: file } = await openEthereumFixture(node, `usdt=${token}`));
    await node.send({ to: gasWallet, value: 10n ** 18n });
    await prefer({ 'wallet-rotate-amount-usdt': '1000000000' });
  });
  afterEach(async () => {
    await fixture.close();
    file.remove();
  });
  after(async () => await node.stop());

  const paidUser = async () => {
    const user = await create({ code: 'usdt', type: 'user', amount: '1' });
    await node.send({ to: token, data: transferData(user.walletAddress, AMOUNT) });
    await mine(13);
    assert.equal((await get(user)).amount, String(AMOUNT));
    assert.deepEqual(await differences(), []);
    return user;
  };

  test('shrinks a wallet: reconciliation names the contract, and a withdrawal sends the remaining balance', async () => {
    const user = await paidUser();
    await rebase(90);
    const [difference, ...others] = await differences();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [difference?.address, difference?.explanation, difference?.ledger, difference?.chain],
      [user.walletAddress, 'token_contract', AMOUNT, 450_000_000n],
    );
    assert.match(difference?.detail ?? '', /reports less than was transferred.*a rebasing token/);
    const sent = await withdraw(user);
    assert.deepEqual(
      [sent?.status, sent?.spent, sent?.amount, sent?.writtenOff],
      ['confirmed', '500000000', '450000000', '50000000'],
    );
    assert.equal(await balanceOf(user.walletAddress), 0n);
    assert.deepEqual(await differences(), []);
  });

  test('grows a wallet: the surplus is resolved, and a withdrawal sends the deposit', async () => {
    const user = await paidUser();
    await rebase(110);
    const [difference] = await differences();
    assert.deepEqual([difference?.explanation, difference?.chain], ['token_contract', 550_000_000n]);
    const { context } = fixture.service().invoices;
    const shown = { address: user.walletAddress, code: 'usdt' as const, difference: 50_000_000n };
    await resolveDifference(context, ethereum(), shown, async () => await Promise.resolve());
    assert.deepEqual(await differences(), []);
    const sent = await withdraw(user);
    assert.deepEqual([sent?.status, sent?.amount], ['confirmed', String(AMOUNT)]);
    assert.equal(await balanceOf(user.walletAddress), 50_000_000n);
    assert.deepEqual(await differences(), []);
  });
});

import { db } from './tables.ts';
import assert from 'node:assert/strict';
import { addressOn } from './simulated-chains.ts';
import { type Withdrawal, withdrawal, type WithdrawalDetail, withdrawalDetail } from '../../src/api/withdrawal.ts';
import {
  type ChainName,
  chainNames,
  type CryptoCurrencyCode,
  isBitcoinChain,
} from '../../src/shared/crypto-currency.ts';
import { invoicesOf } from './invoices.ts';
import type { FixtureResponse, TestMerchant, Fixture } from './fixture.ts';

/** External addresses, which keep received funds. */
export const external = onEachChain(900);
export const otherExternal = onEachChain(901);

function onEachChain(index: number): Readonly<Record<ChainName, string>> {
  const addresses = chainNames.map((name) => [name, addressOn[name](index)]);
  return Object.fromEntries(addresses) as Record<ChainName, string>;
}

const GWEI = 10n ** 9n;

/** Test helpers for withdrawals: the merchant's API, and actions on the chains. */
export function withdrawalsOf(fixture: () => Fixture) {
  const invoices = invoicesOf(fixture);
  const { chain, create, pay, mine, prefer } = invoices;

  async function list(query: Record<string, string> = {}, merchant?: TestMerchant): Promise<Withdrawal[]> {
    const search = new URLSearchParams({ per_page: '100', ...query });
    const token = (merchant ?? fixture().merchant).token;
    const { status, body, text } = await fixture().request(`/v1/withdrawals?${search}`, { token });
    assert.equal(status, 200, text);
    return body.withdrawals.map((each: unknown) => withdrawal.parse(each)).reverse();
  }

  async function get({ id }: { id: string }): Promise<WithdrawalDetail> {
    const { status, body, text } = await fixture().request(`/v1/withdrawal?id=${id}`);
    assert.equal(status, 200, text);
    return withdrawalDetail.parse(body);
  }

  return {
    ...invoices,
    listWithdrawals: list,
    getWithdrawal: get,

    /** The only withdrawal. */
    async onlyWithdrawal(query: Record<string, string> = {}): Promise<WithdrawalDetail> {
      const [one, ...others] = await list(query);
      assert.ok(one && others.length === 0, `one withdrawal, not ${others.length + (one ? 1 : 0)}`);
      return await get(one);
    },

    /** Enables automatic withdrawals of this currency. */
    async enableWithdrawals(code: CryptoCurrencyCode, destination: string, merchant?: TestMerchant): Promise<void> {
      await prefer({ 'auto-withdrawal': true, [`auto-withdrawal-destination-${code}`]: destination }, merchant);
    },

    /** Fills one wallet per amount, each retired with its deposit. */
    async fillWallets(code: CryptoCurrencyCode, amounts: readonly string[], merchant?: TestMerchant): Promise<void> {
      await prefer({ [`wallet-rotate-amount-${code}`]: '1' }, merchant);
      for (const amount of amounts) {
        const invoice = await create({ code, amount, type: 'revolver' }, merchant);
        await pay(invoice);
      }
    },

    /** Amount that an external address received on the simulated chain. */
    async received(name: ChainName, address: string, code: CryptoCurrencyCode): Promise<bigint> {
      const rows = await db(fixture().service().database)
        .selectFrom('simulated_outputs as output')
        .innerJoin('simulated_transactions as tx', 'tx.id', 'output.transaction_id')
        .select('output.amount')
        .where('tx.chain', '=', name)
        .where('tx.state', '=', 'mined')
        .where('output.address', '=', address)
        .where('output.code', '=', code)
        .execute();
      return rows.reduce((sum, { amount }) => sum + BigInt(amount), 0n);
    },

    async setFee(name: ChainName, rate: bigint): Promise<void> {
      await chain(name).setFeeRate(
        isBitcoinChain(name)
          ? { unit: 'sat/vB', amount: rate }
          : { unit: 'wei/gas', amount: rate * GWEI, priority: GWEI },
      );
    },

    /** Funds the gas wallet externally. */
    async fillGasWallet(amount: bigint): Promise<string> {
      const [ethereum] = fixture()
        .service()
        .invoices.context.chains.all.filter(({ name }) => name === 'ethereum');
      const spender = await ethereum?.spender();
      assert.ok(spender?.kind === 'account');
      const { address } = spender.gasWallet;
      await chain('ethereum').pay({ address, code: 'eth', amount });
      await mine(1, 'ethereum');
      return address;
    },

    async requestWithdrawal(
      body: Record<string, unknown>,
      token = fixture().merchant.managerToken,
    ): Promise<FixtureResponse> {
      return await fixture().request('/v1/withdrawals', { body, token });
    },

    async submit({ id }: { id: string }, signed: string): Promise<FixtureResponse> {
      const token = fixture().merchant.managerToken;
      return await fixture().request('/v1/withdrawal/submit', { body: { id, signed }, token });
    },
  };
}

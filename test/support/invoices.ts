import assert from 'node:assert/strict';
import { cryptoTransaction, type CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import type { SimulatedChain } from '../../src/chains/simulated/chain.ts';
import { type ChainName, cryptoCurrencies } from '../../src/shared/crypto-currency.ts';
import type { TestMerchant, Fixture } from './fixture.ts';

let made = 0;

/** Test helpers for crypto invoices: the merchant's API, and payers on the simulated chains. */
export function invoicesOf(fixture: () => Fixture) {
  const chain = (name: ChainName = 'bitcoin'): SimulatedChain => {
    const found = fixture().service().simulatedChains[name];
    if (!found) throw new Error(`The simulated chain ${name} is not configured.`);
    return found;
  };
  const read = (body: unknown): CryptoTransaction => cryptoTransaction.parse(body);
  const tokenOf = (merchant: TestMerchant | undefined) => (merchant ?? fixture().merchant).token;

  return {
    chain,

    /** Creates an invoice; by default for 150,000 satoshi with type revolver. */
    async create(body: Record<string, unknown> = {}, merchant?: TestMerchant): Promise<CryptoTransaction> {
      made += 1;
      const response = await fixture().request('/v1/transaction/invoice', {
        body: { txId: `invoice-${made}`, code: 'btc', amount: '150000', type: 'revolver', ...body },
        token: tokenOf(merchant),
      });
      assert.equal(response.status, 200, response.text);
      return read(response.body);
    },

    async get({ id }: { id: string }, merchant?: TestMerchant): Promise<CryptoTransaction> {
      const response = await fixture().request(`/v1/transaction?id=${id}`, { token: tokenOf(merchant) });
      assert.equal(response.status, 200, response.text);
      return read(response.body);
    },

    async list(query: Record<string, string> = {}, merchant?: TestMerchant): Promise<CryptoTransaction[]> {
      const search = new URLSearchParams({ per_page: '100', ...query });
      const { status, body, text } = await fixture().request(`/v1/transactions?${search}`, {
        token: tokenOf(merchant),
      });
      assert.equal(status, 200, text);
      return body.transactions.map(read);
    },

    /** Pays to the invoice's address; by default the requested amount. */
    async pay(
      { walletAddress: address, code, amountRequired }: CryptoTransaction,
      amount: bigint | string = amountRequired ?? '0',
      name: ChainName = cryptoCurrencies[code].chain,
    ): Promise<string> {
      return (await chain(name).pay({ address, code, amount: BigInt(amount) })).txHash;
    },

    /** Mines blocks, and runs the jobs. */
    async mine(blocks = 1, name: ChainName = 'bitcoin'): Promise<void> {
      await chain(name).mine(blocks);
      await fixture().work();
    },

    async review(verdict: 'approve' | 'reject', { id }: { id: string }, more: Record<string, unknown> = {}) {
      const { token, managerToken } = fixture().merchant;
      return await fixture().request(`/v1/transaction/${verdict}`, {
        body: { id, ...more },
        // A refund is a payout.
        token: 'refundAddress' in more ? managerToken : token,
      });
    },

    async prefer(settings: Record<string, boolean | number | string | null>, merchant?: TestMerchant): Promise<void> {
      for (const [key, value] of Object.entries(settings)) {
        const token = (merchant ?? fixture().merchant).managerToken;
        const { status, text } = await fixture().request('/v1/merchant/preferences', {
          method: 'PATCH',
          body: { key, value },
          token,
        });
        assert.equal(status, 200, text);
      }
    },
  };
}

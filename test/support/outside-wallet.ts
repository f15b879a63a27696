import { db } from './tables.ts';
import assert from 'node:assert/strict';
import { createBitcoinSpender } from '../../src/chains/bitcoin/spender.ts';
import { ETHER_GAS_LIMIT } from '../../src/chains/ethereum/transfers.ts';
import { networkCurrencies } from '../../src/chains/ethereum/networks.ts';
import { createEthereumSpender } from '../../src/chains/ethereum/spender.ts';
import type { SimulatedEthereum } from '../../src/chains/simulated/ethereum.ts';
import { simulatedEthereumNetwork, findSimulatedNetwork } from '../../src/chains/simulated/chain-kinds.ts';
import type { BitcoinChainName, CryptoCurrencyCode } from '../../src/shared/crypto-currency.ts';
import { reconcile } from '../../src/reconciliation/reconcile.ts';
import { sandboxKeys } from './notations.ts';
import { otherExternal } from './withdrawals.ts';
import type { Fixture } from './fixture.ts';

const GWEI = 10n ** 9n;
/** Fee rate above that of withdrawals, so that they are replaced. */
const FEE_RATE = { coins: 90n, accounts: 40n * GWEI } as const;
const TOKEN_GAS = 60_000n;

/** Another wallet with the accounts' keys, which spends outside the service. */
export class OutsideWallet {
  readonly #fixture: () => Fixture;
  readonly #serviceKey: string;
  /** Transactions sent from accounts. */
  readonly #sent: string[] = [];

  constructor(fixture: () => Fixture, serviceKey: string) {
    this.#fixture = fixture;
    this.#serviceKey = serviceKey;
  }

  /** Spends one coin; null if the node rejects the transaction. */
  async spendCoin(
    name: BitcoinChainName,
    coin: { paymentKey: string; amount: bigint; index: number },
  ): Promise<string | null> {
    const chain = this.#fixture().service().simulatedChains[name];
    assert.ok(chain);
    if ((await chain.outputStates([coin.paymentKey], await chain.tip()))?.get(coin.paymentKey) === 'spent') return null;
    const { publicKey: accountKey, privateKey } = await sandboxKeys(this.#serviceKey, name);
    const spender = createBitcoinSpender({ network: findSimulatedNetwork(name), accountKey, privateKey });
    const built = spender.build({ outputs: [coin], destination: otherExternal[name], feeRate: FEE_RATE.coins });
    if (built.kind !== 'built') return null;
    const { raw, txHash } = await spender.sign(built.data);
    return (await chain.broadcast(raw)).kind === 'sent' ? txHash : null;
  }

  /**
   * Sends an address's whole balance of a currency, or half, in addition to pending transactions or instead of one. False
   * if there is no balance, or the node rejects it.
   */
  async sendFrom(
    { address, index }: { address: string; index: number },
    code: CryptoCurrencyCode,
    { isAll, replaces }: { isAll: boolean; replaces: boolean },
  ): Promise<boolean> {
    const chain = this.#fixture().service().simulatedChains.ethereum as SimulatedEthereum | undefined;
    assert.ok(chain);
    const { publicKey: accountKey, privateKey } = await sandboxKeys(this.#serviceKey, 'ethereum');
    const spender = createEthereumSpender({ network: simulatedEthereumNetwork, accountKey, privateKey, node: chain });
    const held = async (of: CryptoCurrencyCode) =>
      (await chain.balances(of, [address], await chain.tip()))?.get(address) ?? 0n;
    const has = await held(code);
    const gas = code === 'eth' ? ETHER_GAS_LIMIT : TOKEN_GAS;
    const price = { feeRate: FEE_RATE.accounts, priorityFee: 2n * GWEI, gasLimit: gas, to: otherExternal.ethereum };
    if (has === 0n) return false;
    if (code !== 'eth' && (await held('eth')) < gas * price.feeRate) {
      await chain.pay({ address, code: 'eth', amount: gas * price.feeRate });
      await chain.mine(1);
    }
    const mined = (await chain.transactionCounts([address], await chain.tip()))?.get(address) ?? 0;
    const nonce = replaces ? mined : await chain.nextNonce(address);
    const amount = isAll ? has : has / 2n;
    const built =
      code === 'eth'
        ? spender.buildEtherSweep({ ...price, nonce, spent: amount })
        : spender.buildTokenTransfer({ ...price, nonce, code, amount });
    if (built.kind !== 'built') return false;
    const { raw, txHash } = await spender.sign(built.data, { chain: 0, index });
    const isSent = (await chain.broadcast(raw)).kind === 'sent';
    if (isSent) this.#sent.push(txHash);
    return isSent;
  }

  /** Drops transactions that an account can no longer pay for after a reorg, as nodes do. */
  async drop(): Promise<void> {
    const chain = this.#fixture().service().simulatedChains.ethereum;
    for (const txHash of this.#sent)
      if ((await chain?.findTransaction(txHash, 0))?.state === 'waiting') await chain?.evict(txHash);
  }
}

/**
 * For addresses that sent outside the service, the ledger differs by exactly the amounts that left and were not written
 * off, and reconciliation reports it.
 */
export async function assertOutsideTransfers(fixture: Fixture, addresses: readonly string[]): Promise<void> {
  const { database, invoices } = fixture.service();
  const query = db(database);
  const ethereum = invoices.context.chains.all.find(({ name }) => name === 'ethereum');
  assert.ok(ethereum);
  const { differences } = await reconcile(database, ethereum);
  for (const address of addresses) {
    const wallet = await query
      .selectFrom('wallets')
      .select('id')
      .where('address', '=', address)
      .executeTakeFirstOrThrow();
    const sent = await query
      .selectFrom('simulated_transactions as tx')
      .leftJoin('simulated_outputs as output', 'output.transaction_id', 'tx.id')
      .select(['tx.id', 'tx.state', 'tx.fee', 'output.code', 'output.amount'])
      .where('tx.sender', '=', address)
      .where('tx.state', 'in', ['mined', 'failed'])
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('withdrawal_versions').select('id').whereRef('withdrawal_versions.tx_hash', '=', 'tx.tx_hash'),
          ),
        ),
      )
      .execute();
    const deposits = await query
      .selectFrom('deposits')
      .select(['code', 'amount'])
      .where('wallet_id', '=', wallet.id)
      .where('state', '=', 'mined')
      .where('written_off_at', 'is not', null)
      .execute();
    const withdrawals = await query
      .selectFrom('withdrawals')
      .select(['code', 'written_off as amount'])
      .where('sender', '=', address)
      .where('height', 'is not', null)
      .where('is_reverted', '=', 0)
      .where('written_off', 'is not', null)
      .execute();
    for (const code of networkCurrencies(simulatedEthereumNetwork)) {
      const fees = new Map(sent.map(({ id, fee }) => [id, BigInt(fee ?? 0)]));
      let short = code === 'eth' ? [...fees.values()].reduce((sum, fee) => sum + fee, 0n) : 0n;
      for (const each of sent) if (each.code === code && each.state === 'mined') short += BigInt(each.amount ?? 0);
      for (const each of [...deposits, ...withdrawals]) if (each.code === code) short -= BigInt(each.amount ?? 0);
      const [listed] = differences.filter((each) => each.address === address && each.code === code);
      assert.equal(listed ? listed.ledger - listed.chain : 0n, short, `${code} that left ${address} past the service`);
      if (!listed || listed.explanation !== null) continue;
      assert.equal(listed.detail, `The address has sent transactions that this service did not create: ${fees.size}.`);
    }
  }
}

import assert from 'node:assert/strict';
import type { Selectable } from 'kysely';
import type { Database } from '../../src/platform/database/database.ts';
import type { ChainPaymentTable, WalletTable } from '../../src/platform/database/tables.ts';

const sum = (amounts: readonly string[]) => amounts.reduce((total, amount) => total + BigInt(amount), 0n);

/**
 * Holds what is written of withdrawals against itself and the simulated chains: nothing is spent twice, none is without
 * its money, at most one of its transactions is there, and wallets hold what came less what went.
 */
export async function assertWithdrawalBooks(
  { query }: Pick<Database, 'query'>,
  /** The only one that is looked at. */
  merchantId: number | null = null,
): Promise<void> {
  const ofMerchant = <Table extends 'withdrawals' | 'chain_payments' | 'wallets'>(table: Table) =>
    query
      .selectFrom(table as 'withdrawals')
      .selectAll()
      .$if(merchantId !== null, (rest) => rest.where('merchant_id', '=', merchantId ?? 0))
      .orderBy('id');
  const withdrawals = await ofMerchant('withdrawals').execute();
  const ids = withdrawals.map(({ id }) => id);
  const versions =
    ids.length === 0
      ? []
      : await query
          .selectFrom('withdrawal_versions')
          .selectAll()
          .where('withdrawal_id', 'in', ids)
          .orderBy('id')
          .execute();
  const payments = (await ofMerchant('chain_payments').execute()) as unknown as Selectable<ChainPaymentTable>[];
  const wallets = (await ofMerchant('wallets').execute()) as unknown as Selectable<WalletTable>[];
  const events = await query
    .selectFrom('events')
    .select(['withdrawal_id', 'sequence', 'status', 'previous_status'])
    .where('withdrawal_id', 'is not', null)
    .orderBy('sequence')
    .execute();
  const mined = new Set(
    withdrawals.flatMap(({ id, height, is_reverted: off }) => (height !== null && !off ? [id] : [])),
  );

  for (const wallet of wallets) {
    const own = payments.filter((each) => each.wallet_id === wallet.id && each.code === wallet.code);
    const came = sum(own.flatMap(({ state, amount }) => (state === 'mined' ? [amount] : [])));
    const went = sum(own.flatMap(({ withdrawal_id: id, amount }) => (id !== null && mined.has(id) ? [amount] : [])));
    assert.equal(BigInt(wallet.balance), came - went, `balance of wallet ${wallet.id}`);
  }

  for (const withdrawal of withdrawals) {
    const own = payments.filter(({ withdrawal_id: id }) => id === withdrawal.id);
    if (withdrawal.purpose === 'gas') assert.equal(own.length, 0);
    else if (withdrawal.status !== 'failed')
      assert.equal(
        sum(own.map(({ amount }) => amount)),
        BigInt(withdrawal.spent),
        `money of withdrawal ${withdrawal.id}`,
      );
    const made = versions.filter(({ withdrawal_id: id }) => id === withdrawal.id);
    if (withdrawal.status === 'sent' || withdrawal.status === 'confirmed') assert.ok(made.length > 0);
    if (withdrawal.height !== null) assert.ok(made.some(({ tx_hash: hash }) => hash === withdrawal.tx_hash));
    const hashes = made.flatMap(({ tx_hash: hash }) => (hash === null ? [] : [hash]));
    if (hashes.length > 0) {
      const there = await query
        .selectFrom('simulated_transactions')
        .select(['tx_hash', 'state'])
        .where('chain', '=', withdrawal.chain)
        .where('tx_hash', 'in', hashes)
        .where('state', 'in', ['waiting', 'mined'])
        .execute();
      assert.ok(there.length <= 1, `${there.length} transactions of withdrawal ${withdrawal.id} are there`);
      if (withdrawal.status === 'confirmed') assert.equal(there[0]?.state, 'mined');
    }
    if (withdrawal.chain === 'bitcoin' && withdrawal.amount !== null && withdrawal.fee !== null)
      assert.equal(BigInt(withdrawal.amount) + BigInt(withdrawal.fee), BigInt(withdrawal.spent));
    const told = events.filter(({ withdrawal_id: id }) => id === withdrawal.id);
    assert.deepEqual(
      told.map(({ sequence }) => sequence),
      Array.from({ length: withdrawal.sequence }, (_, index) => index + 1),
    );
    assert.equal(told.at(-1)?.status, withdrawal.status);
    told.forEach((event, index) => assert.equal(event.previous_status, told[index - 1]?.status ?? null));
  }
}

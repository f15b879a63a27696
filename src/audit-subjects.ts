import type { Database } from './database/database.ts';
import { maskCardNumbers } from './system/mask.ts';
import type { DescribeSubject } from './audit/recorder.ts';

/**
 * For the audit log: what each operation is done to, and the few facts about it that the operation may change.
 * Read from the tables, so that nothing is brought up to date, and no secret shown, by being written down.
 */
export function auditSubjects(database: Database): Readonly<Record<string, DescribeSubject>> {
  const { query } = database;

  const payment: DescribeSubject = async ({ merchantId, body }) => {
    const { transaction_id: reference } = body as { transaction_id: string };
    const row = await query
      .selectFrom('fiat_transactions')
      .select(['status', 'reason', 'currency', 'amount_minor', 'amount_received_minor', 'amount_refunded_minor'])
      .select(['decided_by', 'decision_reason'])
      .where('merchant_id', '=', merchantId)
      .where('transaction_id', '=', reference)
      .executeTakeFirst();
    return { subject: reference, state: row ?? null };
  };

  const coins: DescribeSubject = async ({ merchantId, body }) => {
    const { id } = body as { id: string };
    const row = await query
      .selectFrom('crypto_transactions')
      .select(['tx_id', 'status', 'code', 'amount', 'amount_credited', 'rejection'])
      .where('merchant_id', '=', merchantId)
      .where('public_id', '=', id)
      .executeTakeFirst();
    return { subject: row?.tx_id ?? id, state: row ?? null };
  };

  const wallet: DescribeSubject = async ({ merchantId, body }) => {
    const { walletAddress } = body as { walletAddress: string };
    const row = await query
      .selectFrom('wallets')
      .select(['code', 'type', 'state', 'balance'])
      .where('merchant_id', '=', merchantId)
      .where('address', '=', walletAddress)
      .executeTakeFirst();
    return { subject: walletAddress, state: row ?? null };
  };

  const withdrawal: DescribeSubject = async ({ merchantId, body }) => {
    const { id } = body as { id: string };
    const row = await query
      .selectFrom('withdrawals')
      .select(['code', 'purpose', 'status', 'destination', 'held_until'])
      .where('merchant_id', '=', merchantId)
      .where('public_id', '=', id)
      .executeTakeFirst();
    return { subject: id, state: row ?? null };
  };

  const settings = async (merchantId: number, asked: readonly string[]) => {
    // A key that does not exist may be a card number in the wrong field.
    const keys = asked.map(maskCardNumbers);
    const rows = await query
      .selectFrom('preferences')
      .select(['key', 'value'])
      .where('merchant_id', '=', merchantId)
      .where('key', 'in', keys)
      .execute();
    const state: Record<string, unknown> = Object.fromEntries(keys.map((key) => [key, null]));
    for (const { key, value } of rows) state[key] = JSON.parse(value);
    return { subject: keys.join(', ').slice(0, 200), state };
  };
  const oneSetting: DescribeSubject = async ({ merchantId, body }) =>
    await settings(merchantId, [(body as { key: string }).key]);
  const someSettings: DescribeSubject = async ({ merchantId, body }) =>
    await settings(
      merchantId,
      (body as { preferences: { key: string }[] }).preferences.map(({ key }) => key),
    );

  const methods: DescribeSubject = async ({ merchantId, body }) => {
    const { payment_methods: asked } = body as { payment_methods: { payment_method: string; currency: string }[] };
    const rows = await query
      .selectFrom('merchant_methods')
      .select(['payment_method', 'currency', 'fee_fix_minor', 'fee_percent_millionths'])
      .where('merchant_id', '=', merchantId)
      .where('disabled_at', 'is', null)
      .execute();
    // A method that does not exist may be a card number in the wrong field.
    const named = asked.map((each) => ({ currency: each.currency, method: maskCardNumbers(each.payment_method) }));
    const state = named.map(({ method, currency }) => {
      const row = rows.find((each) => each.payment_method === method && each.currency === currency);
      return row ?? { payment_method: method, currency, status: 'disabled' };
    });
    const names = named.map(({ method, currency }) => `${method} ${currency}`);
    return { subject: names.join(', ').slice(0, 200), state };
  };

  const role: DescribeSubject = async ({ merchantId, body }) => {
    const { id } = body as { id: number };
    const person = await query.selectFrom('people').select('email').where('id', '=', id).executeTakeFirst();
    const membership = await query
      .selectFrom('memberships')
      .select('role')
      .where('merchant_id', '=', merchantId)
      .where('person_id', '=', id)
      .executeTakeFirst();
    // Of who is no part of this merchant nothing is told.
    return { subject: membership && person ? person.email : `person ${id}`, state: membership ?? null };
  };

  const token: DescribeSubject = async ({ merchantId, body }) => {
    const { id } = body as { id: number };
    const row = await query
      .selectFrom('access_tokens')
      .select(['name', 'scopes', 'revoked_at'])
      .where('merchant_id', '=', merchantId)
      .where('id', '=', id)
      .executeTakeFirst();
    const state = row ? { name: row.name, scopes: row.scopes, revoked: row.revoked_at !== null } : null;
    return { subject: `token ${id}`, state };
  };

  /** What is sent says all that there is. */
  const asSent =
    (name: string, fields: readonly string[]): DescribeSubject =>
    ({ body, answer }) => {
      const sent = body as Record<string, unknown>;
      const state = Object.fromEntries(fields.flatMap((field) => (field in sent ? [[field, sent[field]]] : [])));
      const subject = sent[name];
      return Promise.resolve({
        subject: typeof subject === 'string' ? subject : null,
        state: answer === undefined ? null : state,
      });
    };

  return {
    createTransaction: payment,
    acceptTransaction: payment,
    rejectTransaction: payment,
    cancelTransaction: payment,
    renewTransaction: payment,
    refundTransaction: payment,
    approveCryptoTransaction: coins,
    rejectCryptoTransaction: coins,
    rotateWallet: wallet,
    setPreference: oneSetting,
    setPreferences: someSettings,
    setPreferencesSingular: someSettings,
    setPaymentMethods: methods,
    setPersonRole: role,
    removePerson: role,
    revokeAccessToken: token,
    createInvoice: asSent('txId', ['code', 'amount', 'type']),
    cancelWithdrawal: withdrawal,
    createWithdrawal: asSent('walletAddress', ['code', 'source', 'destination']),
    createAccessToken: asSent('name', ['scopes', 'expires_at']),
    invitePerson: asSent('email', ['role']),
  };
}

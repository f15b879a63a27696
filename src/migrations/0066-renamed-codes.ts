import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Outcomes of audit entries: former and current code. */
const outcomes = {
  begun: 'started',
  second_factor_wrong: 'second_factor_invalid',
  second_factor_not_begun: 'second_factor_not_started',
  passkey_refused: 'passkey_rejected',
  last_way_in: 'last_credential',
  invitation_over: 'invitation_invalid',
  merchant_not_named: 'merchant_required',
  nothing_to_decide: 'nothing_to_review',
  nothing_to_cancel: 'withdrawal_not_cancellable',
  partly_paid: 'partially_paid',
  too_many_ways: 'too_many_payment_attempts',
  no_challenge: 'challenge_not_open',
  provider_unavailable: 'acquirer_unavailable',
};

const actions = { takeBackInvitation: 'revokeInvitation', settleDifference: 'resolveDifference' };

const waitReasons = {
  turn: 'queued',
  fee: 'fee_limit',
  estimate: 'fee_estimate',
  amount: 'amount_too_small',
  sending: 'broadcasting',
  refused: 'rejected',
  destination: 'new_destination',
};

/** Replaces values of a column, each with another. */
function replaceValues(table: string, column: string, values: Readonly<Record<string, string>>): string {
  const cases = Object.entries(values).map(([former, present]) => `when '${former}' then '${present}'`);
  const formers = Object.keys(values).map((former) => `'${former}'`);
  return `update ${table} set ${column} = case ${column} ${cases.join(' ')} end where ${column} in (${formers.join(', ')})`;
}

/** Replaces a string in a column of JSON text. */
function replaceText(table: string, column: string, former: string, present: string): string {
  return `update ${table} set ${column} = replace(${column}, '${former}', '${present}') where ${column} like '%${former}%'`;
}

const statements = [
  replaceValues('audit_entries', 'outcome', outcomes),
  replaceValues('audit_entries', 'action', actions),
  replaceValues('refunds', 'failure_code', { address_needed: 'address_required' }),
  ...Object.entries(waitReasons).map(([former, present]) =>
    replaceText('withdrawals', 'waits_for', `{"reason":"${former}",`, `{"reason":"${present}",`),
  ),
  replaceText('crypto_transactions', 'labels', '"stray"', '"unattributed"'),
  replaceText('crypto_transactions', 'given_labels', '"stray"', '"unattributed"'),
  replaceText('chain_cursors', 'trouble', '"kind":"too_deep"', '"kind":"reorg_too_deep"'),
  'alter table reconciliations rename column unsettled to unresolved',
  replaceText('reconciliations', 'differences', '"unsettled":', '"unresolved":'),
];

/** Renames public codes in rows to those of version 1.0. */
export const renamedCodes: Migration = {
  async up(query: Kysely<unknown>) {
    for (const statement of statements) await sql.raw(statement).execute(query);
  },
};

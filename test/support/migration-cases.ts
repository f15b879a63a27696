import type { Row, Rows, Value } from './stored-rows.ts';

/** What a column holds after the migration: a value, or a form that the value has. */
type Expected = (row: Row, before: Rows) => Value | RegExp;

/** What one migration promises of the data that it finds. Whatever is not said here must not change. */
export interface MigrationCase {
  /** Tables that it makes; they are empty unless `fills` names their rows. */
  creates?: readonly string[];
  fills?: Rows;
  /** Columns that it adds, by table. */
  adds?: Record<string, Record<string, Expected>>;
  /** Columns that it takes away, by table. */
  drops?: Record<string, readonly string[]>;
  /** Columns whose values it changes, by table. */
  changes?: Record<string, Record<string, Expected>>;
  /** Rows of the version before that show what rows made from the form alone do not. */
  rows?: Rows;
  /** What becomes of those rows, in figures: by table and ID. */
  becomes?: Record<string, Record<number, Row>>;
}

const nothing: Expected = () => null;
const zero: Expected = () => 0;

/** Rows with these IDs are no generic ones. */
const FIRST = 900_001;

function rowOf(rows: Rows, table: string, id: Value | undefined): Row {
  const found = rows[table]?.find((row) => row.id === id);
  if (!found) throw new Error(`${table} has no row ${id}`);
  return found;
}

const ofTransaction =
  (column: string): Expected =>
  (row, before) =>
    rowOf(before, 'fiat_transactions', row.fiat_transaction_id)[column] ?? null;

const prices = {
  fee_fix_minor: ofTransaction('fee_fix_minor'),
  fee_percent_millionths: ofTransaction('fee_percent_millionths'),
};

function receiptsOf(before: Rows, transactionId: Value | undefined): Row[] {
  return (before.payment_receipts ?? []).filter((receipt) => receipt.fiat_transaction_id === transactionId);
}

const merchant = { id: FIRST, name: 'Kettle & Co', callback_secret: 'whsec_x', created_at: 1 };

function transaction(id: number, fields: Row): Row {
  return {
    id,
    merchant_id: merchant.id,
    transaction_id: `order-${id}`,
    link_id: `link-${id}`,
    kind: 'link',
    status: 'waiting',
    reason: null,
    late: 0,
    payment_method: 'on_ramp_ideal',
    country: 'NLD',
    currency: 'EUR',
    amount_minor: 10_000,
    amount_charged_minor: 10_320,
    amount_delivered_minor: 10_000,
    amount_received_minor: 0,
    fee_fix_minor: 30,
    fee_percent_millionths: 29_000,
    fee_calculation: 'forward_with_fee',
    description: 'A kettle',
    success_redirect_url: null,
    fail_redirect_url: null,
    additional_currency: 'USD',
    ex_rate: '1.1',
    rate: '1.1',
    rate_merchant_final: '1.07',
    request_digest: 'ab',
    buyer_country: null,
    sequence: 1,
    created_at: 10,
    updated_at: 20,
    expires_at: 1000,
    ...fields,
  };
}

function instructions(id: number, transactionId: number, fields: Row): Row {
  return {
    id,
    merchant_id: merchant.id,
    fiat_transaction_id: transactionId,
    number: id,
    instructions_key: `instructions-${id}`,
    payment_method: 'on_ramp_ideal',
    choice: null,
    provider: 'sandbox',
    state: 'issued',
    instructions: '{}',
    reference: 'R',
    expires_at: 500,
    next_check_at: 100,
    checks_made: 3,
    created_at: 30,
    updated_at: 30,
    ...fields,
  };
}

function receipt(id: number, transactionId: number, instructionsId: number, amount_minor: number, at: number): Row {
  return {
    id,
    merchant_id: merchant.id,
    fiat_transaction_id: transactionId,
    payment_instructions_id: instructionsId,
    receipt_key: `receipt-${id}`,
    amount_minor,
    received_at: at,
    created_at: at,
  };
}

const [PARTLY, SWITCHED, PAID] = [FIRST, FIRST + 1, FIRST + 2];

/** A further migration needs an entry here, and nothing else, to be tested. */
export const migrationCases: Record<string, MigrationCase> = {
  '0001-first-tables': {
    creates: [
      'access_tokens',
      'callback_attempts',
      'callbacks',
      'card_attempts',
      'events',
      'fiat_transactions',
      'merchant_methods',
      'merchants',
      'preferences',
      'sandbox_charges',
      'service_keys',
    ],
  },

  '0002-push-payments': {
    creates: ['payment_instructions', 'payment_receipts', 'sandbox_push_payments', 'sandbox_receipts'],
  },

  '0003-confirmations': {
    adds: {
      payment_instructions: { confirmations: nothing },
      // What had come, had come for good.
      sandbox_receipts: { confirmations_missing: zero },
    },
  },

  '0004-buyers': {
    adds: {
      fiat_transactions: { buyer_country_source: nothing, buyer_network: nothing, buyer_locale: nothing },
    },
  },

  '0005-prices': {
    adds: {
      card_attempts: {
        amount_minor: ofTransaction('amount_charged_minor'),
        ...prices,
        payment_method: () => 'credit_card',
      },
      payment_instructions: {
        amount_minor(row, before) {
          const others = receiptsOf(before, row.fiat_transaction_id).filter(
            (each) => each.payment_instructions_id !== row.id && Number(each.created_at) <= Number(row.created_at),
          );
          const come = others.reduce((sum, each) => sum + Number(each.amount_minor), 0);
          return Number(ofTransaction('amount_charged_minor')(row, before)) - come;
        },
        ...prices,
      },
    },
    changes: {
      payment_instructions: {
        next_check_at: (row) => (isOver(row) ? 0 : (row.next_check_at ?? null)),
        checks_made: (row) => (isOver(row) ? 0 : (row.checks_made ?? null)),
      },
      fiat_transactions: {
        payment_method(row, before) {
          const [first] = receiptsOf(before, row.id).sort((one, other) => Number(one.id) - Number(other.id));
          if (!first || row.status === 'confirmed') return row.payment_method ?? null;
          return rowOf(before, 'payment_instructions', first.payment_instructions_id).payment_method ?? null;
        },
      },
    },
    rows: {
      merchants: [merchant],
      fiat_transactions: [
        transaction(PARTLY, {}),
        // Part has come by the first way; the buyer looks at another one now.
        transaction(SWITCHED, { payment_method: 'qr_code' }),
        transaction(PAID, { status: 'confirmed', payment_method: 'qr_code' }),
      ],
      payment_instructions: [
        instructions(FIRST, PARTLY, { state: 'withdrawn', next_check_at: null }),
        instructions(FIRST + 1, PARTLY, { created_at: 60 }),
        instructions(FIRST + 2, SWITCHED, { state: 'withdrawn', next_check_at: null, payment_method: 'upi' }),
        instructions(FIRST + 3, SWITCHED, { created_at: 60, payment_method: 'qr_code' }),
        instructions(FIRST + 4, PAID, { state: 'paid', next_check_at: null, payment_method: 'upi' }),
        instructions(FIRST + 5, PAID, { state: 'refused', next_check_at: null, payment_method: 'qr_code' }),
      ],
      payment_receipts: [
        receipt(FIRST, PARTLY, FIRST, 320, 40),
        receipt(FIRST + 1, PARTLY, FIRST, 1000, 60),
        // After the second was begun: it had asked for the rest as it was then.
        receipt(FIRST + 2, PARTLY, FIRST, 77, 61),
        receipt(FIRST + 3, SWITCHED, FIRST + 2, 5000, 40),
        receipt(FIRST + 4, PAID, FIRST + 4, 10_320, 40),
      ],
    },
    becomes: {
      payment_instructions: {
        [FIRST]: { amount_minor: 10_320, fee_fix_minor: 30, next_check_at: 0, checks_made: 0 },
        [FIRST + 1]: { amount_minor: 9000, next_check_at: 100, checks_made: 3 },
        [FIRST + 3]: { amount_minor: 5320, fee_percent_millionths: 29_000 },
        [FIRST + 5]: { next_check_at: null, checks_made: 3 },
      },
      fiat_transactions: {
        [PARTLY]: { payment_method: 'on_ramp_ideal' },
        [SWITCHED]: { payment_method: 'upi' },
        [PAID]: { payment_method: 'qr_code' },
      },
    },
  },

  '0006-limits': { creates: ['rate_limits'] },

  '0007-idempotency': {
    creates: ['idempotency_keys'],
    adds: { card_attempts: { submission_key: nothing } },
  },

  '0008-event-log': {
    adds: {
      events: {
        webhook_id(row, before) {
          if (row.type === 'fiat.transaction.created') return null;
          const callback = before.callbacks?.find(({ event_id }) => event_id === row.id);
          return callback?.webhook_id ?? /^evt_[0-9a-f]{32}$/;
        },
        unit_number: zero,
      },
    },
    rows: {
      merchants: [merchant],
      fiat_transactions: [transaction(FIRST, {})],
      events: [FIRST, FIRST + 1, FIRST + 2].map((id, sequence) => ({
        id,
        merchant_id: merchant.id,
        fiat_transaction_id: FIRST,
        sequence,
        type: sequence === 0 ? 'fiat.transaction.created' : 'fiat.transaction.updated',
        at: sequence,
        status: 'pending',
        previous_status: null,
        detail: null,
        data: '{}',
      })),
      // The merchant had no address when the second was written: no callback tells it.
      callbacks: [
        {
          id: FIRST,
          merchant_id: merchant.id,
          fiat_transaction_id: FIRST,
          sequence: 1,
          event_id: FIRST + 1,
          webhook_id: 'evt_known',
          state: 'pending',
          attempts_made: 2,
          next_attempt_at: 7,
          created_at: 1,
          finished_at: null,
        },
      ],
    },
    becomes: { events: { [FIRST]: { webhook_id: null }, [FIRST + 1]: { webhook_id: 'evt_known' } } },
  },

  '0009-callback-care': {
    adds: {
      merchants: { previous_callback_secret: nothing, previous_callback_secret_until: nothing },
      callback_attempts: { answer: nothing },
    },
  },

  '0010-clients': {
    creates: ['oauth_clients'],
    // Tokens from before live until they are revoked.
    adds: { access_tokens: { name: () => '', expires_at: nothing, oauth_client_id: nothing } },
  },

  '0011-former-links': { creates: ['former_links'] },

  '0012-event-positions': {
    adds: { events: { position: nothing } },
    drops: { events: ['unit_number'] },
  },

  '0013-refunds': {
    creates: ['refunds', 'sandbox_refunds'],
    adds: { fiat_transactions: { amount_refunded_minor: zero } },
  },

  '0014-callback-receivers': {
    creates: ['callback_receivers'],
    adds: {
      callbacks: {
        // What waits for an earlier one of its transaction.
        held: (row, before) =>
          row.state === 'pending' &&
          before.callbacks?.some((other) => isBefore(other, row) && other.state === 'pending')
            ? 1
            : 0,
      },
    },
  },

  '0015-invoices': {
    creates: ['wallet_accounts', 'wallets', 'crypto_transactions', 'chain_payments', 'chain_cursors', 'chain_blocks'],
    adds: { events: { crypto_transaction_id: nothing }, callbacks: { crypto_transaction_id: nothing } },
  },

  '0016-simulated-chains': {
    creates: ['simulated_chains', 'simulated_blocks', 'simulated_transactions', 'simulated_outputs'],
  },

  '0017-withdrawals': {
    creates: ['withdrawals', 'withdrawal_versions', 'withdrawal_destinations', 'sealed_secrets'],
    adds: {
      chain_payments: { withdrawal_id: nothing, spendable_from: nothing },
      events: { withdrawal_id: nothing, withdrawal_destination_id: nothing },
      callbacks: { withdrawal_id: nothing, withdrawal_destination_id: nothing },
    },
  },

  '0018-coin-payments': {
    creates: ['coin_payments', 'coin_receipts', 'held_rates'],
    adds: { crypto_transactions: { pays_for: nothing } },
  },

  '0019-balances': {
    creates: ['watched_balances'],
  },

  '0020-people': {
    creates: [
      ...['people', 'memberships', 'passkeys', 'passkey_challenges', 'recovery_codes', 'sessions', 'invitations'],
      'audit_entries',
    ],
  },

  '0021-account-reads': {
    // Nobody wrote down who had set what.
    adds: { preferences: { updated_by: nothing } },
  },

  '0022-decisions': {
    // Nobody wrote down who had decided.
    adds: { fiat_transactions: { decided_by: nothing, decided_at: nothing, decision_reason: nothing } },
  },

  '0023-holdings': {},

  '0024-out-of-band': { adds: { refunds: { out_of_band: zero } } },

  '0025-reset-invitations': { adds: { invitations: { is_reset: zero } } },

  // Nobody wrote down who had created them.
  '0026-token-creators': { adds: { access_tokens: { created_by: nothing } } },

  // Sessions from before have to prove it.
  '0027-step-up': { adds: { sessions: { stepped_up_at: nothing } } },

  '0028-callback-url-changes': {
    creates: ['callback_url_changes'],
    adds: {
      events: { callback_url_change_id: nothing },
      callbacks: { callback_url_change_id: nothing, url: nothing },
    },
  },

  // What was made before is not held.
  '0030-held-withdrawals': { adds: { withdrawals: { held_until: nothing } } },

  // The names of old requests are removed, the others marked.
  '0032-hashed-request-names': {
    changes: {
      idempotency_keys: { key: ({ key }) => `plain:${key}` },
      card_attempts: { submission_key: nothing },
      refunds: { request_name: nothing },
    },
  },

  '0033-disabled-methods': { adds: { merchant_methods: { disabled_at: nothing } } },

  '0034-amounts-across-currencies': {},

  // The rows made from the form are those of a sandbox.
  '0035-environment-mark': {
    creates: ['installation'],
    fills: { installation: [{ name: 'environment', value: 'sandbox' }] },
  },

  // Only people had entries.
  '0036-audit-actors': { adds: { audit_entries: { actor: nothing } } },
  '0046-parent-tokens': { adds: { access_tokens: { parent_token_id: nothing } } },

  '0051-address-safety': {
    creates: ['unissued_addresses', 'unissued_deposits'],
    adds: {
      wallet_accounts: {
        lost_writes_since: nothing,
        lost_writes_reason: nothing,
        lost_writes_height: nothing,
        settled_at: nothing,
        has_mark: zero,
        database_timeline: nothing,
        watched_to: (row) => row.next_index ?? null,
      },
      chain_cursors: { reanchor_height: nothing },
    },
  },
};

function isBefore(one: Row, other: Row): boolean {
  return one.fiat_transaction_id === other.fiat_transaction_id && Number(one.sequence) < Number(other.sequence);
}

function isOver({ next_check_at, state }: Row): boolean {
  return next_check_at === null && ['paid', 'withdrawn', 'expired'].includes(String(state));
}

import type { Row, Rows, Value } from './stored-rows.ts';

/** The expected value of a column after the migration, or a pattern of it. */
type Expected = (row: Row, before: Rows) => Value | RegExp;

/** The effects of a migration on existing data. Everything else must stay unchanged; added columns are null. */
export interface MigrationCase {
  /** New tables; empty unless `fills` lists their rows. */
  creates?: readonly string[];
  fills?: Rows | ((before: Rows) => Rows);
  /** Rows added to existing tables. */
  inserts?: (before: Rows) => Rows;
  /** Values of added columns other than null, by table. */
  adds?: Record<string, Record<string, Expected>>;
  /** Tables whose rows are deleted: derived data to compute again. */
  empties?: readonly string[];
  /** Removed columns, by table. */
  drops?: Record<string, readonly string[]>;
  /** Removed tables. */
  removes?: readonly string[];
  /** Columns with changed values, by table. */
  changes?: Record<string, Record<string, Expected>>;
  /** Rows of the previous version that the generated rows do not cover. */
  rows?: Rows;
  /** The expected values of those rows, by table and id. */
  becomes?: Record<string, Record<number, Row>>;
}

/** The column with parts of its text replaced. */
const replaced =
  (column: string, parts: Readonly<Record<string, string>>): Expected =>
  (row) => {
    const value = row[column] ?? null;
    if (typeof value !== 'string') return value;
    return Object.entries(parts).reduce((text, [former, present]) => text.replace(former, present), value);
  };
const zero: Expected = () => 0;

interface StoredPayer {
  first_name?: string;
  last_name?: string;
  email?: string;
}
const readPayer = (row: Row): StoredPayer => JSON.parse(String(row['payer'] ?? '{}')) as StoredPayer;
/** The search key of the name; generated names have no accents. */
const payerNameKey: Expected = (row) => {
  const { first_name, last_name } = readPayer(row);
  return [first_name, last_name].filter(Boolean).join(' ').toLowerCase() || null;
};
const payerEmailKey: Expected = (row) => readPayer(row).email?.toLowerCase() ?? null;

/** Search keys with the last name first, by the payer or the name that is stored. */
const lastNameKeys: Readonly<Record<string, string>> = {
  '{"first_name":"José","last_name":"de la Cruz"}': 'de la cruz jose',
  '{"last_name":"Ångström"}': 'angstrom',
  'José de la Cruz': 'cruz jose de la',
  Ångström: 'angstrom',
};

/** Rows with these ids are not generated. */
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

/** Values added to such rows by later migrations. */
const later: Row = { amount_refunded_minor: 0 };
const priced: Row = { amount_minor: 10_320, fee_fix_minor: 30, fee_percent_millionths: 29_000 };

const [PARTLY, SWITCHED, PAID] = [FIRST, FIRST + 1, FIRST + 2];

const walletAccount: Row = {
  ...{ id: FIRST, name: 'an account', chain: 'bitcoin', next_index: 1, lost_writes_since: null },
  ...{ lost_writes_reason: null, lost_writes_height: null, settled_at: null, has_mark: 0 },
  ...{ database_timeline: null, watched_to: 1 },
};
const wallet: Row = {
  ...{ id: FIRST, merchant_id: FIRST, chain: 'bitcoin', code: 'btc', type: 'user', wallet_account_id: FIRST },
  ...{ derivation_index: 0, address: 'bc1', state: 'serving', rests_until: null, rests_until_height: null },
  ...{ balance: '70', created_at: 1, updated_at: 1, retired_at: null },
};

/** Deposits of links with a receipt, the confirmations they need, and whether they count at height 100. */
const COUNTED: readonly [id: number, fields: Row, minConfirmations: number, isCounted: boolean][] = [
  [FIRST + 10, { counts_at: 100 }, 21, true],
  [FIRST + 11, { counts_at: 101 }, 22, false],
  [FIRST + 12, { state: 'waiting', height: null, counts_at: null }, 1, false],
  [FIRST + 13, { state: 'waiting', height: null, counts_at: null }, 0, true],
  [FIRST + 14, { state: 'gone', height: null, counts_at: null }, 1, false],
];

function without(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(column)));
}

/** Columns that referenced the subject of an event, in order of precedence, with its kind. */
const subjectKinds = {
  fiat_transaction_id: 'fiat_transaction',
  crypto_transaction_id: 'crypto_transaction',
  withdrawal_id: 'withdrawal',
  withdrawal_destination_id: 'withdrawal_destination',
  callback_url_change_id: 'callback_url_change',
};

function subjectOf(row: Row): { kind: string; id: Value } {
  for (const [column, kind] of Object.entries(subjectKinds)) {
    const id = row[column] ?? null;
    if (id !== null) return { kind, id };
  }
  throw new Error('An event reports nothing');
}

const subjectColumns: Record<string, Expected> = {
  subject_kind: (row) => subjectOf(row).kind,
  subject_id: (row) => subjectOf(row).id,
};

/** A row for each kind of subject; the subject has the id 1. */
function ofEachKind(build: (id: number, subject: Row) => Row): Row[] {
  const none = Object.fromEntries(Object.keys(subjectKinds).map((column) => [column, null]));
  return Object.keys(subjectKinds).map((column, index) => build(FIRST + index, { ...none, [column]: 1 }));
}

const subjectsOfEachKind = Object.fromEntries(
  Object.values(subjectKinds).map((kind, index) => [FIRST + index, { subject_kind: kind, subject_id: 1 }]),
);

const neverRotated: Row = { previous_callback_secret: null, previous_callback_secret_until: null };

const CALLBACK_URL = 'https://shop.example/callbacks?name=“O’Brien”&path=a\\b';
const setOnce: Row = { created_at: 1, updated_at: 1, updated_by: null };

function endpointsOf(before: Rows): Row[] {
  const endpoints = (before.merchants ?? []).map((row): Row => {
    const setting = before.preferences?.find((each) => each.merchant_id === row.id && each.key === 'callback-url');
    const receiver = before.callback_receivers?.find((each) => each.merchant_id === row.id);
    return {
      merchant_id: row.id ?? null,
      url: setting ? (JSON.parse(String(setting.value)) as string) : null,
      secret: row.callback_secret ?? null,
      previous_secret: row.previous_callback_secret ?? null,
      previous_secret_until: row.previous_callback_secret_until ?? null,
      failing_since: receiver?.failing_since ?? null,
      failed_at: receiver?.failed_at ?? null,
      off_at: receiver?.off_at ?? null,
      off_reason: receiver?.off_reason ?? null,
    };
  });
  // In the order in which tables are read: by key as text.
  return endpoints.sort((one, other) =>
    JSON.stringify([one.merchant_id]) < JSON.stringify([other.merchant_id]) ? -1 : 1,
  );
}

/** By the migration's name. Without a case, a migration changes no value. */
export const migrationCases: Readonly<Record<string, MigrationCase | undefined>> = {
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
      // Earlier receipts were final.
      sandbox_receipts: { confirmations_missing: zero },
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
          const received = others.reduce((sum, each) => sum + Number(each.amount_minor), 0);
          return Number(ofTransaction('amount_charged_minor')(row, before)) - received;
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
        // Partially paid with the first method; the buyer has switched to another.
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
        // After the second method was started, which requested the remainder at that time.
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
      // The merchant had no callback URL at the second event, so it has no callback.
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

  '0010-clients': {
    creates: ['oauth_clients'],
    // Existing tokens are valid until revoked.
    adds: { access_tokens: { name: () => '' } },
  },

  '0011-former-links': { creates: ['former_links'] },

  '0012-event-positions': {
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
        // Waits for an earlier one of its transaction.
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
  },

  '0016-simulated-chains': {
    creates: ['simulated_chains', 'simulated_blocks', 'simulated_transactions', 'simulated_outputs'],
  },

  '0017-withdrawals': {
    creates: ['withdrawals', 'withdrawal_versions', 'withdrawal_destinations', 'sealed_secrets'],
  },

  '0018-coin-payments': {
    creates: ['coin_payments', 'coin_receipts', 'held_rates'],
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

  '0024-out-of-band': { adds: { refunds: { out_of_band: zero } } },

  '0025-reset-invitations': { adds: { invitations: { is_reset: zero } } },

  '0028-callback-url-changes': {
    creates: ['callback_url_changes'],
  },

  // Keys of old requests are removed, the others are marked.
  '0032-hashed-request-names': {
    changes: {
      idempotency_keys: { key: ({ key }) => `plain:${key}` },
      card_attempts: { submission_key: () => null },
      refunds: { request_name: () => null },
    },
  },

  // The generated rows are sandbox data.
  '0035-environment-mark': {
    creates: ['installation'],
    fills: { installation: [{ name: 'environment', value: 'sandbox' }] },
  },

  // Payments in coins with a receipt whose deposit no longer counts are checked once more.
  '0050-reversed-deposits': {
    adds: {
      fiat_transactions: {
        accepted_minor: ({ status, decided_by, amount_received_minor }) =>
          status === 'confirmed' && decided_by !== null ? (amount_received_minor ?? null) : null,
      },
    },
    changes: {
      payment_instructions: {
        next_check_at: (row, before) => (isCheckedAgain(row, before) ? 0 : (row.next_check_at ?? null)),
        checks_made: (row, before) => (isCheckedAgain(row, before) ? 0 : (row.checks_made ?? null)),
      },
    },
    rows: {
      merchants: [merchant],
      fiat_transactions: [
        transaction(PARTLY, { ...later, status: 'confirmed', decided_by: 'token 1', amount_received_minor: 700 }),
        transaction(SWITCHED, { ...later, status: 'failed', decided_by: 'token 1', amount_received_minor: 5000 }),
        transaction(PAID, { ...later, status: 'confirmed' }),
      ],
      payment_instructions: [
        instructions(FIRST, PARTLY, { ...priced, state: 'paid', provider: 'chains', next_check_at: null }),
        instructions(FIRST + 1, SWITCHED, { ...priced, state: 'paid', provider: 'chains', next_check_at: null }),
        instructions(FIRST + 2, PAID, { ...priced, state: 'paid', next_check_at: null }),
        ...COUNTED.map(([id]) =>
          instructions(id, PARTLY, { ...priced, state: 'paid', provider: 'chains', next_check_at: null }),
        ),
      ],
      payment_receipts: [
        receipt(FIRST, PARTLY, FIRST, 700, 40),
        receipt(FIRST + 1, PAID, FIRST + 2, 10_320, 40),
        ...COUNTED.map(([id]) => receipt(id, PARTLY, id, 100, 40)),
      ],
      chain_cursors: [
        {
          ...{ id: FIRST, chain: 'bitcoin', height: 100, hash: 'h', holder: null, held_until: null },
          ...{ trouble: null, trouble_since: null, updated_at: 1 },
        },
      ],
      wallet_accounts: [{ id: FIRST, name: 'an account', chain: 'bitcoin', next_index: 1 }],
      wallets: [wallet],
      crypto_transactions: COUNTED.map(([id, , min_confirmations]) =>
        cryptoTransaction(id, { kind: 'invoice', min_confirmations }),
      ),
      coin_payments: COUNTED.map(([id]) => ({
        ...{ id, instructions_key: `instructions-${id}`, crypto_transaction_id: id, state: 'open', currency: 'EUR' },
        ...{ amount_minor: 10_320, return_url: null, issued: null, created_at: 30 },
      })),
      chain_payments: COUNTED.map(([id, fields]) =>
        without(deposit(id, { crypto_transaction_id: id, payment_key: `receipt-${id}`, ...fields }), [
          ...['replaces_id', 'written_off_at', 'written_off_height'],
        ]),
      ),
    },
    becomes: {
      payment_instructions: {
        [FIRST]: { next_check_at: 0, checks_made: 0 },
        [FIRST + 1]: { next_check_at: null, checks_made: 3 },
        [FIRST + 2]: { next_check_at: null, checks_made: 3 },
        ...Object.fromEntries(
          COUNTED.map(([id, , , isCounted]) => [
            id,
            isCounted ? { next_check_at: null, checks_made: 3 } : { next_check_at: 0, checks_made: 0 },
          ]),
        ),
      },
      fiat_transactions: {
        [PARTLY]: { accepted_minor: 700 },
        [SWITCHED]: { accepted_minor: null },
        [PAID]: { accepted_minor: null },
      },
    },
  },

  '0051-address-safety': {
    creates: ['unissued_addresses', 'unissued_deposits'],
    adds: {
      wallet_accounts: {
        has_mark: zero,
        watched_to: (row) => row.next_index ?? null,
      },
    },
  },

  '0055-ledger': {
    creates: ['ledger_entries', 'reconciliations'],
    adds: { chain_payments: { ledger_account: (row, before) => accountOfDeposit(row, before) } },
    fills: (before) => ({ ledger_entries: openingEntries(before) }),
    rows: {
      merchants: [merchant],
      chain_cursors: [
        {
          ...{ id: FIRST, chain: 'bitcoin', height: 100, hash: 'h', holder: null, held_until: null },
          ...{ trouble: null, trouble_since: null, updated_at: 1, read_to_end_at: null },
        },
      ],
      wallet_accounts: [walletAccount],
      wallets: [wallet],
      crypto_transactions: [
        cryptoTransaction(FIRST, { kind: 'invoice' }),
        cryptoTransaction(FIRST + 1, { kind: 'stray' }),
      ],
      withdrawals: [withdrawal(FIRST, { height: 90 }), withdrawal(FIRST + 1, { height: 91, is_reverted: 1 })],
      chain_payments: [
        deposit(FIRST, { counts_at: 100 }),
        deposit(FIRST + 1, { counts_at: 101 }),
        deposit(FIRST + 2, { state: 'waiting', height: null, counts_at: null }),
        deposit(FIRST + 3, { withdrawal_id: FIRST }),
        deposit(FIRST + 4, { withdrawal_id: FIRST + 1 }),
        deposit(FIRST + 5, { decision: 'undecided' }),
        deposit(FIRST + 6, { decision: 'rejected' }),
        deposit(FIRST + 7, { crypto_transaction_id: FIRST + 1, decision: 'undecided' }),
        deposit(FIRST + 8, { state: 'gone', height: null, counts_at: null }),
      ],
    },
    becomes: {
      chain_payments: {
        [FIRST]: { ledger_account: 'credited' },
        [FIRST + 1]: { ledger_account: 'unconfirmed' },
        [FIRST + 2]: { ledger_account: 'incoming' },
        [FIRST + 3]: { ledger_account: 'withdrawn' },
        [FIRST + 4]: { ledger_account: 'credited' },
        [FIRST + 5]: { ledger_account: 'in_review' },
        [FIRST + 6]: { ledger_account: 'rejected' },
        [FIRST + 7]: { ledger_account: 'unattributed' },
        [FIRST + 8]: { ledger_account: null },
      },
    },
  },

  '0060-cancelled-withdrawals': {
    adds: {
      withdrawals: { is_cancelled: zero },
      withdrawal_versions: { cancels: zero },
    },
  },
  '0061-settled-differences': {
    adds: {
      reconciliations: { unsettled: (row) => row.unexplained ?? null },
    },
    drops: { reconciliations: ['unexplained'] },
    changes: {
      reconciliations: { differences: ({ differences }) => String(differences).replace('unexplained', 'unsettled') },
    },
    rows: {
      reconciliations: [
        {
          ...{ chain: 'litecoin', at: 1, height: 2, wallets: 3, unexplained: 1 },
          differences: '{"unexplained":{"ltc":"1"},"list":[]}',
        },
      ],
    },
  },

  '0063-event-subjects': {
    adds: { events: subjectColumns, callbacks: subjectColumns },
    drops: { events: Object.keys(subjectKinds), callbacks: Object.keys(subjectKinds) },
    rows: {
      merchants: [{ ...merchant, ...neverRotated }],
      events: ofEachKind((id, subject) => ({
        ...{ id, merchant_id: FIRST, ...subject, sequence: 1, type: 'x', at: 1, status: 'x', previous_status: null },
        ...{ detail: null, data: '{}', webhook_id: null, position: null },
      })),
      callbacks: ofEachKind((id, subject) => ({
        ...{ id, merchant_id: FIRST, ...subject, sequence: 1, event_id: id, webhook_id: `evt_${id}`, state: 'pending' },
        ...{ attempts_made: 0, next_attempt_at: 1, created_at: 1, finished_at: null, held: 0, url: null },
      })),
    },
    becomes: { events: subjectsOfEachKind, callbacks: subjectsOfEachKind },
  },

  '0064-webhook-endpoints': {
    creates: ['webhook_endpoints'],
    removes: ['callback_receivers'],
    drops: { merchants: ['callback_secret', 'previous_callback_secret', 'previous_callback_secret_until'] },
    fills: (before) => ({ webhook_endpoints: endpointsOf(before) }),
    rows: {
      merchants: [
        { ...merchant, previous_callback_secret: 'whsec_y', previous_callback_secret_until: 7 },
        { ...merchant, id: FIRST + 1, ...neverRotated },
      ],
      preferences: [
        { ...{ merchant_id: FIRST, key: 'callback-url', value: JSON.stringify(CALLBACK_URL) }, ...setOnce },
        { ...{ merchant_id: FIRST, key: 'brand-name', value: '"Kettle"' }, ...setOnce },
      ],
      callback_receivers: [{ merchant_id: FIRST, failing_since: 3, failed_at: 4, off_at: 5, off_reason: 'no_success' }],
    },
  },

  '0065-deposits': {
    creates: ['deposits', 'late_deposit_values'],
    removes: ['chain_payments', 'coin_receipts'],
    adds: { ledger_entries: { deposit_id: (row) => row.chain_payment_id ?? null } },
    drops: { ledger_entries: ['chain_payment_id'] },
    fills: (before) => ({
      deposits: (before.chain_payments ?? []).map((row) => ({ ...row, written_off: row.written_off ?? '0' })),
      late_deposit_values: (before.coin_receipts ?? []).map(({ chain_payment_id: id = null, amount_minor = null }) => ({
        ...{ deposit_id: id, amount_minor },
      })),
    }),
    inserts: (before) => ({
      preferences: (before.merchants ?? []).map(({ id = null, created_at = null }) => ({
        ...{ merchant_id: id, key: 'callback-version', value: '1' },
        ...{ created_at, updated_at: created_at, updated_by: null },
      })),
    }),
  },

  '0066-renamed-codes': {
    adds: { reconciliations: { unresolved: (row) => row.unsettled ?? null } },
    drops: { reconciliations: ['unsettled'] },
    changes: {
      reconciliations: { differences: replaced('differences', { unsettled: 'unresolved' }) },
      chain_cursors: { trouble: replaced('trouble', { too_deep: 'reorg_too_deep' }) },
      crypto_transactions: {
        labels: replaced('labels', { stray: 'unattributed' }),
        given_labels: replaced('given_labels', { stray: 'unattributed' }),
      },
      withdrawals: { waits_for: replaced('waits_for', { '"turn",': '"queued",', '"refused",': '"rejected",' }) },
      audit_entries: {
        outcome: replaced('outcome', { begun: 'started' }),
        action: replaced('action', { takeBackInvitation: 'revokeInvitation' }),
      },
    },
    rows: {
      merchants: [{ id: FIRST, name: 'Kettle & Co', created_at: 1 }],
      chain_cursors: [
        {
          ...{ id: FIRST, chain: 'bitcoin', height: 100, hash: 'h', holder: null, held_until: null, updated_at: 1 },
          ...{ trouble: '{"kind":"too_deep","message":"m"}', trouble_since: 1, read_to_end_at: null },
          reanchor_height: null,
        },
      ],
      wallet_accounts: [walletAccount],
      wallets: [wallet],
      crypto_transactions: [
        cryptoTransaction(FIRST, {
          kind: 'stray',
          labels: '["late","stray"]',
          given_labels: '["stray"]',
          returned_by: null,
        }),
      ],
      withdrawals: ['turn', 'refused', 'gas'].map((reason, index) =>
        withdrawal(FIRST + index, {
          ...{ waits_for: waitsFor(reason), cancel_requested_at: null, is_cancelled: 0 },
        }),
      ),
      audit_entries: [auditEntry(FIRST, 'begun', 'takeBackInvitation'), auditEntry(FIRST + 1, 'done', 'sign_in')],
      reconciliations: [
        {
          ...{ chain: 'litecoin', at: 1, height: 2, wallets: 3, unsettled: 1 },
          differences: '{"unsettled":{"ltc":"1"},"list":[]}',
        },
      ],
    },
    becomes: {
      chain_cursors: { [FIRST]: { trouble: '{"kind":"reorg_too_deep","message":"m"}' } },
      crypto_transactions: { [FIRST]: { labels: '["late","unattributed"]', given_labels: '["unattributed"]' } },
      withdrawals: {
        [FIRST]: { waits_for: waitsFor('queued') },
        [FIRST + 1]: { waits_for: waitsFor('rejected') },
        [FIRST + 2]: { waits_for: waitsFor('gas') },
      },
      audit_entries: {
        [FIRST]: { outcome: 'started', action: 'revokeInvitation' },
        [FIRST + 1]: { outcome: 'done', action: 'sign_in' },
      },
    },
  },

  '0068-acquirer-accounts': { creates: ['acquirer_accounts', 'acquirer_notifications', 'acquirer_routes'] },

  '0070-rates': {
    creates: ['rate_sources', 'rates'],
  },

  // A lock lasts minutes: none is kept.
  '0072-rate-locks': {
    creates: ['rate_locks'],
    removes: ['held_rates'],
  },

  '0073-disputes': { creates: ['disputes'] },
  '0074-acquirer-health': {
    adds: { acquirer_accounts: { credentials_updated_at: (row) => row.updated_at ?? null } },
  },
  '0094-several-endpoints': {
    adds: {
      callbacks: { endpoint: zero },
      callback_url_changes: { endpoint: zero },
      webhook_endpoints: { number: zero },
    },
    rows: {
      merchants: [{ id: FIRST, name: 'Kettle & Co', created_at: 1 }],
      webhook_endpoints: [
        {
          ...{ merchant_id: FIRST, url: CALLBACK_URL, secret: 'whsec_x', previous_secret: 'whsec_y' },
          ...{ previous_secret_until: 7, failing_since: 3, failed_at: 4, off_at: 5, off_reason: 'no_success' },
        },
      ],
    },
  },
  '0110-merchant-logos': { creates: ['merchant_logos'] },
  '0115-reusable-links': {
    creates: ['reusable_links'],
  },
  '0130-stored-health': { creates: ['acquirer_health'] },
  '0132-metadata': {
    creates: ['fiat_transaction_metadata'],
  },
  '0133-invoice-metadata': {
    creates: ['crypto_transaction_metadata'],
  },
  '0137-authorizations': {
    creates: ['card_authorizations'],
    adds: { fiat_transactions: { capture: () => 'automatic' } },
  },
  '0142-mails': { creates: ['mails', 'mail_opt_outs'] },
  '0147-merchant-moves': { creates: ['merchant_moves', 'moved_rows', 'moved_ids', 'merchant_arrivals'] },
  '0153-given-payers': {
    adds: { fiat_transactions: { payer_name_key: payerNameKey, payer_email_key: payerEmailKey } },
  },
  '0155-statistics-roll-up': {
    creates: ['statistics_progress', 'statistics_changes', 'statistics_quarters', 'statistics_days'],
  },
  '0158-statistics-rebuild': {
    empties: ['statistics_progress', 'statistics_changes', 'statistics_quarters', 'statistics_days'],
  },
  '0159-instructions-in-review': { adds: { payment_instructions: { in_review: zero } } },
  // Reviews that rejected every deposit of a transaction of type `user`.
  '0164-review-decisions': {
    adds: { crypto_transactions: { is_approved: (row, before) => (isUserRejection(row, before) ? 0 : null) } },
    rows: {
      merchants: [{ id: FIRST, name: 'Kettle & Co', created_at: 1 }],
      wallet_accounts: [walletAccount],
      wallets: [wallet],
      crypto_transactions: [
        cryptoTransaction(FIRST, { kind: 'invoice', decided_by: 'token 1', decided_at: 1 }),
        cryptoTransaction(FIRST + 1, { kind: 'invoice', decided_by: 'token 1', decided_at: 1 }),
        cryptoTransaction(FIRST + 2, { kind: 'invoice', decided_by: 'token 1', decided_at: 1, type: 'static' }),
      ],
      deposits: [
        deposit(FIRST, { decision: 'rejected', written_off: '0' }),
        deposit(FIRST + 1, { crypto_transaction_id: FIRST + 1, decision: 'rejected', written_off: '0' }),
        deposit(FIRST + 2, { crypto_transaction_id: FIRST + 1, decision: 'accepted', written_off: '0' }),
        deposit(FIRST + 3, { crypto_transaction_id: FIRST + 2, decision: 'rejected', written_off: '0' }),
      ],
    },
    becomes: {
      crypto_transactions: {
        [FIRST]: { is_approved: 0 },
        [FIRST + 1]: { is_approved: null },
        [FIRST + 2]: { is_approved: null },
      },
    },
  },
  '0165-payer-last-names': {
    adds: {
      fiat_transactions: { payer_last_name_key: ({ payer }) => lastNameKeys[String(payer)] ?? null },
      // Generated names have one word.
      card_attempts: { payer_last_name_key: ({ payer_name: name }) => lastNameKeys[String(name)] ?? name ?? null },
    },
    rows: {
      merchants: [{ id: FIRST, name: 'Kettle & Co', created_at: 1 }],
      fiat_transactions: Object.keys(lastNameKeys).map((payer, index) =>
        transaction(FIRST + index, {
          ...(payer.startsWith('{') && { payer }),
          amount_refunded_minor: 0,
          capture: 'automatic',
        }),
      ),
      card_attempts: Object.keys(lastNameKeys).map((name, index) => ({
        ...{ id: FIRST + index, merchant_id: FIRST, fiat_transaction_id: FIRST + index, number: 1 },
        ...{ attempt_key: `attempt-${index}`, state: 'approved', provider: 'sandbox', payment_method: 'credit_card' },
        ...{ amount_minor: 0, fee_fix_minor: 0, fee_percent_millionths: 0, three_d_secure: 0, first6: '424242' },
        ...{ last4: '4242', checks_made: 0, created_at: 1, updated_at: 1 },
        ...(!name.startsWith('{') && { payer_name: name }),
      })),
    },
  },
};

function isUserRejection({ id, type, decided_at, rejection }: Row, before: Rows): boolean {
  const deposits = before.deposits?.filter((deposit) => deposit.crypto_transaction_id === id) ?? [];
  return (
    type === 'user' &&
    decided_at !== null &&
    rejection === null &&
    deposits.every(({ decision }) => decision === 'rejected')
  );
}

function waitsFor(reason: string): string {
  return JSON.stringify({ reason, detail: 'Its reason is "turn".', feeNow: null, limit: null });
}

function auditEntry(id: number, outcome: string, action: string): Row {
  return {
    ...{ id, merchant_id: null, person_id: null, actor: null, action, subject: null, before: null, after: null },
    ...{ outcome, address: '', user_agent: '', request_id: 'r', at: 1 },
  };
}

function cryptoTransaction(id: number, fields: Row): Row {
  return {
    ...{ id, merchant_id: FIRST, public_id: `crypto-${id}`, tx_id: null, type: 'user', chain: 'bitcoin', code: 'btc' },
    ...{ wallet_id: FIRST, meant_for_id: null, status: 'waiting', labels: '[]', given_labels: '[]' },
    ...{ amount_required: null, tolerance: '0', amount: '0', amount_credited: '0', processing_fee_percent: '0' },
    ...{ min_confirmations: 1, rejection: null, refund_address: null, decided_by: null, decided_at: null },
    ...{ decision_reason: null, exchange_rate: null, comment: null, sequence: 1, created_at: 1, updated_at: 1 },
    ...{ expires_at: null, pays_for: null, ...fields },
  };
}

function withdrawal(id: number, fields: Row): Row {
  return {
    ...{ id, merchant_id: FIRST, public_id: `withdrawal-${id}`, chain: 'bitcoin', code: 'btc', purpose: 'sweep' },
    ...{ source: 'credited', status: 'sent', waits_for: null, failure: null, destination: 'bc1', requested_by: null },
    ...{ crypto_transaction_id: null, funds_id: null, sender: null, sender_chain: null, sender_index: null },
    ...{ nonce: null, spent: '10', amount: '9', fee: '1', fee_rate: '1', fee_limit: null, tx_hash: 't' },
    ...{ height: null, block_hash: 'h', is_reverted: 0, sequence: 1, created_at: 1, updated_at: 1, held_until: null },
    ...{ fee_paid: null, written_off: null },
    ...fields,
  };
}

function deposit(id: number, fields: Row): Row {
  return {
    ...{ id, merchant_id: FIRST, wallet_id: FIRST, crypto_transaction_id: FIRST, chain: 'bitcoin', code: 'btc' },
    ...{ payment_key: `deposit-${id}:0`, tx_hash: `deposit-${id}`, amount: '10', state: 'mined', decision: 'accepted' },
    ...{ height: 80, block_hash: 'h', counts_at: 80, spendable_from: null, withdrawal_id: null, seen_at: 1 },
    ...{ updated_at: 1, replaces_id: null, written_off_at: null, written_off_height: null, ...fields },
  };
}

/** The liability account of a deposit before the ledger existed. */
function accountOfDeposit(row: Row, before: Rows): string | null {
  if (row.state === 'gone') return null;
  if (row.state === 'waiting') return 'incoming';
  const spentBy = row.withdrawal_id === null ? null : rowOf(before, 'withdrawals', row.withdrawal_id);
  if (spentBy && spentBy.height !== null && spentBy.is_reverted === 0) return 'withdrawn';
  const transaction = rowOf(before, 'crypto_transactions', row.crypto_transaction_id);
  if (transaction.kind === 'stray') return 'unattributed';
  if (row.decision === 'rejected' || transaction.rejection !== null) return 'rejected';
  if (row.decision === 'undecided') return 'in_review';
  const tip = Number(before.chain_cursors?.find(({ chain }) => chain === row.chain)?.height ?? 0);
  return row.counts_at !== null && Number(row.counts_at) > tip ? 'unconfirmed' : 'credited';
}

/** One entry for each deposit, then one for each deposit that a withdrawal has moved. */
function openingEntries(before: Rows): Row[] {
  const posted = (before.chain_payments ?? [])
    .toSorted((one, other) => Number(one.id) - Number(other.id))
    .map((row) => ({ row, account: accountOfDeposit(row, before) }))
    .filter(({ account }) => account !== null);
  const entry = ({ updated_at: at, chain, code, amount, merchant_id, wallet_id }: Row) => ({
    ...({ at, chain, code, kind: 'opening', amount, merchant_id, wallet_id } as Row),
  });
  const deposits = posted.map(({ row, account }) => ({
    ...entry(row),
    ...{ debit: account === 'incoming' ? 'mempool' : 'wallet', credit: account },
    ...{ chain_payment_id: row.id ?? null, withdrawal_id: null },
  }));
  const withdrawn = posted
    .filter(({ account }) => account === 'withdrawn')
    .map(({ row }) => ({
      ...entry(row),
      ...{ debit: 'withdrawn', credit: 'wallet', chain_payment_id: null, withdrawal_id: row.withdrawal_id ?? null },
    }));
  const entries = [...deposits, ...withdrawn].map((row, index): Row => ({ ...row, id: index + 1 }));
  // In the order in which tables are read: by key as text.
  return entries.sort((one, other) => (JSON.stringify([one.id]) < JSON.stringify([other.id]) ? -1 : 1));
}

function isBefore(one: Row, other: Row): boolean {
  return one.fiat_transaction_id === other.fiat_transaction_id && Number(one.sequence) < Number(other.sequence);
}

function isCheckedAgain({ id, provider, state, instructions_key }: Row, before: Rows): boolean {
  const coin = before.coin_payments?.find((each) => each.instructions_key === instructions_key);
  const isCounted = ({ receipt_key }: Row) =>
    (before.chain_payments ?? []).some((deposit) => {
      if (coin === undefined || deposit.crypto_transaction_id !== coin.crypto_transaction_id) return false;
      if (deposit.payment_key !== receipt_key) return false;
      const tip = before.chain_cursors?.find(({ chain }) => chain === deposit.chain);
      if (tip === undefined) return false;
      if (deposit.state === 'mined') return Number(deposit.counts_at) <= Number(tip.height);
      const { min_confirmations } = rowOf(before, 'crypto_transactions', deposit.crypto_transaction_id);
      return deposit.state === 'waiting' && min_confirmations === 0;
    });
  const isUncounted = (before.payment_receipts ?? []).some(
    (each) => each.payment_instructions_id === id && !isCounted(each),
  );
  return provider === 'chains' && ['paid', 'withdrawn', 'expired'].includes(String(state)) && isUncounted;
}

function isOver({ next_check_at, state }: Row): boolean {
  return next_check_at === null && ['paid', 'withdrawn', 'expired'].includes(String(state));
}

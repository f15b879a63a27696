// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cardReference, toReference } from '../../../src/acquirers/adyen/references.ts';
import { isValidSignature, textToSign } from '../../../src/acquirers/adyen/webhook-signature.ts';
import { parseMoment } from '../../../src/shared/time.ts';
import { adyenSignature } from '../simulators/adyen/signing.ts';
import { connect, credentials } from './account.ts';

/** The vectors of Adyen's library for Node.js (MIT): `hmacValidator.spec.ts`. */
const vectors = [
  {
    key: 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00',
    text: 'pspReference:originalReference:merchantAccount:reference:1000:EUR:REPORT_AVAILABLE:true',
    signature: 'ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE=',
    isValid: true,
  },
  {
    key: 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00',
    text: 'pspReference:originalReference:merchantAccount:reference:1000:EUR:EVENT:true',
    signature: 'ipnxGCaUZ4l8TUW75a71/ghd2Fe5ffvX0pV4TLTntIc=',
    isValid: true,
  },
  {
    // 44 characters that decode to 33 bytes.
    key: 'DFB1EB5485295588A7DED4CF1BB4CA24C2B41BFC33C5EA6CA05B2A87F98F1F55',
    text: 'pspReference:originalReference:merchantAccount:reference:1000:EUR:AUTHORISATION:true',
    signature: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    isValid: false,
  },
];

const KEY = 'attempt-key_of-27-characters';

const item = (change: object = {}) => ({
  amount: { currency: 'EUR', value: 1250 },
  eventCode: 'AUTHORISATION',
  eventDate: '2026-11-21T10:00:00+01:00',
  merchantAccountCode: credentials.merchantAccount,
  merchantReference: cardReference(KEY, 1250),
  paymentMethod: 'visa',
  pspReference: 'JLCMPCQ8HXSKGK82',
  reason: '',
  success: 'true',
  ...change,
});

type Item = ReturnType<typeof item> & { additionalData?: object };

function signed(items: readonly Item[], key = credentials.hmacKey) {
  return {
    live: 'false',
    notificationItems: items.map((each) => ({
      NotificationRequestItem: {
        ...each,
        additionalData: { ...each.additionalData, hmacSignature: adyenSignature(key, textToSign(each)) },
      },
    })),
  };
}

function parse(
  body: unknown,
  { headers = {}, change = {} }: { headers?: Record<string, string>; change?: object } = {},
) {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return connect(change).parseWebhook({ rawBody, headers: new Headers(headers), now: 0 });
}

function notificationsOf(...items: Item[]) {
  const parsed = parse(signed(items));
  assert.equal(parsed.kind, 'accepted');
  return parsed.kind === 'accepted' ? parsed.notifications : [];
}

describe('signatures of Adyen', () => {
  test('are verified like in Adyen’s library', () => {
    for (const { key, text, signature, isValid } of vectors)
      assert.equal(isValidSignature(signature, text, key), isValid);
    const [{ key, text }] = vectors as [(typeof vectors)[0]];
    for (const signature of ['', '=', 'no base64 at all', 'AAAA', 'Z'.repeat(1000)])
      assert.equal(isValidSignature(signature, text, key), false);
  });

  test('are required on every item', () => {
    const body = signed([item(), item({ pspReference: 'OTHER' })]);
    assert.equal(parse(body).kind, 'accepted');
    const unsigned = structuredClone(body) as any;
    delete unsigned.notificationItems[1].NotificationRequestItem.additionalData;
    assert.deepEqual(parse(unsigned), { kind: 'rejected', reason: 'bad_signature' });
    assert.deepEqual(parse(signed([item()], '00'.repeat(32))), { kind: 'rejected', reason: 'bad_signature' });
  });

  test('cover amount, success, references, account and event', () => {
    const fields = { success: 'false', pspReference: 'X', merchantReference: 'X', eventCode: 'REFUND' };
    const others = { merchantAccountCode: 'X', originalReference: 'X', amount: { currency: 'EUR', value: 1251 } };
    for (const [name, value] of Object.entries({ ...fields, ...others })) {
      const body = signed([item()]) as any;
      body.notificationItems[0].NotificationRequestItem[name] = value;
      assert.deepEqual(parse(body), { kind: 'rejected', reason: 'bad_signature' }, name);
    }
  });

  test('of the previous key are accepted while it is replaced', () => {
    const previousHmacKey = 'ab'.repeat(32);
    assert.equal(parse(signed([item()], previousHmacKey), { change: { previousHmacKey } }).kind, 'accepted');
  });

  test('do not replace basic authentication, if the account has it', () => {
    const change = { webhookUser: 'adyen', webhookPassword: 'p:ss' };
    const authorization = `Basic ${Buffer.from('adyen:p:ss').toString('base64')}`;
    assert.equal(parse(signed([item()]), { change, headers: { authorization } }).kind, 'accepted');
    const rejected = { kind: 'rejected', reason: 'bad_signature' };
    assert.deepEqual(parse(signed([item()]), { change }), rejected);
    const headers = { authorization: 'Basic YWR5ZW46eA==' };
    assert.deepEqual(parse(signed([item()]), { change, headers }), rejected);
  });
});

describe('webhooks of Adyen', () => {
  test('with another structure are refused as malformed', () => {
    const bodies = ['', '{', 'null', '[]', '{}', '{"notificationItems":[]}', '{"notificationItems":[{}]}', '\u0000'];
    const changed = [{ success: 'maybe' }, { amount: { value: '1', currency: 'EUR' } }, { pspReference: 5 }].map(
      (change) => JSON.stringify(signed([item(change as object)])),
    );
    for (const body of [...bodies, ...changed])
      assert.deepEqual(parse(body), { kind: 'rejected', reason: 'malformed' }, body);
    assert.equal(parse(new Uint8Array([0xff, 0xfe]) as never).kind, 'rejected');
  });

  test('get the response that Adyen expects', () => {
    const parsed = parse(signed([item()]));
    assert.deepEqual(parsed.kind === 'accepted' && parsed.response, { body: '[accepted]', contentType: 'text/plain' });
  });

  test('report approvals of the full amount only', () => {
    const data = { authCode: '1234', threeDAuthenticated: 'true', cvcResult: '1 Matches' };
    assert.deepEqual(notificationsOf({ ...item(), additionalData: data }), [
      {
        id: 'AUTHORISATION:true:JLCMPCQ8HXSKGK82',
        kind: 'charge',
        attemptKey: KEY,
        currency: 'EUR',
        outcome: {
          kind: 'approved',
          reference: 'JLCMPCQ8HXSKGK82',
          details: { authorizationCode: '1234', cvvResult: '1 Matches' },
          threeDSecure: true,
        },
      },
    ]);
    assert.deepEqual(notificationsOf(item({ amount: { currency: 'EUR', value: 625 } })), []);
  });

  test('report declines with their reason', () => {
    const [notification] = notificationsOf({
      ...item({ success: 'false', reason: 'Not enough balance' }),
      additionalData: { refusalReasonRaw: '51 : Insufficient funds', merchantAdviceCode: '03' },
    });
    assert.equal(notification?.kind, 'charge');
    const outcome = notification?.kind === 'charge' ? notification.outcome : null;
    assert.deepEqual(outcome?.kind === 'declined' && outcome.decline, {
      ...{ code: 'insufficient_funds', network_code: '51', retryable: false, advice: 'do_not_retry' },
    });
  });

  test('report cancellations of abandoned charges', () => {
    const cancel = (change: object) => notificationsOf(item({ eventCode: 'TECHNICAL_CANCEL', ...change }));
    const kinds = (change: object) => cancel(change).map((each) => each.kind === 'charge' && each.outcome.kind);
    assert.deepEqual(kinds({ originalReference: 'PAYMENT' }), ['declined']);
    // Adyen has no payment with the reference.
    assert.deepEqual(kinds({ success: 'false' }), ['declined']);
    // It has a payment that is no longer open: its AUTHORISATION reports the outcome.
    assert.deepEqual(kinds({ success: 'false', originalReference: 'PAYMENT' }), []);
    assert.deepEqual(
      notificationsOf(item({ eventCode: 'OFFER_CLOSED' })).map((each) => each.kind === 'charge' && each.outcome.kind),
      ['declined'],
    );
  });

  test('report that an authorization has expired', () => {
    const expire = (success: string) =>
      notificationsOf(item({ eventCode: 'EXPIRE', originalReference: 'PAYMENT', success })).map(
        (each) => each.kind === 'charge' && each.outcome.kind,
      );
    assert.deepEqual([expire('true'), expire('false')], [['declined'], []]);
  });

  test('report captures and voids by their own reference, late failures included', () => {
    const outcomes = [
      { eventCode: 'CAPTURE' },
      { eventCode: 'CAPTURE', success: 'false', reason: 'Insufficient balance on payment' },
      { eventCode: 'CAPTURE_FAILED' },
      { eventCode: 'CANCELLATION' },
      { eventCode: 'CANCELLATION', success: 'false' },
    ].map((change) => {
      const [each] = notificationsOf(item({ merchantReference: toReference('capture', KEY), ...change }));
      if (each?.kind !== 'capture') return null;
      return each.outcome.kind === 'refused' ? `${each.outcome.code}: ${each.outcome.detail}` : each.outcome.kind;
    });
    assert.deepEqual(outcomes, [
      'succeeded',
      'capture_refused: Insufficient balance on payment',
      'capture_failed: No reason reported.',
      'succeeded',
      'void_refused: No reason reported.',
    ]);
  });

  test('report receipts of push payments', () => {
    const push = (change: object) =>
      notificationsOf(item({ merchantReference: toReference('push', KEY), paymentMethod: 'ideal', ...change }));
    assert.deepEqual(push({ amount: { currency: 'IDR', value: 15_000 } }), [
      {
        id: 'AUTHORISATION:true:JLCMPCQ8HXSKGK82',
        kind: 'push_payment',
        instructionsKey: KEY,
        currency: 'IDR',
        payment: {
          ...{ state: 'closed', confirmations: null, acquirerReference: 'JLCMPCQ8HXSKGK82' },
          receipts: [
            {
              ...{ receiptKey: 'JLCMPCQ8HXSKGK82', amountMinor: 1_500_000n },
              receivedAt: Date.parse('2026-11-21T09:00:00Z') * 1000,
            },
          ],
        },
      },
    ]);
    const states = [...push({ success: 'false' }), ...push({ eventCode: 'OFFER_CLOSED' })].map(
      (each) => each.kind === 'push_payment' && each.payment.state,
    );
    assert.deepEqual(states, ['refused', 'closed']);
  });

  test('report refunds, late failures included', () => {
    const outcomes = [
      { eventCode: 'REFUND' },
      { eventCode: 'REFUND', success: 'false', reason: 'Insufficient balance' },
      { eventCode: 'REFUND_FAILED' },
      { eventCode: 'REFUNDED_REVERSED' },
    ].map((change) => {
      const [each] = notificationsOf(item({ merchantReference: toReference('refund', KEY), ...change }));
      if (each?.kind !== 'refund') return null;
      return each.outcome.kind === 'refused' ? each.outcome.code : each.outcome.kind;
    });
    assert.deepEqual(outcomes, ['succeeded', 'refund_refused', 'refund_failed', 'refund_returned']);
  });

  test('report captures made in the Customer Area by the reference of the payment', () => {
    const capture = { originalReference: 'JLCMPCQ8HXSKGK82', pspReference: 'QFQTPCQ8HXSKGK82' };
    const [captured, failed] = [{ eventCode: 'CAPTURE' }, { eventCode: 'CAPTURE_FAILED' }].map(
      (change) => notificationsOf(item({ ...capture, amount: { currency: 'EUR', value: 1000 }, ...change }))[0],
    );
    assert.deepEqual(captured, {
      ...{ id: 'CAPTURE:true:QFQTPCQ8HXSKGK82', kind: 'external_capture', attemptKey: KEY, currency: 'EUR' },
      outcome: {
        ...{ kind: 'captured', reference: 'QFQTPCQ8HXSKGK82', amountMinor: 1000n },
        occurredAt: parseMoment('2026-11-21T10:00:00+01:00')?.at,
      },
    });
    assert.ok(failed?.kind === 'external_capture');
    assert.deepEqual([failed.outcome.kind, failed.outcome.reference], ['refused', 'QFQTPCQ8HXSKGK82']);
  });

  test('report disputes with their deadline', () => {
    const additionalData = {
      ...{ chargebackReasonCode: ' 10.4', defensePeriodEndsAt: '2026-12-05T10:00:00+01:00', defendable: 'true' },
    };
    const chargeback = { eventCode: 'CHARGEBACK', originalReference: 'PAYMENT', reason: 'Fraud' };
    assert.deepEqual(notificationsOf({ ...item(chargeback), additionalData }), [
      {
        id: 'CHARGEBACK:true:JLCMPCQ8HXSKGK82',
        kind: 'dispute',
        dispute: {
          ...{ disputeKey: 'JLCMPCQ8HXSKGK82', chargeKey: KEY, state: 'needs_response', isDebit: true },
          ...{ amountMinor: 1250n, currency: 'EUR', reasonCode: '10.4', reason: 'Fraud' },
          respondBy: Date.parse('2026-12-05T09:00:00Z') * 1000,
          updatedAt: Date.parse('2026-11-21T09:00:00Z') * 1000,
        },
      },
    ]);
    const states = {
      ...{ REQUEST_FOR_INFORMATION: 'inquiry', NOTIFICATION_OF_CHARGEBACK: 'needs_response' },
      ...{ DISPUTE_OPENED_WITH_CHARGEBACK: 'needs_response' },
      ...{ INFORMATION_SUPPLIED: 'under_review', CHARGEBACK_REVERSED: 'won', SECOND_CHARGEBACK: 'lost' },
      ...{ DISPUTE_DEFENSE_PERIOD_ENDED: 'lost', PREARBITRATION_WON: 'won', PREARBITRATION_LOST: 'lost' },
    };
    for (const [eventCode, state] of Object.entries(states)) {
      const [each] = notificationsOf(item({ eventCode, merchantReference: toReference('push', KEY) }));
      assert.equal(each?.kind === 'dispute' && each.dispute.state, state, eventCode);
    }
  });

  test('report the state of a dispute by its status, where the event does not determine it', () => {
    const stateOf = (eventCode: string, disputeStatus: string) => {
      const additionalData = { disputeStatus, defensePeriodEndsAt: '2026-12-05T10:00:00+01:00' };
      const [each] = notificationsOf({ ...item({ eventCode, originalReference: 'PAYMENT' }), additionalData });
      return each?.kind === 'dispute' && `${each.dispute.state}${each.dispute.respondBy === null ? '' : ', due'}`;
    };
    const expected = {
      ...{ Undefended: 'needs_response, due', Unresponded: 'needs_response, due', Pending: 'under_review' },
      ...{ Responded: 'under_review', Won: 'won', Lost: 'lost', Accepted: 'lost', Expired: 'lost' },
    };
    for (const [status, state] of Object.entries(expected)) {
      for (const event of ['NOTIFICATION_OF_CHARGEBACK', 'DISPUTE_OPENED_WITH_CHARGEBACK', 'CHARGEBACK'])
        assert.equal(stateOf(event, status), state, `${event} ${status}`);
      const ended = state.startsWith('needs_response') ? 'lost' : state;
      assert.equal(stateOf('DISPUTE_DEFENSE_PERIOD_ENDED', status), ended, status);
      assert.equal(stateOf('CHARGEBACK_REVERSED', status), 'won', status);
    }
  });

  test('that name only the payment report no reference of a dispute', () => {
    const keyOf = (change: object) =>
      notificationsOf(item(change)).map((each) => each.kind === 'dispute' && each.dispute.disputeKey);
    for (const eventCode of ['CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK', 'PREARBITRATION_WON', 'PREARBITRATION_LOST']) {
      assert.deepEqual(keyOf({ eventCode }), [null], eventCode);
      assert.deepEqual(keyOf({ eventCode, originalReference: 'PAYMENT' }), ['JLCMPCQ8HXSKGK82'], eventCode);
    }
    assert.deepEqual(keyOf({ eventCode: 'PREARBITRATION_OPEN' }), ['JLCMPCQ8HXSKGK82']);
  });

  test('report disputes with a fraction of our smallest unit, rounded up', () => {
    for (const [currency, value, amountMinor] of [
      ['ISK', 150_050, 1501n],
      ['ISK', 150_000, 1500n],
      ['CLP', 1, 1n],
    ] as const) {
      const [each] = notificationsOf(item({ eventCode: 'CHARGEBACK', amount: { currency, value } }));
      assert.ok(each?.kind === 'dispute', `${currency} ${value}`);
      assert.deepEqual([each.dispute.currency, each.dispute.amountMinor], [currency, amountMinor]);
    }
  });

  test('about reversals report only failures', () => {
    const merchantReference = toReference('reversal', KEY);
    const kinds = (change: object) => notificationsOf(item({ merchantReference, ...change })).map(({ kind }) => kind);
    assert.deepEqual(kinds({ eventCode: 'CANCEL_OR_REFUND', success: 'true' }), []);
    assert.deepEqual(kinds({ eventCode: 'CANCEL_OR_REFUND', success: 'false' }), ['reversal_failed']);
    assert.deepEqual(kinds({ eventCode: 'REFUND_FAILED', success: 'true' }), ['reversal_failed']);
  });

  test('about other events, accounts and references are accepted without notifications', () => {
    const others = [
      { eventCode: 'REPORT_AVAILABLE' },
      { eventCode: 'CAPTURE', success: 'false' },
      { eventCode: 'NOTIFICATION_OF_FRAUD' },
      { merchantAccountCode: 'AnotherShop' },
      { merchantReference: 'order-17' },
    ];
    assert.deepEqual(notificationsOf(...others.map((change) => item(change))), []);
  });

  test('have the same ID when Adyen sends them again', () => {
    const [first] = notificationsOf(item());
    const [again] = notificationsOf(item({ reason: 'changed', eventDate: '2026-11-22T10:00:00+01:00' }));
    assert.equal(first?.id, again?.id);
  });
});

import { type PagePhase, pagePhases } from '../../src/shared/page-phase.ts';
import { expect } from 'chai';
import fc from 'fast-check';
import type { FromFrame } from '../../src/shared/frame/from-frame.ts';
import { isFromFrame } from '../../src/shared/frame/from-frame.ts';
import { type PageState } from '../../src/api/page-state.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { payEvents } from '../../pages/checkout/embed/pay-events.ts';
import { pushPaymentNotice } from '../../pages/checkout/methods/push-payment-texts.ts';
import { paymentNotice } from '../../pages/checkout/store/notices.ts';
import { phaseDisplays, type ShownOutcome } from '../../pages/checkout/store/phase-displays.ts';
import { firstView, type PageView } from '../../pages/checkout/store/page-view.ts';
import { pageState, statesByPhase, texts } from './page-fixtures.ts';

const i18n = new I18n(texts, 'en-US');
/** Texts as on any page. */
const page = {
  i18n,
  notice: (after: PageView) => paymentNotice(after, i18n) ?? pushPaymentNotice(after, i18n),
  display: (after: PageView, phase: ShownOutcome) => phaseDisplays[phase](after, i18n),
};
const reference = 'order-1001';

const view = (change: Partial<PageView> = {}, state: PageState = pageState()): PageView => ({
  ...firstView(state, 0),
  ...change,
});
const inPhase = (phase: PagePhase) => view({}, statesByPhase[phase]);
const declined = { code: 'insufficient_funds', network_code: '51', retryable: true, advice: 'use_other_card' } as const;
const challengeClosed = {
  code: 'authentication_abandoned',
  network_code: null,
  retryable: true,
  advice: 'try_later',
} as const;

const eventsBetween = (before: PageView | null, after: PageView) => payEvents(before, after, page);

describe('events for the merchant’s page', () => {
  const changes: Record<string, [before: PageView | null, after: PageView, messages: FromFrame[]]> = {
    'the form is shown': [null, view(), [{ type: 'pay-ready', reference }]],
    'no change': [view(), view(), []],
    'only the time has changed': [view(), view({ deadlineMs: 1, clockOffsetMs: 7 }), []],
    'a card is being submitted': [view(), view({ activity: 'submitting' }), []],
    'the connection is lost while idle': [view(), view({ isOffline: true }), []],
    paid: [view(), inPhase('paid'), [{ type: 'pay-success', reference }]],
    'paid before the page opened': [
      null,
      inPhase('paid'),
      [
        { type: 'pay-ready', reference },
        { type: 'pay-success', reference },
      ],
    ],
    'the outcome is pending': [view(), inPhase('checking'), [{ type: 'pay-pending', reference }]],
    'the response to a submit is lost': [
      view({ activity: 'submitting' }),
      view({ activity: 'polling' }),
      [{ type: 'pay-pending', reference }],
    ],
    'a lost submission turns out to be pending': [view({ activity: 'polling' }), inPhase('checking'), []],
    'a pending payment is paid': [inPhase('checking'), inPhase('paid'), [{ type: 'pay-success', reference }]],
    'a lost submission has not arrived': [
      view({ activity: 'polling' }),
      view({ problem: 'not_received' }),
      [
        {
          type: 'pay-error',
          code: 'not_received',
          message: "You can pay again. You'll be charged only once.",
          retryable: true,
          reference,
        },
      ],
    ],
    'a challenge, which is reported when it is shown': [view(), inPhase('challenge'), []],
    'a first decline': [
      view(),
      view({}, pageState({ declined, attemptsLeft: 4 })),
      [
        {
          type: 'pay-decline',
          reference,
          code: 'insufficient_funds',
          advice: 'use_other_card',
          retryable: true,
          attemptsLeft: 4,
        },
      ],
    ],
    'the same decline again': [
      view({}, pageState({ declined, attemptsLeft: 4 })),
      view({}, pageState({ declined, attemptsLeft: 3 })),
      [
        {
          type: 'pay-decline',
          reference,
          code: 'insufficient_funds',
          advice: 'use_other_card',
          retryable: true,
          attemptsLeft: 3,
        },
      ],
    ],
    'a decline from before the page opened': [
      null,
      view({}, pageState({ declined, attemptsLeft: 4 })),
      [{ type: 'pay-ready', reference }],
    ],
    'the last decline': [
      view({}, pageState({ declined, attemptsLeft: 1 })),
      inPhase('failed'),
      [
        {
          type: 'pay-decline',
          reference,
          code: 'card_declined',
          advice: 'use_other_card',
          retryable: false,
          attemptsLeft: 0,
        },
        {
          type: 'pay-error',
          code: 'link_failed',
          message:
            "Your card was declined. There are no attempts left and you weren't charged. Ask Kettle & Co for a new link.",
          retryable: false,
          reference,
        },
      ],
    ],
    'the buyer left the challenge': [
      inPhase('challenge'),
      view({}, pageState({ declined: challengeClosed, attemptsLeft: 4 })),
      [{ type: 'pay-cancel', reference, reason: 'challenge' }],
    ],
    'the merchant canceled': [view(), inPhase('cancelled'), [{ type: 'pay-cancel', reference, reason: 'merchant' }]],
    'the link expired': [
      view(),
      inPhase('expired'),
      [
        {
          type: 'pay-error',
          code: 'link_expired',
          message: "This link has expired. You weren't charged. Ask Kettle & Co for a new link.",
          retryable: false,
          reference,
        },
      ],
    ],
    'an unsupported country': [
      null,
      inPhase('restricted'),
      [
        { type: 'pay-ready', reference },
        {
          type: 'pay-error',
          code: 'country_not_supported',
          message:
            "Your country is not supported. You weren't charged. Detected country: France. If you're somewhere else, turn off your VPN or switch networks, then reload the page.",
          retryable: false,
          reference,
        },
      ],
    ],
    'a method was refused': [
      view(),
      view({}, pageState({ ended: { code: 'upi', reason: 'refused' } })),
      [
        {
          type: 'pay-error',
          code: 'method_refused',
          message: "The UPI payment didn't go through and you weren't charged. Try again or choose another method.",
          retryable: true,
          reference,
        },
      ],
    ],
    'a method was refused before the page opened': [
      null,
      view({}, pageState({ ended: { code: 'upi', reason: 'refused' } })),
      [{ type: 'pay-ready', reference }],
    ],
    'the same problem again': [view({ problem: 'try_again' }), view({ problem: 'try_again' }), []],
    'fields that the server rejects': [
      view(),
      view({ fieldProblems: [{ pointer: '/email', code: 'invalid_email', detail: '' }] }),
      [
        {
          type: 'pay-error',
          code: 'validation_failed',
          message: 'Check 1 field.',
          retryable: true,
          reference,
        },
      ],
    ],
  };
  for (const [what, [before, after, events]] of Object.entries(changes)) {
    it(what, () => expect(eventsBetween(before, after)).to.deep.equal(events));
  }

  const problems = [
    'no_connection',
    'not_received',
    'rate_limited',
    'try_again',
    'amount_changed',
    'abandon_failed',
  ] as const;
  const fieldProblems = [{ pointer: '/email', code: 'invalid_email', detail: 'is wrong' }];
  const anyView = fc
    .record({
      phase: fc.constantFrom(...pagePhases),
      activity: fc.constantFrom('idle', 'requesting', 'submitting', 'polling', 'abandoning', 'leaving'),
      problem: fc.option(fc.constantFrom(...problems)),
      fieldProblems: fc.constantFrom([], fieldProblems),
      declined: fc.option(fc.constantFrom(declined, challengeClosed)),
      attemptsLeft: fc.nat(5),
      isOffline: fc.boolean(),
    })
    .map(({ phase, declined, attemptsLeft, ...rest }) =>
      view(rest as Partial<PageView>, { ...statesByPhase[phase], declined, attemptsLeft }),
    );

  it('do not include the end of another method on a page that shows only the card', () => {
    const after = view({}, pageState({ ended: { code: 'upi', reason: 'expired' } }));
    const cardPage = { ...page, notice: (shown: PageView) => paymentNotice(shown, i18n) };
    expect(eventsBetween(view(), after).map((event) => 'code' in event && event.code)).to.deep.equal([
      'method_expired',
    ]);
    expect(payEvents(view(), after, cardPage)).to.deep.equal([]);
  });

  it('are always part of the contract', () => {
    fc.assert(
      fc.property(fc.option(anyView), anyView, (before, after) => {
        expect(eventsBetween(before, after).filter((event) => !isFromFrame(structuredClone(event)))).to.deep.equal([]);
      }),
    );
  });

  it('start with one pay-ready, and report success only for paid states', () => {
    fc.assert(
      fc.property(fc.array(anyView, { minLength: 1 }), (views) => {
        const steps = views.map((after, index) => ({ after, events: eventsBetween(views[index - 1] ?? null, after) }));
        const types = steps.flatMap(({ events }) => events.map(({ type }) => type));
        expect(types.indexOf('pay-ready')).to.equal(0);
        expect(types.lastIndexOf('pay-ready')).to.equal(0);
        for (const { after, events } of steps) {
          if (events.some(({ type }) => type === 'pay-success')) expect(after.state.phase).to.equal('paid');
          expect(eventsBetween(after, after)).to.deep.equal([]);
        }
      }),
    );
  });
});

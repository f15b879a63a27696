import type { FromFrame } from '../src/shared/frame/from-frame.ts';

/** What an event's `detail` holds: the frame's message without its type. */
type DetailOf<Type extends FromFrame['type']> = Omit<Extract<FromFrame, { type: Type }>, 'type'>;

/** `reference` is the merchant's own `transaction_id`. */
export type PayReferenceDetail = DetailOf<'pay-success'>;
export type PayReadyDetail = DetailOf<'pay-ready'>;
export type PayChangeDetail = DetailOf<'pay-change'>;
export type PayChallengeDetail = DetailOf<'pay-challenge'>;
export type PayDeclineDetail = DetailOf<'pay-decline'>;
export type PayCancelDetail = DetailOf<'pay-cancel'>;
export type PayErrorDetail = DetailOf<'pay-error'>;

/** `preventDefault()` keeps the card from being sent. */
export interface PaySubmitDetail {
  /** Whether the buyer pressed the form's own button, or the page called `submit()`. */
  trigger: 'buyer' | 'page';
  /** Sends the card only when `work` has been fulfilled; when it is rejected nothing is sent. */
  waitUntil(work: Promise<unknown>): void;
}

export interface PayFormEventMap {
  'pay-ready': CustomEvent<PayReadyDetail>;
  'pay-change': CustomEvent<PayChangeDetail>;
  'pay-submit': CustomEvent<PaySubmitDetail>;
  'pay-challenge': CustomEvent<PayChallengeDetail>;
  'pay-success': CustomEvent<PayReferenceDetail>;
  'pay-pending': CustomEvent<PayReferenceDetail>;
  'pay-decline': CustomEvent<PayDeclineDetail>;
  'pay-cancel': CustomEvent<PayCancelDetail>;
  'pay-error': CustomEvent<PayErrorDetail>;
}

type Ending = 'pay-success' | 'pay-pending' | 'pay-decline' | 'pay-cancel' | 'pay-error';

/** The event that ends an attempt to pay; `type` tells which. */
export type PayFormEnd = {
  [Type in Ending]: PayFormEventMap[Type] & { readonly type: Type };
}[Ending];

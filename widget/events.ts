import type { FromFrame } from '../src/shared/frame/from-frame.ts';

/** An event's `detail`: the frame's message without its type. */
type DetailOf<Type extends FromFrame['type']> = Omit<Extract<FromFrame, { type: Type }>, 'type'>;

/** `reference` is the merchant's `transaction_id`. */
export type PayReferenceDetail = DetailOf<'pay-success'>;
export type PayReadyDetail = DetailOf<'pay-ready'>;
export type PayChangeDetail = DetailOf<'pay-change'>;
export type PayChallengeDetail = DetailOf<'pay-challenge'>;
export type PayDeclineDetail = DetailOf<'pay-decline'>;
export type PayCancelDetail = DetailOf<'pay-cancel'>;
export type PayErrorDetail = DetailOf<'pay-error'>;

/** `preventDefault()` stops the submission of the card. */
export interface PaySubmitDetail {
  /** `buyer`: the buyer pressed the form's button. `page`: the page called `submit()`. */
  trigger: 'buyer' | 'page';
  /** Delays the submission until `work` is fulfilled. If it is rejected, nothing is sent. */
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

type EndEventType = 'pay-success' | 'pay-pending' | 'pay-decline' | 'pay-cancel' | 'pay-error';

/** The event that ends a payment attempt; `type` identifies the outcome. */
export type PayFormEnd = {
  [Type in EndEventType]: PayFormEventMap[Type] & { readonly type: Type };
}[EndEventType];

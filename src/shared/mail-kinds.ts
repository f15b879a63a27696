/** Emails to payers. */
export const payerMailKinds = ['receipt', 'refund', 'underpayment', 'payment_link'] as const;
type PayerMailKind = (typeof payerMailKinds)[number];

/** Emails to a merchant's team. */
export const teamMailKinds = ['invitation', 'review_waiting', 'endpoint_disabled', 'destination_changed'] as const;

export type MailKind = PayerMailKind | (typeof teamMailKinds)[number] | 'new_sign_in';

/** Notifications that a member can turn off; the others concern security or were requested by the recipient. */
export const optionalMailKinds = ['review_waiting', 'endpoint_disabled'] as const;
export type OptionalMailKind = (typeof optionalMailKinds)[number];

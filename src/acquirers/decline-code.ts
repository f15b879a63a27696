/** The decline codes that adapters map the acquirers' reasons to. */
export type DeclineCode =
  | ('card_declined' | 'insufficient_funds' | 'expired_card' | 'incorrect_cvc')
  | ('authentication_failed' | 'authentication_abandoned');

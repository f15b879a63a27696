import { z } from 'zod';
import {
  type CardFieldProblem,
  cardDigits,
  cardNumberProblem,
  cvvProblem,
  expiryMonthProblem,
  parseExpiryFields,
  expiryProblem,
  expiryYearProblem,
} from '../shared/card.ts';
import { declineDetails } from './decline.ts';
import { transactionReference, apiStatuses } from './fiat-transaction.ts';
import { type PayerDetails, payerFields } from './payer.ts';
import { hasPostcode, hasState } from './postcodes.ts';
import { rule } from './rule.ts';
import { text } from './text.ts';

const cardProblemTexts: Record<CardFieldProblem, string> = {
  required: 'must not be empty',
  card_number_incomplete: 'has too few digits',
  card_number_invalid: 'is not a card number: check the digits',
  expiry_incomplete: 'must be a month from 1 to 12 and a year',
  expiry_invalid: 'must be a month from 1 to 12 and a year of two or four digits',
  card_expired: 'is in the past: the card has expired',
  cvv_incomplete: 'has too few digits',
  cvv_invalid: 'must be 3 digits, 4 on American Express',
};

const cardRuleFields = ['card_number', 'card_expiry_month', 'card_expiry_year', 'card_cvv'] as const;
type CardRuleField = (typeof cardRuleFields)[number];

/** The buyer's browser, for 3-D Secure 2 (EMV 3-D Secure, browser information). Our pages and `<pay-form>` fill it. */
const browserInfo = z.strictObject({
  user_agent: z.string().min(1).max(1024).optional().describe('`User-Agent` header; required from your server'),
  accept_header: z.string().min(1).max(2048).optional().describe('`Accept` header; required from your server'),
  language: z
    .string()
    .regex(/^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/)
    .max(35)
    .describe('`navigator.language`'),
  color_depth: z.int().min(1).max(48).describe('`screen.colorDepth`'),
  screen_width: z.int().min(0).max(99_999).describe('`screen.width`'),
  screen_height: z.int().min(0).max(99_999).describe('`screen.height`'),
  time_zone_offset: z.int().min(-900).max(900).describe('`new Date().getTimezoneOffset()`, in minutes'),
  java_enabled: z.boolean().default(false).describe('`navigator.javaEnabled()`'),
  ip_address: z
    .union([z.ipv4().max(15), z.ipv6().max(45)])
    .optional()
    .describe('IP address of the payer; only for requests from your server'),
});
export type BrowserInfoRequest = z.infer<typeof browserInfo>;

const cardFields = {
  transaction_id: transactionReference,
  card_number: z.string().max(40).describe('With or without spaces'),
  card_expiry_month: z.string().max(2).describe('From 1 to 12'),
  card_expiry_year: z.string().max(4).describe('Two or four digits'),
  card_cvv: z.string().max(4).describe('3 digits, 4 for American Express; never stored'),
};
const browser = browserInfo.optional().describe('Helps the issuer approve the payment without a challenge');

/** A submission by the merchant's server: all payer fields that apply in the payer's country. */
const serverSubmission = z
  .strictObject({
    ...cardFields,
    ...payerFields,
    state: payerFields.state.optional().describe('State, province or region; required unless the country has none'),
    postcode: payerFields.postcode.optional().describe('Required unless the country has none'),
    browser,
  })
  .check(
    rule<Partial<PayerDetails>>(({ country, ...payer }, report) => {
      if (country === undefined) return;
      if (payer.state === undefined && hasState(country)) report('state', 'required', 'is required');
      if (payer.postcode === undefined && hasPostcode(country)) report('postcode', 'required', 'is required');
    }),
  );

/** JWE compact serialization (RFC 7516). A key of 4,096 bits needs 1,000 characters. */
const jwe = z
  .string()
  .max(2000)
  .regex(/^[\w-]+(?:\.[\w-]+){4}$/);

/** Card data that a page has encrypted for the acquirer, with the digits that we store for every card. */
const encryptedCard = z
  .strictObject({
    key_id: text(64),
    ...{ number: jwe, expiry_month: jwe, expiry_year: jwe, security_code: jwe },
    first6: z.string().regex(/^\d{6}$/),
    last4: z.string().regex(/^\d{4}$/),
  })
  .transform(({ key_id, expiry_month, expiry_year, security_code, ...fields }) => ({
    ...fields,
    ...{ keyId: key_id, expiryMonth: expiry_month, expiryYear: expiry_year, securityCode: security_code },
  }));

/**
 * A submission by a page: the card, or the encrypted card, and the payer fields that the page asked for.
 * `payments/payer.ts` checks that none is missing.
 */
const pageSubmission = z
  .strictObject({
    ...z.object(cardFields).partial().required({ transaction_id: true }).shape,
    encrypted_card: encryptedCard.optional(),
    ...z.object(payerFields).partial().shape,
    amount: text(32).optional().describe('The total that the page shows, as in its state'),
    browser,
  })
  .check(
    rule<Partial<Record<CardRuleField, string | undefined>> & { encrypted_card?: unknown }>((body, report) => {
      for (const field of cardRuleFields) {
        const isExpected = body.encrypted_card === undefined;
        if (isExpected && body[field] === undefined) report(field, 'required', 'is required');
        if (!isExpected && body[field] !== undefined)
          report(field, 'unencrypted', 'must be omitted with encrypted_card');
      }
    }),
  );

/**
 * Body of `POST /fiat/v1/transaction/submit`, checked at `nowMs`. Messages never contain
 * values of card fields.
 */
export function cardSubmissionRequest(nowMs: number, { isOnPage }: { isOnPage: boolean } = { isOnPage: false }) {
  const fields: z.ZodType<z.output<typeof pageSubmission>> = isOnPage ? pageSubmission : serverSubmission;
  return fields
    .check(
      rule<z.output<typeof pageSubmission>>((body, report) => {
        const reportIf = (field: CardRuleField, problem: CardFieldProblem | null) => {
          if (problem) report(field, problem, cardProblemTexts[problem]);
        };
        if (body.card_number !== undefined) reportIf('card_number', cardNumberProblem(body.card_number));
        if (body.card_cvv !== undefined) reportIf('card_cvv', cvvProblem(body.card_cvv, body.card_number ?? ''));
        reportIf(
          'card_expiry_month',
          body.card_expiry_month === undefined ? null : expiryMonthProblem(body.card_expiry_month),
        );
        reportIf(
          'card_expiry_year',
          body.card_expiry_year === undefined ? null : expiryYearProblem(body.card_expiry_year, nowMs),
        );
        const expiry = parseExpiryFields(body.card_expiry_month ?? '', body.card_expiry_year ?? '');
        if (!expiry || expiryProblem(expiry, nowMs) !== 'card_expired') return;
        const isYearOver = expiryProblem({ ...expiry, month: 12 }, nowMs) === 'card_expired';
        reportIf(isYearOver ? 'card_expiry_year' : 'card_expiry_month', 'card_expired');
      }),
    )
    .transform(
      ({
        card_number = '',
        card_expiry_month = '',
        card_expiry_year = '',
        card_cvv = '',
        encrypted_card: encrypted,
        ...body
      }) => ({
        ...body,
        card: encrypted ?? {
          number: cardDigits(card_number),
          expiryMonth: card_expiry_month,
          expiryYear: card_expiry_year,
          cvv: card_cvv.trim(),
        },
      }),
    );
}
export type CardSubmission = z.infer<ReturnType<typeof cardSubmissionRequest>>;
export type SubmittedCard = CardSubmission['card'];

/** The response when a 3-D Secure challenge is required. */
const threeDSecureRedirect = z.object({
  response_type: z.literal('3ds_redirect'),
  redirect_url: z.string().describe('Redirect the payer here for the challenge'),
  message: z.string(),
});

/** The response in every other case. A decline is not an error. */
const submissionOutcome = z.object({
  response_type: z
    .enum(['confirmed', 'authorized', 'declined', 'processing'])
    .describe('`authorized`: with `capture: "manual"`; the merchant captures the amount later'),
  transaction_id: z.string(),
  status: z.enum(apiStatuses),
  message: z.string(),
  redirect_url: z.string().optional().describe('Redirect the buyer here'),
  decline: declineDetails.optional(),
  attempts_left: z.number().int().optional().describe('Remaining payment attempts'),
  poll_after_ms: z
    .number()
    .int()
    .optional()
    .describe('Milliseconds to wait before you read the transaction for the outcome; do not charge again'),
});

export const cardSubmissionResponse = z.union([threeDSecureRedirect, submissionOutcome]);
export type CardSubmissionResponse = z.infer<typeof cardSubmissionResponse>;

import { Hono } from 'hono';
import { payerFieldNames } from '../../shared/card-form.ts';
import { cardSubmissionRequest } from '../../api/card-submission.ts';
import { expiryFields } from '../../shared/card.ts';
import { asciiDigits } from '../../shared/digits.ts';
import { enteredPayer } from '../../api/instructions.ts';
import type { SubmittedForm } from '../../api/page-state.ts';
import { toMillis } from '../../shared/time.ts';
import { requireSupportedCountry } from '../../merchants/restricted-countries.ts';
import { readForm } from '../../http/body.ts';
import type { HttpContext, HttpEnv } from '../../http/context.ts';
import { parseWith } from '../../http/validation.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import { abandonOpenChallenge } from '../card/abandon.ts';
import { PAID_RETURN_QUERY, linkPath, type PaymentsContext } from '../context.ts';
import { knownDetails } from '../payer.ts';
import { recordBrowserLanguage } from '../buyer-language.ts';
import { startPushPayment } from '../push/start.ts';
import { openLink } from './open.ts';
import { submitCard } from '../card/submit.ts';
import type { FiatTransaction } from '../schema.ts';

/** Renders the link page with the submitted form. */
export type RenderSubmitted = (
  http: HttpContext,
  transaction: FiatTransaction,
  form: SubmittedForm,
) => Promise<Response>;

/**
 * Accepts form posts from pages without JavaScript, with the same checks as the JSON routes. Responds with the page.
 */
export function formRoutes(options: { context: PaymentsContext; render: RenderSubmitted }): Hono<HttpEnv> {
  const { context, render } = options;

  const actions: Record<
    string,
    (transaction: FiatTransaction, form: URLSearchParams, http: HttpContext) => Promise<void>
  > = {
    async card(transaction, form, http) {
      const submission = parseWith(
        cardSubmissionRequest(toMillis(context.clock.now()), { isOnPage: true }),
        toCardFields(transaction, form),
      );
      await recordBrowserLanguage(context, http, transaction);
      await submitCard(context, transaction, submission, { location: http.get('client'), isOnPage: true });
    },
    async method(transaction, form, http) {
      const selection = {
        paymentMethod: form.get('payment_method') ?? '',
        choice: form.get('choice'),
        payer: parseWith(enteredPayer, knownDetails(payerValues(form))),
      };
      await recordBrowserLanguage(context, http, transaction);
      await startPushPayment(context, transaction, selection, { location: http.get('client'), isOnPage: true });
    },
    async abandon(transaction) {
      await abandonOpenChallenge(context, transaction);
    },
  };

  return new Hono<HttpEnv>().post('/p/:linkId', async (http) => {
    const form = await readForm(http);
    const transaction = await openLink(context, http);
    const name = form.get('do') ?? '';
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) {
      const detail = `must be one of ${Object.keys(actions).join(', ')}`;
      throw validationProblem([{ pointer: '/do', code: 'invalid_value', detail }]);
    }
    // The page shows the buyer's fields again, but no card data.
    const values = payerValues(form);
    const method = form.get('payment_method');
    const grant = context.clientTokens.verify(form.get('client_token') ?? '', context.clock.now());
    // The token has expired, or another site posts here: the page is rendered with a new token, without an action.
    if (grant?.transactionId !== transaction.id)
      return await render(http, transaction, { values, fieldProblems: [], problem: 'try_again', method });
    try {
      await requireSupportedCountry(context.database, transaction.merchantId, http.get('client').country);
      await action(transaction, form, http);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const current = await openLink(context, http);
      return await render(http, current, {
        values,
        fieldProblems: [...error.errors],
        problem: toFormProblem(error),
        method,
      });
    }
    if (name !== 'card') return http.redirect(linkPath(transaction.linkId), 303);
    const current = await openLink(context, http);
    // Declined, with attempts left: the buyer's fields stay filled in.
    if (current.status === 'pending')
      return await render(http, current, { values, fieldProblems: [], problem: null, method });
    return http.redirect(`${linkPath(transaction.linkId)}${PAID_RETURN_QUERY}`, 303);
  });
}

/** Maps form fields to submission fields. The form has one field for the expiry, the submission two. */
function toCardFields({ reference }: FiatTransaction, form: URLSearchParams): object {
  const field = (name: string) => asciiDigits(form.get(name) ?? '');
  return {
    transaction_id: reference,
    card_number: field('card_number'),
    card_cvv: field('card_cvv'),
    ...expiryFields(field('card_expiry')),
    amount: form.get('amount') ?? undefined,
    // The country determines whether an empty field is needed.
    ...knownDetails(payerValues(form)),
  };
}

/** Returns the payer's fields that a form contains. */
function payerValues(form: URLSearchParams): Record<string, string> {
  return Object.fromEntries(payerFieldNames.flatMap((name) => (form.has(name) ? [[name, form.get(name) ?? '']] : [])));
}

/** Returns the problem that the page shows; null when the state of the payment already shows it. */
function toFormProblem({ code, errors }: Problem): SubmittedForm['problem'] {
  if (errors.some(({ pointer }) => pointer === '/payment_method')) return 'method_unavailable';
  if (errors.length > 0 || code === 'country_not_supported') return null;
  if (code === 'rate_limited' || code === 'amount_changed') return code;
  if (code === 'rate_unavailable') return 'method_unavailable';
  return ['acquirer_unavailable', 'internal_error'].includes(code) ? 'try_again' : null;
}

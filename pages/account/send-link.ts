import type { AccountContext } from './context.ts';
import { html } from 'lit';
import { textField, trimmedValue } from './fields.ts';
import { fieldDetail, problemText, toProblem } from './problems.ts';

/** Prompts for an address, repeatedly while it is invalid, and sends a payment link to it. */
export async function sendLink(
  context: AccountContext,
  reference: string,
  email: string,
  fieldError: string | null = null,
): Promise<void> {
  const { i18n, api, announce } = context;
  const text = (key: string, values = {}) => i18n.text(`account.send_link.${key}`, values);
  const values = await context.prompt({
    heading: text('title'),
    text: text('hint'),
    fields: html`${textField({
      ...{ id: 'send-link-email', name: 'email', type: 'email', label: text('email'), dir: 'ltr' },
      ...{ value: email, fieldError, required: true, maxlength: 254 },
    })}`,
    confirm: text('button'),
  });
  if (values === null) return;
  const recipient = trimmedValue(values, 'email');
  if (!/^\S+@\S+$/.test(recipient)) return await sendLink(context, reference, recipient, text('missing'));
  try {
    await api.sendPaymentLink({ transaction_id: reference, email: recipient });
    announce(text('sent', { email: recipient }));
  } catch (error) {
    const problem = toProblem(error);
    if (fieldDetail(problem, 'email') !== null) return await sendLink(context, reference, recipient, text('missing'));
    const { heading, text: sentence } = problemText(problem, i18n);
    announce(`${heading}. ${sentence}`);
  }
}

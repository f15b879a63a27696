import '@paylatch/pay-form/pay-form.css';
import type { BillingDetails, PayErrorDetail, PayFormEnd } from '@paylatch/pay-form';
import { PayForm } from '@paylatch/pay-form';

const form: PayForm = document.createElement('pay-form');
document.querySelector('pay-form')?.reset();
if (!(form instanceof PayForm)) throw new Error('The tag and the class are one');

form.src = 'https://pay.example/e/abc';
form.disabled = true;
form.noButton = false;
form.billing = { first_name: 'Ada', country: 'GB' } satisfies BillingDetails;
form.billing = null;

form.addEventListener('pay-success', ({ detail }) => detail.reference.toUpperCase());
form.addEventListener('pay-change', (event) => {
  const brand: string | null = event.detail.brand;
  const wrong: string[] = event.detail.invalid;
  return [brand, wrong, event.currentTarget];
});
form.addEventListener('pay-submit', (event) => {
  if (event.detail.trigger === 'page') event.preventDefault();
  event.detail.waitUntil(fetch('/terms'));
});
form.addEventListener('pay-cancel', ({ detail }) => {
  const reason: 'challenge' | 'merchant' | 'prevented' = detail.reason;
  return reason;
});
form.addEventListener('click', () => {});

export async function pay(): Promise<string | null> {
  const end: PayFormEnd = await form.submit();
  if (end.type === 'pay-decline') return `${end.detail.code} ${end.detail.attemptsLeft}`;
  if (end.type === 'pay-error') return (end.detail satisfies PayErrorDetail).message;
  // @ts-expect-error -- only a decline has a code here
  return end.detail.code;
}

// @ts-expect-error -- a number is not a URL
form.src = 5;
// @ts-expect-error -- the form has no such field
form.billing = { shoe_size: '42' };
// @ts-expect-error -- the form does not expose the number
form.addEventListener('pay-change', ({ detail }) => detail.number);
// @ts-expect-error -- a success has no code
form.addEventListener('pay-success', ({ detail }) => detail.code);
// @ts-expect-error -- an event of no such name has no detail
form.addEventListener('pay-succeeded', ({ detail }) => detail.reference);
// @ts-expect-error -- private
form.port;

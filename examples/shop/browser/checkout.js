// @ts-check

const form = document.querySelector('pay-form');
const ended = document.querySelector('.ended');
const pending = document.querySelector('.pending');
const alternative = document.querySelector('.alternative');

/** @param {Element | null} shown - What the buyer can do below the form. */
function show(shown) {
  for (const part of [ended, pending, alternative]) part?.toggleAttribute('hidden', part !== shown);
}

// The event is a hint. The next page reads the status from the payment service.
form?.addEventListener('pay-success', () => location.assign(form.dataset['thanks'] ?? '/'));

// The payment may still succeed, so the buyer must not start another one.
form?.addEventListener('pay-challenge', () => show(null));
form?.addEventListener('pay-pending', () => show(pending));
form?.addEventListener('pay-decline', () => show(alternative));

// If it is not retryable, this payment has ended, and the form shows the reason. Another payment needs another order.
form?.addEventListener('pay-error', ({ detail }) => {
  if (!detail.retryable) show(ended);
  else if (pending?.hasAttribute('hidden')) show(alternative);
});
form?.addEventListener('pay-cancel', ({ detail }) => show(detail.reason === 'merchant' ? ended : alternative));

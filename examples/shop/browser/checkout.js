// @ts-check

const form = document.querySelector('pay-form');
const ended = document.querySelector('.ended');
const alternative = document.querySelector('.alternative');

// The event is a hint. The next page reads the status from the payment service.
form?.addEventListener('pay-success', () => location.assign(form.dataset['thanks'] ?? '/'));

// The payment may still succeed, so the buyer must not start another one.
form?.addEventListener('pay-pending', () => alternative?.toggleAttribute('hidden', true));
form?.addEventListener('pay-decline', () => alternative?.toggleAttribute('hidden', false));

// This payment has ended, and the form shows the reason. Another payment needs another order.
form?.addEventListener('pay-error', ({ detail }) => {
  if (!detail.retryable) showEnd();
});
form?.addEventListener('pay-cancel', ({ detail }) => {
  if (detail.reason === 'merchant') showEnd();
});

function showEnd() {
  ended?.toggleAttribute('hidden', false);
  alternative?.toggleAttribute('hidden', true);
}

// @ts-check

const form = document.querySelector('pay-form');
const ended = document.querySelector('.ended');
const otherWay = document.querySelector('.other-way');

// A hint that it is worth while to look: the page that comes next asks the payment service.
form?.addEventListener('pay-success', () => location.assign(form.dataset['thanks'] ?? '/'));

// Money may be on its way: nobody may begin another payment.
form?.addEventListener('pay-pending', () => otherWay?.toggleAttribute('hidden', true));
form?.addEventListener('pay-decline', () => otherWay?.toggleAttribute('hidden', false));

// This payment is over, and the form says why. Another one is another order.
form?.addEventListener('pay-error', ({ detail }) => {
  if (!detail.retryable) end();
});
form?.addEventListener('pay-cancel', ({ detail }) => {
  if (detail.reason === 'merchant') end();
});

function end() {
  ended?.toggleAttribute('hidden', false);
  otherWay?.toggleAttribute('hidden', true);
}

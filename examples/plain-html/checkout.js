const form = document.querySelector('pay-form');
const status = document.querySelector('[role=status]');

form.addEventListener('pay-success', async ({ detail }) => {
  // Browser events are hints only. The shop's server asks the payment service for the status.
  const response = await fetch(`/payments/${detail.reference}`);
  const { isPaid } = await response.json();
  status.textContent = isPaid ? 'Thank you. The cups are on their way.' : 'The payment is still pending.';
});

form.addEventListener('pay-decline', () => {
  status.textContent = 'Your card was declined. Nothing was charged.';
});

const response = await fetch('/payments', { method: 'POST' });
if (response.ok) form.src = (await response.json()).embedUrl;
else status.textContent = 'The payment could not be created. Try again in a moment.';

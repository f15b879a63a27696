const form = document.querySelector('pay-form');
const status = document.querySelector('[role=status]');

form.addEventListener('pay-success', async ({ detail }) => {
  // What happens in a browser is a hint; the shop's server asks the payment service.
  const answer = await fetch(`/payments/${detail.reference}`);
  const { isPaid } = await answer.json();
  status.textContent = isPaid ? 'Thank you. The cups are on their way.' : 'We are still waiting for the payment.';
});

form.addEventListener('pay-decline', () => {
  status.textContent = 'That card did not work. Nothing was charged.';
});

const answer = await fetch('/payments', { method: 'POST' });
if (answer.ok) form.src = (await answer.json()).embedUrl;
else status.textContent = 'The payment could not be prepared. Try again in a moment.';

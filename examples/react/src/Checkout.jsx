import { use, useRef, useState } from 'react';
import { isPaid } from './payments.js';

/** Names of some card schemes; the button shows no others. */
const brandNames = { visa: 'Visa', mastercard: 'Mastercard', 'american-express': 'American Express' };

/** A card form with the page's own button. */
export function Checkout({ payment }) {
  const { embedUrl, error } = use(payment);
  const form = useRef(null);
  const [brand, setBrand] = useState(null);
  const [message, setMessage] = useState('');

  async function pay() {
    setMessage('');
    const { type, detail } = await form.current.submit();
    if (type === 'pay-success') {
      setMessage(
        (await isPaid(detail.reference)) ? 'Thank you. The cups are on their way.' : 'The payment is still pending.',
      );
    } else if (type === 'pay-decline') setMessage('Your card was declined. Nothing was charged.');
  }

  if (error) return <p role="alert">{error}. Try again in a moment.</p>;
  return (
    <>
      <pay-form ref={form} src={embedUrl} no-button onpay-change={({ detail }) => setBrand(detail.brand)} />
      <button type="button" onClick={pay}>
        Pay $12.50{brandNames[brand] && ` with ${brandNames[brand]}`}
      </button>
      <p role="status">{message}</p>
    </>
  );
}

'use client';

import { useRef, useState } from 'react';
import { isPaid } from './actions.js';

/**
 * The element with the page's own button. `submit()` returns the outcome: React 19 attaches no listeners of custom
 * elements to markup that the server rendered (react issue 35446).
 */
export function Checkout({ embedUrl }) {
  const form = useRef(null);
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

  return (
    <>
      <pay-form ref={form} src={embedUrl} no-button="" suppressHydrationWarning />
      <button type="button" onClick={pay}>
        Pay $12.50
      </button>
      <p role="status">{message}</p>
    </>
  );
}

import { StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { Checkout } from './Checkout.jsx';
import { createPayment } from './payments.js';
import './checkout.css';

const payment = createPayment().catch((error) => ({ error: error.message }));
const root = createRoot(document.body.appendChild(document.createElement('main')));

root.render(
  <StrictMode>
    <h1>Two cups, $12.50</h1>
    <Suspense fallback={<p>One moment…</p>}>
      <Checkout payment={payment} />
    </Suspense>
  </StrictMode>,
);

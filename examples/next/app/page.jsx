import { connection } from 'next/server';
import { createPayment } from '../../server.mjs';
import { Checkout } from './Checkout.jsx';

/** Each visit gets its own payment. The access token stays on the server. */
export default async function Page() {
  await connection();
  return (
    <>
      <h1>Two cups, $12.50</h1>
      <Checkout embedUrl={await createPayment()} />
    </>
  );
}

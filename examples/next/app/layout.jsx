import { SERVICE_URL } from '../../server.mjs';
import './checkout.css';

export const metadata = { title: 'Two cups' };

export default function Layout({ children }) {
  return (
    <html lang="en">
      <head>
        <link rel="stylesheet" href={`${SERVICE_URL}/widget/v1/pay-form.css`} precedence="default" />
        <script type="module" async src={`${SERVICE_URL}/widget/v1/pay-form.js`} />
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  );
}

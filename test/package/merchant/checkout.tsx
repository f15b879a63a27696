import { type PayForm, type PayFormEventMap, type PayFormProps } from '@paylatch/react';
import { useRef } from 'react';

export function Checkout({ embedUrl, onPaid }: { embedUrl: string; onPaid: (reference: string) => void }) {
  const form = useRef<PayForm>(null);
  const onDecline = (event: PayFormEventMap['pay-decline']) => event.detail.attemptsLeft;
  return (
    <form>
      <pay-form
        ref={form}
        src={embedUrl}
        locale="en-GB"
        theme="dark"
        redirect="top"
        name="payment"
        disabled={false}
        no-button
        billing={{ first_name: 'Ada' }}
        className="wide"
        id="pay"
        key="pay"
        style={{ '--pay-form-accent': '#004225', '--pay-form-height': '40rem', marginBlock: 16 }}
        onpay-success={({ detail }) => onPaid(detail.reference)}
        onpay-decline={onDecline}
        onpay-submit={(event) => event.preventDefault()}
      >
        <p slot="error">Try again later.</p>
      </pay-form>
      <button type="button" onClick={() => form.current?.submit()}>
        Buy
      </button>
    </form>
  );
}

export const wrongAttributes = [
  // @ts-expect-error -- a number is not a URL
  <pay-form src={5} />,
  // @ts-expect-error -- no such theme
  <pay-form theme="purple" />,
  // @ts-expect-error -- no such place
  <pay-form redirect="_blank" />,
  // @ts-expect-error -- no such attribute
  <pay-form source="https://pay.example/e/abc" />,
  // @ts-expect-error -- nothing that the form asks for
  <pay-form billing={{ shoe_size: '42' }} />,
  // @ts-expect-error -- no such token
  <pay-form style={{ '--pay-form-acent': 'red' }} />,
];

export const wrongListeners = [
  // @ts-expect-error -- a listener is a function
  <pay-form onpay-success="paid()" />,
  // @ts-expect-error -- a success has no code
  <pay-form onpay-success={({ detail }) => detail.code} />,
];

export const props: PayFormProps = { src: 'https://pay.example/e/abc' };

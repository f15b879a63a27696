import type { z } from 'zod';
import type { Plan } from '../faults.ts';
import type { hyperswitchContract } from './contract.ts';
import type { NextAction, PaymentResponse } from './objects.ts';

type MethodData = NonNullable<z.infer<typeof hyperswitchContract.charge.body>['payment_method_data']>;

/** Test cards of the built-in `stripe_test` connector. */
const testCards: Readonly<Record<string, Plan<'challenge' | 'frictionless' | 'declined'>>> = {
  '4000003800000446': { outcome: 'challenge' },
  '4000000000003220': { outcome: 'challenge' },
  '4000000000003063': { outcome: 'frictionless' },
  '4000000000000002': { outcome: 'declined', code: 'card_declined' },
  '4000000000009995': { outcome: 'declined', code: 'insufficient_funds' },
  '4000000000000069': { outcome: 'declined', code: 'expired_card' },
};

/** Outcome of a card at the test connector, unless the test has planned one. */
export function magicOutcome(number: string): Plan<'approved' | 'challenge' | 'frictionless' | 'declined'> {
  return testCards[number] ?? { outcome: 'approved' };
}

/** Next action of the buyer for a local method. */
export function nextActionOf(data: MethodData, payment: PaymentResponse, page: string, now: number): NextAction {
  const until = Date.parse(payment.expires_on);
  const qr = `00020101021229370016A000000677010111${payment.payment_id}6304`;
  const period = { display_from_timestamp: now, display_to_timestamp: until };
  if ('real_time_payment' in data || ('bank_transfer' in data && 'pix' in data.bank_transfer)) {
    const image = { image_data_url: 'data:image/png;base64,iVBORw0KGgo=', qr_code_url: `${page}/qr` };
    return { type: 'qr_code_information', ...image, raw_qr_data: qr, display_to_timestamp: until };
  }
  if ('bank_transfer' in data) {
    const reference = payment.payment_id.replaceAll(/\D/g, '').padStart(16, '8').slice(-16);
    const doku = { expires_at: String(until), reference, instructions_url: page };
    const type = 'display_bank_transfer_information';
    return { type, bank_transfer_steps_and_charges_details: { doku_bank_transfer_instructions: doku } };
  }
  if ('upi' in data) {
    const uri = `upi://pay?pa=paylatch@bank&tr=${payment.payment_id}`;
    if ('upi_intent' in data.upi) return { type: 'invoke_upi_intent_sdk', sdk_uri: uri, ...period };
    if ('upi_qr' in data.upi) return { type: 'invoke_upi_qr_flow', qr_code_url: uri, ...period };
    return { type: 'wait_screen_information', ...period };
  }
  return { type: 'redirect_to_url', redirect_to_url: page };
}

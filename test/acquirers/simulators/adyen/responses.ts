import type { SimulatorResponse } from '../faults.ts';
import { type AdyenPayment, methodName } from './account.ts';
import { actionOf, refusalReasons } from './methods.ts';

/** An error in Adyen's form. */
export function failure(status: number, errorCode: string, message: string, errorType: string): SimulatorResponse {
  return { status, body: { status, errorCode, message, errorType } };
}

/** The response for a payment. */
export function resultOf(payment: AdyenPayment, resultCode: string, more: object = {}): SimulatorResponse {
  const { charge, pspReference, refusalCode, paid } = payment;
  const { type } = charge.paymentMethod;
  const paymentMethod = type === 'scheme' ? { type, brand: methodName(charge) } : { type };
  const amount = { ...charge.amount, value: paid || charge.amount.value };
  const body = { resultCode, pspReference, merchantReference: charge.reference, amount, paymentMethod };
  return { status: 200, body: { ...body, ...refusalOf(refusalCode), ...more } };
}

function refusalOf(code: string | null): object {
  return code === null ? {} : { refusalReason: refusalReasons[code] ?? 'Refused', refusalReasonCode: code };
}

/** The response lacks Adyen’s reference. */
const unreferenced = { pspReference: undefined };

/**
 * Next action of the buyer for a local method. The payment's reference follows with its result, except for a voucher
 * (Checkout API v71, `pspReference` of `PaymentResponse`; mock `paymentsResultMultibancoSuccess.json`).
 */
export function instructionsOf(payment: AdyenPayment, page: string, now: number): SimulatorResponse {
  const { charge, pspReference } = payment;
  const { paymentMethod: method, amount } = charge;
  const type = actionOf(method.type);
  const expiresAt = charge.sessionValidity ?? new Date(now + 3_600_000).toISOString();
  const common = { type, paymentMethodType: method.type };
  const paymentData = `data-${pspReference}`;
  switch (type) {
    case 'qrCode': {
      const qrCodeData =
        method.type === 'upi_qr'
          ? `upi://pay?pa=paylatch@test&pn=Paylatch&tr=${pspReference}&am=${(amount.value / 100).toFixed(2)}&cu=INR`
          : `00020101021229370016A000000677010111${pspReference}5802TH6304`;
      return resultOf(payment, 'Pending', {
        ...unreferenced,
        action: { ...common, paymentData, qrCodeData, expiresAt },
      });
    }
    case 'await':
      return resultOf(payment, 'Pending', { ...unreferenced, action: { ...common, paymentData } });
    case 'voucher': {
      const buyer = 'firstName' in method ? method : { firstName: '', lastName: '', shopperEmail: '' };
      const action = {
        ...common,
        // Doku's account numbers have 16 digits.
        reference: `88${String(BigInt(`0x${pspReference}`) % 10n ** 14n).padStart(14, '0')}`,
        ...{ merchantName: 'Paylatch test', merchantReference: charge.reference },
        // Without a zone, as Adyen returns it.
        expiresAt: expiresAt.slice(0, 19),
        ...{ initialAmount: amount, totalAmount: amount, instructionsUrl: page },
        ...{ shopperEmail: buyer.shopperEmail, shopperName: `${buyer.firstName} ${buyer.lastName}` },
      };
      return resultOf(payment, 'PresentToShopper', { action });
    }
    case 'redirect':
      return redirectTo(payment, page, unreferenced);
  }
}

/** Sends the buyer to the issuer or bank, with the HTTP method that the request specified. */
export function redirectTo(payment: AdyenPayment, url: string, more: object = {}): SimulatorResponse {
  const { paymentMethod, redirectToIssuerMethod: method = 'GET', returnUrl } = payment.charge;
  const action = { type: 'redirect', paymentMethodType: paymentMethod.type, method, url };
  const data = { MD: payment.pspReference, PaReq: 'eNpVUk1v2zAM', TermUrl: returnUrl };
  return resultOf(payment, 'RedirectShopper', { ...more, action: method === 'POST' ? { ...action, data } : action });
}

/** A native challenge in the merchant's own page. Paylatch does not request it. */
export function nativeChallenge(payment: AdyenPayment): SimulatorResponse {
  const common = { type: 'threeDS2', paymentMethodType: 'scheme', subtype: 'fingerprint' };
  const tokens = { token: 'eyJ0aHJlZURTIjoiIn0=', authorisationToken: 'BQABAQ', paymentData: payment.pspReference };
  return resultOf(payment, 'IdentifyShopper', { action: { ...common, ...tokens } });
}

import { findStateCode } from '../../api/postcodes.ts';
import type { BrowserInfo, CardCharge, EncryptedCardCharge } from '../port.ts';
import type { AdyenAmount } from './amounts.ts';

/** The body of `/payments` for a card charge with 3-D Secure by redirect. */
export function chargeRequest(
  charge: CardCharge | EncryptedCardCharge,
  { merchantAccount, reference, amount }: { merchantAccount: string; reference: string; amount: AdyenAmount },
): object {
  const { card, payer, browser } = charge;
  return {
    merchantAccount,
    reference,
    amount,
    merchantOrderReference: charge.transactionReference,
    paymentMethod: {
      type: 'scheme',
      ...cardFields(card),
      holderName: `${payer.firstName} ${payer.lastName}`.trim(),
    },
    returnUrl: charge.returnUrl,
    channel: 'Web',
    shopperInteraction: 'Ecommerce',
    // Without manual capture, captured immediately: a charge that we report as approved must not remain cancellable.
    ...(charge.capture === 'manual' ? { additionalData: { manualCapture: 'true' } } : { captureDelayHours: 0 }),
    authenticationData: { threeDSRequestData: { nativeThreeDS: 'disabled' } },
    redirectFromIssuerMethod: 'GET',
    billingAddress: billingAddress(payer),
    shopperName: { firstName: payer.firstName.slice(0, 80), lastName: payer.lastName.slice(0, 80) },
    shopperEmail: payer.email,
    ...(payer.phone !== '' && { telephoneNumber: payer.phone }),
    ...(payer.ipAddress !== null && { shopperIP: payer.ipAddress }),
    ...(browser && { browserInfo: browserInfo(browser), ...shopperLocale(browser.language) }),
  };
}

function cardFields(card: (CardCharge | EncryptedCardCharge)['card']): object {
  if ('keyId' in card)
    return {
      encryptedCardNumber: card.number,
      encryptedExpiryMonth: card.expiryMonth,
      encryptedExpiryYear: card.expiryYear,
      encryptedSecurityCode: card.securityCode,
    };
  return {
    number: card.number,
    expiryMonth: String(card.expiryMonth).padStart(2, '0'),
    expiryYear: String(card.expiryYear),
    cvc: card.cvv,
  };
}

function browserInfo(browser: BrowserInfo): object {
  return {
    userAgent: browser.userAgent,
    acceptHeader: browser.acceptHeader,
    language: browser.language,
    colorDepth: browser.colorDepth,
    screenHeight: browser.screenHeight,
    screenWidth: browser.screenWidth,
    timeZoneOffset: browser.timeZoneOffsetMinutes,
    javaEnabled: browser.javaEnabled,
  };
}

/** Adyen requires all fields of an address; its own card form sends this for those that it does not ask for. */
const UNKNOWN = 'N/A';

function billingAddress({ address, city, state, postcode, country }: CardCharge['payer']): object {
  return {
    ...splitStreet(address),
    city: city || UNKNOWN,
    ...stateOrProvince(state, country),
    postalCode: postcode.slice(0, country === 'US' ? 5 : 10) || UNKNOWN,
    country,
  };
}

/**
 * Adyen requires the state's code in the US and Canada (error 135), and rejects fields in any other format. Elsewhere,
 * issuers compare the address without the state.
 */
function stateOrProvince(state: string, country: string): { stateOrProvince?: string } {
  if (country === 'US' || country === 'CA') return { stateOrProvince: findStateCode(state, country) ?? UNKNOWN };
  return /^[\dA-Za-z]{1,3}$/.test(state) ? { stateOrProvince: state } : {};
}

/** Adyen requires the house number in a separate field. */
export function splitStreet(address: string): { street: string; houseNumberOrName: string } {
  const trimmed = address.trim();
  const first = /^(\d[\w/-]*)[\s,]+(\S.*)$/u.exec(trimmed);
  if (first) return { street: first[2] ?? '', houseNumberOrName: first[1] ?? '' };
  const last = /^(\S.*?)[\s,]+(\d[\w/-]*)$/u.exec(trimmed);
  if (last) return { street: last[1] ?? '', houseNumberOrName: last[2] ?? '' };
  return { street: trimmed || UNKNOWN, houseNumberOrName: UNKNOWN };
}

/** The locale as language and country, as Adyen requires; omitted for a language alone. */
export function shopperLocale(language: string): { shopperLocale?: string } {
  return /^[a-z]{2}-[A-Z]{2}$/.test(language) ? { shopperLocale: language } : {};
}

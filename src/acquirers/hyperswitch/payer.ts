import type { BrowserInfo, CardCharge } from '../port.ts';
import type { PushPayer } from '../push-port.ts';

/** The billing address of a card charge, within the lengths of Hyperswitch's schema `AddressDetails`. */
export function cardBilling(payer: CardCharge['payer']): object {
  return {
    address: withoutEmptyFields({
      first_name: payer.firstName.slice(0, 255),
      last_name: payer.lastName.slice(0, 255),
      line1: payer.address.slice(0, 200),
      line2: payer.address.slice(200, 250),
      city: payer.city.slice(0, 50),
      state: payer.state.slice(0, 50),
      zip: payer.postcode.slice(0, 50),
      country: payer.country,
    }),
    ...(payer.phone !== '' && { phone: phoneDetails(payer.phone) }),
    email: payer.email,
  };
}

/** Known details of the payer of a push payment. */
export function pushBilling({ name, email, phone }: PushPayer, country: string): object {
  return {
    address: withoutEmptyFields({ ...splitName(name ?? ''), country }),
    ...(phone !== undefined && { phone: phoneDetails(phone) }),
    ...(email !== undefined && email !== '' && { email }),
  };
}

/** Data of the browser for 3-D Secure 2. A charge from a merchant's server has none. */
export function browserInfo(browser: BrowserInfo | null, ipAddress: string | null): object {
  return {
    ...(browser && {
      user_agent: browser.userAgent,
      accept_header: browser.acceptHeader,
      language: browser.language,
      color_depth: browser.colorDepth,
      screen_width: browser.screenWidth,
      screen_height: browser.screenHeight,
      time_zone: browser.timeZoneOffsetMinutes,
      java_enabled: browser.javaEnabled,
      java_script_enabled: true,
    }),
    ...(ipAddress !== null && { ip_address: ipAddress }),
  };
}

/** Splits a name at its last space. A single name is used as both first and last name. */
function splitName(name: string): { first_name: string; last_name: string } {
  const words = name.trim().split(/\s+/);
  const last = words.at(-1) ?? '';
  return { first_name: (words.slice(0, -1).join(' ') || last).slice(0, 255), last_name: last.slice(0, 255) };
}

/** Country calling codes of one and two digits (ITU-T E.164); all others have three. */
const shortCallingCodes = /^(?:[17]|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58])/;

/** Splits an E.164 phone number after its country calling code. */
export function phoneDetails(phone: string): { country_code: string; number: string } {
  const international = phone.slice(1);
  const code = shortCallingCodes.exec(international)?.[0] ?? international.slice(0, 3);
  return { country_code: `+${code}`, number: international.slice(code.length) };
}

function withoutEmptyFields(fields: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}

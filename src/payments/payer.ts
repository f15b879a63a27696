import { findCapability, type AcquirerAccount } from '../acquirers/registry.ts';
import type { RouteQuery } from '../methods/availability.ts';
import type { PayerField } from '../acquirers/adapter.ts';
import type { PushPayer } from '../acquirers/push-port.ts';
import type { PayerDetails } from '../api/payer.ts';
import { isPostcode } from '../api/postcodes.ts';
import { validationProblem } from '../api/problem-error.ts';
import type { FieldProblem } from '../api/problem.ts';
import { requiredAddressFields } from '../shared/address.ts';
import { type CardFormFields, type PayerFieldName, payerFieldNames } from '../shared/card-form.ts';
import type { FiatTransaction } from './schema.ts';

/** Details of the payer: from the merchant, or entered on the page. */
export type KnownPayer = PayerDetails & { handle?: string | undefined };

/** Fields of the card form that every card payment needs. */
const shortCardForm: readonly PayerFieldName[] = ['first_name', 'last_name', 'country', 'postcode', 'email'];

const addressFields: readonly PayerFieldName[] = ['country', 'address', 'city', 'state', 'postcode'];

const fieldNames: Readonly<Record<PayerField, readonly PayerFieldName[]>> = {
  name: ['first_name', 'last_name'],
  email: ['email'],
  phone: ['phone'],
  handle: ['handle'],
  address: addressFields,
};

const fieldsBySetting: Readonly<Record<CardFormFields, readonly PayerFieldName[]>> = {
  short: [],
  address: addressFields,
  address_and_phone: [...addressFields, 'phone'],
};

/** Returns the fields that an account requires for a payment. */
export function fieldsForAccount(account: AcquirerAccount, payment: RouteQuery): readonly PayerFieldName[] {
  const needed = findCapability(account, payment)?.payerFields ?? [];
  return needed.flatMap((field) => fieldNames[field]);
}

/** Returns the fields that a card payment on our pages requires. */
export function fieldsForCard(
  account: AcquirerAccount,
  payment: RouteQuery,
  setting: CardFormFields,
): readonly PayerFieldName[] {
  return [...cardFormFieldsOf(setting), ...fieldsForAccount(account, payment)];
}

/** Returns the fields of the card form with a setting, without those that only some acquirers require. */
export function cardFormFieldsOf(setting: CardFormFields): readonly PayerFieldName[] {
  return [...shortCardForm, ...fieldsBySetting[setting]];
}

/** Returns the required fields that the merchant has not supplied, in display order. */
export function missingPayerFields(needed: readonly PayerFieldName[], { payer }: FiatTransaction): PayerFieldName[] {
  const knownPayer: KnownPayer = payer ?? {};
  return payerFieldNames.filter((name) => needed.includes(name) && knownPayer[name] === undefined);
}

/** Completes entered details with those from the merchant. */
export function completePayer<Entered extends KnownPayer>(entered: Entered, { payer }: FiatTransaction): Entered {
  return { ...payer, ...entered };
}

/** Drops the details that are empty. */
export function knownDetails(entered: Readonly<Record<string, string | null | undefined>>): KnownPayer {
  return Object.fromEntries(
    payerFieldNames.flatMap((name) => {
      const value = entered[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/**
 * Returns the problems of required fields that are missing or invalid. An address requires only its country's fields.
 */
export function payerProblems(needed: readonly PayerFieldName[], payer: KnownPayer): FieldProblem[] {
  const { country = '' } = payer;
  const countryFields: readonly PayerFieldName[] = requiredAddressFields(country).map(({ name }) => name);
  return payerFieldNames.flatMap((name) => {
    if (!needed.includes(name)) return [];
    const pointer = `/${name}`;
    const isAddressField = name !== 'country' && addressFields.includes(name);
    if (isAddressField && !countryFields.includes(name)) return [];
    const value = payer[name];
    if (value === undefined) return [{ pointer, code: 'required', detail: 'is required' }];
    if (name !== 'postcode' || isPostcode(value, country)) return [];
    return [{ pointer, code: 'invalid_postcode', detail: `is not a valid postcode for ${country}` }];
  });
}

/** Throws a `Problem` that lists the required fields that are missing or invalid. */
export function requirePayerFields(needed: readonly PayerFieldName[], payer: KnownPayer): void {
  const problems = payerProblems(needed, payer);
  if (problems.length > 0) throw validationProblem(problems);
}

/** Converts the payer of a push payment for the acquirer's port. */
export function toPushPayer(
  payer: KnownPayer,
  { ipAddress, locale }: { ipAddress: string | undefined; locale: string | undefined },
): PushPayer {
  const { first_name, last_name, email, phone, handle } = payer;
  const name = [first_name, last_name].filter((part) => part !== undefined).join(' ');
  const number = internationalPhone(phone ?? '');
  return {
    ...(name !== '' && { name }),
    ...(email !== undefined && { email }),
    ...(number !== null && { phone: number }),
    ...(handle !== undefined && { handle }),
    ...(ipAddress !== undefined && { ipAddress }),
    ...(locale !== undefined && { locale }),
  };
}

/**
 * Converts a phone number to E.164, the format that acquirers accept. Payers enter the country code with or without its
 * prefix. Null without a country code: none starts with 0.
 */
export function internationalPhone(phone: string): string | null {
  const digits = phone.replaceAll(/\D/g, '').replace(/^00/, '');
  return /^[1-9]\d{6,14}$/.test(digits) ? `+${digits}` : null;
}

import type { Runner } from '../database/engine.ts';
import { type CardFormFields, cardFormFields } from '../shared/card-form.ts';
import { readPreferences } from './preferences/store.ts';

/** Reads the merchant's setting. */
export async function readCardFormFields(database: Runner, merchantId: number): Promise<CardFormFields> {
  return toCardFormFields((await readPreferences(database, merchantId, ['card-form-fields']))['card-form-fields']);
}

/** Parses a stored value; an unset one is the default. */
export function toCardFormFields(stored: unknown): CardFormFields {
  return cardFormFields.find((choice) => choice === stored) ?? 'short';
}

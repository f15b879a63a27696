import { expect } from 'chai';
import type { CardValues } from '../../src/shared/card-form.ts';
import { CardForm } from '../../pages/checkout/elements/card-form.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { texts } from './page-fixtures.ts';

/** Server time. */
export const TODAY = Date.parse('2026-03-10T10:00:00Z');

export const validCard: CardValues = {
  card_number: '4242 4242 4242 4242',
  card_expiry: '04 / 29',
  card_cvv: '123',
  first_name: 'Ada',
  last_name: 'Lovelace',
  country: 'US',
  address: '1 Main Street',
  city: 'Springfield',
  state: 'Illinois',
  postcode: '62701',
  phone: '+1 217 555 0100',
  email: 'ada@example.com',
};

export async function cardForm(change: Partial<CardForm> = {}): Promise<CardForm> {
  const form = new CardForm();
  form.i18n = new I18n(texts, 'en-US');
  form.attemptsLeft = 5;
  form.wallClock = () => TODAY;
  form.initial = { country: 'US' };
  Object.assign(form, change);
  document.body.append(form);
  await rendered(form);
  return form;
}

export async function rendered(form: CardForm) {
  await form.updateComplete;
  for (const field of form.querySelectorAll('text-field, country-field')) {
    if ('updateComplete' in field) await field.updateComplete;
  }
}

export function control(form: CardForm, name: string): HTMLInputElement {
  const field = form.querySelector<HTMLInputElement>(`[name=${name}]`);
  if (!field) throw new Error(`Field ${name} not found`);
  return field;
}

export async function fill(form: CardForm, values: Partial<CardValues>) {
  for (const [name, value] of Object.entries(values)) {
    const field = control(form, name);
    field.value = value;
    field.dispatchEvent(new Event('input', { bubbles: true }));
    // The country determines the fields of the address.
    if (name === 'country') await rendered(form);
  }
  await rendered(form);
}

export async function blur(form: CardForm, name: string) {
  control(form, name).focus();
  control(form, name).blur();
  await rendered(form);
}

/** The error of a field, found as assistive technology finds it. */
export function fieldErrorAt(form: CardForm, name: string): string | null {
  const field = control(form, name);
  const descriptionId = field.getAttribute('aria-describedby');
  expect(field.getAttribute('aria-invalid')).to.equal(descriptionId === null ? 'false' : 'true');
  return descriptionId === null ? null : (document.getElementById(descriptionId)?.textContent?.trim() ?? 'no element');
}

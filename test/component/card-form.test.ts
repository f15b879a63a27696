import { expect } from 'chai';
import type { CardValues } from '../../src/shared/card-form.ts';
import type { CardForm } from '../../pages/checkout/elements/card-form.ts';
import { cardForm, control, rendered, fill, goodCard, blur, fieldErrorAt } from './card-form-fixtures.ts';

async function submit(form: CardForm): Promise<CardValues[]> {
  const submissions: CardValues[] = [];
  form.addEventListener('card-submit', (event) => submissions.push((event as CustomEvent<CardValues>).detail), {
    once: true,
  });
  form.querySelector('form')?.requestSubmit();
  await rendered(form);
  return submissions;
}

describe('the card form', () => {
  afterEach(() => document.body.replaceChildren());

  it('has a label and the standard autofill token for every field', async () => {
    const form = await cardForm();
    const found = [...form.querySelectorAll<HTMLInputElement>('input, select')].map((field) => [
      field.labels?.[0]?.textContent,
      field.getAttribute('autocomplete'),
    ]);
    expect(found).to.deep.equal([
      ['Card number', 'cc-number'],
      ['Expiry', 'cc-exp'],
      ['Security code', 'cc-csc'],
      ['First name', 'given-name'],
      ['Last name', 'family-name'],
      ['Country', 'country'],
      ['Address', 'address-line1'],
      ['City', 'address-level2'],
      ['State or province', 'address-level1'],
      ['Postcode', 'postal-code'],
      ['Phone', 'tel'],
      ['Email', 'email'],
    ]);
    expect(form.querySelector('form')?.method).to.equal('post');
  });

  it('shows an error when the field loses focus, not while typing', async () => {
    const form = await cardForm();
    control(form, 'card_number').focus();
    await fill(form, { card_number: '4242' });
    expect(fieldErrorAt(form, 'card_number')).to.equal(null);
    await blur(form, 'card_number');
    expect(fieldErrorAt(form, 'card_number')).to.equal('The card number is too short.');
  });

  it('removes an error as soon as it is fixed', async () => {
    const form = await cardForm();
    await fill(form, { email: 'ada@' });
    await blur(form, 'email');
    expect(fieldErrorAt(form, 'email')).to.contain('complete email');
    await fill(form, { email: 'ada@example.co' });
    expect(fieldErrorAt(form, 'email')).to.equal(null);
  });

  it('names the month in which a card expired', async () => {
    const form = await cardForm();
    await fill(form, { card_expiry: '02/26' });
    await blur(form, 'card_expiry');
    expect(fieldErrorAt(form, 'card_expiry')).to.equal(
      'This card expired in February 2026. Check the date or use another card.',
    );
  });

  it('accepts a card through the last day of its expiry month', async () => {
    const form = await cardForm();
    await fill(form, { card_expiry: '03/26' });
    await blur(form, 'card_expiry');
    expect(fieldErrorAt(form, 'card_expiry')).to.equal(null);
  });

  it('delays an error until the pointer that left the field is released', async () => {
    const form = await cardForm();
    control(form, 'city').focus();
    document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    await blur(form, 'city');
    expect(fieldErrorAt(form, 'city')).to.equal(null);
    const released = new Promise((resolve) => setTimeout(resolve));
    document.body.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
    await released;
    await new Promise((resolve) => setTimeout(resolve));
    await rendered(form);
    expect(fieldErrorAt(form, 'city')).to.equal('Enter a city.');
  });

  it('shows and counts all errors on submit, and focuses the first', async () => {
    const form = await cardForm();
    const announcements: string[] = [];
    form.addEventListener('announce', (event) => announcements.push((event as CustomEvent<string>).detail));
    await fill(form, { ...goodCard, card_expiry: '', phone: 'call me' });
    announcements.length = 0;
    expect(await submit(form)).to.deep.equal([]);
    expect(fieldErrorAt(form, 'card_expiry')).to.equal('Enter the expiry date.');
    expect(fieldErrorAt(form, 'phone')).to.contain('country code');
    expect(fieldErrorAt(form, 'email')).to.equal(null);
    expect(document.activeElement).to.equal(control(form, 'card_expiry'));
    expect(announcements).to.deep.equal(['Check 2 fields.']);
  });

  it('submits all values if they are valid', async () => {
    const form = await cardForm();
    await fill(form, goodCard);
    expect(await submit(form)).to.deep.equal([goodCard]);
  });

  it('submits nothing while a payment is in progress', async () => {
    const form = await cardForm({ busy: true });
    await fill(form, goodCard);
    expect(await submit(form)).to.deep.equal([]);
  });

  it('recognizes the brand, announces it once, and adapts the security code', async () => {
    const form = await cardForm();
    const announcements: string[] = [];
    form.addEventListener('announce', (event) => announcements.push((event as CustomEvent<string>).detail));
    expect(control(form, 'card_cvv').placeholder).to.equal('3 digits');
    for (const number of ['3', '37', '378', '3782 8']) await fill(form, { card_number: number });
    expect(announcements).to.deep.equal(['American Express']);
    expect(form.querySelector('.mark-image')).not.to.equal(null);
    expect(control(form, 'card_cvv').placeholder).to.equal('4 digits');
    await fill(form, { card_cvv: '123' });
    await blur(form, 'card_cvv');
    expect(fieldErrorAt(form, 'card_cvv')).to.equal('The security code must have 4 digits.');
    await fill(form, { card_number: '4242 4242 4242 4242' });
    expect(fieldErrorAt(form, 'card_cvv')).to.equal(null);
  });

  it('deletes the digit beyond a gap', async () => {
    const form = await cardForm();
    await fill(form, { card_number: '4242 42' });
    const field = control(form, 'card_number');
    field.focus();
    field.setSelectionRange(5, 5);
    field.dispatchEvent(
      new InputEvent('beforeinput', { bubbles: true, cancelable: true, inputType: 'deleteContentBackward' }),
    );
    expect(field.value).to.equal('4244 2');
    expect(field.selectionStart).to.equal(3);
  });

  it('shows errors of the server at their fields and focuses the first', async () => {
    const form = await cardForm();
    await fill(form, goodCard);
    form.serverProblems = [
      { pointer: '/email', code: 'invalid_email', detail: 'must be an e-mail address' },
      { pointer: '/card_expiry_month', code: 'card_expired', detail: 'is in the past' },
      { pointer: '/card_cvv', code: 'from_a_newer_server', detail: 'is odd' },
    ];
    await rendered(form);
    expect(fieldErrorAt(form, 'email')).to.contain('complete email');
    expect(fieldErrorAt(form, 'card_expiry')).to.contain('expired in April 2029');
    expect(fieldErrorAt(form, 'card_cvv')).to.equal('Check this field.');
    await rendered(form);
    expect(document.activeElement).to.equal(control(form, 'card_expiry'));
  });

  it('clears only the security code after a failed attempt', async () => {
    const form = await cardForm();
    await fill(form, goodCard);
    form.attemptsLeft = 4;
    await rendered(form);
    expect(form.values).to.deep.equal({ ...goodCard, card_cvv: '' });
    expect(fieldErrorAt(form, 'card_cvv')).to.equal(null);
  });

  it('preselects a country, sorts by name, and keeps the choice if the guess changes', async () => {
    const form = await cardForm({ preselectedCountry: 'FR' });
    const names = [...form.querySelectorAll('option')].map((option) => option.textContent);
    expect(names).to.deep.equal(['Choose a country', 'France', 'United Kingdom', 'United States']);
    expect(control(form, 'country').value).to.equal('FR');
    await fill(form, { country: 'US' });
    await rendered(form);
    expect(control(form, 'country').value).to.equal('US');
  });
});

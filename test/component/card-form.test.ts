import { expect } from 'chai';
import type { CardValues } from '../../src/shared/card-form.ts';
import type { CardForm } from '../../pages/checkout/elements/card-form.ts';
import { cardForm, control, rendered, fill, validCard, blur, fieldErrorAt } from './card-form-fixtures.ts';

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
      ['State', 'address-level1'],
      ['ZIP code', 'postal-code'],
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

  it('shows no error for an empty field that only lost focus; it keeps those of a submit', async () => {
    const form = await cardForm();
    for (const name of ['card_number', 'email']) {
      control(form, name).focus();
      await blur(form, name);
      expect(fieldErrorAt(form, name)).to.equal(null);
    }
    await submit(form);
    await fill(form, { email: 'ada@' });
    await fill(form, { email: '' });
    await blur(form, 'email');
    expect(fieldErrorAt(form, 'email')).to.equal('Enter an email address.');
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
    await fill(form, { email: 'ada@' });
    control(form, 'email').focus();
    document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
    await blur(form, 'email');
    expect(fieldErrorAt(form, 'email')).to.equal(null);
    const released = new Promise((resolve) => setTimeout(resolve));
    document.body.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
    await released;
    await new Promise((resolve) => setTimeout(resolve));
    await rendered(form);
    expect(fieldErrorAt(form, 'email')).to.contain('complete email');
  });

  it('shows and counts all errors on submit, and focuses the first', async () => {
    const form = await cardForm();
    const announcements: string[] = [];
    form.addEventListener('announce', (event) => announcements.push((event as CustomEvent<string>).detail));
    await fill(form, { ...validCard, card_expiry: '', phone: 'call me' });
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
    await fill(form, validCard);
    expect(await submit(form)).to.deep.equal([validCard]);
  });

  for (const zero of ['٠', '۰', '०', '０']) {
    it(`reads the digits of the script whose zero is ${zero}`, async () => {
      const form = await cardForm();
      const inScript = (text: string) =>
        text.replaceAll(/\d/g, (digit) => String.fromCodePoint((zero.codePointAt(0) ?? 0) + Number(digit)));
      const { card_number, card_expiry, card_cvv, phone } = validCard;
      await fill(form, validCard);
      for (const [name, value] of Object.entries({ card_number, card_expiry, card_cvv, phone }))
        await fill(form, { [name]: inScript(value) });
      expect(await submit(form)).to.deep.equal([{ ...validCard, phone: inScript(phone) }]);
    });
  }

  it('submits nothing while a payment is in progress', async () => {
    const form = await cardForm({ busy: true });
    await fill(form, validCard);
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
    await fill(form, validCard);
    form.serverProblems = [
      { pointer: '/email', code: 'invalid_email', detail: 'must be an email address' },
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
    await fill(form, validCard);
    form.attemptsLeft = 4;
    await rendered(form);
    expect(form.values).to.deep.equal({ ...validCard, card_cvv: '' });
    expect(fieldErrorAt(form, 'card_cvv')).to.equal(null);
  });

  it('preselects a country, sorts by name, and keeps the choice if the detected country changes', async () => {
    const form = await cardForm({ initial: { country: 'FR' } });
    const names = [...form.querySelectorAll('option')].map((option) => option.textContent);
    expect(names).to.have.lengthOf(250);
    expect(names.slice(0, 3)).to.deep.equal(['Choose a country', 'Afghanistan', 'Åland Islands']);
    expect(control(form, 'country').value).to.equal('FR');
    await fill(form, { country: 'US' });
    await rendered(form);
    expect(control(form, 'country').value).to.equal('US');
  });

  it('preselects a country that is asked for later', async () => {
    const form = await cardForm({ requestedFields: ['email'], initial: { country: 'FR' } });
    form.requestedFields = ['email', 'country'];
    await rendered(form);
    expect(control(form, 'country').value).to.equal('FR');
    expect(form.values.country).to.equal('FR');
  });

  const names = (form: CardForm) =>
    [...form.querySelectorAll<HTMLInputElement>('input, select')].map(({ name }) => name.replace('card_', ''));
  const short: CardForm['requestedFields'] = ['first_name', 'last_name', 'country', 'postcode', 'email'];
  const card = ['number', 'expiry', 'cvv'];
  const fieldsIn: Record<string, readonly string[]> = {
    US: ['first_name', 'last_name', 'country', 'postcode', 'email'],
    DK: ['first_name', 'last_name', 'country', 'postcode', 'email'],
    AE: ['first_name', 'last_name', 'country', 'email'],
    HK: ['last_name', 'first_name', 'country', 'email'],
    HU: ['last_name', 'first_name', 'country', 'postcode', 'email'],
  };
  for (const [country, expected] of Object.entries(fieldsIn)) {
    it(`short form: asks only for the fields of ${country}`, async () => {
      const form = await cardForm({ requestedFields: short, initial: { country } });
      expect(names(form)).to.deep.equal([...card, ...expected]);
    });
  }

  const addressesIn: Record<string, readonly string[]> = {
    US: ['address', 'city', 'state', 'postcode'],
    DK: ['address', 'postcode', 'city'],
    SG: ['address', 'postcode'],
    AE: ['address', 'state'],
    JP: ['postcode', 'state', 'address'],
  };
  for (const [country, expected] of Object.entries(addressesIn)) {
    it(`asks for an address in the order of ${country}`, async () => {
      const form = await cardForm({ initial: { country } });
      const address = names(form).filter((name) => ['address', 'city', 'state', 'postcode'].includes(name));
      expect(address).to.deep.equal(expected);
    });
  }

  it('keeps values in their fields when another country moves the fields', async () => {
    const form = await cardForm();
    await fill(form, validCard);
    const { state, ...withoutState } = validCard;
    await fill(form, { country: 'JP' });
    const { city, ...inJapan } = { ...validCard, country: 'JP' };
    expect(form.values).to.deep.equal({ ...inJapan, city: '' });
    await fill(form, { country: 'DK' });
    expect(form.values).to.deep.equal({ ...withoutState, country: 'DK', state: '' });
    await fill(form, { country: 'US' });
    expect(form.values).to.deep.equal(validCard);
    expect([state, city]).to.deep.equal(['Illinois', 'Springfield']);
  });

  it('leaves a field that another country adds empty', async () => {
    const form = await cardForm({ initial: { country: 'NG' } });
    await fill(form, { city: 'Lagos', country: 'AE' });
    expect(control(form, 'state').value).to.equal('');
    await fill(form, { country: 'NG' });
    expect(control(form, 'city').value).to.equal('Lagos');
  });

  it('omits the fields that the country does not have', async () => {
    const form = await cardForm({ requestedFields: short, initial: { country: 'AE' } });
    const { card_number, card_expiry, card_cvv, first_name, last_name, email } = validCard;
    await fill(form, { card_number, card_expiry, card_cvv, first_name, last_name, email });
    expect(await submit(form)).to.have.lengthOf(1);
    await fill(form, { country: 'DK' });
    expect(await submit(form)).to.deep.equal([]);
    expect(fieldErrorAt(form, 'postcode')).to.equal('Postal code is required.');
  });

  it('names a missing field as its label does in the country', async () => {
    const form = await cardForm({ initial: { country: 'US' } });
    await submit(form);
    for (const [country, postcode, state] of [
      ['US', 'ZIP code', 'State'],
      ['CA', 'Postal code', 'Province'],
    ] as const) {
      await fill(form, { country });
      for (const [name, label] of Object.entries({ postcode, state })) {
        expect(form.querySelector(`label[for=field-${name}]`)?.textContent).to.equal(label);
        expect(fieldErrorAt(form, name)).to.equal(`${label} is required.`);
      }
    }
  });
});

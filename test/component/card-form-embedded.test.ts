import { expect } from 'chai';
import fc from 'fast-check';
import { type CardFieldName, type CardValues, cardFieldNames } from '../../src/shared/card-form.ts';
import type { CardForm, CardFormState } from '../../pages/checkout/elements/card-form.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { cardForm, control, rendered, fill, validCard, blur, fieldErrorAt, TODAY } from './card-form-fixtures.ts';
import { texts } from './page-fixtures.ts';

const { card_number, card_expiry, card_cvv, ...payer } = validCard;
const card = { card_number, card_expiry, card_cvv };

/** A form, and the state and values that it emits. */
async function observedForm(change: Partial<CardForm> = {}) {
  const states: CardFormState[] = [];
  const submissions: CardValues[] = [];
  const listen = (event: Event) => states.push((event as CustomEvent<CardFormState>).detail);
  document.addEventListener('card-change', listen);
  const form = await cardForm(change);
  document.removeEventListener('card-change', listen);
  form.addEventListener('card-change', listen);
  form.addEventListener('card-submit', (event) => submissions.push((event as CustomEvent<CardValues>).detail));
  return { form, states, submissions };
}

const isVisible = (form: CardForm, name: CardFieldName) =>
  form.querySelector(`[name=${name}]`)?.checkVisibility() ?? false;
const visibleFields = (form: CardForm) => cardFieldNames.filter((name) => isVisible(form, name));

describe('the state that the card form emits', () => {
  afterEach(() => document.body.replaceChildren());

  it('is empty first, then has a brand, then is complete', async () => {
    const { form, states } = await observedForm();
    await fill(form, { card_number: '42' });
    await fill(form, validCard);
    const blank = { complete: false, empty: true, brand: null, invalid: [] };
    expect(states).to.deep.equal([
      blank,
      { ...blank, empty: false, brand: 'visa' },
      { ...blank, complete: true, empty: false, brand: 'visa' },
    ]);
  });

  it('lists the fields with a visible error, until they are fixed', async () => {
    const { form, states } = await observedForm();
    await fill(form, { email: 'ada@' });
    await blur(form, 'email');
    expect(states.at(-1)?.invalid).to.deep.equal(['email']);
    await fill(form, { email: 'ada@example.com' });
    expect(states.at(-1)?.invalid).to.deep.equal([]);
  });

  it('is emitted once per change', async () => {
    const { form, states } = await observedForm();
    await fill(form, { first_name: 'A' });
    await fill(form, { first_name: 'Ad', last_name: 'L' });
    form.attemptsLeft = 4;
    await rendered(form);
    expect(states).to.have.lengthOf(2);
  });

  it('never contains typed values', async () => {
    const { form, states } = await observedForm();
    // Values that cannot be part of field names or brands by chance.
    const typed = fc.oneof(
      fc.stringMatching(/^[0-9]{2,19}$/),
      fc.stringMatching(/^[0-9 /]{2,19}$/),
      fc.string({ minLength: 2 }).map((text) => `Q${text}Z`),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...cardFieldNames.filter((name) => name !== 'country')),
        typed,
        async (name, value) => {
          states.length = 0;
          await fill(form, { [name]: value });
          await blur(form, name);
          form.report();
          await rendered(form);
          for (const state of states) {
            expect(Object.keys(state)).to.deep.equal(['complete', 'empty', 'brand', 'invalid']);
            expect([typeof state.complete, typeof state.empty]).to.deep.equal(['boolean', 'boolean']);
            expect(state.brand ?? 'visa').to.match(/^[a-z-]+$/);
            expect(cardFieldNames).to.include.members(state.invalid);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('methods and properties of the card form', () => {
  afterEach(() => document.body.replaceChildren());

  it('report() shows every error and focuses the first', async () => {
    const { form } = await observedForm();
    await fill(form, { card_number: '4242' });
    expect(form.report()).to.equal(false);
    await rendered(form);
    expect(fieldErrorAt(form, 'card_number')).to.equal('The card number is too short.');
    for (const name of cardFieldNames) expect(fieldErrorAt(form, name) === null, name).to.equal(name === 'country');
    await form.updateComplete;
    expect(document.activeElement).to.equal(control(form, 'card_number'));
  });

  it('report() shows nothing if all fields are valid', async () => {
    const { form, states, submissions } = await observedForm();
    await fill(form, validCard);
    expect(form.report()).to.equal(true);
    await rendered(form);
    expect([states.at(-1)?.invalid, submissions]).to.deep.equal([[], []]);
  });

  it('focus() focuses the first field with an error, otherwise the first field', async () => {
    const { form } = await observedForm();
    form.focus();
    expect(document.activeElement).to.equal(control(form, 'card_number'));
    await fill(form, { ...validCard, email: 'ada@' });
    await blur(form, 'email');
    form.focus();
    expect(document.activeElement).to.equal(control(form, 'email'));
  });

  it('pay() submits only if all fields are valid', async () => {
    const { form, submissions } = await observedForm();
    expect(form.pay()).to.equal(false);
    await fill(form, validCard);
    expect(form.pay()).to.equal(true);
    expect(submissions).to.deep.equal([validCard]);
  });

  it('disabled prevents input and submission', async () => {
    const { form, submissions } = await observedForm();
    await fill(form, validCard);
    form.disabled = true;
    await rendered(form);
    for (const name of cardFieldNames) expect(control(form, name).matches(':disabled'), name).to.equal(true);
    expect(form.pay()).to.equal(false);
    form.querySelector('form')?.requestSubmit();
    expect(submissions).to.deep.equal([]);
    form.disabled = false;
    await rendered(form);
    expect(form.values).to.deep.equal(validCard);
  });

  it('reset() clears values and errors', async () => {
    const { form, states } = await observedForm({ initial: { country: 'FR' } });
    await fill(form, { ...validCard, email: 'ada@' });
    await blur(form, 'email');
    form.reset();
    await rendered(form);
    const blank = Object.fromEntries(cardFieldNames.map((name) => [name, name === 'country' ? 'FR' : '']));
    expect(form.values).to.deep.equal(blank);
    expect(fieldErrorAt(form, 'email')).to.equal(null);
    expect(states.at(-1)).to.deep.equal({ complete: false, empty: true, brand: null, invalid: [] });
    expect(form.querySelector('.mark-image')).to.equal(null);
  });

  it('a new language keeps values and errors', async () => {
    const { form } = await observedForm();
    await fill(form, { ...validCard, email: 'ada@' });
    await blur(form, 'email');
    form.i18n = new I18n({ ...texts, 'fields.email': 'Courriel' }, 'fr');
    await rendered(form);
    expect(form.values).to.deep.equal({ ...validCard, email: 'ada@' });
    expect(control(form, 'email').labels?.[0]?.textContent).to.equal('Courriel');
    expect(fieldErrorAt(form, 'email')).to.contain('complete email');
  });

  describe('prefilled billing details', () => {
    it('hide their fields and leave only the card fields', async () => {
      const { form, states, submissions } = await observedForm();
      form.prefill = payer;
      await rendered(form);
      expect(visibleFields(form)).to.deep.equal(['card_number', 'card_expiry', 'card_cvv']);
      expect([...form.querySelectorAll('legend')].filter((legend) => legend.checkVisibility())).to.have.lengthOf(1);
      expect(states.at(-1)).to.deep.include({ empty: true, complete: false });
      await fill(form, card);
      expect(form.pay()).to.equal(true);
      expect(submissions).to.deep.equal([validCard]);
    });

    it('work from the first render', async () => {
      const { form } = await observedForm({ prefill: payer });
      expect(form.values).to.deep.equal({ ...validCard, card_number: '', card_expiry: '', card_cvv: '' });
      expect(visibleFields(form)).to.deep.equal(['card_number', 'card_expiry', 'card_cvv']);
    });

    const wrong: Partial<Record<CardFieldName, string>> = {
      email: 'ada@',
      phone: 'call me',
      country: 'XX',
      city: '',
      postcode: ' ',
    };
    for (const [name, value] of Object.entries(wrong)) {
      it(`show the field of an invalid value: ${name} “${value}”`, async () => {
        const { form } = await observedForm();
        form.prefill = { ...payer, [name]: value };
        await rendered(form);
        expect(visibleFields(form)).to.deep.equal(
          cardFieldNames.filter((each) => each.startsWith('card_') || each === name),
        );
      });
    }

    it('show a field that the server rejects', async () => {
      const { form } = await observedForm();
      form.prefill = payer;
      await fill(form, card);
      form.serverProblems = [{ pointer: '/postcode', code: 'too_long', detail: 'is too long' }];
      await rendered(form);
      expect(visibleFields(form)).to.deep.equal(['card_number', 'card_expiry', 'card_cvv', 'postcode']);
      expect(fieldErrorAt(form, 'postcode')).to.equal('This is too long. Shorten it.');
    });

    it('survive reset() and are shown again when removed', async () => {
      const { form } = await observedForm();
      form.prefill = payer;
      await rendered(form);
      await fill(form, card);
      form.reset();
      expect(form.values).to.deep.equal({ ...validCard, card_number: '', card_expiry: '', card_cvv: '' });
      form.prefill = {};
      await rendered(form);
      expect(visibleFields(form)).to.deep.equal([...cardFieldNames]);
    });

    it('accept any value of an address book', async () => {
      const { form } = await observedForm();
      await fc.assert(
        fc.asyncProperty(fc.dictionary(fc.constantFrom(...cardFieldNames.slice(3)), fc.string()), async (prefill) => {
          form.prefill = prefill;
          await rendered(form);
          for (const [name, value] of Object.entries(prefill) as [CardFieldName, string][]) {
            // No hidden field is submitted with an invalid value.
            if (!isVisible(form, name)) expect(form.values[name]).to.equal(value.trim()).and.not.equal('');
          }
        }),
        { numRuns: 40 },
      );
    });
  });

  it('expiry dates are checked against the server time', async () => {
    const { form } = await observedForm({ wallClock: () => TODAY + 4 * 365 * 24 * 3_600_000 });
    await fill(form, { card_expiry: '04 / 29' });
    await blur(form, 'card_expiry');
    expect(fieldErrorAt(form, 'card_expiry')).to.contain('expired in April 2029');
  });
});

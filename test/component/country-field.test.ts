import { expect } from 'chai';
import { CountryField } from '../../pages/checkout/elements/country-field.ts';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import { texts } from './page-fixtures.ts';

const codes = ['AT', 'DE', 'ES', 'GB', 'US'];

async function countryField(change: Partial<CountryField> = {}) {
  const field = new CountryField();
  Object.assign(field, { i18n: new I18n(texts, 'en-US'), codes, ...change });
  document.body.append(field);
  await field.updateComplete;
  const select = field.querySelector('select');
  if (!select) throw new Error('The select is missing');
  return { field, select, options: () => [...select.options].slice(1).map((option) => option.text) };
}

describe('the country field', () => {
  afterEach(() => document.body.replaceChildren());

  it('names and sorts the countries in the page’s language', async () => {
    const { field, options } = await countryField();
    expect(options()).to.deep.equal(['Austria', 'Germany', 'Spain', 'United Kingdom', 'United States']);
    field.i18n = new I18n(texts, 'de');
    await field.updateComplete;
    expect(options()).to.deep.equal([
      'Deutschland',
      'Österreich',
      'Spanien',
      'Vereinigte Staaten',
      'Vereinigtes Königreich',
    ]);
  });

  for (const code of [...codes, '']) {
    it(`keeps ${code || 'no choice'} when a new language reorders the list`, async () => {
      const { field, select } = await countryField({ preselected: 'GB' });
      select.value = code;
      for (const locale of ['de', 'es', 'th', 'en-US']) {
        field.i18n = new I18n(texts, locale);
        await field.updateComplete;
        expect(select.value, locale).to.equal(code);
      }
    });
  }

  it('keeps the choice while an error appears and disappears', async () => {
    const { field, select } = await countryField();
    select.value = 'DE';
    field.i18n = new I18n(texts, 'de');
    await field.updateComplete;
    select.value = 'ES';
    field.error = 'Choose a country.';
    await field.updateComplete;
    expect([select.value, select.getAttribute('aria-invalid')]).to.deep.equal(['ES', 'true']);
    field.error = null;
    await field.updateComplete;
    expect([select.value, select.getAttribute('aria-invalid')]).to.deep.equal(['ES', 'false']);
  });

  it('keeps the choice if the country guess arrives late', async () => {
    const { field, select } = await countryField();
    select.value = 'ES';
    field.preselected = 'GB';
    field.i18n = new I18n(texts, 'de');
    await field.updateComplete;
    expect(select.value).to.equal('ES');
  });
});

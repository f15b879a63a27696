import { expect } from 'chai';
import { negotiateLocale, resolveTexts } from '../../pages/locales/texts.ts';
import { texts } from './page-fixtures.ts';

describe('choosing a locale', () => {
  const chosen: [header: string | undefined, locale: string][] = [
    [undefined, 'en-US'],
    ['*', 'en-US'],
    ['en', 'en-US'],
    ['en-GB,en;q=0.8', 'en-GB'],
    ['fr-CA, en-AU;q=0.5', 'en-AU'],
    ['ja', 'en-US'],
    ['en-Latn-IN-u-nu-deva', 'en-IN'],
    ['not a header @@', 'en-US'],
  ];
  for (const [header, locale] of chosen) {
    it(`${header ?? 'no header'} is ${locale}`, () => {
      expect(negotiateLocale(header)).to.deep.equal({ locale, direction: 'ltr' });
    });
  }
});

describe('the resolved texts', () => {
  it('are flat, with their places and plural forms left for the page', () => {
    expect(resolveTexts('en-GB')).to.deep.equal(texts);
    expect(texts['pay.button']).to.equal('Pay {{amount}}');
    expect(texts['decline.attempts_one']).to.contain('{{count}}');
  });

  it('fill gaps of an unknown language from English', () => {
    expect(resolveTexts('ja-JP')).to.deep.equal(texts);
  });
});

import { expect } from 'chai';
import { negotiateLocale, resolveTexts } from '../../pages/locales/texts.ts';
import { texts } from './page-fixtures.ts';

describe('negotiating a locale', () => {
  const chosen: [header: string | undefined, locale: string, forMoney: string][] = [
    [undefined, 'en-US', 'en-US'],
    ['*', 'en-US', 'en-US'],
    ['en', 'en-US', 'en-US'],
    ['en-GB,en;q=0.8', 'en-GB', 'en-GB'],
    ['fr-CA, en-AU;q=0.5', 'fr-CA', 'fr-CA'],
    ['af-ZA, en-AU;q=0.5', 'en-AU', 'af-ZA'],
    ['ja', 'ja-JP', 'ja-JP'],
    ['zh-Hant-CN', 'zh-Hant-CN', 'zh-Hant-CN'],
    ['en-Latn-IN-u-nu-deva', 'en-IN', 'en-IN'],
    ['zz-ZZ, de;q=0.5', 'de-DE', 'de-DE'],
    ['not a header @@', 'en-US', 'en-US'],
  ];
  for (const [header, locale, forMoney] of chosen) {
    it(`${header ?? 'no header'} selects ${locale}, and ${forMoney} for amounts`, () => {
      const negotiated = { locale, amountLocale: `${forMoney}-u-nu-latn`, direction: 'ltr' };
      expect(negotiateLocale(header)).to.deep.equal(negotiated);
    });
  }
});

describe('the resolved texts', () => {
  it('are flat and keep placeholders and plural forms', () => {
    const resolved = resolveTexts('en-GB');
    expect(texts).to.include(resolved);
    expect(resolved['pay.button']).to.equal('Pay {{amount}}');
    expect(resolved['decline.attempts_one']).to.contain('{{count}}');
  });

  it('fall back to English for an unsupported language', () => {
    expect(resolveTexts('af-ZA')).to.deep.equal(resolveTexts('en'));
  });
});

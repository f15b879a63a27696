import { expect } from 'chai';
import { I18n, joinSentences } from '../../pages/checkout/elements/i18n.ts';

describe('the texts of a page', () => {
  const i18n = new I18n(
    {
      greeting: 'Dear {{ name }}, {{name}}',
      left_one: '{{count}} try',
      left_other: '{{count}} tries',
      odd: '{{constructor}}',
    },
    'en-US',
  );

  it('fills in placeholders, with and without spaces in the braces', () => {
    expect(i18n.text('greeting', { name: 'Ada' })).to.equal('Dear Ada, Ada');
  });

  it('does not interpret placeholders in values', () => {
    expect(i18n.text('greeting', { name: '{{name}}$&' })).to.equal('Dear {{name}}$&, {{name}}$&');
  });

  it('keeps placeholders without a value, and never reads inherited properties', () => {
    expect(i18n.text('odd')).to.equal('{{constructor}}');
  });

  it('selects the plural form and formats the number', () => {
    expect(i18n.text('left', { count: 1 })).to.equal('1 try');
    expect(i18n.text('left', { count: 1200 })).to.equal('1,200 tries');
  });

  it('falls back to the key', () => {
    expect(i18n.text('missing.key')).to.equal('missing.key');
    expect(i18n.has('toString')).to.equal(false);
  });

  it('joins sentences with a space, except after an ideographic full stop', () => {
    expect(joinSentences('Not charged.', 'Try again.')).to.equal('Not charged. Try again.');
    expect(joinSentences('請求は発生していません。', 'もう一度お試しください。')).to.equal(
      '請求は発生していません。もう一度お試しください。',
    );
  });

  it('formats an amount with the decimals of its currency', () => {
    expect(i18n.amount({ value: '12.50', currency: 'USD' })).to.equal('$12.50');
    expect(i18n.amount({ value: '250000', currency: 'VND' })).to.equal('₫250,000');
    expect(new I18n({}, 'de-DE').amount({ value: '1250.00', currency: 'EUR' })).to.equal('1.250,00\u00a0€');
  });

  it('uses unambiguous symbols', () => {
    expect(i18n.amount({ value: '1990.50', currency: 'THB' })).to.equal('฿1,990.50');
    expect(i18n.amount({ value: '30.00', currency: 'AUD' })).to.equal('A$30.00');
    expect(i18n.amount({ value: '2500000.50', currency: 'IDR' }).replace(/\s/, '')).to.equal('Rp2,500,000.50');
  });

  it('keeps letters and sign of a currency together in right-to-left text', () => {
    const line = document.createElement('p');
    line.dir = 'rtl';
    document.body.append(line);
    const leftEdgeOf = (sign: string) => {
      const range = document.createRange();
      const text = line.firstChild as Text;
      const at = text.data.indexOf(sign);
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      return range.getBoundingClientRect().left;
    };
    for (const [locale, currency, letter, sign] of [
      ['ar', 'USD', 'S', '$'],
      ['ar', 'BRL', 'R', '$'],
      ['he', 'CAD', 'A', '$'],
    ] as const) {
      line.textContent = new I18n({ tea: 'شاي' }, locale).amount({ value: '24.90', currency });
      expect(leftEdgeOf(sign), line.textContent).to.be.greaterThan(leftEdgeOf(letter));
      line.textContent = new I18n({ tea: 'شاي' }, locale).amount({ value: '-24.90', currency });
      expect(leftEdgeOf('2'), line.textContent).to.be.greaterThan(leftEdgeOf(sign));
      expect(leftEdgeOf('-'), line.textContent).to.be.lessThan(leftEdgeOf('2'));
    }
    line.remove();
  });
});

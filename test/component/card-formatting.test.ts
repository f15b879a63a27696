import { expect } from 'chai';
import { deleteAcrossGap, formatters, type TextWithCaret } from '../../pages/checkout/elements/card-formatting.ts';

/** Types `keys` one by one at the caret. In the result, `|` marks the caret. */
function typed(
  field: 'card_number' | 'card_expiry' | 'card_cvv',
  keys: string,
  start: TextWithCaret = { text: '', caret: 0 },
): string {
  let state = start;
  for (const key of keys) {
    const text = state.text.slice(0, state.caret) + key + state.text.slice(state.caret);
    state = formatters[field]?.({ text, caret: state.caret + 1 }) ?? state;
  }
  return `${state.text.slice(0, state.caret)}|${state.text.slice(state.caret)}`;
}

function pasted(field: 'card_number' | 'card_expiry', text: string): string | undefined {
  return formatters[field]?.({ text, caret: text.length }).text;
}

describe('typing a card number', () => {
  it('groups digits as the brand does', () => {
    expect(typed('card_number', '4242424242424242')).to.equal('4242 4242 4242 4242|');
    expect(typed('card_number', '378282246310005')).to.equal('3782 822463 10005|');
  });

  it('keeps the caret after a digit typed in the middle', () => {
    expect(typed('card_number', '9', { text: '4242 4242', caret: 2 })).to.equal('429|4 2424 2');
    expect(typed('card_number', '9', { text: '4242 4242', caret: 4 })).to.equal('4242 9|424 2');
  });

  it('accepts pasted numbers with hyphens and spaces', () => {
    expect(pasted('card_number', '4242-4242-4242-4242')).to.equal('4242 4242 4242 4242');
    expect(pasted('card_number', ' 4242\u00a04242 42424242 ')).to.equal('4242 4242 4242 4242');
  });
});

describe('typing an expiry', () => {
  it('inserts the separator', () => {
    expect(typed('card_expiry', '1')).to.equal('1|');
    expect(typed('card_expiry', '12')).to.equal('12 / |');
    expect(typed('card_expiry', '1227')).to.equal('12 / 27|');
  });

  it('reads a single digit as a month if it is unambiguous', () => {
    expect(typed('card_expiry', '4')).to.equal('04 / |');
    expect(typed('card_expiry', '1/27')).to.equal('01 / 27|');
    expect(typed('card_expiry', '132')).to.equal('01 / 32|');
  });

  it('accepts all common formats', () => {
    for (const text of ['04/27', '04 / 2027', '4/27', '0427', '042027', '2027-04', '04-27', '04.2027']) {
      expect(pasted('card_expiry', text), text).to.equal('04 / 27');
    }
    expect(typed('card_expiry', '04/2027')).to.equal('04 / 27|');
  });

  it('keeps the year while the month is edited', () => {
    expect(typed('card_expiry', '5', { text: '0 / 27', caret: 1 })).to.equal('05| / 27');
  });
});

describe('deleting next to a gap', () => {
  it('deletes the digit beyond it', () => {
    expect(deleteAcrossGap({ text: '4242 4', caret: 5 }, 'backward')).to.deep.equal({ text: '4244', caret: 3 });
    expect(deleteAcrossGap({ text: '12 / ', caret: 5 }, 'backward')).to.deep.equal({ text: '1', caret: 1 });
    expect(deleteAcrossGap({ text: '4242 4', caret: 4 }, 'forward')).to.deep.equal({ text: '4242', caret: 4 });
  });

  it('leaves everything else to the browser', () => {
    expect(deleteAcrossGap({ text: '4242 4', caret: 6 }, 'backward')).to.equal(null);
    expect(deleteAcrossGap({ text: '4242 4', caret: 2 }, 'forward')).to.equal(null);
  });
});

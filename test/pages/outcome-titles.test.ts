// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { languages } from '../../pages/locales/languages.ts';
import { type Outcome, outcomeTitles } from '../../testing/outcomes.ts';
import { matchAny, texts } from '../../testing/texts.ts';

describe('the titles of outcomes', () => {
  for (const [locale, language] of Object.entries(languages)) {
    test(`are different for different outcomes in ${locale}`, () => {
      const titles = Object.entries(outcomeTitles({ ...texts, ...(language as Partial<typeof texts>) }));
      const shared = titles.flatMap(([outcome, own]) =>
        titles
          .filter(([other]) => other !== outcome)
          .flatMap(([other, others]) =>
            own.filter((title) => matchAny(...others).test(title)).map((title) => [outcome, other, title]),
          ),
      );
      assert.deepEqual(shared, []);
    });

    test(`distinguish a final partial payment from an open one in ${locale}`, () => {
      const { received, sent } = { ...texts, ...(language as Partial<typeof texts>) };
      assert.notEqual(sent.underpaid_title, received.title);
    });
  }

  test('include the partial payments', () => {
    const outcomeOf = (title: string): Outcome | undefined =>
      (Object.entries(outcomeTitles(texts)) as [Outcome, string[]][]).find(([, titles]) => titles.includes(title))?.[0];
    assert.equal(outcomeOf(texts.received.title), 'pending');
    assert.equal(outcomeOf(texts.sent.underpaid_title), 'error');
  });
});

// Databases: sqlite
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import english from '../../pages/locales/en.json' with { type: 'json' };
import sandbox from '../../pages/locales/sandbox.json' with { type: 'json' };
import { accountLanguages } from '../../pages/locales/account/languages.ts';
import { languageFor, languages } from '../../pages/locales/languages.ts';
import { negotiateLocale, resolveTexts } from '../../pages/locales/texts.ts';
import { operations } from '../../src/api/operations.ts';
import { paymentMethods } from '../../src/methods/catalogue.ts';
import { packageRoot } from '../../src/system/root.ts';
import { faultsOf, flatten } from '../support/language-check.ts';

/** Languages that most people of the catalogue's countries read, by the country (alpha-3). */
const mainLanguages: Record<string, string[]> = {
  ARG: ['es'],
  AUS: ['en'],
  BGD: ['bn'],
  BRA: ['pt'],
  IDN: ['id'],
  IND: ['hi', 'bn', 'mr', 'te', 'ta', 'gu', 'en'],
  KEN: ['sw', 'en'],
  MEX: ['es'],
  MYS: ['ms'],
  NGA: ['en'],
  NZL: ['en'],
  PHL: ['fil', 'en'],
  THA: ['th'],
  VNM: ['vi'],
};

/** The sources that say texts. */
function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

describe('the languages', () => {
  for (const [locale, texts] of Object.entries(languages)) {
    test(`${locale} says everything, in its own words, with every place and plural form`, () => {
      assert.deepEqual(faultsOf(locale, texts, english), []);
    });
  }

  test('are at least 45, among them those of every country with methods of its own', () => {
    assert.ok(Object.keys(languages).length >= 45, String(Object.keys(languages).length));
    const countries = paymentMethods.flatMap((method) => (method.countries === 'world' ? [] : method.countries));
    for (const country of countries) {
      const read = mainLanguages[country];
      assert.ok(read, `${country} has no language in this test`);
      for (const language of read) assert.equal(languageFor(language), language, `${country}: ${language}`);
    }
  });

  test('that are written from right to left say so', () => {
    for (const locale of ['ar', 'he', 'fa', 'ur']) {
      assert.equal(languageFor(locale), locale);
      assert.equal(negotiateLocale(locale).direction, 'rtl');
    }
    assert.equal(negotiateLocale('tr').direction, 'ltr');
  });

  test('are found by what browsers send, in the script that the reader reads', () => {
    for (const [header, language] of [
      ['zh-TW', 'zh-Hant'],
      ['zh-HK', 'zh-Hant'],
      ['zh', 'zh-Hans'],
      ['zh-Hant-CN', 'zh-Hant'],
      ['zh-Hans-HK', 'zh-Hans'],
      ['no', 'nb'],
      ['nn-NO', 'nb'],
      ['iw', 'he'],
      ['in', 'id'],
      ['tl', 'fil'],
      ['pt-PT', 'pt'],
      ['sr', 'sr'],
      ['sr-Latn-RS, hr;q=0.5', 'hr'],
      ['is, de;q=0.1', 'de'],
      ['es-419', 'es'],
    ] as const) {
      assert.equal(languageFor(negotiateLocale(header).locale), language, header);
    }
  });

  test('give a page one of them, and only what it reads', () => {
    const german = resolveTexts('de-AT', 'link');
    assert.notEqual(german['pay.button'], 'Pay {{amount}}');
    assert.equal(german['instructions.qr'], undefined);
    assert.notEqual(resolveTexts('de-AT', 'methods')['instructions.qr'], undefined);
  });
});

describe('the English texts', () => {
  const sources = ['pages', 'src', 'testing'].flatMap((folder) => sourcesIn(join(packageRoot(), folder)));
  const all = sources.join('\n');
  const keys = [...flatten(english).keys()];
  const accountKeys = [...flatten({ account: accountLanguages['en'] ?? {} }).keys()];
  const sandboxKeys = [...flatten(sandbox).keys()];
  const withoutForm = (key: string) => key.replace(/_(?:one|other)$/, '');

  test('are all said somewhere', () => {
    const inGaps = [...all.matchAll(/`([a-z_]+\.[^`]*\$\{[^`]+)`/g)].map(
      ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\$\{[^}]+\}/g, '[a-z_.]+')}$`),
    );
    const isSaid = (key: string) => all.includes(`'${key}'`) || inGaps.some((gap) => gap.test(key));
    const unsaid = keys.filter((key) => !isSaid(withoutForm(key)) && !isSaid(key));
    assert.deepEqual(unsaid, []);
  });

  test('have every text that is asked for by name', () => {
    const known = new Set([...keys, ...sandboxKeys, ...accountKeys].flatMap((key) => [key, withoutForm(key)]));
    const asked = [...all.matchAll(/words\.text\(\s*'([a-z_.]+)'/g)].map(([, key = '']) => key);
    assert.ok(asked.length > 50);
    assert.deepEqual(
      asked.filter((key) => !known.has(key)),
      [],
    );
  });
});

describe('the account area’s texts', () => {
  const english = accountLanguages['en'] ?? {};
  const keys = new Set([...flatten(english).keys()].flatMap((key) => [key, key.replace(/_(?:one|other)$/, '')]));
  const sources = sourcesIn(join(packageRoot(), 'pages', 'account')).join('\n');

  for (const [locale, texts] of Object.entries(accountLanguages)) {
    test(`${locale} says everything, in its own words, with every place and plural form`, () => {
      assert.deepEqual(faultsOf(locale, texts, english), []);
    });
  }

  test('are in Portuguese, Spanish, Indonesian, Vietnamese and Thai besides English, and nothing else is chosen', () => {
    for (const tag of ['en', 'es', 'id', 'pt', 'th', 'vi']) assert.ok(Object.hasOwn(accountLanguages, tag), tag);
    const { en, pt } = accountLanguages;
    assert.equal(negotiateLocale('de-DE, pt-BR;q=0.5', undefined, { en, pt }).locale, 'pt-BR');
    assert.equal(negotiateLocale('de-DE', undefined, { en, pt }).locale, 'en-US');
    assert.equal(
      resolveTexts('es-MX', 'account')['account.shell.more'],
      flatten(accountLanguages['es'] ?? {}).get('shell.more'),
    );
  });

  test('call everything that people do and that is written down', () => {
    const written = operations.filter(({ method, scope }) => method !== 'GET' && !scope.endsWith(':read'));
    assert.ok(written.length > 20);
    // Cards are typed into buyers' pages; no role may hand one in.
    const byPeople = written.filter(({ scope }) => scope !== 'card:submit');
    assert.deepEqual(
      byPeople.map(({ id }) => `audit_log.actions.${id}`).filter((key) => !keys.has(key)),
      [],
    );
  });

  test('have every text that a page asks for by name', () => {
    const asked = [...sources.matchAll(/this\.(?:text|of)\(\s*'([a-z_.]+)'/g)].map(([, key = '']) => key);
    assert.ok(asked.length > 50);
    assert.deepEqual(
      asked.filter((key) => !keys.has(key)),
      [],
    );
  });
});

// Databases: sqlite
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import english from '../../pages/locales/en.json' with { type: 'json' };
import sandbox from '../../pages/locales/sandbox.json' with { type: 'json' };
import { routeNames } from '../../pages/account/routes.ts';
import { accountLanguages } from '../../pages/locales/account/languages.ts';
import { languageFor, languages } from '../../pages/locales/languages.ts';
import { negotiateLocale, resolveAccountTexts, resolveTexts } from '../../pages/locales/texts.ts';
import { operations } from '../../src/api/operations.ts';
import { paymentMethods } from '../../src/methods/catalog.ts';
import { packageRoot } from '../../src/system/root.ts';
import { findLanguageProblems, flatten } from '../support/language-check.ts';

/** Main languages of the catalog's countries, by alpha-3 code. */
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

/** Contents of all source files in a folder. */
function sourcesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

describe('the languages', () => {
  for (const [locale, texts] of Object.entries(languages)) {
    test(`${locale} has every text, translated, with all placeholders and plural forms`, () => {
      assert.deepEqual(findLanguageProblems(locale, texts, english), []);
    });
  }

  test('are at least 45, including those of every country with local methods', () => {
    assert.ok(Object.keys(languages).length >= 45, String(Object.keys(languages).length));
    const countries = paymentMethods.flatMap((method) => (method.countries === 'world' ? [] : method.countries));
    for (const country of countries) {
      const read = mainLanguages[country];
      assert.ok(read, `${country} has no language in this test`);
      for (const language of read) assert.equal(languageFor(language), language, `${country}: ${language}`);
    }
  });

  test('have the right direction', () => {
    for (const locale of ['ar', 'he', 'fa', 'ur']) {
      assert.equal(languageFor(locale), locale);
      assert.equal(negotiateLocale(locale).direction, 'rtl');
    }
    assert.equal(negotiateLocale('tr').direction, 'ltr');
  });

  test('are negotiated from browser headers, with the right script', () => {
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

  test('provide each page with the texts that it uses', () => {
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

  test('are all used', () => {
    const templatePatterns = [...all.matchAll(/`([a-z_]+\.[^`]*\$\{[^`]+)`/g)].map(
      ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\$\{[^}]+\}/g, '[a-z_.]+')}$`),
    );
    const isUsed = (key: string) => all.includes(`'${key}'`) || templatePatterns.some((gap) => gap.test(key));
    const unused = keys.filter((key) => !isUsed(withoutForm(key)) && !isUsed(key));
    assert.deepEqual(unused, []);
  });

  test('include every key that a page uses', () => {
    const known = new Set([...keys, ...sandboxKeys, ...accountKeys].flatMap((key) => [key, withoutForm(key)]));
    const usedKeys = [...all.matchAll(/(?:words|i18n)\.text\(\s*'([a-z_.]+)'/g)].map(([, key = '']) => key);
    assert.ok(usedKeys.length > 50);
    assert.deepEqual(
      usedKeys.filter((key) => !known.has(key)),
      [],
    );
  });
});

describe('the account area’s texts', () => {
  const english = accountLanguages['en'] ?? {};
  const keys = new Set([...flatten(english).keys()].flatMap((key) => [key, key.replace(/_(?:one|other)$/, '')]));
  const sources = sourcesIn(join(packageRoot(), 'pages', 'account')).join('\n');

  for (const [locale, texts] of Object.entries(accountLanguages)) {
    test(`${locale} has every text, translated, with all placeholders and plural forms`, () => {
      assert.deepEqual(findLanguageProblems(locale, texts, english), []);
    });
  }

  test('are at least twelve, each also a language of the payment page, and fall back to English', () => {
    for (const tag of ['ar', 'de', 'en', 'es', 'fr', 'hi', 'id', 'ja', 'pt', 'th', 'vi', 'zh-Hans'])
      assert.ok(Object.hasOwn(accountLanguages, tag), tag);
    assert.deepEqual(
      Object.keys(accountLanguages).filter((tag) => !Object.hasOwn(languages, tag)),
      [],
    );
    const { en, pt } = accountLanguages;
    assert.equal(negotiateLocale('de-DE, pt-BR;q=0.5', undefined, { en, pt }).locale, 'pt-BR');
    assert.equal(negotiateLocale('de-DE', undefined, { en, pt }).locale, 'en-US');
    assert.equal(
      resolveAccountTexts('es-MX', ['shell'])['account.shell.more'],
      flatten(accountLanguages['es'] ?? {}).get('shell.more'),
    );
  });

  test('title every page, in its own bundle', () => {
    const titles = [...keys].flatMap((key) => /^shell\.pages\.(\w+)$/.exec(key)?.[1] ?? []);
    assert.deepEqual(titles.sort(), routeNames.toSorted());
    assert.deepEqual(
      [...keys].filter((key) => /^(?!shell\.)\w+\.pages\./.test(key)),
      [],
    );
  });

  test('name every operation in the audit log', () => {
    const auditedOperations = operations.filter(({ method, scope }) => method !== 'GET' && !scope.endsWith(':read'));
    assert.ok(auditedOperations.length > 20);
    // Cards are submitted on payment pages; no role includes it.
    const byUsers = auditedOperations.filter(({ scope }) => scope !== 'card:submit');
    assert.deepEqual(
      byUsers.map(({ id }) => `audit_log.actions.${id}`).filter((key) => !keys.has(key)),
      [],
    );
  });

  test('include every key that a page uses', () => {
    const usedKeys = [...sources.matchAll(/this\.(?:text|of)\(\s*'([a-z_.]+)'/g)].map(([, key = '']) => key);
    assert.ok(usedKeys.length > 50);
    assert.deepEqual(
      usedKeys.filter((key) => !keys.has(key)),
      [],
    );
  });
});

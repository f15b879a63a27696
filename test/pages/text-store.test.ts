// Databases: sqlite
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { TextStore } from '../../pages/account/text-store.ts';
import type { PageTexts } from '../../src/api/page-state.ts';

const textsOf = (bundle: string, language: string): PageTexts => ({
  ...{ locale: language, amountLocale: language, direction: language === 'ar' ? 'rtl' : 'ltr' },
  texts: { [bundle]: language },
});

/** A store with the shell in English, whose requests the test responds to. */
function openStore() {
  const requests = new Map<string, (isAnswered: boolean) => void>();
  const read = async (bundle: string, language: string) =>
    await new Promise<PageTexts>((resolve, reject) => {
      requests.set(`${bundle}/${language}`, (isAnswered) =>
        isAnswered ? resolve(textsOf(bundle, language)) : reject(new Error('no connection')),
      );
    });
  const answer = async (request: string, isAnswered = true) => {
    requests.get(request)?.(isAnswered);
    requests.delete(request);
    await new Promise(setImmediate);
  };
  return { store: new TextStore(read, 'en', ['shell'], textsOf('shell', 'en')), requests, answer };
}

describe('the text store', () => {
  test('loads each bundle once, into the object that is shown', async () => {
    const { store, requests, answer } = openStore();
    const { texts } = store.page;
    const loading = store.load(['shell', 'team']);
    assert.deepEqual([...requests.keys()], ['team/en']);
    await answer('team/en');
    await loading;
    assert.deepEqual(texts, { shell: 'en', team: 'en' });
    await store.load(['team']);
    assert.equal(requests.size, 0);
  });

  test('loads a bundle again after a failure', async () => {
    const { store, answer } = openStore();
    const loading = store.load(['team']);
    await Promise.all([assert.rejects(loading), answer('team/en', false)]);
    const again = store.load(['team']);
    await answer('team/en');
    await again;
    assert.equal(store.page.texts['team'], 'en');
  });

  test('loads a page in the language that was chosen in the meantime', async () => {
    const { store, answer } = openStore();
    const loading = store.load(['team']);
    const preparing = store.prepare('ar');
    await answer('shell/ar');
    (await preparing)();
    assert.deepEqual(store.page, textsOf('shell', 'ar'));
    await answer('team/en');
    await answer('team/ar');
    await loading;
    assert.deepEqual(store.page.texts, { shell: 'ar', team: 'ar' });
  });

  test('prepares a language with the page that was opened in the meantime', async () => {
    const { store, answer } = openStore();
    const preparing = store.prepare('ar');
    const loading = store.load(['team']);
    await answer('team/en');
    await loading;
    await answer('shell/ar');
    await answer('team/ar');
    (await preparing)();
    assert.deepEqual(store.page.texts, { shell: 'ar', team: 'ar' });
  });
});

// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { runCommandInProcess } from '../support/command-line.ts';
import { signedIn } from '../support/users.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const refused = {
  'a bidirectional override': 'Kettle \u202E& Co',
  'a zero-width space': '\u200B',
  'an interlinear annotation': 'Kettle\uFFF9 & Co',
  'a tag character': 'Kettle\u{E0041}',
  'a private-use character': 'Kettle \uE000',
  'an unassigned character': 'Kettle \u0378',
  'joiners alone': '\u200D\u200C',
  'a blank letter': '\u3164',
  'a blank braille pattern': '\u2800',
  'a mark without a letter': '\u0301',
};
const accepted = ['Kettle & Co', 'Bücher', 'می\u200Cخواهم', 'क्\u200Dष', '👩\u200D🍳 Kitchen', '🇫🇷', 'ร้านชา', '42'];

describe('displayed names', () => {
  let fixture: Fixture;
  let doors: Record<string, (name: string) => Promise<number>>;
  before(async () => {
    fixture = await openFixture();
    const owner = await signedIn(fixture, 'owner');
    const token = fixture.merchant.managerToken;
    const send = async (path: string, body: unknown) => (await fixture.request(path, { body, token })).status;
    doors = {
      brand: async (value) => await send('/v1/merchant/preferences', { preferences: [{ key: 'brand-name', value }] }),
      merchant: async (name) => await send('/v1/merchants', { name }),
      token: async (name) => await send('/v1/tokens', { name, scopes: ['link:write'] }),
      person: async (name) => (await owner.request('/account/name', { body: { name } })).status,
    };
  });
  after(async () => await fixture.close());

  for (const [what, name] of Object.entries(refused)) {
    test(`contain no ${what}`, async () => {
      for (const [door, send] of Object.entries(doors)) assert.equal(await send(name), 422, door);
    });
  }

  test('may be in any language', async () => {
    for (const name of accepted)
      for (const [door, send] of Object.entries(doors)) assert.equal(await send(name), 200, `${door}: ${name}`);
  });

  test('have the same rules on the command line', async () => {
    const settings = { DATABASE_URL: fixture.databaseUrl, LOG_LEVEL: 'silent' };
    const make = (name: string) => runCommandInProcess(['merchant', 'create', '--name', name], settings);
    await assert.rejects(make('Kettle \u202E& Co'), /It must not contain invisible formatting/);
    await assert.rejects(make('\u3164'), /It must contain visible characters/);
  });
});

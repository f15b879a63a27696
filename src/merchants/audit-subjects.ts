import { type AuditSubjects, type ReadSubject, subjectOfList } from '../audit/recorder.ts';
import type { Database } from '../database/database.ts';
import { maskCardNumbers } from '../system/mask.ts';
import { db } from './schema.ts';

/** Subjects of audited operations and their state, without secrets. Read-only. */
export function merchantAuditSubjects(database: Database): AuditSubjects {
  const readSettings = async (merchantId: number, requestedKeys: readonly string[]) => {
    // An unknown key may be a card number entered in the wrong field.
    const keys = requestedKeys.map(maskCardNumbers);
    const rows = await db(database)
      .selectFrom('preferences')
      .select(['key', 'value'])
      .where('merchant_id', '=', merchantId)
      .where('key', 'in', keys)
      .execute();
    const state: Record<string, unknown> = Object.fromEntries(keys.map((key) => [key, null]));
    for (const { key, value } of rows) state[key] = JSON.parse(value);
    return { subject: subjectOfList(keys), state };
  };
  const oneSetting: ReadSubject = async ({ merchantId, body }) =>
    await readSettings(merchantId, [(body as { key: string }).key]);
  const someSettings: ReadSubject = async ({ merchantId, body }) =>
    await readSettings(
      merchantId,
      (body as { preferences: { key: string }[] }).preferences.map(({ key }) => key),
    );

  const logo: ReadSubject = async ({ merchantId }) => {
    const row = await db(database)
      .selectFrom('merchant_logos')
      .select(['hash', 'width', 'height'])
      .where('merchant_id', '=', merchantId)
      .executeTakeFirst();
    return { subject: 'logo', state: row ?? null };
  };

  return {
    setLogo: logo,
    removeLogo: logo,
    setPreference: oneSetting,
    setPreferences: someSettings,
    setPreferencesSingular: someSettings,
  };
}

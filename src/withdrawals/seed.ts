import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import { readFileSync } from 'node:fs';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { Random } from '../system/random.ts';
import { seal, sealingKeyId, parseSealingKeys, unseal } from '../system/sealed.ts';

/** Under which it is kept, and sealed. */
const NAME = 'chain-seed';

/** BIP 32: from 128 to 512 bits. */
const hexForm = /^(?:0x)?((?:[0-9a-f]{2}){16,64})$/i;

/**
 * A seed out of its words (BIP 39, English, without a passphrase) or its hexadecimal digits. What it was given is in
 * no error.
 */
export async function parseSeed(text: string): Promise<Uint8Array> {
  const digits = hexForm.exec(text.trim())?.[1];
  if (digits !== undefined) return new Uint8Array(Buffer.from(digits, 'hex'));
  const [{ mnemonicToSeed, validateMnemonic }, { wordlist }] = await Promise.all([
    import('@scure/bip39'),
    import('@scure/bip39/wordlists/english.js'),
  ]);
  const words = text.trim().toLowerCase().split(/\s+/);
  const mnemonic = words.join(' ');
  if (validateMnemonic(mnemonic, wordlist)) return await mnemonicToSeed(mnemonic);
  throw new OperatorError(
    `This is no seed: neither 12 to 24 words of BIP 39 (English, the last one is a check) nor 32 to 128 hexadecimal digits. There are ${words.length} words.`,
  );
}

/** The seed that is set up: of a file, or kept in the database; null where there is none and signing is done elsewhere. */
export async function loadSeed(
  database: Runner,
  config: { seedFile: string | null; sealingKeys: readonly string[] },
): Promise<Uint8Array | null> {
  if (config.seedFile !== null) return await parseSeed(readFileSync(config.seedFile, 'utf8'));
  const sealed = await readSealed(database);
  return sealed === null ? null : unseal(parseSealingKeys(config), NAME, sealed);
}

/** Keeps a seed, sealed with the first key. */
export async function storeSeed(
  { database, clock, random }: { database: Database; clock: Clock; random: Random },
  config: { sealingKeys: readonly string[] },
  seed: Uint8Array,
): Promise<{ keyId: string }> {
  const [key] = parseSealingKeys(config);
  if (!key) throw new OperatorError('SEALING_KEY or SEALING_KEY_FILE must be set (openssl rand -hex 32).');
  const value = seal(key, NAME, seed, random);
  const now = clock.now();
  await db(database)
    .insertInto('sealed_secrets')
    .values({ name: NAME, value, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: now }))
    .execute();
  return { keyId: key.id };
}

/** Seals the seed that is kept with the first key; the one that has sealed it until now must be given as well. */
export async function resealSeed(
  context: { database: Database; clock: Clock; random: Random },
  config: { sealingKeys: readonly string[] },
): Promise<{ formerKeyId: string; keyId: string }> {
  const sealed = await readSealed(context.database);
  if (sealed === null) throw new OperatorError('No seed is kept here. See: npx paylatch seed set --help');
  const seed = unseal(parseSealingKeys(config), NAME, sealed);
  return { formerKeyId: sealingKeyId(sealed) ?? '', ...(await storeSeed(context, config, seed)) };
}

/** Forgets the seed; answers whether there was one. */
export async function removeSeed({ database }: { database: Database }): Promise<boolean> {
  const { numDeletedRows } = await db(database)
    .deleteFrom('sealed_secrets')
    .where('name', '=', NAME)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function readSealed(on: Runner): Promise<string | null> {
  const row = await db(on).selectFrom('sealed_secrets').select('value').where('name', '=', NAME).executeTakeFirst();
  return row?.value ?? null;
}

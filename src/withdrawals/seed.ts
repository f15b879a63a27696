import type { Runner } from '../database/engine.ts';
import { db } from './schema.ts';
import { readFileSync } from 'node:fs';
import type { Clock } from '../system/clock.ts';
import type { Database } from '../database/database.ts';
import { OperatorError } from '../system/operator-error.ts';
import type { Random } from '../system/random.ts';
import { seal, sealingKeyId, parseSealingKeys, unseal } from '../system/sealed.ts';

/** Name under which the seed is stored and sealed. */
const SECRET_NAME = 'chain-seed';

/** BIP 32: from 128 to 512 bits. */
const hexForm = /^(?:0x)?((?:[0-9a-f]{2}){16,64})$/i;

/**
 * Parses a seed from its mnemonic (BIP 39, English, no passphrase) or hexadecimal digits. Errors never contain the
 * input.
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
    `The seed is invalid: it must be a BIP 39 mnemonic of 12 to 24 English words with a valid checksum, or 32 to 128 hexadecimal digits. It has ${words.length} words.`,
  );
}

/** Loads the seed from its file or from the database; null if there is none, for external signing. */
export async function loadSeed(
  database: Runner,
  config: { seedFile: string | null; sealingKeys: readonly string[] },
): Promise<Uint8Array | null> {
  if (config.seedFile !== null) return await parseSeed(readFileSync(config.seedFile, 'utf8'));
  const sealed = await readSealedSeed(database);
  return sealed === null ? null : unseal(parseSealingKeys(config), SECRET_NAME, sealed);
}

/** Stores a seed, sealed with the first key. */
export async function storeSeed(
  { database, clock, random }: { database: Database; clock: Clock; random: Random },
  config: { sealingKeys: readonly string[] },
  seed: Uint8Array,
): Promise<{ keyId: string }> {
  const [key] = parseSealingKeys(config);
  if (!key) throw new OperatorError('SEALING_KEY or SEALING_KEY_FILE must be set (openssl rand -hex 32).');
  const value = seal(key, SECRET_NAME, seed, random);
  const now = clock.now();
  await db(database)
    .insertInto('sealed_secrets')
    .values({ name: SECRET_NAME, value, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value, updated_at: now }))
    .execute();
  return { keyId: key.id };
}

/** Seals the stored seed again with the first key. The key that sealed it must still be configured. */
export async function resealSeed(
  context: { database: Database; clock: Clock; random: Random },
  config: { sealingKeys: readonly string[] },
): Promise<{ formerKeyId: string; keyId: string }> {
  const sealed = await readSealedSeed(context.database);
  if (sealed === null) throw new OperatorError('No seed is stored. To store one, see: npx paylatch seed set --help');
  const seed = unseal(parseSealingKeys(config), SECRET_NAME, sealed);
  return { formerKeyId: sealingKeyId(sealed) ?? '', ...(await storeSeed(context, config, seed)) };
}

/** Deletes the stored seed; returns false if there was none. */
export async function removeSeed({ database }: { database: Database }): Promise<boolean> {
  const { numDeletedRows } = await db(database)
    .deleteFrom('sealed_secrets')
    .where('name', '=', SECRET_NAME)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function readSealedSeed(reader: Runner): Promise<string | null> {
  const row = await db(reader)
    .selectFrom('sealed_secrets')
    .select('value')
    .where('name', '=', SECRET_NAME)
    .executeTakeFirst();
  return row?.value ?? null;
}

import { hasMembers } from '../auth/users.ts';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Service } from '../app.ts';
import { createMerchant, findMerchantByName } from '../merchants/merchants.ts';
import { paymentMethods } from '../methods/catalog.ts';
import { findUserByEmail, assignRole, createUser, updateUser } from '../auth/users.ts';
import { enableMethod } from '../methods/enable.ts';
import { storePreference } from '../merchants/preferences/set.ts';
import { createFindPrincipal, createToken } from '../auth/tokens.ts';
import { createTransaction } from '../payments/create.ts';
import { describeError, type Log } from '../system/log.ts';
import { randomId } from '../system/random.ts';

/** The demo shop's stored secrets. */
const shopSecrets = z.object({ accessToken: z.string() });

export interface DemoMerchant {
  merchantId: number;
  /** The demo shop's token. */
  accessToken: string;
  callbackSecret: string;
  /** Printed for the user; set only if this start created the merchant. */
  newAccessToken: string | null;
  /** Sign-in of its owner; set only if this start created the owner. */
  newOwner: { email: string; password: string } | null;
}

const NAME = 'Demo shop';
const OWNER = 'owner@demo-shop.example';

/** Fees of the demo shop: fictional, but realistic. */
const cardFee = { fixedMinor: 30n, percentMillionths: 29_000 };
const pushFee = { fixedMinor: 0n, percentMillionths: 10_000 };

/**
 * Creates the sandbox's merchant "Demo shop" at the first start, with every method enabled and webhooks sent to the
 * demo shop. The shop's token is stored in a file that only the owner can read. It is replaced if the file is
 * missing, damaged, or belongs to another database.
 */
export async function prepareDemoMerchant(
  service: Service,
  options: { shopUrl: string; secretsFile: string; log: Log },
): Promise<DemoMerchant> {
  const { clock, random } = service.payments;
  const issueToken = async (merchantId: number, name: string) =>
    await service.database.inTransaction(
      async (unit) => await createToken(unit, { environment: 'sandbox', random, clock, merchantId, name }),
    );
  const existing = await findMerchantByName(service.database, NAME);
  const merchantId = existing?.id ?? (await createDemoMerchant(service, options.shopUrl));
  const newAccessToken = existing ? null : await issueToken(merchantId, 'Printed at the first start');

  const storedToken = readShopToken(options.secretsFile);
  const principal = storedToken ? await createFindPrincipal(service.database, clock, 'sandbox')(storedToken) : null;
  let accessToken = principal?.merchantId === merchantId ? storedToken : null;
  if (!accessToken) {
    accessToken = await issueToken(merchantId, 'Demo shop');
    try {
      storeShopToken(options.secretsFile, accessToken);
    } catch (error) {
      const fields = { file: options.secretsFile, error: describeError(error) };
      options.log.error(fields, 'the token of the demo shop could not be stored: each start creates another');
    }
  }
  const [callbackSecret] = await service.webhookSecrets.readValid(service.database, merchantId, clock.now());
  if (callbackSecret === undefined) throw new Error('The demo merchant has no webhook secret');
  const newOwner = await prepareOwner(service, merchantId);
  return { merchantId, accessToken, callbackSecret, newAccessToken, newOwner };
}

/** Creates a user to sign in with, if the merchant has none. */
async function prepareOwner(service: Service, merchantId: number): Promise<DemoMerchant['newOwner']> {
  const { clock, random } = service.payments;
  const { database, auth } = service;
  if (await hasMembers(database, merchantId)) return null;
  const password = randomId(random).slice(0, 16);
  const passwordHash = await auth.passwords.hash(password);
  const now = clock.now();
  await database.inTransaction(async (unit) => {
    const existing = await findUserByEmail(unit, OWNER);
    const id = existing?.id ?? (await createUser(unit, { email: OWNER, name: 'Demo owner', now }));
    await updateUser(unit, id, { passwordHash }, now);
    await assignRole(unit, id, { merchantId, role: 'owner' }, now);
  });
  return { email: OWNER, password };
}

async function createDemoMerchant(service: Service, shopUrl: string): Promise<number> {
  const { clock } = service.payments;
  const { webhookSecrets } = service;
  return await service.database.inTransaction(async (unit) => {
    const { id } = await createMerchant(unit, { name: NAME, clock, webhookSecrets });
    const now = clock.now();
    for (const { code: paymentMethod, action, currencies } of paymentMethods) {
      for (const currency of currencies) {
        const fee = action === 'card' ? cardFee : pushFee;
        await enableMethod(unit, { merchantId: id, paymentMethod, currency, fee, now });
      }
    }
    const callbackUrl = { merchantId: id, key: 'callback-url', value: `${shopUrl}/callbacks`, by: null };
    await storePreference({ clock, watchers: service.preferenceWatchers }, unit, callbackUrl);
    return id;
  });
}

function readShopToken(file: string): string | null {
  if (!existsSync(file)) return null;
  try {
    return shopSecrets.parse(JSON.parse(readFileSync(file, 'utf8'))).accessToken;
  } catch {
    // Damaged or in another format: it is replaced.
    return null;
  }
}

/** Writes the file atomically, so that a crash leaves no partial file. */
function storeShopToken(file: string, accessToken: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify({ accessToken }, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** Creates a payment link to try. */
export async function createDemoLink(service: Service, merchantId: number, shopUrl: string): Promise<string> {
  const reference = `demo-${randomId(service.payments.random).slice(0, 8)}`;
  const created = await createTransaction(service.payments, merchantId, {
    transaction_id: reference,
    payment_method: 'credit_card',
    amount: 24.9,
    country: 'USA',
    currency: 'USD',
    description: 'A blue kettle, to try the payment page',
    success_redirect_url: shopUrl,
    fail_redirect_url: shopUrl,
    type_of_calculation: 'forward_without_fee',
    transaction_type: 'link',
  });
  if (created.type !== 'link') throw new Error('A payment link was expected');
  return created.value.link;
}

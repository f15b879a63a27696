import { hasMembers } from '../auth/users.ts';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Service } from '../app.ts';
import { createMerchant, findMerchantByName } from '../merchants/merchants.ts';
import { paymentMethods } from '../methods/catalogue.ts';
import { findPersonByEmail, giveRole, makePerson, updatePerson } from '../auth/users.ts';
import { enableMethod } from '../methods/enable.ts';
import { storePreference } from '../merchants/preferences/set.ts';
import { createFindPrincipal, createToken } from '../auth/tokens.ts';
import { createTransaction } from '../payments/create.ts';
import { randomId } from '../system/random.ts';

/** What the demo shop keeps to itself, as a merchant would keep its token. */
const shopSecrets = z.object({ accessToken: z.string() });

export interface DemoMerchant {
  merchantId: number;
  /** The demo shop's own. */
  accessToken: string;
  callbackSecret: string;
  /** For the person who started the service; only when the merchant was made by this start. */
  newAccessToken: string | null;
  /** With what its owner signs in; only when the owner was made by this start. */
  newOwner: { email: string; password: string } | null;
}

const NAME = 'Demo shop';
const OWNER = 'owner@demo-shop.example';

/** What the demo shop pays for methods: invented, of a usual size. */
const cardFee = { fixMinor: 30n, percentMillionths: 29_000 };
const pushFee = { fixMinor: 0n, percentMillionths: 10_000 };

/**
 * The merchant "Demo shop" of the sandbox, made at the first start: every method enabled, callbacks
 * sent to the demo shop. The shop's token is kept in a file that only the owner may read, and made
 * anew when the file is gone, damaged, or of another database.
 */
export async function prepareDemoMerchant(
  service: Service,
  options: { shopUrl: string; secretsFile: string },
): Promise<DemoMerchant> {
  const { clock, random } = service.payments;
  const tokenFor = async (merchantId: number, name: string) =>
    await service.database.inTransaction(
      async (unit) => await createToken(unit, { environment: 'sandbox', random, clock, merchantId, name }),
    );
  const found = await findMerchantByName(service.database, NAME);
  const merchantId = found?.id ?? (await makeDemoMerchant(service, options.shopUrl));
  const newAccessToken = found ? null : await tokenFor(merchantId, 'Printed at the first start');

  const kept = readShopToken(options.secretsFile);
  const principal = kept ? await createFindPrincipal(service.database, clock, 'sandbox')(kept) : null;
  let accessToken = principal?.merchantId === merchantId ? kept : null;
  if (!accessToken) {
    accessToken = await tokenFor(merchantId, 'Demo shop');
    keepShopToken(options.secretsFile, accessToken);
  }
  const [callbackSecret] = await service.webhookSecrets.readValid(service.database, merchantId, clock.now());
  if (callbackSecret === undefined) throw new Error('The demo merchant is gone');
  const newOwner = await prepareOwner(service, merchantId);
  return { merchantId, accessToken, callbackSecret, newAccessToken, newOwner };
}

/** Somebody to sign in as, where nobody is there. */
async function prepareOwner(service: Service, merchantId: number): Promise<DemoMerchant['newOwner']> {
  const { clock, random } = service.payments;
  const { database, people } = service;
  if (await hasMembers(database, merchantId)) return null;
  const password = randomId(random).slice(0, 16);
  const passwordHash = await people.passwords.hash(password);
  const now = clock.now();
  await database.inTransaction(async (unit) => {
    const known = await findPersonByEmail(unit, OWNER);
    const id = known?.id ?? (await makePerson(unit, { email: OWNER, name: 'Demo owner', now }));
    await updatePerson(unit, id, { passwordHash }, now);
    await giveRole(unit, id, { merchantId, role: 'owner' }, now);
  });
  return { email: OWNER, password };
}

async function makeDemoMerchant(service: Service, shopUrl: string): Promise<number> {
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
    // Damaged or of another form: it is written anew.
    return null;
  }
}

/** Whole or not at all: a process that dies here leaves no half of a file. */
function keepShopToken(file: string, accessToken: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify({ accessToken }, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** A payment link to try, as the merchant would make it. */
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
  if (created.type !== 'link') throw new Error('A link was asked for');
  return created.value.link;
}

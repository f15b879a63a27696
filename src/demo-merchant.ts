import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Service } from './app.ts';
import { createMerchant, findMerchant } from './merchants/merchants.ts';
import { enableMethod } from './methods/enable.ts';
import { writePreference } from './merchants/preferences/store.ts';
import { createToken, findPrincipal } from './merchants/tokens.ts';
import { createTransaction } from './payments/create.ts';
import { randomId } from './platform/random.ts';

/** What the demo shop keeps to itself, as a merchant would: its token and the secret of its callbacks. */
const shopSecrets = z.object({ merchantId: z.number(), accessToken: z.string(), callbackSecret: z.string() });
export type ShopSecrets = z.infer<typeof shopSecrets>;

export interface DemoMerchant extends ShopSecrets {
  /** For the person who started the service; only at the first start. */
  newAccessToken: string | null;
}

/**
 * The merchant "Demo shop" of the sandbox, made at the first start: card payments enabled, callbacks
 * sent to the demo shop. Its secrets are kept in a file that only the owner may read.
 */
export async function prepareDemoMerchant(
  service: Service,
  options: { shopUrl: string; secretsFile: string },
): Promise<DemoMerchant> {
  const kept = readSecrets(options.secretsFile);
  if (kept && (await isStillGood(service, kept))) return { ...kept, newAccessToken: null };

  const { clock, random } = service.payments;
  const made = await service.database.inUnit(async (unit) => {
    const { id, callbackSecret } = await createMerchant(unit, { name: 'Demo shop', clock, random });
    const now = clock.now();
    for (const [currency, fixMinor] of [
      ['USD', 30n],
      ['EUR', 25n],
    ] as const) {
      const fee = { fixMinor, percentMillionths: 29_000 };
      await enableMethod(unit, { merchantId: id, paymentMethod: 'credit_card', currency, fee, now });
    }
    await writePreference(unit, id, 'callback-url', `${options.shopUrl}/callbacks`, now);
    const token = async () => await createToken(unit, { environment: 'sandbox', random, clock, merchantId: id });
    return { merchantId: id, callbackSecret, accessToken: await token(), newAccessToken: await token() };
  });
  const secrets: ShopSecrets = {
    merchantId: made.merchantId,
    accessToken: made.accessToken,
    callbackSecret: made.callbackSecret,
  };
  writeSecrets(options.secretsFile, secrets);
  return made;
}

/** Whether the file belongs to this database: another one may stand here now. */
async function isStillGood(service: Service, kept: ShopSecrets): Promise<boolean> {
  const principal = await findPrincipal(service.database, service.payments.clock, 'sandbox', kept.accessToken);
  const merchant = await findMerchant(service.database, kept.merchantId);
  return principal?.merchantId === kept.merchantId && merchant?.callback_secret === kept.callbackSecret;
}

function readSecrets(file: string): ShopSecrets | null {
  if (!existsSync(file)) return null;
  try {
    return shopSecrets.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // Damaged or of another form: it is written anew.
    return null;
  }
}

/** Whole or not at all: a process that dies here leaves no half of a file. */
function writeSecrets(file: string, secrets: ShopSecrets): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
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

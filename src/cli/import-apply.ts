import type { Service } from '../app.ts';
import { createTransactionRequest } from '../api/fiat-transaction.ts';
import { Problem } from '../api/problem-error.ts';
import { createReusableLinkRequest } from '../api/reusable-link.ts';
import type { Config } from '../config.ts';
import { parseWith } from '../http/validation.ts';
import { lockMerchant } from '../merchants/merchants.ts';
import { preferenceKeys } from '../merchants/preferences/keys.ts';
import { storePreference } from '../merchants/preferences/set.ts';
import { selectPreferences } from '../merchants/preferences/store.ts';
import { parseValue } from '../merchants/preferences/values.ts';
import { createTransaction, priceTransaction } from '../payments/create.ts';
import { checkLink, createReusableLink, reusableLinkPath } from '../payments/reusable-links/manage.ts';
import { readReusableLinks } from '../payments/reusable-links/store.ts';
import { findByReference } from '../payments/store.ts';
import { systemRandom } from '../system/random.ts';
import { addEndpoint, readEndpointEntries, updateEndpoint } from '../webhooks/endpoints.ts';
import { createOutbox } from '../webhooks/outbox.ts';
import { recordChange } from './audit.ts';
import { ORIGIN_KEY, type PlannedImport } from './import-plan.ts';

/** The outcome of a planned import. */
export interface Imported {
  source: string;
  result: 'imported' | 'would_import' | 'skipped';
  /** A kind of `PlannedImport`; null if there is no counterpart. */
  kind: string | null;
  /** The ID or key of the new object. */
  id: string | null;
  url: string | null;
  /** The reason for skipping it, or the remaining steps. */
  note: string | null;
}

/** The result of `apply`; a string is the reason for skipping. */
type ImportResult = { id: string | null; url?: string; note?: string } | string;

/** Imports one object, or skips it if the service rejects it. */
export async function importOne(
  service: Service,
  config: Config,
  { merchant, dryRun = false }: { merchant: number; dryRun?: boolean },
  planned: PlannedImport,
): Promise<Imported> {
  const { source, kind } = planned;
  const applied =
    planned.kind === 'none'
      ? planned.reason
      : await apply(service, config, { merchantId: merchant, isDryRun: dryRun }, planned).catch(describeRejection);
  const base = { source, kind: kind === 'none' ? null : kind };
  if (typeof applied === 'string') return { ...base, result: 'skipped', id: null, url: null, note: applied };
  const { id, url = null, note = null } = applied;
  return { ...base, result: dryRun ? 'would_import' : 'imported', id, url, note };
}

function describeRejection(error: unknown): string {
  if (!(error instanceof Problem)) throw error;
  const fields = error.errors.map(({ pointer, detail }) => `${pointer.replace(/^\//, '')} ${detail}`);
  return fields.length > 0 ? fields.join('; ') : error.message;
}

interface Target {
  merchantId: number;
  isDryRun: boolean;
}

async function apply(
  service: Service,
  config: Config,
  target: Target,
  planned: Exclude<PlannedImport, { kind: 'none' }>,
): Promise<ImportResult> {
  switch (planned.kind) {
    case 'preference':
      return await importPreference(service, config, target, planned);
    case 'webhook_endpoint':
      return await importEndpoint(service, config, target, planned);
    case 'reusable_link':
      return await importReusableLink(service, target, planned);
    case 'payment_link':
      return await importPaymentLink(service, target, planned);
  }
}

type PlannedOf<Kind extends PlannedImport['kind']> = Extract<PlannedImport, { kind: Kind }>;

/** Sets a preference unless it is already set. */
async function importPreference(
  { database, payments: { clock }, preferenceWatchers: watchers }: Service,
  { environment }: Config,
  { merchantId, isDryRun }: Target,
  { key, value }: PlannedOf<'preference'>,
): Promise<ImportResult> {
  const rule = preferenceKeys.get(key);
  if (!rule) throw new Error(`Unknown preference ${key}`);
  const parsed = parseValue(rule, value, environment);
  if ('problem' in parsed) return `${key} ${parsed.problem}`;
  return await database.inTransaction(async (unit) => {
    await lockMerchant(unit, merchantId);
    const current = await selectPreferences(unit, { merchantId, keys: [key] }).executeTakeFirst();
    if (current) return `${key} is already set to ${current.value}`;
    if (!isDryRun) {
      await storePreference({ clock, watchers }, unit, { merchantId, key, value: parsed.value, by: null });
      const change = { merchantId, action: 'setPreference', subject: key, before: { [key]: null } };
      await recordChange(unit, clock, { ...change, after: { [key]: parsed.value } });
    }
    return { id: key, note: `set to ${parsed.value}` };
  });
}

/** Adds an endpoint, disabled, because its server still expects the signatures and events of the other service. */
async function importEndpoint(
  { database, payments: { clock }, webhookSecrets }: Service,
  { environment }: Config,
  { merchantId, isDryRun }: Target,
  { url, eventTypes }: PlannedOf<'webhook_endpoint'>,
): Promise<ImportResult> {
  const rule = { type: 'url' } as const;
  const parsed = parseValue(rule, url, environment);
  if ('problem' in parsed) return `url ${parsed.problem}`;
  const outbox = createOutbox({ clock, random: systemRandom });
  const context = { clock, random: systemRandom, environment, outbox, webhookSecrets };
  const caller = { merchantId, identity: 'command line' };
  const note = 'disabled; enable it once your server verifies Paylatch signatures';
  return await database.inTransaction(async (unit) => {
    await lockMerchant(unit, merchantId);
    const existing = (await readEndpointEntries(unit, merchantId)).find((each) => each.url === url);
    if (existing) return `is already webhook endpoint ${existing.id}`;
    if (isDryRun) return { id: null, url, note };
    const added = await addEndpoint(context, unit, caller, { url, event_types: eventTypes });
    const after = await updateEndpoint(context, unit, caller, { id: added.id, enabled: false });
    const { description, event_types, status } = after;
    const subject = `webhook endpoint ${added.id}`;
    const change = { merchantId, action: 'addWebhookEndpoint', subject, before: null };
    await recordChange(unit, clock, { ...change, after: { url, description, event_types, status } });
    return { id: added.id, url, note };
  });
}

async function importReusableLink(
  { database, payments: context }: Service,
  { merchantId, isDryRun }: Target,
  { origin, body }: PlannedOf<'reusable_link'>,
): Promise<ImportResult> {
  // Before the lock: no other query may run inside a unit of work.
  const fields = await checkLink(context, merchantId, parseWith(createReusableLinkRequest, body));
  return await database.inTransaction(async (unit) => {
    // Concurrent imports must not create the link twice.
    await lockMerchant(unit, merchantId);
    const query = { metadata: { [ORIGIN_KEY]: origin }, per_page: 1 };
    const [existing] = (await readReusableLinks(unit, merchantId, query)).links;
    if (existing) return `already imported: ${context.publicUrl}${reusableLinkPath(existing.publicId)}`;
    if (isDryRun) return { id: null };
    const { id, url, title } = await createReusableLink(context, unit, merchantId, fields);
    const change = { merchantId, action: 'createReusableLink', subject: `reusable link ${id}`, before: null };
    await recordChange(unit, context.clock, { ...change, after: { title, [ORIGIN_KEY]: origin } });
    return { id, url };
  });
}

async function importPaymentLink(
  { database, payments: context }: Service,
  { merchantId, isDryRun }: Target,
  { body }: PlannedOf<'payment_link'>,
): Promise<ImportResult> {
  const request = parseWith(createTransactionRequest, body);
  const reference = request.transaction_id;
  if (await findByReference(database, merchantId, reference)) return `already imported as ${reference}`;
  if (isDryRun) {
    await priceTransaction(context, merchantId, request);
    return { id: reference };
  }
  const created = await createTransaction(context, merchantId, request);
  if (created.type !== 'link') throw new Error('Expected a payment link');
  await recordChange(database, context.clock, { merchantId, action: 'createTransaction', subject: reference });
  return { id: reference, url: created.value.link };
}

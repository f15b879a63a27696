import { z } from 'zod';
import type { OutboundGet } from '../http/outbound.ts';
import { DAY, formatInstant, type Instant, SECOND } from '../shared/time.ts';
import type { SubscribableEventType } from '../shared/webhook-event-types.ts';
import { OperatorError } from '../system/operator-error.ts';
import {
  absoluteImage,
  DEFAULT_CUSTOM_AMOUNT,
  type LinkDefaults,
  ORIGIN_KEY,
  type PlannedImport,
  plainText,
} from './import-plan.ts';

const id = z.string().min(1).max(100);
const name = z.string().max(1000);
const url = z.string().max(2048);
/** Decimals are strings in the API, and numbers in some releases. */
const decimal = z.union([
  z
    .string()
    .regex(/^\d{1,15}(?:\.\d{1,18})?$/)
    .transform(Number),
  z.number().nonnegative(),
]);
const list = <Schema extends z.ZodType>(item: Schema) => z.array(item).max(10_000);

const store = z.object({
  id,
  name,
  supportUrl: url.nullish(),
  logoUrl: url.nullish(),
  brandColor: z.string().max(50).nullish(),
  defaultCurrency: z.string().max(10).nullish(),
  invoiceExpiration: z.number().nullish(),
  speedPolicy: z.enum(['HighSpeed', 'MediumSpeed', 'LowMediumSpeed', 'LowSpeed']).nullish(),
  paymentTolerance: z.number().min(0).max(100).nullish(),
  requiresRefundEmail: z.boolean().nullish(),
});

/** A list with IDs (`paymentMethodId` since 2.0, `paymentMethod` before), or in 1.7 an object keyed by ID. */
const paymentMethods = z.union([
  list(z.object({ paymentMethodId: id.optional(), paymentMethod: id.optional(), enabled: z.boolean() })).transform(
    (methods) =>
      methods.map((each) => ({ id: each.paymentMethodId ?? each.paymentMethod ?? '', enabled: each.enabled })),
  ),
  z
    .record(id, z.object({ enabled: z.boolean() }))
    .transform((methods) => Object.entries(methods).map(([key, { enabled }]) => ({ id: key, enabled }))),
]);

const webhook = z.object({
  id,
  enabled: z.boolean(),
  url,
  authorizedEvents: z.object({ everything: z.boolean(), specificEvents: list(id).nullish() }).nullish(),
});

const paymentRequest = z.object({
  id,
  status: z.string().max(50),
  amount: decimal,
  currency: z.string().max(10).nullish(),
  title: name,
  email: z.string().max(320).nullish(),
  expiryDate: z.number().int().min(0).max(1e11).nullish(),
  referenceId: name.nullish(),
  archived: z.boolean().nullish(),
});

const requestInvoice = z.object({ status: z.string().max(50), additionalStatus: z.string().max(50).nullish() });

/** Price types since 2.0, indexed by the `type` of earlier releases: 0 is any amount, 1 a minimum, 2 fixed. */
const legacyPriceTypes = ['Topup', 'Minimum', 'Fixed'] as const;
const pointOfSaleItem = z.object({
  id,
  title: name.nullish(),
  description: z.string().max(20_000).nullish(),
  image: url.nullish(),
  disabled: z.boolean().nullish(),
  inventory: z.number().int().nullish(),
  priceType: z.enum(legacyPriceTypes).optional(),
  price: z.union([decimal, z.object({ type: z.number().int().min(0).max(2), value: decimal.nullish() })]).nullish(),
});

const app = z.object({
  id,
  appType: z.string().max(50),
  name: name.nullish(),
  archived: z.boolean().nullish(),
  currency: z.string().max(10).nullish(),
  items: list(pointOfSaleItem).nullish(),
});

/** Responses of the Greenfield API. A part is null if the API key may not read it. */
export const btcpayExport = z.object({
  store,
  paymentMethods: paymentMethods.nullable(),
  webhooks: list(webhook).nullable(),
  paymentRequests: list(paymentRequest).nullable(),
  /** Invoices of each pending payment request, by its ID. */
  requestInvoices: z.record(id, list(requestInvoice)).nullable(),
  apps: list(app).nullable(),
});
type BtcpayExport = z.output<typeof btcpayExport>;

/** Reads a store through the Greenfield API, in the format of `btcpayExport`. */
export async function readBtcpay(
  get: OutboundGet,
  { url: base, storeId, token }: { url: string; storeId: string; token: string },
): Promise<unknown> {
  /** Returns null if the API key lacks the permission. */
  const read = async (path: string): Promise<unknown> => {
    const address = `${base.replace(/\/+$/, '')}/api/v1${path}`;
    const { status, body } = await get(address, { authorization: `token ${token}`, accept: 'application/json' }).catch(
      (error: unknown) => {
        throw new OperatorError(
          `BTCPay Server does not respond: ${describeFailure(error)}. If its address is private, use --file.`,
        );
      },
    );
    if (status === 401) throw new OperatorError('BTCPay Server rejected the API key.');
    if (status === 403) return null;
    if (status !== 200)
      throw new OperatorError(`BTCPay Server returned ${status} for ${path}. Check --url and --store.`);
    try {
      return JSON.parse(body);
    } catch {
      throw new OperatorError(`BTCPay Server did not return JSON for ${path}. Check --url.`);
    }
  };
  const path = `/stores/${encodeURIComponent(storeId)}`;
  const storeData = await read(path);
  if (storeData === null)
    throw new OperatorError('The API key lacks the permission btcpay.store.canviewstoresettings for this store.');
  const requests = await read(`${path}/payment-requests`);
  const apps = await read(`${path}/apps`);
  return {
    store: storeData,
    paymentMethods: await read(`${path}/payment-methods`),
    webhooks: await read(`${path}/webhooks`),
    paymentRequests: requests,
    requestInvoices: await readRequestInvoices(requests, async (query) => await read(`${path}/invoices?${query}`)),
    apps: Array.isArray(apps)
      ? await Promise.all(apps.map(async (each: unknown) => await readItems(each, read)))
      : apps,
  };
}

/** Adds the items of a point of sale app, which lists do not contain. */
async function readItems(raw: unknown, read: (path: string) => Promise<unknown>): Promise<unknown> {
  const { data } = app.safeParse(raw);
  if (data?.appType !== 'PointOfSale' || data.archived) return raw;
  return Object.assign({}, raw, await read(`/apps/pos/${encodeURIComponent(data.id)}`));
}

async function readRequestInvoices(
  requests: unknown,
  readInvoices: (query: string) => Promise<unknown>,
): Promise<Record<string, unknown> | null> {
  const invoices: Record<string, unknown> = {};
  for (const each of Array.isArray(requests) ? requests : []) {
    // `btcpayExport` reports an invalid one.
    const request = paymentRequest.safeParse(each).data;
    if (request?.status !== 'Pending') continue;
    // The order ID of a payment request's invoices. A merchant's own reference replaces it.
    const query = new URLSearchParams({ orderId: `PAY_REQUEST_${request.id}` });
    if (request.referenceId) query.append('orderId', request.referenceId);
    const found = await readInvoices(query.toString());
    if (found === null) return null;
    invoices[request.id] = found;
  }
  return invoices;
}

/** The cause of a failed fetch, without its URL. */
function describeFailure(error: unknown): string {
  const { cause, message } = error as { cause?: unknown; message?: string };
  return cause instanceof Error && cause.message !== '' ? cause.message : (message ?? String(error));
}

/** Maps a store to a merchant's settings, endpoints and links. */
export function planBtcpay(
  data: BtcpayExport,
  defaults: LinkDefaults,
  { merchantName, now }: { merchantName: string; now: Instant },
): PlannedImport[] {
  return [
    ...planSettings(data, merchantName),
    ...planWebhooks(data.webhooks),
    ...planRequests(data, defaults, now),
    ...planApps(data, defaults),
  ];
}

const missingPermission = (source: string, permission: string): PlannedImport => ({
  source,
  kind: 'none',
  reason: `the API key lacks the permission ${permission}`,
});

const confirmations = { HighSpeed: 0, MediumSpeed: 1, LowMediumSpeed: 2, LowSpeed: 6 } as const;
/** BTCPay Server's default, in seconds. */
const DEFAULT_EXPIRATION = 900;

function planSettings(
  { store: settings, paymentMethods: methods }: BtcpayExport,
  merchantName: string,
): PlannedImport[] {
  const preference = (source: string, key: string, value: number | string): PlannedImport[] => [
    { source: `store setting ${source}`, kind: 'preference', key, value },
  ];
  const skipped = (source: string, reason: string): PlannedImport[] => [
    { source: `store setting ${source}`, kind: 'none', reason },
  ];
  const { supportUrl, brandColor, logoUrl, invoiceExpiration, speedPolicy, paymentTolerance } = settings;
  const enabled = (methods ?? []).filter((each) => each.enabled);
  const codes = enabled.flatMap(({ id: method }) => onChainCode(method) ?? []);
  return [
    ...(settings.name === merchantName ? [] : preference('name', 'brand-name', settings.name)),
    ...(!brandColor ? [] : preference('brandColor', 'brand-color', brandColor)),
    ...(!logoUrl ? [] : skipped('logoUrl', 'BTCPay Server hosts the image. Upload it in the account area')),
    ...(!supportUrl
      ? []
      : supportUrl.includes('{')
        ? skipped('supportUrl', 'contains a placeholder. Set support-contact')
        : preference('supportUrl', 'support-contact', supportUrl.replace(/^mailto:/, ''))),
    ...(!invoiceExpiration || invoiceExpiration === DEFAULT_EXPIRATION
      ? []
      : preference('invoiceExpiration', 'link-lifetime-minutes', Math.max(1, Math.floor(invoiceExpiration / 60)))),
    ...codes.flatMap((code) => [
      ...(!speedPolicy
        ? []
        : speedPolicy === 'HighSpeed'
          ? skipped(
              'speedPolicy',
              `HighSpeed accepts unconfirmed payments. To accept them too, set min-confirmation-${code}`,
            )
          : preference('speedPolicy', `min-confirmation-${code}`, confirmations[speedPolicy])),
      ...(!paymentTolerance
        ? []
        : preference('paymentTolerance', `payment-tolerance-percent-${code}`, paymentTolerance)),
    ]),
    ...enabled
      .filter(({ id: method }) => onChainCode(method) === null)
      .map(
        ({ id: method }): PlannedImport => ({
          source: `payment method ${method}`,
          kind: 'none',
          reason: 'has no equivalent',
        }),
      ),
    ...(methods === null ? [missingPermission('payment methods', 'btcpay.store.canviewstoresettings')] : []),
  ];
}

/** Paylatch's code of an on-chain method: `BTC-CHAIN` since 2.0, `BTC` or `BTC-OnChain` before. */
function onChainCode(method: string): 'btc' | 'ltc' | null {
  const [, code = ''] = /^(BTC|LTC)(?:[-_](?:CHAIN|OnChain))?$/.exec(method) ?? [];
  return code === '' ? null : (code.toLowerCase() as 'btc' | 'ltc');
}

function planWebhooks(webhooks: BtcpayExport['webhooks']): PlannedImport[] {
  if (webhooks === null) return [missingPermission('webhooks', 'btcpay.store.webhooks.canmodifywebhooks')];
  return webhooks.map(({ url: target, enabled, authorizedEvents }): PlannedImport => {
    const source = `webhook ${target}`;
    if (!enabled) return { source, kind: 'none', reason: 'is disabled' };
    const events = authorizedEvents?.everything === false ? (authorizedEvents.specificEvents ?? []) : null;
    const eventTypes = events === null ? null : [...new Set(events.flatMap(toEventTypes))];
    if (eventTypes?.length === 0) return { source, kind: 'none', reason: 'none of its events has an equivalent' };
    return { source, kind: 'webhook_endpoint', url: target, eventTypes };
  });
}

function toEventTypes(event: string): SubscribableEventType[] {
  if (event === 'InvoiceCreated') return ['crypto.transaction.created'];
  if (/^(?:Invoice|PaymentRequest)/.test(event)) return ['fiat.transaction.updated', 'crypto.transaction.updated'];
  return event.startsWith('Payout') ? ['crypto.withdrawal.updated'] : [];
}

/** The maximum lifetime of a payment link, less the time that the import may take. */
const MAX_LINK_LIFETIME = 365 * DAY - 60 * SECOND;

function planRequests(
  { paymentRequests: requests, requestInvoices: invoices, store: settings }: BtcpayExport,
  { country, method }: LinkDefaults,
  now: Instant,
): PlannedImport[] {
  if (requests === null) return [missingPermission('payment requests', 'btcpay.store.canviewpaymentrequests')];
  return requests.map((request): PlannedImport => {
    const source = `payment request “${request.title}”`;
    const skipped = (reason: string): PlannedImport => ({ source, kind: 'none', reason });
    if (request.archived) return skipped('is archived');
    if (request.status !== 'Pending') return skipped(`is ${request.status.toLowerCase()}`);
    const own = invoices && Object.hasOwn(invoices, request.id) ? invoices[request.id] : undefined;
    // Without its invoices, a partially paid request would be imported with its full amount.
    if (!own)
      return skipped('its invoices could not be read: the API key lacks the permission btcpay.store.canviewinvoices');
    if (own.some(isPaid)) return skipped('has a payment. Create a link for the remaining amount');
    const end = request.expiryDate
      ? Math.min(request.expiryDate * SECOND, now + MAX_LINK_LIFETIME)
      : now + MAX_LINK_LIFETIME;
    const origin = `btcpay/${settings.id}/payment-request/${request.id}`;
    return {
      ...{ source, kind: 'payment_link', origin },
      body: {
        transaction_id: `btcpay-${request.id}`,
        ...{ payment_method: method, country, currency: request.currency || (settings.defaultCurrency ?? 'USD') },
        ...{ amount: request.amount, description: plainText(request.title, 255) ?? request.id },
        ...{ success_redirect_url: null, fail_redirect_url: null, type_of_calculation: 'forward_without_fee' },
        expires_at: formatInstant(end),
        ...(request.email ? { payer: { email: request.email } } : {}),
        metadata: { [ORIGIN_KEY]: origin, ...(request.referenceId ? { reference: request.referenceId } : {}) },
      },
    };
  });
}

/** True if the invoice received a payment, or may have. */
function isPaid({ status, additionalStatus }: z.output<typeof requestInvoice>): boolean {
  return /^(?:Processing|Settled)$/.test(status) || (additionalStatus ?? '').startsWith('Paid');
}

function planApps({ apps, store: settings }: BtcpayExport, defaults: LinkDefaults): PlannedImport[] {
  if (apps === null) return [missingPermission('apps', 'btcpay.store.canmodifystoresettings')];
  return apps.flatMap((each): PlannedImport[] => {
    const source = `app “${each.name ?? each.id}”`;
    if (each.archived) return [{ source, kind: 'none', reason: 'is archived' }];
    if (each.appType !== 'PointOfSale')
      return [{ source, kind: 'none', reason: `${each.appType} has no equivalent. Create a reusable link instead` }];
    if (!each.items) return [{ source, kind: 'none', reason: 'its items could not be read' }];
    const currency = each.currency || (settings.defaultCurrency ?? 'USD');
    const ask = settings.requiresRefundEmail ? ['email'] : [];
    return each.items.map((item) =>
      planItem(item, { ...defaults, currency, ask, origin: `btcpay/${settings.id}/app/${each.id}/${item.id}` }),
    );
  });
}

function planItem(
  item: z.output<typeof pointOfSaleItem>,
  { country, method, currency, ask, origin }: LinkDefaults & { currency: string; ask: string[]; origin: string },
): PlannedImport {
  const source = `item “${item.title ?? item.id}”`;
  if (item.disabled) return { source, kind: 'none', reason: 'is disabled' };
  const { price } = item;
  const [type, value] =
    typeof price === 'object' && price !== null
      ? [legacyPriceTypes[price.type], price.value ?? 0]
      : [item.priceType ?? 'Fixed', price ?? 0];
  if (type === 'Fixed' && value === 0) return { source, kind: 'none', reason: 'is free' };
  const custom =
    type === 'Minimum' && value > 0
      ? { minimum: value, maximum: Math.max(value, DEFAULT_CUSTOM_AMOUNT.maximum) }
      : DEFAULT_CUSTOM_AMOUNT;
  return {
    ...{ source, kind: 'reusable_link', origin },
    body: {
      ...{ title: plainText(item.title, 150) ?? item.id, description: plainText(item.description, 500) },
      ...{ country, currency, payment_method: method },
      ...(type === 'Fixed' ? { amount: value } : { custom_amount: custom }),
      ...(typeof item.inventory === 'number' && { stock: Math.max(0, item.inventory) }),
      ...absoluteImage(item.image),
      ...{ ask, metadata: { [ORIGIN_KEY]: origin } },
    },
  };
}

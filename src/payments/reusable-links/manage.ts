import { cellPrefix } from '../../system/random.ts';
import { minorUnitsOf } from '../../api/currency.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import {
  type CreateReusableLinkRequest,
  createReusableLinkRequest,
  type ReusableLinkEntry,
  type UpdateReusableLinkRequest,
} from '../../api/reusable-link.ts';
import { lockRows, type UnitOfWork } from '../../database/database.ts';
import type { Runner } from '../../database/engine.ts';
import { publicUrlProblem } from '../../http/address.ts';
import { parseWith } from '../../http/validation.ts';
import { amountNumber, parseAmount } from '../../shared/money.ts';
import { formatInstant } from '../../shared/time.ts';
import type { PaymentsContext } from '../context.ts';
import { priceTransaction } from '../create.ts';
import { db, type ReusableLink, reusableLinkRecord } from '../schema.ts';
import { findReusableLink, readSales, type Sales } from './store.ts';

/** Path of a reusable link's page. */
export function reusableLinkPath(publicId: string): string {
  return `/b/${publicId}`;
}

/** Checks a new reusable link against the merchant's methods and fees, and stores it. */
export async function createReusableLink(
  context: PaymentsContext,
  unit: UnitOfWork,
  merchantId: number,
  fields: CheckedLink,
): Promise<ReusableLinkEntry> {
  const now = context.clock.now();
  const publicId = cellPrefix(context.random) + Buffer.from(context.random.bytes(12)).toString('base64url');
  const values = { ...fields, merchantId, publicId, archivedAt: null, createdAt: now, updatedAt: now };
  await db(unit).insertInto('reusable_links').values(reusableLinkRecord.write(values)).execute();
  return toLinkEntry(context, { id: 0, ...values });
}

/** Changes fields of a reusable link. */
export async function updateReusableLink(
  context: PaymentsContext,
  unit: UnitOfWork,
  link: ReusableLink,
  fields: CheckedLink,
): Promise<ReusableLinkEntry> {
  return await writeLink(context, unit, link, fields);
}

/** Archives a link, or makes it active again. */
export async function archiveReusableLink(
  context: PaymentsContext,
  unit: UnitOfWork,
  link: ReusableLink,
  isArchived: boolean,
): Promise<ReusableLinkEntry> {
  if ((link.archivedAt !== null) === isArchived) return await readLinkEntry(context, unit, link);
  return await writeLink(context, unit, link, { archivedAt: isArchived ? context.clock.now() : null });
}

async function writeLink(
  context: PaymentsContext,
  unit: UnitOfWork,
  link: ReusableLink,
  changes: Partial<ReusableLink>,
): Promise<ReusableLinkEntry> {
  const changed = { ...changes, updatedAt: context.clock.now() };
  await db(unit)
    .updateTable('reusable_links')
    .set(reusableLinkRecord.write(changed))
    .where('merchant_id', '=', link.merchantId)
    .where('id', '=', link.id)
    .execute();
  return await readLinkEntry(context, unit, { ...link, ...changed });
}

/** Finds a link for a change, and locks it. */
export async function lockReusableLink(unit: UnitOfWork, merchantId: number, publicId: string): Promise<ReusableLink> {
  const row = await lockRows(
    unit,
    db(unit)
      .selectFrom('reusable_links')
      .select(reusableLinkRecord.columns)
      .where('merchant_id', '=', merchantId)
      .where('public_id', '=', publicId),
  ).executeTakeFirst();
  if (!row) throw unknownLink();
  return reusableLinkRecord.read(row);
}

export async function requireReusableLink(reader: Runner, merchantId: number, publicId: string): Promise<ReusableLink> {
  const link = await findReusableLink(reader, publicId, merchantId);
  if (!link) throw unknownLink();
  return link;
}

function unknownLink() {
  return new Problem('not_found', 'There is no reusable link with this ID.');
}

/** The columns that a request sets. */
export type CheckedLink = Omit<
  ReusableLink,
  'id' | 'merchantId' | 'publicId' | 'archivedAt' | 'createdAt' | 'updatedAt'
>;

/** Applies a change to a link's fields, with the same checks as for a new one. */
export async function checkUpdate(
  context: PaymentsContext,
  link: ReusableLink,
  changes: Omit<UpdateReusableLinkRequest, 'id'>,
): Promise<CheckedLink> {
  const { title, description, image_url, country, currency, payment_method, type_of_calculation, ...rest } =
    toLinkEntry(context, link);
  const { amount, custom_amount, quantity, stock, ask, success_redirect_url, fail_redirect_url, metadata } = rest;
  const fields = {
    ...{ title, description, image_url, country, currency, payment_method, type_of_calculation },
    ...{ amount, custom_amount, quantity, stock, ask, success_redirect_url, fail_redirect_url, metadata },
    ...(typeof changes.amount === 'number' && { custom_amount: null }),
    ...(changes.custom_amount && { amount: null }),
    ...changes,
  };
  return await checkLink(context, link.merchantId, parseWith(createReusableLinkRequest, fields));
}

/** Checks the method, the fee and the URLs of a link's lowest and highest payment. */
export async function checkLink(
  context: PaymentsContext,
  merchantId: number,
  body: CreateReusableLinkRequest,
): Promise<CheckedLink> {
  const { currency, custom_amount: custom, quantity } = body;
  const feeCalculation = body.type_of_calculation ?? 'forward_without_fee';
  const toMinor = (amount: number | null | undefined) => {
    if (amount === null || amount === undefined) return null;
    const minor = parseAmount(amount, minorUnitsOf(currency));
    if (typeof minor !== 'bigint') throw new Error('The amount was not validated');
    return minor;
  };
  const fields = {
    ...{ title: body.title, description: body.description ?? null, imageUrl: body.image_url ?? null },
    ...{ country: body.country, currency, paymentMethod: body.payment_method, feeCalculation },
    amountMinor: toMinor(body.amount),
    minimumMinor: toMinor(custom?.minimum),
    maximumMinor: toMinor(custom?.maximum),
    suggestedMinor: toMinor(custom?.suggested),
    minimumQuantity: quantity?.minimum ?? 1,
    maximumQuantity: quantity?.maximum ?? 1,
    stock: body.stock ?? null,
    asksEmail: body.ask?.includes('email') ?? false,
    asksName: body.ask?.includes('name') ?? false,
    successRedirectUrl: body.success_redirect_url ?? null,
    failRedirectUrl: body.fail_redirect_url ?? null,
    metadata: body.metadata ?? null,
  };
  const imageProblem = fields.imageUrl && publicUrlProblem(new URL(fields.imageUrl), context.isSandbox);
  if (imageProblem) throw validationProblem([{ pointer: '/image_url', code: 'invalid_url', detail: imageProblem }]);
  const unit = fields.amountMinor;
  const [lowest, highest] =
    unit === null
      ? [fields.minimumMinor, fields.maximumMinor]
      : [unit * BigInt(fields.minimumQuantity), unit * BigInt(fields.maximumQuantity)];
  for (const [limit, minor] of [
    ['minimum', lowest],
    ['maximum', highest],
  ] as const) {
    if (minor === null) throw new Error('The amount was not validated');
    await priceTransaction(context, merchantId, {
      ...{ transaction_id: 'reusable link', transaction_type: 'link', country: fields.country, currency },
      ...{ payment_method: fields.paymentMethod, type_of_calculation: feeCalculation },
      amount: amountNumber(minor, minorUnitsOf(currency)),
    }).catch((error: unknown) => {
      throw error instanceof Problem && unit === null ? atLimit(error, limit) : error;
    });
  }
  return fields;
}

/** Reports a problem of the amount at the limit that the merchant set. */
function atLimit(problem: Problem, limit: string): Problem {
  return problem.errors.length === 0
    ? problem
    : validationProblem(
        problem.errors.map((each) =>
          each.pointer === '/amount' ? { ...each, pointer: `/custom_amount/${limit}` } : each,
        ),
      );
}

/** Describes links with their sales. */
export async function readLinkEntries(
  context: PaymentsContext,
  reader: Runner,
  merchantId: number,
  links: readonly ReusableLink[],
): Promise<ReusableLinkEntry[]> {
  const sales = await readSales(
    reader,
    merchantId,
    links.map(({ publicId }) => publicId),
  );
  return links.map((link) => toLinkEntry(context, link, sales.get(link.publicId)));
}

export async function readLinkEntry(
  context: PaymentsContext,
  reader: Runner,
  link: ReusableLink,
): Promise<ReusableLinkEntry> {
  const sales = await readSales(reader, link.merchantId, [link.publicId]);
  return toLinkEntry(context, link, sales.get(link.publicId));
}

function toLinkEntry(
  context: PaymentsContext,
  link: ReusableLink,
  { sold, reserved, revenueMinor }: Sales = { sold: 0, reserved: 0, revenueMinor: 0n },
): ReusableLinkEntry {
  const number = (minor: bigint) => amountNumber(minor, minorUnitsOf(link.currency));
  const { minimumMinor: minimum, maximumMinor: maximum, suggestedMinor: suggested } = link;
  const { minimumQuantity, maximumQuantity, stock } = link;
  return {
    ...{ id: link.publicId, url: context.publicUrl + reusableLinkPath(link.publicId) },
    status: link.archivedAt === null ? 'active' : 'archived',
    ...{ title: link.title, description: link.description, image_url: link.imageUrl, country: link.country },
    ...{ currency: link.currency, payment_method: link.paymentMethod, type_of_calculation: link.feeCalculation },
    amount: link.amountMinor === null ? null : number(link.amountMinor),
    custom_amount:
      minimum === null || maximum === null
        ? null
        : {
            ...{ minimum: number(minimum), maximum: number(maximum) },
            suggested: suggested === null ? null : number(suggested),
          },
    quantity: maximumQuantity === 1 ? null : { minimum: minimumQuantity, maximum: maximumQuantity },
    stock,
    ask: [...(link.asksEmail ? (['email'] as const) : []), ...(link.asksName ? (['name'] as const) : [])],
    ...{ success_redirect_url: link.successRedirectUrl, fail_redirect_url: link.failRedirectUrl },
    metadata: link.metadata,
    ...{ sold, reserved, available: stock === null ? null : Math.max(0, stock - sold - reserved) },
    revenue: number(revenueMinor),
    ...{ created_at: formatInstant(link.createdAt), updated_at: formatInstant(link.updatedAt) },
  };
}

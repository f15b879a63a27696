import { z } from 'zod';
import {
  absoluteImage,
  DEFAULT_CUSTOM_AMOUNT,
  type LinkDefaults,
  ORIGIN_KEY,
  type PlannedImport,
  plainText,
} from './import-plan.ts';

const checkout = z.object({
  id: z.string().max(64),
  name: z.string().max(1000),
  description: z.string().max(10_000).nullish(),
  pricing_type: z.enum(['fixed_price', 'no_price']),
  local_price: z
    .object({ amount: z.string().regex(/^\d{1,15}(?:\.\d{1,18})?$/), currency: z.string().max(10) })
    .nullish(),
  // One source documents a single value, the others a list.
  requested_info: z
    .union([
      z.array(z.string().max(50)).max(20),
      z
        .string()
        .max(50)
        .transform((one) => [one]),
    ])
    .nullish(),
  logo_url: z.string().max(2048).nullish(),
});

/** The response of `GET /checkouts`, or its `data`. */
export const coinbaseExport = z.union([
  z
    .array(checkout)
    .max(10_000)
    .transform((data) => ({ data, pagination: undefined })),
  z.object({
    data: z.array(checkout).max(10_000),
    pagination: z.object({ next_uri: z.string().max(2048).nullish() }).nullish(),
  }),
]);

/** Maps checkouts of Coinbase Commerce to reusable links. */
export function planCoinbase(
  { data, pagination }: z.output<typeof coinbaseExport>,
  { country, method }: LinkDefaults,
  /** Currency of checkouts without a price. */
  currency: string,
): PlannedImport[] {
  const planned = data.map((each): PlannedImport => {
    const source = `checkout “${each.name}”`;
    const isFixed = each.pricing_type === 'fixed_price';
    if (isFixed && !each.local_price) return { source, kind: 'none', reason: 'has no price' };
    const origin = `coinbase/checkout/${each.id}`;
    const ask = (each.requested_info ?? []).filter((field) => field === 'name' || field === 'email');
    return {
      ...{ source, kind: 'reusable_link', origin },
      body: {
        ...{ title: plainText(each.name, 150) ?? each.id, description: plainText(each.description, 500) },
        ...{ country, payment_method: method, currency: each.local_price?.currency ?? currency },
        ...(isFixed ? { amount: Number(each.local_price?.amount) } : { custom_amount: DEFAULT_CUSTOM_AMOUNT }),
        ...absoluteImage(each.logo_url),
        ...{ ask, metadata: { [ORIGIN_KEY]: origin } },
      },
    };
  });
  if (!pagination?.next_uri) return planned;
  const reason =
    'are not in the file, which has only one page. Save the response of each `next_uri`, and import it too';
  return [...planned, { source: 'further checkouts', kind: 'none', reason }];
}

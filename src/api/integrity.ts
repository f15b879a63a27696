import { z } from 'zod';

export const buyerPages = [
  'merchant_page',
  'payment_frame',
  'link_page',
  'invoice_page',
  'reusable_link_page',
] as const;

/** A script or style that the service serves to browsers. */
const publishedFile = z.object({
  /** Null for a style inlined in the HTML. */
  url: z.string().nullable(),
  kind: z.enum(['script', 'style']),
  /** As in Subresource Integrity: `sha384-…`. */
  integrity: z.string(),
  bytes: z.number().int(),
  runs_on: z.enum(buyerPages),
  /** Business justification, as PCI DSS 4.0.1 requirement 6.4.3 requires. */
  purpose: z.string(),
});

/** Response of `/widget/v1/integrity.json`. A file that two kinds of pages load is listed twice. */
export const integrityList = z.object({ version: z.string(), files: z.array(publishedFile) });
export type IntegrityList = z.infer<typeof integrityList>;

import { z } from 'zod';
import { pageLanguages } from '../shared/page-languages.ts';

/** A requested BCP 47 language tag; validated when it is parsed. */
export const localeTag = z.string().min(2).max(64);

/** Language that a merchant sets for a payment page. */
export const pageLanguage = z.enum(pageLanguages).meta({
  id: 'PageLanguage',
  description:
    'Initial language of the payment page, as a BCP 47 tag; the browser’s language by default. The payer can choose another',
});

/** Body of `POST /p/ID/locale`: the language that the buyer chose for their link. */
export const chooseLocaleRequest = z.strictObject({ locale: localeTag });

/** Query of `GET /p/ID/preview`. */
export const linkPreviewQuery = z.object({
  /** Overrides the browser's languages; not stored. */
  locale: localeTag.optional(),
});

/** An unfinished value is left out of the sample. */
const sampleUrl = z
  .url({ protocol: /^https?$/ })
  .max(2048)
  .optional()
  .catch(undefined);

/** Query of `GET /payment-page-sample`: branding that is not saved yet. */
export const samplePageQuery = z.strictObject({
  /** ID of the merchant. */
  merchant: z.string(),
  name: z.string().max(100),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .optional()
    .catch(undefined),
  /** A URL, or the path of an image on our own host. */
  logo: z
    .string()
    .regex(/^\/(logos\/[0-9a-f]{64}\.png|icon\.svg)$/)
    .or(sampleUrl)
    .optional(),
  contact: z.string().max(2048).optional(),
  terms: sampleUrl,
  privacy: sampleUrl,
  scheme: z.enum(['light', 'dark']),
  locale: localeTag.optional(),
});

/** Query of the link page. */
export const linkPageQuery = z.object({
  /** Set when the buyer returns after paying: the page then shows the confirmation. */
  paid: z.string().optional(),
  /** Overrides the browser's languages; stored with the link. */
  locale: localeTag.optional(),
});

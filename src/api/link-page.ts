import { z } from 'zod';

/** A requested BCP 47 language tag; validated when it is parsed. */
export const localeTag = z.string().min(2).max(64);

/** Body of `POST /p/ID/locale`: the language that the buyer chose for their link. */
export const chooseLocaleRequest = z.strictObject({ locale: localeTag });

/** Query of `GET /p/ID/preview`. */
export const linkPreviewQuery = z.object({
  /** Overrides the browser's languages; not stored. */
  locale: localeTag.optional(),
});

/** Query of the link page. */
export const linkPageQuery = z.object({
  /** Set when the buyer returns after paying: the page then shows the confirmation. */
  paid: z.string().optional(),
  /** Overrides the browser's languages; stored with the link. */
  locale: localeTag.optional(),
});

import { z } from 'zod';

/** A BCP 47 language tag, as somebody asks for a page in it; whether it is one is found out by reading it. */
export const localeTag = z.string().min(2).max(64);

/** Body of `POST /p/ID/locale`: the language that the buyer chose for their link. */
export const chooseLocaleRequest = z.strictObject({ locale: localeTag });

/** Query of `GET /p/ID/preview`. */
export const linkPreviewQuery = z.object({
  /** In place of what the browser asks for; nothing is kept. */
  locale: localeTag.optional(),
});

/** Query of the link page. */
export const linkPageQuery = z.object({
  /** Given when the buyer comes from paying: then the page thanks them. */
  paid: z.string().optional(),
  /** In place of what the browser asks for; the link keeps it. */
  locale: localeTag.optional(),
});

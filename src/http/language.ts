import Negotiator from 'negotiator';
import type { HttpContext } from './context.ts';

/** The browser's preferred language, in BCP 47; null if it names none. */
export function preferredLanguage({ req }: HttpContext): string | null {
  const [tag = ''] = new Negotiator({
    headers: { 'accept-language': req.header('accept-language') ?? '' },
  }).languages();
  try {
    return new Intl.Locale(tag).baseName.slice(0, 35);
  } catch {
    return null;
  }
}

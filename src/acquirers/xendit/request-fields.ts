import { NotProcessed } from '../port.ts';
import { apiUrl, type XenditCredentials } from './credentials.ts';
import { isLoopbackUrl } from '../urls.ts';

/** Maximum length of a return URL (Xendit's page "Routing payment channels"). */
const MAXIMUM_LENGTH = 255;

/** Xendit accepts only https return URLs; a simulator on this machine also accepts http. */
export function canReturnTo(url: string, credentials: XenditCredentials): boolean {
  return url.startsWith('https://') || (isLoopbackUrl(url) && isLoopbackUrl(apiUrl(credentials)));
}

/** Throws for a URL that Xendit would reject, before anything is sent. */
export function requireReturnUrl(url: string, credentials: XenditCredentials): string {
  if (!canReturnTo(url, credentials))
    throw new NotProcessed('Xendit returns buyers to https URLs only: set PUBLIC_URL');
  if (url.length > MAXIMUM_LENGTH)
    throw new NotProcessed(`Xendit accepts return URLs of at most ${MAXIMUM_LENGTH} characters: shorten PUBLIC_URL`);
  return url;
}

/** Fields by which the merchant finds the payment, within the lengths of Xendit's API reference. */
export function descriptionOf(description: string, transaction: string): object {
  return {
    ...(description !== '' && { description: description.slice(0, 1000) }),
    ...(transaction !== '' && { metadata: { transaction: transaction.slice(0, 500) } }),
  };
}

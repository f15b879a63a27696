import { NotSent } from '../port.ts';
import { apiUrl, type XenditCredentials } from './credentials.ts';
import { isOnThisMachine } from './urls.ts';

/** Length of a return URL (Xendit's page "Routing payment channels"). */
const MAXIMUM_LENGTH = 255;

/** Xendit takes return URLs with https only; a simulator on this machine takes http too. */
export function canReturnTo(url: string, credentials: XenditCredentials): boolean {
  return url.startsWith('https://') || (isOnThisMachine(url) && isOnThisMachine(apiUrl(credentials)));
}

/** Throws before anything is sent for a URL that Xendit would reject. */
export function requireReturnUrl(url: string, credentials: XenditCredentials): string {
  if (!canReturnTo(url, credentials)) throw new NotSent('Xendit returns buyers to https URLs only: set PUBLIC_URL');
  if (url.length > MAXIMUM_LENGTH)
    throw new NotSent(`Xendit takes return URLs of at most ${MAXIMUM_LENGTH} characters: shorten PUBLIC_URL`);
  return url;
}

/** What the merchant finds the payment by, within the lengths of Xendit's API reference. */
export function descriptionOf(description: string, transaction: string): object {
  return {
    ...(description !== '' && { description: description.slice(0, 1000) }),
    ...(transaction !== '' && { metadata: { transaction: transaction.slice(0, 500) } }),
  };
}

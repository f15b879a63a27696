import { OperatorError } from '../../system/operator-error.ts';

/** Where a node is, apart from what nobody may read: keys that providers put into paths, user names, passwords. */
export interface NodeUrl {
  /** To connect to. */
  href: string;
  /** Of the user name and password in it (RFC 7617); null where there is none. */
  authorization: string | null;
  /** To show: scheme, host and port. */
  displayUrl: string;
  /** A text of the node's without the URL's secrets. */
  hideSecrets(text: string): string;
}

/** Parts of a URL that are shorter are words, such as `v3` and `rpc`. */
const MIN_SECRET_LENGTH = 6;

/** Throws an `OperatorError`, which does not repeat the URL, where it is none of HTTP. */
export function parseNodeUrl(text: string): NodeUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new OperatorError('The URL of the Ethereum node is none of http or https.');
  const userName = decodePart(url.username);
  const password = decodePart(url.password);
  const secrets = [url.username, url.password, ...url.pathname.split('/'), ...url.searchParams.values(), url.search]
    .flatMap((part) => [part, decodePart(part)])
    .filter((part) => part.length >= MIN_SECRET_LENGTH)
    .sort((one, other) => other.length - one.length);
  const displayUrl = url.origin;
  url.username = '';
  url.password = '';
  return {
    href: url.href,
    authorization:
      userName || password ? `Basic ${Buffer.from(`${userName}:${password}`, 'utf8').toString('base64')}` : null,
    displayUrl: displayUrl,
    hideSecrets: (message) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), message),
  };
}

/** A `%` may stand for itself in a password. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

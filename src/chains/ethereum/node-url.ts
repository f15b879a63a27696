import { OperatorError } from '../../system/operator-error.ts';

/** A node's URL, split from its secrets: keys in provider paths, user names, passwords. */
export interface NodeUrl {
  /** For connections. */
  href: string;
  /** Basic authentication with the URL's user name and password (RFC 7617); null if it has none. */
  authorization: string | null;
  /** For display: scheme, host and port. */
  displayUrl: string;
  /** Removes the URL's secrets from a node's message. */
  hideSecrets(text: string): string;
}

/** Shorter parts of a URL, such as `v3` and `rpc`, are not secret. */
const MIN_SECRET_LENGTH = 6;

/** Throws an `OperatorError` for a URL other than HTTP. The error does not contain the URL. */
export function parseNodeUrl(text: string): NodeUrl {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new OperatorError('The URL of the Ethereum node must be http or https.');
  const userName = decodePart(url.username);
  const password = decodePart(url.password);
  const secrets = [url.username, url.password, ...url.pathname.split('/'), ...url.searchParams.values(), url.search]
    .flatMap((part) => [part, decodePart(part)])
    .filter((part) => part.length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
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

/** Passwords may contain a literal `%`. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

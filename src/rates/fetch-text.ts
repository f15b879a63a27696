import { fetch } from 'undici';
import { readText } from '../system/read-text.ts';
import type { FetchText } from './port.ts';

const TIMEOUT_MS = 10_000;
/** The largest response (all tickers of an exchange) is about 100 kB. */
const MAX_BYTES = 1024 * 1024;

/** Fetches from rate sources. Their URLs are constants, and redirects are errors, so no other host is contacted. */
export function createFetchText(): FetchText {
  return async (url) => {
    const response = await fetch(url, {
      redirect: 'error',
      headers: { accept: 'application/json, application/xml', 'user-agent': 'Paylatch' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await readText(response, MAX_BYTES);
    if (!response.ok) throw new Error(`${new URL(url).host} returned status ${response.status}.`);
    return text;
  };
}

import { html } from 'lit';
import type { CoinTransaction } from '../../../src/api/page-state.ts';
import { httpUrl } from '../elements/http-url.ts';
import { codeText } from './code-text.ts';

/** A transaction's hash, with a link to a block explorer in a new tab. */
export function transactionLink({ hash, url }: CoinTransaction) {
  const address = httpUrl(url);
  if (address === null) return codeText(hash);
  return html`<a href=${address} target="_blank" rel="noopener noreferrer">${codeText(hash)}</a>`;
}

import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { AccountPage } from '../account-page.ts';
import { pageHead } from '../parts.ts';
import type { CryptoBalances } from './crypto-balances.ts';
import type { WalletList } from './wallet-list.ts';
import type { WithdrawalList } from './withdrawal-list.ts';
import './crypto-balances.ts';
import './wallet-list.ts';
import './withdrawal-list.ts';

/** The balances of a merchant, its withdrawals, and its wallets. */
@customElement('crypto-page')
export class CryptoPage extends AccountPage {
  #reload() {
    for (const { loader } of this.querySelectorAll<CryptoBalances | WalletList | WithdrawalList>(
      'crypto-balances, wallet-list, withdrawal-list',
    ))
      void loader.run();
  }

  override render() {
    return html`${pageHead(this.text('shell.pages.crypto'))}
      <crypto-balances @crypto-change=${() => this.#reload()}></crypto-balances>
      <withdrawal-list @crypto-change=${() => this.#reload()}></withdrawal-list>
      <wallet-list @crypto-change=${() => this.#reload()}></wallet-list>`;
  }
}

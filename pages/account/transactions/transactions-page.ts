import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { AccountPage } from '../account-page.ts';
import '../account-state.ts';

@customElement('transactions-page')
export class TransactionsPage extends AccountPage {
  override render() {
    return html`<header class="page-head"><h1 tabindex="-1">${this.text('shell.pages.transactions')}</h1></header>
      <account-state .words=${this.words} .heading=${this.text('shell.not_yet')}></account-state>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'transactions-page': TransactionsPage;
  }
}

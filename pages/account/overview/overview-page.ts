import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { AccountPage } from '../account-page.ts';
import '../account-state.ts';

@customElement('overview-page')
export class OverviewPage extends AccountPage {
  override render() {
    return html`<header class="page-head"><h1 tabindex="-1">${this.text('shell.pages.overview')}</h1></header>
      <account-state .words=${this.words} .heading=${this.text('shell.not_yet')}></account-state>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'overview-page': OverviewPage;
  }
}

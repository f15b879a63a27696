import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { AccountPage } from '../account-page.ts';
import '../account-state.ts';

@customElement('audit-log-page')
export class AuditLogPage extends AccountPage {
  override render() {
    return html`<header class="page-head"><h1 tabindex="-1">${this.text('shell.pages.audit_log')}</h1></header>
      <account-state .words=${this.words} .heading=${this.text('shell.not_yet')}></account-state>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'audit-log-page': AuditLogPage;
  }
}

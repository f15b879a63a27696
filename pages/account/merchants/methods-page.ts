import { html } from 'lit';
import { customElement } from 'lit/decorators.js';
import { AccountPage } from '../account-page.ts';

@customElement('methods-page')
export class MethodsPage extends AccountPage {
  override render() {
    return html`<h1 tabindex="-1">${this.text('shell.pages.methods')}</h1>`;
  }
}

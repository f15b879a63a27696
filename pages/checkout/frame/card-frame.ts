import { html } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { assurance } from '../elements/assurance.ts';
import type { PageView } from '../store/page-view.ts';
import { PaymentPage } from '../store/payment-page.ts';

/** The card form on its own, inside a merchant's checkout page. */
@customElement('card-frame')
export class CardFrame extends PaymentPage {
  /** Replaces the security note below the button. */
  @property({ attribute: false }) footer: unknown = null;

  protected override content(view: PageView) {
    return this.payment(view);
  }

  protected override method(view: PageView) {
    return this.card(view);
  }

  protected override foot() {
    return html`<div class="foot">${this.footer ?? assurance(this.i18n)}</div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'card-frame': CardFrame;
  }
}

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { AccountPage } from '../account-page.ts';
import { copyButton } from '../copy-button.ts';
import { hasScope } from '../context.ts';
import { button, pageHead, section } from '../parts.ts';
import './embed-section.ts';
import './tokens-section.ts';

/** Quick start, access tokens and the embedded form. */
@customElement('integration-page')
export class IntegrationPage extends AccountPage {
  override render() {
    return html`${pageHead(this.text('shell.pages.integration'))}
      <div class="integration">
        ${this.#quickStart()}
        ${hasScope(this.context, 'token:manage') ? html`<tokens-section></tokens-section>` : nothing}
        ${hasScope(this.context, 'preference:read') ? html`<embed-section></embed-section>` : nothing}
      </div>`;
  }

  #quickStart() {
    const code = firstRequest(location.origin);
    const label = this.text('integration.quick_start');
    return section(
      'quick-start',
      label,
      html`<p class="section-text">${this.text('integration.quick_start_text')}</p>
        <div class="panel panel-body">
          <pre class="code" tabindex="0" role="group" dir="ltr" aria-label=${label}>${code}</pre>
          <div class="row-actions">
            ${copyButton(code, label, this.i18n)}
            ${button(this.text('integration.reference'), '/reference', { icon: 'file-text', kind: 'quiet' })}
          </div>
        </div>`,
    );
  }
}

/** A curl command that creates a payment; its response contains the payment link. */
function firstRequest(origin: string): string {
  const body = {
    transaction_id: 'order-1',
    ...{ payment_method: 'credit_card', amount: 12.5, currency: 'USD', country: 'USA', description: 'Two cups' },
    ...{ success_redirect_url: 'https://shop.example/paid', fail_redirect_url: 'https://shop.example/failed' },
    type_of_calculation: 'forward_without_fee',
  };
  return [
    `curl ${origin}/fiat/v1/transaction \\`,
    `  -H "Authorization: Bearer $ACCESS_TOKEN" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify(body, null, 4).replace('\n}', '\n  }')}'`,
  ].join('\n');
}

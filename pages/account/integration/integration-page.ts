import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { CallbackEndpoint } from '../../../client/api.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { Loader } from '../loader.ts';
import './callback-section.ts';
import './deliveries-section.ts';
import './embed-section.ts';
import './tokens-section.ts';
import './verification-section.ts';
import { button } from '../parts.ts';

/** Integration of the shop: webhooks, access tokens and the embedded form. */
@customElement('integration-page')
export class IntegrationPage extends AccountPage {
  readonly #endpointLoader = new Loader<CallbackEndpoint>(this, async (signal) => {
    const { endpoint } = await this.context.api.listCallbacks({ per_page: 1 }, { signal });
    return endpoint;
  });

  #reload() {
    void this.#endpointLoader.run();
    this.querySelector('deliveries-section')?.refresh();
  }

  override render() {
    const { i18n, context } = this;
    const links = ['callbacks', 'deliveries', ...(hasScope(context, 'token:manage') ? ['tokens'] : []), 'embedding'];
    return html`<header class="page-head">
        <h1 tabindex="-1">${this.text('shell.pages.integration')}</h1>
        <nav class="page-nav" aria-label=${this.text('integration.on_this_page')}>
          ${links.map((name) => button(this.text(`integration.${name}`), `#${name}`, { kind: 'quiet' }))}
        </nav>
      </header>
      <div class="integration" @endpoint-change=${() => this.#reload()}>
        ${loadView(this.#endpointLoader, i18n, {
          skeleton: () => skeletonRows(2),
          content: (endpoint) => html`<callback-section .endpoint=${endpoint}></callback-section>`,
        })}
        <verification-section></verification-section>
        <deliveries-section></deliveries-section>
        ${hasScope(context, 'token:manage') ? html`<tokens-section></tokens-section>` : nothing}
        ${hasScope(context, 'preference:read') ? html`<embed-section></embed-section>` : nothing}
      </div>`;
  }
}

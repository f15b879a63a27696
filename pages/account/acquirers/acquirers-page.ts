import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { AcquirerAccount } from '../../../client/api.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { icon } from '../icons.ts';
import { Loader } from '../loader.ts';
import { button, emptyState, pageHead } from '../parts.ts';
import { nameOfMethod } from '../transactions/methods.ts';
import { latency, responseRate, stateTag } from './health.ts';

/** For managers: a merchant's acquirer accounts and their health. */
@customElement('acquirers-page')
export class AcquirersPage extends AccountPage {
  readonly #loader = this.reloadOnUpdate(
    new Loader(this, async (signal) => {
      const { api } = this.context;
      const [{ accounts }, { acquirers }] = await Promise.all([
        api.listAcquirerAccounts({ signal }),
        api.listAcquirers({}, { signal }),
      ]);
      return { accounts, names: new Map(acquirers.map(({ name, display_name: shown }) => [name, shown])) };
    }),
    3000,
  );

  override render() {
    const add = button(this.text('acquirers.add'), this.context.merchantPath('acquirers', 'new'), {
      ...{ kind: 'primary', icon: 'plus' },
    });
    return html`${pageHead(this.text('shell.pages.acquirers'), add, this.text('acquirers.lead'))}
      ${loadView(this.#loader, this.i18n, {
        skeleton: () => skeletonRows(3),
        empty: ({ accounts }) => (accounts.length > 0 ? null : this.#emptyState()),
        content: ({ accounts, names }) => html`<ul class="panel list">
          ${accounts.map((account) => this.#row(account, names.get(account.acquirer) ?? account.acquirer))}
        </ul>`,
      })}`;
  }

  #emptyState() {
    const isSandbox = this.context.account?.environment === 'sandbox';
    return emptyState(
      'landmark',
      this.text('acquirers.empty_title'),
      this.text(isSandbox ? 'acquirers.empty_sandbox' : 'acquirers.empty_text'),
    );
  }

  #row(account: AcquirerAccount, acquirer: string) {
    const { format } = this.context;
    const { id, name, shared, health } = account;
    const figures =
      typeof health?.median_ms !== 'number'
        ? []
        : [responseRate(account, this.i18n, format) ?? '', latency(health.median_ms, this.i18n, format)];
    const methods = [...new Set(account.routes.map((route) => route.payment_method))];
    const shown = methods.slice(0, 3).map((method) => nameOfMethod(method, this.i18n));
    const more = methods.length - shown.length;
    return html`<li class="row row-wraps">
      <span class="row-icon" aria-hidden="true">${icon('landmark')}</span>
      <div class="row-content">
        <a class="row-title link" href=${this.context.merchantPath('acquirers', id)} dir="auto">${name}</a>
        <span class="row-text">
          ${[acquirer, this.text(shared ? 'acquirers.shared' : 'acquirers.own'), ...figures].join(' · ')}
        </span>
        ${
          shown.length === 0
            ? nothing
            : html`<span class="row-text">${shown.join(', ')}${more > 0 ? ` +${more}` : ''}</span>`
        }
      </div>
      <div class="row-end">${stateTag(account, this.i18n)}</div>
    </li>`;
  }
}

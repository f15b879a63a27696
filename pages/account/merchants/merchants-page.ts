import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { CreateMerchantResponse, Merchant } from '../../../client/api.ts';
import { AccountPage } from '../account-page.ts';
import { listView } from '../list-view.ts';
import { trimmedValue, textField } from '../fields.ts';
import { ListLoader } from '../loader.ts';
import { accountPath } from '../routes.ts';
import { secretPanel } from '../secret-view.ts';
import { toProblem, fieldDetail } from '../problems.ts';
import { button, emptyState, pageHead } from '../parts.ts';

/** For managers: all merchants of the service. */
@customElement('merchants-page')
export class MerchantsPage extends AccountPage {
  @state() private search = '';
  @state() private created: CreateMerchantResponse | null = null;

  #searchTimer = 0;
  readonly #loader = new ListLoader(this, async (page, signal) => {
    const query = { ...page, search: this.search.trim() };
    const { merchants, next_cursor: next } = await this.context.api.listMerchants(query, { signal });
    return [merchants, next] as const;
  });

  override disconnectedCallback() {
    super.disconnectedCallback();
    clearTimeout(this.#searchTimer);
  }

  #scheduleSearch(search: string) {
    this.search = search;
    this.#loader.resetPages();
    clearTimeout(this.#searchTimer);
    this.#searchTimer = window.setTimeout(() => void this.#loader.run(), 200);
  }

  async #create() {
    const { prompt, api, announce, reloadAccount } = this.context;
    const values = await prompt({
      heading: this.text('merchants.add_title'),
      fields: textField({
        ...{ id: 'merchant-name', name: 'name', label: this.text('merchants.name'), maxlength: 100, required: true },
        hint: this.text('merchants.name_hint'),
      }),
      confirm: this.text('merchants.add'),
    });
    const name = values === null ? '' : trimmedValue(values, 'name');
    if (name === '') return;
    try {
      this.created = await api.createMerchant({ name });
      await reloadAccount();
      void this.#loader.run();
      await this.updateComplete;
      this.querySelector<HTMLElement>('#merchant-secret')?.focus();
    } catch (error) {
      const problem = toProblem(error);
      announce(fieldDetail(problem, 'name') ?? this.problemSentence(problem));
    }
  }

  override render() {
    return html`${pageHead(
      this.text('shell.pages.merchants'),
      button(this.text('merchants.add'), () => void this.#create(), { kind: 'primary', icon: 'plus' }),
    )}
      ${secretPanel(
        this.i18n,
        this.created && {
          ...{ id: 'merchant-secret', value: this.created.callback_secret, text: this.text('merchants.secret_text') },
          label: this.text('merchants.secret', { name: this.created.merchant.name }),
          close: () => (this.created = null),
        },
      )}
      ${textField({
        ...{
          id: 'merchant-search',
          name: 'search',
          type: 'search',
          isLabelHidden: true,
          className: 'merchants-search',
        },
        ...{ label: this.text('merchants.search'), placeholder: this.text('merchants.search') },
        onInput: (search) => this.#scheduleSearch(search),
      })}
      ${listView(this.#loader, this.i18n, {
        skeletonRowCount: 6,
        empty: () => emptyState('store', this.text(this.search === '' ? 'merchants.none' : 'merchants.no_matches')),
        row: (merchant) => this.#merchantRow(merchant),
        key: 'id',
        more: this.text('merchants.show_more'),
      })}`;
  }

  #merchantRow({ id, name, createdAt: at }: Merchant) {
    const { format } = this.context;
    return html`<li class="row row-wraps">
      <span class="merchant-avatar" aria-hidden="true">${[...name][0]?.toUpperCase()}</span>
      <div class="row-content">
        <a class="row-title link" href=${accountPath(id, 'overview')} dir="auto">${name}</a>
        <span class="row-text tabular">ID ${id} · ${this.text('merchants.created')} ${format.date(at)}</span>
      </div>
      <div class="row-actions">
        ${(['settings', 'methods'] as const).map((page) => {
          const label = this.text(`shell.pages.${page}`);
          return button(label, accountPath(id, page), { kind: 'quiet', name: `${label}: ${name}` });
        })}
      </div>
    </li>`;
  }
}

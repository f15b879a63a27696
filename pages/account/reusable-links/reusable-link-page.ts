import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { ReusableLink } from '../../../client/api.ts';
import { httpUrl } from '../../checkout/elements/http-url.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { type Brand, noBrand } from '../new-link/brand.ts';
import { readLinkPreferences } from '../new-link/link-preferences.ts';
import { poster } from '../new-link/poster.ts';
import { copyable, copyButton } from '../copy-button.ts';
import { qrCard, shareActions } from '../link-sharing.ts';
import { Loader } from '../loader.ts';
import { backLink, button, factList, pageHead, tag } from '../parts.ts';
import { SerialQueue } from '../serial-queue.ts';
import { linkAmount } from './link-amount.ts';
import './reusable-link-form.ts';

const REFRESH_DELAY_MS = 1000;

/** A reusable link: its sales, sharing, poster and form. The ID `new` creates one. */
@customElement('reusable-link-page')
export class ReusableLinkPage extends AccountPage {
  @state() private isEditing = false;
  @state() private brand: Brand = noBrand;

  readonly #queue = new SerialQueue(this);
  readonly #loader = this.reloadOnUpdate(
    new Loader<ReusableLink | null>(this, async (signal) =>
      this.#isNew ? null : await this.context.api.getReusableLink({ id: this.params['id'] ?? '' }, { signal }),
    ),
    REFRESH_DELAY_MS,
  );

  override connectedCallback() {
    super.connectedCallback();
    void readLinkPreferences(this.context).then((brand) => (this.brand = brand));
  }

  get #isNew(): boolean {
    return this.params['id'] === 'new';
  }

  async #setArchived(link: ReusableLink, archived: boolean) {
    if (archived && !(await this.confirm('reusable_links.archive', { title: link.title }))) return;
    const { api } = this.context;
    await this.#queue.run('archive', async () => {
      await this.attempt(async () => {
        this.#loader.set(await api.archiveReusableLink({ id: link.id, archived }));
        this.context.announce(
          this.text(archived ? 'statuses.reusable_link.archived' : 'statuses.reusable_link.active'),
        );
      });
    });
  }

  #saved({ detail }: CustomEvent<ReusableLink>) {
    this.context.announce(this.text('reusable_links.saved'));
    if (this.#isNew) return this.context.navigate(this.context.merchantPath('reusable-links', detail.id));
    this.#loader.set(detail);
    this.isEditing = false;
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('h1')?.focus());
  }

  override render() {
    const link = this.#loader.value;
    const title = link?.title ?? this.text(this.#isNew ? 'reusable_links.create' : 'shell.pages.reusable_link');
    const form = (edited: ReusableLink | null) => html`<reusable-link-form
      .link=${edited}
      @link-saved=${(event: CustomEvent<ReusableLink>) => this.#saved(event)}
    ></reusable-link-form>`;
    return html`${backLink(this.context.merchantPath('reusable-links'), this.text('shell.pages.reusable_links'))}
      ${pageHead(
        html`<bdi>${title}</bdi>`,
        link && !this.isEditing ? this.#actions(link) : nothing,
        link?.description && !this.isEditing ? html`<bdi>${link.description}</bdi>` : nothing,
      )}
      ${
        this.#isNew
          ? form(null)
          : loadView(this.#loader, this.i18n, {
              skeleton: () => skeletonRows(3),
              content: (loaded) => (loaded === null ? html`` : this.isEditing ? form(loaded) : this.#detail(loaded)),
            })
      }`;
  }

  #actions(link: ReusableLink) {
    const isArchived = link.status === 'archived';
    return html`<div class="created-actions">
      ${isArchived ? tag(this.text('statuses.reusable_link.archived')) : nothing}
      ${
        hasScope(this.context, 'link:write')
          ? html`${button(this.text('reusable_links.edit'), () => (this.isEditing = true), { icon: 'pencil' })}
            ${button(
              this.text(isArchived ? 'reusable_links.restore' : 'reusable_links.archive'),
              () => void this.#setArchived(link, !isArchived),
              { isBusy: this.#queue.has('archive') },
            )}`
          : nothing
      }
    </div>`;
  }

  #detail(link: ReusableLink) {
    const { format } = this.context;
    const url = httpUrl(link.url) ?? '';
    const amount = link.amount === null ? '' : linkAmount(link, format);
    const isArchived = link.status === 'archived';
    return html`<section class="panel reusable-link">
        <div class="panel-body created">
          <div class="created-content">
            <p class="created-url" dir="ltr"><code>${url}</code></p>
            <div class="created-actions">
              ${copyButton(url, this.text('reusable_links.url'), this.i18n, 'primary')}
              ${button(this.text('new_link.open'), url, { icon: 'external-link', isExternal: true })}
            </div>
            ${isArchived ? nothing : shareActions(this.context, { url, parts: [this.brand.name, link.title, amount] })}
            ${factList([
              [this.text('new_link.fields.amount_plain'), linkAmount(link, format)],
              [this.text('reusable_links.sold'), format.number(link.sold)],
              [this.text('reusable_links.reserved'), link.reserved === 0 ? null : format.number(link.reserved)],
              [this.text('reusable_links.available'), link.available === null ? null : format.number(link.available)],
              [this.text('reusable_links.revenue'), format.money(link.revenue, link.currency)],
              [this.text('reusable_links.id'), copyable(link.id, this.text('reusable_links.id'), this.i18n)],
            ])}
            <div class="created-actions">
              ${button(
                this.text('reusable_links.transactions'),
                `${this.context.merchantPath('transactions')}?reusable_link_id=${encodeURIComponent(link.id)}`,
                { icon: 'receipt-text' },
              )}
            </div>
          </div>
          ${qrCard(this.context, url, link.id)}
        </div>
      </section>
      ${poster(
        {
          ...{ brand: this.brand, title: link.title, text: link.description, url, amount },
        },
        this.i18n,
      )}`;
  }
}

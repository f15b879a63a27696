import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { ReusableLink } from '../../../client/api.ts';
import { AccountPage } from '../account-page.ts';
import { listView } from '../list-view.ts';
import { hasScope } from '../context.ts';
import { copyable } from '../copy-button.ts';
import { icon } from '../icons.ts';
import { ListLoader } from '../loader.ts';
import { button, emptyState, pageHead, tag } from '../parts.ts';
import { linkAmount } from './link-amount.ts';

const REFRESH_DELAY_MS = 1000;

/** The merchant's reusable links, with their sales. */
@customElement('reusable-links-page')
export class ReusableLinksPage extends AccountPage {
  readonly #loader = this.reloadOnUpdate(
    new ListLoader<ReusableLink>(this, async (page, signal) => {
      const { reusable_links: links, next_cursor: next } = await this.context.api.listReusableLinks(page, { signal });
      return [links, next];
    }),
    REFRESH_DELAY_MS,
  );

  override render() {
    const create = hasScope(this.context, 'link:write')
      ? button(this.text('reusable_links.create'), this.context.merchantPath('reusable-links', 'new'), {
          ...{ kind: 'primary', icon: 'plus' },
        })
      : null;
    return html`${pageHead(this.text('shell.pages.reusable_links'), create, this.text('reusable_links.lead'))}
      ${listView(this.#loader, this.i18n, {
        skeletonRowCount: 3,
        empty: () =>
          emptyState('qr-code', this.text('reusable_links.empty_title'), this.text('reusable_links.empty_text')),
        row: (link) => this.#row(link),
        key: 'id',
        more: this.text('reusable_links.more'),
      })}`;
  }

  #row(link: ReusableLink) {
    const { format } = this.context;
    const { id, title, url, sold, stock, revenue, currency } = link;
    const isArchived = link.status === 'archived';
    const sales =
      stock === null
        ? this.text('reusable_links.sold_count', { count: sold })
        : this.text('reusable_links.sold_of', { sold, stock });
    const end = [
      ...(isArchived ? [tag(this.text('statuses.reusable_link.archived'))] : []),
      ...(sold === 0
        ? []
        : [
            html`<span class="row-text">${this.text('reusable_links.revenue')}</span>
              <b>${format.money(revenue, currency)}</b>`,
          ]),
    ];
    const name = html`<a class="row-title link" href=${this.context.merchantPath('reusable-links', id)}><bdi>${title}</bdi></a>`;
    return html`<li class="row row-wraps">
      <span class="row-icon" aria-hidden="true">${icon('qr-code')}</span>
      <div class="row-content">
        ${isArchived ? name : copyable(url, title, this.i18n, name)}
        <span class="row-text">${linkAmount(link, format)} · ${sales}</span>
      </div>
      ${end.length === 0 ? nothing : html`<div class="row-end">${end}</div>`}
    </li>`;
  }
}

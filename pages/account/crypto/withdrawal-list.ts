import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { ListWithdrawalsInput, Withdrawal } from '../../../client/api.ts';
import { listView } from '../list-view.ts';
import { hasScope } from '../context.ts';
import { icon } from '../icons.ts';
import { ListLoader } from '../loader.ts';
import { bareButton, button, emptyState, section, tag } from '../parts.ts';
import { methodLogo } from '../transactions/methods.ts';
import { addressView } from './address.ts';
import { CryptoSection, PER_PAGE, REFRESH_DELAY_MS, stateTones } from './crypto-section.ts';
import './withdrawal-detail.ts';

const statuses = ['waiting', 'to_sign', 'sent', 'confirmed', 'failed'] as const;

/** The withdrawals of a merchant. */
@customElement('withdrawal-list')
export class WithdrawalList extends CryptoSection {
  @state() private status = '';
  /** The withdrawal whose details are shown. */
  @state() private openedId: string | null = null;

  readonly loader = this.reloadOnUpdate(
    new ListLoader(this, async (page, signal) => {
      const query = { ...page, status: this.status, per_page: PER_PAGE } as ListWithdrawalsInput;
      const { withdrawals, next_cursor: next } = await this.context.api.listWithdrawals(query, { signal });
      return [withdrawals, next] as const;
    }),
    REFRESH_DELAY_MS,
  );

  async #cancel({ id, status, txHashes, waitsFor }: Withdrawal) {
    // In status `to_sign`, the unsigned transaction is one of `txHashes`.
    const isCreated = status === 'sent' || txHashes.length > (status === 'to_sign' ? 1 : 0);
    const isSigned = isCreated && waitsFor?.reason !== 'new_destination';
    if (isSigned) {
      const values = await this.context.prompt({
        heading: this.text('crypto.cancel_title'),
        text: html`<p>${this.text('crypto.cancel_text')}</p>`,
        confirm: this.text('crypto.cancel'),
        dismiss: this.text('crypto.cancel_dismiss'),
        isDestructive: true,
      });
      if (values === null) return;
    }
    const cancel = async () => await this.context.api.cancelWithdrawal({ id });
    await this.runAction(id, cancel, this.text(isSigned ? 'crypto.cancel_requested' : 'crypto.cancelled'));
  }

  override render() {
    const options = statuses.map((status) => [status, this.text(`statuses.withdrawal.${status}`)] as const);
    const filter = this.filterField('withdrawalStatus', this.status, options, (status) => {
      this.status = status;
      void this.loader.restart();
    });
    const isUnfiltered = this.status === '';
    const view = listView(this.loader, this.i18n, {
      skeletonRowCount: 2,
      empty: () =>
        emptyState(
          'arrow-up-right',
          this.text(isUnfiltered ? 'crypto.no_withdrawals' : 'crypto.no_matches'),
          isUnfiltered ? this.text('crypto.no_withdrawals_text') : '',
        ),
      row: (withdrawal) => this.#withdrawalRow(withdrawal),
      key: 'id',
      more: this.text('crypto.more'),
    });
    return section(
      'withdrawals',
      this.text('crypto.withdrawals'),
      view,
      this.filterGroup(this.loader.value?.rows, isUnfiltered, filter),
    );
  }

  /** Users with `withdrawal:write` can cancel a held withdrawal; managers also one that is not in a block. */
  #canCancel({ status, purpose, waitsFor, confirmations, cancelling }: Withdrawal): boolean {
    if (!hasScope(this.context, 'withdrawal:write')) return false;
    if (waitsFor?.reason === 'new_destination') return true;
    const isOpen = status === 'waiting' || status === 'to_sign' || status === 'sent';
    return this.isManager && purpose !== 'gas' && isOpen && confirmations === 0 && !cancelling;
  }

  #withdrawalRow(withdrawal: Withdrawal) {
    const { id, code, purpose, status, amount, spent, destination, waitsFor, failure, heldUntil, createdAt } =
      withdrawal;
    const time = heldUntil === null ? '' : this.context.format.dateTimeText(heldUntil);
    const isOpen = this.openedId === id;
    return html`<li class="withdrawal">
      ${bareButton(
        html`<span class="row row-wraps withdrawal-row">
          ${methodLogo(code)}
          <span class="row-content">
            <span class="row-title tabular">${this.context.format.coinUnits(amount ?? spent, code)}</span>
            <span class="row-text">${this.text(`crypto.purposes.${purpose}`)} · ${this.context.format.relativeTime(createdAt)}</span>
            ${waitsFor === null ? nothing : html`<span class="row-text">${this.text(`crypto.pending.${waitsFor.reason}`, { time })}</span>`}
            ${withdrawal.cancelling ? html`<span class="row-text">${this.text('crypto.cancelling')}</span>` : nothing}
            ${failure === null ? nothing : html`<span class="row-text" dir="auto">${failure}</span>`}
            ${addressView(destination)}
          </span>
          <span class="row-end">
            ${tag(this.text(`statuses.withdrawal.${status}`), stateTones[status] ?? null)}
            ${icon(isOpen ? 'chevron-up' : 'chevron-down')}
          </span>
        </span>`,
        () => (this.openedId = isOpen ? null : id),
        { 'aria-expanded': String(isOpen) },
      )}
      ${
        this.#canCancel(withdrawal)
          ? html`<div class="row-actions withdrawal-actions">
              ${button(this.text('crypto.cancel'), () => void this.#cancel(withdrawal), { isDisabled: this.busyId === id })}
              ${status === 'sent' ? html`<span class="hint">${this.text('crypto.cancel_until')}</span>` : nothing}
            </div>`
          : nothing
      }
      ${
        isOpen
          ? html`<withdrawal-detail
              .withdrawal=${withdrawal}
              .canSubmit=${hasScope(this.context, 'withdrawal:write')}
              @withdrawal-submitted=${() => void this.loader.run()}
            ></withdrawal-detail>`
          : nothing
      }
    </li>`;
  }
}

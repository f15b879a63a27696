import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { ListWithdrawalsInput, Withdrawal } from '../../../client/api.ts';
import { listView } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { icon } from '../icons.ts';
import { ListLoader } from '../load.ts';
import { bareButton, button, emptyState, section, tag } from '../parts.ts';
import { CryptoList, PER_PAGE, REFRESH_AFTER_MS, tones } from './crypto-list.ts';
import './withdrawal-detail.ts';

const statuses = ['waiting', 'to_sign', 'sent', 'confirmed', 'failed'] as const;

/** The withdrawals of a merchant. */
@customElement('withdrawal-list')
export class WithdrawalList extends CryptoList {
  @state() private status = '';
  /** The withdrawal whose details are shown. */
  @state() private opened: string | null = null;

  readonly list = this.reloadOnUpdate(
    new ListLoader(this, async (from, signal) => {
      const query = { ...from, status: this.status, per_page: PER_PAGE } as ListWithdrawalsInput;
      const { withdrawals, next_cursor: next } = await this.context.api.listWithdrawals(query, { signal });
      return [withdrawals, next] as const;
    }),
    REFRESH_AFTER_MS,
  );

  async #cancel({ id, status, txHashes, waitsFor }: Withdrawal) {
    // One that waits for its signature has the transaction to sign among them.
    const isMade = status === 'sent' || txHashes.length > (status === 'to_sign' ? 1 : 0);
    const isSigned = isMade && waitsFor?.reason !== 'destination';
    if (isSigned) {
      const answer = await this.context.prompt({
        heading: this.text('crypto.cancel_title'),
        text: html`<p>${this.text('crypto.cancel_text')}</p>`,
        confirm: this.text('crypto.cancel'),
        dismiss: this.text('crypto.cancel_dismiss'),
        isDestructive: true,
      });
      if (answer === null) return;
    }
    const cancel = async () => await this.context.api.cancelWithdrawal({ id });
    await this.run(id, cancel, this.text(isSigned ? 'crypto.cancel_asked' : 'crypto.cancelled'));
  }

  override render() {
    const options = statuses.map((each) => [each, this.text(`crypto.statuses.${each}`)] as const);
    const filter = this.filter('withdrawalStatus', this.status, options, (status) => {
      this.status = status;
      void this.list.restart();
    });
    const isAll = this.status === '';
    const view = listView(this.list, this.i18n, {
      skeletonRowCount: 2,
      empty: () =>
        emptyState(
          'arrow-up-right',
          this.text(isAll ? 'crypto.no_withdrawals' : 'crypto.none_such'),
          isAll ? this.text('crypto.no_withdrawals_text') : '',
        ),
      row: (withdrawal) => this.#withdrawal(withdrawal),
      more: this.text('crypto.more'),
    });
    return section(
      'withdrawals',
      this.text('crypto.withdrawals'),
      view,
      html`<div class="head-filters">${filter}</div>`,
    );
  }

  /** A held one by anyone who may send money; a manager also cancels what is in no block. */
  #mayCancel({ status, purpose, waitsFor, confirmations, cancelling }: Withdrawal): boolean {
    if (!hasScope(this.context, 'withdrawal:write')) return false;
    if (waitsFor?.reason === 'destination') return true;
    const isOpen = status === 'waiting' || status === 'to_sign' || status === 'sent';
    return this.isManager && purpose !== 'gas' && isOpen && confirmations === 0 && !cancelling;
  }

  #withdrawal(withdrawal: Withdrawal) {
    const { id, code, purpose, status, amount, spent, destination, waitsFor, failure, heldUntil, createdAt } =
      withdrawal;
    const time = heldUntil === null ? '' : this.context.format.dateTimeText(heldUntil);
    const isOpen = this.opened === id;
    return html`<li class="withdrawal">
      ${bareButton(
        html`<span class="row withdrawal-row">
          <span class="row-words">
            <span class="row-title tabular">${this.context.format.coinUnits(amount ?? spent, code)}</span>
            <span class="row-text">${this.text(`crypto.purposes.${purpose}`)} · ${this.context.format.relativeTime(createdAt)}</span>
            ${waitsFor === null ? nothing : html`<span class="row-text">${this.text(`crypto.waits.${waitsFor.reason}`, { time })}</span>`}
            ${withdrawal.cancelling ? html`<span class="row-text">${this.text('crypto.cancelling')}</span>` : nothing}
            ${failure === null ? nothing : html`<span class="row-text" dir="auto">${failure}</span>`}
            <span class="row-text address" dir="ltr">${destination}</span>
          </span>
          ${tag(this.text(`crypto.statuses.${status}`), tones[status] ?? null)}
          ${icon(isOpen ? 'chevron-up' : 'chevron-down')}
        </span>`,
        () => (this.opened = isOpen ? null : id),
        { 'aria-expanded': String(isOpen) },
      )}
      ${
        this.#mayCancel(withdrawal)
          ? html`<div class="row-actions withdrawal-actions">
              ${button(this.text('crypto.cancel'), () => void this.#cancel(withdrawal), { isDisabled: this.busyWith === id })}
            </div>`
          : nothing
      }
      ${
        isOpen
          ? html`<withdrawal-detail
              .listed=${withdrawal}
              .maySubmit=${hasScope(this.context, 'withdrawal:write')}
              @handed-in=${() => void this.list.run()}
            ></withdrawal-detail>`
          : nothing
      }
    </li>`;
  }
}

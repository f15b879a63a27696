import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Withdrawal, WithdrawalDetail as Detail } from '../../../client/api.ts';
import { cryptoCurrencies, familyOf } from '../../../src/shared/crypto-currency.ts';
import { AccountElement } from '../account-element.ts';
import { download } from '../../checkout/methods/save-image.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { trimmedValue, textArea } from '../fields.ts';
import { icon } from '../icons.ts';
import { Loader } from '../loader.ts';
import { copyable, copyButton } from '../copy-button.ts';
import { expandableRow } from '../expandable-row.ts';
import { toProblem, fieldDetail } from '../problems.ts';
import { button, factList } from '../parts.ts';
import { addressView } from './address.ts';

/**
 * One withdrawal: its fee, its transactions, and the transaction to sign offline.
 *
 * @fires withdrawal-submitted - a signed transaction was accepted
 */
@customElement('withdrawal-detail')
export class WithdrawalDetail extends AccountElement {
  /** The withdrawal in the list; a change reloads the detail. */
  @property({ attribute: false }) withdrawal!: Withdrawal;
  /** True if the user may submit the signed transaction. */
  @property({ attribute: false }) canSubmit = false;

  @state() private fieldError: string | null = null;
  @state() private isBusy = false;

  readonly #loader = new Loader<Detail>(
    this,
    async (signal) => {
      return await this.context.api.getWithdrawal({ id: this.withdrawal.id }, { signal });
    },
    true,
  );

  protected override updated(changed: PropertyValues<this>) {
    const previous = changed.get('withdrawal');
    if (changed.has('withdrawal') && previous?.updatedAt !== this.withdrawal.updatedAt) void this.#loader.run();
  }

  async #submit(event: SubmitEvent) {
    event.preventDefault();
    const signed = trimmedValue(new FormData(event.target as HTMLFormElement), 'signed').replace(/\s+/g, '');
    if (signed === '') {
      this.fieldError = this.text('crypto.signed_missing');
      return;
    }
    this.isBusy = true;
    this.fieldError = null;
    try {
      await this.context.api.submitWithdrawal({ id: this.withdrawal.id, signed });
      this.context.announce(this.text('crypto.submitted'));
      void this.#loader.run();
      this.emit('withdrawal-submitted', null);
    } catch (error) {
      const problem = toProblem(error);
      this.fieldError = fieldDetail(problem, 'signed') ?? this.problemSentence(problem);
    }
    this.isBusy = false;
  }

  override render() {
    return html`<div class="panel-body withdrawal-detail">
      ${loadView(this.#loader, this.i18n, {
        skeleton: () => skeletonRows(2),
        content: (detail) =>
          html`${this.#factsView(detail)} ${this.#walletsView(detail)} ${this.#unsignedView(detail)}`,
      })}
    </div>`;
  }

  #factsView(detail: Detail) {
    const { id, code, amount, spent, fee, feeCode, feeRate, limit, confirmations, minConfirmations } = detail;
    const { destination, txHash, txHashes, requestedBy, requestedByName, transactionId, waitsFor } = detail;
    const { format } = this.context;
    const { feeUnit } = familyOf(cryptoCurrencies[code].chain);
    const rate = (value: string | null) => value && html`<span dir="ltr">${value} ${feeUnit}</span>`;
    const versions = txHashes.map((hash, index) => {
      const name = this.text('crypto.facts.version', { number: index + 1 });
      const mark = txHashes.length > 1 && hash === txHash ? icon('check') : nothing;
      return [name, html`${copyable(hash, name, this.i18n)} ${mark}`] as const;
    });
    return html`${waitsFor === null ? nothing : html`<p class="section-text" dir="auto">${waitsFor.detail}</p>`}
    ${factList([
      [this.text('crypto.facts.id'), copyable(id, this.text('crypto.facts.id'), this.i18n)],
      [this.text('crypto.destination'), copyable(destination, this.text('crypto.destination'), this.i18n)],
      [this.text('crypto.facts.spent'), format.coinUnits(spent, code)],
      [this.text('crypto.facts.amount'), amount === null ? null : format.coinUnits(amount, code)],
      [this.text('crypto.facts.fee'), fee === null ? null : format.coinUnits(fee, feeCode)],
      [this.text('crypto.facts.fee_rate'), rate(feeRate)],
      [this.text('crypto.facts.fee_now'), rate(waitsFor?.feeNow ?? null)],
      [this.text('crypto.facts.limit'), rate(limit)],
      [this.text('crypto.facts.confirmations'), txHash === null ? null : `${confirmations} / ${minConfirmations}`],
      [this.text('crypto.facts.requested_by'), html`<bdi>${requestedByName ?? requestedBy}</bdi>`],
      [
        this.text('crypto.facts.refund_of'),
        transactionId && copyable(transactionId, this.text('crypto.facts.refund_of'), this.i18n),
      ],
      ...versions,
    ])}`;
  }

  #walletsView({ wallets, code }: Detail) {
    if (wallets.length === 0) return nothing;
    return expandableRow({
      head: this.text('crypto.from_wallets', { count: wallets.length }),
      content: factList(
        wallets.map(({ address, amount }) => [addressView(address), this.context.format.coinUnits(amount, code)]),
      ),
    });
  }

  #unsignedView({ id, unsigned, status }: Detail) {
    if (unsigned === null || status !== 'to_sign') return nothing;
    const { format, data, sender, path } = unsigned;
    const save = () =>
      download(new Blob([data], { type: 'text/plain' }), `${id}.${format === 'psbt' ? 'psbt.txt' : 'hex'}`);
    return html`<section class="section">
      <h3 class="section-heading">${this.text('crypto.unsigned')}</h3>
      <p class="section-text">${this.text(`crypto.formats.${format}`)}</p>
      ${sender === null ? nothing : html`<p class="section-text" dir="ltr"><code>${sender}</code> <code>${path}</code></p>`}
      <pre class="unsigned" dir="ltr" tabindex="0" role="group" aria-label=${this.text('crypto.unsigned')}>${data}</pre>
      <div class="created-actions">
        ${copyButton(data, this.text('crypto.unsigned'), this.i18n)}
        ${button(this.text('crypto.download'), save, { icon: 'download' })}
      </div>
      ${this.canSubmit ? this.#signedForm() : html`<p class="hint">${this.text('crypto.submit_forbidden')}</p>`}
    </section>`;
  }

  #signedForm() {
    const id = `signed-${this.withdrawal.id}`;
    return html`<form class="fields" autocomplete="off" novalidate @submit=${(event: SubmitEvent) => void this.#submit(event)}>
      ${textArea({
        ...{ id, name: 'signed', label: this.text('crypto.signed'), rows: 4, maxlength: 60_000 },
        ...{ fieldError: this.fieldError, dir: 'ltr' },
      })}
      <div class="created-actions">
        ${button(this.text('crypto.submit'), null, { kind: 'primary', isDisabled: this.isBusy })}
      </div>
    </form>`;
  }
}

import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Withdrawal, WithdrawalDetail as Detail } from '../../../client/api.ts';
import { browserClock } from '../../checkout/elements/clock.ts';
import { fieldMistake } from '../../checkout/elements/field-mistake.ts';
import { LightElement } from '../../checkout/elements/light-element.ts';
import { save } from '../../checkout/methods/save-picture.ts';
import { loadView, problemWords, skeletonRows } from '../account-state.ts';
import { asProblem } from '../api.ts';
import type { AccountContext } from '../context.ts';
import { coinsText } from '../decisions/waiting.ts';
import { given } from '../fields.ts';
import { icon } from '../icons.ts';
import { Load } from '../load.ts';
import '../../checkout/methods/copy-button.ts';

/**
 * One withdrawal: what it costs, what was made for it, and what is to be signed elsewhere.
 *
 * @fires handed-in
 */
@customElement('withdrawal-detail')
export class WithdrawalDetail extends LightElement {
  @property({ attribute: false }) context!: AccountContext;
  /** As it stands in the list: when that is another, so is what stands here. */
  @property({ attribute: false }) listed!: Withdrawal;
  /** Whether this person may hand in what was signed. */
  @property({ attribute: false }) maySubmit = false;

  @state() private mistake: string | null = null;
  @state() private isBusy = false;

  readonly #load = new Load<Detail>(this, async (signal) => {
    return await this.context.api.get<Detail>('/v1/withdrawal', { id: this.listed.id }, { signal });
  });

  protected override updated(changed: PropertyValues<this>) {
    const before = changed.get('listed');
    if (changed.has('listed') && before?.updatedAt !== this.listed.updatedAt) void this.#load.run();
  }

  #text(key: string, values?: Readonly<Record<string, string | number>>): string {
    return this.words.text(`account.crypto.${key}`, values);
  }

  async #submit(event: SubmitEvent) {
    event.preventDefault();
    const signed = given(new FormData(event.target as HTMLFormElement), 'signed').replace(/\s+/g, '');
    if (signed === '') {
      this.mistake = this.#text('signed_missing');
      return;
    }
    this.isBusy = true;
    this.mistake = null;
    try {
      await this.context.api.post('/v1/withdrawal/submit', { id: this.listed.id, signed });
      this.context.say(this.#text('signed_taken'));
      void this.#load.run();
      this.tell('handed-in', null);
    } catch (error) {
      const problem = asProblem(error);
      const { heading, text } = problemWords(problem, this.words);
      this.mistake = problem.of('signed') ?? `${heading}. ${text}`;
    }
    this.isBusy = false;
  }

  override render() {
    return html`<div class="panel-body withdrawal-detail">
      ${loadView(this.#load, this.words, {
        skeleton: () => skeletonRows(2),
        shown: (detail) => html`${this.#facts(detail)} ${this.#wallets(detail)} ${this.#toSign(detail)}`,
      })}
    </div>`;
  }

  #facts(detail: Detail) {
    const { code, amount, spent, fee, feeCode, feeRate, limit, confirmations, minConfirmations } = detail;
    const { txHash, txHashes, requestedBy, requestedByName, transactionId, waitsFor } = detail;
    const coins = (units: string, of: string) => this.context.format.coins(coinsText(BigInt(units), of), of);
    const facts: [string, unknown][] = [
      [this.#text('facts.spent'), coins(spent, code)],
      [this.#text('facts.amount'), amount === null ? null : coins(amount, code)],
      [this.#text('facts.fee'), fee === null ? null : coins(fee, feeCode)],
      [this.#text('facts.fee_rate'), feeRate],
      [this.#text('facts.fee_now'), waitsFor?.feeNow ?? null],
      [this.#text('facts.limit'), limit],
      [this.#text('facts.confirmations'), txHash === null ? null : `${confirmations} / ${minConfirmations}`],
      [this.#text('facts.requested_by'), requestedByName ?? requestedBy],
      [this.#text('facts.refund_of'), transactionId],
    ];
    const versions = txHashes.map(
      (hash, index) =>
        html`<div>
          <dt>${this.#text('facts.version', { number: index + 1 })}</dt>
          <dd dir="ltr"><code>${hash}</code> ${txHashes.length > 1 && hash === txHash ? icon('check') : nothing}</dd>
        </div>`,
    );
    return html`${waitsFor === null ? nothing : html`<p class="section-text" dir="auto">${waitsFor.detail}</p>`}
      <dl class="facts-list">
        ${facts.map(([label, value]) =>
          value === null ? nothing : html`<div><dt>${label}</dt><dd class="tabular"><bdi>${value}</bdi></dd></div>`,
        )}
        ${versions}
      </dl>`;
  }

  #wallets({ wallets, code }: Detail) {
    if (wallets.length === 0) return nothing;
    return html`<details class="more">
      <summary>${this.#text('from_wallets', { count: wallets.length })}</summary>
      <dl class="facts-list">
        ${wallets.map(
          ({ address, amount }) =>
            html`<div>
              <dt dir="ltr" class="address">${address}</dt>
              <dd class="tabular">${this.context.format.coins(coinsText(BigInt(amount), code), code)}</dd>
            </div>`,
        )}
      </dl>
    </details>`;
  }

  #toSign({ id, unsigned, status }: Detail) {
    if (unsigned === null || status !== 'to_sign') return nothing;
    const { format, data, sender, path } = unsigned;
    const file = () =>
      save(new Blob([data], { type: 'text/plain' }), `${id}.${format === 'psbt' ? 'psbt.txt' : 'hex'}`);
    return html`<section class="section">
      <h3 class="section-heading">${this.#text('to_sign')}</h3>
      <p class="section-text">${this.#text(`formats.${format}`)}</p>
      ${sender === null ? nothing : html`<p class="section-text" dir="ltr"><code>${sender}</code> <code>${path}</code></p>`}
      <pre class="unsigned" dir="ltr" tabindex="0" aria-label=${this.#text('to_sign')}>${data}</pre>
      <div class="made-actions">
        <copy-button
          .words=${this.words}
          .clock=${browserClock}
          .value=${data}
          .what=${this.#text('to_sign')}
          @announce=${(event: CustomEvent<string>) => this.context.say(event.detail)}
        ></copy-button>
        <button class="button" type="button" @click=${file}>${icon('download')}${this.#text('download')}</button>
      </div>
      ${this.maySubmit ? this.#signedForm() : html`<p class="hint">${this.#text('signed_not_yours')}</p>`}
    </section>`;
  }

  #signedForm() {
    const id = `signed-${this.listed.id}`;
    const { mistake } = this;
    return html`<form class="fields" autocomplete="off" novalidate @submit=${(event: SubmitEvent) => void this.#submit(event)}>
      <div class="labelled">
        <label for=${id}>${this.#text('signed')}</label>
        <textarea
          class="field"
          id=${id}
          name="signed"
          dir="ltr"
          autocomplete="off"
          spellcheck="false"
          maxlength="60000"
          aria-invalid=${mistake === null ? nothing : 'true'}
          aria-describedby="${id}-mistake"
        ></textarea>
        ${fieldMistake(`${id}-mistake`, mistake)}
      </div>
      <div class="made-actions">
        <button class="button button-main" ?disabled=${this.isBusy}>${this.#text('hand_in')}</button>
      </div>
    </form>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'withdrawal-detail': WithdrawalDetail;
  }
}

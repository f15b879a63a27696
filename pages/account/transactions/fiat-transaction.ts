import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import type { TransactionDetail } from '../../../client/api.ts';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import { amountText, minorOf } from '../amounts.ts';
import { may } from '../context.ts';
import { facts, tag, type Tone } from '../parts.ts';
import { methodMark, nameOfMethod } from './methods.ts';
import { type Action, bodyOf, questionOf } from './fiat-actions.ts';
import { statusWords } from './status.ts';
import { askedSum, deliveredSum, keptOf } from './sums.ts';
import { TransactionElement } from './transaction-element.ts';
import '../../checkout/elements/brand-mark.ts';

const actions = {
  accept: ['approval:write', 'check'],
  reject: ['approval:write', 'x'],
  refund: ['approval:write', 'undo-2'],
  renew: ['link:write', 'rotate-ccw'],
  cancel: ['link:write', 'ban'],
} as const;

/** Names of card schemes, which are the same in every language. */
const brandNames: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  'american-express': 'American Express',
  'diners-club': 'Diners Club',
  discover: 'Discover',
  jcb: 'JCB',
  unionpay: 'UnionPay',
  maestro: 'Maestro',
};

/** One transaction of a payment link: its history, its amounts and its actions. */
@customElement('fiat-transaction')
export class FiatTransaction extends TransactionElement {
  @property({ attribute: false }) detail!: TransactionDetail;

  readonly #money = (minor: bigint) => {
    const { currency } = this.detail;
    return this.context.format.money(amountText(minor, currency), currency);
  };

  async #act(action: Action) {
    if (this.isBusy) return;
    const answer = await this.context.ask(questionOf(action, this.detail, this.context));
    const body = answer && bodyOf(action, this.detail, answer);
    if (!body) return;
    const { api, say } = this.context;
    await this.run(async () => {
      if (action === 'renew') {
        await api.renewTransaction(body);
        this.emit('transaction-changed', null);
        say(this.text('transactions.done.renew'));
        return;
      }
      const changed = await api[`${action}Transaction`](body);
      this.emit('transaction-changed', changed);
      const isKept = action === 'reject' && keptOf(changed) > 0n;
      const isWrittenDown = action === 'refund' && body.out_of_band === true;
      say(this.text(`transactions.done.${isWrittenDown ? 'out_of_band' : isKept ? 'reject_kept' : action}`));
    });
  }

  override render() {
    const { transaction_id: reference, status, amount, currency, link, expires_at: expires } = this.detail;
    const isOver = status === 'transaction_status_failed' || status === 'transaction_status_confirmed';
    const until = html`<p class="hint">${this.text('transactions.link.until')} ${this.context.format.moment(expires)}</p>`;
    return this.view({
      reference,
      amount: this.#money(minorOf(amount, currency)),
      status,
      list: this.context.here('transactions'),
      lead: this.#said(),
      actions: this.#ownActions.map((action) => ({
        ...{ name: action, icon: actions[action][1], isMain: action === 'accept' || action === 'renew' },
        run: () => void this.#act(action),
      })),
      story: html`${isOver ? nothing : this.linkPart(link, until)} ${this.#timeline()} ${this.#attempts()}
      ${this.#instructions()}`,
      details: html`${this.#decision()} ${this.#amounts()} ${this.#refunds()} ${this.#facts()}`,
    });
  }

  /** Why it is as it is, in a sentence. */
  #said() {
    const { decision, reason, late, status } = this.detail;
    const isStillHere = reason === 'rejected' && keptOf(this.detail) > 0n;
    const isPast = reason === 'rejected' && this.detail.refunds.at(-1)?.out_of_band;
    const rejected = isStillHere ? 'rejected_kept' : isPast ? 'rejected_out_of_band' : reason;
    const why = decision?.is_approved && status === 'transaction_status_confirmed' ? 'accepted' : rejected;
    const key = why ?? (late ? 'late' : status.replace('transaction_status_', ''));
    return html`<p class="page-lead">${this.text(`transactions.said.${key}`)} ${this.#toDecide()}</p>`;
  }

  /** What the reader can do about money that waits for a decision. */
  #toDecide() {
    const { available_actions: available } = this.detail;
    if (!available.includes('reject')) return nothing;
    const own = this.#ownActions;
    if (!own.includes('reject')) return this.text('transactions.said.waits');
    return this.text(`transactions.said.${own.includes('accept') ? 'may_decide' : 'may_give_back'}`);
  }

  /** What may be done with it, by this person. */
  get #ownActions(): Action[] {
    const { available_actions: available } = this.detail;
    return (Object.keys(actions) as Action[]).filter(
      (action) => available.includes(action) && may(this.context, actions[action][0]),
    );
  }

  #timeline() {
    const entries = this.detail.timeline.map(({ type, at, status, detail }, index, all) => {
      const isMade = type.endsWith('.created');
      const isSame = index > 0 && all[index - 1]?.status === status && detail !== undefined;
      const isDecline = detail !== undefined && this.i18n.has(`account.transactions.decline.${detail}`);
      const isDeclined = isDecline && status === 'transaction_status_pending';
      const note = detail === undefined ? null : this.#eventDetail(detail);
      const title = isMade
        ? this.text('transactions.timeline.made')
        : isDeclined
          ? this.text('transactions.event.declined')
          : statusWords(status, this.i18n);
      return {
        ...{ at, tone: isDeclined ? ('bad' as const) : toneOf(status, isMade) },
        ...(isSame && note !== null ? { title: note } : { title, note }),
      };
    });
    return this.timelinePart(entries);
  }

  /** What the service noted with an event; what this page has no words for stands as it is. */
  #eventDetail(detail: string) {
    const [, last4] = /^card ending (\d{4})$/.exec(detail) ?? [];
    if (last4 !== undefined) return this.text('transactions.timeline.card', { last4 });
    const [, amount, currency, what = '', why] =
      /^(\d+(?:\.\d+)?) ([A-Z]{3}) (received|reversed|accepted|rejected|refunded out of band|refunded)(?:: (.*))?$/s.exec(
        detail,
      ) ?? [];
    if (amount !== undefined && currency !== undefined) {
      const i18n = this.text(`transactions.timeline.${what.replaceAll(' ', '_')}`, {
        amount: this.context.format.money(amount, currency),
      });
      return why === undefined ? i18n : `${i18n}: ${why}`;
    }
    const [, refused, of] = /^refund of ([\d.]+) ([A-Z]{3}) refused: .*$/.exec(detail) ?? [];
    if (refused !== undefined && of !== undefined)
      return this.text('transactions.timeline.refund_refused', { amount: this.context.format.money(refused, of) });
    if (this.i18n.has(`account.transactions.decline.${detail}`)) return this.#known(`decline.${detail}`, detail);
    const key = `account.transactions.event.${detail.replaceAll(' ', '_')}`;
    if (this.i18n.has(key)) return this.i18n.text(key);
    return this.i18n.has(`methods.${detail}`) ? nameOfMethod(detail, this.i18n) : detail;
  }

  #decision() {
    const { decision } = this.detail;
    if (decision === undefined) return nothing;
    const { is_approved: isApproved, by, by_name: name, reason, at } = decision;
    const title = this.text(`transactions.decision.${isApproved ? 'accepted' : 'rejected'}_by`, { name: name ?? by });
    const why = reason && html`<span class="decision-reason">${reason}</span>`;
    const row = this.row(html`<span dir="auto">${title}</span>`, [why, this.context.format.moment(at)], nothing);
    return this.block('decision', html`<div class="panel">${row}</div>`);
  }

  #attempts() {
    const { attempts } = this.detail;
    if (attempts.length === 0) return nothing;
    const rows = attempts.map(({ brand, last4, state, decline, three_d_secure: is3d, created_at: at }) => {
      const name = brand === null ? this.text('transactions.attempts.card') : (brandNames[brand] ?? brand);
      return this.row(
        html`${name} <span dir="ltr">••••\u00a0${last4}</span>`,
        [
          decline ? this.#known(`decline.${decline.code}`, decline.code) : null,
          html`${this.context.format.moment(at)} ·
          ${this.text(`transactions.attempts.${is3d ? 'with_3ds' : 'without_3ds'}`)}`,
        ],
        tag(
          this.#known(`attempts.state.${state}`, state),
          state === 'approved' ? 'good' : state === 'declined' ? 'bad' : 'warn',
        ),
        html`<brand-mark .brand=${brand} .name=${name}></brand-mark>`,
      );
    });
    return this.block('attempts', html`<div class="panel">${rows}</div>`);
  }

  #known(key: string, otherwise: string) {
    return this.i18n.has(`account.transactions.${key}`)
      ? this.text(`transactions.${key}`)
      : otherwise.replaceAll('_', ' ');
  }

  #instructions() {
    const { instructions } = this.detail;
    if (instructions.length === 0) return nothing;
    const rows = instructions.map(
      ({ payment_method: method, choice, state, reference, created_at: at, confirmations: count }) =>
        this.row(
          html`${nameOfMethod(method, this.i18n)}${choice === null ? nothing : html` · <bdi>${choice}</bdi>`}`,
          [
            reference && html`<code dir="ltr">${reference}</code>`,
            html`${this.context.format.moment(at)}
            ${count === null ? nothing : html` · ${this.text('transactions.confirmations', { count })}`}`,
          ],
          tag(
            this.#known(`instructions.state.${state}`, state),
            state === 'paid' ? 'good' : state === 'issued' ? 'warn' : 'plain',
          ),
          methodMark(choice !== null && choice in cryptoCurrencies ? choice : method),
        ),
    );
    return this.block('instructions', html`<div class="panel">${rows}</div>`);
  }

  #amounts() {
    const { detail } = this;
    const { format } = this.context;
    const { additional_currency: other, currency, rate, amount } = detail;
    const delivered = deliveredSum(detail);
    const rateHint = () =>
      html`<p class="hint">
        ${this.text('transactions.sum.rate', {
          amount: format.money(amount, currency),
          other: format.money(Number((amount * rate).toFixed(2)), other),
        })}
      </p>
      ${this.rateOrigin(detail.rate_source, detail.rate_at)}`;
    return this.block(
      'amounts',
      html`<div class="panel panel-body">
        ${this.sum(askedSum(detail), this.#money)}
        ${delivered.length === 0 ? nothing : this.sum(delivered, this.#money)}
        ${other === currency ? nothing : rateHint()} ${this.#terms()}
      </div>`,
      'sum.title',
    );
  }

  /** The agreed fee, without a part that is zero. */
  #terms() {
    const { merchant_fee_fix: fix, merchant_fee_percent: percent, currency } = this.detail;
    if (fix === 0 && percent === 0) return nothing;
    const key = fix === 0 ? 'terms_percent' : percent === 0 ? 'terms_fix' : 'terms';
    const values = { fix: this.context.format.money(fix, currency), percent };
    return html`<p class="hint">${this.text(`transactions.sum.${key}`, values)}</p>`;
  }

  #refunds() {
    const { refunds, currency } = this.detail;
    if (refunds.length === 0) return nothing;
    const rows = refunds.map(({ amount, state, failure, out_of_band: isPast, updated_at: at }) =>
      this.row(
        html`<span class="figure">${this.#money(minorOf(amount, currency))}</span>`,
        [failure ? failure.detail || failure.code : null, this.context.format.moment(at)],
        tag(
          this.text(`transactions.refunds.state.${isPast ? 'out_of_band' : state}`),
          state === 'succeeded' ? 'good' : state === 'failed' ? 'bad' : 'warn',
        ),
      ),
    );
    return this.block('refunds', html`<div class="panel">${rows}</div>`);
  }

  #facts() {
    const {
      descriptions,
      payment_method: method,
      created_at: made,
      updated_at: changed,
      expires_at: expires,
    } = this.detail;
    const { country, buyer_country: buyer, buyer_country_source: source, buyer_network: network } = this.detail;
    const { format } = this.context;
    const text = (key: string) => this.text(`transactions.facts.${key}`);
    const note = source && html`<span class="fact-note">${this.#known(`facts.source.${source}`, source)}</span>`;
    const list = facts([
      [text('description'), html`<span dir="auto">${descriptions || '–'}</span>`],
      [text('method'), html`<span class="with-mark">${methodMark(method)}${nameOfMethod(method, this.i18n)}</span>`],
      [text('made'), format.moment(made)],
      [text('changed'), format.moment(changed)],
      [text('expires'), format.moment(expires)],
      [text('country'), format.country(country)],
      [text('buyer_country'), buyer === undefined ? text('not_known') : html`${format.country(buyer)} ${note}`],
      [text('network'), network === undefined ? null : html`<span dir="ltr">${network}</span>`],
    ]);
    return this.block('facts', html`<div class="panel panel-body">${list}</div>`);
  }
}

function toneOf(status: TransactionDetail['status'], isMade: boolean): Tone {
  if (isMade) return 'plain';
  if (status === 'transaction_status_confirmed') return 'good';
  return status === 'transaction_status_failed' ? 'bad' : 'plain';
}

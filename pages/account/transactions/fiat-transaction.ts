import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { RefundTransactionInput, RejectTransactionInput, TransactionDetail } from '../../../client/api.ts';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import { AccountElement } from '../account-element.ts';
import { may, type Question } from '../context.ts';
import { given, textField } from '../fields.ts';
import { icon } from '../icons.ts';
import { amountText, minorOf, readTyped } from './amounts.ts';
import { methodMark, nameOfMethod } from './methods.ts';
import { isOutOfBand, outOfBandField } from './out-of-band.ts';
import { statusTag, statusWords } from './status.ts';
import { askedSum, deliveredSum, keptOf, type SumLine } from './sums.ts';
import '../../checkout/elements/brand-mark.ts';
import '../../checkout/elements/qr-code.ts';
import '../copy-value.ts';
import './refund-amount.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { asProblem, problemWords } from '../problems.ts';
import { button, tag } from '../parts.ts';

type Body = RefundTransactionInput & RejectTransactionInput;
type Action = 'cancel' | 'renew' | 'accept' | 'reject' | 'refund';

const scopeOf = {
  cancel: 'link:write',
  renew: 'link:write',
  accept: 'approval:write',
  reject: 'approval:write',
  refund: 'approval:write',
} as const;
const signOf = { cancel: 'ban', renew: 'rotate-ccw', accept: 'check', reject: 'x', refund: 'undo-2' } as const;

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

/**
 * One transaction of a payment link: what has happened, and what can be done.
 *
 * @fires transaction-changed - `detail` is what it is now, or null where it has to be read
 */
@customElement('fiat-transaction')
export class FiatTransaction extends AccountElement {
  @property({ attribute: false }) detail!: TransactionDetail;
  /** The list of its callbacks, where the person may see it. */
  @property({ attribute: false }) callbacks: unknown = nothing;

  @state() private busyWith: Action | null = null;
  @state() private problem: PaylatchError | null = null;

  #money(minor: bigint) {
    const { currency } = this.detail;
    return this.context.format.money(amountText(minor, currency), currency);
  }

  #question(action: Action): Question {
    const { detail } = this;
    const kept = this.#money(keptOf(detail));
    const charged = this.#money(minorOf(detail.amount_charged, detail.currency));
    // Rejected coins have words of their own.
    const name = action === 'reject' ? 'reject_payment' : action;
    return {
      heading: this.text(`transactions.ask.${name}.title`, { amount: kept }),
      text: this.text(`transactions.ask.${name}.text`, { amount: kept, charged }),
      confirm: this.text(`transactions.action.${action}`),
      isGrave: action === 'cancel' || action === 'refund' || action === 'reject',
      ...((action === 'accept' || action === 'reject') && {
        fields: html`<div class="fields">
          ${textField({ id: 'decision-reason', name: 'reason', label: this.text('transactions.crypto.reason'), maxlength: 255 })}
          ${action === 'reject' ? outOfBandField(this.words) : nothing}
        </div>`,
      }),
      ...(action === 'refund' && {
        fields: html`<div class="fields">
          <refund-amount
            .currency=${detail.currency}
            .most=${keptOf(detail)}
          ></refund-amount>
          ${outOfBandField(this.words)}
        </div>`,
      }),
    };
  }

  async #act(action: Action) {
    if (this.busyWith !== null) return;
    const { detail } = this;
    const most = keptOf(detail);
    const answer = await this.context.ask(this.#question(action));
    if (answer === null) return;
    const body: Body = { transaction_id: detail.transaction_id };
    const reason = given(answer, 'reason');
    if (reason !== '' && (action === 'accept' || action === 'reject')) body.reason = reason;
    if (isOutOfBand(answer)) body.out_of_band = true;
    if (action === 'refund') {
      const minor = readTyped(given(answer, 'amount'), detail.currency);
      if (minor === null || minor <= 0n || minor > most) return;
      // All that is left is not named: it is more exact than any number.
      if (minor !== most) body.amount = Number(amountText(minor, detail.currency));
    }
    await this.#send(action, body);
  }

  async #send(action: Action, body: Body) {
    this.busyWith = action;
    this.problem = null;
    try {
      if (action === 'renew') {
        await this.context.api.renewTransaction(body);
        this.tell('transaction-changed', null);
        this.context.say(this.text('transactions.done.renew'));
      } else {
        const changed = await this.context.api[`${action}Transaction`](body);
        this.tell('transaction-changed', changed);
        const isStillHere = action === 'reject' && keptOf(changed) > 0n;
        const isWrittenDown = action === 'refund' && body.out_of_band === true;
        this.context.say(
          this.text(`transactions.done.${isWrittenDown ? 'out_of_band' : isStillHere ? 'reject_kept' : action}`),
        );
      }
      this.context.recount();
    } catch (error) {
      const problem = asProblem(error);
      this.problem = problem;
      // Somebody else was first: what they have decided is shown at once.
      if (problem.status === 409) this.tell('transaction-changed', null);
    }
    this.busyWith = null;
  }

  override render() {
    const { detail } = this;
    const { transaction_id: reference, status, payment_method: method, descriptions } = detail;
    return html`<header class="transaction-head">
        <a class="back-link" href=${this.context.here('transactions')}>${icon('chevron-left')}${this.text('shell.pages.transactions')}</a>
        <div class="transaction-title">
          <h1 tabindex="-1">
            <span class="visually-hidden">${reference}:</span>
            ${this.#money(minorOf(detail.amount, detail.currency))}
          </h1>
          ${statusTag(status, this.words)}
        </div>
        <p class="page-lead transaction-reference"><bdi>${reference}</bdi></p>
        ${this.#said()}
      </header>
      ${this.#actions()}
      ${
        this.problem === null
          ? nothing
          : html`<div class="notice" data-tone="bad" role="alert">
              ${icon('triangle-alert')}
              <div>
                <p class="notice-heading">${problemWords(this.problem, this.words).heading}</p>
                <p>${problemWords(this.problem, this.words).text}</p>
              </div>
            </div>`
      }
      <div class="transaction-columns">
        <div class="transaction-column">
          ${this.#link()} ${this.#timeline()} ${this.#attempts()} ${this.#instructions()}
        </div>
        <div class="transaction-column">
          ${this.#decision()} ${this.#amounts()} ${this.#refunds()}
          <section class="section" aria-labelledby="facts-heading">
            <h2 class="section-heading" id="facts-heading">${this.text('transactions.facts.title')}</h2>
            <div class="panel panel-body">
              <dl class="facts-list">
                ${fact(this.text('transactions.facts.description'), html`<span dir="auto">${descriptions || '–'}</span>`)}
                ${fact(
                  this.text('transactions.facts.method'),
                  html`<span class="with-mark">${methodMark(method)}${nameOfMethod(method, this.words)}</span>`,
                )}
                ${fact(this.text('transactions.facts.made'), this.context.format.moment(detail.created_at))}
                ${fact(this.text('transactions.facts.changed'), this.context.format.moment(detail.updated_at))}
                ${fact(this.text('transactions.facts.expires'), this.context.format.moment(detail.expires_at))}
                ${this.#countries()}
              </dl>
            </div>
          </section>
        </div>
        ${this.callbacks}
      </div>`;
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
    const known = ['accept', 'reject', 'refund', 'renew', 'cancel'] as const;
    return known.filter(
      (action) => this.detail.available_actions.includes(action) && may(this.context, scopeOf[action]),
    );
  }

  #actions() {
    const actions = this.#ownActions;
    if (actions.length === 0) return nothing;
    return html`<div class="transaction-actions">
      ${actions.map((action) =>
        button(this.text(`transactions.action.${action}`), () => void this.#act(action), {
          kind: action === 'accept' || action === 'renew' ? 'main' : undefined,
          icon: signOf[action],
          isDisabled: this.busyWith !== null,
        }),
      )}
    </div>`;
  }

  /** As long as somebody can pay by it. */
  #link() {
    const { link, status, expires_at: expires } = this.detail;
    if (status === 'transaction_status_failed' || status === 'transaction_status_confirmed') return nothing;
    return html`<section class="section" aria-labelledby="link-heading">
      <h2 class="section-heading" id="link-heading">${this.text('transactions.link.title')}</h2>
      <div class="panel panel-body link-panel">
        <qr-code .value=${link} .label=${this.text('transactions.link.code')}></qr-code>
        <div class="link-words">
          <p class="link-address"><a class="link" href=${link} target="_blank" rel="noopener" dir="ltr">${link}</a></p>
          <copy-value .value=${link} .what=${this.text('transactions.link.title')}></copy-value>
          <p class="hint">${this.text('transactions.link.until')} ${this.context.format.moment(expires)}</p>
        </div>
      </div>
    </section>`;
  }

  #timeline() {
    return html`<section class="section" aria-labelledby="timeline-heading">
      <h2 class="section-heading" id="timeline-heading">${this.text('transactions.timeline.title')}</h2>
      <div class="panel panel-body">
        <ol class="timeline">
          ${this.detail.timeline.map(({ type, at, status, detail }, index, all) => {
            const isMade = type.endsWith('.created');
            const isSame = index > 0 && all[index - 1]?.status === status && detail !== undefined;
            const isDecline = detail !== undefined && this.words.has(`account.transactions.decline.${detail}`);
            const isDeclined = isDecline && status === 'transaction_status_pending';
            const words = isMade
              ? this.text('transactions.timeline.made')
              : isDeclined
                ? this.text('transactions.event.declined')
                : statusWords(status, this.words);
            return html`<li class="timeline-entry" data-tone=${isDeclined ? 'bad' : toneOf(status, isMade)}>
              <p class="timeline-title">${isSame ? this.#eventDetail(detail) : words}</p>
              ${detail === undefined || isSame ? nothing : html`<p class="row-text" dir="auto">${this.#eventDetail(detail)}</p>`}
              <p class="row-text">${this.context.format.moment(at)}</p>
            </li>`;
          })}
        </ol>
      </div>
    </section>`;
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
      const words = this.text(`transactions.timeline.${what.replaceAll(' ', '_')}`, {
        amount: this.context.format.money(amount, currency),
      });
      return why === undefined ? words : `${words}: ${why}`;
    }
    const [, refused, of] = /^refund of ([\d.]+) ([A-Z]{3}) refused: .*$/.exec(detail) ?? [];
    if (refused !== undefined && of !== undefined)
      return this.text('transactions.timeline.refund_refused', { amount: this.context.format.money(refused, of) });
    if (this.words.has(`account.transactions.decline.${detail}`)) return this.#decline(detail);
    const key = `account.transactions.event.${detail.replaceAll(' ', '_')}`;
    if (this.words.has(key)) return this.words.text(key);
    return this.words.has(`methods.${detail}`) ? nameOfMethod(detail, this.words) : detail;
  }

  #decision() {
    const { decision } = this.detail;
    if (decision === undefined) return nothing;
    const verdict = decision.is_approved ? 'accepted' : 'rejected';
    const name = decision.by_name ?? decision.by;
    return html`<section class="section" aria-labelledby="decision-heading">
      <h2 class="section-heading" id="decision-heading">${this.text('transactions.decision.title')}</h2>
      <div class="panel">
        <div class="row">
          <div class="row-words">
            <span class="row-title" dir="auto">
              ${this.text(`transactions.decision.${verdict}_by`, { name })}
            </span>
            ${decision.reason === null ? nothing : html`<span class="row-text decision-reason" dir="auto">${decision.reason}</span>`}
            <span class="row-text">${this.context.format.moment(decision.at)}</span>
          </div>
        </div>
      </div>
    </section>`;
  }

  #attempts() {
    const { attempts } = this.detail;
    if (attempts.length === 0) return nothing;
    return html`<section class="section" aria-labelledby="attempts-heading">
      <h2 class="section-heading" id="attempts-heading">${this.text('transactions.attempts.title')}</h2>
      <div class="panel">
        ${attempts.map(({ brand, last4, state: so, decline, three_d_secure: is3d, created_at: at }) => {
          const name = brand === null ? this.text('transactions.attempts.card') : (brandNames[brand] ?? brand);
          return html`<div class="row">
            <brand-mark .brand=${brand} .name=${name}></brand-mark>
            <div class="row-words">
              <span class="row-title">${name} <span dir="ltr">••••\u00a0${last4}</span></span>
              ${decline ? html`<span class="row-text">${this.#decline(decline.code)}</span>` : nothing}
              <span class="row-text">
                ${this.context.format.moment(at)} · ${this.text(is3d ? 'transactions.attempts.with_3ds' : 'transactions.attempts.without_3ds')}
              </span>
            </div>
            ${tag(this.#known(`attempts.state.${so}`, so), so === 'approved' ? 'good' : so === 'declined' ? 'bad' : 'warn')}
          </div>`;
        })}
      </div>
    </section>`;
  }

  #decline(code: string) {
    return this.#known(`decline.${code}`, code);
  }

  #known(key: string, otherwise: string) {
    return this.words.has(`account.transactions.${key}`)
      ? this.text(`transactions.${key}`)
      : otherwise.replaceAll('_', ' ');
  }

  #instructions() {
    const { instructions } = this.detail;
    if (instructions.length === 0) return nothing;
    return html`<section class="section" aria-labelledby="instructions-heading">
      <h2 class="section-heading" id="instructions-heading">${this.text('transactions.instructions.title')}</h2>
      <div class="panel">
        ${instructions.map(
          ({ payment_method: method, choice, state: so, reference, created_at: at, confirmations }) =>
            html`<div class="row">
              ${methodMark(choice !== null && choice in cryptoCurrencies ? choice : method)}
              <div class="row-words">
                <span class="row-title">${nameOfMethod(method, this.words)}${choice === null ? nothing : html` · <bdi>${choice}</bdi>`}</span>
                ${reference === null ? nothing : html`<span class="row-text"><code dir="ltr">${reference}</code></span>`}
                <span class="row-text">
                  ${this.context.format.moment(at)}
                  ${confirmations === null ? nothing : html` · ${this.text('transactions.confirmations', { count: confirmations })}`}
                </span>
              </div>
              ${tag(this.#known(`instructions.state.${so}`, so), so === 'paid' ? 'good' : so === 'issued' ? 'warn' : 'plain')}
            </div>`,
        )}
      </div>
    </section>`;
  }

  #amounts() {
    const { detail } = this;
    const { additional_currency: other, currency, rate, amount } = detail;
    const delivered = deliveredSum(detail);
    return html`<section class="section" aria-labelledby="amounts-heading">
      <h2 class="section-heading" id="amounts-heading">${this.text('transactions.sum.title')}</h2>
      <div class="panel panel-body">
        ${this.#sum(askedSum(detail))} ${delivered.length === 0 ? nothing : this.#sum(delivered)}
        ${
          other === currency
            ? nothing
            : html`<p class="hint">
                ${this.text('transactions.sum.rate', {
                  amount: this.context.format.money(amount, currency),
                  other: this.context.format.money(Number((amount * rate).toFixed(2)), other),
                })}
              </p>`
        }
        ${this.#terms()}
      </div>
    </section>`;
  }

  /** What was agreed on as the fee: nothing is said of a part that there is none of. */
  #terms() {
    const { merchant_fee_fix: fix, merchant_fee_percent: percent, currency } = this.detail;
    if (fix === 0 && percent === 0) return nothing;
    const key = fix === 0 ? 'terms_percent' : percent === 0 ? 'terms_fix' : 'terms';
    return html`<p class="hint">
      ${this.text(`transactions.sum.${key}`, { fix: this.context.format.money(fix, currency), percent })}
    </p>`;
  }

  #sum(lines: readonly SumLine[]) {
    return html`<dl class="sum">
      ${lines.map(
        ({ name, minor, isSum }) => html`<div class="sum-line ${isSum && lines.length > 1 ? 'sum-total' : ''}">
          <dt>${this.text(`transactions.sum.${name}`)}</dt>
          <dd>${minor < 0n ? `−${this.#money(-minor)}` : this.#money(minor)}</dd>
        </div>`,
      )}
    </dl>`;
  }

  #refunds() {
    const { refunds, currency } = this.detail;
    if (refunds.length === 0) return nothing;
    return html`<section class="section" aria-labelledby="refunds-heading">
      <h2 class="section-heading" id="refunds-heading">${this.text('transactions.refunds.title')}</h2>
      <div class="panel">
        ${refunds.map(
          ({ amount, state: so, failure, out_of_band: isPast, updated_at: at }) => html`<div class="row">
            <div class="row-words">
              <span class="row-title figure">${this.#money(minorOf(amount, currency))}</span>
              ${failure ? html`<span class="row-text" dir="auto">${failure.detail || failure.code}</span>` : nothing}
              <span class="row-text">${this.context.format.moment(at)}</span>
            </div>
            ${tag(this.text(`transactions.refunds.state.${isPast ? 'out_of_band' : so}`), so === 'succeeded' ? 'good' : so === 'failed' ? 'bad' : 'warn')}
          </div>`,
        )}
      </div>
    </section>`;
  }

  #countries() {
    const { country, buyer_country: buyer, buyer_country_source: source, buyer_network: network } = this.detail;
    const { format } = this.context;
    return html`${fact(this.text('transactions.facts.country'), format.country(country))}
    ${
      buyer === undefined
        ? fact(this.text('transactions.facts.buyer_country'), this.text('transactions.facts.not_known'))
        : fact(
            this.text('transactions.facts.buyer_country'),
            html`${format.country(buyer)}
              ${source === undefined ? nothing : html`<span class="fact-note">${this.#known(`facts.source.${source}`, source)}</span>`}`,
          )
    }
    ${network === undefined ? nothing : fact(this.text('transactions.facts.network'), html`<span dir="ltr">${network}</span>`)}`;
  }
}

function toneOf(status: TransactionDetail['status'], isMade: boolean) {
  if (isMade) return 'plain';
  if (status === 'transaction_status_confirmed') return 'good';
  return status === 'transaction_status_failed' ? 'bad' : 'plain';
}

/** A fact beside its name. */
export function fact(name: string, value: unknown): TemplateResult {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

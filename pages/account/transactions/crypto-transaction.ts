import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { CryptoPayment, CryptoTransaction as Transaction } from '../../../client/api.ts';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import { formatMinor } from '../../../src/shared/money.ts';
import { AccountElement } from '../account-element.ts';
import { may } from '../context.ts';
import { given, textField } from '../fields.ts';
import { icon } from '../icons.ts';
import { fact } from './fiat-transaction.ts';
import { methodMark } from './methods.ts';
import { statusTag, statusWords } from './status.ts';
import '../../checkout/elements/qr-code.ts';
import '../copy-value.ts';
import type { PaylatchError } from '../../../client/error.ts';
import { asProblem, problemWords } from '../problems.ts';
import { button, tag } from '../parts.ts';

type Action = 'approve' | 'reject';

/**
 * One transaction on a chain: what was seen there, what it counts for, and the decision where it waits for one.
 *
 * @fires transaction-changed - `detail` is what it is now, or null where it has to be read
 */
@customElement('crypto-transaction')
export class CryptoTransaction extends AccountElement {
  @property({ attribute: false }) transaction!: Transaction;
  /** The list of its callbacks, where the person may see it. */
  @property({ attribute: false }) callbacks: unknown = nothing;

  @state() private busyWith: Action | null = null;
  @state() private problem: PaylatchError | null = null;

  /** A whole number of the smallest unit, in coins with every digit that counts. */
  #coins(units: string) {
    const { code } = this.transaction;
    const text = formatMinor(BigInt(units), cryptoCurrencies[code].decimals);
    return this.context.format.coins(text.includes('.') ? text.replace(/\.?0+$/, '') : text, code);
  }

  async #decide(action: Action) {
    if (this.busyWith !== null) return;
    const { transaction } = this;
    const reason = textField({
      id: 'decision-reason',
      name: 'reason',
      label: this.text('transactions.crypto.reason'),
      maxlength: 255,
    });
    const address = textField({
      ...{
        id: 'decision-address',
        name: 'refundAddress',
        label: this.text('transactions.crypto.refund_address'),
        dir: 'ltr',
      },
      ...{ maxlength: 128, hint: this.text('transactions.crypto.refund_address_hint') },
    });
    const answer = await this.context.ask({
      heading: this.text(`transactions.ask.${action}.title`),
      text: this.text(`transactions.ask.${action}.text`, {
        amount: this.context.format.coins(transaction.amountUnit, transaction.code),
      }),
      fields: html`<div class="fields">${action === 'reject' ? address : nothing}${reason}</div>`,
      confirm: this.text(`transactions.action.${action}`),
      isGrave: action === 'reject',
    });
    if (answer === null) return;
    const said = given(answer, 'reason');
    const refundAddress = given(answer, 'refundAddress');
    const body = {
      id: transaction.id,
      ...(said !== '' && { reason: said }),
      ...(action === 'reject' && refundAddress !== '' && { refundAddress }),
    };
    this.busyWith = action;
    this.problem = null;
    try {
      const changed = await this.context.api[`${action}CryptoTransaction`](body);
      this.tell('transaction-changed', changed);
      this.context.say(this.text(`transactions.done.${action}`));
      this.context.recount();
    } catch (error) {
      this.problem = asProblem(error);
    }
    this.busyWith = null;
  }

  override render() {
    const { transaction } = this;
    const { code, status, txId, amountRequiredUnit, amountUnit, labels, comment } = transaction;
    const { format } = this.context;
    const actions = (['approve', 'reject'] as const).filter(
      (action) => transaction.availableActions.includes(action) && may(this.context, 'approval:write'),
    );
    return html`<header class="transaction-head">
        <a class="back-link" href="${this.context.here('transactions')}?kind=crypto">
          ${icon('chevron-left')}${this.text('shell.pages.transactions')}
        </a>
        <div class="transaction-title">
          <h1 tabindex="-1">
            <span class="visually-hidden">${txId ?? this.text('transactions.no_invoice')}:</span>
            ${format.coins(amountRequiredUnit ?? amountUnit, code)}
          </h1>
          ${statusTag(status, this.words)}
        </div>
        <p class="page-lead transaction-reference"><bdi>${txId ?? this.text('transactions.no_invoice')}</bdi></p>
        ${labels.map((label) => html`<p class="page-lead">${this.text(`transactions.label_text.${label}`)}</p>`)}
      </header>
      ${
        actions.length === 0
          ? nothing
          : html`<div class="transaction-actions">
              ${actions.map((action) =>
                button(this.text(`transactions.action.${action}`), () => void this.#decide(action), {
                  kind: action === 'approve' ? 'main' : undefined,
                  icon: action === 'approve' ? 'check' : 'ban',
                  isDisabled: this.busyWith !== null,
                }),
              )}
            </div>`
      }
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
        <div class="transaction-column">${this.#link()} ${this.#timeline()} ${this.#payments()}</div>
        <div class="transaction-column">
          ${this.#amounts()}
          <section class="section" aria-labelledby="facts-heading">
            <h2 class="section-heading" id="facts-heading">${this.text('transactions.facts.title')}</h2>
            <div class="panel panel-body">
              <dl class="facts-list">
                ${fact(
                  this.text('transactions.column.coin'),
                  html`<span class="with-mark">${methodMark(code)}${cryptoCurrencies[code].name}</span>`,
                )}
                ${fact(this.text('transactions.crypto.wallet'), html`<code dir="ltr">${transaction.walletAddress}</code>`)}
                ${fact(this.text('transactions.crypto.wallet_type'), this.text(`transactions.crypto.wallet_types.${transaction.walletType}`))}
                ${comment === null ? nothing : fact(this.text('transactions.crypto.comment'), html`<span dir="auto">${comment}</span>`)}
                ${fact(this.text('transactions.facts.made'), format.moment(transaction.createdAt))}
                ${fact(this.text('transactions.facts.changed'), format.moment(transaction.updatedAt))}
                ${
                  transaction.expiredAt === null
                    ? nothing
                    : fact(this.text('transactions.facts.expires'), format.moment(transaction.expiredAt))
                }
                ${
                  transaction.fiatTransactionId === null
                    ? nothing
                    : fact(
                        this.text('transactions.crypto.pays'),
                        html`<a class="link" href=${this.context.here('transactions', transaction.fiatTransactionId)}>
                          <bdi>${transaction.fiatTransactionId}</bdi>
                        </a>`,
                      )
                }
                ${
                  transaction.meantFor === null
                    ? nothing
                    : fact(this.text('transactions.crypto.meant_for'), html`<bdi>${transaction.meantFor}</bdi>`)
                }
              </dl>
            </div>
          </section>
        </div>
        ${this.callbacks}
      </div>`;
  }

  #link() {
    const { status, link, txId } = this.transaction;
    if (status !== 'pending' || txId === null) return nothing;
    return html`<section class="section" aria-labelledby="link-heading">
      <h2 class="section-heading" id="link-heading">${this.text('transactions.link.title')}</h2>
      <div class="panel panel-body link-panel">
        <qr-code .value=${link.payment} .label=${this.text('transactions.link.code')}></qr-code>
        <div class="link-words">
          <p class="link-address"><a class="link" href=${link.payment} target="_blank" rel="noopener" dir="ltr">${link.payment}</a></p>
          <copy-value .value=${link.payment} .what=${this.text('transactions.link.title')}></copy-value>
        </div>
      </div>
    </section>`;
  }

  #timeline() {
    const { createdAt, updatedAt, payments, decision, status } = this.transaction;
    const entries = [
      { at: createdAt, words: this.text('transactions.timeline.made'), note: null as string | null },
      ...payments.map(({ seenAt, amount }) => ({
        at: seenAt,
        words: this.text('transactions.crypto.seen', { amount: this.#coins(amount) }),
        note: null,
      })),
      ...(decision === null
        ? []
        : [
            {
              at: decision.at,
              words: this.text(
                decision.isApproved ? 'transactions.crypto.approved_by' : 'transactions.crypto.rejected_by',
                {
                  name: decision.byName ?? decision.by,
                },
              ),
              note: decision.reason,
            },
          ]),
    ].sort((one, other) => one.at.localeCompare(other.at));
    return html`<section class="section" aria-labelledby="timeline-heading">
      <h2 class="section-heading" id="timeline-heading">${this.text('transactions.timeline.title')}</h2>
      <div class="panel panel-body">
        <ol class="timeline">
          ${entries.map(
            ({ at, words, note }) => html`<li class="timeline-entry">
              <p class="timeline-title" dir="auto">${words}</p>
              ${note === null ? nothing : html`<p class="row-text" dir="auto">${note}</p>`}
              <p class="row-text">${this.context.format.moment(at)}</p>
            </li>`,
          )}
          ${
            status === 'pending'
              ? nothing
              : html`<li class="timeline-entry">
                  <p class="timeline-title">${statusWords(status, this.words)}</p>
                  <p class="row-text">${this.context.format.moment(updatedAt)}</p>
                </li>`
          }
        </ol>
      </div>
    </section>`;
  }

  #payments() {
    const { payments } = this.transaction;
    return html`<section class="section" aria-labelledby="payments-heading">
      <h2 class="section-heading" id="payments-heading">${this.text('transactions.crypto.payments')}</h2>
      ${
        payments.length === 0
          ? html`<div class="panel panel-body"><p class="section-text">${this.text('transactions.crypto.no_payments')}</p></div>`
          : html`<div class="panel">${payments.map((payment) => this.#payment(payment))}</div>`
      }
    </section>`;
  }

  #payment({ txHash, amount, confirmations, decision, seenAt }: CryptoPayment) {
    const { minConfirmations } = this.transaction;
    const depth =
      confirmations === null
        ? this.text('transactions.crypto.gone')
        : this.text('transactions.crypto.depth', { count: confirmations, needed: minConfirmations });
    return html`<div class="row row-wraps">
      <div class="row-words">
        <span class="row-title figure">${this.#coins(amount)}</span>
        <span class="row-text">${txHash === '' ? this.text('transactions.crypto.no_hash') : html`<code dir="ltr">${txHash}</code>`}</span>
        <span class="row-text">${this.context.format.moment(seenAt)} · ${depth}</span>
      </div>
      ${tag(this.text(`transactions.crypto.decision.${decision}`), decision === 'accepted' ? 'good' : decision === 'rejected' ? 'bad' : 'warn')}
    </div>`;
  }

  #amounts() {
    const { amountRequired, amount, amountDue, processingFee, exchangeRate, code } = this.transaction;
    const line = (name: string, value: string, isTotal = false) =>
      html`<div class="sum-line ${isTotal ? 'sum-total' : ''}"><dt>${this.text(`transactions.sum.${name}`)}</dt><dd>${value}</dd></div>`;
    const over = BigInt(amount) - BigInt(amountRequired ?? '0');
    const left =
      over > 0n ? line('too_much', this.#coins(String(over)), true) : line('due', this.#coins(amountDue), true);
    return html`<section class="section" aria-labelledby="amounts-heading">
      <h2 class="section-heading" id="amounts-heading">${this.text('transactions.sum.title')}</h2>
      <div class="panel panel-body">
        <dl class="sum">
          ${amountRequired === null ? nothing : line('asked', this.#coins(amountRequired))}
          ${line('received', this.#coins(amount))}
          ${amountRequired === null ? nothing : left}
          ${processingFee === '0' ? nothing : line('processing_fee', this.#coins(processingFee))}
        </dl>
        ${
          exchangeRate === null
            ? nothing
            : html`<p class="hint">
                ${this.text('transactions.crypto.rate', {
                  coin: this.context.format.coins('1', code),
                  rate: this.context.format.money(exchangeRate.exchangeRate, exchangeRate.currency),
                  amount: this.context.format.money(exchangeRate.currencyAmount, exchangeRate.currency),
                })}
              </p>`
        }
      </div>
    </section>`;
  }
}

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { CryptoTransaction, TransactionDetail } from '../../../client/api.ts';
import type { LightElement } from '../../checkout/elements/light-element.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { icon } from '../icons.ts';
import { Loader } from '../load.ts';
import { toProblem } from '../problems.ts';
import './callback-list.ts';
import './crypto-transaction.ts';
import './fiat-transaction.ts';

type Read = { kind: 'fiat'; detail: TransactionDetail } | { kind: 'crypto'; transaction: CryptoTransaction };

const NEWS_MS = 250;

/** One transaction, of either kind: what happened, and what can be done. */
@customElement('transaction-page')
export class TransactionPage extends AccountPage {
  #wasThere = false;

  readonly #load = this.reloadOnUpdate(
    new Loader<Read>(this, async (signal) => {
      const read = await this.#read(signal);
      this.notifyTitleChange();
      return read;
    }),
    NEWS_MS,
  );

  /** Who waited at the heading goes on from the one that takes its place. */
  protected override updated() {
    const isThere = this.#load.value !== null;
    const isLost = document.activeElement === document.body || document.activeElement === null;
    if (isThere && !this.#wasThere && isLost) void this.#focusHeading();
    this.#wasThere = isThere;
  }

  async #focusHeading() {
    await this.querySelector<LightElement>('fiat-transaction, crypto-transaction')?.updateComplete;
    this.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  }

  override get documentTitle() {
    return this.params['reference'] ?? null;
  }

  /** By the kind that the address names; where it names none, whatever goes by that name. */
  async #read(signal: AbortSignal): Promise<Read> {
    const { api } = this.context;
    const reference = this.params['reference'] ?? '';
    const crypto = async (): Promise<Read> => ({
      kind: 'crypto',
      transaction: await api.getCryptoTransaction({ id: reference }, { signal }),
    });
    if (new URLSearchParams(location.search).get('kind') === 'crypto') return await crypto();
    try {
      return { kind: 'fiat', detail: await api.getTransaction({ transaction_id: reference }, { signal }) };
    } catch (error) {
      if (toProblem(error).status !== 404) throw error;
      return await crypto().catch(() => {
        throw error;
      });
    }
  }

  #changed(event: CustomEvent<TransactionDetail | CryptoTransaction | null>) {
    const { detail } = event;
    if (detail === null) void this.#load.run();
    else this.#load.set('txId' in detail ? { kind: 'crypto', transaction: detail } : { kind: 'fiat', detail });
    void this.querySelector('callback-list')?.refresh();
  }

  override render() {
    const isThere = this.#load.value !== null;
    return html`${
      isThere
        ? nothing
        : html`<header class="transaction-head">
              <a class="back-link" href=${this.context.merchantPath('transactions')}>
                ${icon('chevron-left')}${this.text('shell.pages.transactions')}
              </a>
              <h1 tabindex="-1" class="transaction-waiting"><bdi>${this.params['reference']}</bdi></h1>
            </header>`
    }
      ${loadView(this.#load, this.i18n, {
        skeleton: () => html`<div class="transaction-columns">${skeletonRows(4)}${skeletonRows(4)}</div>`,
        content: (read) =>
          html`<div class="transaction-whole" @transaction-changed=${(event: CustomEvent<never>) => this.#changed(event)}>
            ${
              read.kind === 'fiat'
                ? html`<fiat-transaction
                    .detail=${read.detail}
                    .callbacks=${this.#callbacks(read)}
                  ></fiat-transaction>`
                : html`<crypto-transaction
                    .transaction=${read.transaction}
                    .callbacks=${this.#callbacks(read)}
                  ></crypto-transaction>`
            }
          </div>`,
      })}`;
  }

  #callbacks(read: Read) {
    if (!hasScope(this.context, 'callback:read')) return nothing;
    const reference =
      read.kind === 'fiat' ? read.detail.transaction_id : (read.transaction.txId ?? read.transaction.id);
    return html`<callback-list
      .kind=${read.kind}
      .reference=${reference}
    ></callback-list>`;
  }
}

import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { CryptoTransaction, TransactionDetail } from '../../../client/api.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { backLink } from '../parts.ts';
import { Loader } from '../loader.ts';
import { toProblem } from '../problems.ts';
import './callback-list.ts';
import './crypto-transaction.ts';
import './fiat-transaction.ts';

type LoadedTransaction =
  | { kind: 'fiat'; detail: TransactionDetail }
  | { kind: 'crypto'; transaction: CryptoTransaction };

const REFRESH_DELAY_MS = 250;

/** One fiat or crypto transaction: its history and actions. */
@customElement('transaction-page')
export class TransactionPage extends AccountPage {
  readonly #loader = this.reloadOnUpdate(
    new Loader<LoadedTransaction>(this, async (signal) => {
      const loaded = await this.#read(signal);
      this.notifyTitleChange();
      return loaded;
    }),
    REFRESH_DELAY_MS,
  );

  override get documentTitle() {
    return this.params['reference'] ?? null;
  }

  /** Reads the kind in the URL; without one, a fiat transaction first and then a crypto transaction. */
  async #read(signal: AbortSignal): Promise<LoadedTransaction> {
    const { api } = this.context;
    const reference = this.params['reference'] ?? '';
    const readCrypto = async (): Promise<LoadedTransaction> => ({
      kind: 'crypto',
      transaction: await api.getCryptoTransaction({ id: reference }, { signal }),
    });
    if (new URLSearchParams(location.search).get('kind') === 'crypto') return await readCrypto();
    try {
      return { kind: 'fiat', detail: await api.getTransaction({ transaction_id: reference }, { signal }) };
    } catch (error) {
      if (toProblem(error).status !== 404) throw error;
      return await readCrypto().catch(() => {
        throw error;
      });
    }
  }

  #handleChange(event: CustomEvent<TransactionDetail | CryptoTransaction | null>) {
    const { detail } = event;
    if (detail === null) void this.#loader.run();
    else this.#loader.set('txId' in detail ? { kind: 'crypto', transaction: detail } : { kind: 'fiat', detail });
    void this.querySelector('callback-list')?.refresh();
  }

  override render() {
    const isLoaded = this.#loader.value !== null;
    return html`${
      isLoaded
        ? nothing
        : html`<header class="transaction-head">
              ${backLink(this.context.merchantPath('transactions'), this.text('shell.pages.transactions'))}
              <h1 tabindex="-1" class="transaction-placeholder"><bdi>${this.params['reference']}</bdi></h1>
            </header>`
    }
      ${loadView(this.#loader, this.i18n, {
        skeleton: () => html`<div class="transaction-columns">${skeletonRows(4)}${skeletonRows(4)}</div>`,
        content: (loaded) =>
          html`<div class="transaction-body" @transaction-changed=${(event: CustomEvent<never>) => this.#handleChange(event)}>
            ${
              loaded.kind === 'fiat'
                ? html`<fiat-transaction
                    .detail=${loaded.detail}
                    .callbacks=${this.#callbackList(loaded)}
                  ></fiat-transaction>`
                : html`<crypto-transaction
                    .transaction=${loaded.transaction}
                    .callbacks=${this.#callbackList(loaded)}
                  ></crypto-transaction>`
            }
          </div>`,
      })}`;
  }

  #callbackList(loaded: LoadedTransaction) {
    if (!hasScope(this.context, 'callback:read')) return nothing;
    const reference =
      loaded.kind === 'fiat' ? loaded.detail.transaction_id : (loaded.transaction.txId ?? loaded.transaction.id);
    return html`<callback-list
      .kind=${loaded.kind}
      .reference=${reference}
    ></callback-list>`;
  }
}

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Callback, CallbackDetail, ListCallbacksInput } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { listView } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { icon } from '../icons.ts';
import { ListLoader } from '../load.ts';
import { SerialQueue } from '../turns.ts';
import { answerShown } from './answer-shown.ts';
import { segmentedControl } from '../choices.ts';
import { bareButton, button, emptyState, factList, section, tag } from '../parts.ts';

const states = ['pending', 'delivered', 'failed'] as const;
type State = (typeof states)[number];
const tones = { pending: 'warn', delivered: 'good', failed: 'bad' } as const;
const NEWS_MS = 500;
/** How many failed ones are sent again before it is looked whether there are more. */
const AT_ONCE = 100;

/**
 * Callbacks that were sent, and every attempt at them.
 *
 * @fires receiver-change - what is known of the receiver is another now
 */
@customElement('deliveries-section')
export class DeliveriesSection extends AccountElement {
  @state() private filter: State | '' = '';
  /** The one that is unfolded, with its attempts once they have come. */
  @state() private open: { id: string; detail: CallbackDetail | null } | null = null;

  readonly #turns = new SerialQueue(this);
  readonly #list = this.reloadOnUpdate(
    new ListLoader(this, async (from, signal) => {
      const query = { ...from, state: this.filter } as ListCallbacksInput;
      const { callbacks, next_cursor: next } = await this.context.api.listCallbacks(query, { signal });
      return [callbacks, next] as const;
    }),
    NEWS_MS,
  );

  refresh() {
    void this.#list.run();
  }

  #choose(filter: State | '') {
    this.filter = filter;
    this.open = null;
    void this.#list.restart();
  }

  async #toggle(id: string) {
    if (this.open?.id === id) {
      this.open = null;
      return;
    }
    this.open = { id, detail: null };
    await this.#readDetail(id);
  }

  async #readDetail(id: string) {
    try {
      const detail = await this.context.api.getCallback({ id });
      if (this.open?.id === id) this.open = { id, detail };
    } catch (error) {
      this.announceProblem(error);
      if (this.open?.id === id) this.open = null;
    }
  }

  async #again(name: string, ids: readonly string[], said: string) {
    await this.#turns.run(name, async () => {
      await this.attempt(async () => {
        for (const id of ids) await this.context.api.redeliverCallback({ id });
        this.context.announce(said);
      });
    });
    this.emit('receiver-change', null);
    if (this.open && ids.includes(this.open.id)) await this.#readDetail(this.open.id);
    this.refresh();
  }

  async #allFailed() {
    if (this.#turns.has('all')) return;
    const { api, prompt } = this.context;
    const { callbacks, next_cursor: more } = await api.listCallbacks({ state: 'failed', per_page: AT_ONCE });
    if (callbacks.length === 0) {
      this.context.announce(this.text('integration.none_failed'));
      return;
    }
    const count = callbacks.length;
    const answer = await prompt({
      heading: this.text('integration.send_failed_title', { count }),
      text: this.text(more === null ? 'integration.send_failed_text' : 'integration.send_failed_more'),
      confirm: this.text('integration.send_again'),
    });
    if (answer === null) return;
    await this.#again(
      'all',
      callbacks.map(({ id }) => id),
      this.text('integration.sent_again_count', { count }),
    );
  }

  override render() {
    const sendFailed = () => void this.#allFailed().catch((error: unknown) => this.announceProblem(error));
    const isBusy = this.#turns.has('all');
    return section(
      'deliveries',
      this.text('integration.deliveries'),
      html`${segmentedControl({
        ...{ legend: this.text('integration.which'), name: 'callback-state', selected: this.filter },
        options: (['', ...states] as const).map((value) => ({
          value,
          text: this.text(value === '' ? 'integration.all' : `integration.states.${value}`),
        })),
        onChoose: (value) => this.#choose(value as State | ''),
      })}
      ${listView(this.#list, this.i18n, {
        skeletonRowCount: 4,
        empty: () =>
          emptyState(
            'webhook',
            this.text(this.filter === '' ? 'integration.no_callbacks' : 'integration.no_such_callbacks'),
            this.filter === '' ? this.text('integration.no_callbacks_text') : '',
          ),
        row: (callback) => this.#callback(callback),
        more: this.text('integration.show_more'),
      })}`,
      hasScope(this.context, 'callback:send')
        ? button(this.text('integration.send_failed'), sendFailed, { icon: 'rotate-ccw', isBusy })
        : nothing,
    );
  }

  #callback(callback: Callback) {
    const { format } = this.context;
    const { id, type, transaction_id: reference, state, attempts_made: made, created_at: at } = callback;
    const isOpen = this.open?.id === id;
    return html`<li class="delivery">
      ${bareButton(
        html`<span class="row delivery-head">
          <span class="row-words">
            <span class="row-title"><code dir="ltr">${type}</code></span>
            <span class="row-text" dir="auto">${reference}</span>
          </span>
          <span class="delivery-when">
            ${tag(this.text(`integration.states.${state}`), tones[state])}
            <span class="row-text tabular">${format.relativeTime(at)} · ${this.text('integration.attempts', { count: made })}</span>
          </span>
          ${icon(isOpen ? 'chevron-up' : 'chevron-down')}
        </span>`,
        () => void this.#toggle(id),
        { 'aria-expanded': String(isOpen) },
      )}
      ${isOpen ? this.#detail(callback) : nothing}
    </li>`;
  }

  #detail({ id, next_attempt_at: next }: Callback) {
    const { format } = this.context;
    const detail = this.open?.detail ?? null;
    return html`<div class="unfolded">
      ${factList([
        ['webhook-id', html`<code dir="ltr">${id}</code>`],
        [this.text('integration.next_attempt'), next && format.dateTime(next)],
      ])}
      ${
        detail === null
          ? html`<p class="hint" role="status">${this.text('shell.loading')}</p>`
          : detail.attempts.length === 0
            ? html`<p class="hint">${this.text('integration.no_attempt')}</p>`
            : html`<ol class="attempts">
                ${detail.attempts.toReversed().map(
                  (attempt) => html`<li class="attempt">
                    <p class="attempt-head">
                      <strong>${this.text('integration.attempt', { number: attempt.number })}</strong> ·
                      ${format.dateTime(attempt.at)}
                    </p>
                    ${attempt.url === null ? nothing : html`<p class="hint attempt-text" dir="ltr">${attempt.url}</p>`}
                    ${answerShown(this.i18n, format, attempt)}
                  </li>`,
                )}
              </ol>`
      }
      ${
        hasScope(this.context, 'callback:send')
          ? html`<div class="row-actions">
              ${button(this.text('integration.send_again'), () => void this.#again(`one ${id}`, [id], this.text('integration.sent_again')), { icon: 'rotate-ccw', isBusy: this.#turns.has(`one ${id}`) })}
            </div>`
          : nothing
      }
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'deliveries-section': DeliveriesSection;
  }
}

import { html, nothing, type PropertyValues } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { checkField } from '../choices.ts';
import { trimmedValue } from '../fields.ts';
import { Loader } from '../loader.ts';
import { isOutOfBand } from '../transactions/out-of-band.ts';
import { submitReview, isReviewed, type ReviewAction, readOutcome } from './submit-review.ts';
import { shortcutHints, listenForShortcuts } from './queue-shortcuts.ts';
import { queueRow, resultsPanel, selectionBar } from './queue-views.ts';
import { type ReviewResult, ReviewTexts } from './review-texts.ts';
import { findUnrefundable, nextKey, readPendingReviews, type PendingReview } from './pending-reviews.ts';
import { button, emptyState, pageHead } from '../parts.ts';

/** Time to read the decision of another user. */
const REMOVAL_DELAY_MS = 6000;
const REFRESH_DELAY_MS = 300;

interface Queue {
  rows: readonly PendingReview[];
  hasMore: boolean;
}

/** The review queue: approves or rejects payments, one or several at a time. */
@customElement('review-queue-page')
export class ReviewQueuePage extends AccountPage {
  @state() private selected: ReadonlySet<string> = new Set();
  /** Payments that another user reviewed while on screen, until their rows are removed. */
  @state() private leaving: ReadonlyMap<string, ReviewResult> = new Map();
  @state() private results: readonly ReviewResult[] = [];
  @state() private busyKeys: ReadonlySet<string> = new Set();

  #pages = 1;
  /** Key of the focused row. */
  #currentKey: string | null = null;
  /** Payments reviewed here; their rows are removed without a message. */
  readonly #reviewedKeys = new Set<string>();
  readonly #timers = new Set<number>();

  readonly #queue = this.reloadOnUpdate(
    new Loader<Queue>(this, async (signal) => {
      const queue = await readPendingReviews(this.context.api, this.#pages, signal);
      signal.throwIfAborted();
      this.#findReviewedByOthers(queue.rows);
      return queue;
    }),
    REFRESH_DELAY_MS,
  );

  constructor() {
    super();
    listenForShortcuts(this, {
      move: (step) => this.#moveFocus(step),
      actions: {
        x: () => this.#toggleCurrent(),
        a: () => void this.#reviewCurrent('accept'),
        r: () => void this.#reviewCurrent('reject'),
        u: () => this.#clearSelection(),
      },
    });
  }

  get #texts() {
    return new ReviewTexts(this.context);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  get #rows(): readonly PendingReview[] {
    return this.#queue.value?.rows ?? [];
  }

  get #selectedRows(): readonly PendingReview[] {
    return this.#rows.filter(({ key }) => this.selected.has(key));
  }

  /**
   * Finds payments that left the queue because another user reviewed them, and shows that before it removes their rows.
   * A payment under review here may leave the queue before its response arrives.
   */
  #findReviewedByOthers(rows: readonly PendingReview[]) {
    const currentKeys = new Set(rows.map(({ key }) => key));
    this.selected = new Set([...this.selected].filter((key) => currentKeys.has(key)));
    for (const payment of this.#rows) {
      const { key } = payment;
      if (currentKeys.has(key) || this.#reviewedKeys.has(key) || this.busyKeys.has(key) || this.leaving.has(key))
        continue;
      const outcome = { state: 'already_reviewed', by: null, action: null, reason: null } as const;
      this.leaving = new Map([...this.leaving, [key, { payment, action: 'accept', outcome }]]);
      const removeLater = () => this.#timers.add(window.setTimeout(() => this.#remove(key), REMOVAL_DELAY_MS));
      void this.#readDecision(payment).finally(removeLater);
    }
    this.context.refreshReviewCount();
  }

  async #readDecision(payment: PendingReview) {
    const outcome = await readOutcome(this.context, payment).catch(() => undefined);
    // Still in review: newer payments moved it to the next page.
    if (outcome === null) this.#remove(payment.key);
    if (!outcome || !this.leaving.has(payment.key)) return;
    const result: ReviewResult = { payment, action: 'accept', outcome };
    this.leaving = new Map([...this.leaving, [payment.key, result]]);
    this.context.announce(`${this.#texts.amount(payment, payment.received)}: ${this.#texts.outcome(result)}`);
  }

  #remove(key: string) {
    if (this.#rowElement(key)?.contains(document.activeElement)) this.#moveFocus(1);
    this.leaving = new Map([...this.leaving].filter(([rowKey]) => rowKey !== key));
  }

  #rowElement(key: string | null): HTMLElement | null {
    return key === null ? null : this.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  }

  #moveFocus(step: 1 | -1) {
    const keys = this.#rows.map(({ key }) => key);
    const index = keys.indexOf(this.#currentKey ?? '');
    const next =
      index === -1 ? (step === 1 ? 0 : keys.length - 1) : Math.min(keys.length - 1, Math.max(0, index + step));
    const row = this.#rowElement(keys[next] ?? null);
    if (row) row.focus();
    else this.querySelector<HTMLElement>('h1')?.focus();
  }

  #toggleCurrent() {
    const row = this.#rows.find(({ key }) => key === this.#currentKey);
    if (!row) return;
    this.#select(row.key, !this.selected.has(row.key));
    const key = this.selected.has(row.key) ? 'selected' : 'selected_none';
    this.context.announce(this.text(`reviews.${key}`, { count: this.selected.size }));
  }

  #select(key: string, isSelected: boolean) {
    this.selected = new Set(
      isSelected ? [...this.selected, key] : [...this.selected].filter((rowKey) => rowKey !== key),
    );
  }

  #clearSelection() {
    if (this.selected.size === 0) return;
    this.selected = new Set();
    this.context.announce(this.text('reviews.selected_none'));
  }

  /** Reviews the selected payments, or the focused one. */
  async #reviewCurrent(action: ReviewAction) {
    const current = this.#rows.filter(({ key }) => key === this.#currentKey);
    await this.#review(action, this.selected.size > 0 ? this.#selectedRows : current);
  }

  // Reviews

  async #review(action: ReviewAction, rows: readonly PendingReview[]) {
    const idleRows = rows.filter(({ key }) => !this.busyKeys.has(key));
    const { reviewable, isUnrefundable } =
      action === 'accept' ? { reviewable: idleRows, isUnrefundable: false } : await this.#findRejectable(idleRows);
    const skippedCount = idleRows.length - reviewable.length;
    if (reviewable.length === 0) {
      if (skippedCount > 0) this.context.announce(this.text('reviews.cannot_reject'));
      return;
    }
    const prompt = this.#texts.prompt(action, reviewable, { skippedCount, isUnrefundable });
    const values = this.isConnected && (await this.context.prompt(prompt));
    if (!values || !this.isConnected) return;
    const details = {
      reason: trimmedValue(values, 'reason'),
      refundAddress: trimmedValue(values, 'refundAddress'),
      isOutOfBand: isUnrefundable || isOutOfBand(values),
    };
    this.busyKeys = new Set([...this.busyKeys, ...reviewable.map(({ key }) => key)]);
    const results: ReviewResult[] = [];
    for (const payment of reviewable) {
      const outcome = await submitReview(this.context, payment, action, details);
      if (isReviewed(outcome)) this.#reviewedKeys.add(payment.key);
      results.push({ payment, action, outcome });
      this.busyKeys = new Set([...this.busyKeys].filter((rowKey) => rowKey !== payment.key));
    }
    await this.#showResults(results);
  }

  /**
   * Finds the payments that can be rejected together. Those that no acquirer can refund are left out, unless there are no
   * others: their rejection needs a refund that the merchant sends.
   */
  async #findRejectable(rows: readonly PendingReview[]) {
    const rejectable = rows.filter(({ canReject }) => canReject);
    const keys = rejectable.map(({ key }) => key);
    this.busyKeys = new Set([...this.busyKeys, ...keys]);
    // If they cannot be read, the service still rejects the request if no refund is possible.
    const unrefundable = await findUnrefundable(this.context.api, rejectable).catch(() => new Set<string>());
    this.busyKeys = new Set([...this.busyKeys].filter((key) => !keys.includes(key)));
    const refundable = rejectable.filter(({ key }) => !unrefundable.has(key));
    const isUnrefundable = refundable.length === 0 && rejectable.length > 0;
    return { reviewable: isUnrefundable ? rejectable : refundable, isUnrefundable };
  }

  async #showResults(results: readonly ReviewResult[]) {
    const [first] = results;
    const isSingleSuccess = results.length === 1 && first?.outcome.state === 'done';
    this.results = isSingleSuccess ? [] : results;
    const reviewedKeys = new Set(
      results.filter(({ outcome }) => isReviewed(outcome)).map(({ payment }) => payment.key),
    );
    this.selected = new Set([...this.selected].filter((key) => !reviewedKeys.has(key)));
    const next = nextKey(this.#rows, this.#currentKey, reviewedKeys);
    const { value } = this.#queue;
    if (value) this.#queue.set({ ...value, rows: value.rows.filter(({ key }) => !reviewedKeys.has(key)) });
    if (isSingleSuccess && first)
      this.context.announce(
        `${this.#texts.amount(first.payment, first.payment.received)}: ${this.#texts.outcome(first)}`,
      );
    else this.context.announce(this.#texts.summary(results));
    this.context.refreshReviewCount();
    await this.updateComplete;
    if (isSingleSuccess) (this.#rowElement(next) ?? this.querySelector<HTMLElement>('h1'))?.focus();
    else this.querySelector<HTMLElement>('.results-heading')?.focus();
    void this.#queue.run();
  }

  // Templates

  protected override updated(_changed: PropertyValues) {
    // Reserves space for the selection bar, which covers the end of the list.
    this.classList.toggle('has-selection', this.selected.size > 0);
  }

  override render() {
    const emptyView = () =>
      emptyState('circle-check', this.text('reviews.empty_title'), this.text('reviews.empty_text'));
    return html`${pageHead(
      this.text('shell.pages.reviews'),
      this.#queue.value?.rows.length ? html`<p class="shortcut-hints">${shortcutHints(this.i18n)}</p>` : nothing,
    )}
      ${resultsPanel(this.results, this.context, () => (this.results = []))}
      ${loadView(this.#queue, this.i18n, {
        skeleton: () => skeletonRows(3),
        empty: ({ rows }) => (rows.length + this.leaving.size === 0 ? emptyView() : null),
        content: (queue) => this.#list(queue),
      })}
      ${selectionBar(this.#selectedRows, {
        context: this.context,
        isBusy: this.busyKeys.size > 0,
        onClear: () => this.#clearSelection(),
        onReview: (action) => void this.#review(action, this.#selectedRows),
      })}`;
  }

  #list({ rows, hasMore }: Queue) {
    const shown = [...rows, ...[...this.leaving.values()].map(({ payment }) => payment)];
    shown.sort((one, other) => other.at.localeCompare(one.at));
    const isAll = rows.length > 0 && rows.every(({ key }) => this.selected.has(key));
    return html`<section class="panel" aria-label=${this.text('reviews.list')}>
        <div class="queue-head">
          ${checkField({
            ...{ text: this.text('reviews.select_all'), isChecked: isAll },
            isIndeterminate: !isAll && this.selected.size > 0,
            onChange: (isChecked) => (this.selected = new Set(isChecked ? rows.map(({ key }) => key) : [])),
          })}
          <span class="queue-count">${this.text('reviews.waiting', { count: rows.length })}</span>
        </div>
        <ul class="queue">
          ${repeat(
            shown,
            ({ key }) => key,
            (payment) =>
              queueRow(payment, {
                context: this.context,
                otherDecision: this.leaving.get(payment.key),
                isBusy: this.busyKeys.has(payment.key),
                isSelected: this.selected.has(payment.key),
                onSelect: (isSelected) => this.#select(payment.key, isSelected),
                onReview: (action) => void this.#review(action, [payment]),
                onFocus: () => (this.#currentKey = payment.key),
              }),
          )}
        </ul>
      </section>
      ${
        hasMore
          ? button(this.text('reviews.more'), () => this.#showMore(), { isDisabled: this.#queue.isLoading })
          : nothing
      }`;
  }

  #showMore() {
    this.#pages++;
    void this.#queue.run();
  }
}

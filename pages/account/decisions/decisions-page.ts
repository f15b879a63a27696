import { html, nothing, type PropertyValues } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { checkField } from '../choices.ts';
import { trimmedValue } from '../fields.ts';
import { Loader } from '../load.ts';
import { isOutOfBand } from '../transactions/out-of-band.ts';
import { decide, isGone, type Verdict, whatBecameOf } from './decide.ts';
import { keysHint, listenForKeys } from './queue-keys.ts';
import { queueRow, resultsPanel } from './queue-parts.ts';
import { type Result, ReviewWords } from './review-words.ts';
import { readWaiting, sumsOf, type Waiting } from './waiting.ts';
import { button, emptyState, iconButton } from '../parts.ts';

/** Long enough to read who was first. */
const LEAVES_AFTER_MS = 6000;
const LOOK_AGAIN_AFTER_MS = 300;

interface Queue {
  rows: readonly Waiting[];
  hasMore: boolean;
}

/** What waits for a person, to be accepted or rejected one by one or several at once. */
@customElement('decisions-page')
export class DecisionsPage extends AccountPage {
  @state() private selected: ReadonlySet<string> = new Set();
  /** What somebody else has decided while it was on screen, until it has been read. */
  @state() private leaving: ReadonlyMap<string, Result> = new Map();
  @state() private results: readonly Result[] = [];
  @state() private busyWith: ReadonlySet<string> = new Set();

  #pages = 1;
  /** The row that keys are about. */
  #current: string | null = null;
  /** What was decided here: it leaves without a word of somebody else's. */
  readonly #own = new Set<string>();
  readonly #timers = new Set<number>();

  readonly #queue = this.reloadOnUpdate(
    new Loader<Queue>(this, async (signal) => {
      const queue = await readWaiting(this.context.api, this.#pages, signal);
      signal.throwIfAborted();
      this.#compare(queue.rows);
      return queue;
    }),
    LOOK_AGAIN_AFTER_MS,
  );

  constructor() {
    super();
    listenForKeys(this, {
      move: (step) => this.#move(step),
      acts: {
        x: () => this.#toggleCurrent(),
        a: () => void this.#decideCurrent('accept'),
        r: () => void this.#decideCurrent('reject'),
        u: () => this.#clear(),
      },
    });
  }

  get #review() {
    return new ReviewWords(this.context);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  get #rows(): readonly Waiting[] {
    return this.#queue.value?.rows ?? [];
  }

  get #chosen(): readonly Waiting[] {
    return this.#rows.filter(({ key }) => this.selected.has(key));
  }

  /**
   * What was there and is not any more was decided elsewhere: that is said before it goes. What is being decided
   * here may be gone before the answer is there that tells what came of it.
   */
  #compare(rows: readonly Waiting[]) {
    const there = new Set(rows.map(({ key }) => key));
    this.selected = new Set([...this.selected].filter((key) => there.has(key)));
    for (const waiting of this.#rows) {
      const { key } = waiting;
      if (there.has(key) || this.#own.has(key) || this.busyWith.has(key) || this.leaving.has(key)) continue;
      this.#leave({ waiting, verdict: 'accept', outcome: { state: 'decided', by: null, verdict: null, reason: null } });
      void this.#askWho(waiting);
    }
    this.context.refreshReviewCount();
  }

  async #askWho(waiting: Waiting) {
    const outcome = await whatBecameOf(this.context, waiting).catch(() => null);
    if (outcome === null || !this.leaving.has(waiting.key)) return;
    const result: Result = { waiting, verdict: 'accept', outcome };
    this.leaving = new Map([...this.leaving, [waiting.key, result]]);
    this.context.announce(`${this.#review.money(waiting, waiting.came)}: ${this.#review.outcome(result)}`);
  }

  #leave(result: Result) {
    const { key } = result.waiting;
    this.leaving = new Map([...this.leaving, [key, result]]);
    const timer = window.setTimeout(() => {
      this.#timers.delete(timer);
      if (this.#rowElement(key)?.contains(document.activeElement)) this.#move(1);
      this.leaving = new Map([...this.leaving].filter(([each]) => each !== key));
    }, LEAVES_AFTER_MS);
    this.#timers.add(timer);
  }

  #rowElement(key: string | null): HTMLElement | null {
    return key === null ? null : this.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
  }

  #move(step: 1 | -1) {
    const keys = this.#rows.map(({ key }) => key);
    const at = keys.indexOf(this.#current ?? '');
    const next = at === -1 ? (step === 1 ? 0 : keys.length - 1) : Math.min(keys.length - 1, Math.max(0, at + step));
    const row = this.#rowElement(keys[next] ?? null);
    if (row) row.focus();
    else this.querySelector<HTMLElement>('h1')?.focus();
  }

  #toggleCurrent() {
    const row = this.#rows.find(({ key }) => key === this.#current);
    if (!row) return;
    this.#select(row.key, !this.selected.has(row.key));
    const key = this.selected.has(row.key) ? 'selected' : 'selected_none';
    this.context.announce(this.text(`decisions.${key}`, { count: this.selected.size }));
  }

  #select(key: string, isSelected: boolean) {
    this.selected = new Set(isSelected ? [...this.selected, key] : [...this.selected].filter((each) => each !== key));
  }

  #clear() {
    if (this.selected.size === 0) return;
    this.selected = new Set();
    this.context.announce(this.text('decisions.selected_none'));
  }

  /** Of what is selected, or of the row that one stands at. */
  async #decideCurrent(verdict: Verdict) {
    const current = this.#rows.filter(({ key }) => key === this.#current);
    await this.#decide(verdict, this.selected.size > 0 ? this.#chosen : current);
  }

  // Decisions

  async #decide(verdict: Verdict, rows: readonly Waiting[]) {
    const idle = rows.filter(({ key }) => !this.busyWith.has(key));
    const able = verdict === 'accept' ? idle : idle.filter(({ canReject }) => canReject);
    const left = idle.length - able.length;
    if (able.length === 0) {
      if (left > 0) this.context.announce(this.text('decisions.no_reject'));
      return;
    }
    const answer = await this.context.prompt(this.#review.question(verdict, able, left));
    if (answer === null || !this.isConnected) return;
    const reasons = {
      reason: trimmedValue(answer, 'reason'),
      refundAddress: trimmedValue(answer, 'refundAddress'),
      isOutOfBand: isOutOfBand(answer),
    };
    this.busyWith = new Set([...this.busyWith, ...able.map(({ key }) => key)]);
    const results: Result[] = [];
    for (const waiting of able) {
      const outcome = await decide(this.context, waiting, verdict, reasons);
      if (isGone(outcome)) this.#own.add(waiting.key);
      results.push({ waiting, verdict, outcome });
      this.busyWith = new Set([...this.busyWith].filter((each) => each !== waiting.key));
    }
    await this.#told(results);
  }

  async #told(results: readonly Result[]) {
    const [only] = results;
    const isPlain = results.length === 1 && only?.outcome.state === 'done';
    this.results = isPlain ? [] : results;
    const gone = new Set(results.filter(({ outcome }) => isGone(outcome)).map(({ waiting }) => waiting.key));
    this.selected = new Set([...this.selected].filter((key) => !gone.has(key)));
    const next = this.#neighbour(gone);
    const { value } = this.#queue;
    if (value) this.#queue.set({ ...value, rows: value.rows.filter(({ key }) => !gone.has(key)) });
    if (isPlain && only)
      this.context.announce(`${this.#review.money(only.waiting, only.waiting.came)}: ${this.#review.outcome(only)}`);
    else this.context.announce(this.#review.summary(results));
    this.context.refreshReviewCount();
    await this.updateComplete;
    if (isPlain) (this.#rowElement(next) ?? this.querySelector<HTMLElement>('h1'))?.focus();
    else this.querySelector<HTMLElement>('.results-heading')?.focus();
    void this.#queue.run();
  }

  /** Where whoever goes through the list goes on, once these are gone. */
  #neighbour(gone: ReadonlySet<string>): string | null {
    const keys = this.#rows.map(({ key }) => key);
    const at = keys.indexOf(this.#current ?? '');
    const after = keys.slice(Math.max(at, 0)).find((key) => !gone.has(key));
    return after ?? keys.findLast((key) => !gone.has(key)) ?? null;
  }

  // What is drawn

  protected override updated(_changed: PropertyValues) {
    // The bar that acts on what is selected stands over the end of the list.
    this.classList.toggle('has-selection', this.selected.size > 0);
  }

  override render() {
    const nothingWaits = () =>
      emptyState('circle-check', this.text('decisions.empty_title'), this.text('decisions.empty_text'));
    return html`<header class="page-head">
        <h1 tabindex="-1">${this.text('shell.pages.decisions')}</h1>
        <p class="keys-hint">${keysHint(this.i18n)}</p>
      </header>
      ${resultsPanel(this.results, this.context, () => (this.results = []))}
      ${loadView(this.#queue, this.i18n, {
        skeleton: () => skeletonRows(3),
        empty: ({ rows }) => (rows.length + this.leaving.size === 0 ? nothingWaits() : null),
        content: (queue) => this.#list(queue),
      })}
      ${this.#bar()}`;
  }

  #list({ rows, hasMore }: Queue) {
    const shown = [...rows, ...[...this.leaving.values()].map(({ waiting }) => waiting)];
    shown.sort((one, other) => other.at.localeCompare(one.at));
    const isAll = rows.length > 0 && rows.every(({ key }) => this.selected.has(key));
    return html`<section class="panel" aria-label=${this.text('decisions.list')}>
        <div class="queue-all">
          ${checkField({
            ...{ text: this.text('decisions.select_all'), isChecked: isAll },
            isIndeterminate: !isAll && this.selected.size > 0,
            onChange: (isChecked) => (this.selected = new Set(isChecked ? rows.map(({ key }) => key) : [])),
          })}
          <span class="queue-count">${this.text('decisions.waiting', { count: rows.length })}</span>
        </div>
        <ul class="queue">
          ${repeat(
            shown,
            ({ key }) => key,
            (waiting) =>
              queueRow(waiting, {
                context: this.context,
                gone: this.leaving.get(waiting.key),
                isBusy: this.busyWith.has(waiting.key),
                isSelected: this.selected.has(waiting.key),
                select: (isSelected) => this.#select(waiting.key, isSelected),
                decide: (verdict) => void this.#decide(verdict, [waiting]),
                focus: () => (this.#current = waiting.key),
              }),
          )}
        </ul>
      </section>
      ${
        hasMore
          ? button(this.text('decisions.more'), () => this.#showMore(), { isDisabled: this.#queue.isLoading })
          : nothing
      }`;
  }

  #showMore() {
    this.#pages++;
    void this.#queue.run();
  }

  /** Within reach of a thumb. */
  #bar() {
    const chosen = this.#chosen;
    if (chosen.length === 0) return nothing;
    const isBusy = this.busyWith.size > 0;
    return html`<div class="queue-bar" role="group" aria-label=${this.text('decisions.selected', { count: chosen.length })}>
      <p class="queue-bar-words">
        <strong>${this.text('decisions.selected', { count: chosen.length })}</strong>
        <span>${sumsOf(chosen).map((sum) => html`<span>${this.#review.money(sum, sum.came)}</span>`)}</span>
      </p>
      ${iconButton('x', this.text('decisions.clear'), () => this.#clear())}
      <div class="queue-bar-actions">
        ${
          chosen.some(({ canReject }) => canReject)
            ? button(this.text('decisions.reject'), () => void this.#decide('reject', chosen), { isDisabled: isBusy })
            : nothing
        }
        ${button(this.text('decisions.accept'), () => void this.#decide('accept', chosen), { kind: 'main', isDisabled: isBusy })}
      </div>
    </div>`;
  }
}

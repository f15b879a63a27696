import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { repeat } from 'lit/directives/repeat.js';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { given, textField } from '../fields.ts';
import { icon } from '../icons.ts';
import { isTyping, usesSingleKeys } from '../keys.ts';
import { Load } from '../load.ts';
import { isOutOfBand, outOfBandField } from '../transactions/out-of-band.ts';
import { decide, type Outcome, type Verdict, whatBecameOf } from './decide.ts';
import { moneyText, readWaiting, sumsOf, type Waiting } from './waiting.ts';
import { button, emptyState, iconButton, tag } from '../parts.ts';

/** Long enough to read who was first. */
const LEAVES_AFTER_MS = 6000;
const LOOK_AGAIN_AFTER_MS = 300;
const GO_KEY_MS = 1500;

interface Queue {
  rows: readonly Waiting[];
  hasMore: boolean;
}

interface Result {
  waiting: Waiting;
  verdict: Verdict;
  outcome: Outcome;
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
  #goUntil = 0;
  readonly #onKey = (event: KeyboardEvent) => this.#key(event);

  readonly #queue = this.reloadOnNews(
    new Load<Queue>(this, async (signal) => {
      const queue = await readWaiting(this.context.api, this.#pages, signal);
      signal.throwIfAborted();
      this.#compare(queue.rows);
      return queue;
    }),
    LOOK_AGAIN_AFTER_MS,
  );

  override connectedCallback() {
    super.connectedCallback();
    window.addEventListener('keydown', this.#onKey);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener('keydown', this.#onKey);
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
    this.context.recount();
  }

  async #askWho(waiting: Waiting) {
    const outcome = await whatBecameOf(this.context, waiting).catch(() => null);
    if (outcome === null || !this.leaving.has(waiting.key)) return;
    const result: Result = { waiting, verdict: 'accept', outcome };
    this.leaving = new Map([...this.leaving, [waiting.key, result]]);
    this.context.say(`${this.#money(waiting, waiting.came)}: ${this.#outcomeText(result)}`);
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

  // Keys

  #key(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (document.querySelector('dialog[open]')) return;
    const isCheckbox = event.target instanceof HTMLInputElement && event.target.type === 'checkbox';
    if (isTyping(event) && !isCheckbox) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!this.contains(document.activeElement) || document.activeElement?.matches('h1')) return;
      this.#move(event.key === 'ArrowDown' ? 1 : -1);
      event.preventDefault();
      return;
    }
    if (!usesSingleKeys()) return;
    // What follows `g` is the way to another page.
    const isGoing = event.timeStamp < this.#goUntil;
    this.#goUntil = event.key === 'g' ? event.timeStamp + GO_KEY_MS : 0;
    const act = isGoing ? undefined : this.#keyActs[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  }

  readonly #keyActs: Readonly<Record<string, () => void>> = {
    j: () => this.#move(1),
    k: () => this.#move(-1),
    x: () => this.#toggleCurrent(),
    a: () => void this.#decideCurrent('accept'),
    r: () => void this.#decideCurrent('reject'),
    u: () => this.#clear(),
  };

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
    this.context.say(this.text(`decisions.${key}`, { count: this.selected.size }));
  }

  #select(key: string, isSelected: boolean) {
    this.selected = new Set(isSelected ? [...this.selected, key] : [...this.selected].filter((each) => each !== key));
  }

  #clear() {
    if (this.selected.size === 0) return;
    this.selected = new Set();
    this.context.say(this.text('decisions.selected_none'));
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
      if (left > 0) this.context.say(this.text('decisions.no_reject'));
      return;
    }
    const answer = await this.context.ask(this.#question(verdict, able, left));
    if (answer === null || !this.isConnected) return;
    const reasons = {
      reason: given(answer, 'reason'),
      refundAddress: given(answer, 'refundAddress'),
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
      this.context.say(`${this.#money(only.waiting, only.waiting.came)}: ${this.#outcomeText(only)}`);
    else this.context.say(this.#summary(results));
    this.context.recount();
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

  #summary(results: readonly Result[]): string {
    const count = (name: Outcome['state']) => results.filter(({ outcome }) => outcome.state === name).length;
    const parts = (['done', 'decided', 'kept', 'failed'] as const).filter((name) => count(name) > 0);
    return parts.map((name) => this.text(`decisions.summary_${name}`, { count: count(name) })).join(' ');
  }

  #question(verdict: Verdict, rows: readonly Waiting[], left: number) {
    const [only] = rows;
    const count = rows.length;
    const isRefundable = verdict === 'reject' && count === 1 && only?.kind === 'crypto';
    const goesBack = verdict === 'reject' && rows.every(({ kind }) => kind === 'fiat');
    return {
      heading: this.text(`decisions.${verdict}_title`, { count }),
      text: html`<ul class="sums">
          ${sumsOf(rows).map((sum) => html`<li>${this.#money(sum, sum.came)}</li>`)}
        </ul>
        <p>${this.text(verdict === 'accept' ? 'decisions.accept_text' : `decisions.${rejectionText(rows)}`)}</p>
        ${left === 0 ? nothing : html`<p>${this.text('decisions.left_out', { count: left })}</p>`}`,
      fields: html`<div class="fields">
            ${textField({
              ...{ id: 'decision-reason', name: 'reason', label: this.text('decisions.reason'), maxlength: 255 },
              hint: this.text('decisions.reason_hint'),
            })}
            ${
              isRefundable
                ? textField({
                    ...{ id: 'decision-refund', name: 'refundAddress', maxlength: 128, dir: 'ltr' },
                    label: this.text('decisions.refund', { currency: only.currency.toUpperCase() }),
                    hint: this.text('decisions.refund_hint'),
                  })
                : nothing
            }
            ${goesBack ? outOfBandField(this.words) : nothing}
          </div>`,
      confirm: this.text(`decisions.${verdict}`),
      isGrave: verdict === 'reject',
    };
  }

  // What is drawn

  protected override updated(_changed: PropertyValues) {
    // The bar that acts on what is selected stands over the end of the list.
    this.classList.toggle('has-selection', this.selected.size > 0);
  }

  #money(sum: Pick<Waiting, 'kind' | 'currency'>, amount: bigint): string {
    return moneyText(sum, amount, this.context.format);
  }

  override render() {
    return html`<header class="page-head">
        <h1 tabindex="-1">${this.text('shell.pages.decisions')}</h1>
        <p class="keys-hint">${this.#keysHint()}</p>
      </header>
      ${this.#resultsPanel()}
      ${loadView(this.#queue, this.words, {
        skeleton: () => skeletonRows(3),
        empty: ({ rows }) => (rows.length + this.leaving.size === 0 ? this.#nothingWaits() : null),
        shown: (queue) => this.#list(queue),
      })}
      ${this.#bar()}`;
  }

  #keysHint() {
    const keys = ['j', 'k', 'x', 'a', 'r', 'u'].map((key) => [key, this.text(`decisions.key_${key}`)] as const);
    return keys.map(([key, does]) => html`<span><kbd>${key}</kbd> ${does}</span>`);
  }

  #nothingWaits() {
    return emptyState('circle-check', this.text('decisions.empty_title'), this.text('decisions.empty_text'));
  }

  #list({ rows, hasMore }: Queue) {
    const shown = [...rows, ...[...this.leaving.values()].map(({ waiting }) => waiting)];
    shown.sort((one, other) => other.at.localeCompare(one.at));
    const isAll = rows.length > 0 && rows.every(({ key }) => this.selected.has(key));
    const selectAll = (event: Event) => {
      const { checked } = event.target as HTMLInputElement;
      this.selected = new Set(checked ? rows.map(({ key }) => key) : []);
    };
    return html`<section class="panel" aria-label=${this.text('decisions.list')}>
        <label class="check queue-all">
          <input
            type="checkbox"
            .checked=${isAll}
            .indeterminate=${!isAll && this.selected.size > 0}
            @change=${selectAll}
          />
          <span>${this.text('decisions.select_all')}</span>
          <span class="queue-count">${this.text('decisions.waiting', { count: rows.length })}</span>
        </label>
        <ul class="queue">
          ${repeat(
            shown,
            ({ key }) => key,
            (waiting) => this.#row(waiting),
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

  #row(waiting: Waiting): TemplateResult {
    const { key, came, at, reference, id, meantFor } = waiting;
    const gone = this.leaving.get(key);
    const amount = this.#money(waiting, came);
    const isBusy = this.busyWith.has(key);
    const isSelected = this.selected.has(key);
    return html`<li
      class="queue-row"
      data-key=${key}
      tabindex="-1"
      ?data-leaving=${gone !== undefined}
      ?data-selected=${isSelected}
      aria-busy=${isBusy ? 'true' : nothing}
      @focusin=${() => (this.#current = key)}
    >
      <label class="queue-check">
        <input
          type="checkbox"
          .checked=${isSelected}
          ?disabled=${gone !== undefined || isBusy}
          @change=${(event: Event) => this.#select(key, (event.target as HTMLInputElement).checked)}
        />
        <span class="visually-hidden">${this.text('decisions.select', { what: `${amount} ${reference ?? ''}` })}</span>
      </label>
      <div class="queue-words">
        <p class="queue-amount">
          <span>${amount}</span> ${this.#difference(waiting)}
        </p>
        <p class="queue-tags">${this.#tags(waiting)}</p>
        <p class="row-text">
          ${this.#asked(waiting)} · ${this.context.format.ago(at)}
        </p>
        <p class="row-text">
          <a class="link" href=${this.context.here('transactions', reference ?? id)}
            ><bdi>${reference ?? this.text('decisions.unidentified')}</bdi></a
          >
          ${
            meantFor === null
              ? nothing
              : html` · ${this.text('decisions.meant_for')}
                  <a class="link" href=${this.context.here('transactions', meantFor)}><bdi>${meantFor}</bdi></a>`
          }
        </p>
        ${gone === undefined ? nothing : html`<p class="queue-gone">${icon('info')}<span>${this.#outcomeText(gone)}</span></p>`}
      </div>
      ${
        gone === undefined
          ? html`<div class="queue-actions">
              ${
                waiting.canReject
                  ? button(this.text('decisions.reject'), () => void this.#decide('reject', [waiting]), {
                      icon: 'x',
                      name: this.text('decisions.reject_what', { amount }),
                      isDisabled: isBusy,
                    })
                  : nothing
              }
              ${button(this.text('decisions.accept'), () => void this.#decide('accept', [waiting]), { kind: 'main', icon: 'check', name: this.text('decisions.accept_what', { amount }), isDisabled: isBusy })}
            </div>`
          : nothing
      }
    </li>`;
  }

  #asked(waiting: Waiting): string {
    const { asked } = waiting;
    if (asked === null) return this.text('decisions.not_asked');
    return this.text('decisions.asked', { amount: this.#money(waiting, asked) });
  }

  #difference(waiting: Waiting) {
    const { came, asked } = waiting;
    if (asked === null || came === asked) return nothing;
    const isLess = came < asked;
    const amount = this.#money(waiting, isLess ? asked - came : came - asked);
    const tone = isLess ? 'bad' : 'warn';
    return html`<span class="queue-difference" data-tone=${tone}>
      ${this.text(isLess ? 'decisions.less' : 'decisions.over', { amount })}
    </span>`;
  }

  #tags({ labels, reference, came, asked }: Waiting) {
    const words = labels.map((label) =>
      this.words.has(`account.decisions.labels.${label}`) ? this.text(`decisions.labels.${label}`) : label,
    );
    if (reference === null && labels.length === 0) words.push(this.text('decisions.labels.unidentified'));
    if (words.length === 0 && came === asked) words.push(this.text('decisions.labels.exact'));
    return words.map((word) => tag(word, 'warn'));
  }

  #outcomeText({ verdict, outcome }: Result): string {
    if (outcome.state === 'done') return this.text(`decisions.done_${verdict}`);
    if (outcome.state === 'kept') return this.text('decisions.kept');
    if (outcome.state === 'failed') {
      const { problem } = outcome;
      const field = problem.errors[0]?.detail;
      return this.text('decisions.failed', { why: field ?? this.sentence(problem) });
    }
    const { by, verdict: other, reason } = outcome;
    if (other === null) return this.text('decisions.gone');
    const said =
      by === null || other === 'paid'
        ? this.text(`decisions.gone_${other}`)
        : this.text(`decisions.gone_${other}_by`, { name: by });
    return reason === null || reason === '' ? said : `${said} ${this.text('decisions.because', { reason })}`;
  }

  #resultsPanel() {
    if (this.results.length === 0) return nothing;
    const tones = { done: 'good', decided: 'warn', kept: 'bad', failed: 'bad' } as const;
    const icons = { done: 'circle-check', decided: 'users', kept: 'circle-alert', failed: 'circle-alert' } as const;
    return html`<section class="panel results">
      <div class="results-head">
        <h2 class="section-heading results-heading" tabindex="-1">${this.#summary(this.results)}</h2>
        ${iconButton('x', this.text('shell.close'), () => (this.results = []))}
      </div>
      <ul>
        ${this.results.map((result) => {
          const { waiting, outcome } = result;
          return html`<li class="result" data-tone=${tones[outcome.state]}>
            ${icon(icons[outcome.state])}
            <span class="result-amount">${this.#money(waiting, waiting.came)}</span>
            <span class="result-words"><bdi>${waiting.reference ?? ''}</bdi> ${this.#outcomeText(result)}</span>
          </li>`;
        })}
      </ul>
    </section>`;
  }

  /** Within reach of a thumb. */
  #bar() {
    const chosen = this.#chosen;
    if (chosen.length === 0) return nothing;
    const isBusy = this.busyWith.size > 0;
    return html`<div class="queue-bar" role="group" aria-label=${this.text('decisions.selected', { count: chosen.length })}>
      <p class="queue-bar-words">
        <strong>${this.text('decisions.selected', { count: chosen.length })}</strong>
        <span>${sumsOf(chosen).map((sum) => html`<span>${this.#money(sum, sum.came)}</span>`)}</span>
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

/** Whether it waits no more, whoever has decided. */
function isGone({ state }: Outcome): boolean {
  return state === 'done' || state === 'decided';
}

/** Where rejected money goes. */
function rejectionText(rows: readonly Waiting[]): string {
  if (rows.every(({ kind }) => kind === 'crypto')) return 'reject_text';
  return rows.every(({ kind }) => kind === 'fiat') ? 'reject_text_fiat' : 'reject_text_both';
}

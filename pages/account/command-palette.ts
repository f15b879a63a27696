import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from './account-element.ts';
import { dialogBox } from './dialog-box.ts';
import { icon } from './icons.ts';
import { iconButton } from './parts.ts';
import type { PaylatchError } from '../../client/error.ts';
import { problemText, toProblem } from './problems.ts';

export interface Command {
  id: string;
  label: string;
  /** Secondary texts below the label. */
  details?: readonly string[];
  /** An amount, at the end of the row. */
  amount?: string;
  /** Heading of the group. */
  group: string;
  icon: string;
  run(): void;
}

const MAX_OPTIONS = 50;
/** Pause in typing before a search. */
const SEARCH_DELAY_MS = 150;
const NOTHING_FOUND = { query: '', commands: [] };

/**
 * A search field for pages and commands: a combobox whose list is always open (ARIA Authoring Practices, combobox
 * with list autocomplete).
 */
@customElement('command-palette')
export class CommandPalette extends AccountElement {
  @property({ attribute: false }) commands: readonly Command[] = [];
  /** Commands derived from the query, until those that match it are fetched. */
  @property({ attribute: false }) deriveCommands: (query: string) => readonly Command[] = () => [];
  /** Fetches commands that match the query, or only those of the offered group. */
  @property({ attribute: false }) searchCommands: (query: string, isInGroup: boolean) => Promise<readonly Command[]> =
    async () => [];
  /** Runs a callback after a delay; returns a function that cancels it. */
  @property({ attribute: false }) schedule = (delayMs: number, callback: () => void): (() => void) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  };

  @state() private query = '';
  /** ID of the selected command, which remains selected when others are found. Without it, the first is selected. */
  @state() private activeId: string | null = null;
  @state() private found: { query: string; commands: readonly Command[] } = NOTHING_FOUND;
  /** Problem that prevented the search. */
  @state() private problem: PaylatchError | null = null;
  /** Offers this group only; empty for all. */
  @state() private group = '';

  @state() isOpen = false;

  #chosenCommand: Command | undefined;
  #cancelSearch = () => {};

  /** Opens the palette for one group, if it has commands, or for all. */
  open(group = '') {
    this.group = this.commands.some((command) => command.group === group) ? group : '';
    this.query = '';
    this.found = NOTHING_FOUND;
    this.problem = null;
    this.activeId = null;
    this.isOpen = true;
  }

  close() {
    this.#cancelSearch();
    this.isOpen = false;
  }

  /** Found commands of an earlier query remain if they match this one, so that rows do not flicker during typing. */
  get #options(): readonly Command[] {
    const query = this.query.trim();
    const words = normalize(query).split(/\s+/);
    const matches = ({ label, details = [], amount = '' }: Command) => {
      const text = normalize([label, ...details, amount].join(' '));
      return words.every((word) => text.includes(word));
    };
    const matching = this.commands.filter(matches);
    const { commands } = this.found;
    const found = this.#isSearched ? commands : [...this.deriveCommands(query), ...commands.filter(matches)];
    return [...matching, ...found]
      .filter(({ id, group }, index, all) => {
        const isFirst = all.findIndex((command) => command.id === id) === index;
        return isFirst && (this.group === '' || this.group === group);
      })
      .slice(0, MAX_OPTIONS);
  }

  /** The found commands are those of the query. */
  get #isSearched() {
    return this.found.query === this.query.trim();
  }

  protected override updated(changed: PropertyValues) {
    if (changed.has('isOpen') && this.isOpen) void this.#focus();
    this.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }

  /** Focuses the field before the next frame, so that typing starts immediately. */
  async #focus() {
    await this.querySelector('wa-dialog')?.updateComplete;
    this.querySelector('input')?.focus();
  }

  #handleInput(event: Event) {
    this.query = (event.target as HTMLInputElement).value;
    this.activeId = null;
    this.problem = null;
    this.#cancelSearch();
    const query = this.query.trim();
    if (query === '') this.found = NOTHING_FOUND;
    else this.#cancelSearch = this.schedule(SEARCH_DELAY_MS, () => void this.#search(query));
  }

  async #search(query: string) {
    try {
      const commands = await this.searchCommands(query, this.group !== '');
      if (query === this.query.trim()) this.found = { query, commands };
    } catch (error) {
      if (query === this.query.trim()) this.problem = toProblem(error);
    }
  }

  #activeIndex(options: readonly Command[]): number {
    return Math.max(
      options.findIndex(({ id }) => id === this.activeId),
      0,
    );
  }

  #handleKey(event: KeyboardEvent) {
    const options = this.#options;
    const { length } = options;
    const activeIndex = this.#activeIndex(options);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: activeIndex + 1,
      ArrowUp: activeIndex - 1 + length,
      Home: 0,
      End: length - 1,
    };
    const nextIndex = targets[event.key];
    if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      this.#run(options[activeIndex]);
    } else if (nextIndex !== undefined && length > 0 && !(this.query !== '' && /Home|End/.test(event.key))) {
      event.preventDefault();
      this.activeId = options[nextIndex % length]?.id ?? null;
    }
  }

  /** Runs after the dialog has restored the focus, because navigation moves it. */
  #run(command: Command | undefined) {
    if (!command) return;
    this.#chosenCommand = command;
    this.close();
  }

  #handleClosed() {
    this.#chosenCommand?.run();
    this.#chosenCommand = undefined;
  }

  override render() {
    return dialogBox({
      className: 'palette',
      label: this.#label,
      isOpen: this.isOpen,
      isLightDismissible: true,
      content: this.#content(),
      onDismiss: () => this.close(),
      onClosed: () => this.#handleClosed(),
    });
  }

  get #label() {
    return this.text(this.group === '' ? 'shell.palette.label' : 'shell.switch_merchant');
  }

  #content() {
    const options = this.#options;
    const label = this.#label;
    const activeIndex = this.#activeIndex(options);
    const status = this.#status(options.length);
    return html`<div class="palette-body">
        <label class="palette-field">
          ${icon('search')}
          <span class="visually-hidden">${label}</span>
          <input
            type="text"
            role="combobox"
            aria-expanded="true"
            aria-autocomplete="list"
            aria-controls="palette-list"
            aria-activedescendant=${options.length > 0 ? `palette-${activeIndex}` : nothing}
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            enterkeyhint="go"
            placeholder=${this.group === '' ? this.text('shell.palette.placeholder') : label}
            @input=${(event: Event) => this.#handleInput(event)}
            @keydown=${(event: KeyboardEvent) => this.#handleKey(event)}
          />
          ${iconButton('x', this.text('shell.close'), () => this.close())}
        </label>
        <ul class="palette-list" id="palette-list" role="listbox" tabindex="-1" aria-label=${label}>
          ${options.map((command, index) => this.#option(command, index, index === activeIndex, options[index - 1]?.group))}
        </ul>
        <p class=${status === null ? 'visually-hidden' : 'palette-status'} role="status">${status}</p>
      </div>`;
  }

  #status(count: number): string | null {
    if (this.problem) return problemText(this.problem, this.i18n).heading;
    if (!this.#isSearched) return this.text('shell.loading');
    return count === 0 ? this.text('shell.palette.none') : null;
  }

  #option(command: Command, index: number, isActive: boolean, groupBefore: string | undefined) {
    return html`${
      command.group === groupBefore
        ? nothing
        : html`<li class="palette-group" role="presentation" aria-hidden="true">${command.group}</li>`
    }
      <li
        class="palette-option"
        id="palette-${index}"
        role="option"
        aria-selected=${isActive ? 'true' : 'false'}
        @click=${() => this.#run(command)}
        @pointermove=${() => (this.activeId = command.id)}
      >
        ${icon(command.icon)}
        <span class="palette-label"><bdi>${command.label}</bdi>
          ${command.details === undefined ? nothing : html`<span class="palette-detail">${command.details.map((detail, position) => html`${position === 0 ? nothing : '\u00a0· '}<bdi>${detail}</bdi>`)}</span>`}</span>
        ${command.amount === undefined ? nothing : html`<span class="palette-amount">${command.amount}</span>`}
      </li>`;
  }
}

/** Removes case and accents for a tolerant search. */
function normalize(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

declare global {
  interface HTMLElementTagNameMap {
    'command-palette': CommandPalette;
  }
}

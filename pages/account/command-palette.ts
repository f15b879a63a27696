import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from './account-element.ts';
import { dialogBox } from './dialog-box.ts';
import { icon } from './icons.ts';
import { iconButton } from './parts.ts';

export interface Command {
  id: string;
  label: string;
  /** Secondary text next to the label. */
  hint?: string;
  /** Heading of the group. */
  group: string;
  icon: string;
  run(): void;
}

const MAX_OPTIONS = 50;

/**
 * A search field for pages and commands: a combobox whose list is always open (ARIA Authoring Practices, combobox
 * with list autocomplete).
 */
@customElement('command-palette')
export class CommandPalette extends AccountElement {
  @property({ attribute: false }) commands: readonly Command[] = [];
  /** Commands derived from the query. */
  @property({ attribute: false }) deriveCommands: (query: string) => readonly Command[] = () => [];
  /** Fetches commands that match the query. */
  @property({ attribute: false }) searchCommands: ((query: string) => Promise<readonly Command[]>) | null = null;

  @state() private query = '';
  @state() private activeIndex = 0;
  @state() private results: readonly Command[] = [];

  @state() isOpen = false;

  #chosenCommand: Command | undefined;

  open() {
    this.query = '';
    this.results = [];
    this.activeIndex = 0;
    this.isOpen = true;
  }

  close() {
    this.isOpen = false;
  }

  get #options(): readonly Command[] {
    const words = normalize(this.query).split(/\s+/);
    const matches = ({ label, hint = '' }: Command) => {
      const text = normalize(`${label} ${hint}`);
      return words.every((word) => text.includes(word));
    };
    const matching = this.commands.filter(matches);
    const fetched = this.results.filter(({ id }) => !matching.some((command) => command.id === id));
    return [...matching, ...fetched, ...this.deriveCommands(this.query.trim())].slice(0, MAX_OPTIONS);
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
    this.activeIndex = 0;
    this.results = [];
    void this.#search(this.query.trim());
  }

  async #search(query: string) {
    if (query === '' || this.searchCommands === null) return;
    const results = await this.searchCommands(query).catch(() => []);
    if (query === this.query.trim()) this.results = results;
  }

  #handleKey(event: KeyboardEvent) {
    const { length } = this.#options;
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: this.activeIndex + 1,
      ArrowUp: this.activeIndex - 1 + length,
      Home: 0,
      End: length - 1,
    };
    const nextIndex = targets[event.key];
    if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      this.#run(this.#options[this.activeIndex]);
    } else if (nextIndex !== undefined && length > 0 && !(this.query !== '' && /Home|End/.test(event.key))) {
      event.preventDefault();
      this.activeIndex = nextIndex % length;
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
      label: this.text('shell.palette.label'),
      isOpen: this.isOpen,
      isLightDismissible: true,
      content: this.#content(),
      onDismiss: () => this.close(),
      onClosed: () => this.#handleClosed(),
    });
  }

  #content() {
    const options = this.#options;
    const label = this.text('shell.palette.label');
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
            aria-activedescendant=${options.length > 0 ? `palette-${this.activeIndex}` : nothing}
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            enterkeyhint="go"
            placeholder=${this.text('shell.palette.placeholder')}
            @input=${(event: Event) => this.#handleInput(event)}
            @keydown=${(event: KeyboardEvent) => this.#handleKey(event)}
          />
          ${iconButton('x', this.text('shell.close'), () => this.close())}
        </label>
        <ul class="palette-list" id="palette-list" role="listbox" tabindex="-1" aria-label=${label}>
          ${options.map((command, index) => this.#option(command, index, options[index - 1]?.group))}
        </ul>
        <p class=${options.length === 0 ? 'palette-empty' : 'visually-hidden'} role="status">
          ${options.length === 0 ? this.text('shell.palette.none') : nothing}
        </p>
      </div>`;
  }

  #option(command: Command, index: number, groupBefore: string | undefined) {
    return html`${
      command.group === groupBefore
        ? nothing
        : html`<li class="palette-group" role="presentation" aria-hidden="true">${command.group}</li>`
    }
      <li
        class="palette-option"
        id="palette-${index}"
        role="option"
        aria-selected=${index === this.activeIndex ? 'true' : 'false'}
        @click=${() => this.#run(command)}
        @pointermove=${() => (this.activeIndex = index)}
      >
        ${icon(command.icon)}<span class="palette-label">${command.label}</span>
        ${command.hint === undefined ? nothing : html`<span class="palette-hint">${command.hint}</span>`}
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

import { html, nothing, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from './account-element.ts';
import { dialogBox } from './dialog-box.ts';
import { icon } from './icons.ts';
import { iconButton } from './parts.ts';

export interface Command {
  id: string;
  label: string;
  /** Told beside it, smaller. */
  hint?: string;
  /** What it stands under. */
  group: string;
  icon: string;
  run(): void;
}

const SHOWN = 50;

/**
 * A field that finds whatever can be done: a combobox whose list is always open (ARIA Authoring Practices,
 * combobox with list autocomplete).
 */
@customElement('command-palette')
export class CommandPalette extends AccountElement {
  @property({ attribute: false }) commands: readonly Command[] = [];
  /** What else there is for what was typed. */
  @property({ attribute: false }) more: (typed: string) => readonly Command[] = () => [];
  /** Fetches what is not at hand, for what was typed. */
  @property({ attribute: false }) find: ((typed: string) => Promise<readonly Command[]>) | null = null;

  @state() private typed = '';
  @state() private at = 0;
  @state() private found: readonly Command[] = [];

  @state() isOpen = false;

  #chosen: Command | undefined;

  open() {
    this.typed = '';
    this.found = [];
    this.at = 0;
    this.isOpen = true;
  }

  close() {
    this.isOpen = false;
  }

  get #shown(): readonly Command[] {
    const i18n = simplified(this.typed).split(/\s+/);
    const matches = ({ label, hint = '' }: Command) => {
      const text = simplified(`${label} ${hint}`);
      return i18n.every((word) => text.includes(word));
    };
    const known = this.commands.filter(matches);
    const others = this.found.filter(({ id }) => !known.some((command) => command.id === id));
    return [...known, ...others, ...this.more(this.typed.trim())].slice(0, SHOWN);
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

  #type(event: Event) {
    this.typed = (event.target as HTMLInputElement).value;
    this.at = 0;
    void this.#fetch(this.typed.trim());
  }

  async #fetch(typed: string) {
    if (typed === '' || this.find === null) return;
    const found = await this.find(typed).catch(() => []);
    if (typed === this.typed.trim()) this.found = found;
  }

  #key(event: KeyboardEvent) {
    const { length } = this.#shown;
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: this.at + 1,
      ArrowUp: this.at - 1 + length,
      Home: 0,
      End: length - 1,
    };
    const to = steps[event.key];
    if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      this.#run(this.#shown[this.at]);
    } else if (to !== undefined && length > 0 && !(this.typed !== '' && /Home|End/.test(event.key))) {
      event.preventDefault();
      this.at = to % length;
    }
  }

  /** Runs after the dialog has restored the focus, because navigation moves it. */
  #run(command: Command | undefined) {
    if (!command) return;
    this.#chosen = command;
    this.close();
  }

  #closed() {
    this.#chosen?.run();
    this.#chosen = undefined;
  }

  override render() {
    return dialogBox({
      className: 'palette',
      label: this.text('shell.palette.label'),
      isOpen: this.isOpen,
      isLight: true,
      content: this.#content(),
      dismiss: () => this.close(),
      closed: () => this.#closed(),
    });
  }

  #content() {
    const shown = this.#shown;
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
            aria-activedescendant=${shown.length > 0 ? `palette-${this.at}` : nothing}
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            enterkeyhint="go"
            placeholder=${this.text('shell.palette.placeholder')}
            @input=${(event: Event) => this.#type(event)}
            @keydown=${(event: KeyboardEvent) => this.#key(event)}
          />
          ${iconButton('x', this.text('shell.close'), () => this.close())}
        </label>
        <ul class="palette-list" id="palette-list" role="listbox" aria-label=${label}>
          ${shown.map((command, index) => this.#option(command, index, shown[index - 1]?.group))}
        </ul>
        <p class=${shown.length === 0 ? 'palette-none' : 'visually-hidden'} role="status">
          ${shown.length === 0 ? this.text('shell.palette.none') : nothing}
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
        aria-selected=${index === this.at ? 'true' : 'false'}
        @click=${() => this.#run(command)}
        @pointermove=${() => (this.at = index)}
      >
        ${icon(command.icon)}<span class="palette-label">${command.label}</span>
        ${command.hint === undefined ? nothing : html`<span class="palette-hint">${command.hint}</span>`}
      </li>`;
  }
}

/** Letters without case and accents, as people type them who look for something. */
function simplified(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

declare global {
  interface HTMLElementTagNameMap {
    'command-palette': CommandPalette;
  }
}

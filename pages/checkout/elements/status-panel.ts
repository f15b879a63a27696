import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LightElement } from './light-element.ts';
import { type StatusIcon, statusIcon } from './status-icon.ts';
import { httpUrl } from './http-url.ts';

/** An action for the buyer: a link if it has a URL, otherwise a button that fires its name. */
export interface StatusAction {
  name: string;
  label: string;
  url: string | null;
  isMain: boolean;
}

export interface StatusFact {
  label: string;
  /** Text, or an element such as a link. */
  value: unknown;
}

/**
 * The payment's status in place of the form: icon, heading, text and actions.
 *
 * @fires status-action - a button was pressed; `detail` is its name
 */
@customElement('status-panel')
export class StatusPanel extends LightElement {
  @property({ attribute: false }) icon: StatusIcon = 'clock';
  @property({ attribute: false }) tone: 'good' | 'bad' | 'warn' | 'quiet' = 'quiet';
  @property({ attribute: false }) heading = '';
  /** Text, and elements that belong to it, such as the progress. */
  @property({ attribute: false }) text: unknown = '';
  @property({ attribute: false }) facts: readonly StatusFact[] = [];
  @property({ attribute: false }) actions: readonly StatusAction[] = [];
  /** Content below the actions, such as a simulator. */
  @property({ attribute: false }) footer: unknown = nothing;

  override focus() {
    this.querySelector<HTMLElement>('[tabindex]')?.focus();
  }

  override render() {
    return html`<div class="status" data-tone=${this.tone}>
      <span class="status-sign">${statusIcon(this.icon)}</span>
      <h2 class="status-heading" tabindex="-1">${this.heading}</h2>
      <p class="status-text">${this.text}</p>
      ${
        this.facts.length > 0
          ? html`<dl class="status-facts">
            ${this.facts.map(({ label, value }) => html`<div><dt>${label}</dt><dd><bdi translate="no">${value}</bdi></dd></div>`)}
          </dl>`
          : nothing
      }
      ${this.actions.length > 0 ? html`<div class="status-actions">${this.actions.map((action) => this.#action(action))}</div>` : nothing}
      ${this.footer}
    </div>`;
  }

  #action({ name, label, url, isMain }: StatusAction) {
    const className = isMain ? 'button button-main' : 'button';
    const href = httpUrl(url);
    return href === null
      ? html`<button type="button" class=${className} @click=${() => this.emit('status-action', name)}>${label}</button>`
      : html`<a class=${className} href=${href}>${label}</a>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'status-panel': StatusPanel;
  }
}

import { html, nothing } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LightElement } from './light-element.ts';
import { type StatusIcon, statusIcon } from './status-icon.ts';

/** A message above the form: a decline, a lost connection. */
@customElement('page-notice')
export class PageNotice extends LightElement {
  @property({ attribute: false }) tone: 'bad' | 'warn' | 'quiet' = 'quiet';
  @property({ attribute: false }) icon: StatusIcon = 'warning';
  @property({ attribute: false }) heading = '';
  @property({ attribute: false }) lines: readonly string[] = [];

  /** Focuses the heading, so that reading and Tab continue from here. */
  override focus() {
    this.querySelector<HTMLElement>('[tabindex]')?.focus();
  }

  override render() {
    return html`<div class="notice" data-tone=${this.tone}>
      ${statusIcon(this.icon)}
      <div>
        ${this.heading ? html`<h2 class="notice-heading" tabindex="-1">${this.heading}</h2>` : nothing}
        ${this.lines.map((line) => html`<p>${line}</p>`)}
      </div>
    </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'page-notice': PageNotice;
  }
}

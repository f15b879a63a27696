import { html, nothing } from 'lit';
import type { Clock } from '../elements/clock.ts';
import type { Wording } from '../elements/text.ts';
import './copy-button.ts';

/** One value that the buyer carries somewhere else. */
export interface CopyableFact {
  /** What it is, in words. */
  label: string;
  /** As it is shown. */
  value: string;
  /** As it is copied, where that differs; null where nobody pastes it anywhere. */
  copied?: string | null;
  /** A sentence below it: why it must be exactly this. */
  note?: string;
}

/** Values to carry elsewhere, each with a button that copies it. */
export function factList(facts: readonly CopyableFact[], { words, clock }: { words: Wording; clock: Clock }) {
  return html`<dl class="facts">
    ${facts.map(
      ({ label, value, copied, note }) => html`<div>
        <dt>${label}</dt>
        <dd>
          <bdi class="fact-value">${value}</bdi>
          ${
            copied === null
              ? nothing
              : html`<copy-button .words=${words} .clock=${clock} .value=${copied ?? value} .what=${label}></copy-button>`
          }
          ${note === undefined ? nothing : html`<p class="fact-note">${note}</p>`}
        </dd>
      </div>`,
    )}
  </dl>`;
}

import { html, nothing } from 'lit';
import type { Clock } from '../elements/clock.ts';
import type { I18n } from '../elements/i18n.ts';
import './copy-button.ts';

/** A value for use elsewhere, such as in a banking app. */
export interface CopyableFact {
  /** Name of the value. */
  label: string;
  value: string;
  /** Displayed form of the value, if it differs. */
  display?: unknown;
  /** Copied value, if it differs; null for no copy button. */
  copied?: string | null;
  /** Note below the value: why it must match exactly. */
  note?: string;
}

/** List of values, each with a copy button. */
export function factList(facts: readonly CopyableFact[], { i18n, clock }: { i18n: I18n; clock: Clock }) {
  return html`<dl class="facts">
    ${facts.map(
      ({ label, value, display, copied, note }) => html`<div>
        <dt>${label}</dt>
        <dd>
          <bdi class="fact-value" translate="no">${display ?? value}</bdi>
          ${
            copied === null
              ? nothing
              : html`<copy-button .i18n=${i18n} .clock=${clock} .value=${copied ?? value} .label=${label}></copy-button>`
          }
          ${note === undefined ? nothing : html`<p class="fact-note">${note}</p>`}
        </dd>
      </div>`,
    )}
  </dl>`;
}

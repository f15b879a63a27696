import { html, svg } from 'lit';

export type StatusIcon = 'tick' | 'clock' | 'cross' | 'bank' | 'globe' | 'pulse' | 'review' | 'warning' | 'offline';

/** Strokes in a 24 by 24 box, in the text color. */
const drawings: Record<StatusIcon, unknown> = {
  tick: svg`<path class="mark-tick" d="m6.5 12.5 3.75 3.75L17.5 8.5" pathLength="1" />`,
  clock: svg`<circle cx="12" cy="12" r="7.25" /><path d="M12 8v4.25l2.75 1.75" />`,
  cross: svg`<path d="m8 8 8 8M16 8l-8 8" />`,
  bank: svg`<path d="M4.5 10 12 5.5l7.5 4.5M4.5 18.5h15M6.75 10.5v7.5M10.25 10.5v7.5M13.75 10.5v7.5M17.25 10.5v7.5" />`,
  globe: svg`<circle cx="12" cy="12" r="7.5" /><path d="M4.5 12h15M12 4.5c2.6 2.3 3.5 4.9 3.5 7.5s-.9 5.2-3.5 7.5c-2.6-2.3-3.5-4.9-3.5-7.5s.9-5.2 3.5-7.5Z" />`,
  pulse: svg`<circle class="mark-dot" cx="7" cy="12" r="1.25" /><circle class="mark-dot" cx="12" cy="12" r="1.25" /><circle class="mark-dot" cx="17" cy="12" r="1.25" />`,
  review: svg`<circle cx="11" cy="11" r="5.5" /><path d="m15 15 4 4" />`,
  warning: svg`<path d="M12 4.5 20.5 19h-17L12 4.5Z" /><path d="M12 10v4M12 16.4v.2" />`,
  offline: svg`<path d="M4.5 9.8a11.5 11.5 0 0 1 15 0M7.4 13.2a7 7 0 0 1 9.2 0M12 17.2v.2M4.5 4.5l15 15" />`,
};

export function statusIcon(name: StatusIcon) {
  return html`<svg
    class="status-icon"
    data-mark=${name}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${drawings[name]}
  </svg>`;
}

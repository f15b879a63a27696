import { html, type TemplateResult } from 'lit';

const bar = html`<span class="skeleton-text">\u00a0</span>`;

/** The overview before its figures are loaded: its headings, and bars with the sizes of its figures and rows. */
export function overviewSkeleton(
  text: (key: string) => string,
  periodText: string,
  recentCount: number,
): TemplateResult {
  const tile = (name: string) => html`<div class="panel tile">
    <dt>${text(`tile.${name}`)}</dt>
    <dd>${bar}</dd>
    <dd class="tile-note">${bar}</dd>
    <dd class="tile-spark"></dd>
  </div>`;
  const row = html`<li class="recent-row">
    <span class="recent-name">${bar}</span><span class="recent-when">${bar}</span>
    <span class="recent-amount">${bar}</span><span class="tag tag-plain">${bar}</span>
  </li>`;
  return html`<div class="overview">
    <p class="today">${bar}</p>
    <section class="section">
      <p class="section-heading">${text('attention.title')}</p>
      <p class="pending-empty">${bar}</p>
    </section>
    <section class="section">
      <div class="section-head">
        <p class="section-heading">${periodText}</p>
        <p class="hint">${bar}</p>
      </div>
      <dl class="tiles">${['volume', 'count', 'paid', 'success_rate'].map(tile)}</dl>
    </section>
    <div class="plots">
      <div class="panel chart-panel skeleton-plot"></div>
      <div class="panel plot-panel recent">
        <p class="section-head"><span class="plot-heading">${text('recent')}</span> <span class="rank-link">${bar}</span></p>
        <ul class="recent-list">${Array.from({ length: recentCount }, () => row)}</ul>
      </div>
    </div>
  </div>`;
}

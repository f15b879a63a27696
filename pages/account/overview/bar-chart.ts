import { html, type PropertyValues } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type uPlot from 'uplot';
import { LightElement } from '../../checkout/elements/light-element.ts';

/** One bar of the chart. */
export interface Bar {
  /** Label below the axis, if there is room. */
  label: string;
  /** Text shown while the pointer is over the bar. */
  description: string;
  value: number;
}

const HEIGHT = 232;
const MAX_STEPS = 4;
/** uPlot's value for the right side. Its enum exists only as a type. */
const rightSide: Record<'side', number> = { side: 1 };

/** The ticks of the axis, from 0 to the first round value that is not below `highest`. */
export function axisTicks(highest: number, integersOnly: boolean): number[] {
  if (highest === 0) return [0];
  const magnitude = 10 ** Math.floor(Math.log10(highest / MAX_STEPS));
  const steps = [1, 2, 2.5, 5, 10, 20].map((factor) => factor * magnitude);
  const isAllowed = (step: number) => step * MAX_STEPS >= highest && (!integersOnly || Number.isInteger(step));
  const step = steps.find(isAllowed) ?? 1;
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step);
}

/**
 * A bar chart, drawn by uPlot. It is an image to assistive technology: the page sets `label` and shows the same figures
 * in a table.
 */
@customElement('bar-chart')
export class BarChart extends LightElement {
  @property({ attribute: false }) bars: readonly Bar[] = [];
  /** Text alternative. */
  @property({ attribute: false }) label = '';
  /** Formats a value of the axis. */
  @property({ attribute: false }) formatValue: (value: number) => string = String;
  /** The axis has only whole numbers. */
  @property({ attribute: false }) integersOnly = false;

  /** Index of the bar under the pointer. */
  @state() private hoveredIndex: number | null = null;

  #plot: uPlot | null = null;
  #observer: ResizeObserver | null = null;
  #drawCount = 0;
  readonly #darkScheme = matchMedia('(prefers-color-scheme: dark)');
  readonly #redraw = () => void this.#draw();

  override connectedCallback() {
    super.connectedCallback();
    this.#darkScheme.addEventListener('change', this.#redraw);
    this.#observer = new ResizeObserver(([entry]) => {
      const width = Math.floor(entry?.contentRect.width ?? 0);
      if (width > 0 && this.#plot && this.#plot.width !== width) this.#plot.setSize({ width, height: HEIGHT });
    });
    this.#observer.observe(this);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#darkScheme.removeEventListener('change', this.#redraw);
    this.#observer?.disconnect();
    this.#plot?.destroy();
    this.#plot = null;
  }

  protected override updated(changed: PropertyValues<this>) {
    if (changed.has('bars') || changed.has('formatValue')) void this.#draw();
  }

  async #draw() {
    this.#drawCount += 1;
    const drawCount = this.#drawCount;
    // The tables with the same figures are painted first.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const { default: Plot } = await import('./plot.ts');
    const container = this.querySelector<HTMLElement>('.plot-canvas');
    if (drawCount !== this.#drawCount || !container || !this.isConnected) return;
    this.#plot?.destroy();
    const data: uPlot.AlignedData = [this.bars.map((_, index) => index), this.bars.map(({ value }) => value)];
    this.#plot = new Plot(this.#options(Plot, container), data, container);
  }

  #options(Plot: typeof uPlot, container: HTMLElement): uPlot.Options {
    const color = (name: string) => getComputedStyle(this.querySelector(`.plot-color-${name}`) ?? this).color;
    const [ink, line, bar] = [color('ink'), color('line'), color('bar')];
    const font = `12px ${getComputedStyle(this).fontFamily}`;
    const ticks = axisTicks(Math.max(...this.bars.map(({ value }) => value), 0), this.integersOnly);
    const paths = Plot.paths.bars?.({ size: [0.7, 36], radius: 0.2 });
    const isRightToLeft = document.documentElement.dir === 'rtl';
    return {
      width: Math.max(200, Math.floor(container.clientWidth)),
      height: HEIGHT,
      legend: { show: false },
      padding: isRightToLeft ? [12, 0, 0, 20] : [12, 20, 0, 0],
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: {
        // Time runs in the direction of reading.
        x: { time: false, range: [-0.6, this.bars.length - 0.4], dir: isRightToLeft ? -1 : 1 },
        y: { range: [0, ticks.at(-1) || 1] },
      },
      axes: [
        {
          stroke: ink,
          font,
          grid: { show: false },
          ticks: { show: false },
          incrs: [1, 2, 3, 4, 6, 7, 14, 21, 28, 30, 60, 90],
          space: 64,
          gap: 10,
          size: 24,
          values: (_plot, splits) => splits.map((hoveredIndex) => this.bars[hoveredIndex]?.label ?? ''),
        },
        {
          stroke: ink,
          font,
          ...(isRightToLeft && rightSide),
          grid: { stroke: line, width: 1 },
          ticks: { show: false },
          splits: ticks,
          size: (_plot, values) => Math.max(32, ...(values ?? []).map((value) => value.length * 7 + 12)),
          values: (_plot, splits) => splits.map((value) => this.formatValue(value)),
        },
      ],
      series: [{}, { fill: bar, width: 0, points: { show: false }, ...(paths && { paths }) }],
      hooks: { setCursor: [({ cursor }) => (this.hoveredIndex = cursor.idx ?? null)] },
    };
  }

  override render() {
    const { hoveredIndex } = this;
    return html`<div class="plot" role="img" aria-label=${this.label}>
        <span class="plot-color-ink"></span><span class="plot-color-line"></span><span class="plot-color-bar"></span>
        <div class="plot-canvas"></div>
      </div>
      <p class="plot-description" aria-hidden="true">${hoveredIndex === null ? '' : this.bars[hoveredIndex]?.description}</p>`;
  }
}

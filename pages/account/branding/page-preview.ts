import { html } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { segmentedControl } from '../choices.ts';
import { markFocusedFrame } from '../listeners.ts';

/** Branding with unsaved changes. Unset values are null. */
export interface DraftBranding {
  name: string;
  color: string | null;
  /** URL of the logo; a data URL if it is not uploaded yet. */
  logo: string | null;
  contact: string | null;
  terms: string | null;
  privacy: string | null;
}

const sizes = { desktop: [960, 720], phone: [390, 820] } as const;
/** The preview is at least this high; on a high screen, it uses the space below its heading. */
const MIN_HEIGHT = 640;
const HEAD_HEIGHT = 180;
const MIN_DESKTOP_WIDTH = 600;
/** Delay after the last change. */
const DELAY_MS = 150;

/** The payment page with unsaved branding, rendered by the service. The next version loads behind the displayed one. */
@customElement('page-preview')
export class PagePreview extends AccountElement {
  @property({ attribute: false }) branding!: DraftBranding;
  /** The chosen device; null until the user chooses one. */
  @state() private chosenDevice: keyof typeof sizes | null = null;
  @state() private scheme: 'light' | 'dark' = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  /** Index of the displayed frame; null before the first has loaded. */
  @state() private shown: 0 | 1 | null = null;
  @state() private availableWidth = 0;
  #requested: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #observer = new ResizeObserver(([entry]) => {
    this.availableWidth = entry?.contentRect.width ?? 0;
  });

  constructor() {
    super();
    markFocusedFrame(this);
  }

  override disconnectedCallback() {
    super.disconnectedCallback();
    this.#observer.disconnect();
    clearTimeout(this.#timer);
  }

  override firstUpdated() {
    // The heading is as wide as the space for the preview, whose own size depends on it.
    const head = this.querySelector('.preview-head');
    if (head) this.#observer.observe(head);
  }

  override updated() {
    const request = JSON.stringify([this.branding, this.scheme, this.i18n.locale]);
    if (request === this.#requested) return;
    const isFirst = this.#requested === null;
    this.#requested = request;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#load(), isFirst ? 0 : DELAY_MS);
  }

  /** By default a phone where a desktop's page would be illegible. */
  get #device(): keyof typeof sizes {
    return this.chosenDevice ?? (this.availableWidth < MIN_DESKTOP_WIDTH ? 'phone' : 'desktop');
  }

  get #frames(): HTMLIFrameElement[] {
    return [...this.querySelectorAll('iframe')];
  }

  #load() {
    const { name, color, logo, contact, terms, privacy } = this.branding;
    const query = new URLSearchParams({
      merchant: String(this.context.merchant?.id),
      ...{ name, color: color ?? '', contact: contact ?? '', terms: terms ?? '', privacy: privacy ?? '' },
      // `#show` replaces this logo with a new image once the page has loaded.
      logo: logo?.startsWith('data:') ? '/icon.svg' : (logo ?? ''),
      ...{ scheme: this.scheme, locale: this.i18n.locale },
    });
    // `src` would add an entry to the browser's history.
    this.#frames[this.shown === 0 ? 1 : 0]?.contentWindow?.location.replace(`/payment-page-sample?${query}`);
  }

  #show(index: 0 | 1) {
    const frame = this.#frames[index];
    const page = frame?.contentDocument;
    // The empty page of a new frame has loaded.
    if (!frame || !page?.querySelector('link-page')) return;
    const { logo } = this.branding;
    const image = page.querySelector<HTMLImageElement>('.merchant-logo');
    if (image && logo?.startsWith('data:')) image.src = logo;
    const previous = this.shown === null ? null : this.#frames[this.shown]?.contentWindow;
    frame.contentWindow?.scrollTo(0, previous?.scrollY ?? 0);
    this.shown = index;
  }

  override render() {
    const device = this.#device;
    const [width, height] = sizes[device];
    const maxHeight = Math.max(MIN_HEIGHT, innerHeight - HEAD_HEIGHT);
    const scale = Math.min(1, this.availableWidth / width, maxHeight / height);
    const box = `inline-size:${width * scale}px;block-size:${height * scale}px;--scale:${scale}`;
    return html`<div class="preview-head">
        <h2 class="section-heading">${this.text('branding.preview')}</h2>
        <div class="preview-choices">
          ${segmentedControl({
            ...{ legend: this.text('branding.device'), name: 'device', selected: device },
            options: [
              { value: 'desktop', text: this.text('branding.desktop') },
              { value: 'phone', text: this.text('branding.phone') },
            ],
            onChoose: (chosen) => (this.chosenDevice = chosen === 'phone' ? 'phone' : 'desktop'),
          })}
          ${segmentedControl({
            ...{ legend: this.text('branding.scheme'), name: 'scheme', selected: this.scheme },
            options: [
              { value: 'light', text: this.text('branding.light') },
              { value: 'dark', text: this.text('branding.dark') },
            ],
            onChoose: (scheme) => (this.scheme = scheme === 'dark' ? 'dark' : 'light'),
          })}
        </div>
      </div>
      <p class="section-text">${this.text('branding.preview_text')}</p>
      <div class="preview-stage">
        <div class="preview-screen" data-device=${device} .style=${box}>
          ${([0, 1] as const).map(
            (index) => html`<iframe
              class="preview-frame"
              title=${this.text('branding.preview')}
              sandbox="allow-same-origin"
              width=${width}
              height=${height}
              ?data-shown=${this.shown === index}
              @load=${() => this.#show(index)}
            ></iframe>`,
          )}
        </div>
      </div>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'page-preview': PagePreview;
  }
}

import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import { LOGO_LIMITS, logoTypes } from '../../../src/shared/logo-limits.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import { AccountElement } from '../account-element.ts';
import { button, tag } from '../parts.ts';

/** An unsaved change of the logo: a new image (a data URL), or its removal. */
export type LogoChange = { image: string } | 'removed';

/**
 * Uploads, replaces and removes the logo, and shows it on a white background, as payment pages do.
 *
 * @fires logo-change - `detail` is the unsaved change
 */
@customElement('logo-field')
export class LogoField extends AccountElement {
  /** URL of the image to show, with unsaved changes; null if there is none, or if it is on another host. */
  @property({ attribute: false }) shownUrl: string | null = null;
  /** True if an image is uploaded, or would be after saving. */
  @property({ attribute: false }) isUploaded = false;
  @property({ attribute: false }) isChanged = false;
  @property({ attribute: false }) isReadOnly = false;
  /** Message of the service about the last image. */
  @property({ attribute: false }) fieldError: string | null = null;
  /** Message about a chosen file that can't be uploaded. */
  @state() private fileError: string | null = null;
  @state() private isDragging = false;

  async #choose(file: File | undefined) {
    this.isDragging = false;
    if (!file) return;
    this.fileError = this.#errorOf(file);
    if (this.fileError === null) this.#change({ image: await readDataUrl(file) });
  }

  #errorOf({ type, size }: File): string | null {
    if (!(logoTypes as readonly string[]).includes(type)) return this.text('branding.error_type');
    return size > LOGO_LIMITS.bytes ? this.text('branding.error_size', { size: this.#limit }) : null;
  }

  get #limit(): string {
    return this.context.format.fileSize(LOGO_LIMITS.bytes);
  }

  #change(change: LogoChange) {
    this.emit('logo-change', change);
  }

  #remove() {
    this.fileError = null;
    this.#change('removed');
  }

  override render() {
    return html`<div class="setting" data-key="logo">
      <div class="setting-description">
        <h3 class="setting-name" id="logo-name">
          ${this.text('branding.logo')} ${this.isChanged ? tag(this.text('settings.changed'), 'warn') : nothing}
        </h3>
        <p class="setting-help">${this.text('branding.logo_help', { size: this.#limit })}</p>
      </div>
      <div class="setting-control">
        <div
          class="logo-drop ${this.isDragging ? 'is-dragging' : ''}"
          role="group"
          aria-labelledby="logo-name"
          @dragover=${(event: DragEvent) => this.#allowDrop(event)}
          @dragleave=${() => (this.isDragging = false)}
          @drop=${(event: DragEvent) => this.#drop(event)}
        >
          ${
            this.shownUrl === null
              ? nothing
              : html`<div class="logo-tiles">${(['light', 'dark'] as const).map((scheme) => this.#tile(scheme))}</div>`
          }
          ${this.isReadOnly ? nothing : this.#actions()}
        </div>
        ${fieldErrorMessage('logo-error', this.fileError ?? this.fieldError)}
      </div>
    </div>`;
  }

  #tile(scheme: 'light' | 'dark') {
    return html`<figure class="logo-tile" data-scheme=${scheme}>
      <img class="logo-image" src=${this.shownUrl} alt="" referrerpolicy="no-referrer" />
      <figcaption>${this.text(`branding.on_${scheme}`)}</figcaption>
    </figure>`;
  }

  #actions() {
    const upload = this.text(this.isUploaded ? 'branding.logo_replace' : 'branding.logo_upload');
    return html`<div class="logo-actions">
        ${button(upload, () => this.querySelector<HTMLInputElement>('input[type="file"]')?.click(), { icon: 'upload' })}
        ${this.isUploaded ? button(this.text('branding.logo_remove'), () => this.#remove(), { kind: 'quiet' }) : nothing}
        <span class="hint">${this.text('branding.logo_drop')}</span>
      </div>
      <input
        type="file"
        hidden
        accept=${logoTypes.join()}
        aria-label=${upload}
        @change=${(event: Event) => {
          const input = event.target as HTMLInputElement;
          const [file] = input.files ?? [];
          void this.#choose(file);
          // The same file can be chosen again.
          input.value = '';
        }}
      />`;
  }

  #allowDrop(event: DragEvent) {
    if (this.isReadOnly) return;
    event.preventDefault();
    this.isDragging = true;
  }

  #drop(event: DragEvent) {
    if (this.isReadOnly) return;
    event.preventDefault();
    void this.#choose(event.dataTransfer?.files[0]);
  }
}

async function readDataUrl(file: File): Promise<string> {
  const reader = new FileReader();
  const read = new Promise((resolve, reject) => {
    reader.addEventListener('load', resolve);
    reader.addEventListener('error', reject);
  });
  reader.readAsDataURL(file);
  await read;
  return reader.result as string;
}

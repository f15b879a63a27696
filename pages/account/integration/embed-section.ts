import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { AccountElement } from '../account-element.ts';
import { copyButton } from '../copy-button.ts';
import { segmentedControl } from '../choices.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import type { AccountApi } from '../api.ts';
import { hasScope } from '../context.ts';
import { Loader } from '../loader.ts';
import { formatList } from '../settings/controls.ts';
import { editOrigins, type OriginEdit } from '../settings/origin-list-field.ts';
import { parseList } from '../settings/preferences.ts';
import { SerialQueue } from '../serial-queue.ts';
import { embedCode, type FormAppearance } from './embed-code.ts';
import { button, section } from '../parts.ts';

interface EmbedSettings {
  origins: readonly string[];
  script: { url: string; integrity: string };
}
interface PublishedFiles {
  files: { url: string | null; kind: string; integrity: string; runs_on: string }[];
}

const originsKey = 'embed-origin-list';
const themes = ['auto', 'light', 'dark'] as const;

/** Embedding of the form in the shop's page: allowed origins, HTML to copy, and a preview. */
@customElement('embed-section')
export class EmbedSection extends AccountElement {
  @state() private appearance: FormAppearance = { theme: 'auto', accent: null, radius: null };
  /** URL of the payment that was created for the preview. */
  @state() private previewUrl: string | null = null;
  @state() private isBusy = false;

  readonly #queue = new SerialQueue(this);
  readonly #settingsLoader = new Loader<EmbedSettings>(this, async (signal) => {
    const { api } = this.context;
    const [origins, { files }] = await Promise.all([readOrigins(api, signal), readPublishedFiles(api, signal)]);
    const script = files.find(({ kind, runs_on: runsOn }) => kind === 'script' && runsOn === 'merchant_page');
    return {
      origins,
      script: { url: script?.url ?? `${location.origin}/widget/v1/pay-form.js`, integrity: script?.integrity ?? '' },
    };
  });

  /** Edits the saved list, which may have changed since it was loaded. */
  async #editOrigins(edit: OriginEdit) {
    const save = async () => {
      const { api } = this.context;
      const origins = editOrigins(await readOrigins(api), edit);
      await api.setPreferences({ preferences: [{ key: originsKey, value: formatList(origins) }] });
      const settings = this.#settingsLoader.value;
      if (settings) this.#settingsLoader.set({ ...settings, origins });
      this.context.announce(this.text('integration.origins_saved'));
    };
    await this.#queue.run(JSON.stringify(edit), async () => void (await this.attempt(save)));
  }

  async #createPreview() {
    if (this.isBusy) return;
    this.isBusy = true;
    await this.attempt(async () => {
      const created = await this.context.api.createTransaction({
        transaction_id: `preview-${crypto.randomUUID()}`,
        ...{ transaction_type: 'custom_form', payment_method: 'credit_card' },
        ...{ amount: 12.5, currency: 'USD', country: 'USA' },
      });
      const script = '/widget/v1/pay-form.js';
      await import(/* @vite-ignore */ script);
      this.previewUrl = 'embed_url' in created ? created.embed_url : null;
    });
    this.isBusy = false;
  }

  protected override updated() {
    const form = this.querySelector<HTMLElement>('pay-form');
    if (!form) return;
    const { accent, radius } = this.appearance;
    for (const [name, value] of [
      ['--pay-form-accent', accent],
      ['--pay-form-radius', radius === null ? null : `${radius}px`],
      ['--pay-form-button-radius', radius === null ? null : `${radius}px`],
    ] as const)
      if (value === null) form.style.removeProperty(name);
      else form.style.setProperty(name, value);
  }

  override render() {
    return section(
      'embedding',
      this.text('integration.embedding'),
      html`<p class="section-text">${this.text('integration.embedding_text')}</p>
      ${loadView(this.#settingsLoader, this.i18n, {
        skeleton: () => skeletonRows(3),
        content: (settings) =>
          html`<div class="panel">${this.#originsPart(settings)} ${this.#codePart(settings)} ${this.#previewPart()}</div>`,
      })}`,
    );
  }

  #originsPart({ origins }: EmbedSettings) {
    const isSandbox = this.context.account?.environment !== 'production';
    return html`<div class="panel-body embed-part">
      <h3 class="setting-name">${this.text('integration.origins')}</h3>
      <p class="setting-help">
        ${this.text(origins.length > 0 ? 'integration.origins_text' : isSandbox ? 'integration.origins_sandbox' : 'integration.origins_none')}
      </p>
      <origin-list-field
        .label=${this.text('integration.origins')}
        .origins=${origins}
        .isReadOnly=${!hasScope(this.context, 'preference:write')}
        @origin-edit=${({ detail }: CustomEvent<OriginEdit>) => void this.#editOrigins(detail)}
      ></origin-list-field>
    </div>`;
  }

  #codePart({ script }: EmbedSettings) {
    const { appearance } = this;
    const code = embedCode(script, appearance);
    return html`<div class="panel-body embed-part">
      <h3 class="setting-name">${this.text('integration.code')}</h3>
      <div class="appearance-controls">
        ${segmentedControl({
          ...{
            legend: this.text('integration.theme'),
            name: 'form-theme',
            selected: appearance.theme,
            isLegendHidden: false,
          },
          options: themes.map((theme) => ({ value: theme, text: this.text(`integration.themes.${theme}`) })),
          onChoose: (theme) => (this.appearance = { ...appearance, theme: theme as (typeof themes)[number] }),
        })}
        <div class="labeled">
          <label for="form-accent">${this.text('integration.accent')}</label>
          <input
            class="color-well"
            id="form-accent"
            type="color"
            .value=${appearance.accent ?? '#1f5f4a'}
            @input=${(event: Event) => (this.appearance = { ...appearance, accent: (event.target as HTMLInputElement).value })}
          />
        </div>
        <div class="labeled">
          <label for="form-radius">${this.text('integration.corners')}</label>
          <div class="corner-field">
          <input
            class="corner-range"
            id="form-radius"
            type="range"
            min="0"
            max="24"
            .value=${String(appearance.radius ?? 8)}
            @input=${(event: Event) => (this.appearance = { ...appearance, radius: Number((event.target as HTMLInputElement).value) })}
          />
          <output class="tabular" for="form-radius" dir="ltr">${appearance.radius ?? 8} px</output>
          </div>
        </div>
      </div>
      <pre class="code" id="embed-code" tabindex="0" role="group" dir="ltr" aria-label=${this.text('integration.code')}>${code}</pre>
      <p class="hint">${this.text('integration.code_text')}</p>
      <div class="row-actions">
        ${copyButton(code, this.text('integration.code'), this.i18n)}
      </div>
    </div>`;
  }

  #previewPart() {
    const isSandbox = this.context.account?.environment === 'sandbox';
    return html`<div class="panel-body embed-part">
      <h3 class="setting-name">${this.text('integration.preview')}</h3>
      ${
        isSandbox && hasScope(this.context, 'link:write')
          ? this.#livePreview()
          : html`<p class="setting-help">
                ${this.text(isSandbox ? 'integration.preview_role' : 'integration.preview_production')}
              </p>
              ${this.#mockup()}`
      }
    </div>`;
  }

  #livePreview() {
    if (this.previewUrl === null)
      return html`<p class="setting-help">${this.text('integration.preview_text')}</p>
        <div class="row-actions">
          ${button(this.text('integration.show_form'), () => void this.#createPreview(), { icon: 'eye', isBusy: this.isBusy })}
        </div>`;
    return html`<div class="form-preview" data-theme=${this.appearance.theme}>
      <pay-form src=${this.previewUrl} theme=${this.appearance.theme} locale=${this.i18n.locale}></pay-form>
    </div>`;
  }

  /** Mockup of the form, without a payment. */
  #mockup() {
    const { theme, accent, radius } = this.appearance;
    const styles = [
      accent === null ? '' : `--accent: ${accent};`,
      radius === null ? '' : `--radius-small: ${radius}px;`,
    ];
    return html`<div class="form-preview form-mockup" data-theme=${theme} aria-hidden="true" .style=${styles.join(' ')}>
      <span class="field"></span>
      <span class="field"></span>
      <span class="mockup-button">$12.50</span>
    </div>`;
  }
}

async function readOrigins(api: AccountApi, signal?: AbortSignal): Promise<readonly string[]> {
  const { merchantPreferences } = await api.listPreferences(signal && { signal });
  return parseList(merchantPreferences.find(({ key }) => key === originsKey)?.value ?? null);
}

async function readPublishedFiles(api: AccountApi, signal: AbortSignal): Promise<PublishedFiles> {
  const response = await api.fetchFile('/widget/v1/integrity.json', {}, signal);
  return (await response.json()) as PublishedFiles;
}

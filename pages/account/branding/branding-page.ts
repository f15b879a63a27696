import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Logo } from '../../../client/api.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { hasScope } from '../context.ts';
import { focusInvalidField } from '../fields.ts';
import { Loader } from '../loader.ts';
import { button, notice, pageHead } from '../parts.ts';
import { toProblem } from '../problems.ts';
import { PreferenceEdits, readSettings, type SettingsData } from '../settings/preference-edits.ts';
import { keysOfPages } from '../settings/preferences.ts';
import { preferenceKeysField } from '../settings/shown-keys.ts';
import { settingRow } from '../settings/setting-row.ts';
import { UnsavedChanges } from '../unsaved-changes.ts';
import type { LogoChange } from './logo-field.ts';
import type { DraftBranding } from './page-preview.ts';
import './logo-field.ts';
import './page-preview.ts';

interface BrandingData extends SettingsData {
  logo: Logo | null;
}

const HEX = /^#[0-9a-f]{6}$/i;

/** Error codes for rejected images, with their locale keys. */
const imageErrors: Readonly<Record<string, string>> = {
  unsupported_image: 'type',
  too_many_pixels: 'pixels',
  animated_image: 'animated',
};

/** Logo, name, color and links of the merchant on payment pages, with a preview. */
@customElement('branding-page')
export class BrandingPage extends AccountPage {
  @state() private logoChange: LogoChange | null = null;
  @state() private logoError: string | null = null;

  readonly #loader = new Loader<BrandingData>(this, async (signal) => {
    const [settings, { logo }] = await Promise.all([
      readSettings(this.context, signal),
      this.context.api.getLogo({ signal }),
    ]);
    return { ...settings, logo };
  });
  readonly #edits = new PreferenceEdits(this, this.#loader);
  readonly #unsavedChanges = new UnsavedChanges(this, {
    count: () => this.#edits.values.size + (this.logoChange === null ? 0 : 1),
    save: async () => await this.#save(),
    discard: () => {
      this.logoChange = null;
      this.logoError = null;
      this.#edits.discard();
    },
  });

  async #save() {
    await this.#edits.save(async () => await this.#saveLogo());
    await this.updateComplete;
    focusInvalidField(this);
  }

  async #saveLogo() {
    const change = this.logoChange;
    if (change === null) return;
    const { api } = this.context;
    try {
      const { logo } =
        change === 'removed'
          ? await api.removeLogo({})
          : await api.setLogo({ image: change.image.slice(change.image.indexOf(',') + 1) });
      const { value: data } = this.#loader;
      if (data) this.#loader.set({ ...data, logo });
      // Keeps a change made during the save.
      if (this.logoChange === change) this.logoChange = null;
      this.logoError = null;
    } catch (error) {
      const imageError = toProblem(error).errors.find(({ pointer }) => pointer === '/image');
      if (imageError) this.logoError = this.text(`branding.error_${imageErrors[imageError.code] ?? 'damaged'}`);
      throw error;
    }
  }

  override render() {
    const mayWrite = hasScope(this.context, 'preference:write');
    return html`${pageHead(
      this.text('shell.pages.branding'),
      this.#loader.value === null
        ? nothing
        : button(this.text('branding.preview'), () => this.querySelector('page-preview')?.scrollIntoView(), {
            ...{ icon: 'eye', className: 'to-preview' },
          }),
    )}
      ${mayWrite ? nothing : notice({ icon: 'lock', text: this.text('settings.read_only') })}
      ${loadView(this.#loader, this.i18n, {
        skeleton: () => skeletonRows(6),
        content: (data) => this.#content(data, !mayWrite),
      })}
      ${this.#unsavedChanges.bar(this.#edits.isSaving)}`;
  }

  #content(data: BrandingData, isReadOnly: boolean) {
    const branding = this.#branding(data);
    const { logoChange } = this;
    const entries = keysOfPages.branding.flatMap((name) => data.keys.filter(({ key }) => key === name));
    return html`<div class="branding">
      <div class="panel branding-fields">
        <h2 class="visually-hidden">${this.text('shell.pages.settings')}</h2>
        <logo-field
          .shownUrl=${this.#image(data)}
          .isUploaded=${logoChange === null ? data.logo !== null : logoChange !== 'removed'}
          .isChanged=${logoChange !== null}
          .isReadOnly=${isReadOnly}
          .fieldError=${this.logoError}
          @logo-change=${({ detail }: CustomEvent<LogoChange>) => {
            // Without an uploaded logo, removing a new one only undoes the choice.
            this.logoChange = detail === 'removed' && data.logo === null ? null : detail;
            this.logoError = null;
          }}
        ></logo-field>
        ${entries.map((entry) => settingRow(entry, this.#edits, this.context, data.names))}
        ${preferenceKeysField(this, this.i18n)}
      </div>
      <page-preview class="branding-preview" .branding=${branding}></page-preview>
    </div>`;
  }

  /** The uploaded logo, with unsaved changes. The page can't show images of other hosts; the preview can. */
  #image({ logo }: BrandingData): string | null {
    const { logoChange } = this;
    if (logoChange !== null) return logoChange === 'removed' ? null : logoChange.image;
    return logo && new URL(logo.url).pathname;
  }

  #branding(data: BrandingData): DraftBranding {
    const valueOf = (name: (typeof keysOfPages.branding)[number]) => {
      const entry = data.keys.find(({ key }) => key === name);
      const value = entry ? this.#edits.valueOf(entry) : null;
      return typeof value === 'string' && value.trim() !== '' ? value : null;
    };
    const color = valueOf('brand-color');
    return {
      name: valueOf('brand-name') ?? this.context.merchant?.name ?? '',
      color: color !== null && HEX.test(color) ? color : null,
      logo: this.#image(data) ?? valueOf('brand-logo-url'),
      contact: valueOf('support-contact'),
      terms: valueOf('terms-url'),
      privacy: valueOf('privacy-url'),
    };
  }
}

import { html } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import { keyed } from 'lit/directives/keyed.js';
import { type MailKind, payerMailKinds, teamMailKinds } from '../../../src/shared/mail-kinds.ts';
import { accountPageLanguages, pageLanguages } from '../../../src/shared/page-languages.ts';
import { AccountElement } from '../account-element.ts';
import { segmentedControl } from '../choices.ts';
import { section, selectField } from '../parts.ts';
import { markFocusedFrame } from '../listeners.ts';

const kinds: readonly MailKind[] = [...payerMailKinds, ...teamMailKinds, 'new_sign_in'];

/** A sample of each email, rendered by the service with the merchant's branding. */
@customElement('email-preview')
export class EmailPreview extends AccountElement {
  @state() private kind: MailKind = 'receipt';
  @state() private language: string | null = null;
  @state() private scheme: 'light' | 'dark' = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';

  constructor() {
    super();
    markFocusedFrame(this);
  }

  get #languages(): readonly string[] {
    return payerMailKinds.some((kind) => kind === this.kind) ? pageLanguages : accountPageLanguages;
  }

  /** The chosen language, or that of the account area. */
  get #shownLanguage(): string {
    const own = this.i18n.locale;
    const wanted = this.language ?? this.#languages.find((tag) => own === tag || own.startsWith(`${tag}-`));
    return this.#languages.find((tag) => tag === wanted) ?? 'en';
  }

  override render() {
    const language = this.#shownLanguage;
    const query = new URLSearchParams({
      ...{ merchant: String(this.context.merchant?.id), kind: this.kind, locale: language, scheme: this.scheme },
    });
    const title = this.text('branding.preview');
    return section(
      'email-preview',
      title,
      html`<div class="email-choices">
          ${selectField({
            ...{ id: 'email-kind', label: this.text('email.kind'), value: this.kind },
            options: kinds.map((kind) => [kind, this.text(`email.kinds.${kind}`)]),
            change: (kind) => (this.kind = kinds.find((each) => each === kind) ?? 'receipt'),
          })}
          ${selectField({
            ...{ id: 'email-language', label: this.text('shell.language'), value: language },
            options: this.#languages.map((tag) => [tag, html`<span lang=${tag}>${nameOf(tag)}</span>`]),
            change: (tag) => (this.language = tag),
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
        ${keyed(
          // A new frame: a changed `src` would add an entry to the browser's history.
          String(query),
          html`<iframe class="email-frame" src=${`/email-preview?${query}`} title=${title} sandbox=""></iframe>`,
        )}`,
    );
  }
}

function nameOf(tag: string): string {
  return new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
}

declare global {
  interface HTMLElementTagNameMap {
    'email-preview': EmailPreview;
  }
}

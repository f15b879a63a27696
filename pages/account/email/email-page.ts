import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import type { Email } from '../../../client/api.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { listView } from '../list-view.ts';
import { hasScope } from '../context.ts';
import { focusInvalidField } from '../fields.ts';
import { icon } from '../icons.ts';
import { ListLoader, Loader } from '../loader.ts';
import { emptyState, listRow, notice, pageHead, section, tag } from '../parts.ts';
import { PreferenceEdits, readSettings, type SettingsData } from '../settings/preference-edits.ts';
import { keysOfPages } from '../settings/preferences.ts';
import { settingRow } from '../settings/setting-row.ts';
import { UnsavedChanges } from '../unsaved-changes.ts';
import './email-preview.ts';

const tones = { waiting: null, sent: 'good', failed: 'bad' } as const;

/** The emails that payers get, previews of all emails, and those sent recently. */
@customElement('email-page')
export class EmailPage extends AccountPage {
  readonly #settings = new Loader(this, async (signal) => await readSettings(this.context, signal));
  readonly #emails = new ListLoader<Email>(this, async (page, signal) => {
    const { emails, next_cursor } = await this.context.api.listEmails(page, { signal });
    return [emails, next_cursor];
  });
  readonly #edits = new PreferenceEdits(this, this.#settings);
  readonly #unsavedChanges = new UnsavedChanges(this, {
    count: () => this.#edits.values.size,
    save: async () => {
      await this.#edits.save();
      await this.updateComplete;
      focusInvalidField(this);
    },
    discard: () => this.#edits.discard(),
  });

  override render() {
    const isSetUp = this.context.account?.sendsEmail ?? false;
    return html`${pageHead(this.text('shell.pages.email'), nothing, this.text('email.lead'))}
      ${
        isSetUp
          ? nothing
          : notice({
              ...{ icon: 'info', tone: 'warn', heading: this.text('email.off_title') },
              text: this.text(this.context.account?.person.isManager ? 'email.off_text_manager' : 'email.off_text'),
            })
      }
      ${
        hasScope(this.context, 'preference:write')
          ? nothing
          : notice({ icon: 'lock', text: this.text('settings.read_only') })
      }
      ${loadView(this.#settings, this.i18n, {
        skeleton: () => skeletonRows(3),
        content: (data) => this.#payerSection(data),
      })}
      <email-preview></email-preview>
      ${isSetUp ? this.#recentSection() : nothing} ${this.#unsavedChanges.bar(this.#edits.isSaving)}`;
  }

  #payerSection({ keys, names }: SettingsData) {
    const entries = keysOfPages.email.flatMap((name) => keys.filter(({ key }) => key === name));
    return section(
      'email-payers',
      this.text('email.payers'),
      html`<div class="panel">${entries.map((entry) => settingRow(entry, this.#edits, this.context, names))}</div>`,
    );
  }

  #recentSection() {
    return section(
      'email-recent',
      this.text('email.recent'),
      html`<p class="section-text">${this.text('email.recent_text')}</p>
        ${listView(this.#emails, this.i18n, {
          skeletonRowCount: 3,
          empty: () => emptyState('mail', this.text('email.empty')),
          row: (mail) => this.#row(mail),
          key: 'id',
          more: this.text('email.more'),
        })}`,
    );
  }

  #row({ kind, recipient, state, error, created_at: at, transaction_id: reference }: Email) {
    const name = this.text(`email.kinds.${kind}`);
    const title =
      reference === null
        ? name
        : html`${name} · <a class="link" href=${this.context.merchantPath('transactions', reference)}><bdi>${reference}</bdi></a>`;
    return listRow(
      icon('mail'),
      title,
      html`<bdi>${recipient}</bdi> · ${this.context.format.dateTime(at)}
        ${error === null ? nothing : html`<br /><span dir="auto">${error}</span>`}`,
      tag(this.text(`statuses.email.${state}`), tones[state]),
      true,
    );
  }
}

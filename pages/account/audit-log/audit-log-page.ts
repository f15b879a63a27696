import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { AuditEntry, ListAuditEntriesResponse, ListAuditEntriesInput } from '../../../client/api.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { expandableRow } from '../expandable-row.ts';
import { listenTo } from '../listeners.ts';
import { presetOf } from '../dates.ts';
import { Loader } from '../loader.ts';
import { deviceName } from '../me/device.ts';
import {
  auditFilterBar,
  type AuditFilters,
  formatAuditFilters,
  noFilters,
  parseAuditFilters,
  toAuditQuery,
} from './audit-filters.ts';
import { type Difference, differencesOf } from './differences.ts';
import { splitKey } from '../settings/preferences.ts';
import { settingLabel } from '../settings/setting-row.ts';
import { nameOfMethod } from '../transactions/methods.ts';
import { toProblem, problemText } from '../problems.ts';
import { button, emptyState, factList, pageHead, tag } from '../parts.ts';

const PAGE_SIZE = 50;

/** Kind of a subject, in English; the translated action names it. */
const SUBJECT_KIND = /^(?:acquirer account|reusable link|webhook endpoint) |^(?:merchant|person|token) (?=\d+$)/;

const SETTING_ACTION = /^setPreferences?(?:Singular)?$/;

/** The merchant's audit log, newest first. */
@customElement('audit-log-page')
export class AuditLogPage extends AccountPage {
  @state() private filters: AuditFilters = noFilters;
  @state() private isCustomPeriod = false;
  @state() private isLoadingMore = false;
  /** Names of the users in loaded entries, by ID. */
  readonly #personNames = new Map<string, string>();

  readonly #loader = new Loader<ListAuditEntriesResponse>(
    this,
    async (signal) => await this.#fetch(null, signal),
    true,
  );

  constructor() {
    super();
    listenTo(this, window, { popstate: () => location.pathname.endsWith('/audit-log') && this.#readUrl() });
  }

  override connectedCallback() {
    super.connectedCallback();
    this.#readUrl();
  }

  #readUrl() {
    this.filters = parseAuditFilters(location.search);
    const { since, till } = this.filters;
    this.isCustomPeriod = since + till !== '' && presetOf(since, till) === null;
    void this.#loader.restart();
  }

  #changeFilters(change: Partial<AuditFilters>) {
    this.filters = { ...this.filters, ...change };
    history.pushState({ scroll: 0 }, '', location.pathname + formatAuditFilters(this.filters));
    void this.#loader.restart();
  }

  /** Selects a preset; dates that the user types stay custom. */
  #changePeriod(change: Partial<AuditFilters>) {
    if (change.since !== undefined && change.till !== undefined) this.isCustomPeriod = false;
    this.#changeFilters(change);
  }

  async #fetch(cursor: string | null, signal?: AbortSignal) {
    const query = { ...toAuditQuery(this.filters), cursor, per_page: PAGE_SIZE } as unknown as ListAuditEntriesInput;
    const page = await this.context.api.listAuditEntries(query, { signal });
    for (const { person } of page.entries)
      if (person) this.#personNames.set(String(person.id), person.name || person.email);
    return page;
  }

  async #loadMore() {
    const { value } = this.#loader;
    const { filters } = this;
    if (value?.next_cursor === null || value === null || this.isLoadingMore) return;
    this.isLoadingMore = true;
    try {
      const page = await this.#fetch(value.next_cursor);
      // Otherwise the filters changed in the meantime.
      if (filters === this.filters) this.#loader.set({ ...page, entries: [...value.entries, ...page.entries] });
    } catch (error) {
      this.context.announce(problemText(toProblem(error), this.i18n).heading);
    }
    this.isLoadingMore = false;
  }

  #filterByPerson(person: AuditEntry['person']) {
    if (person === null) return;
    this.#changeFilters({ person: String(person.id) });
  }

  override render() {
    return html`${pageHead(this.text('shell.pages.audit_log'), nothing, this.text('audit_log.lead'))}
      ${auditFilterBar({
        ...{ context: this.context, filters: this.filters, isCustom: this.isCustomPeriod },
        personName: this.#personNames.get(this.filters.person) ?? this.filters.person,
        onChange: (change) => this.#changePeriod(change),
        onCustom: () => (this.isCustomPeriod = true),
      })}
      ${loadView(this.#loader, this.i18n, {
        skeleton: () => skeletonRows(8),
        empty: ({ entries }) => (entries.length > 0 ? null : this.#emptyView()),
        content: ({ entries, next_cursor }) => html`<div class="fields">
          <ul class="panel list audit">
            ${entries.map((entry) => html`<li>${this.#entryRow(entry)}</li>`)}
          </ul>
          ${
            next_cursor === null
              ? nothing
              : button(this.text('audit_log.more'), () => void this.#loadMore(), {
                  isBusy: this.isLoadingMore,
                  className: 'load-more',
                })
          }
        </div>`,
      })}`;
  }

  #emptyView() {
    if (formatAuditFilters(this.filters) === '')
      return emptyState('scroll-text', this.text('audit_log.empty_title'), this.text('audit_log.empty_text'));
    const clear = button(this.text('transactions.clear'), () => this.#changePeriod(noFilters));
    return emptyState('search', this.text('audit_log.no_matches_title'), this.text('audit_log.no_matches_text'), clear);
  }

  #entryRow(entry: AuditEntry) {
    const { format } = this.context;
    const actorName = entry.person === null ? this.#actorText(entry) : entry.person.name || entry.person.email;
    const isDone = entry.outcome === 'done' || entry.outcome === 'started';
    return expandableRow({
      className: 'audit-entry',
      head: html`<div class="row-content">
          <span class="row-title">
            <b>${this.#actionText(entry.action)}</b>
            ${entry.subject === null ? nothing : html`<bdi class="audit-subject">${this.#subjectText(entry)}</bdi>`}
          </span>
          <span class="row-text"><bdi>${actorName}</bdi></span>
        </div>
        ${isDone ? nothing : tag(this.text('audit_log.outcomes.refused'), 'bad', 'circle-x')}
        <span class="row-text audit-time">${format.dateTime(entry.at)}</span>`,
      content: html`${this.#differencesTable(differencesOf(entry.before, entry.after), entry.action)}
      ${factList([
        [this.text('audit_log.date'), format.dateTime(entry.at)],
        [this.text('audit_log.actor'), this.#actorView(entry, actorName)],
        [this.text('audit_log.outcomes.reason'), isDone ? null : this.#outcomeText(entry.outcome)],
        [
          this.text('audit_log.action'),
          html`<code dir="ltr">${entry.action}</code>
          ${entry.subject === null ? nothing : html`<code class="audit-subject"><bdi>${entry.subject}</bdi></code>`}`,
        ],
        [
          this.text('audit_log.source'),
          entry.address ? html`<span dir="ltr">${entry.address}</span>${this.#device(entry.userAgent)}` : null,
        ],
      ])}
      ${
        entry.person === null || this.filters.person !== ''
          ? nothing
          : button(this.text('audit_log.filter_by', { name: actorName }), () => this.#filterByPerson(entry.person), {
              icon: 'filter',
            })
      }`,
    });
  }

  /** The actor in the details: a token links to the page of access tokens. */
  #actorView({ person, token }: AuditEntry, name: string) {
    const text = html`<bdi>${person?.email ?? name}</bdi>`;
    if (person !== null || token === null) return text;
    return html`<a class="link" href=${this.context.merchantPath('integration')}>${text}</a>`;
  }

  #actorText({ actor, token }: AuditEntry): string {
    const tokenId = /^token (\d+)$/.exec(actor ?? '')?.[1];
    if (tokenId !== undefined) return token?.name || this.text('audit_log.by_token', { id: tokenId });
    const command = /^command line(?: \((.*)\))?$/.exec(actor ?? '');
    if (!command) return actor ?? this.text('audit_log.unknown_actor');
    const commandLine = this.text('audit_log.by_command_line');
    return command[1] === undefined ? commandLine : `${commandLine} (${command[1]})`;
  }

  #device(userAgent: string | null) {
    const device = deviceName(userAgent ?? '');
    return device === '' ? nothing : html` · ${device}`;
  }

  /** The name of a setting, with its cryptocurrency. */
  #settingName(key: string): string {
    const { code } = splitKey(key);
    const label = settingLabel(this.i18n, key);
    return code === null || label === key ? label : `${label} (${code.toUpperCase()})`;
  }

  /** A translated role, names of settings or methods, the name of an object with an ID, or the subject without its kind. */
  #subjectText({ action, subject, before, after }: AuditEntry): string {
    if (action === 'join') return this.text(`shell.roles.${subject}`);
    if (SETTING_ACTION.test(action))
      return (subject ?? '')
        .split(', ')
        .map((key) => this.#settingName(key))
        .join(', ');
    if (action === 'setPaymentMethods')
      return (subject ?? '').replace(/[^ ,…]+(?= [A-Z]{3}\b)/g, (code) => nameOfMethod(code, this.i18n));
    const text = (subject ?? '').replace(SUBJECT_KIND, '');
    if (text === subject) return text;
    const states = [before, after] as ({ name?: string; title?: string; url?: string } | null)[];
    const { name, title, url } = Object.assign({}, ...states) as NonNullable<(typeof states)[number]>;
    return name ?? title ?? url ?? text;
  }

  /** Name of an action; unknown actions keep the name that the API uses. */
  #actionText(action: string) {
    const key = `account.audit_log.actions.${action}`;
    return this.i18n.has(key) ? this.i18n.text(key) : action;
  }

  /** Reason why an action was rejected, translated if known. */
  #outcomeText(outcome: string) {
    const key = `account.shell.problems.${outcome}.title`;
    return this.i18n.has(key) ? this.i18n.text(key) : outcome.replaceAll('_', ' ');
  }

  #differencesTable(differences: readonly Difference[], action: string) {
    if (differences.length === 0) return nothing;
    const value = (text: string | null) =>
      text === null ? html`<span class="quiet">–</span>` : html`<bdi>${text}</bdi>`;
    return html`<table class="differences">
      <thead>
        <tr>
          <th scope="col">${this.text('audit_log.field')}</th>
          <th scope="col">${this.text('audit_log.before')}</th>
          <th scope="col">${this.text('audit_log.after')}</th>
        </tr>
      </thead>
      <tbody>
        ${differences.map(
          ({ name, before, after }) => html`<tr>
            <th scope="row">${SETTING_ACTION.test(action) ? this.#settingName(name) : html`<code>${name}</code>`}</th>
            <td data-label=${this.text('audit_log.before')}>${value(before)}</td>
            <td data-label=${this.text('audit_log.after')}>${value(after)}</td>
          </tr>`,
        )}
      </tbody>
    </table>`;
  }
}

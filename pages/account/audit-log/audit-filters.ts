import { html, nothing, type TemplateResult } from 'lit';
import type { AccountContext } from '../context.ts';
import { toInstants } from '../dates.ts';
import { button, selectField } from '../parts.ts';
import { dateField, periodSelect } from '../period-select.ts';

/** Filters of the audit log, as in the URL. Empty if unset. */
export interface AuditFilters {
  action: string;
  /** Dates in the user's time zone. */
  since: string;
  till: string;
  /** ID of a user. */
  person: string;
}

export const noFilters: AuditFilters = { action: '', since: '', till: '', person: '' };
const actionPrefix = 'account.audit_log.actions.';
const names = Object.keys(noFilters) as (keyof AuditFilters)[];

export function parseAuditFilters(search: string): AuditFilters {
  const params = new URLSearchParams(search);
  const read = (name: string, pattern: RegExp) => pattern.exec(params.get(name) ?? '')?.[0] ?? '';
  const date = /^\d{4}-\d\d-\d\d$/;
  return {
    ...{ action: read('action', /^\w{1,64}$/), person: read('person', /^[1-9]\d{0,15}$/) },
    ...{ since: read('since', date), till: read('till', date) },
  };
}

/** Formats the query string; empty without filters. */
export function formatAuditFilters(filters: AuditFilters): string {
  const params = new URLSearchParams(names.filter((name) => filters[name] !== '').map((name) => [name, filters[name]]));
  return params.size === 0 ? '' : `?${params}`;
}

/** Query of the API. */
export function toAuditQuery({ action, since, till, person }: AuditFilters) {
  return { action: action || null, person: person || null, ...toInstants({ since, till }) };
}

export interface AuditFilterBar {
  context: AccountContext;
  filters: AuditFilters;
  /** Shows the fields for custom dates before a date is set. */
  isCustom: boolean;
  /** Name of the user in the filter; their ID if no loaded entry has the name. */
  personName: string;
  onChange: (change: Partial<AuditFilters>) => void;
  onCustom: () => void;
}

export function auditFilterBar({ context, filters, personName, onChange, ...bar }: AuditFilterBar): TemplateResult {
  const { i18n } = context;
  const text = (key: string, values?: { name: string }) => i18n.text(`account.${key}`, values);
  const actions = Object.entries(i18n.texts)
    .filter(([key]) => key.startsWith(actionPrefix))
    .map(([key, label]) => [key.slice(actionPrefix.length), label] as const)
    .toSorted(([, one], [, other]) => one.localeCompare(other, i18n.locale));
  const period = periodSelect({
    ...{ i18n, dates: filters, isCustom: bar.isCustom, onCustom: bar.onCustom },
    onChange,
  });
  const dates = bar.isCustom
    ? (['since', 'till'] as const).map((name) => dateField(name, filters, i18n, (date) => onChange({ [name]: date })))
    : nothing;
  return html`<section class="section" aria-label=${text('transactions.search_filters')}>
    <div class="filters audit-filters">
      ${selectField({
        ...{ id: 'filter-action', label: text('audit_log.action'), value: filters.action },
        options: [['', text('transactions.any')], ...actions],
        change: (action) => onChange({ action }),
      })}
      ${period} ${dates}
    </div>
    ${
      filters.person === ''
        ? nothing
        : html`<ul class="chips">
            <li>
              ${button(
                html`${text('audit_log.actor_filter', { name: personName })}<span class="visually-hidden"
                    >${text('transactions.remove_filter')}</span
                  >`,
                () => onChange({ person: '' }),
                { icon: 'x', className: 'chip' },
              )}
            </li>
          </ul>`
    }
  </section>`;
}

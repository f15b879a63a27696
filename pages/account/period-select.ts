import type { TemplateResult } from 'lit';
import type { I18n } from '../checkout/elements/i18n.ts';
import { datePresets, presetOf, presetRange, type DatePreset, type DateRange } from './dates.ts';
import { textField } from './fields.ts';
import { selectField } from './parts.ts';

type Dates = Partial<DateRange>;

export interface PeriodSelect {
  i18n: I18n;
  dates: Dates;
  isLabelHidden?: boolean;
  /** Selects custom dates before a date is set. */
  isCustom?: boolean;
  /** A preset was selected. Empty dates are any time. */
  onChange: (dates: DateRange) => void;
  /** Custom dates were selected: the caller shows `dateField`s. */
  onCustom: () => void;
}

/** Select of a period: any time, a preset such as the last 7 days, or custom dates. */
export function periodSelect({ i18n, dates: { since, till }, ...field }: PeriodSelect): TemplateResult {
  const isAny = !since && !till;
  const value = field.isCustom ? 'custom' : isAny ? '' : (presetOf(since, till) ?? 'custom');
  const text = (name: string) => i18n.text(`account.transactions.period.${name}`);
  return selectField({
    ...{ id: 'filter-period', label: text('label'), isLabelHidden: field.isLabelHidden ?? false, value },
    options: ['any', ...datePresets, 'custom'].map((name) => [name === 'any' ? '' : name, text(name)] as const),
    change: (preset) => {
      if (preset === 'custom') field.onCustom();
      else field.onChange(preset === '' ? { since: '', till: '' } : presetRange(preset as DatePreset));
    },
  });
}

/** First or last day of a custom period; `onChange` receives an empty string if it is cleared. */
export function dateField(
  name: keyof DateRange,
  { since, till }: Dates,
  i18n: I18n,
  onChange: (date: string) => void,
): TemplateResult {
  return textField({
    ...{ id: `filter-${name}`, name, label: i18n.text(`account.transactions.filter.${name}`), type: 'date', onChange },
    value: (name === 'since' ? since : till) ?? '',
  });
}

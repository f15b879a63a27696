import { html, type TemplateResult } from 'lit';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { checkField } from '../choices.ts';
import { type ColumnName, optionalColumns, visibleColumns } from './columns.ts';
import type { Kind } from './filters.ts';
import { columnText } from './transaction-row.ts';

/** Checkboxes of the columns that can be hidden. Those that do not fit in `width` rem cannot be chosen. */
export function columnChoice(
  kind: Kind,
  hiddenColumns: readonly ColumnName[],
  width: number,
  i18n: I18n,
  onChange: (hidden: readonly ColumnName[]) => void,
): TemplateResult {
  const without = (name: ColumnName) => hiddenColumns.filter((hidden) => hidden !== name);
  // Without its column, the buyer is shown below the reference.
  const fits = (name: ColumnName) =>
    name === 'payer' || visibleColumns(kind, without(name), width).some((column) => column.name === name);
  return html`<fieldset class="column-choice">
    <legend>${i18n.text('account.transactions.columns')}</legend>
    ${optionalColumns(kind).map((name) =>
      checkField({
        ...{ text: columnText(kind, name, i18n), isDisabled: !fits(name) },
        isChecked: fits(name) && !hiddenColumns.includes(name),
        onChange: (isShown) => onChange([...without(name), ...(isShown ? [] : [name])]),
      }),
    )}
  </fieldset>`;
}

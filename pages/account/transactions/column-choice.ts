import { html, type TemplateResult } from 'lit';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { checkField } from '../choices.ts';
import { type ColumnName, optionalColumns } from './columns.ts';
import type { Kind } from './filters.ts';
import { columnText } from './transaction-row.ts';

/** Checkboxes of the columns that can be hidden. */
export function columnChoice(
  kind: Kind,
  hiddenColumns: readonly ColumnName[],
  i18n: I18n,
  onChange: (hidden: readonly ColumnName[]) => void,
): TemplateResult {
  return html`<fieldset class="column-choice">
    <legend>${i18n.text('account.transactions.columns')}</legend>
    ${optionalColumns(kind).map((name) =>
      checkField({
        ...{ text: columnText(kind, name, i18n), isChecked: !hiddenColumns.includes(name) },
        onChange: (isShown) =>
          onChange([...hiddenColumns.filter((hidden) => hidden !== name), ...(isShown ? [] : [name])]),
      }),
    )}
  </fieldset>`;
}

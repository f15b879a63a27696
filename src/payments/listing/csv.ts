import { stringify } from 'csv-stringify/sync';
import { minorUnitsOf } from '../../api/currency.ts';
import {
  toApiStatus,
  type TransactionExportColumn,
  transactionExportColumns,
  type TransactionStatus,
} from '../../api/fiat-transaction.ts';
import { formatMinor } from '../../shared/money.ts';
import { formatInstant } from '../../shared/time.ts';
import type { ExportedTransaction } from './export.ts';
import { keptMinor } from './list-items.ts';

/** The header row of an export. */
export const csvHeader = `${transactionExportColumns.join(',')}\r\n`;

/** Formats transactions as CSV lines (RFC 4180). */
export function toCsv(rows: readonly ExportedTransaction[]): string {
  return stringify(
    rows.map(toCells),
    // Of the line breaks, the library quotes only its full record delimiter; readers also end a line at CR or LF alone.
    {
      columns: transactionExportColumns,
      record_delimiter: 'windows',
      quoted_match: /[\r\n]/,
      cast: { string: (value, { column }) => (textColumns.has(column) ? { value, quoted: true } : value) },
    },
  );
}

/** Columns with merchants' and payers' own text. */
const textColumns: ReadonlySet<unknown> = new Set<TransactionExportColumn>([
  'transaction_id',
  'description',
  'metadata',
  'payer_name',
  'payer_email',
]);

function toCells(row: ExportedTransaction): Record<TransactionExportColumn, string> {
  const amount = (minor: number) => formatMinor(BigInt(minor), minorUnitsOf(row.currency));
  return {
    id: String(row.id),
    merchant_id: String(row.merchant_id),
    transaction_id: escapeFormulas(row.transaction_id),
    created_at: formatInstant(row.created_at),
    updated_at: formatInstant(row.updated_at),
    status: toApiStatus(row.status as TransactionStatus),
    reason: row.reason ?? '',
    payment_method: row.payment_method,
    country: row.country,
    currency: row.currency,
    amount: amount(row.amount_minor),
    amount_charged: amount(row.amount_charged_minor),
    amount_delivered: amount(row.amount_delivered_minor),
    amount_received: amount(row.amount_received_minor),
    description: escapeFormulas(row.description),
    additional_currency: row.additional_currency,
    rate_merchant_final: row.rate_merchant_final,
    authorization_status: row.authorization_status ?? '',
    metadata: escapeFormulas(row.metadata ?? ''),
    payer_name: escapeFormulas(row.listedPayer?.name ?? ''),
    payer_email: escapeFormulas(row.listedPayer?.email ?? ''),
    amount_kept: amount(keptMinor(row)),
  };
}

/**
 * Positions where a spreadsheet may start a formula (OWASP, CSV Injection), full-width forms included. These are the
 * start of a cell, and every character after one at which some spreadsheet splits cells, since it may ignore the
 * quotes.
 */
const formulaStart =
  /^(?='*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])|(?<=[;|\t\r\n])(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g;
const plainNumber = /^[+-]?\d+(\.\d+)?$/;

/**
 * Inserts an apostrophe wherever a spreadsheet would run a formula, except in plain numbers. An existing apostrophe gets
 * another one, so that removing one at each position restores the text.
 */
function escapeFormulas(text: string): string {
  return plainNumber.test(text) ? text : text.replaceAll(formulaStart, "'");
}

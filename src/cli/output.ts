import { Option } from 'commander';
import type { WriteStream } from 'node:tty';

/** Exit code of a process ended by SIGPIPE; Node.js ignores that signal. */
const SIGPIPE_EXIT_CODE = 141;

/** Exits quietly when the reader closes the pipe, as with `| head`. */
export function exitOnClosedPipe(output: NodeJS.WriteStream | WriteStream): void {
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(SIGPIPE_EXIT_CODE);
  });
}

/** `table`: readable text; `json`: exactly one JSON value. */
export type Output = 'table' | 'json';

/** The `--output` option of every command that prints results. */
export function outputOption(description = 'output format'): Option {
  return new Option('--output <format>', description).choices(['table', 'json']).default('table');
}

/** Prints an object: as JSON, or as a table with a row for each field. */
export function print(value: Record<string, unknown>, output: Output): void {
  if (output === 'json') {
    process.stdout.write(`${JSON.stringify(value)}\n`);
    return;
  }
  process.stdout.write(formatTable(Object.entries(value).map(([key, entry]) => [key, String(entry)])));
}

/** The columns of a table: the cell of each item by heading. */
export type Columns<Item> = Readonly<Record<string, (item: Item) => string | number | null>>;

/** Number of rows that determine the column widths; later rows are printed as they are read. */
const MEASURED_ROW_COUNT = 200;

/** Prints a list while it is read: as a JSON object with the array in the field `name`, or as a table. */
export async function printList<Item>(
  name: string,
  items: AsyncIterable<Item> | Iterable<Item>,
  { output, columns, noun = name }: { output: Output; columns: Columns<Item>; noun?: string },
): Promise<void> {
  if (output === 'json') return await printJsonList(name, items);
  const headings = Object.keys(columns).map((heading) => heading.toUpperCase());
  const rows: string[][] = [];
  let widths: number[] | null = null;
  const flush = () => {
    const measured = widths === null ? [headings, ...rows] : rows;
    widths ??= widthsOf(measured);
    process.stdout.write(formatTable(measured, widths));
    rows.length = 0;
  };
  for await (const item of items) {
    rows.push(Object.values(columns).map((cell) => String(cell(item) ?? '-')));
    if (widths !== null || rows.length === MEASURED_ROW_COUNT) flush();
  }
  if (rows.length > 0) flush();
  else if (widths === null) process.stderr.write(`No ${noun}.\n`);
}

async function printJsonList(name: string, items: AsyncIterable<unknown> | Iterable<unknown>): Promise<void> {
  let lead = `{${JSON.stringify(name)}:[`;
  for await (const item of items) {
    process.stdout.write(`${lead}${JSON.stringify(item)}`);
    lead = ',';
  }
  process.stdout.write(lead === ',' ? ']}\n' : `${lead}]}\n`);
}

/** Formats rows with aligned columns; the last column is not padded. */
function formatTable(rows: readonly (readonly string[])[], widths = widthsOf(rows)): string {
  const lineOf = (cells: readonly string[]) =>
    cells.map((cell, index) => (index === cells.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join('  ');
  return rows.map((cells) => `${lineOf(cells)}\n`).join('');
}

function widthsOf(rows: readonly (readonly string[])[]): number[] {
  const count = rows[0]?.length ?? 0;
  return Array.from({ length: count }, (_, index) => Math.max(...rows.map((cells) => cells[index]?.length ?? 0)));
}

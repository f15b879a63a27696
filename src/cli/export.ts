import { constants } from 'node:os';
import { createWriteStream, existsSync, realpathSync, statSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  toWireStatus,
  transactionExportQuery,
  type TransactionStatus,
  transactionStatuses,
  wireStatuses,
} from '../api/fiat-transaction.ts';
import { metadataFilter } from '../api/metadata.ts';
import { exportTransactions } from '../payments/listing/export.ts';
import { parseWith } from '../http/validation.ts';
import { examples } from './examples.ts';
import { withOptionNames, parsePositiveInteger } from './options.ts';
import { print } from './output.ts';
import { requireMerchant, withDatabase } from './with-database.ts';

interface ExportOptions {
  merchant: number;
  status?: string[];
  method?: string[];
  since?: string;
  till?: string;
  updatedSince?: string;
  currency?: string[];
  country?: string[];
  metadata?: Record<string, string>;
  search?: string;
  awaitingReview?: true;
  order?: 'asc' | 'desc';
  output?: string;
  progress?: true;
  json?: true;
}

/** Interval of progress updates. */
const PROGRESS_INTERVAL_MS = 500;

export function registerExportCommand(program: Command): void {
  program
    .command('export')
    .description('export a merchant’s transactions as CSV, to standard output or a file')
    .requiredOption('--merchant <id>', 'the merchant’s ID', parsePositiveInteger)
    .addOption(
      new Option(
        '--status <statuses>',
        `filter by statuses, separated by commas: ${wireStatuses.join(', ')}`,
      ).argParser(parseStatuses),
    )
    .option('--method <codes>', 'filter by payment methods', splitList)
    .option('--since <time>', 'created at or after: a date (UTC), a date-time or Unix seconds')
    .option('--till <time>', 'created at or before; a date includes its whole day')
    .option('--updated-since <time>', 'changed at or after; like --since')
    .option('--currency <codes>', 'filter by currencies', splitList)
    .option('--country <codes>', 'filter by countries, ISO 3166-1 alpha-3', splitList)
    .option('--metadata <key=value>', 'filter by a pair of the metadata; several must all match', parsePair)
    .option(
      '--search <text>',
      'filter by the start of the transaction_id, the last four digits of a card, an amount, or a value of the metadata',
    )
    .option('--awaiting-review', 'only transactions that await review')
    .addOption(new Option('--order <direction>', 'order by creation time').choices(['asc', 'desc']).default('desc'))
    .option('--output <file>', 'write to this file, which appears only once it is complete')
    .option('--progress', 'print progress even without a terminal')
    .option('--json', 'print the file, rows and bytes as JSON')
    .addHelpText(
      'after',
      examples(
        'npx paylatch export --merchant 1 --since 2026-11-01 --till 2026-11-30 --output november.csv',
        'npx paylatch export --merchant 1 --status transaction_status_confirmed | gzip > confirmed.csv.gz',
      ),
    )
    .action(exportToCsv);
}

function readQuery(options: ExportOptions) {
  const { order, status, method, since, till, updatedSince, currency, country, metadata, search, awaitingReview } =
    options;
  return parseWith(transactionExportQuery, {
    order_direction: order,
    ...(status !== undefined && { status }),
    ...(method !== undefined && { payment_method: method }),
    ...(since !== undefined && { since }),
    ...(till !== undefined && { till }),
    ...(updatedSince !== undefined && { updated_since: updatedSince }),
    ...(currency !== undefined && { currency }),
    ...(country !== undefined && { country }),
    ...(metadata !== undefined && { metadata }),
    ...(search !== undefined && { search }),
    ...(awaitingReview && { awaiting_review: 'true' }),
  });
}

async function exportToCsv(options: ExportOptions): Promise<void> {
  const { merchant, output } = options;
  if (options.json && output === undefined)
    throw new InvalidArgumentError('--json requires --output: without it, the CSV itself is printed.');
  const query = await withOptionNames({ payment_method: '--method' }, () => Promise.resolve(readQuery(options)));
  const target = output === undefined ? null : resolveTarget(output);
  await withDatabase(async ({ database }) => {
    await requireMerchant(database, merchant);
    const parts = await withOptionNames({ payment_method: '--method' }, async () =>
      Promise.resolve(exportTransactions(database, { merchantId: merchant, canSeePayers: true }, query)),
    );
    const progress = createProgress(options.progress === true || process.stderr.isTTY);
    const written = { rows: 0, bytes: 0 };
    async function* chunks() {
      for await (const { csv, rows } of parts) {
        const chunk = Buffer.from(csv);
        yield chunk;
        written.rows += rows;
        written.bytes += chunk.length;
        progress.update(written.rows);
      }
    }
    const source = Readable.from(chunks(), { objectMode: true, highWaterMark: 1 });
    try {
      if (target === null) await pipeline(source, process.stdout as Writable, { end: false });
      else await writeAtomically(source, target);
    } finally {
      progress.end(written.rows);
    }
    if (output !== undefined && (options.json || !progress.isOn))
      print({ file: output, rows: written.rows, bytes: written.bytes }, options.json);
  });
}

/** Resolves the output path; rejects devices and folders, which must not be replaced by a file. */
function resolveTarget(path: string): string {
  if (!existsSync(path)) return path;
  if (!statSync(path).isFile()) throw new InvalidArgumentError(`--output ${path} is not a file.`);
  return realpathSync(path);
}

/** Writes to a temporary file and renames it once it is on disk, so that no partial file is visible. */
async function writeAtomically(source: Readable, path: string): Promise<void> {
  const unfinished = `${path}.${process.pid}.unfinished`;
  const cancelRemoval = removeOnSignal(unfinished);
  try {
    await pipeline(source, createWriteStream(unfinished, { flags: 'w', flush: true }));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (!(error as NodeJS.ErrnoException).syscall) throw error;
    throw new Error(`${path} could not be written (${(error as NodeJS.ErrnoException).code}).`, { cause: error });
  } finally {
    cancelRemoval();
  }
}

function splitList(text: string): string[] {
  return text.split(',');
}

function parsePair(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.+)$/s.exec(text) ?? [];
  if (key === undefined || value === undefined) throw new InvalidArgumentError('It must be KEY=VALUE.');
  const pairs = { ...before, [key]: value };
  const result = metadataFilter.safeParse(pairs);
  if (!result.success) throw new InvalidArgumentError(`It ${result.error.issues[0]?.message}.`);
  return pairs;
}

function parseStatuses(text: string): string[] {
  return splitList(text).map(parseStatus);
}

function parseStatus(text: string): string {
  const status = text.replace(/^transaction_status_/, '') as TransactionStatus;
  if (!transactionStatuses.includes(status))
    throw new InvalidArgumentError(`It must be one of: ${wireStatuses.join(', ')}.`);
  return toWireStatus(status);
}

/** Prints progress to standard error: in a terminal in one line, otherwise line by line. */
function createProgress(isOn: boolean) {
  const startedMs = performance.now();
  let printedMs = startedMs;
  const printProgress = (rows: number, end: string) => {
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    const lead = process.stderr.isTTY ? '\r' : '';
    process.stderr.write(
      `${lead}${rows.toLocaleString('en')} ${rows === 1 ? 'transaction' : 'transactions'}, ${seconds} s${end}`,
    );
  };
  return {
    isOn,
    update(rows: number) {
      if (!isOn || performance.now() - printedMs < PROGRESS_INTERVAL_MS) return;
      printedMs = performance.now();
      printProgress(rows, process.stderr.isTTY ? '' : '\n');
    },
    end(rows: number) {
      if (isOn) printProgress(rows, '\n');
    },
  };
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes a file when a signal ends the process, then ends by that signal. Returns a function that cancels this. */
function removeOnSignal(path: string): () => void {
  const end = (signal: (typeof signals)[number]) => {
    rmSync(path, { force: true });
    cancel();
    process.kill(process.pid, signal);
    // Signals without a handler do not end the first process of a container.
    process.exit(128 + constants.signals[signal]);
  };
  const cancel = () => {
    for (const signal of signals) process.off(signal, end);
  };
  for (const signal of signals) process.on(signal, end);
  return cancel;
}

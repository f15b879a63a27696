import { constants } from 'node:os';
import { createWriteStream, existsSync, realpathSync, statSync, rmSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { transactionExportQuery } from '../api/fiat-transaction.ts';
import { exportTransactions } from '../payments/listing/export.ts';
import { examples } from './examples.ts';
import { withOptionNames, parseIdOption } from './options.ts';
import { type Output, outputOption, print } from './output.ts';
import { addQueryOptions, readQueryOptions } from './query-options.ts';
import { requireMerchant, withDatabase } from './with-database.ts';

interface ExportOptions {
  merchant: number;
  file?: string;
  progress?: true;
  output: Output;
}

/** Interval of progress updates. */
const PROGRESS_INTERVAL_MS = 500;

export function registerExportCommand(program: Command): void {
  const command = program
    .command('export')
    .description('export a merchant’s transactions as CSV, to standard output or a file')
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption);
  addQueryOptions(command, transactionExportQuery)
    .option('--file <file>', 'write to this file, which is created when the export is complete')
    .option('--progress', 'print progress even without a terminal')
    .addOption(outputOption('with --file: format of the summary (file, rows, bytes)'))
    .addHelpText(
      'after',
      examples(
        'npx paylatch export --merchant 1 --since 2026-11-01 --till 2026-11-30 --file november.csv',
        'npx paylatch export --merchant 1 --status transaction_status_confirmed | gzip > confirmed.csv.gz',
      ),
    )
    .action(exportToCsv);
}

async function exportToCsv(options: ExportOptions): Promise<void> {
  const { merchant, file, output } = options;
  if (output === 'json' && file === undefined)
    throw new InvalidArgumentError('--output json requires --file: without it, the CSV itself is printed.');
  const query = await readQueryOptions(transactionExportQuery, { ...options });
  const target = file === undefined ? null : resolveTarget(file);
  await withDatabase(async ({ database }) => {
    await requireMerchant(database, merchant);
    const parts = await withOptionNames({}, async () =>
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
    if (file !== undefined && (output === 'json' || !progress.isOn))
      print({ file, rows: written.rows, bytes: written.bytes }, output);
  });
}

/** Resolves the output path; rejects devices and folders, which must not be replaced by a file. */
function resolveTarget(path: string): string {
  if (!existsSync(path)) return path;
  if (!statSync(path).isFile()) throw new InvalidArgumentError(`--file ${path} is not a file.`);
  return realpathSync(path);
}

/**
 * Writes to a temporary file and renames it once it is on disk, so that no partial file is visible. Only its owner can
 * read it: it contains payers' data.
 */
async function writeAtomically(source: Readable, path: string): Promise<void> {
  const unfinished = `${path}.${process.pid}.unfinished`;
  const cancelRemoval = removeOnSignal(unfinished);
  try {
    await pipeline(source, createWriteStream(unfinished, { mode: 0o600, flags: 'w', flush: true }));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (!(error as NodeJS.ErrnoException).syscall) throw error;
    throw new Error(`${path} could not be written (${(error as NodeJS.ErrnoException).code}).`, { cause: error });
  } finally {
    cancelRemoval();
  }
}

/** Prints progress to standard error: on one line in a terminal, otherwise line by line. */
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

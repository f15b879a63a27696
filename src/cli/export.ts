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
import { exportTransactions } from '../payments/listing/export.ts';
import { parseWith } from '../http/validation.ts';
import { examples } from './examples.ts';
import { namingOptions, wholeNumber } from './options.ts';
import { print } from './output.ts';
import { requireMerchant, withDatabase } from './with-database.ts';

interface ExportOptions {
  merchant: number;
  status?: string;
  method?: string;
  since?: string;
  till?: string;
  currency?: string;
  country?: string;
  search?: string;
  awaitsDecision?: true;
  order?: 'asc' | 'desc';
  output?: string;
  progress?: true;
  json?: true;
}

/** How often the progress is told. */
const TELL_EVERY_MS = 500;

export function registerExportCommand(program: Command): void {
  program
    .command('export')
    .description('write a merchant’s transactions as CSV, to the terminal or a file')
    .requiredOption('--merchant <id>', 'the merchant’s ID', wholeNumber)
    .addOption(new Option('--status <status>', `only those: ${wireStatuses.join(', ')}`).argParser(wireStatus))
    .option('--method <code>', 'only those of a payment method')
    .option('--since <time>', 'only those made from then on: a date (UTC), a date-time or Unix seconds')
    .option('--till <time>', 'only those made until then; a date with its whole day')
    .option('--currency <code>', 'only those in a currency')
    .option('--country <code>', 'only those of a country, ISO 3166-1 alpha-3')
    .option(
      '--search <text>',
      'only those whose transaction_id begins so, of a card’s last four digits, or of an amount',
    )
    .option('--awaits-decision', 'only those whose money waits to be accepted or rejected')
    .addOption(new Option('--order <direction>', 'of their creation').choices(['asc', 'desc']).default('desc'))
    .option('--output <file>', 'write to this file, which is there only when it is whole')
    .option('--progress', 'tell how far it is, also when nobody sits at the terminal')
    .option('--json', 'print JSON: how much was written to which file')
    .addHelpText(
      'after',
      examples(
        'npx paylatch export --merchant 1 --since 2026-11-01 --till 2026-11-30 --output november.csv',
        'npx paylatch export --merchant 1 --status transaction_status_confirmed | gzip > confirmed.csv.gz',
      ),
    )
    .action(exportToCsv);
}

function readQuery({ order, status, method, since, till, currency, country, search, awaitsDecision }: ExportOptions) {
  return parseWith(transactionExportQuery, {
    order_direction: order,
    ...(status !== undefined && { status }),
    ...(method !== undefined && { payment_method: method }),
    ...(since !== undefined && { since }),
    ...(till !== undefined && { till }),
    ...(currency !== undefined && { currency }),
    ...(country !== undefined && { country }),
    ...(search !== undefined && { search }),
    ...(awaitsDecision && { awaits_decision: 'true' }),
  });
}

async function exportToCsv(options: ExportOptions): Promise<void> {
  const { merchant, output } = options;
  if (options.json && output === undefined)
    throw new InvalidArgumentError('--json needs --output: else the CSV itself is what is printed.');
  const query = await namingOptions({ payment_method: '--method' }, () => Promise.resolve(readQuery(options)));
  const target = output === undefined ? null : targetOf(output);
  await withDatabase(async ({ database }) => {
    await requireMerchant(database, merchant);
    const parts = await namingOptions({ payment_method: '--method' }, async () =>
      Promise.resolve(exportTransactions(database, merchant, query)),
    );
    const progress = watchProgress(options.progress === true || process.stderr.isTTY);
    const written = { rows: 0, bytes: 0 };
    async function* pieces() {
      for await (const { csv, rows } of parts) {
        const piece = Buffer.from(csv);
        yield piece;
        written.rows += rows;
        written.bytes += piece.length;
        progress.tell(written.rows);
      }
    }
    const source = Readable.from(pieces(), { objectMode: true, highWaterMark: 1 });
    try {
      if (target === null) await pipeline(source, process.stdout as Writable, { end: false });
      else await writeWhole(source, target);
    } finally {
      progress.end(written.rows);
    }
    if (output !== undefined && (options.json || !progress.isOn))
      print({ file: output, rows: written.rows, bytes: written.bytes }, options.json);
  });
}

/** The file that a path leads to; what is there and is no file, such as a device, is not to be replaced by one. */
function targetOf(path: string): string {
  if (!existsSync(path)) return path;
  if (!statSync(path).isFile()) throw new InvalidArgumentError(`--output ${path} is not a file.`);
  return realpathSync(path);
}

/** Writes beside the file and takes its name only when all is on disk: nobody finds half of it. */
async function writeWhole(source: Readable, path: string): Promise<void> {
  const unfinished = `${path}.${process.pid}.unfinished`;
  const forget = removeOnSignal(unfinished);
  try {
    await pipeline(source, createWriteStream(unfinished, { flags: 'w', flush: true }));
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    if (!(error as NodeJS.ErrnoException).syscall) throw error;
    throw new Error(`${path} cannot be written (${(error as NodeJS.ErrnoException).code}).`, { cause: error });
  } finally {
    forget();
  }
}

function wireStatus(text: string): string {
  const status = text.replace(/^transaction_status_/, '') as TransactionStatus;
  if (!transactionStatuses.includes(status))
    throw new InvalidArgumentError(`It is one of: ${wireStatuses.join(', ')}.`);
  return toWireStatus(status);
}

/** Tells on stderr how many rows there are so far: over and over in one line of a terminal, else line by line. */
function watchProgress(isOn: boolean) {
  const startedMs = performance.now();
  let toldMs = startedMs;
  const say = (rows: number, end: string) => {
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    const lead = process.stderr.isTTY ? '\r' : '';
    process.stderr.write(
      `${lead}${rows.toLocaleString('en')} ${rows === 1 ? 'transaction' : 'transactions'}, ${seconds} s${end}`,
    );
  };
  return {
    isOn,
    tell(rows: number) {
      if (!isOn || performance.now() - toldMs < TELL_EVERY_MS) return;
      toldMs = performance.now();
      say(rows, process.stderr.isTTY ? '' : '\n');
    },
    end(rows: number) {
      if (isOn) say(rows, '\n');
    },
  };
}

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Removes a file when a signal ends the process, which then ends by that signal; the answer calls it off. */
function removeOnSignal(path: string): () => void {
  const end = (signal: (typeof endings)[number]) => {
    rmSync(path, { force: true });
    callOff();
    process.kill(process.pid, signal);
    // The first process of a container is not ended by a signal that it does not handle.
    process.exit(128 + constants.signals[signal]);
  };
  const callOff = () => {
    for (const signal of endings) process.off(signal, end);
  };
  for (const signal of endings) process.on(signal, end);
  return callOff;
}

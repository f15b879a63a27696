import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { z } from 'zod';
import { type Config, readConfig } from '../config.ts';
import { publicUrlProblem } from '../http/address.ts';
import type { Instant } from '../shared/time.ts';
import { OperatorError } from '../system/operator-error.ts';
import { packageRoot } from '../system/root.ts';
import { examples } from './examples.ts';
import type { Imported } from './import-apply.ts';
import { btcpayExport, planBtcpay, readBtcpay } from './import-btcpay.ts';
import { coinbaseExport, planCoinbase } from './import-coinbase.ts';
import type { LinkDefaults, PlannedImport } from './import-plan.ts';
import { parseIdOption } from './options.ts';
import { type Output, outputOption } from './output.ts';
import { requireMerchant } from './with-database.ts';

const MAX_FILE_BYTES = 64 * 1024 * 1024;

const parts = ['preferences', 'webhooks', 'links'] as const;
type Part = (typeof parts)[number];
const partOf = {
  preference: 'preferences',
  webhook_endpoint: 'webhooks',
  reusable_link: 'links',
  payment_link: 'links',
} as const satisfies Partial<Record<PlannedImport['kind'], Part>>;

interface ImportOptions extends LinkDefaults {
  merchant: number;
  only?: Part[];
  dryRun?: true;
  output: Output;
}

/** Registers the commands that import settings and open links of another payment service. */
export function registerImportCommands(program: Command): void {
  const importing = program.command('import').description('import from another payment service');

  withCommonOptions(
    importing
      .command('btcpay')
      .description('import a BTCPay Server store: settings, webhooks, payment requests and point of sale items')
      .option(
        '--url <url>',
        'the URL of BTCPay Server; its API key is read from BTCPAY_API_KEY, or from standard input',
      )
      .option('--store <id>', 'with --url: the store’s ID')
      .addOption(
        new Option('--file <file>', 'instead of --url: a file exported from the store').conflicts(['url', 'store']),
      ),
  )
    .addOption(new Option('--only <part...>', 'import only these parts').choices(parts))
    .addHelpText(
      'after',
      examples(
        'npx paylatch import btcpay --merchant 1 --url https://btcpay.example --store 9CiNzKo… --dry-run',
        'npx paylatch import btcpay --merchant 1 --file store.json',
      ),
    )
    .action(async (options: ImportOptions & { url?: string; store?: string; file?: string }) => {
      const config = readConfig(process.env);
      const data = parseExport(
        btcpayExport,
        options.file === undefined ? await requestBtcpay(options, config) : await readJson(options.file),
      );
      await importPlan(options, config, (context) => planBtcpay(data, options, context));
    });

  withCommonOptions(
    importing
      .command('coinbase')
      .description('import Coinbase Commerce checkouts as reusable links, from a saved response of GET /checkouts')
      .argument('<file>', 'the saved response; - for standard input')
      .option('--currency <code>', 'currency of checkouts without a price', 'USD'),
  )
    .addHelpText('after', examples('npx paylatch import coinbase checkouts.json --merchant 1 --dry-run'))
    .action(async (file: string, options: ImportOptions & { currency: string }) => {
      const data = parseExport(coinbaseExport, await readJson(file));
      await importPlan(options, readConfig(process.env), () => planCoinbase(data, options, options.currency));
    });
}

function withCommonOptions(command: Command): Command {
  return command
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .option('--country <code>', 'country of the links, ISO 3166-1 alpha-3', 'USA')
    .option('--method <code>', 'payment method of the links; buyers can switch', 'crypto_payment')
    .option('--dry-run', 'report what would be imported, and change nothing')
    .addOption(outputOption());
}

async function requestBtcpay({ url, store }: { url?: string; store?: string }, config: Config): Promise<unknown> {
  if (url === undefined || store === undefined) throw new InvalidArgumentError('Set --url and --store, or --file.');
  const address = URL.parse(url);
  if (!address || !/^https?:$/.test(address.protocol)) throw new InvalidArgumentError('--url must be a URL.');
  const isSandbox = config.environment === 'sandbox';
  const problem = publicUrlProblem(address, isSandbox);
  if (problem) throw new InvalidArgumentError(`--url ${problem}. For a private address, use --file.`);
  const token = process.env['BTCPAY_API_KEY'] ?? (await readSecret());
  if (!/^[\x21-\x7E]{1,200}$/.test(token)) throw new InvalidArgumentError('BTCPAY_API_KEY must be an API key.');
  const { createOutboundGet } = await import('../http/outbound.ts');
  return await readBtcpay(createOutboundGet({ allowLoopback: isSandbox }), { url, storeId: store, token });
}

async function readSecret(): Promise<string> {
  if (process.stdin.isTTY) process.stderr.write('Enter the API key, then press Enter and Ctrl-D:\n');
  return (await text(process.stdin)).trim();
}

async function readJson(file: string): Promise<unknown> {
  if (file !== '-' && (await stat(file)).size > MAX_FILE_BYTES)
    throw new OperatorError(`${file} is larger than ${MAX_FILE_BYTES} bytes.`);
  const content = file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  try {
    return JSON.parse(content);
  } catch {
    throw new OperatorError(`${file === '-' ? 'Standard input' : file} is not valid JSON.`);
  }
}

/** Parses the source's data; reports the first invalid fields. */
function parseExport<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const fields = result.error.issues
    .slice(0, 3)
    .map(({ path, message }) => printable(`${path.join('.') || 'top level'}: ${message}`));
  throw new OperatorError(`The data has an unexpected format. ${fields.join('; ')}. Nothing was imported.`);
}

async function importPlan(
  options: ImportOptions,
  config: Config,
  plan: (context: { merchantName: string; now: Instant }) => PlannedImport[],
): Promise<void> {
  // Loads the whole service, which most commands do not need.
  const [{ createService }, { loadPages }, { createLog }, { importOne }] = await Promise.all([
    import('../app.ts'),
    import('../startup/pages.ts'),
    import('../system/log.ts'),
    import('./import-apply.ts'),
  ]);
  const pages = loadPages(join(packageRoot(), 'dist', 'pages'));
  const service = await createService({ config, log: createLog('silent'), pages });
  try {
    const { name: merchantName } = await requireMerchant(service.database, options.merchant);
    const report: Imported[] = [];
    for (const each of plan({ merchantName, now: service.payments.clock.now() })) {
      if (each.kind !== 'none' && options.only && !options.only.includes(partOf[each.kind])) continue;
      report.push(await importOne(service, config, options, each));
    }
    printReport(report, options);
  } finally {
    await service.close();
  }
}

function printReport(items: readonly Imported[], { dryRun, output }: ImportOptions): void {
  const skipped = items.filter(({ result }) => result === 'skipped').length;
  const imported = items.length - skipped;
  if (output === 'json') {
    process.stdout.write(`${JSON.stringify({ dry_run: dryRun === true, imported, skipped, items })}\n`);
    return;
  }
  const lines = items.map(({ source, result, kind, id, url, note }) => {
    const target = result === 'skipped' ? null : [kind?.replace('_', ' '), id, url].filter(Boolean).join(' ');
    return printable([result.replace('_', ' ').padEnd(12), source, target, note].filter(Boolean).join('  '));
  });
  const total = `${dryRun ? 'Would import' : 'Imported'} ${imported}, skipped ${skipped}.`;
  process.stdout.write(`${[...lines, total].join('\n')}\n`);
}

/** A string from the other service could contain terminal control sequences. */
function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '\uFFFD');
}

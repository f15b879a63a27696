import { join } from 'node:path';
import type { Command } from 'commander';
import { createTransactionRequest } from '../api/fiat-transaction.ts';
import { readConfig } from '../config.ts';
import { parseWith } from '../http/validation.ts';
import { randomId, systemRandom } from '../system/random.ts';
import { packageRoot } from '../system/root.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { withOptionNames, parseIdOption } from './options.ts';
import { type Output, outputOption, print } from './output.ts';
import { requireMerchant } from './with-database.ts';

interface LinkOptions {
  merchant: number;
  amount: string;
  currency: string;
  country: string;
  method: string;
  description: string;
  reference?: string;
  success?: string;
  fail?: string;
  fee: string;
  output: Output;
}

export function registerLinkCommands(program: Command): void {
  program
    .command('link')
    .description('payment links')
    .command('create')
    .description('create a payment link, validated like an API request; prints it, and in a terminal also its QR code')
    .option('--merchant <id>', 'the merchant’s ID', parseIdOption, 1)
    .requiredOption('--amount <amount>', 'such as 12.50')
    .option('--currency <code>', 'ISO 4217', 'USD')
    .option('--country <code>', 'ISO 3166-1 alpha-3', 'USA')
    .option('--method <code>', 'payment method', 'credit_card')
    .option('--description <text>', 'description shown to the buyer', 'Payment')
    .option('--reference <id>', 'the transaction_id; random by default')
    .option(
      '--success <url>',
      'redirect URL after a successful payment; without it, the buyer stays on the payment page',
    )
    .option('--fail <url>', 'redirect URL after a failed payment; without it, the buyer stays on the payment page')
    .option('--fee <calculation>', 'forward_without_fee or forward_with_fee', 'forward_without_fee')
    .addOption(outputOption())
    .addHelpText(
      'after',
      examples(
        'npx paylatch link create --merchant 1 --amount 12.50 --description "A blue kettle"',
        'npx paylatch link create --amount 350 --currency THB --country THA --method qr_code',
      ),
    )
    .action(createLink);
}

/** Options whose names differ from the API's fields. */
const optionNames = {
  transaction_id: '--reference',
  payment_method: '--method',
  success_redirect_url: '--success',
  fail_redirect_url: '--fail',
  type_of_calculation: '--fee',
};

async function createLink(options: LinkOptions): Promise<void> {
  const { transaction_id, link, expires_at } = await withOptionNames(
    optionNames,
    async () => await requestLink(options),
  );
  print({ transaction_id, link, expires_at }, options.output);
  if (options.output === 'json' || !process.stdout.isTTY) return;
  const { default: qrcode } = await import('qrcode');
  process.stdout.write(`\n${await qrcode.toString(link, { type: 'terminal', small: true })}\n`);
}

async function requestLink(options: LinkOptions) {
  const request = parseWith(createTransactionRequest, {
    transaction_id: options.reference ?? `cli-${randomId(systemRandom).slice(0, 10)}`,
    payment_method: options.method,
    amount: Number(options.amount),
    country: options.country,
    currency: options.currency,
    description: options.description,
    success_redirect_url: options.success ?? null,
    fail_redirect_url: options.fail ?? null,
    type_of_calculation: options.fee,
  });
  // Loads the whole service, which most commands do not need.
  const [{ createService }, { loadPages }, { createTransaction }, { createLog }] = await Promise.all([
    import('../app.ts'),
    import('../startup/pages.ts'),
    import('../payments/create.ts'),
    import('../system/log.ts'),
  ]);
  const service = await createService({
    config: readConfig(process.env),
    log: createLog('silent'),
    pages: loadPages(join(packageRoot(), 'dist', 'pages')),
  });
  try {
    await requireMerchant(service.database, options.merchant);
    const created = await createTransaction(service.payments, options.merchant, request);
    if (created.type !== 'link') throw new Error('A payment link was expected');
    const change = { merchantId: options.merchant, action: 'createTransaction', subject: created.transaction_id };
    await recordChange(service.database, service.payments.clock, change);
    return { ...created, link: created.value.link };
  } finally {
    await service.close();
  }
}

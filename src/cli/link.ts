import { join } from 'node:path';
import type { Command } from 'commander';
import qrcode from 'qrcode';
import { createService } from '../app.ts';
import { createTransactionRequest } from '../contract/fiat-transaction.ts';
import { loadPages } from '../pages.ts';
import { createTransaction } from '../payments/create.ts';
import { readConfig } from '../platform/config.ts';
import { parseWith } from '../platform/http/validation.ts';
import { createLog } from '../platform/log.ts';
import { randomId, systemRandom } from '../platform/random.ts';
import { packageRoot } from '../platform/root.ts';
import { merchantId, print, requireMerchant } from './with-database.ts';

interface LinkOptions {
  merchant: number;
  amount: string;
  currency: string;
  country: string;
  method: string;
  description: string;
  reference?: string;
  success: string;
  fail: string;
  fee: string;
  json?: boolean;
}

export function registerLinkCommands(program: Command): void {
  program
    .command('link')
    .description('payment links')
    .command('create')
    .description(
      'make a payment link for a merchant, by the rules of the API; prints it, in a terminal also as a QR code',
    )
    .option('--merchant <id>', 'the merchant’s ID', merchantId, 1)
    .requiredOption('--amount <amount>', 'such as 12.50')
    .option('--currency <code>', 'ISO 4217', 'USD')
    .option('--country <code>', 'ISO 3166-1 alpha-3', 'USA')
    .option('--method <code>', 'payment method', 'credit_card')
    .option('--description <text>', 'what it is for', 'Payment')
    .option('--reference <id>', 'the transaction_id; a random one when left out')
    .option('--success <url>', 'where the buyer goes after success', 'https://example.com/paid')
    .option('--fail <url>', 'where the buyer goes after failure', 'https://example.com/failed')
    .option('--fee <calculation>', 'forward_without_fee or forward_with_fee', 'forward_without_fee')
    .option('--json', 'print JSON')
    .action(createLink);
}

async function createLink(options: LinkOptions): Promise<void> {
  const request = parseWith(createTransactionRequest, {
    transaction_id: options.reference ?? `cli-${randomId(systemRandom).slice(0, 10)}`,
    payment_method: options.method,
    amount: Number(options.amount),
    country: options.country,
    currency: options.currency,
    description: options.description,
    success_redirect_url: options.success,
    fail_redirect_url: options.fail,
    type_of_calculation: options.fee,
  });
  const service = await createService({
    config: readConfig(process.env),
    log: createLog('silent'),
    pages: loadPages(join(packageRoot(), 'dist', 'pages')),
  });
  try {
    await requireMerchant(service.database, options.merchant);
    const created = await createTransaction(service.payments, options.merchant, request);
    if (created.type !== 'link') throw new Error('A link was asked for');
    const { link } = created.value;
    print({ transaction_id: created.transaction_id, link, expires_at: created.expires_at }, options.json);
    if (!options.json && process.stdout.isTTY) {
      process.stdout.write(`\n${await qrcode.toString(link, { type: 'terminal', small: true })}\n`);
    }
  } finally {
    await service.close();
  }
}

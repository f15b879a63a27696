import type { Command } from 'commander';
import { erasePayerRequest } from '../api/payer.ts';
import { parseWith } from '../http/validation.ts';
import { eraseFromLinkPayments } from '../invoices/link-payments/erase.ts';
import { erasePayer } from '../payments/erase-payer.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { parseIdOption, withOptionNames } from './options.ts';
import { outputOption, type Output, print } from './output.ts';
import { requireMerchant, withDatabase } from './with-database.ts';

interface EraseOptions {
  merchant: number;
  email?: string;
  transactionId?: string;
  output: Output;
}

export function registerPayerCommands(program: Command): void {
  const payer = program.command('payer').description('personal data of payers');

  payer
    .command('erase')
    .description('erase a payer’s personal data permanently; amounts, IDs and the masked card are kept')
    .addHelpText(
      'after',
      examples(
        'npx paylatch payer erase --merchant 1 --email ada@example.com',
        'npx paylatch payer erase --merchant 1 --transaction-id order-1001',
      ),
    )
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .option(
      '--email <address>',
      'all payments of the payer with this email address; with --transaction-id, of this payment',
    )
    .option('--transaction-id <reference>', 'the payer of the payment with this transaction_id')
    .addOption(outputOption())
    .action(erase);
}

async function erase({ merchant, email, transactionId, output }: EraseOptions): Promise<void> {
  await withDatabase(async ({ database, clock }) => {
    await requireMerchant(database, merchant);
    const erased = await withOptionNames({}, async () => {
      const request = parseWith(erasePayerRequest, {
        ...(email !== undefined && { email }),
        ...(transactionId !== undefined && { transaction_id: transactionId }),
      });
      return await erasePayer({ database, eraseCryptoPayments: eraseFromLinkPayments }, merchant, request);
    });
    const subject = transactionId ?? 'payer by email';
    await recordChange(database, clock, { merchantId: merchant, action: 'erasePayer', subject, after: erased });
    print({ ...erased }, output);
  });
}

import type { Command } from 'commander';
import qrcode from 'qrcode';
import { createTransactionResponse, linkCreated } from '../contract/fiat-transaction.ts';
import { problemDocument } from '../contract/problem.ts';
import { randomId, systemRandom } from '../platform/random.ts';
import { readConfig } from '../platform/config.ts';
import { Problem } from '../platform/problem.ts';
import { print } from './with-database.ts';

interface LinkOptions {
  token: string;
  amount: string;
  currency: string;
  country: string;
  method: string;
  description: string;
  reference?: string;
  success: string;
  fail: string;
  json?: boolean;
}

/** Made through the running service's API, as any merchant would. */
export function registerLinkCommands(program: Command): void {
  program
    .command('link')
    .description('payment links')
    .command('create')
    .description('make a payment link with a merchant’s token, at the service that PUBLIC_URL names')
    .requiredOption(
      '--token <token>',
      'the merchant’s access token (or the variable ACCESS_TOKEN)',
      process.env.ACCESS_TOKEN,
    )
    .requiredOption('--amount <amount>', 'such as 12.50')
    .option('--currency <code>', 'ISO 4217', 'USD')
    .option('--country <code>', 'ISO 3166-1 alpha-3', 'USA')
    .option('--method <code>', 'payment method', 'credit_card')
    .option('--description <text>', 'what it is for', 'Payment')
    .option('--reference <id>', 'your transaction_id; a random one when left out')
    .option('--success <url>', 'where the buyer goes after success', 'https://example.com/paid')
    .option('--fail <url>', 'where the buyer goes after failure', 'https://example.com/failed')
    .option('--json', 'print JSON')
    .action(async (options: LinkOptions) => {
      const { publicUrl } = readConfig(process.env);
      const response = await fetch(`${publicUrl}/fiat/v1/transaction`, {
        method: 'POST',
        headers: { authorization: `Bearer ${options.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          transaction_id: options.reference ?? `cli-${randomId(systemRandom).slice(0, 10)}`,
          payment_method: options.method,
          amount: Number(options.amount),
          country: options.country,
          currency: options.currency,
          description: options.description,
          success_redirect_url: options.success,
          fail_redirect_url: options.fail,
          type_of_calculation: 'forward_without_fee',
        }),
      }).catch((cause: unknown) => {
        throw new Problem('unavailable', `No service answers at ${publicUrl}. Start it, or set PUBLIC_URL.`, { cause });
      });
      const answer: unknown = await response.json();
      if (!response.ok) throw new Problem('malformed_request', problemDocument.parse(answer).detail);
      const created = linkCreated.parse(createTransactionResponse.parse(answer));
      print(
        { transaction_id: created.transaction_id, link: created.value.link, expires_at: created.expires_at },
        options.json,
      );
      if (!options.json && process.stdout.isTTY) {
        process.stdout.write(`\n${await qrcode.toString(created.value.link, { type: 'terminal', small: true })}\n`);
      }
    });
}

import { type Command, InvalidArgumentError } from 'commander';
import { type CurrencyCode, currencyCodes, minorUnitsOf } from '../contract/currency.ts';
import { parseAmount } from '../contract/money.ts';
import { disableMethod, enableMethod } from '../methods/enable.ts';
import { createMerchant } from '../merchants/merchants.ts';
import { paymentMethods } from '../methods/catalogue.ts';
import { systemRandom } from '../platform/random.ts';
import { merchantId, print, requireMerchant, withDatabase } from './with-database.ts';

export function registerMerchantCommands(program: Command): void {
  const merchant = program.command('merchant').description('merchants and what they may use');

  merchant
    .command('create')
    .description('make a merchant; prints its ID and callback secret')
    .requiredOption('--name <name>', 'the name that buyers read')
    .option('--json', 'print JSON')
    .action(async ({ name, json }: { name: string; json?: boolean }) => {
      await withDatabase(async ({ database, clock }) => {
        const made = await database.inUnit(
          async (unit) => await createMerchant(unit, { name, clock, random: systemRandom }),
        );
        print({ merchant_id: made.id, name, callback_secret: made.callbackSecret }, json);
      });
    });

  merchant
    .command('method')
    .description('let a merchant use a payment method in a currency, or take it away')
    .requiredOption('--merchant <id>', 'the merchant’s ID', merchantId)
    .requiredOption('--method <code>', 'a code of the catalogue, such as credit_card', methodCode)
    .requiredOption('--currency <code>', 'ISO 4217, such as USD', currency)
    .option('--fee-percent <percent>', 'percent of the amount, such as 2.9', percentMillionths, 0)
    .option('--fee-fix <amount>', 'fixed part, in the currency, such as 0.30', '0')
    .option('--off', 'take it away')
    .option('--json', 'print JSON')
    .action(
      async (options: {
        merchant: number;
        method: string;
        currency: CurrencyCode;
        feePercent: number;
        feeFix: string;
        off?: boolean;
        json?: boolean;
      }) => {
        const scope = { merchantId: options.merchant, paymentMethod: options.method, currency: options.currency };
        const fixMinor = feeFix(options.feeFix, options.currency);
        await withDatabase(async ({ database, clock }) => {
          await requireMerchant(database, options.merchant);
          await database.inUnit(async (unit) => {
            if (options.off) await disableMethod(unit, scope);
            else
              await enableMethod(unit, {
                ...scope,
                fee: { fixMinor, percentMillionths: options.feePercent },
                now: clock.now(),
              });
          });
          const status = options.off ? 'disable' : 'enable';
          print(
            { merchant_id: options.merchant, payment_method: options.method, currency: options.currency, status },
            options.json,
          );
        });
      },
    );
}

function methodCode(text: string): string {
  if (paymentMethods.some((method) => method.code === text)) return text;
  throw new InvalidArgumentError(`The catalogue has: ${paymentMethods.map((method) => method.code).join(', ')}`);
}

function currency(text: string): CurrencyCode {
  const found = currencyCodes.find((code) => code === text.toUpperCase());
  if (!found) throw new InvalidArgumentError(`The catalogue has: ${currencyCodes.join(', ')}`);
  return found;
}

function percentMillionths(text: string): number {
  if (!/^\d{1,2}(\.\d{1,4})?$/.test(text))
    throw new InvalidArgumentError('A percentage below 100 with at most 4 decimals.');
  return Math.round(Number(text) * 10_000);
}

function feeFix(text: string, code: CurrencyCode): bigint {
  if (/^0(\.0+)?$/.test(text)) return 0n;
  const minor = parseAmount(Number(text), minorUnitsOf(code));
  if (typeof minor !== 'bigint') throw new InvalidArgumentError(`--fee-fix ${text} is no amount of ${code}.`);
  return minor;
}

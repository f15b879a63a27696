import { createMethodSupport } from '../acquirers/registry.ts';
import type { Command } from 'commander';
import { methodAuditSubjects } from '../methods/audit-subjects.ts';
import { setPaymentMethodsRequest } from '../api/payment-method.ts';
import { createMerchant } from '../merchants/merchants.ts';
import { setMethods } from '../methods/set-methods.ts';
import { parseWith } from '../http/validation.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { registerMoveCommands } from './merchant-move.ts';
import { parseDecimal, parseDisplayName, withOptionNames, parseIdOption } from './options.ts';
import { outputOption, type Output, print } from './output.ts';
import { requireMerchant, withDatabase } from './with-database.ts';

export function registerMerchantCommands(program: Command): void {
  const merchant = program.command('merchant').description('merchants and their payment methods');

  merchant
    .command('create')
    .description('create a merchant; prints its ID and webhook secret')
    .addHelpText('after', examples('npx paylatch merchant create --name "Kettle & Co"'))
    .requiredOption('--name <name>', 'the name shown to buyers', parseDisplayName(60))
    .addOption(outputOption())
    .action(async ({ name, output }: { name: string; output: Output }) => {
      await withDatabase(async ({ database, clock, webhookSecrets }) => {
        const createdMerchant = await database.inTransaction(async (unit) => {
          const created = await createMerchant(unit, { name, clock, webhookSecrets });
          await recordChange(unit, clock, { merchantId: created.id, action: 'createMerchant', subject: name });
          return created;
        });
        print({ merchant_id: createdMerchant.id, name, callback_secret: createdMerchant.callbackSecret }, output);
      });
    });

  merchant
    .command('method')
    .description('enable or disable a payment method in a currency')
    .addHelpText(
      'after',
      examples(
        'npx paylatch merchant method --merchant 1 --method credit_card --currency USD --fee-percent 2.9 --fee-fix 0.30',
        'npx paylatch merchant method --merchant 1 --method credit_card --currency USD --disable',
      ),
    )
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .requiredOption('--method <code>', 'a payment method code, such as credit_card')
    .requiredOption('--currency <code>', 'ISO 4217, such as USD')
    .option('--fee-percent <percent>', 'percentage fee, such as 2.9; unchanged by default, initially 0', parseDecimal)
    .option(
      '--fee-fix <amount>',
      'fixed fee in the currency, such as 0.30; unchanged by default, initially 0',
      parseDecimal,
    )
    .option('--disable', 'disable the method')
    .addOption(outputOption())
    .action(setMethod);

  registerMoveCommands(merchant);
}

interface MethodOptions {
  merchant: number;
  method: string;
  currency: string;
  feePercent?: number;
  feeFix?: number;
  disable?: true;
  output: Output;
}

async function setMethod(options: MethodOptions): Promise<void> {
  await withDatabase(async (context) => {
    await requireMerchant(context.database, options.merchant);
    const merchantId = options.merchant;
    const set = await withOptionNames({ payment_method: '--method' }, async () => {
      const { payment_methods: settings } = parseWith(setPaymentMethodsRequest, {
        payment_methods: [
          {
            payment_method: options.method,
            currency: options.currency.toUpperCase(),
            status: options.disable ? 'disable' : 'enable',
            ...(options.feePercent !== undefined && { fee_percent: options.feePercent }),
            ...(options.feeFix !== undefined && { fee_fix: options.feeFix }),
          },
        ],
      });
      const describe = methodAuditSubjects(context.database).setPaymentMethods;
      const readState = async () =>
        (await describe?.({ merchantId, body: { payment_methods: settings }, response: null }))?.state;
      const before = await readState();
      const updated = await setMethods(
        { ...context, supportsMethod: createMethodSupport(context.config) },
        merchantId,
        settings,
      );
      const subject = settings.map((each) => `${each.payment_method} ${each.currency}`).join(', ');
      const change = { merchantId, action: 'setPaymentMethods', subject, before, after: await readState() };
      await recordChange(context.database, context.clock, change);
      return updated;
    });
    print({ merchant_id: options.merchant, ...set[0] }, options.output);
  });
}

import type { Command } from 'commander';
import type { z } from 'zod';
import { auditFilters } from '../api/people.ts';
import { readAuditEntries, readServiceEntries } from '../auth/audit-entries.ts';
import type { Runner } from '../database/engine.ts';
import { examples } from './examples.ts';
import { parseIdOption } from './options.ts';
import { type Output, outputOption, printList } from './output.ts';
import { addQueryOptions, readQueryOptions } from './query-options.ts';
import { requireMerchant, withDatabase } from './with-database.ts';

const PER_PAGE = 200;

export function registerAuditCommands(program: Command): void {
  const command = program
    .command('audit')
    .description('the audit log')
    .command('list')
    .description('list the entries of a merchant, or service-wide changes, newest first')
    .addHelpText(
      'after',
      examples(
        'npx paylatch audit list --merchant 1 --action createWithdrawal,cancelWithdrawal --since 2026-11-01',
        'npx paylatch audit list',
      ),
    )
    .option('--merchant <id>', 'the merchant’s ID; without it, lists service-wide changes', parseIdOption);
  addQueryOptions(command, auditFilters)
    .addOption(outputOption())
    .action(async (options: { merchant?: number; output: Output }) => {
      const { merchant, output } = options;
      const filters = await readQueryOptions(auditFilters, { ...options });
      await withDatabase(async ({ database }) => {
        if (merchant !== undefined) await requireMerchant(database, merchant);
        await printList('entries', iterateEntries(database, merchant ?? null, filters), {
          output,
          columns: {
            id: ({ id }) => id,
            at: ({ at }) => at,
            actor: ({ person, actor }) => person?.email ?? actor,
            action: ({ action }) => action,
            subject: ({ subject }) => subject,
            outcome: ({ outcome }) => outcome,
          },
        });
      });
    });
}

async function* iterateEntries(reader: Runner, merchantId: number | null, filters: z.output<typeof auditFilters>) {
  let before: number | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof readAuditEntries>> =
      merchantId === null
        ? await readServiceEntries(reader, { ...filters, before, limit: PER_PAGE })
        : await readAuditEntries(reader, merchantId, { ...filters, userId: null, before, limit: PER_PAGE });
    yield* page;
    if (page.length < PER_PAGE) return;
    before = page.at(-1)?.id ?? null;
  }
}

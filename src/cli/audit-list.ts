import type { Command } from 'commander';
import { readAuditEntries, readServiceEntries } from '../auth/audit-entries.ts';
import type { Runner } from '../database/engine.ts';
import { examples } from './examples.ts';
import { parsePositiveInteger } from './options.ts';
import { type Output, outputOption, printList } from './output.ts';
import { requireMerchant, withDatabase } from './with-database.ts';

const PER_PAGE = 200;

export function registerAuditCommands(program: Command): void {
  program
    .command('audit')
    .description('the audit log')
    .command('list')
    .description('list the entries of a merchant, or service-wide changes, newest first')
    .addHelpText('after', examples('npx paylatch audit list --merchant 1', 'npx paylatch audit list'))
    .option('--merchant <id>', 'the merchant’s ID; without it, lists service-wide changes', parsePositiveInteger)
    .addOption(outputOption())
    .action(async ({ merchant, output }: { merchant?: number; output: Output }) => {
      await withDatabase(async ({ database }) => {
        if (merchant !== undefined) await requireMerchant(database, merchant);
        await printList('entries', iterateEntries(database, merchant ?? null), {
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

async function* iterateEntries(on: Runner, merchantId: number | null) {
  let before: number | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof readAuditEntries>> =
      merchantId === null
        ? await readServiceEntries(on, { before, limit: PER_PAGE })
        : await readAuditEntries(on, merchantId, { userId: null, before, limit: PER_PAGE });
    yield* page;
    if (page.length < PER_PAGE) return;
    before = page.at(-1)?.id ?? null;
  }
}

import { type Command, InvalidArgumentError, Option } from 'commander';
import { eventSubjects } from '../subjects.ts';
import { listWebhooks, redeliver } from '../webhooks/queries.ts';
import { type CallbacksQuery, callbacksQuery, type CallbackSummary } from '../api/callback.ts';
import { findEndpointById } from '../webhooks/endpoint.ts';
import { requireEndpoint } from '../webhooks/endpoints.ts';
import { redeliverFailed } from '../webhooks/redeliver-failed.ts';
import { formatInstant, HOUR } from '../shared/time.ts';
import type { Database } from '../database/database.ts';
import { recordChange } from './audit.ts';
import { registerListenCommand } from './webhooks-listen.ts';
import { registerTriggerCommand } from './webhooks-trigger.ts';
import { examples } from './examples.ts';
import { parseIdOption } from './options.ts';
import { type Columns, outputOption, type Output, print, printList } from './output.ts';
import { registerEndpointCommands } from './webhook-endpoints.ts';
import { addQueryOptions, readQueryOptions } from './query-options.ts';
import { requireMerchant, withDatabase } from './with-database.ts';

export function registerWebhookCommands(program: Command): void {
  const webhooks = program.command('webhooks').alias('callbacks').description('webhooks to merchants');

  webhooks
    .command('secret')
    .description('show or rotate the secret that signs a merchant’s webhooks')
    .addHelpText(
      'after',
      examples(
        'npx paylatch webhooks secret --merchant 1',
        'npx paylatch webhooks secret --merchant 1 --rotate --keep-hours 0',
        'npx paylatch webhooks secret --merchant 1 --endpoint-id we_…',
      ),
    )
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .option('--rotate', 'create a new secret; the old one keeps signing for --keep-hours')
    .option('--endpoint-id <id>', 'an added endpoint; the callback-url endpoint by default')
    .addOption(
      new Option('--keep-hours <hours>', 'hours that the old secret stays valid; 0 if it leaked')
        .argParser(parseHours)
        .default(24),
    )
    .addOption(outputOption())
    .action(async ({ merchant, rotate, endpointId: endpoint, keepHours, output }: SecretOptions) => {
      await withDatabase(async ({ database, clock, webhookSecrets }) => {
        const stored = await requireMerchant(database, merchant);
        const number =
          endpoint === undefined ? undefined : (await requireEndpoint(database, merchant, endpoint)).number;
        if (!rotate) {
          const [present] = await webhookSecrets.readValid(database, merchant, clock.now(), number);
          print({ merchant_id: merchant, callback_secret: present }, output);
          return;
        }
        const previousValidUntil = clock.now() + keepHours * HOUR;
        const until = formatInstant(previousValidUntil);
        const secret = await database.inTransaction(async (unit) => {
          const after = { previous_valid_until: until };
          const rotated =
            endpoint === undefined
              ? { action: 'rotateCallbackSecret', subject: stored.name }
              : { action: 'rotateWebhookEndpointSecret', subject: `webhook endpoint ${endpoint}` };
          await recordChange(unit, clock, { merchantId: merchant, ...rotated, after });
          return await webhookSecrets.rotate(unit, merchant, previousValidUntil, number);
        });
        print({ merchant_id: merchant, callback_secret: secret, previous_valid_until: until }, output);
      });
    });

  const list = webhooks
    .command('list')
    .description('list a merchant’s webhooks, newest first')
    .addHelpText('after', examples('npx paylatch webhooks list --merchant 1 --state failed'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption);
  addQueryOptions(list, callbacksQuery)
    .addOption(outputOption())
    .action(async (options: { merchant: number; output: Output }) => {
      const { merchant, output } = options;
      const query = await readQueryOptions(callbacksQuery, { ...options });
      await withDatabase(async ({ database }) => {
        await requireMerchant(database, merchant);
        await printList('callbacks', iterateCallbacks(database, merchant, query), {
          output,
          columns: callbackColumns,
          noun: 'webhooks',
        });
      });
    });

  webhooks
    .command('redeliver')
    .description('redeliver a webhook, or all failed ones; the running service sends them')
    .addHelpText('after', examples('npx paylatch webhooks redeliver --merchant 1 --failed'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .option('--id <id>', 'the webhook-id')
    .option('--failed', 'all failed webhooks')
    .option('--endpoint-id <id>', 'with --failed: only those to this endpoint')
    .addOption(outputOption())
    .action(async ({ merchant, id, failed, endpointId: endpoint, output }: RedeliverOptions) => {
      if ((id === undefined) === (failed === undefined))
        throw new InvalidArgumentError('Use either --id for one webhook, or --failed for all failed ones.');
      await withDatabase(async ({ database, clock }) => {
        await requireMerchant(database, merchant);
        const context = { database, subjects: eventSubjects };
        const ids = id === undefined ? [] : [id];
        const endpoints = new Set<string>();
        if (failed)
          for await (const callback of iterateCallbacks(database, merchant, {
            state: ['failed'],
            ...(endpoint && { endpoint_id: endpoint }),
          })) {
            // A notice has its own URL.
            if (callback.url === null) endpoints.add(callback.endpoint_id);
            else ids.push(callback.id);
          }
        let redelivered = ids.length;
        for (const each of endpoints) {
          const found = await findEndpointById(database, merchant, each);
          if (!found) continue;
          redelivered += await redeliverFailed(context, { merchantId: merchant, number: found.number }, clock.now());
          const change = { action: 'redeliverFailedCallbacks', subject: `webhook endpoint ${each}` };
          await recordChange(database, clock, { merchantId: merchant, ...change });
        }
        // Oldest first, in their original order.
        for (const each of ids.toReversed()) {
          await redeliver(context, readerOf(merchant), each, clock.now());
          await recordChange(database, clock, { merchantId: merchant, action: 'redeliverCallback', subject: each });
        }
        print({ merchant_id: merchant, redelivered }, output);
      });
    });

  registerEndpointCommands(webhooks);

  registerListenCommand(webhooks);
  registerTriggerCommand(webhooks);
}

interface SecretOptions {
  merchant: number;
  rotate?: boolean;
  endpointId?: string;
  keepHours: number;
  output: Output;
}

interface RedeliverOptions {
  merchant: number;
  id?: string;
  failed?: true;
  endpointId?: string;
  output: Output;
}

const readerOf = (merchantId: number) => ({ merchantId, scopes: new Set(['transaction:read']) });

async function* iterateCallbacks(
  database: Database,
  merchant: number,
  only: CallbacksQuery,
): AsyncGenerator<CallbackSummary> {
  let cursor: string | null = null;
  do {
    const page: { callbacks: CallbackSummary[]; next_cursor: string | null } = await listWebhooks(
      { database, subjects: eventSubjects },
      readerOf(merchant),
      {
        ...only,
        per_page: 100,
        ...(cursor !== null && { cursor }),
      },
    );
    yield* page.callbacks;
    cursor = page.next_cursor;
  } while (cursor !== null);
}

const callbackColumns: Columns<CallbackSummary> = {
  id: ({ id }) => id,
  type: ({ type }) => type,
  transaction: ({ transaction_id: reference, sequence }) => `${reference} #${sequence}`,
  state: ({ state }) => state,
  attempts: ({ attempts_made: count }) => count,
  created: ({ created_at: at }) => at,
};

function parseHours(text: string): number {
  if (!/^\d{1,3}$/.test(text) || Number(text) > 168)
    throw new InvalidArgumentError('It must be an integer from 0 to 168.');
  return Number(text);
}

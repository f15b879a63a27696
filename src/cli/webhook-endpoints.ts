import type { Command } from 'commander';
import { Option } from 'commander';
import { subscribableEventTypes } from '../shared/webhook-event-types.ts';
import type { WebhookEndpointEntry } from '../api/webhook-endpoint.ts';
import { systemRandom } from '../system/random.ts';
import {
  addEndpoint,
  describeEndpoints,
  type EndpointsContext,
  removeEndpoint,
  updateEndpoint,
} from '../webhooks/endpoints.ts';
import { createOutbox } from '../webhooks/outbox.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { parseDisplayName, parsePositiveInteger } from './options.ts';
import { print, printList } from './output.ts';
import { type CommandContext, requireMerchant, withDatabase } from './with-database.ts';

/** The actor of changes in security notices. */
const BY = 'command line';

/** Commands of the endpoints that a merchant has beside `callback-url`. */
export function registerEndpointCommands(callbacks: Command): void {
  const endpoint = callbacks.command('endpoint').description('webhook endpoints of a merchant');

  endpoint
    .command('list')
    .description('list a merchant’s webhook endpoints, with their health')
    .addHelpText('after', examples('npx paylatch callbacks endpoint list --merchant 1'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parsePositiveInteger)
    .option('--json', 'print JSON')
    .action(async ({ merchant, json }: { merchant: number; json?: boolean }) => {
      await withDatabase(async ({ database }) => {
        await requireMerchant(database, merchant);
        await printList('endpoints', await describeEndpoints(database, merchant), {
          asJson: json,
          lineOf: formatEndpoint,
        });
      });
    });

  endpoint
    .command('add')
    .description('add a webhook endpoint and print its secret')
    .addHelpText(
      'after',
      examples(
        'npx paylatch callbacks endpoint add --merchant 1 --url https://books.example/paylatch --type fiat.transaction.updated',
      ),
    )
    .requiredOption('--merchant <id>', 'the merchant’s ID', parsePositiveInteger)
    .requiredOption('--url <url>', 'the URL that receives webhooks')
    .option('--description <text>', 'what the endpoint is for', parseDisplayName(200))
    .addOption(typeOption())
    .option('--json', 'print JSON')
    .action(async ({ merchant, url, description, type, json }: AddOptions) => {
      await withEndpoints(merchant, async (context, caller) => {
        const types = type && { event_types: type };
        const added = await addEndpoint(context, caller, { url, ...(description && { description }), ...types });
        await record(context, merchant, 'addWebhookEndpoint', added);
        print({ merchant_id: merchant, id: added.id, url: added.url, secret: added.secret }, json);
      });
    });

  endpoint
    .command('update')
    .description('change, disable or enable a webhook endpoint')
    .addHelpText('after', examples('npx paylatch callbacks endpoint update --merchant 1 --id we_… --disable'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parsePositiveInteger)
    .requiredOption('--id <id>', 'the endpoint, see `callbacks endpoint list`')
    .option('--url <url>', 'its new URL')
    .option('--description <text>', 'what the endpoint is for', parseDisplayName(200))
    .addOption(typeOption().conflicts('allTypes'))
    .option('--all-types', 'send every type')
    .addOption(new Option('--enable', 'send to it again').conflicts('disable'))
    .option('--disable', 'send nothing; new webhooks wait')
    .option('--json', 'print JSON')
    .action(async ({ merchant, id, url, description, type, allTypes, enable, disable, json }: UpdateOptions) => {
      await withEndpoints(merchant, async (context, caller) => {
        const changed = await updateEndpoint(context, caller, {
          ...{ id, url, description },
          event_types: allTypes ? null : type,
          enabled: enable ? true : disable ? false : undefined,
        });
        await record(context, merchant, 'updateWebhookEndpoint', changed);
        print({ merchant_id: merchant, id, url: changed.url, status: changed.status }, json);
      });
    });

  endpoint
    .command('remove')
    .description('remove a webhook endpoint')
    .addHelpText('after', examples('npx paylatch callbacks endpoint remove --merchant 1 --id we_…'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parsePositiveInteger)
    .requiredOption('--id <id>', 'the endpoint, see `callbacks endpoint list`')
    .option('--json', 'print JSON')
    .action(async ({ merchant, id, json }: { merchant: number; id: string; json?: boolean }) => {
      await withEndpoints(merchant, async (context, caller) => {
        const removed = await removeEndpoint(context, caller, id);
        const change = { merchantId: merchant, action: 'removeWebhookEndpoint', subject: `webhook endpoint ${id}` };
        await recordChange(context.database, context.clock, change);
        print({ merchant_id: merchant, ...removed }, json);
      });
    });
}

type Caller = Parameters<typeof addEndpoint>[1];

async function withEndpoints(
  merchantId: number,
  run: (context: EndpointsContext, caller: Caller) => Promise<void>,
): Promise<void> {
  await withDatabase(async ({ config, database, clock, webhookSecrets }: CommandContext) => {
    await requireMerchant(database, merchantId);
    const random = systemRandom;
    const outbox = createOutbox({ clock, random });
    const context = { database, clock, random, environment: config.environment, outbox, webhookSecrets };
    await run(context, { merchantId, identity: BY });
  });
}

async function record(
  { database, clock }: EndpointsContext,
  merchantId: number,
  action: string,
  { id, url, description, event_types, status }: WebhookEndpointEntry,
): Promise<void> {
  const after = { url, description, event_types, status };
  await recordChange(database, clock, { merchantId, action, subject: `webhook endpoint ${id}`, after });
}

/** Collects the types of repeated options. */
function typeOption(): Option {
  return new Option('--type <type...>', 'types of events to send; all by default').choices([...subscribableEventTypes]);
}

function formatEndpoint({
  id,
  url,
  status,
  disabled_reason: reason,
  recent,
  event_types,
}: WebhookEndpointEntry): string {
  const state = reason === null ? status : `${status} (${reason})`;
  const counts = `${recent.delivered} delivered, ${recent.failed} failed, ${recent.pending} pending`;
  return `${id}  ${url}  ${state}  ${counts}  ${event_types?.join(', ') ?? 'all types'}`;
}

interface AddOptions {
  merchant: number;
  url: string;
  description?: string;
  type?: string[];
  json?: boolean;
}

interface UpdateOptions {
  merchant: number;
  id: string;
  url?: string;
  description?: string;
  type?: string[];
  allTypes?: true;
  enable?: true;
  disable?: true;
  json?: boolean;
}

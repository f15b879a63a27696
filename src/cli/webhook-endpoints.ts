import type { Command } from 'commander';
import { Option } from 'commander';
import { subscribableEventTypes } from '../shared/webhook-event-types.ts';
import type { WebhookEndpointEntry } from '../api/webhook-endpoint.ts';
import type { UnitOfWork } from '../database/database.ts';
import { systemRandom } from '../system/random.ts';
import {
  addEndpoint,
  readEndpointEntry,
  readEndpointEntries,
  type EndpointsContext,
  removeEndpoint,
  requireEndpoint,
  updateEndpoint,
} from '../webhooks/endpoints.ts';
import { createOutbox } from '../webhooks/outbox.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { parseDisplayName, parseIdOption } from './options.ts';
import { type Columns, outputOption, type Output, print, printList } from './output.ts';
import { type CommandContext, requireMerchant, withDatabase } from './with-database.ts';

/** The actor that security notices name for changes by these commands. */
const ACTOR = 'command line';

/** Commands for the endpoints that a merchant has in addition to `callback-url`. */
export function registerEndpointCommands(webhooks: Command): void {
  const endpoint = webhooks.command('endpoint').description('webhook endpoints of a merchant');

  endpoint
    .command('list')
    .description('list a merchant’s webhook endpoints, with their health')
    .addHelpText('after', examples('npx paylatch webhooks endpoint list --merchant 1'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .addOption(outputOption())
    .action(async ({ merchant, output }: { merchant: number; output: Output }) => {
      await withDatabase(async ({ database }) => {
        await requireMerchant(database, merchant);
        await printList('endpoints', await readEndpointEntries(database, merchant), {
          output,
          columns: endpointColumns,
        });
      });
    });

  endpoint
    .command('add')
    .description('add a webhook endpoint and print its secret')
    .addHelpText(
      'after',
      examples(
        'npx paylatch webhooks endpoint add --merchant 1 --url https://books.example/paylatch --type fiat.transaction.updated',
      ),
    )
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .requiredOption('--url <url>', 'the URL that receives webhooks')
    .option('--description <text>', 'purpose of the endpoint', parseDisplayName(200))
    .addOption(typeOption())
    .addOption(outputOption())
    .action(async ({ merchant, url, description, type, output }: AddOptions) => {
      const types = type && { event_types: type };
      await changeEndpoints({ merchant, output }, async (context, unit, caller) => {
        const body = { url, ...(description && { description }), ...types };
        const added = await addEndpoint(context, unit, caller, body);
        await record(context, unit, merchant, { action: 'addWebhookEndpoint', before: null, after: added });
        return { id: added.id, url: added.url, secret: added.secret };
      });
    });

  endpoint
    .command('update')
    .description('change, disable or enable a webhook endpoint')
    .addHelpText('after', examples('npx paylatch webhooks endpoint update --merchant 1 --id we_… --disable'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .requiredOption('--id <id>', 'the endpoint, see `webhooks endpoint list`')
    .option('--url <url>', 'its new URL')
    .option('--description <text>', 'purpose of the endpoint', parseDisplayName(200))
    .addOption(typeOption().conflicts('allTypes'))
    .option('--all-types', 'send all event types')
    .addOption(new Option('--enable', 'enable the endpoint').conflicts('disable'))
    .option('--disable', 'disable the endpoint; new webhooks are stored until it is enabled')
    .addOption(outputOption())
    .action(async ({ merchant, id, url, description, type, allTypes, enable, disable, output }: UpdateOptions) => {
      await changeEndpoints({ merchant, output }, async (context, unit, caller) => {
        const before = await readEndpoint(unit, merchant, id);
        const after = await updateEndpoint(context, unit, caller, {
          ...{ id, url, description },
          event_types: allTypes ? null : type,
          enabled: enable ? true : disable ? false : undefined,
        });
        await record(context, unit, merchant, { action: 'updateWebhookEndpoint', before, after });
        return { id, url: after.url, status: after.status };
      });
    });

  endpoint
    .command('remove')
    .description('remove a webhook endpoint')
    .addHelpText('after', examples('npx paylatch webhooks endpoint remove --merchant 1 --id we_…'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .requiredOption('--id <id>', 'the endpoint, see `webhooks endpoint list`')
    .addOption(outputOption())
    .action(async ({ merchant, id, output }: { merchant: number; id: string; output: Output }) => {
      await changeEndpoints({ merchant, output }, async (context, unit, caller) => {
        const before = await readEndpoint(unit, merchant, id);
        await record(context, unit, merchant, { action: 'removeWebhookEndpoint', before, after: null });
        return await removeEndpoint(context, unit, caller, id);
      });
    });
}

type Caller = Parameters<typeof addEndpoint>[2];

/** Runs a change and its audit entry as one unit of work, and prints the result. */
async function changeEndpoints(
  { merchant: merchantId, output }: { merchant: number; output: Output },
  change: (context: EndpointsContext, unit: UnitOfWork, caller: Caller) => Promise<object>,
): Promise<void> {
  await withDatabase(async ({ config, database, clock, webhookSecrets }: CommandContext) => {
    await requireMerchant(database, merchantId);
    const random = systemRandom;
    const outbox = createOutbox({ clock, random });
    const context = { clock, random, environment: config.environment, outbox, webhookSecrets };
    const caller = { merchantId, identity: ACTOR };
    const result = await database.inTransaction(async (unit) => await change(context, unit, caller));
    print({ merchant_id: merchantId, ...result }, output);
  });
}

async function readEndpoint(unit: UnitOfWork, merchantId: number, id: string): Promise<WebhookEndpointEntry> {
  return await readEndpointEntry(unit, await requireEndpoint(unit, merchantId, id));
}

async function record(
  { clock }: EndpointsContext,
  unit: UnitOfWork,
  merchantId: number,
  {
    action,
    before,
    after,
  }: { action: string; before: WebhookEndpointEntry | null; after: WebhookEndpointEntry | null },
): Promise<void> {
  const subject = `webhook endpoint ${(after ?? before)?.id}`;
  await recordChange(unit, clock, { merchantId, action, subject, before: stateOf(before), after: stateOf(after) });
}

/** The audited fields: those of the API's entries. */
function stateOf(endpoint: WebhookEndpointEntry | null) {
  if (endpoint === null) return null;
  const { url, description, event_types, status } = endpoint;
  return { url, description, event_types, status };
}

/** Collects the types of repeated options. */
function typeOption(): Option {
  return new Option('--type <type...>', 'types of events to send; all by default').choices([...subscribableEventTypes]);
}

const endpointColumns: Columns<WebhookEndpointEntry> = {
  id: ({ id }) => id,
  url: ({ url }) => url,
  status: ({ status, disabled_reason: reason }) => (reason === null ? status : `${status} (${reason})`),
  delivered: ({ recent }) => recent.delivered,
  failed: ({ recent }) => recent.failed,
  pending: ({ recent }) => recent.pending,
  types: ({ event_types: types }) => types?.join(', ') ?? 'all',
};

interface AddOptions {
  merchant: number;
  url: string;
  description?: string;
  type?: string[];
  output: Output;
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
  output: Output;
}

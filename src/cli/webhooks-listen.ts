import { randomInt } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { Hono } from 'hono';
import { Webhook } from 'standardwebhooks';
import { type Client, createClient, type ListEventsResponse, PaylatchError } from '../../client/index.ts';
import { type WebhookEventType, webhookEventTypes } from '../api/webhook-events.ts';
import { readConfig } from '../config.ts';
import { listen } from '../http/server.ts';
import { examples } from './examples.ts';
import { type Output, outputOption } from './output.ts';
import {
  formatSent,
  generateSecret,
  parseEndpointUrl,
  parseSecret,
  secretOption,
  type SentWebhook,
  sendWebhook,
} from './send-webhook.ts';
import { createChaos, seededRandom, type WebhookFault, webhookFaults } from './webhook-chaos.ts';

interface ListenOptions {
  secret?: string;
  port: string;
  forward?: string;
  service?: string;
  token?: string;
  type?: WebhookEventType[];
  all?: boolean;
  chaos?: true | WebhookFault[];
  seed?: number;
  output: Output;
}

export function registerListenCommand(webhooks: Command): void {
  webhooks
    .command('listen')
    .description(
      'receive webhooks on this machine, verify and print them; with --forward, send the events of a service to a local server',
    )
    .addOption(secretOption('the secret that signs the webhooks'))
    .option('--port <port>', 'the port to listen on; 0 for any free port', '8090')
    .option('--forward <url>', 'forward events to this URL instead of listening', parseEndpointUrl)
    .option('--service <url>', 'with --forward: the service; PUBLIC_URL by default', parseEndpointUrl)
    .addOption(
      new Option('--token <token>', 'with --forward: an access token with transaction:read').env('ACCESS_TOKEN'),
    )
    .addOption(new Option('--type <type...>', 'with --forward: only these event types').choices([...webhookEventTypes]))
    .option('--all', 'with --forward: earlier events too')
    .addOption(
      new Option('--chaos [fault...]', 'with --forward: random faults, to test a webhook endpoint').choices([
        ...webhookFaults,
      ]),
    )
    .option('--seed <number>', 'with --chaos: repeats the faults of an earlier run', parseSeed)
    .addOption(outputOption('output format; JSON is one line per webhook'))
    .addHelpText(
      'after',
      examples(
        'npx paylatch webhooks listen --secret whsec_… --port 8090',
        'npx paylatch webhooks listen --forward http://localhost:3000/webhooks',
        'npx paylatch webhooks listen --forward http://localhost:3000/webhooks --chaos duplicate reorder',
      ),
    )
    .action(async (options: ListenOptions) => {
      if (options.forward !== undefined) await forwardEvents(options, options.forward);
      else await receiveWebhooks(options);
    });
}

async function receiveWebhooks({ secret, port, output }: ListenOptions): Promise<void> {
  if (secret === undefined)
    throw new InvalidArgumentError('Set --secret to the merchant’s webhook secret, or --forward to a URL.');
  const webhook = new Webhook(parseSecret(secret));
  const printWebhook = (id: string, problem: string | null, body: unknown) => {
    if (output === 'json') process.stdout.write(`${JSON.stringify({ id, valid: problem === null, problem, body })}\n`);
    else {
      const result = problem === null ? `signature valid  ${id}` : `signature NOT valid (${problem})`;
      process.stdout.write(`${result}\n${typeof body === 'string' ? body : JSON.stringify(body, null, 2)}\n\n`);
    }
  };
  // Accepts any path of callback-url.
  const receiver = new Hono().post('*', async (context) => {
    const id = context.req.header('webhook-id') ?? '';
    const text = await context.req.text();
    try {
      printWebhook(id, null, webhook.verify(text, context.req.header()));
    } catch (error) {
      printWebhook(id, error instanceof Error ? error.message : String(error), text);
      return context.json({ error: 'signature not valid' }, 401);
    }
    return context.body(null, 204);
  });
  const server = await listen({ fetch: receiver.fetch, port: parsePort(port), host: 'localhost' });
  const address = `http://localhost:${server.port}/`;
  (output === 'json' ? process.stderr : process.stdout).write(`Listening. Set callback-url to ${address}\n\n`);
  const end = () => void server.close().then(() => process.exit(0));
  process.on('SIGINT', end);
  process.on('SIGTERM', end);
}

type PulledEvent = ListEventsResponse['events'][number];

async function forwardEvents(options: ListenOptions, url: string): Promise<void> {
  const { token, output, type: types, all, chaos } = options;
  if (token === undefined)
    throw new InvalidArgumentError('Set --token, or the variable ACCESS_TOKEN, to an access token of the merchant.');
  const baseUrl = options.service ?? readConfig(process.env).publicUrl;
  const secret = options.secret === undefined ? generateSecret() : parseSecret(options.secret);
  const faults = chaos === undefined ? [] : chaos === true ? webhookFaults : chaos;
  const seed = options.seed ?? randomInt(2 ** 32 - 1);
  const ending = new AbortController();
  const end = () => ending.abort();
  process.once('SIGINT', end);
  process.once('SIGTERM', end);

  const show = (event: PulledEvent, fault: WebhookFault | null, sent: SentWebhook | null) => {
    const { id, type } = event;
    const { status = null, error = null, durationMs = null } = sent ?? {};
    if (output === 'json')
      process.stdout.write(`${JSON.stringify({ id, type, fault, status, error, duration_ms: durationMs })}\n`);
    else {
      const result = sent === null ? 'not sent' : formatSent(sent);
      process.stdout.write(`${type}  ${id}  ${result}${fault === null ? '' : `  [${fault}]`}\n`);
    }
  };
  const send = createChaos<PulledEvent>({
    faults,
    random: seededRandom(seed),
    async send(event, fault) {
      const { id, ...body } = event;
      show(event, fault, await sendWebhook(url, { id, body: JSON.stringify(body) }, [secret]));
    },
    dropped: (event) => show(event, 'drop', null),
    // Pending deliveries don't keep the program running.
    schedule: (action, delayMs) => void setTimeout(action, delayMs).unref(),
  });

  const paylatch = createClient({ baseUrl, token });
  try {
    const from = all ? undefined : await findEnd(paylatch, ending.signal);
    // On standard output: secrets are masked on standard error. A secret that was passed is not printed.
    const printed = options.secret === undefined ? secret : null;
    if (output === 'json')
      process.stdout.write(`${JSON.stringify({ service: baseUrl, forward: url, secret: printed, seed })}\n`);
    else {
      process.stdout.write(`Forwarding events from ${baseUrl} to ${url}\n`);
      if (printed !== null) process.stdout.write(`Signed with ${printed}\n`);
      if (faults.length > 0) process.stdout.write(`Chaos: ${faults.join(', ')}. Repeat with --seed ${seed}\n`);
      process.stdout.write('\n');
    }
    for await (const event of followEvents(paylatch, from, ending.signal))
      if (types === undefined || types.includes(event.type)) await send(event);
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    process.off('SIGINT', end);
    process.off('SIGTERM', end);
  }
}

const EVENTS_PER_PAGE = 100;
const RECONNECT_DELAY_MS = 2000;

/** Returns the cursor after the newest event; undefined if there is no event. */
async function findEnd(paylatch: Client, signal: AbortSignal): Promise<string | undefined> {
  let after: string | undefined;
  for (;;) {
    const page = await paylatch.listEvents(
      { limit: EVENTS_PER_PAGE, ...(after !== undefined && { after }) },
      { signal },
    );
    after = page.next ?? after;
    if (!page.has_more) return after;
  }
}

/** Yields events until the signal aborts. Retries while the service is unreachable. */
async function* followEvents(
  paylatch: Client,
  from: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<PulledEvent, void, undefined> {
  let after = from;
  for (;;) {
    try {
      for await (const { events, next } of paylatch.followEvents(after === undefined ? {} : { after }, { signal })) {
        yield* events;
        after = next;
      }
    } catch (error) {
      if (!(error instanceof PaylatchError && error.retryable)) throw error;
      process.stderr.write(`${error.message} Retrying.\n`);
      await wait(error.retryAfterMs ?? RECONNECT_DELAY_MS, undefined, { signal });
    }
  }
}

function parsePort(port: string): number {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new InvalidArgumentError('--port must be an integer from 0 to 65535.');
  return Number(port);
}

function parseSeed(input: string): number {
  if (!/^\d{1,10}$/.test(input) || Number(input) >= 2 ** 32)
    throw new InvalidArgumentError('It must be an integer from 0 to 4294967295.');
  return Number(input);
}

import { type Command, InvalidArgumentError } from 'commander';
import { Hono } from 'hono';
import { Webhook } from 'standardwebhooks';
import { newCallbackSecret } from '../merchants/merchants.ts';
import { listen } from '../platform/http/server.ts';
import { systemRandom } from '../platform/random.ts';
import { merchantId, print, requireMerchant, withDatabase } from './with-database.ts';

export function registerCallbackCommands(program: Command): void {
  const callbacks = program.command('callbacks').description('callbacks to merchants');

  callbacks
    .command('secret')
    .description('show the secret that signs a merchant’s callbacks, or change it')
    .requiredOption('--merchant <id>', 'the merchant’s ID', merchantId)
    .option('--rotate', 'make a new one; the old one is worth nothing from then on')
    .option('--json', 'print JSON')
    .action(async ({ merchant, rotate, json }: { merchant: number; rotate?: boolean; json?: boolean }) => {
      await withDatabase(async ({ database }) => {
        const { callback_secret: present } = await requireMerchant(database, merchant);
        const secret = rotate ? newCallbackSecret(systemRandom) : present;
        if (rotate) {
          await database.inUnit(async (unit) => {
            await unit.query
              .updateTable('merchants')
              .set({ callback_secret: secret })
              .where('id', '=', merchant)
              .execute();
          });
        }
        print({ merchant_id: merchant, callback_secret: secret }, json);
      });
    });

  callbacks
    .command('listen')
    .description('receive callbacks on this machine, verify each and print it (set callback-url to the address shown)')
    .requiredOption(
      '--secret <whsec>',
      'the merchant’s callback secret (or the variable CALLBACK_SECRET)',
      process.env.CALLBACK_SECRET,
    )
    .option('--port <port>', 'where to listen', '8090')
    .action(async ({ secret, port }: { secret: string; port: string }) => {
      const webhook = readSecret(secret);
      const receiver = new Hono().post('/', async (context) => {
        const body = await context.req.text();
        try {
          webhook.verify(body, context.req.header());
        } catch (error) {
          process.stdout.write(
            `signature NOT valid (${error instanceof Error ? error.message : String(error)})\n${body}\n\n`,
          );
          return context.json({ error: 'signature not valid' }, 401);
        }
        process.stdout.write(
          `signature valid  ${context.req.header('webhook-id') ?? ''}\n${JSON.stringify(JSON.parse(body), null, 2)}\n\n`,
        );
        return context.body(null, 204);
      });
      const server = await listen({ fetch: receiver.fetch, port: readPort(port), host: 'localhost' });
      process.stdout.write(`Listening. Set callback-url to http://localhost:${server.port}/\n\n`);
      const end = () => void server.close().then(() => process.exit(0));
      process.on('SIGINT', end);
      process.on('SIGTERM', end);
    });
}

function readSecret(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new InvalidArgumentError('--secret must be a callback secret: whsec_ and base64.');
  }
}

function readPort(port: string): number {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new InvalidArgumentError('--port must be a port, a whole number up to 65535.');
  return Number(port);
}

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { Argument, type Command } from 'commander';
import {
  type CellDatabase,
  cancelMove,
  discardCopy,
  listMapEntries,
  moveMerchant,
  type MoveOptions,
} from '../cells/move.ts';
import { type Config, readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { openDatabase } from '../database/open.ts';
import { loadServiceKey } from '../database/service-key.ts';
import { formatId } from '../system/cell.ts';
import { OperatorError } from '../system/operator-error.ts';
import { withCellPrefix, systemRandom } from '../system/random.ts';
import { parseSealingKeys } from '../system/sealed.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { parseIdOption } from './options.ts';
import { type Output, outputOption, print } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

interface TargetOptions {
  to: string;
  targetEnv: string;
  output: Output;
}

interface MoveCommandOptions extends TargetOptions {
  sameUser?: string[];
  cancel?: true;
}

const toOption = ['--to <cell>', 'the CELL of the other cell'] as const;
const targetEnvOption = [
  '--target-env <file>',
  'file with the settings of the other cell, such as DATABASE_URL',
] as const;
const merchantArgument = () => new Argument('<id>', 'the merchant’s ID').argParser(parseIdOption);

export function registerMoveCommands(merchant: Command): void {
  merchant
    .command('move')
    .description('move a merchant and its records to another cell; run it again if interrupted')
    .addArgument(merchantArgument())
    .addHelpText(
      'after',
      examples(
        'npx paylatch merchant move 1 --to ab --target-env /etc/paylatch/cell-ab.env',
        'npx paylatch merchant move 1 --to ab --target-env /etc/paylatch/cell-ab.env --cancel',
      ),
    )
    .requiredOption(...toOption)
    .requiredOption(...targetEnvOption)
    .option('--same-user <email...>', 'members who own the account with this email address in the other cell')
    .option('--cancel', 'cancel an unfinished move, and return the merchant to service here')
    .addOption(outputOption())
    .action(move);

  merchant
    .command('moved')
    .description('print the proxy map of merchants moved from this cell')
    .addHelpText('after', examples('npx paylatch merchant moved > /etc/haproxy/paylatch-moved.map'))
    .action(async () => {
      await withDatabase(async ({ database }) => {
        process.stdout.write((await listMapEntries(database)).map((entry) => `${entry}\n`).join(''));
      });
    });

  merchant
    .command('discard')
    .description('delete the copy of a moved merchant’s records that this cell keeps, if the other cell has them')
    .addArgument(merchantArgument())
    .addHelpText('after', examples('npx paylatch merchant discard 1 --to ab --target-env /etc/paylatch/cell-ab.env'))
    .requiredOption(...toOption)
    .requiredOption(...targetEnvOption)
    .addOption(outputOption())
    .action(async (merchantId: number, options: TargetOptions) => {
      await withCells(merchantId, options, async (context, moveOptions) => {
        await discardCopy(moveOptions);
        await record(context, 'discardMerchantCopy', merchantId);
        print({ merchant_id: merchantId, discarded: 'yes' }, options.output);
      });
    });
}

async function move(merchantId: number, options: MoveCommandOptions): Promise<void> {
  await withCells(merchantId, options, async (context, cells) => {
    const moveOptions: MoveOptions = {
      ...cells,
      sameUsers: new Set(options.sameUser?.map((email) => email.toLowerCase())),
      onStep: (step) => process.stderr.write(`Merchant ${formatId(merchantId)}: ${step}\n`),
    };
    if (options.cancel) {
      await cancelMove(moveOptions);
      await record(context, 'cancelMerchantMove', merchantId);
      print({ merchant_id: merchantId, cell: context.config.cell, state: 'cancelled' }, options.output);
      return;
    }
    const moved = await moveMerchant(moveOptions);
    await record(context, 'moveMerchant', merchantId);
    print({ merchant_id: merchantId, cell: moved.cell, state: moved.state, rows: moved.row_count }, options.output);
    process.stderr.write('Now update the proxy’s map: npx paylatch merchant moved\n');
  });
}

/** Opens the databases of both cells for an action. */
async function withCells(
  merchantId: number,
  options: TargetOptions,
  run: (context: CommandContext, cells: MoveOptions) => Promise<void>,
): Promise<void> {
  await withDatabase(async (context) => {
    const { config, database, clock } = context;
    const targetConfig = readTarget(options);
    const target = openDatabase(targetConfig.databaseUrl, (error) => process.stderr.write(`${error.message}\n`));
    try {
      await run(context, {
        ...{ merchantId, clock, random: withCellPrefix(systemRandom, config.cell) },
        source: await cellOf(config, database),
        target: await cellOf(targetConfig, target),
      });
    } finally {
      await target.close();
    }
  });
}

function readTarget({ to, targetEnv }: TargetOptions): Config {
  let text: string;
  try {
    text = readFileSync(targetEnv, 'utf8');
  } catch {
    throw new OperatorError(`The file ${targetEnv} cannot be read.`);
  }
  // Reads only the file, so that settings of this cell do not replace missing ones.
  const config = readConfig(parseEnv(text));
  if (config.cell !== to)
    throw new OperatorError(`${targetEnv} is for the cell ${config.cell || 'without a prefix'}, not for ${to}.`);
  return config;
}

async function cellOf(config: Config, database: Database): Promise<CellDatabase> {
  const { cell, environment } = config;
  if (config.secretKey === null)
    throw new OperatorError('PAYLATCH_SECRET_KEY must be set, to the same value in every cell.');
  const serviceKey = await loadServiceKey(database, systemRandom, config.secretKey);
  return { cell, environment, database, serviceKey, sealingKeys: parseSealingKeys(config) };
}

/** The merchant no longer has a row here, so the entry names it in its subject. */
async function record({ database, clock }: CommandContext, action: string, merchantId: number): Promise<void> {
  await recordChange(database, clock, { merchantId: null, action, subject: `merchant ${merchantId}` });
}

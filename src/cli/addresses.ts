import { listUnissuedDeposits } from '../wallets/accounts.ts';
import { type Command, InvalidArgumentError } from 'commander';
import type { ChainAccount } from '../chains/family.ts';
import { formatInstant } from '../shared/time.ts';
import { openAddressMarks } from '../wallets/address-marks.ts';
import { findHighestUsedOnChain, findHighestUsedIndex, readWidestGap } from '../wallets/used-addresses.ts';
import {
  type AddressIssuing,
  findTimelineQuery,
  isIssuingSuspended,
  recordLostWrites,
  openAccount,
  readAccount,
  resumeIssuing,
} from '../wallets/accounts.ts';
import { readCursors } from '../chains/cursor.ts';
import { walletUse } from '../invoices/wallet-use.ts';
import { OperatorError } from '../system/operator-error.ts';
import { chainOption, connectedAccount, connectedAccounts, exampleChain } from './accounts.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { type Columns, outputOption, type Output, print, printList } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

export function registerAddressCommands(program: Command): void {
  const addresses = program.command('addresses').description('deposit address accounts, and the addresses issued');

  addresses
    .command('list')
    .description('show each account: its descriptor, the issued and used indexes, and its state')
    .addHelpText('after', examples('npx paylatch addresses list'))
    .addOption(outputOption())
    .action(async ({ output }: { output: Output }) => {
      await withDatabase(async (context) => {
        const accounts = await connectedAccounts(context);
        try {
          const described: Awaited<ReturnType<typeof readAccountState>>[] = [];
          for (const account of accounts) described.push(await readAccountState(context, account));
          await printList('accounts', described, { output, columns: accountColumns });
        } finally {
          for (const { chain } of accounts) await chain.close();
        }
      });
    });

  addresses
    .command('resume')
    .description('resume issuing addresses after lost writes, above every index that may have been issued')
    .addHelpText(
      'after',
      '\nThe service must have scanned the chain to its tip first. Skip more indexes than were issued since the backup.',
    )
    .addHelpText('after', examples(`npx paylatch addresses resume --chain ${exampleChain} --skip 1000`))
    .addOption(chainOption())
    .option('--skip <count>', 'indexes to skip above the highest used one; ADDRESS_GAP_LIMIT by default', parseSkip)
    .option('--without-chain', 'resume even if the chain was not scanned to its tip')
    .addOption(outputOption())
    .action(async (options: { chain: string; skip?: number; withoutChain?: boolean; output: Output }) => {
      await withDatabase(async (context) => {
        const account = await connectedAccount(context, options.chain);
        try {
          print(await resume(context, account, options), options.output);
        } finally {
          await account.chain.close();
        }
      });
    });

  addresses
    .command('suspend')
    .description('stop issuing addresses until resumed, after the database was restored by other means')
    .addHelpText('after', examples(`npx paylatch addresses suspend --chain ${exampleChain}`))
    .addOption(chainOption())
    .addOption(outputOption())
    .action(async ({ chain, output }: { chain: string; output: Output }) => {
      await withDatabase(async (context) => {
        const { database, clock } = context;
        const account = await connectedAccount(context, chain);
        await account.chain.close();
        const id = await openAccount(database, account.name, account.accountKey);
        await database.inTransaction(async (unit) => {
          await recordLostWrites(unit, id, 'operator', clock.now());
          await recordChange(unit, clock, { merchantId: null, action: 'suspendAddresses', subject: account.name });
        });
        print({ chain, suspended: true }, output);
      });
    });
}

function parseSkip(input: string): number {
  if (!/^\d{1,6}$/.test(input)) throw new InvalidArgumentError('It must be an integer from 0 to 999999.');
  return Number(input);
}

async function readAccountState(context: CommandContext, { name, network, accountKey, descriptor }: ChainAccount) {
  const { config, database } = context;
  const account = await readAccount(database, await openAccount(database, name, accountKey));
  const { lostWrites } = account;
  const deposits = await listUnissuedDeposits(database, account.id);
  return {
    ...{
      chain: name,
      network,
      descriptor: descriptor?.() ?? null,
      account_key: accountKey,
      next_index: account.nextIndex,
    },
    highest_used: await findHighestUsedIndex(database, walletUse, account.id),
    gap_limit: Math.max(config.addressGapLimit, await readWidestGap(database, walletUse, account)),
    state: isIssuingSuspended(account) ? 'suspended' : 'active',
    lost_writes: lostWrites && {
      ...{ reason: lostWrites.reason, since: formatInstant(lostWrites.since), height: lostWrites.height },
      resumed_at: lostWrites.resumedAt === null ? null : formatInstant(lostWrites.resumedAt),
    },
    deposits_to_unissued: deposits,
  };
}

const accountColumns: Columns<Awaited<ReturnType<typeof readAccountState>>> = {
  chain: ({ chain }) => chain,
  network: ({ network }) => network,
  state: ({ state }) => state,
  'lost writes': ({ lost_writes: loss }) => loss && `${loss.reason} since ${loss.since}`,
  'next index': ({ next_index: index }) => index,
  'highest used': ({ highest_used: index }) => index,
  'gap limit': ({ gap_limit: limit }) => limit,
  'not issued': ({ deposits_to_unissued: deposits }) =>
    deposits.map(({ index, amount, code }) => `${amount} ${code} at /0/${index}`).join(', ') || null,
  account: ({ descriptor, account_key: key }) => descriptor ?? `${key}, addresses at /0/INDEX below it`,
};

async function resume(
  context: CommandContext,
  { name, accountKey, chain }: ChainAccount,
  { skip, withoutChain }: { skip?: number; withoutChain?: boolean },
) {
  const { config, database, clock } = context;
  const id = await openAccount(database, name, accountKey);
  const account = await readAccount(database, id);
  if (!isIssuingSuspended(account)) throw new OperatorError(`${name}: issuing is not suspended.`);
  let used: number | null = null;
  if (!withoutChain) {
    const cursor = (await readCursors(database)).find((each) => each.chain === name);
    const tip = await chain.tip();
    if (!cursor?.lastBlock || cursor.lastBlock.height < tip.height - 1)
      throw new OperatorError(
        `${name} ${cursor?.lastBlock ? `was scanned to block ${cursor.lastBlock.height}` : 'has not been scanned yet'}; its tip is block ${tip.height}. Start the service and wait until it reaches the tip, or add --without-chain.`,
      );
    used = await findHighestUsedOnChain(chain, accountKey, account.nextIndex, config.addressGapLimit, tip);
  }
  const issuing: AddressIssuing = {
    marks: config.addressMarks === null ? null : await openAddressMarks(config.addressMarks),
    gapLimit: config.addressGapLimit,
    timeline: await findTimelineQuery(database),
  };
  const mark = (await issuing.marks?.readHighest(account.name)) ?? -1;
  const firstUnused = Math.max(account.nextIndex, mark + 1, (used ?? -1) + 1);
  const from = firstUnused + (skip ?? config.addressGapLimit);
  const nextIndex = await resumeIssuing({ database, clock, addresses: issuing }, id, from);
  const after = { next_index: nextIndex };
  await recordChange(database, clock, { merchantId: null, action: 'resumeAddresses', subject: name, after });
  // The next start compares the address mark with the database.
  await issuing.marks?.record(account.name, nextIndex - 1);
  return { chain: name, resumed: true, next_index: nextIndex };
}

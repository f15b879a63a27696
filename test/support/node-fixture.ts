import { db } from './tables.ts';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, type Service } from '../../src/app.ts';
import { deriveAddress, GAS_WALLET } from '../../src/chains/ethereum/addresses.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import type { CryptoCurrencyCode } from '../../src/shared/crypto-currency.ts';
import { createInvoice } from '../../src/invoices/create.ts';
import { rejectTransaction } from '../../src/invoices/review.ts';
import { cancelWithdrawal } from '../../src/withdrawals/cancel.ts';
import { guardDestinations } from '../../src/withdrawals/destinations.ts';
import { createMerchant } from '../../src/merchants/merchants.ts';
import { writePreferences } from '../../src/merchants/preferences/set.ts';
import { loadPages } from '../../src/startup/pages.ts';
import { readConfig } from '../../src/config.ts';
import { createLog } from '../../src/system/log.ts';
import { packageRoot } from '../../src/system/root.ts';
import type { Anvil } from './anvil.ts';
import { transferData } from './contracts.ts';
import { assertLedger } from './ledger-checks.ts';
import { clockOfBlock } from './node-invoices.ts';
import { openFixture, type Fixture } from './fixture.ts';

/** Crypto part of a process on a database, with real nodes. */
export async function openNodeService(settings: Readonly<Record<string, string>>): Promise<Service> {
  return await createService({
    // As in `openWorld`.
    config: readConfig({ ADDRESS_GAP_LIMIT: '20', ...settings }),
    log: createLog('silent'),
    pages: loadPages(join(packageRoot(), 'dist', 'pages')),
  });
}

/** Runs all chain jobs until they are idle. */
export async function followChains({ invoices }: Service): Promise<void> {
  for (let found = 1; found > 0; ) {
    found = 0;
    for (const job of invoices.jobs) found += await job.runOnce();
  }
}

/** Runs the jobs of a process that replaces a dead one, whose leases have expired. */
export async function withNodeService<Result>(
  settings: Readonly<Record<string, string>>,
  work: (service: Service) => Promise<Result>,
  /** As in `assertLedger`. */
  usedOutside: readonly string[] = [],
): Promise<Result> {
  const service = await openNodeService(settings);
  try {
    await db(service.database).updateTable('chain_cursors').set({ holder: null, held_until: null }).execute();
    const result = await work(service);
    await assertLedger(service.database, service.invoices.context.chains.all, usedOutside);
    return result;
  } finally {
    await service.close();
  }
}

/** A fixture on an Ethereum node with its own account, whose seed is in a file; tokens are `usdt=ADDRESS,…`. */
export async function openEthereumFixture(
  node: Pick<Anvil, 'url' | 'chainId' | 'call'>,
  tokens: string,
): Promise<{ fixture: Fixture; gasWallet: string; seedFile: ReturnType<typeof writeSeedFile> }> {
  const seed = randomBytes(64);
  const seedFile = writeSeedFile(seed);
  const { publicKey } = await deriveAccount(seed, 'ethereum', { isTest: true });
  const { timestamp } = await node.call<{ timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
  const fixture = await openFixture({
    clock: clockOfBlock(Number(timestamp)),
    env: {
      CHAIN_ETH_URL: node.url,
      CHAIN_ETH_NETWORK: String(node.chainId),
      CHAIN_ETH_TOKENS: tokens,
      CHAIN_ETH_ACCOUNT_KEY: publicKey,
      CHAIN_SEED_FILE: seedFile.path,
      WITHDRAWAL_DESTINATION_DELAY_HOURS: '0',
    },
  });
  await fixture.work();
  return { fixture, gasWallet: deriveAddress(publicKey, GAS_WALLET), seedFile };
}

/** A merchant with automatic withdrawals to addresses, by currency; deposits are credited after two blocks. */
export async function createWithdrawingMerchant(
  { invoices: { context }, webhookSecrets }: Service,
  destinations: Partial<Record<CryptoCurrencyCode, string>>,
): Promise<number> {
  const { database, clock } = context;
  const { id } = await database.inTransaction(
    async (unit) => await createMerchant(unit, { name: 'Kettle', clock, webhookSecrets }),
  );
  await writePreferences(
    { database, clock, environment: 'sandbox', guard: guardDestinations(context) },
    { merchantId: id, role: 'manager', identity: 'a test', scopes: new Set(['withdrawal:write']) },
    [
      { key: 'auto-withdrawal', value: true },
      ...(Object.entries(destinations) as [CryptoCurrencyCode, string][]).flatMap(([code, destination]) => [
        { key: `auto-withdrawal-destination-${code}` as const, value: destination },
        { key: `wallet-rotate-amount-${code}` as const, value: '1' },
        { key: `min-confirmation-${code}` as const, value: 2 },
      ]),
    ],
    String,
  );
  return id;
}

/** A deposit address that awaits a payment. */
export async function createDepositAddress(
  { invoices: { context } }: Service,
  merchantId: number,
  { txId, code, amount }: { txId: string; code: CryptoCurrencyCode; amount: bigint },
): Promise<string> {
  const request = { txId, code, type: 'revolver', amount: String(amount) } as const;
  return (await createInvoice(context, merchantId, request)).walletAddress;
}

/**
 * A paid static invoice in USDT, and a rejected deposit of another amount: its refund to `payer` waits for
 * gas.
 */
export async function rejectUnmatchedTokens(
  service: Service,
  merchantId: number,
  { node, token, payer }: { node: Anvil; token: string; payer: string },
): Promise<{ walletAddress: string; odd: string }> {
  const { context } = service.invoices;
  const request = { txId: 'static', code: 'usdt', type: 'static', amount: '40000000' } as const;
  const { walletAddress } = await createInvoice(context, merchantId, request);
  await node.send({ to: token, data: transferData(walletAddress, 40_000_000n) });
  await node.send({ to: token, data: transferData(walletAddress, 15_000_000n) });
  await node.mine(14);
  await followChains(service);
  const { public_id: odd } = await db(service.database)
    .selectFrom('crypto_transactions')
    .select('public_id')
    .where('status', '=', 'approved_required')
    .executeTakeFirstOrThrow();
  await rejectTransaction(context, merchantId, { id: odd, reviewer: 'a test', reason: null, refundAddress: payer });
  await followChains(service);
  return { walletAddress, odd };
}

/** Withdrawals of a merchant, oldest first. */
export async function withdrawalRows({ database }: Service, merchantId: number) {
  return await db(database)
    .selectFrom('withdrawals')
    .select(['code', 'purpose', 'status', 'amount', 'fee', 'fee_paid', 'spent', 'tx_hash', 'waits_for'])
    .where('merchant_id', '=', merchantId)
    .orderBy('id')
    .execute();
}

/** A manager cancels the newest withdrawal of a merchant, except gas funding; then runs the jobs. */
export async function cancelNewest(service: Service, merchantId: number) {
  const { public_id: id } = await db(service.database)
    .selectFrom('withdrawals')
    .select('public_id')
    .where('merchant_id', '=', merchantId)
    .where('purpose', '<>', 'gas')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const caller = { merchantId, role: 'manager' } as const;
  const response = await cancelWithdrawal(service.invoices.context, caller, id, async () => await Promise.resolve());
  await followChains(service);
  return response;
}

/** A file with a seed, for `CHAIN_SEED_FILE`. */
export function writeSeedFile(seed: Uint8Array): { path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-test-'));
  const path = join(folder, 'seed');
  writeFileSync(path, `${Buffer.from(seed).toString('hex')}\n`, { mode: 0o600 });
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}

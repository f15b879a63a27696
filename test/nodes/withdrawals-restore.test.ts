import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Service } from '../../src/app.ts';
import { deriveAddress, GAS_WALLET } from '../../src/chains/ethereum/addresses.ts';
import { deriveAccount } from '../../src/chains/seed-accounts.ts';
import { resumeIssuing } from '../../src/wallets/accounts.ts';
import { writeBackup } from '../../src/backup/backup.ts';
import { restore as restoreBackup } from '../../src/startup/restore.ts';
import { openDatabase } from '../../src/database/open.ts';
import { type Anvil, startAnvil } from '../support/anvil.ts';
import { balanceData, deployNoReturnToken, transferData } from '../support/contracts.ts';
import { createTestDatabase, type TestDatabase } from '../support/databases.ts';
import { type Litecoind, litecoindSettings, startLitecoind } from '../support/litecoind.ts';
import {
  createDepositAddress,
  followChains,
  createWithdrawingMerchant,
  rejectUnmatchedTokens,
  withdrawalRows,
  withNodeService,
  writeSeedFile,
} from '../support/node-fixture.ts';
import { ethereumAddress } from '../support/simulated-chains.ts';

const ETHER = 10n ** 18n;
const seed = new Uint8Array(64).fill(23);

describe('a restored backup', () => {
  let folder: string;
  let file: ReturnType<typeof writeSeedFile>;
  const stores: TestDatabase[] = [];
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'paylatch-restore-'));
    file = writeSeedFile(seed);
  });
  after(async () => {
    rmSync(folder, { recursive: true });
    file.remove();
    for (const store of stores) await store.drop();
  });

  const empty = async () => {
    const store = await createTestDatabase();
    stores.push(store);
    return store.url;
  };
  let backups = 0;
  const backUp = async ({ database }: Service): Promise<string> => {
    backups += 1;
    const path = join(folder, `${backups}.backup`);
    await writeBackup({ database, path, now: Date.now() * 1000 });
    return path;
  };
  /** Restores a backup into an empty database, as the command does. */
  const restored = async (path: string): Promise<string> => {
    const url = await empty();
    const database = openDatabase(url, (error) => console.error(error));
    try {
      await restoreBackup({ database, path });
    } finally {
      await database.close();
    }
    return url;
  };
  const writtenOff = async ({ database }: Service) =>
    (
      await db(database)
        .selectFrom('deposits')
        .select('amount')
        .where('written_off_at', 'is not', null)
        .orderBy('id')
        .execute()
    ).map(({ amount }) => amount);
  const statusOf = async ({ database }: Service, id: string) =>
    (
      await db(database)
        .selectFrom('crypto_transactions')
        .select('status')
        .where('public_id', '=', id)
        .executeTakeFirstOrThrow()
    ).status;

  describe('on an Ethereum node', () => {
    let node: Anvil;
    let token: string;
    let gasWallet: string;
    let settings: Record<string, string>;
    const files: ReturnType<typeof writeSeedFile>[] = [];
    before(async () => {
      node = await startAnvil();
      token = await deployNoReturnToken(node);
    });
    /** Uses a new account, whose wallets are empty. */
    const useAccount = async (fill: number) => {
      const own = new Uint8Array(64).fill(fill);
      const { publicKey } = await deriveAccount(own, 'ethereum', { isTest: true });
      const seedFile = writeSeedFile(own);
      files.push(seedFile);
      gasWallet = deriveAddress(publicKey, GAS_WALLET);
      settings = {
        PUBLIC_URL: 'http://localhost:1',
        CHAIN_ETH_URL: node.url,
        CHAIN_ETH_NETWORK: String(node.chainId),
        CHAIN_ETH_TOKENS: `usdt=${token}`,
        CHAIN_ETH_ACCOUNT_KEY: publicKey,
        CHAIN_SEED_FILE: seedFile.path,
      };
    };
    after(async () => {
      for (const each of files) each.remove();
      await node.stop();
    });

    const tokensOf = async (address: string) =>
      BigInt(await node.call('eth_call', [{ to: token, data: balanceData(address) }, 'latest']));

    test('sends no refund of tokens a second time', async () => {
      await useAccount(24);
      const payer = ethereumAddress(91);
      const before = { ...settings, DATABASE_URL: await empty() };
      const made = await withNodeService(before, async (service) => {
        await followChains(service);
        const merchantId = await createWithdrawingMerchant(service, {});
        const { walletAddress, odd } = await rejectUnmatchedTokens(service, merchantId, { node, token, payer });
        const [refund] = await withdrawalRows(service, merchantId);
        assert.match(refund?.waits_for ?? '', /The gas wallet/);
        const path = await backUp(service);

        await node.call('anvil_setBalance', [gasWallet, `0x${ETHER.toString(16)}`]);
        for (const blocks of [1, 1, 14]) {
          await node.mine(blocks);
          await followChains(service);
        }
        assert.equal(await tokensOf(payer), 15_000_000n);
        return { path, merchantId, odd, walletAddress };
      });

      await withNodeService(
        { ...settings, DATABASE_URL: await restored(made.path) },
        async (service) => {
          for (const blocks of [1, 1, 14]) {
            await followChains(service);
            await node.mine(blocks);
          }
          await followChains(service);
          assert.equal(await tokensOf(payer), 15_000_000n, 'the payer received it once');
          assert.equal(await tokensOf(made.walletAddress), 40_000_000n);
          const [refund, ...others] = await withdrawalRows(service, made.merchantId);
          assert.deepEqual([refund?.status, refund?.purpose, others], ['failed', 'refund', []]);
          assert.deepEqual([await writtenOff(service), await statusOf(service, made.odd)], [['15000000'], 'failed']);
          const { balance } = await db(service.database)
            .selectFrom('wallets')
            .select('balance')
            .where('address', '=', made.walletAddress)
            .executeTakeFirstOrThrow();
          assert.equal(balance, '40000000', 'the ledger matches the chain');
        },
        [made.walletAddress],
      );
    });

    test('a replacement unknown to the backup used the nonce: its amount is credited again', async () => {
      await useAccount(25);
      const to = ethereumAddress(92);
      const merchant = { usdt: to };
      await node.call('anvil_setBalance', [gasWallet, `0x${ETHER.toString(16)}`]);
      const before = { ...settings, DATABASE_URL: await empty() };
      const made = await withNodeService(before, async (service) => {
        await followChains(service);
        const merchantId = await createWithdrawingMerchant(service, merchant);
        const address = await createDepositAddress(service, merchantId, {
          txId: 'one',
          code: 'usdt',
          amount: 25_000_000n,
        });
        await node.send({ to: token, data: transferData(address, 25_000_000n) });
        await node.mine(3);
        await followChains(service);
        await node.mine(1);
        await followChains(service);
        const [sweep] = await withdrawalRows(service, merchantId);
        assert.equal(sweep?.status, 'sent');
        const path = await backUp(service);
        // It stays unconfirmed for fifteen blocks; its replacement is mined.
        await node.call('anvil_dropTransaction', [sweep?.tx_hash ?? '']);
        await db(service.database).updateTable('withdrawal_versions').set({ signed_height: 0, sent_at: 1 }).execute();
        await node.call('anvil_setNextBlockBaseFeePerGas', ['0x2540be400']);
        await node.mine(1);
        await followChains(service);
        await node.mine(1);
        await followChains(service);
        const [replaced] = await withdrawalRows(service, merchantId);
        assert.notEqual(replaced?.tx_hash, sweep?.tx_hash, 'another transaction has its number');
        return { path, merchantId, address };
      });
      await withNodeService(
        { ...settings, DATABASE_URL: await restored(made.path) },
        async (service) => {
          for (const blocks of [1, 14, 1, 14]) {
            await followChains(service);
            await node.mine(blocks);
          }
          await followChains(service);
          assert.equal(await tokensOf(to), 25_000_000n, 'it is received once');
          assert.equal(await tokensOf(made.address), 0n);
        },
        [made.address],
      );
    });
  });

  describe('on a node of the Bitcoin Core family', () => {
    let node: Litecoind;
    let settings: Record<string, string>;
    let destination: string;
    before(async () => {
      node = await startLitecoind();
      const { publicKey } = await deriveAccount(seed, 'bitcoin', { isTest: true });
      settings = {
        PUBLIC_URL: 'http://localhost:1',
        CHAIN_SEED_FILE: file.path,
        ...litecoindSettings(node.url, publicKey),
      };
      destination = await node.newAddress();
    });
    after(async () => await node.stop());

    test('deposits that were swept after the backup lock no others', async () => {
      const before = { ...settings, DATABASE_URL: await empty() };
      const made = await withNodeService(before, async (service) => {
        await followChains(service);
        const merchantId = await createWithdrawingMerchant(service, { btc: destination });
        const invoice = { txId: 'first', code: 'btc', amount: 450_000n } as const;
        await node.sendToAddress(await createDepositAddress(service, merchantId, invoice), invoice.amount);
        await node.mine(1);
        await followChains(service);
        const path = await backUp(service);
        for (let left = 4; left > 0; left -= 1) {
          await node.mine(1);
          await followChains(service);
        }
        const [swept] = await withdrawalRows(service, merchantId);
        assert.deepEqual([swept?.status, swept?.spent], ['confirmed', '450000']);
        return { path, merchantId };
      });

      await withNodeService({ ...settings, DATABASE_URL: await restored(made.path) }, async (service) => {
        const invoice = { txId: 'second', code: 'btc', amount: 470_000n } as const;
        await followChains(service);
        const { context } = service.invoices;
        const [bitcoin] = context.chains.all;
        assert.ok(bitcoin);
        await resumeIssuing(context, bitcoin.accountId, 1);
        const address = await createDepositAddress(service, made.merchantId, invoice);
        await node.sendToAddress(address, invoice.amount);
        for (let left = 5; left > 0; left -= 1) {
          await node.mine(1);
          await followChains(service);
        }
        const rows = await withdrawalRows(service, made.merchantId);
        assert.deepEqual(
          rows.map(({ status, spent }) => [status, spent]),
          [
            ['failed', '450000'],
            ['confirmed', '470000'],
          ],
        );
        assert.deepEqual(await writtenOff(service), ['450000']);
      });
    });
  });
});

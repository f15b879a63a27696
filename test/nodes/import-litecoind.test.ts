import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { accountDescriptor } from '../../src/chains/bitcoin/account-key.ts';
import { litecoin } from '../../src/shared/chains/litecoin.ts';
import { DAY } from '../../src/shared/time.ts';
import { packageRoot } from '../../src/system/root.ts';
import { type Litecoind, startLitecoind } from '../support/litecoind.ts';
import { freshAccountKey } from '../support/node-invoices.ts';

// Databases: sqlite

describe('the import of docs/chains.md on litecoind', () => {
  let node: Litecoind;
  before(async () => {
    node = await startLitecoind([], { isEmpty: true });
  });
  after(async () => await node.stop());

  test('finds funds that are older than the import', async () => {
    const page = readFileSync(join(packageRoot(), 'docs/chains.md'), 'utf8');
    const [, requests = ''] = /^bitcoin-cli importdescriptors '(.+)'$/m.exec(page) ?? [];
    const descriptor = accountDescriptor(await freshAccountKey('bitcoin'), null, litecoin.networks.regtest);
    const other = await node.newAddress();
    const [address] = await node.call('deriveaddresses', descriptor, [0, 0]);
    await node.call('generatetoaddress', 1, address);
    await node.call('setmocktime', Math.floor((Date.now() + DAY) / 1000));
    // "now" is the median time of the last 11 blocks.
    await node.call('generatetoaddress', 11, other);
    await node.call('unloadwallet', 'w');
    await node.call('createwallet', 'watched', true, true);
    // Debian's Litecoin Core has no descriptor wallets; `importmulti` has the same parameter.
    const imported = await node.call('importmulti', JSON.parse(requests.replace('DESCRIPTOR', descriptor)));
    assert.deepEqual([imported[0].success, imported[0].error], [true, undefined]);
    const received = await node.call<{ address: string }[]>('listtransactions');
    assert.deepEqual(
      received.map((each) => each.address),
      [address],
    );
  });
});

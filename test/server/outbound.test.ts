import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { isPublicAddress } from '../../src/platform/http/address.ts';
import { createPostOutside } from '../../src/platform/http/outbound.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';

describe('requests to addresses that merchants give', () => {
  let receiver: Receiver;
  before(async () => {
    receiver = await openReceiver();
  });
  after(async () => await receiver.close());

  test('reach no private address in production, however it is written', async () => {
    const post = createPostOutside({ allowLoopback: false });
    const { port } = new URL(receiver.url);
    for (const host of [
      '127.0.0.1',
      'localhost',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '127.1',
      '2130706433',
      '0.0.0.0',
      '0x7f.1',
    ]) {
      await assert.rejects(post(`http://${host}:${port}/callbacks`, {}, '{}'), `${host} was connected to`);
    }
    assert.equal(receiver.received.length, 0);
  });

  test('reach this machine in the sandbox, and no other private one', async () => {
    const post = createPostOutside({ allowLoopback: true });
    for (const host of ['10.0.0.1', '169.254.169.254', '[fd00::1]', '[::ffff:10.0.0.1]']) {
      await assert.rejects(post(`http://${host}/callbacks`, {}, '{}'), /private network/);
    }
    assert.deepEqual(await post(receiver.url, {}, '{}'), { status: 204, retryAfter: null, body: '' });
  });

  test('go by the address that is connected to, whatever the name led to before', async () => {
    const answers = [['127.0.0.1'], ['169.254.169.254'], ['10.0.0.1', '127.0.0.1'], ['fd00:ec2::254'], []];
    let asked = 0;
    const post = createPostOutside({
      allowLoopback: true,
      lookup: (_name, _options, callback) => {
        const addresses = answers[asked] ?? [];
        asked += 1;
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      },
    });
    const { port } = new URL(receiver.url);
    const send = async (host: string) => (await post(`http://${host}:${port}/callbacks`, {}, '{}')).status;
    // Each name is a connection of its own.
    assert.equal(await send('first.example'), 204);
    await assert.rejects(send('second.example'), /fetch failed|private network/);
    assert.equal(await send('third.example'), 204);
    await assert.rejects(send('fourth.example'), /fetch failed|private network/);
    await assert.rejects(send('fifth.example'), /fetch failed|private network/);
    assert.equal(asked, 5);
  });

  test('read no more of an answer than is kept, and wait for none for ever', async () => {
    const post = createPostOutside({ allowLoopback: true });
    receiver.answer = () => 500;
    receiver.words = 'x'.repeat(20_000_000);
    const { status, body } = await post(receiver.url, {}, '{}');
    assert.deepEqual([status, body], [500, 'x'.repeat(1024)]);
    receiver.answer = () => 204;
  });

  test('follow no redirect', async () => {
    const post = createPostOutside({ allowLoopback: true });
    receiver.received.length = 0;
    receiver.answer = () => 307;
    assert.equal((await post(receiver.url, {}, '{}')).status, 307);
    assert.equal(receiver.received.length, 1);
    receiver.answer = () => 204;
  });

  test('public is what the Internet routes, and nothing else', () => {
    for (const address of ['8.8.8.8', '2001:4860:4860::8888', '::ffff:8.8.8.8'])
      assert.ok(isPublicAddress(address), address);
    for (const address of [
      '10.0.0.1',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '127.0.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
      '::1',
      '::',
      'fe80::1',
      'fd00::1',
      '::ffff:10.0.0.1',
      '64:ff9b::a00:1',
      '2002:a00:1::',
      '::a00:1',
      '::10.0.0.1',
      '::ffff:0:10.0.0.1',
      '64:ff9b:1::a00:1',
      '2001:0:a00:1::1',
      'fec0::1',
      'fd00:ec2::254',
      '198.18.0.1',
      '192.0.0.8',
      '240.0.0.1',
      '4000::1',
      '2001:db8::1',
      'ff02::1',
    ]) {
      assert.ok(!isPublicAddress(address), address);
    }
  });
});

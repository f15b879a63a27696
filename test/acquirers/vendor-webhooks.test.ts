// Databases: sqlite
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { adyenSignature, textToSign } from './simulators/adyen/signing.ts';
import { hyperswitchSignature } from './simulators/hyperswitch/signing.ts';
import { openAdyen, openHyperswitch, openXendit } from './simulators/test-clients.ts';
import { sendTo, type Webhook } from './simulators/webhooks.ts';
import { openEndpoint } from '../support/webhook-endpoint.ts';

/** An item of Adyen's own signature tests. */
const item = {
  pspReference: 'pspReference',
  originalReference: 'originalReference',
  merchantAccountCode: 'merchantAccount',
  merchantReference: 'reference',
  amount: { value: 1000, currency: 'EUR' },
  ...({ eventCode: 'REPORT_AVAILABLE', eventDate: '2026-11-21T09:00:00Z', reason: null, success: 'true' } as const),
};

/** True if the receiver of the vendor accepts a webhook. */
const isGenuine: Readonly<Record<string, (webhook: Webhook, secret: string) => boolean>> = {
  adyen({ body }, secret) {
    const [{ NotificationRequestItem: received }] = JSON.parse(body).notificationItems;
    return received.additionalData?.hmacSignature === adyenSignature(secret, textToSign(received));
  },
  hyperswitch: ({ headers, body }, secret) =>
    headers['x-webhook-signature-512'] === createHmac('sha512', secret).update(body).digest('hex'),
  xendit: ({ headers }, secret) => headers['x-callback-token'] === secret,
};

async function openAll() {
  const [adyen, hyperswitch, xendit] = [await openAdyen(), await openHyperswitch(), await openXendit()];
  return [
    { name: 'adyen', ...adyen, secret: adyen.vendor.credentials.hmacKey },
    { name: 'hyperswitch', ...hyperswitch, secret: hyperswitch.vendor.credentials.hashKey },
    { name: 'xendit', ...xendit, secret: xendit.vendor.credentials.callbackToken },
  ];
}

describe('webhooks of the vendor servers', () => {
  test("are signed as in the vendors' examples", () => {
    const key = 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00';
    const text = textToSign(item);
    assert.equal(text, 'pspReference:originalReference:merchantAccount:reference:1000:EUR:REPORT_AVAILABLE:true');
    assert.equal(adyenSignature(key, text), 'ZNBPtI+oDyyRrLyD1XirkKnQgIAlFc07Vj27TeHsDRE=');
    assert.match(textToSign({ ...item, originalReference: undefined }), /^pspReference::merchantAccount:/);
    const signature = hyperswitchSignature('secret', '{"a":1}');
    assert.match(signature, /^42f08c0da01c9a46d4e5663d5f2140526a016507c598182c[0-9a-f]{80}$/);
  });

  test('pass verification, and forged ones fail it', async () => {
    for (const { name, vendor, charge, secret } of await openAll()) {
      await charge();
      const [webhook] = vendor.webhooks.pending;
      const accepts = (sent: Webhook) => isGenuine[name]?.(sent, secret);
      assert.ok(webhook && accepts(webhook), name);
      assert.equal(accepts(vendor.webhooks.forge('wrong_key')), false);
      assert.equal(accepts(vendor.webhooks.forge('unsigned')), false);
      const changed = vendor.webhooks.forge('changed');
      assert.notEqual(changed.body, webhook.body);
      // Xendit signs nothing: the receiver must query the API.
      assert.equal(accepts(changed), name === 'xendit');
      assert.equal(vendor.webhooks.pending.length, 1);
      await vendor.close();
    }
  });

  test('are delivered, repeated, reordered and lost as planned', async () => {
    const endpoint = await openEndpoint();
    const { vendor, post, payment } = await openAdyen();
    const { webhooks } = vendor;
    await assert.rejects(async () => {
      await post('/payments', payment('w-0'), 'w-0');
      await webhooks.deliver();
    }, /Set `webhooks.send`/);
    webhooks.drop();
    webhooks.send = sendTo(endpoint.url);
    for (const reference of ['w-1', 'w-2', 'w-3']) await post('/payments', payment(reference), reference);
    const received = () => {
      const bodies = endpoint.received.splice(0).map(({ body }) => JSON.parse(body).notificationItems[0]);
      return bodies.map(({ NotificationRequestItem }) => NotificationRequestItem.merchantReference);
    };
    webhooks.reorder();
    endpoint.respond = () => 500;
    assert.deepEqual(
      (await webhooks.deliver(1)).map(({ status }) => status),
      [500],
    );
    endpoint.respond = () => 202;
    // Vendors repeat unacknowledged webhooks.
    await webhooks.deliver();
    assert.deepEqual(received(), ['w-3', 'w-2', 'w-1', 'w-3']);
    await webhooks.redeliver(webhooks.history.slice(-1));
    await post('/payments', payment('w-4'), 'w-4');
    await webhooks.deliverTwice();
    assert.deepEqual(received(), ['w-3', 'w-4', 'w-4']);
    await post('/payments', payment('w-5'), 'w-5');
    assert.equal(webhooks.drop().length, 1);
    assert.equal(webhooks.take(), null);
    assert.deepEqual(received(), []);
    await vendor.close();
    await endpoint.close();
  });
});

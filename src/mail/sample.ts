import type { MailContent } from '../api/mail.ts';
import type { MailKind } from '../shared/mail-kinds.ts';
import { DAY, formatInstant, HOUR, type Instant } from '../shared/time.ts';

/** The data of a preview. Its links lead to the service's start page. */
export function sampleMail(
  kind: MailKind,
  { publicUrl: url, merchantName, now }: { publicUrl: string; merchantName: string; now: Instant },
): MailContent {
  const at = formatInstant(now);
  const tomorrow = formatInstant(now + DAY);
  const amount = { value: '42.50', currency: 'USD' };
  const reference = 'order-1001';
  const samples: { [Kind in MailKind]: Extract<MailContent, { kind: Kind }> } = {
    receipt: {
      ...{ kind: 'receipt', reference, description: null, amount, subtotal: '42.50', paidAt: at, url },
      ...{ method: 'credit_card', methodBrand: null, card: { brand: 'visa', last4: '4242' } },
      items: [
        { name: 'Teapot', quantity: 1, amount: '32.50' },
        { name: 'Cup', quantity: 2, amount: '10.00' },
      ],
    },
    refund: { kind: 'refund', reference, refunded: amount, url },
    underpayment: {
      ...{ kind: 'underpayment', reference, amount, received: '40.00', left: '2.50', expiresAt: tomorrow, url },
    },
    payment_link: { kind: 'payment_link', reference, description: 'Teapot', amount, expiresAt: tomorrow, url },
    invitation: { kind: 'invitation', merchantName, role: 'operator', expiresAt: formatInstant(now + 7 * DAY), url },
    review_waiting: { kind: 'review_waiting', merchantName, reference, url },
    endpoint_disabled: { kind: 'endpoint_disabled', merchantName, endpoint: 'https://shop.example', url },
    destination_changed: {
      ...{ kind: 'destination_changed', merchantName, coin: 'Bitcoin', url },
      address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
      effectiveAt: formatInstant(now + 24 * HOUR),
    },
    new_sign_in: {
      ...{ kind: 'new_sign_in', address: '203.0.113.7', at, url },
      userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    },
  };
  return samples[kind];
}

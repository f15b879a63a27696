import { z } from 'zod';
import { instant } from '../contract.ts';
import { amount, merchantAccount, stringMap } from './contract.ts';

/** The events that Paylatch acts on. */
const adyenEvents = [
  ...[
    'AUTHORISATION',
    'CAPTURE',
    'CAPTURE_FAILED',
    'CANCELLATION',
    'CANCEL_OR_REFUND',
    'TECHNICAL_CANCEL',
    'REFUND',
    'REFUND_FAILED',
  ],
  ...['REFUNDED_REVERSED', 'EXPIRE', 'OFFER_CLOSED', 'REQUEST_FOR_INFORMATION', 'NOTIFICATION_OF_CHARGEBACK'],
  ...['CHARGEBACK', 'CHARGEBACK_REVERSED', 'SECOND_CHARGEBACK', 'PREARBITRATION_WON', 'PREARBITRATION_LOST'],
  ...['INFORMATION_SUPPLIED', 'DISPUTE_DEFENSE_PERIOD_ENDED', 'NOTIFICATION_OF_FRAUD', 'REPORT_AVAILABLE'],
] as const;
export type AdyenEvent = (typeof adyenEvents)[number];

/** One item of a webhook. */
const adyenItem = z.strictObject({
  additionalData: stringMap.optional(),
  amount,
  eventCode: z.enum(adyenEvents),
  eventDate: instant,
  merchantAccountCode: merchantAccount,
  merchantReference: z.string(),
  operations: z.array(z.enum(['CANCEL', 'CAPTURE', 'REFUND'])).optional(),
  originalReference: z.string().optional(),
  paymentMethod: z.string().optional(),
  pspReference: z.string(),
  reason: z.string().nullable(),
  success: z.enum(['true', 'false']),
});
export type AdyenItem = z.infer<typeof adyenItem>;

export const adyenWebhook = z.strictObject({
  live: z.enum(['true', 'false']),
  notificationItems: z.array(z.strictObject({ NotificationRequestItem: adyenItem })).length(1),
});

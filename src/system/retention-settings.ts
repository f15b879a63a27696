import { z } from 'zod';
import { DAY, type Instant } from '../shared/time.ts';
import { ConfigError, declareSettings } from './settings.ts';

/** Retention periods of records; null: kept until the operator removes them. */
export interface Retention {
  events: Instant | null;
  webhooks: Instant | null;
  auditEntries: Instant | null;
  payerData: Instant | null;
}

const days = (min: number) =>
  z
    .string()
    .regex(/^\d{1,5}$/, { error: `must be 0, or a whole number of days from ${min}` })
    .transform(Number)
    .refine((value) => value === 0 || value >= min, { error: `must be 0, or a whole number of days from ${min}` });

/** Merchants can pull events, and read delivery attempts, for this number of days. */
const MIN_EVENT_DAYS = 90;

export const retentionSettings = declareSettings(
  'RETENTION_',
  {
    EVENTS_DAYS: {
      schema: days(MIN_EVENT_DAYS),
      default: '0',
      help: 'days until events are [deleted](security.md#retention) with their delivered and failed webhooks, at least 90; `0`: never',
    },
    WEBHOOKS_DAYS: {
      schema: days(MIN_EVENT_DAYS),
      default: '0',
      help: 'days until delivered and failed webhooks are deleted, at least 90; `0`: with their events',
    },
    AUDIT_DAYS: {
      schema: days(90),
      default: '0',
      help: 'days until entries of the audit log are deleted, at least 90 (PCI DSS requires 365); `0`: never',
    },
    PAYER_DATA_DAYS: {
      schema: days(1),
      default: '0',
      help: "days from a payment's creation until the payer's name, email and other details, network and language are removed, unless it is still open; `0`: never",
    },
  },
  ({ EVENTS_DAYS, WEBHOOKS_DAYS, AUDIT_DAYS, PAYER_DATA_DAYS }): Retention => {
    if (EVENTS_DAYS && WEBHOOKS_DAYS > EVENTS_DAYS)
      throw new ConfigError(
        'RETENTION_WEBHOOKS_DAYS must not exceed RETENTION_EVENTS_DAYS: a webhook needs its event.',
      );
    const instant = (number: number) => (number ? number * DAY : null);
    return {
      events: instant(EVENTS_DAYS),
      webhooks: instant(WEBHOOKS_DAYS) ?? instant(EVENTS_DAYS),
      auditEntries: instant(AUDIT_DAYS),
      payerData: instant(PAYER_DATA_DAYS),
    };
  },
);

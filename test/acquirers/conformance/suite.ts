import { describe } from 'node:test';
import { cardCapabilityOf, useBench } from './bench.ts';
import { captureCases } from './captures.ts';
import { cardCases } from './cards.ts';
import { pushCases } from './push-payments.ts';
import { refundCases } from './refunds.ts';
import type { Subject } from './subject.ts';
import { webhookCases } from './webhooks.ts';

/**
 * The behavior that every adapter must have, seen from the service's API and the acquirer. Expectations that differ
 * follow from the adapter's capabilities and the optional parts of its ports.
 */
export function conformance(subject: Subject): void {
  const variant = subject.variant === undefined ? '' : ` (${subject.variant})`;
  describe(`the service with an account at ${subject.adapter.displayName}${variant}`, () => {
    const steps = useBench(subject);
    if (cardCapabilityOf(subject)) {
      cardCases(steps);
      webhookCases(steps);
      captureCases(subject, steps);
      refundCases(subject, steps);
    }
    pushCases(subject, steps);
  });
}

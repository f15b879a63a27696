import type { Instant } from '../shared/time.ts';
import type { ChargeKey } from './port.ts';

/** A capture of an authorized charge, in full or in part. The acquirer releases the rest. */
interface CaptureRequest {
  charge: ChargeKey;
  /** Idempotency key of the capture: the same key captures once. */
  modificationKey: string;
  /** The acquirer's own reference of the capture; null before the first response. */
  reference: string | null;
  amountMinor: bigint;
}

/** A void of an authorized charge: the acquirer releases the full amount. */
export type VoidRequest = Omit<CaptureRequest, 'amountMinor'>;

/**
 * The acquirer's outcome for a capture or a void. `reference`: its own reference, which later calls receive.
 * `occurredAt`: set if the acquirer may repeat a failed capture, to order its results.
 */
export type CaptureOutcome = { reference?: string; occurredAt?: Instant } & (
  | { kind: 'succeeded' }
  /** Captured, but not by this operation (in the acquirer's dashboard, for example), or for a different amount. */
  | { kind: 'captured'; amountMinor: bigint }
  /** In progress, or unknown: a later call or notification reports the outcome. */
  | { kind: 'pending' }
  /**
   * Rejected, or failed after it had succeeded (`isLate`). `code` is stable, `detail` is text for the merchant.
   * `isReleased`: the authorization no longer exists, because it expired or was voided at the acquirer.
   */
  | { kind: 'refused'; code: string; detail: string; isReleased?: boolean; isLate?: boolean }
);

/**
 * Captures and voids charges that were authorized without a capture. Called again with the same key, both return the
 * current outcome. A rejected promise means that the outcome is unknown.
 */
export interface ManualCapture {
  capture(request: CaptureRequest): Promise<CaptureOutcome>;
  void(request: VoidRequest): Promise<CaptureOutcome>;
}

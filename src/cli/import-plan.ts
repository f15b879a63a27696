import type { SubscribableEventType } from '../shared/webhook-event-types.ts';

/** The planned import of one object of another payment service. */
export type PlannedImport = {
  /** The object as named in the report: `payment request “Rent”`. */
  source: string;
} & (
  | { kind: 'preference'; key: string; value: boolean | number | string }
  | { kind: 'webhook_endpoint'; url: string; eventTypes: readonly SubscribableEventType[] | null }
  /** `origin` is stored in the metadata, and identifies the object in later imports. */
  | { kind: 'reusable_link'; origin: string; body: Record<string, unknown> }
  /** `body` has a `transaction_id`, which identifies the object in later imports. */
  | { kind: 'payment_link'; origin: string; body: Record<string, unknown> & { transaction_id: string } }
  | { kind: 'none'; reason: string }
);

/** Country and payment method of imported links. */
export interface LinkDefaults {
  country: string;
  method: string;
}

/** The metadata key that identifies the imported object. */
export const ORIGIN_KEY = 'imported_from';

/** Limits of a custom amount, if the source has none. */
export const DEFAULT_CUSTOM_AMOUNT = { minimum: 1, maximum: 10_000 };

/** Converts HTML to one line of text; null if it is empty. */
export function plainText(html: string | null | undefined, max: number): string | null {
  const line = (html ?? '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(?:#(\d{1,6})|(amp|lt|gt|quot|nbsp));/g, (_, code: string | undefined, name: string) =>
      code === undefined ? (entities[name] ?? ' ') : String.fromCodePoint(Number(code)),
    )
    .replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim();
  return line === '' ? null : [...line].slice(0, max).join('').trim();
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** Returns the `image_url` if browsers can load it. */
export function absoluteImage(url: string | null | undefined): { image_url?: string } {
  return url && URL.parse(url)?.protocol === 'https:' ? { image_url: url } : {};
}

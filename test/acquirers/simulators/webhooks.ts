/** One signed webhook, ready to send. */
export interface Webhook {
  /** The vendor's name of the event. */
  event: string;
  /** Our reference that it reports on. */
  reference: string;
  headers: Record<string, string>;
  body: string;
}

/** A webhook before it is signed. */
export interface Notice<Payload extends object> {
  event: string;
  reference: string;
  payload: Payload;
}

/** How an attacker changes a webhook. `changed` alters the amount after the vendor signed. */
export type Forgery = 'wrong_key' | 'unsigned' | 'changed';

/** The signature scheme of a vendor, and the fields an attacker would change. */
export interface Signing<Payload extends object> {
  /** Signs with the real key, another one, or not at all. */
  sign(payload: Payload, key: 'real' | 'wrong' | 'none'): { headers: Record<string, string>; payload: object };
  /** Changes the amount of a signed payload. */
  tamper(signed: object): object;
}

export interface DeliveryResult {
  webhook: Webhook;
  status: number;
}

/** Sends a webhook to the service under test; resolves with the response status. */
export type Send = (webhook: Webhook) => Promise<number>;

/** Posts webhooks to a URL. */
export function sendTo(url: string): Send {
  return async ({ headers, body }) => {
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual' });
    await response.arrayBuffer();
    return response.status;
  };
}

/** Webhooks that the vendor has not delivered yet. Nothing is sent until the test delivers it. */
export class WebhookQueue<Payload extends object> {
  readonly pending: Webhook[] = [];
  /** All webhooks of the run, delivered or not. */
  readonly history: Webhook[] = [];
  readonly #notices = new Map<Webhook, Notice<Payload>>();
  readonly #signing: Signing<Payload>;
  /** Where webhooks go. The test sets it. */
  send: Send = () => Promise.reject(new Error('Set `webhooks.send` before webhooks are delivered'));

  constructor(signing: Signing<Payload>) {
    this.#signing = signing;
  }

  /** Queues a webhook. */
  add(notice: Notice<Payload>): void {
    const webhook = this.#seal(notice, 'real');
    this.#notices.set(webhook, notice);
    this.pending.push(webhook);
    this.history.push(webhook);
  }

  /** Takes a webhook out of the queue without sending it; null if there is none. */
  take(): Webhook | null {
    return this.pending.shift() ?? null;
  }

  /** Sends the next webhooks, all by default. Unacknowledged webhooks return to the queue, as vendors repeat them. */
  async deliver(count = this.pending.length): Promise<DeliveryResult[]> {
    const results: DeliveryResult[] = [];
    for (const webhook of this.pending.slice(0, count)) {
      const status = await this.send(webhook);
      this.pending.splice(this.pending.indexOf(webhook), 1);
      if (status < 200 || status > 299) this.pending.push(webhook);
      results.push({ webhook, status });
    }
    return results;
  }

  /** Sends the next webhooks, each twice at the same time. */
  async deliverTwice(count = this.pending.length): Promise<DeliveryResult[]> {
    const twice = this.pending.splice(0, count).flatMap((webhook) => [webhook, webhook]);
    return await Promise.all(twice.map(async (webhook) => ({ webhook, status: await this.send(webhook) })));
  }

  /** Sends webhooks again that were delivered before. */
  async redeliver(webhooks: readonly Webhook[] = this.history): Promise<DeliveryResult[]> {
    const results: DeliveryResult[] = [];
    for (const webhook of webhooks) results.push({ webhook, status: await this.send(webhook) });
    return results;
  }

  /** Puts the queue into another order: reversed, or by indexes. */
  reorder(order: readonly number[] = [...this.pending.keys()].toReversed()): void {
    const queued = this.pending.splice(0);
    this.pending.push(...order.map((index) => present(queued[index])));
  }

  /** Loses the next webhooks, all by default. */
  drop(count = this.pending.length): Webhook[] {
    return this.pending.splice(0, count);
  }

  /** Returns a forged copy of a webhook, by default of the next one. */
  forge(forgery: Forgery, webhook: Webhook = present(this.pending[0])): Webhook {
    return this.#seal(present(this.#notices.get(webhook)), forgery);
  }

  #seal({ event, reference, payload }: Notice<Payload>, form: 'real' | Forgery): Webhook {
    const keys = { real: 'real', changed: 'real', wrong_key: 'wrong', unsigned: 'none' } as const;
    const signed = this.#signing.sign(payload, keys[form]);
    const sent = form === 'changed' ? this.#signing.tamper(signed.payload) : signed.payload;
    const headers = { 'content-type': 'application/json', ...signed.headers };
    return { event, reference, headers, body: JSON.stringify(sent) };
  }
}

function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('No such webhook in the queue');
  return value;
}

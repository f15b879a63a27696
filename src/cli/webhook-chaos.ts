/** Delivery faults that a webhook endpoint must tolerate. */
export const webhookFaults = ['duplicate', 'delay', 'reorder', 'drop'] as const;
export type WebhookFault = (typeof webhookFaults)[number];

/** Share of the webhooks with a fault. */
const FAULT_SHARE = 0.5;
const MIN_DELAY_MS = 200;
const MAX_DELAY_MS = 5000;
/** Maximum time that a reordered webhook waits for the next one, before it is sent anyway. */
const MAX_HOLD_MS = 5000;

/** Pseudo-random numbers from 0 to 1 by seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Sends webhooks with random faults. `send` is called with the fault that changes a delivery; null if there is none. */
export function createChaos<Message>(options: {
  /** Possible faults; if empty, all webhooks are sent unchanged. */
  faults: readonly WebhookFault[];
  random: () => number;
  send: (message: Message, fault: WebhookFault | null) => Promise<void>;
  dropped: (message: Message) => void;
  schedule: (action: () => void, delayMs: number) => void;
}): (message: Message) => Promise<void> {
  const { faults, random, send, dropped, schedule } = options;
  let held: Message | null = null;

  const delay = () => MIN_DELAY_MS + random() * (MAX_DELAY_MS - MIN_DELAY_MS);
  const sendLater = (message: Message, fault: WebhookFault) => schedule(() => void send(message, fault), delay());
  const releaseHeld = async () => {
    if (held === null) return;
    const message = held;
    held = null;
    await send(message, 'reorder');
  };

  return async (message) => {
    const fault = random() < FAULT_SHARE ? (faults[Math.floor(random() * faults.length)] ?? null) : null;
    if (fault === 'drop') dropped(message);
    else if (fault === 'delay') sendLater(message, fault);
    else if (fault === 'reorder' && held === null) {
      held = message;
      schedule(() => void (held === message && releaseHeld()), MAX_HOLD_MS);
    } else {
      await send(message, null);
      if (fault === 'duplicate') sendLater(message, fault);
      await releaseHeld();
    }
  };
}

import type { FromFrame } from '../../src/shared/frame/from-frame.ts';
import type { ToFrame } from '../../src/shared/frame/to-frame.ts';
import type { PayFormEventMap, PayReferenceDetail } from '../../widget/events.ts';
import type { PayForm } from '../../widget/pay-form.ts';
import '../../widget/pay-form.ts';

/**
 * URL of a fake frame. It accepts the handshake in place of the payment service's frame, on our own origin so that
 * tests can access it.
 */
export const FAKE_FRAME_URL = '/test/component/fake-frame.html';

/** Window of the fake frame. */
interface FakeFrame extends Window {
  handshakes: { data: unknown; origin: string; portCount: number }[];
  ports: MessagePort[];
  received: ToFrame[];
}

export const payEventTypes: readonly (keyof PayFormEventMap)[] = [
  'pay-ready',
  'pay-change',
  'pay-submit',
  'pay-challenge',
  'pay-success',
  'pay-pending',
  'pay-decline',
  'pay-cancel',
  'pay-error',
];

/** Sent last: when its event fires, all earlier messages have been processed. */
const LAST: FromFrame = { type: 'pay-ready', reference: 'last-message' };

/** A `<pay-form>` with the fake frame, and access to both. */
export async function payForm(attributes: Record<string, string> = {}, parent: Node = document.body) {
  const element = document.createElement('pay-form');
  for (const [name, value] of Object.entries({ src: FAKE_FRAME_URL, ...attributes })) element.setAttribute(name, value);
  const events: RecordedEvent[] = [];
  for (const type of payEventTypes) {
    element.addEventListener(type, (event: CustomEvent<unknown>) => {
      const { detail, bubbles, composed, cancelable } = event;
      if (!isLast(event)) events.push({ type, detail, bubbles, composed, cancelable });
    });
  }
  parent.appendChild(element);
  return { element, events, ...(await connectFakeFrame(element)) };
}

interface RecordedEvent {
  type: keyof PayFormEventMap;
  detail: unknown;
  bubbles: boolean;
  composed: boolean;
  cancelable: boolean;
}

const isLast = ({ type, detail }: CustomEvent<unknown>) =>
  type === LAST.type && (detail as PayReferenceDetail).reference === LAST.reference;

/** The fake frame of an element, after the handshake. */
export async function connectFakeFrame(element: PayForm) {
  const frame = element.shadowRoot?.querySelector('iframe');
  if (!frame) throw new Error('The frame is missing');
  await once(frame, 'load');
  const fakeFrame = frame.contentWindow as unknown as FakeFrame;
  await once(fakeFrame, 'message');
  return {
    frame,
    fakeFrame,
    /** Sends messages as the frame; resolves when the element has processed them. */
    async send(...messages: unknown[]) {
      const isDone = new Promise<void>((resolve) => {
        const onEvent = (event: CustomEvent<unknown>) => {
          if (!isLast(event)) return;
          element.removeEventListener(LAST.type, onEvent as EventListener);
          resolve();
        };
        element.addEventListener(LAST.type, onEvent as EventListener);
      });
      for (const message of [...messages, LAST]) fakeFrame.ports.at(-1)?.postMessage(message);
      await isDone;
    },
    /** Waits for the first message of a type that the frame receives, after skipping `skip` messages. */
    async receives<Type extends ToFrame['type']>(type: Type, skip = 0): Promise<Extract<ToFrame, { type: Type }>> {
      for (;;) {
        const found = fakeFrame.received.slice(skip).find((message) => message.type === type);
        if (found) return found as Extract<ToFrame, { type: Type }>;
        await once(fakeFrame, 'message-received');
      }
    },
  };
}

async function once(target: EventTarget, type: string): Promise<void> {
  await new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
}

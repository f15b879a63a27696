import type { FromFrame } from '../../src/shared/frame/from-frame.ts';
import type { ToFrame } from '../../src/shared/frame/to-frame.ts';
import type { PayFormEventMap, PayReferenceDetail } from '../../widget/events.ts';
import type { PayForm } from '../../widget/pay-form.ts';
import '../../widget/pay-form.ts';

/** The document that takes the handshake in place of the payment service's own, of our own origin so that tests can look into it. */
export const STAND_IN = '/test/component/stand-in-frame.html';

/** The window of that document. */
export interface StandIn extends Window {
  arrived: { data: unknown; origin: string; portCount: number }[];
  ports: MessagePort[];
  heard: ToFrame[];
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

/** Said last: when it has become an event, everything before it has been dealt with. */
const LAST: FromFrame = { type: 'pay-ready', reference: 'the last of it' };

/** An element in the page with the stand-in in its frame, and the ends of both. */
export async function payForm(attributes: Record<string, string> = {}, parent: Node = document.body) {
  const element = document.createElement('pay-form');
  for (const [name, value] of Object.entries({ src: STAND_IN, ...attributes })) element.setAttribute(name, value);
  const told: Told[] = [];
  for (const type of payEventTypes) {
    element.addEventListener(type, (event: CustomEvent<unknown>) => {
      const { detail, bubbles, composed, cancelable } = event;
      if (!isLast(event)) told.push({ type, detail, bubbles, composed, cancelable });
    });
  }
  parent.appendChild(element);
  return { element, told, ...(await standInOf(element)) };
}

interface Told {
  type: keyof PayFormEventMap;
  detail: unknown;
  bubbles: boolean;
  composed: boolean;
  cancelable: boolean;
}

const isLast = ({ type, detail }: CustomEvent<unknown>) =>
  type === LAST.type && (detail as PayReferenceDetail).reference === LAST.reference;

/** The stand-in in an element's frame, once the two have shaken hands. */
export async function standInOf(element: PayForm) {
  const frame = element.shadowRoot?.querySelector('iframe');
  if (!frame) throw new Error('There is no frame');
  await once(frame, 'load');
  const standIn = frame.contentWindow as unknown as StandIn;
  await once(standIn, 'message');
  return {
    frame,
    standIn,
    /** Speaks as the frame; resolves when the element has dealt with all of it. */
    async tell(...messages: unknown[]) {
      const isDone = new Promise<void>((resolve) => {
        const see = (event: CustomEvent<unknown>) => {
          if (!isLast(event)) return;
          element.removeEventListener(LAST.type, see as EventListener);
          resolve();
        };
        element.addEventListener(LAST.type, see as EventListener);
      });
      for (const message of [...messages, LAST]) standIn.ports.at(-1)?.postMessage(message);
      await isDone;
    },
    /** The first message of a type that the frame has heard, or hears, behind so many others. */
    async hears<Type extends ToFrame['type']>(type: Type, behind = 0): Promise<Extract<ToFrame, { type: Type }>> {
      for (;;) {
        const found = standIn.heard.slice(behind).find((message) => message.type === type);
        if (found) return found as Extract<ToFrame, { type: Type }>;
        await once(standIn, 'heard');
      }
    },
  };
}

async function once(target: EventTarget, type: string): Promise<void> {
  await new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
}

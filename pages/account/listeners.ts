import type { ReactiveControllerHost } from 'lit';

type Listener = (event: never) => void;

/** Listens to events of `target` while the host is in the document. */
export function listenTo(
  host: ReactiveControllerHost,
  target: EventTarget,
  listeners: Readonly<Record<string, Listener>>,
): void {
  const entries = Object.entries(listeners) as [string, EventListener][];
  host.addController({
    hostConnected() {
      for (const [type, listener] of entries) target.addEventListener(type, listener);
    },
    hostDisconnected() {
      for (const [type, listener] of entries) target.removeEventListener(type, listener);
    },
  });
}

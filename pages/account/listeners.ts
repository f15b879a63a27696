import type { LitElement, ReactiveControllerHost } from 'lit';

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

/** Sets `data-focused` on the host's iframe that has the focus. No pseudo-class matches it. */
export function markFocusedFrame(host: LitElement): void {
  const mark = () => {
    for (const frame of host.querySelectorAll('iframe'))
      frame.toggleAttribute('data-focused', frame === document.activeElement);
  };
  listenTo(host, window, { blur: mark, focus: mark, focusin: mark });
}

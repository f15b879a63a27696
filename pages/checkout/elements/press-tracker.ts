import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Defers work while a finger or mouse button is pressed. An error that appears when a field loses focus shifts the
 * page. Without the delay, the button would move away during the press.
 */
export class PressTracker implements ReactiveController {
  #isPressed = false;
  #deferred: (() => void)[] = [];

  constructor(host: ReactiveControllerHost) {
    host.addController(this);
  }

  hostConnected() {
    addEventListener('pointerdown', this.#onDown, true);
    for (const type of ['pointerup', 'pointercancel'] as const) addEventListener(type, this.#onUp, true);
  }

  hostDisconnected() {
    removeEventListener('pointerdown', this.#onDown, true);
    for (const type of ['pointerup', 'pointercancel'] as const) removeEventListener(type, this.#onUp, true);
  }

  /** Runs `act` immediately, or after the press has ended and its click was handled. */
  whenReleased(act: () => void) {
    if (this.#isPressed) this.#deferred.push(act);
    else act();
  }

  readonly #onDown = () => {
    this.#isPressed = true;
  };

  readonly #onUp = () => {
    this.#isPressed = false;
    setTimeout(() => {
      for (const act of this.#deferred.splice(0)) act();
    });
  };
}

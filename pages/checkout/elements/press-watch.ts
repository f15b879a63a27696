import type { ReactiveController, ReactiveControllerHost } from 'lit';

/**
 * Knows whether a finger or a mouse button is down, and holds work back until it is up. Words that
 * appear when a field loses the focus move what is below; without the wait they would move the
 * button away from under the finger that is pressing it.
 */
export class PressWatch implements ReactiveController {
  #pressed = false;
  #held: (() => void)[] = [];

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

  /** Runs `act` now, or once the press is over and its click has been dealt with. */
  whenReleased(act: () => void) {
    if (this.#pressed) this.#held.push(act);
    else act();
  }

  readonly #onDown = () => {
    this.#pressed = true;
  };

  readonly #onUp = () => {
    this.#pressed = false;
    setTimeout(() => {
      for (const act of this.#held.splice(0)) act();
    });
  };
}

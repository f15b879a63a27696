import { html } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { RotateWebhookEndpointSecretResponse } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { icon } from '../icons.ts';
import { button, section } from '../parts.ts';
import { secretPanel } from '../secret-view.ts';
import { SerialQueue } from '../serial-queue.ts';
import { promptForOverlap } from './rotation-prompt.ts';

/** Rotates the signing secret of an endpoint, and shows the new one once. */
@customElement('endpoint-secret')
export class EndpointSecret extends AccountElement {
  /** The ID of the endpoint. */
  @property({ attribute: false }) endpoint = '';
  /** Runs a change, with a step-up if the service requires it. */
  @property({ attribute: false }) runWithStepUp!: <Result>(action: () => Promise<Result>) => Promise<Result>;

  @state() private rotation: RotateWebhookEndpointSecretResponse | null = null;

  readonly #queue = new SerialQueue(this);

  async #rotate() {
    if (this.#queue.has('rotate')) return;
    const hours = await promptForOverlap(this.context, (name) => this.text(name));
    if (hours === null) return;
    const input = { id: this.endpoint, keep_hours: hours };
    await this.#queue.run('rotate', async () => {
      await this.attempt(async () => {
        this.rotation = await this.runWithStepUp(async () => await this.context.api.rotateWebhookEndpointSecret(input));
      });
    });
    await this.updateComplete;
    this.querySelector<HTMLElement>('#new-endpoint-secret')?.focus();
  }

  override render() {
    const { rotation } = this;
    const rotate = button(this.text('webhooks.rotate'), () => void this.#rotate(), {
      ...{ icon: 'rotate-ccw', isBusy: this.#queue.has('rotate') },
    });
    const newSecret = rotation && {
      ...{ id: 'new-endpoint-secret', label: this.text('webhooks.new_secret'), value: rotation.secret },
      text: this.text('webhooks.new_secret_text', {
        until: this.context.format.dateTimeText(rotation.previous_valid_until),
      }),
      close: () => (this.rotation = null),
    };
    return section(
      'secret',
      this.text('webhooks.secret'),
      newSecret === null
        ? html`<div class="panel row row-wraps">
            <span class="row-icon" aria-hidden="true">${icon('key-round')}</span>
            <p class="row-content row-text">${this.text('webhooks.secret_text')}</p>
            ${rotate}
          </div>`
        : secretPanel(this.i18n, newSecret),
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'endpoint-secret': EndpointSecret;
  }
}

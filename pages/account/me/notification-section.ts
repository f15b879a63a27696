import { html, nothing } from 'lit';
import { customElement } from 'lit/decorators.js';
import { live } from 'lit/directives/live.js';
import { AccountElement } from '../account-element.ts';
import { checkField } from '../choices.ts';
import { Loader } from '../loader.ts';
import { section } from '../parts.ts';

/** The email notifications of the user; nothing if the service sends no email. */
@customElement('notification-section')
export class NotificationSection extends AccountElement {
  readonly #loader = new Loader(this, async () => await this.context.api.call('readNotifications'));

  async #set(kind: 'review_waiting' | 'endpoint_disabled', isOn: boolean) {
    const isSaved = await this.attempt(async () => {
      this.#loader.set(await this.context.api.call('setNotification', { kind, is_on: isOn }));
    });
    if (isSaved) this.context.announce(this.text('me.notifications_saved'));
    // Shows the stored state again.
    else await this.#loader.run();
  }

  override render() {
    const { value } = this.#loader;
    if (!value?.is_set_up) return nothing;
    return section(
      'notifications',
      this.text('me.notifications'),
      html`<p class="section-text">${this.text('me.notifications_text')}</p>
        <div class="panel panel-body notifications">
          ${value.kinds.map(({ kind, is_on: isOn }) =>
            checkField({
              ...{ text: this.text(`me.notify_${kind}`), isChecked: live(isOn) },
              onChange: (isChecked) => void this.#set(kind, isChecked),
            }),
          )}
        </div>`,
    );
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'notification-section': NotificationSection;
  }
}

import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { CallbackEndpoint, RotateCallbackSecretResponse, TestCallbackResponse } from '../../../client/api.ts';
import { AccountElement } from '../account-element.ts';
import { hasScope } from '../context.ts';
import { focusInvalidField, trimmedValue, textField } from '../fields.ts';
import { responseView } from './response-view.ts';
import { secretView } from '../secret-view.ts';
import { SerialQueue } from '../serial-queue.ts';
import { toProblem } from '../problems.ts';
import { askKeepHours } from '../webhooks/rotation-prompt.ts';
import { button, notice, section, tag } from '../parts.ts';

/**
 * The webhook endpoint: its URL, state and signing secret.
 *
 * @fires endpoint-change - the state of the endpoint may have changed
 */
@customElement('callback-section')
export class CallbackSection extends AccountElement {
  @property({ attribute: false }) endpoint!: CallbackEndpoint;

  @state() private fieldError: string | null = null;
  @state() private testResult: TestCallbackResponse | null = null;
  @state() private rotation: RotateCallbackSecretResponse | null = null;

  readonly #queue = new SerialQueue(this);

  async #runChange(name: string, action: () => Promise<void>) {
    await this.#queue.run(name, async () => {
      try {
        await action();
      } catch (error) {
        const problem = toProblem(error);
        const fieldDetail = problem.errors[0]?.detail;
        if (name.startsWith('save') && fieldDetail !== undefined) this.fieldError = fieldDetail;
        else this.announceProblem(problem);
      }
    });
    await this.updateComplete;
    focusInvalidField(this);
  }

  async #save(event: SubmitEvent) {
    event.preventDefault();
    const url = trimmedValue(new FormData(event.target as HTMLFormElement), 'url') || null;
    this.fieldError = null;
    await this.#runChange(
      `save ${url ?? ''}`,
      async () => await this.#saveUrl(url, this.text('integration.url_saved')),
    );
  }

  /** Saves the URL. Saving the same URL again enables a disabled endpoint. */
  async #saveUrl(url: string | null, message: string) {
    await this.context.api.setPreferences({ preferences: [{ key: 'callback-url', value: url }] });
    this.testResult = null;
    this.context.announce(message);
    this.emit('endpoint-change', null);
  }

  async #test() {
    await this.#runChange('test', async () => {
      this.testResult = await this.context.api.testCallback();
      this.context.announce(
        this.text(this.testResult.delivered ? 'integration.test_arrived' : 'integration.test_failed'),
      );
      this.emit('endpoint-change', null);
    });
  }

  async #rotate() {
    if (this.#queue.has('rotate')) return;
    const hours = await askKeepHours(this.context, (name) => this.text(name));
    if (hours === null) return;
    await this.#runChange('rotate', async () => {
      this.rotation = await this.context.api.rotateCallbackSecret({ keep_hours: hours });
      await this.updateComplete;
      this.querySelector<HTMLElement>('#new-callback-secret')?.focus();
    });
  }

  override render() {
    const canEdit = hasScope(this.context, 'preference:write');
    return html`<section class="section" aria-labelledby="callbacks">
        <h2 class="section-heading" id="callbacks">${this.text('integration.callbacks')}</h2>
        <p class="section-text">${this.text('integration.callbacks_text')}</p>
        <div class="panel panel-body">
          <form class="add-row" novalidate @submit=${(event: SubmitEvent) => void this.#save(event)}>
            ${textField({
              ...{ id: 'callback-url', name: 'url', label: this.text('integration.url'), type: 'url', dir: 'ltr' },
              ...{ placeholder: 'https://shop.example/callbacks', value: this.endpoint.url ?? '' },
              ...{ isReadOnly: !canEdit, fieldError: this.fieldError },
            })}
            ${canEdit ? button(this.text('integration.save'), null, { isBusy: this.#queue.has('save') }) : nothing}
          </form>
          ${this.#endpointState()}
          ${
            hasScope(this.context, 'callback:send') && this.endpoint.url !== null
              ? html`<div class="row-actions">
                  ${button(this.text('integration.test'), () => void this.#test(), { icon: 'send', isBusy: this.#queue.has('test') })}
                </div>`
              : nothing
          }
          ${this.testResult === null ? nothing : this.#testResultView(this.testResult)}
        </div>
      </section>
      ${hasScope(this.context, 'callback:manage') ? this.#secretSection() : nothing}`;
  }

  /** State of the endpoint. */
  #endpointState() {
    const { url, disabled_at: disabledSince, disabled_reason: reason, failing_since: failingSince } = this.endpoint;
    const { format } = this.context;
    if (url === null) return html`<p class="hint">${this.text('integration.no_url')}</p>`;
    if (disabledSince !== null)
      return notice({
        ...{ icon: 'pause', tone: 'bad' },
        heading: html`${this.text('statuses.endpoint.disabled')} ${format.relativeTime(disabledSince)}`,
        text: this.text(`integration.off_${reason ?? 'no_success'}`),
        action: hasScope(this.context, 'preference:write')
          ? button(
              this.text('integration.switch_on'),
              () =>
                void this.#runChange('on', async () => await this.#saveUrl(url, this.text('integration.switched_on'))),
              { isBusy: this.#queue.has('on') },
            )
          : nothing,
      });
    if (failingSince !== null)
      return html`<p class="endpoint-state">
        ${tag(this.text('integration.receiver_failing'), 'warn', 'triangle-alert')}
        <span>${this.text('integration.failing_since')} ${format.relativeTime(failingSince)}. ${this.text('integration.failing_text')}</span>
      </p>`;
    return html`<p class="endpoint-state">
      ${tag(this.text('statuses.endpoint.enabled'), 'good', 'check')}
    </p>`;
  }

  #testResultView(testResult: TestCallbackResponse) {
    return html`<div class="test-result">
      <p>
        ${tag(this.text(testResult.delivered ? 'integration.test_arrived' : 'integration.test_failed'), testResult.delivered ? 'good' : 'bad', testResult.delivered ? 'check' : 'x')}
      </p>
      ${responseView(this.i18n, this.context.format, testResult)}
    </div>`;
  }

  #secretSection() {
    const { rotation } = this;
    return section(
      'secret',
      this.text('integration.secret'),
      html`<p class="section-text">${this.text('integration.secret_text')}</p>
      <div class="panel panel-body">
        ${
          rotation === null
            ? html`<div class="secret-row">
                <code aria-hidden="true" dir="ltr">whsec_••••••••••••</code>
                ${button(this.text('integration.rotate'), () => void this.#rotate(), { icon: 'refresh-cw', isBusy: this.#queue.has('rotate') })}
              </div>`
            : secretView(this.i18n, {
                ...{ id: 'new-callback-secret', label: this.text('integration.new_secret') },
                value: rotation.callback_secret,
                text: this.text('integration.new_secret_text', {
                  until: this.context.format.dateTimeText(rotation.previous_valid_until),
                }),
                close: () => (this.rotation = null),
              })
        }
      </div>`,
    );
  }
}

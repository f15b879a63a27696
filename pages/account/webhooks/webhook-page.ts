import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { TestWebhookEndpointResponse, WebhookEndpoint } from '../../../client/api.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { StepUpPage } from '../acquirers/step-up-page.ts';
import { breakable } from '../breakable.ts';
import { hasScope } from '../context.ts';
import { copyable } from '../copy-button.ts';
import { Loader } from '../loader.ts';
import { backLink, button, factList, notice, pageHead, section, tag } from '../parts.ts';
import { SerialQueue } from '../serial-queue.ts';
import { eventTypes, failuresOf, preferenceTag, recentRate, stateTag } from './endpoint-state.ts';
import { responseView } from './response-view.ts';
import './deliveries-section.ts';
import './endpoint-dialog.ts';
import './endpoint-secret.ts';

const REFRESH_DELAY_MS = 1000;

/** A webhook endpoint: its state, deliveries, test and signing secret. */
@customElement('webhook-page')
export class WebhookPage extends StepUpPage {
  @state() private testResult: TestWebhookEndpointResponse | null = null;

  readonly #queue = new SerialQueue(this);
  readonly #loader = this.reloadOnUpdate(
    new Loader<WebhookEndpoint>(
      this,
      async (signal) => await this.context.api.getWebhookEndpoint({ id: this.#id }, { signal }),
    ),
    REFRESH_DELAY_MS,
  );

  get #id(): string {
    return this.params['id'] ?? '';
  }

  /** Runs a change, and shows the endpoint afterward. */
  async #change(name: string, action: () => Promise<unknown>, message?: string) {
    await this.#queue.run(name, async () => {
      await this.attempt(async () => {
        await action();
        if (message !== undefined) this.context.announce(message);
        await this.#loader.refresh();
      });
    });
  }

  async #setEnabled({ url, from_preferences: isFromPreferences }: WebhookEndpoint, enabled: boolean) {
    if (!enabled && !(await this.confirm('webhooks.disable', { url }))) return;
    const { api } = this.context;
    await this.#change(
      'enabled',
      async () =>
        await this.runWithStepUp(async () =>
          isFromPreferences
            ? await this.#setPreference(url)
            : await api.updateWebhookEndpoint({ id: this.#id, enabled }),
        ),
      this.text(enabled ? 'webhooks.enabled' : 'webhooks.disabled'),
    );
  }

  /** Sets `callback-url`. Setting the same URL again enables a disabled endpoint. */
  async #setPreference(value: string | null) {
    await this.context.api.setPreferences({ preferences: [{ key: 'callback-url', value }] });
  }

  async #remove({ url, from_preferences: isFromPreferences }: WebhookEndpoint) {
    if (!(await this.confirm('webhooks.remove', { url }))) return;
    const { api } = this.context;
    await this.#queue.run('remove', async () => {
      await this.attempt(async () => {
        await this.runWithStepUp(async () =>
          isFromPreferences ? await this.#setPreference(null) : await api.removeWebhookEndpoint({ id: this.#id }),
        );
        this.context.announce(this.text('webhooks.removed'));
        this.context.navigate(this.context.merchantPath('webhooks'));
      });
    });
  }

  async #test() {
    await this.#change('test', async () => {
      this.testResult = await this.context.api.testWebhookEndpoint({ id: this.#id });
      this.context.announce(this.text(this.testResult.delivered ? 'webhooks.test_delivered' : 'webhooks.test_failed'));
    });
  }

  override render() {
    const title = this.text('shell.pages.webhook');
    return html`${backLink(this.context.merchantPath('webhooks'), this.text('shell.pages.webhooks'))}
    ${this.#loader.value === null ? pageHead(title) : nothing}
    ${loadView(this.#loader, this.i18n, {
      skeleton: () => skeletonRows(5),
      content: (endpoint) => this.#content(endpoint),
    })}
    <endpoint-dialog
      .runWithStepUp=${this.runWithStepUp}
      @endpoint-saved=${() => void this.#loader.refresh()}
    ></endpoint-dialog>
    ${this.stepUpDialog('webhooks.step_up')}`;
  }

  #content(endpoint: WebhookEndpoint) {
    const { format } = this.context;
    const { url, description, from_preferences: isFromPreferences } = endpoint;
    const canManage = hasScope(this.context, 'callback:manage');
    const canEdit = this.#canEdit(endpoint);
    const edit = () => this.querySelector('endpoint-dialog')?.open(endpoint);
    const time = (at: string | null) => at && format.dateTime(at);
    return html`<header class="page-head">
        <div>
          <h1 tabindex="-1" class="endpoint-url" dir="auto">${description ?? new URL(url).host}</h1>
          <p class="page-lead endpoint-state">
            ${stateTag(endpoint, this.i18n)} ${isFromPreferences ? preferenceTag() : nothing}
          </p>
        </div>
        <div class="row-actions webhook-actions">
          ${
            hasScope(this.context, 'callback:send')
              ? button(this.text('webhooks.test'), () => void this.#test(), {
                  ...{ icon: 'send', isBusy: this.#queue.has('test') },
                })
              : nothing
          }
          ${canEdit ? button(this.text('webhooks.edit'), edit, { icon: 'pencil' }) : nothing}
        </div>
      </header>
      ${this.#stateNotice(endpoint)}
      <div class="panel panel-body">
        ${factList([
          [
            this.text('webhooks.url'),
            copyable(url, this.text('webhooks.url'), this.i18n, html`<code dir="ltr">${breakable(url)}</code>`),
          ],
          [this.text('webhooks.events'), eventTypes(endpoint, this.i18n)],
          [this.text('webhooks.recent'), recentRate(endpoint, this.i18n, format) ?? this.text('webhooks.no_recent')],
          [this.text('webhooks.last_delivered'), time(endpoint.last_delivered_at)],
          [this.text('webhooks.last_failed'), time(endpoint.last_failed_at)],
          [this.text('webhooks.created'), time(endpoint.created_at)],
        ])}
        ${this.testResult === null ? nothing : this.#testResultView(this.testResult)}
      </div>
      <deliveries-section
        .endpoint=${endpoint.id}
        .failures=${failuresOf([endpoint])}
        @endpoint-change=${() => void this.#loader.refresh()}
      ></deliveries-section>
      ${
        canManage
          ? html`<endpoint-secret .endpoint=${endpoint.id} .runWithStepUp=${this.runWithStepUp}></endpoint-secret>`
          : nothing
      }
      ${canEdit ? this.#manageSection(endpoint) : nothing}`;
  }

  #canEdit({ from_preferences: isFromPreferences }: WebhookEndpoint): boolean {
    return hasScope(this.context, isFromPreferences ? 'preference:write' : 'callback:manage');
  }

  #stateNotice(endpoint: WebhookEndpoint) {
    const { format } = this.context;
    const { status, disabled_at: disabledAt, disabled_reason: reason, failing_since: failingSince } = endpoint;
    if (status === 'disabled')
      return notice({
        ...{ icon: 'pause', tone: 'bad' },
        heading: html`${this.text('statuses.endpoint.disabled')} ${format.relativeTime(disabledAt ?? '')}`,
        text: this.text(
          reason === 'merchant' ? 'webhooks.disabled_merchant' : `webhooks.disabled_${reason ?? 'no_success'}`,
        ),
        action: this.#canEdit(endpoint)
          ? button(this.text('webhooks.enable'), () => void this.#setEnabled(endpoint, true), {
              isBusy: this.#queue.has('enabled'),
            })
          : nothing,
      });
    if (failingSince !== null)
      return notice({
        ...{ icon: 'triangle-alert', tone: 'warn' },
        heading: html`${this.text('webhooks.failing')} · ${format.relativeTime(failingSince)}`,
        text: this.text('webhooks.failing_text'),
      });
    return nothing;
  }

  #testResultView(result: TestWebhookEndpointResponse) {
    const { delivered } = result;
    return html`<div class="test-result">
      <p>
        ${tag(
          this.text(delivered ? 'webhooks.test_delivered' : 'webhooks.test_failed'),
          delivered ? 'good' : 'bad',
          delivered ? 'check' : 'x',
        )}
      </p>
      ${responseView(this.i18n, this.context.format, result)}
    </div>`;
  }

  #manageSection(endpoint: WebhookEndpoint) {
    return section(
      'manage',
      this.text('webhooks.endpoint'),
      html`<div class="panel panel-body">
        <div class="row-actions">
        ${
          endpoint.status === 'enabled' && !endpoint.from_preferences
            ? button(this.text('webhooks.disable'), () => void this.#setEnabled(endpoint, false), {
                ...{ icon: 'pause', isBusy: this.#queue.has('enabled') },
              })
            : nothing
        }
        ${button(this.text('webhooks.remove'), () => void this.#remove(endpoint), {
          ...{ icon: 'trash-2', isBusy: this.#queue.has('remove') },
        })}
      </div></div>`,
    );
  }
}

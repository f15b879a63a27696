import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { TestWebhookEndpointResponse, WebhookEndpoint } from '../../../client/api.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { ConfirmedPage } from '../acquirers/confirmed-page.ts';
import { hasScope } from '../context.ts';
import { responseView } from '../integration/response-view.ts';
import { Loader } from '../loader.ts';
import { button, factList, notice, section, tag } from '../parts.ts';
import { SerialQueue } from '../serial-queue.ts';
import type { SavedEndpoint } from './endpoint-dialog.ts';
import { eventTypes, recentRate, stateTag } from './endpoint-state.ts';
import '../integration/deliveries-section.ts';
import './endpoint-dialog.ts';
import './endpoint-secret.ts';

const REFRESH_DELAY_MS = 1000;

/** A webhook endpoint: its state, deliveries, test and signing secret. */
@customElement('webhook-page')
export class WebhookPage extends ConfirmedPage {
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
      try {
        await action();
        if (message !== undefined) this.context.announce(message);
        await this.#loader.refresh();
      } catch (error) {
        this.reportProblem(error);
      }
    });
  }

  async #setEnabled({ url }: WebhookEndpoint, enabled: boolean) {
    if (!enabled && !(await this.confirm('webhooks.disable', { url }))) return;
    const { api } = this.context;
    await this.#change(
      'enabled',
      async () => await this.runConfirmed(async () => await api.updateWebhookEndpoint({ id: this.#id, enabled })),
      this.text(enabled ? 'integration.switched_on' : 'webhooks.disabled'),
    );
  }

  async #remove({ url }: WebhookEndpoint) {
    if (!(await this.confirm('webhooks.remove', { url }))) return;
    const { api } = this.context;
    await this.#queue.run('remove', async () => {
      try {
        await this.runConfirmed(async () => await api.removeWebhookEndpoint({ id: this.#id }));
        this.context.announce(this.text('webhooks.removed'));
        this.context.navigate(this.context.merchantPath('webhooks'));
      } catch (error) {
        this.reportProblem(error);
      }
    });
  }

  async #test() {
    await this.#change('test', async () => {
      this.testResult = await this.context.api.testWebhookEndpoint({ id: this.#id });
      this.context.announce(
        this.text(this.testResult.delivered ? 'integration.test_arrived' : 'integration.test_failed'),
      );
    });
  }

  override render() {
    return html`${loadView(this.#loader, this.i18n, {
      skeleton: () => html`<h1 tabindex="-1">${this.text('shell.pages.webhook')}</h1>${skeletonRows(5)}`,
      content: (endpoint) => this.#content(endpoint),
    })}
    <endpoint-dialog
      .runConfirmed=${this.runConfirmed}
      @endpoint-saved=${({ detail }: CustomEvent<SavedEndpoint>) => this.#loader.set(detail)}
    ></endpoint-dialog>
    ${this.stepUpDialog('webhooks.step_up')}`;
  }

  #content(endpoint: WebhookEndpoint) {
    const { format } = this.context;
    const { url, description, from_preferences: isFromPreferences } = endpoint;
    const canManage = hasScope(this.context, 'callback:manage');
    const edit = () => this.querySelector('endpoint-dialog')?.open(endpoint);
    const time = (at: string | null) => at && format.dateTime(at);
    return html`<header class="page-head">
        <div>
          <p class="row-text">
            <a class="link" href=${this.context.merchantPath('webhooks')}>${this.text('shell.pages.webhooks')}</a>
          </p>
          <h1 tabindex="-1" class="endpoint-url" dir="auto">${description ?? new URL(url).host}</h1>
          <p class="page-lead endpoint-state">
            ${stateTag(endpoint, this.i18n)} ${isFromPreferences ? tag(this.text('webhooks.from_preferences')) : nothing}
          </p>
        </div>
        <div class="row-actions webhook-actions">
          ${
            hasScope(this.context, 'callback:send')
              ? button(this.text('integration.test'), () => void this.#test(), {
                  ...{ icon: 'send', isBusy: this.#queue.has('test') },
                })
              : nothing
          }
          ${canManage && !isFromPreferences ? button(this.text('webhooks.edit'), edit, { icon: 'pencil' }) : nothing}
        </div>
      </header>
      ${this.#stateNotice(endpoint)}
      <div class="panel panel-body">
        ${factList([
          [this.text('integration.url'), html`<code class="endpoint-url" dir="ltr">${url}</code>`],
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
        @endpoint-change=${() => void this.#loader.refresh()}
      ></deliveries-section>
      ${
        canManage
          ? html`<endpoint-secret .endpoint=${endpoint.id} .runConfirmed=${this.runConfirmed}></endpoint-secret>`
          : nothing
      }
      ${canManage && !isFromPreferences ? this.#manageSection(endpoint) : nothing}`;
  }

  #stateNotice(endpoint: WebhookEndpoint) {
    const { format } = this.context;
    const { status, disabled_at: disabledAt, disabled_reason: reason, failing_since: failingSince } = endpoint;
    const isFromPreferences = endpoint.from_preferences;
    if (status === 'disabled')
      return notice({
        ...{ icon: 'pause', tone: 'bad' },
        heading: html`${this.text('statuses.endpoint.disabled')} ${format.relativeTime(disabledAt ?? '')}`,
        text: this.text(reason === 'merchant' ? 'webhooks.off_merchant' : `integration.off_${reason ?? 'no_success'}`),
        action: isFromPreferences
          ? button(this.text('webhooks.open_integration'), this.context.merchantPath('integration'))
          : hasScope(this.context, 'callback:manage')
            ? button(this.text('integration.switch_on'), () => void this.#setEnabled(endpoint, true), {
                isBusy: this.#queue.has('enabled'),
              })
            : nothing,
      });
    if (failingSince !== null)
      return notice({
        ...{ icon: 'triangle-alert', tone: 'warn' },
        heading: html`${this.text('integration.receiver_failing')} · ${format.relativeTime(failingSince)}`,
        text: this.text('integration.failing_text'),
      });
    if (!isFromPreferences) return nothing;
    return notice({
      ...{ icon: 'info', text: this.text('webhooks.from_preferences_text') },
      action: button(this.text('webhooks.open_integration'), this.context.merchantPath('integration')),
    });
  }

  #testResultView(result: TestWebhookEndpointResponse) {
    const { delivered } = result;
    return html`<div class="test-result">
      <p>
        ${tag(
          this.text(delivered ? 'integration.test_arrived' : 'integration.test_failed'),
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
      html`<div class="row-actions">
        ${
          endpoint.status === 'enabled'
            ? button(this.text('webhooks.disable'), () => void this.#setEnabled(endpoint, false), {
                ...{ icon: 'pause', isBusy: this.#queue.has('enabled') },
              })
            : nothing
        }
        ${button(this.text('webhooks.remove'), () => void this.#remove(endpoint), {
          ...{ kind: 'danger', isBusy: this.#queue.has('remove') },
        })}
      </div>`,
    );
  }
}

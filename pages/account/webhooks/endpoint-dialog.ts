import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { AddWebhookEndpointInput, AddWebhookEndpointResponse, WebhookEndpoint } from '../../../client/api.ts';
import { type SubscribableEventType, subscribableEventTypes } from '../../../src/shared/webhook-event-types.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import { AccountElement } from '../account-element.ts';
import { checkField, radioCards } from '../choices.ts';
import { dialogBox } from '../dialog-box.ts';
import { enterSubmits, focusInvalidField, textField, trimmedValue } from '../fields.ts';
import { button } from '../parts.ts';
import { fieldDetail, toProblem } from '../problems.ts';

/** The saved endpoint; with its secret if it is new. */
export type SavedEndpoint = WebhookEndpoint & Partial<Pick<AddWebhookEndpointResponse, 'secret'>>;

/**
 * Adds or changes a webhook endpoint.
 *
 * @fires endpoint-saved - a `SavedEndpoint`
 */
@customElement('endpoint-dialog')
export class EndpointDialog extends AccountElement {
  /** Runs a change, with a step-up if the service requires it. */
  @property({ attribute: false }) runWithStepUp!: <Result>(action: () => Promise<Result>) => Promise<Result>;

  @state() private isOpen = false;
  @state() private isBusy = false;
  /** Null to add one. */
  @state() private endpoint: WebhookEndpoint | null = null;
  @state() private hasAllTypes = true;
  @state() private types: ReadonlySet<SubscribableEventType> = new Set();
  @state() private fieldErrors: { url?: string | null; description?: string | null; types?: string | null } = {};

  open(endpoint: WebhookEndpoint | null) {
    this.endpoint = endpoint;
    const selected = endpoint?.event_types ?? null;
    this.hasAllTypes = selected === null;
    this.types = new Set(subscribableEventTypes.filter((type) => selected?.includes(type)));
    this.fieldErrors = {};
    this.isOpen = true;
  }

  async #save(event: Event) {
    event.preventDefault();
    if (this.isBusy) return;
    const form = new FormData(event.target as HTMLFormElement);
    const url = trimmedValue(form, 'url');
    const hasNoTypes = !this.hasAllTypes && this.types.size === 0;
    this.fieldErrors = { types: hasNoTypes ? this.text('webhooks.events_missing') : null };
    if (!hasNoTypes) await this.#send({ url, description: trimmedValue(form, 'description') || null });
    await this.updateComplete;
    focusInvalidField(this);
  }

  async #send(values: Pick<AddWebhookEndpointInput, 'url' | 'description'>) {
    this.isBusy = true;
    try {
      const saved = await this.runWithStepUp(async () => await this.#store(values));
      this.isOpen = false;
      this.context.announce(this.text(this.endpoint === null ? 'webhooks.added' : 'webhooks.saved'));
      this.emit('endpoint-saved', saved);
    } catch (error) {
      const problem = toProblem(error);
      const urlDetail = fieldDetail(problem, 'url') ?? fieldDetail(problem, 'preferences/0/value');
      this.fieldErrors = { url: urlDetail, description: fieldDetail(problem, 'description') };
      if (!this.fieldErrors.url && !this.fieldErrors.description) this.announceProblem(error);
    }
    this.isBusy = false;
  }

  async #store(values: Pick<AddWebhookEndpointInput, 'url' | 'description'>): Promise<SavedEndpoint> {
    const { api } = this.context;
    const { endpoint } = this;
    if (endpoint?.from_preferences) {
      await api.setPreferences({ preferences: [{ key: 'callback-url', value: values.url }] });
      return { ...endpoint, url: values.url };
    }
    const types = subscribableEventTypes.filter((type) => this.types.has(type));
    const input = { ...values, event_types: this.hasAllTypes ? null : types };
    return endpoint === null
      ? await api.addWebhookEndpoint(input)
      : await api.updateWebhookEndpoint({ ...input, id: endpoint.id });
  }

  #select(type: SubscribableEventType, isSelected: boolean) {
    const types = new Set(this.types);
    if (isSelected) types.add(type);
    else types.delete(type);
    this.types = types;
    this.fieldErrors = { ...this.fieldErrors, types: null };
  }

  override render() {
    const label = this.text(this.endpoint === null ? 'webhooks.add' : 'webhooks.edit');
    const dismiss = () => (this.isOpen = false);
    return dialogBox({
      ...{ label, isOpen: this.isOpen, onDismiss: dismiss },
      content: html`<form class="dialog-form endpoint-form" novalidate @submit=${(event: Event) => void this.#save(event)}>
        <h2 class="dialog-heading">${label}</h2>
        ${textField({
          ...{ id: 'endpoint-url', name: 'url', label: this.text('webhooks.url'), type: 'url', dir: 'ltr' },
          ...{ required: true, maxlength: 2048, placeholder: 'https://shop.example/webhooks' },
          ...{ value: this.endpoint?.url ?? '', fieldError: this.fieldErrors.url ?? null },
        })}
        ${this.endpoint?.from_preferences ? nothing : this.#choices()}
        ${enterSubmits}
        <div class="dialog-actions">
          ${button(this.text('shell.cancel'), dismiss)}
          ${button(this.text(this.endpoint === null ? 'webhooks.add' : 'settings.save'), null, { kind: 'primary', isBusy: this.isBusy })}
        </div>
      </form>`,
    });
  }

  /** Description and event types, which the endpoint of `callback-url` does not have. */
  #choices() {
    return html`${textField({
      ...{ id: 'endpoint-description', name: 'description', label: this.text('webhooks.description') },
      ...{ maxlength: 200, value: this.endpoint?.description ?? '', dir: 'auto' },
      ...{ hint: this.text('webhooks.description_hint'), fieldError: this.fieldErrors.description ?? null },
    })}
        ${radioCards({
          ...{ legend: this.text('webhooks.events'), name: 'types', selected: this.hasAllTypes ? 'all' : 'some' },
          options: (['all', 'some'] as const).map((value) => ({ value, text: this.text(`webhooks.${value}_events`) })),
          onChoose: (value) => (this.hasAllTypes = value === 'all'),
        })}
        ${this.hasAllTypes ? nothing : this.#typeList()}
        <p class="hint">${this.text('webhooks.notices_hint')}</p>`;
  }

  #typeList() {
    const error = this.fieldErrors.types ?? null;
    return html`<fieldset class="event-types" ?data-invalid=${error !== null} tabindex="-1">
      <legend class="visually-hidden">${this.text('webhooks.some_events')}</legend>
      ${subscribableEventTypes.map((type) =>
        checkField({
          text: html`<code dir="ltr">${type}</code>`,
          isChecked: this.types.has(type),
          onChange: (isSelected) => this.#select(type, isSelected),
        }),
      )}
      ${fieldErrorMessage('endpoint-types-error', error)}
    </fieldset>`;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'endpoint-dialog': EndpointDialog;
  }
}

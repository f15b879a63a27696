import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { Acquirer, AddAcquirerAccountInput } from '../../../client/api.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { radioCards } from '../choices.ts';
import { focusInvalidField, textField } from '../fields.ts';
import { Loader } from '../loader.ts';
import { backLink, button, pageHead, section } from '../parts.ts';
import { fieldDetail, toProblem } from '../problems.ts';
import { nameOfMethod } from '../transactions/methods.ts';
import { StepUpPage } from './step-up-page.ts';
import type { CredentialsForm } from './credentials-form.ts';
import type { Route, RoutesEditor } from './routes-editor.ts';
import './credentials-form.ts';
import './routes-editor.ts';

/** For managers: adds an acquirer account. Its credentials are tested first. */
@customElement('add-acquirer-page')
export class AddAcquirerPage extends StepUpPage {
  @state() private acquirer: Acquirer | null = null;
  @state() private name = '';
  @state() private isShared = false;
  @state() private routes: readonly Route[] = [];
  @state() private nameError: string | null = null;
  @state() private isSaving = false;
  /** The acquirer rejected the credentials: the next click adds the account anyway. */
  @state() private wasRejected = false;

  readonly #loader = new Loader(
    this,
    async (signal) => (await this.context.api.listAcquirers({}, { signal })).acquirers,
  );

  #choose(acquirers: readonly Acquirer[], name: string) {
    this.acquirer = acquirers.find((each) => each.name === name) ?? null;
    this.routes = [];
    this.wasRejected = false;
    this.querySelector<CredentialsForm>('credentials-form')?.reset();
  }

  async #save(event: Event) {
    event.preventDefault();
    const { acquirer } = this;
    const form = this.querySelector<CredentialsForm>('credentials-form');
    if (this.isSaving || !acquirer || !form) return;
    this.nameError = this.name.trim() === '' ? this.text('acquirers.name_missing') : null;
    const areRoutesValid = this.querySelector<RoutesEditor>('routes-editor')?.validate() ?? true;
    const isFilled = form.validate();
    if (this.nameError !== null || !isFilled || !areRoutesValid) return await this.#focusError();
    this.isSaving = true;
    const canSave = this.wasRejected || form.isAccepted || (await form.test());
    if (!canSave) this.wasRejected = form.isRejected;
    // The user may have left the page during the test.
    else if (this.isConnected) await this.#add(acquirer, form);
    this.isSaving = false;
  }

  async #add({ name: acquirer }: Acquirer, form: CredentialsForm) {
    const input = { acquirer, name: this.name.trim(), shared: this.isShared, credentials: form.values };
    const routes = this.routes as AddAcquirerAccountInput['routes'];
    try {
      const { id } = await this.runWithStepUp(
        async () => await this.context.api.addAcquirerAccount({ ...input, ...(routes && { routes }) }),
      );
      this.context.announce(this.text('acquirers.added'));
      if (this.isConnected) this.context.navigate(this.context.merchantPath('acquirers', id));
    } catch (error) {
      this.nameError = fieldDetail(toProblem(error), 'name');
      if (this.nameError === null && !form.showProblem(error)) this.announceProblem(error);
      await this.#focusError();
    }
  }

  async #focusError() {
    await this.updateComplete;
    focusInvalidField(this);
  }

  override render() {
    return html`${backLink(this.context.merchantPath('acquirers'), this.text('shell.pages.acquirers'))}
      ${pageHead(this.text('shell.pages.add_acquirer'), nothing, this.text('acquirers.add_text'))}
      ${loadView(this.#loader, this.i18n, {
        skeleton: () => skeletonRows(3),
        content: (acquirers) => this.#form(acquirers),
      })}
      ${this.stepUpDialog()}`;
  }

  #form(acquirers: readonly Acquirer[]) {
    return html`<form class="acquirer-form" novalidate @submit=${(event: Event) => void this.#save(event)}>
      ${radioCards({
        ...{ legend: this.text('acquirers.acquirer'), name: 'acquirer', selected: this.acquirer?.name ?? '' },
        options: acquirers.map((each) => ({ value: each.name, text: this.#acquirerText(each) })),
        onChoose: (name) => this.#choose(acquirers, name),
      })}
      ${this.acquirer === null ? nothing : this.#accountSections(this.acquirer)}
    </form>`;
  }

  /** The name of an acquirer, and the methods it offers. */
  #acquirerText({ display_name: name, capabilities }: Acquirer) {
    const codes = new Set(capabilities.map(({ payment_method: code }) => code));
    const methods = [...codes].map((code) => nameOfMethod(code, this.i18n));
    const list = new Intl.ListFormat(this.i18n.locale, { type: 'unit' }).format(methods);
    return html`${name} <span class="row-text">${list}</span>`;
  }

  #accountSections(acquirer: Acquirer) {
    return html`${section(
      'account',
      this.text('acquirers.account'),
      html`<div class="panel panel-body">
          ${textField({
            ...{ id: 'account-name', name: 'name', label: this.text('acquirers.name'), maxlength: 60, required: true },
            ...{ value: this.name, fieldError: this.nameError, hint: this.text('acquirers.name_hint') },
            onInput: (name) => {
              this.name = name;
              this.nameError = null;
            },
          })}
          ${radioCards({
            ...{ legend: this.text('acquirers.used_by'), name: 'shared', selected: String(this.isShared) },
            options: [
              { value: 'false', text: this.text('acquirers.own') },
              { value: 'true', text: this.text('acquirers.shared') },
            ],
            onChoose: (value) => (this.isShared = value === 'true'),
          })}
        </div>`,
    )}
      ${section(
        'credentials',
        this.text('acquirers.credentials'),
        html`<p class="section-text">${this.text('acquirers.credentials_text')}</p>
          <credentials-form
            class="panel panel-body"
            .acquirer=${acquirer}
            .runWithStepUp=${this.runWithStepUp}
            @credentials-change=${() => (this.wasRejected = false)}
          ></credentials-form>`,
      )}
      ${section(
        'routes',
        this.text('acquirers.routes'),
        html`<p class="section-text">${this.text('acquirers.routes_text')}</p>
          <routes-editor
            class="panel panel-body"
            .capabilities=${acquirer.capabilities}
            .routes=${this.routes}
            @routes-change=${({ detail }: CustomEvent<readonly Route[]>) => (this.routes = detail)}
          ></routes-editor>`,
      )}
      <div class="row-actions">
        ${button(this.text(this.wasRejected ? 'acquirers.add_anyway' : 'acquirers.add'), null, {
          ...{ kind: 'primary', isBusy: this.isSaving },
        })}
        ${button(this.text('shell.cancel'), this.context.merchantPath('acquirers'), { kind: 'quiet' })}
      </div>`;
  }
}

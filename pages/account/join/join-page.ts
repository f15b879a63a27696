import { html, nothing } from 'lit';
import { PASSWORD_LENGTH } from '../../../src/shared/account-calls.ts';
import { customElement, property, state } from 'lit/decorators.js';
import type { Invitation, SignInStep } from '../../../src/api/account.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import { AccountPage } from '../account-page.ts';
import { loadView } from '../account-state.ts';
import { credentialField, enterSubmits, focusInvalidField, trimmedValue, rawValue } from '../fields.ts';
import { listenTo } from '../listeners.ts';
import { Loader } from '../loader.ts';
import { readStored } from '../storage.ts';
import { browserPasskeys, type Passkeys, passkeyFailure } from '../passkeys.ts';
import '../me/second-factor-set-up.ts';
import { toProblem, fieldDetail } from '../problems.ts';
import { button, emptyState } from '../parts.ts';

const INVITATION_STORAGE_KEY = 'paylatch-invitation';

/** Accepts an invitation. Its secret is in the fragment of the URL, which browsers do not send to the server. */
@customElement('join-page')
export class JoinPage extends AccountPage {
  @property({ attribute: false }) passkeys: Passkeys = browserPasskeys;
  /** Secret of the invitation. */
  @property({ attribute: false }) invitation = readInvitationSecret();

  @state() private usesPassword = false;
  @state() private isSettingUp = false;
  @state() private fieldErrors: { name?: string; password?: string; form?: string } = {};
  @state() private isBusy = false;

  readonly #invitationLoader = new Loader<Invitation>(
    this,
    async () => await this.context.api.call('readInvitation', { invitation: this.invitation }),
    true,
  );

  constructor() {
    super();
    listenTo(this, window, { hashchange: () => this.#open(location.hash.slice(1)) });
  }

  /** Another invitation was opened in this tab. The fragment `content` is the link that skips the navigation. */
  #open(secret: string) {
    if (secret === '' || secret === 'content') return;
    this.invitation = secret;
    this.isSettingUp = false;
    this.fieldErrors = {};
    void this.#invitationLoader.restart();
  }

  override connectedCallback() {
    super.connectedCallback();
    if (!this.passkeys.isAvailable()) this.usesPassword = true;
    if (this.invitation !== '') void this.#invitationLoader.run();
  }

  async #join(event: SubmitEvent) {
    event.preventDefault();
    if (this.isBusy) return;
    const form = new FormData(event.target as HTMLFormElement);
    const name = trimmedValue(form, 'name');
    const password = rawValue(form, 'password');
    const isTooShort = this.usesPassword && password.length < PASSWORD_LENGTH.min;
    this.fieldErrors = {
      ...(name === '' ? { name: this.text('join.name_missing') } : {}),
      ...(isTooShort ? { password: this.text('me.password_short', { count: PASSWORD_LENGTH.min }) } : {}),
    };
    if (Object.keys(this.fieldErrors).length === 0)
      await this.#send(async () =>
        this.usesPassword ? await this.#joinWithPassword(name, password) : await this.#joinWithPasskey(name),
      );
    await this.updateComplete;
    focusInvalidField(this);
  }

  async #joinWithPassword(name: string, password: string) {
    return await this.context.api.call('joinWithPassword', { invitation: this.invitation, name, password });
  }

  async #joinWithPasskey(name: string) {
    const { api } = this.context;
    const { invitation } = this;
    const { options } = await api.call('joinWithPasskeyOptions', { invitation, name });
    const response = await this.passkeys.create(options);
    return await api.call('joinWithPasskey', { invitation, name, response });
  }

  /** Accepts with an existing account; without a session, signs in first and returns. */
  async #accept() {
    if (this.isBusy) return;
    await this.#send(async () => {
      try {
        return await this.context.api.call('acceptInvitation', { invitation: this.invitation });
      } catch (error) {
        if (toProblem(error).status !== 401) throw error;
        sessionStorage.setItem(INVITATION_STORAGE_KEY, this.invitation);
        this.context.navigate('/account/sign-in?next=/account/join');
        return null;
      }
    });
  }

  async #send(call: () => Promise<{ next: SignInStep } | null>) {
    this.isBusy = true;
    this.fieldErrors = {};
    try {
      const result = await call();
      if (result?.next === 'done') await this.#finish();
      else if (result) this.isSettingUp = true;
    } catch (error) {
      this.fieldErrors = this.#fieldErrorsOf(error);
    }
    this.isBusy = false;
  }

  #fieldErrorsOf(error: unknown) {
    const failure = passkeyFailure(error);
    if (failure === 'aborted') return {};
    if (failure !== null) return { form: this.text(`me.passkey_${failure}`) };
    const problem = toProblem(error);
    const [name, password] = [fieldDetail(problem, 'name'), fieldDetail(problem, 'password')];
    if (name !== null || password !== null)
      return { ...(name === null ? {} : { name }), ...(password === null ? {} : { password }) };
    return { form: this.problemSentence(problem) };
  }

  async #finish() {
    sessionStorage.removeItem(INVITATION_STORAGE_KEY);
    await this.context.reloadAccount();
  }

  override render() {
    if (this.invitation === '') return this.#expiredView();
    if (this.#invitationLoader.value === null && this.#invitationLoader.problem?.code === 'invitation_invalid')
      return this.#expiredView();
    if (this.isSettingUp)
      return html`<h1 tabindex="-1">${this.text('sign_in.set_up_title')}</h1>
        <p class="page-lead">${this.text('sign_in.set_up_text')}</p>
        <second-factor-set-up
          @second-factor-done=${() => void this.#finish()}
        ></second-factor-set-up>`;
    return loadView(this.#invitationLoader, this.i18n, {
      skeleton: () => html`<div class="fields">
        <wa-skeleton class="skeleton-line"></wa-skeleton><wa-skeleton class="skeleton-line"></wa-skeleton><wa-skeleton class="skeleton-line skeleton-line-short"></wa-skeleton>
      </div>`,
      content: (invitation) => this.#invitationView(invitation),
    });
  }

  #expiredView() {
    const signIn = button(this.text('sign_in.title'), '/account/sign-in');
    return html`<h1 class="visually-hidden" tabindex="-1">${this.text('join.invalid_title')}</h1>
      ${emptyState('mail', this.text('join.invalid_title'), this.text('join.invalid_text'), signIn)}`;
  }

  #invitationView({ email, role, merchantName, isReset }: Invitation) {
    const roleName = this.text(`shell.roles.${role}`);
    const joinTitle =
      merchantName === null ? this.text('join.title_manager') : this.text('join.title', { merchant: merchantName });
    const title = isReset ? this.text('join.title_reset') : joinTitle;
    return html`<div class="fields">
      <h1 tabindex="-1">${title}</h1>
      <p class="page-lead">
        ${
          isReset
            ? this.text('join.reset_text')
            : html`${this.text('join.your_role', { role: roleName })} ${this.text(`join.can_${role}`)}`
        }
      </p>
      <dl class="fact-list">
        <div><dt>${this.text('join.email')}</dt><dd dir="ltr">${email}</dd></div>
      </dl>
      ${
        this.context.account !== null && !isReset && this.context.account.person.email === email
          ? html`${this.#formError()} ${this.#acceptButton('primary', 'join.accept')}`
          : html`${this.#form(email, isReset)}
              ${isReset ? nothing : this.#acceptButton('quiet', 'join.have_account')}`
      }
    </div>`;
  }

  #acceptButton(kind: 'primary' | 'quiet', label: string) {
    return button(this.text(label), () => void this.#accept(), { kind, className: 'wide' });
  }

  #formError() {
    return html`<div role="status">${fieldErrorMessage('form-error', this.fieldErrors.form ?? null)}</div>`;
  }

  #form(email: string, isReset: boolean) {
    const buttonKey = isReset ? 'reset' : 'with';
    return html`<form class="fields" novalidate @submit=${(event: SubmitEvent) => void this.#join(event)}>
        ${credentialField({
          ...{ id: 'name', name: 'name', label: this.text('join.name'), autocomplete: 'name', maxlength: 100 },
          ...{ fieldError: this.fieldErrors.name ?? null, required: true },
        })}
        ${
          this.usesPassword
            ? html`<input class="visually-hidden" type="text" name="username" autocomplete="username" readonly tabindex="-1" aria-hidden="true" value=${email} />
              ${credentialField({
                ...{ id: 'password', name: 'password', type: 'password', label: this.text('me.new_password') },
                ...{
                  autocomplete: 'new-password',
                  fieldError: this.fieldErrors.password ?? null,
                  required: true,
                  dir: 'ltr',
                },
                hint: this.text('me.password_hint', { count: PASSWORD_LENGTH.min }),
              })}`
            : nothing
        }
        ${this.#formError()}
        ${enterSubmits}
        ${button(this.text(this.usesPassword ? `join.${buttonKey}_password` : `join.${buttonKey}_passkey`), null, {
          ...{ kind: 'primary', isBusy: this.isBusy, className: 'wide' },
          icon: this.usesPassword ? undefined : 'fingerprint',
        })}
        ${this.usesPassword ? nothing : html`<p class="hint">${this.text('join.passkey_hint')}</p>`}
      </form>
      ${
        this.passkeys.isAvailable()
          ? button(
              this.text(this.usesPassword ? 'join.use_passkey' : 'join.use_password'),
              () => (this.usesPassword = !this.usesPassword),
              { kind: 'quiet' },
            )
          : nothing
      }`;
  }
}

function readInvitationSecret(): string {
  return location.hash.slice(1) || (readStored(INVITATION_STORAGE_KEY, () => sessionStorage) ?? '');
}

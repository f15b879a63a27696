import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { AccountSecurity } from '../../../src/api/account.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { trimmedValue, textField } from '../fields.ts';
import { icon } from '../icons.ts';
import { Loader } from '../loader.ts';
import { SerialQueue } from '../serial-queue.ts';
import { browserPasskeys, type Passkeys, passkeyFailure } from '../passkeys.ts';
import { deviceName } from './device.ts';
import { type StepUpDialog, withStepUp } from './step-up-dialog.ts';
import './notification-section.ts';
import './password-section.ts';
import './second-factor-set-up.ts';
import { button, listRow, pageHead, section, tag } from '../parts.ts';

/** The user's credentials and sessions. */
@customElement('me-page')
export class MePage extends AccountPage {
  @property({ attribute: false }) passkeys: Passkeys = browserPasskeys;

  @state() private isSettingUp = false;
  /** Recovery codes are shown, which the user has not confirmed yet. */
  @state() private hasNewCodes = false;

  readonly #queue = new SerialQueue(this);
  readonly #securityLoader = new Loader(this, async () => await this.context.api.call('readSecurity'));

  /** Queues a change and announces its result or problem. */
  async #runChange(name: string, action: () => Promise<AccountSecurity | null>, message: string | null) {
    await this.#queue.run(name, async () => {
      try {
        const accountSecurity = await action();
        if (accountSecurity) this.#securityLoader.set(accountSecurity);
        if (message !== null) this.context.announce(message);
      } catch (error) {
        const failure = passkeyFailure(error);
        if (failure === null) this.announceProblem(error);
        else if (failure !== 'aborted') this.context.announce(this.text(`me.passkey_${failure}`));
      }
    });
  }

  /** Runs a change, with a step-up if the service requires it. Throws an AbortError if the user cancels. */
  async #withStepUp<Result>(action: () => Promise<Result>): Promise<Result> {
    return await withStepUp(
      action,
      async () => (await this.querySelector<StepUpDialog>('step-up-dialog')?.open()) ?? false,
    );
  }

  async #rename() {
    const { account } = this.context;
    const values = await this.context.prompt({
      heading: this.text('me.rename_title'),
      fields: textField({
        ...{ id: 'own-name', name: 'name', label: this.text('me.name'), autocomplete: 'name', maxlength: 100 },
        value: account?.person.name ?? '',
      }),
      confirm: this.text('me.save'),
    });
    const name = values === null ? '' : trimmedValue(values, 'name');
    if (name === '' || name === account?.person.name) return;
    await this.#runChange(
      `name ${name}`,
      async () => {
        await this.context.api.call('rename', { name });
        await this.context.reloadAccount();
        return null;
      },
      this.text('me.renamed'),
    );
  }

  async #addPasskey() {
    if (this.#queue.has('passkey')) return;
    const values = await this.context.prompt({
      heading: this.text('me.add_passkey'),
      text: this.text('me.add_passkey_text'),
      fields: textField({
        ...{ id: 'passkey-name', name: 'name', label: this.text('me.passkey_name'), maxlength: 60 },
        ...{ value: deviceName(navigator.userAgent), hint: this.text('me.passkey_name_hint') },
      }),
      confirm: this.text('me.continue'),
    });
    if (values === null) return;
    const name = trimmedValue(values, 'name') || deviceName(navigator.userAgent);
    await this.#runChange(
      'passkey',
      async () => {
        const { api } = this.context;
        const { options } = await this.#withStepUp(async () => await api.call('addPasskeyOptions', {}));
        const response = await this.passkeys.create(options);
        return await this.#withStepUp(async () => await api.call('addPasskey', { name, response }));
      },
      this.text('me.passkey_added'),
    );
    void this.context.reloadAccount();
  }

  async #removePasskey({ id, name }: AccountSecurity['passkeys'][number]) {
    if (!(await this.confirm('me.remove_passkey', { name }, 'me.remove'))) return;
    await this.#runChange(
      `passkey-${id}`,
      async () => await this.#withStepUp(async () => await this.context.api.call('removePasskey', { id })),
      this.text('me.passkey_removed'),
    );
  }

  async #removeSecondFactor() {
    if (!(await this.confirm('me.remove_totp', {}, 'me.remove'))) return;
    await this.#runChange(
      'codes',
      async () => await this.#withStepUp(async () => await this.context.api.call('removeSecondFactor', {})),
      this.text('me.totp_removed'),
    );
    void this.context.reloadAccount();
  }

  async #endSessions(id: number | null) {
    await this.#runChange(
      id === null ? 'sessions' : `session-${id}`,
      async () => await this.context.api.call('endSessions', { id }),
      this.text(id === null ? 'me.others_ended' : 'me.session_ended'),
    );
  }

  #finishSecondFactor() {
    this.isSettingUp = false;
    this.hasNewCodes = false;
    this.context.announce(this.text('me.totp_added'));
    void this.#securityLoader.run();
    void this.context.reloadAccount();
  }

  override async canLeave(): Promise<boolean> {
    if (!this.hasNewCodes) return true;
    const [heading, text] = [this.text('me.recovery_title'), this.text('me.recovery_text')];
    return (await this.context.prompt({ heading, text, confirm: this.text('me.confirm_saved') })) !== null;
  }

  override render() {
    const { account } = this.context;
    return html`${pageHead(
      this.text('shell.pages.me'),
      button(this.text('me.rename'), () => void this.#rename()),
      html`<bdi>${account?.person.name}</bdi><br /><bdi>${account?.person.email}</bdi>`,
    )}
      ${loadView(this.#securityLoader, this.i18n, {
        skeleton: () => skeletonRows(4),
        content: (accountSecurity) => html`<div class="me">
          ${this.#passkeysSection(accountSecurity)} ${this.#passwordSection(accountSecurity)}
          ${accountSecurity.hasPassword || accountSecurity.hasSecondFactor ? this.#codesSection(accountSecurity) : nothing}
          ${this.#sessionsSection(accountSecurity)}
          <notification-section></notification-section>
          <step-up-dialog
            .passkeys=${this.passkeys}
            .accountSecurity=${accountSecurity}
          ></step-up-dialog>
        </div>`,
      })}
      <p class="hint"><a class="link" href="/licenses.txt" target="_blank" rel="noopener">${this.text('me.licenses')}</a></p>`;
  }

  #passkeysSection({ passkeys, hasPassword }: AccountSecurity) {
    const { format } = this.context;
    const addButton = button(this.text('me.add_passkey'), () => void this.#addPasskey(), {
      ...{ kind: passkeys.length === 0 ? 'primary' : undefined, icon: 'plus', isBusy: this.#queue.has('passkey') },
    });
    const rows = passkeys.map((passkey) => {
      const { name, lastUsedAt, isSynced } = passkey;
      const usedAt =
        lastUsedAt === null
          ? this.text('me.never_used')
          : html`${this.text('me.last_used')} ${format.relativeTime(lastUsedAt)}`;
      const removeButton = () =>
        button(this.text('me.remove'), () => void this.#removePasskey(passkey), {
          ...{ kind: 'quiet', name: this.nameInRow('me.remove', name) },
        });
      return listRow(
        icon('key-round'),
        html`<bdi>${name}</bdi>`,
        html`${usedAt} · ${this.text(isSynced ? 'me.synced' : 'me.not_synced')}`,
        passkeys.length > 1 || hasPassword ? removeButton() : nothing,
      );
    });
    return section(
      'passkeys',
      this.text('me.passkeys'),
      html`<p class="section-text">${this.text('me.passkeys_text')}</p>
        ${rows.length === 0 ? nothing : html`<ul class="panel list">${rows}</ul>`}`,
      this.passkeys.isAvailable() ? addButton : nothing,
    );
  }

  #passwordSection({ hasPassword }: AccountSecurity) {
    return html`<password-section
      .hasPassword=${hasPassword}
      .withStepUp=${async <Result>(action: () => Promise<Result>) => await this.#withStepUp(action)}
      .queue=${this.#queue}
      @account-security-change=${(event: CustomEvent<AccountSecurity>) => this.#securityLoader.set(event.detail)}
    ></password-section>`;
  }

  #codesSection({ hasSecondFactor, recoveryCodesLeft }: AccountSecurity) {
    const toggle = () => (this.isSettingUp = !this.isSettingUp);
    const action =
      hasSecondFactor && !this.isSettingUp
        ? button(this.text('me.remove_totp'), () => void this.#removeSecondFactor(), { kind: 'quiet' })
        : button(this.text('me.set_up'), toggle, { isOpen: this.isSettingUp });
    const state = html`${tag(this.text('me.on'), 'good', 'check')}
    ${this.text('me.recovery_left', { count: recoveryCodesLeft })}`;
    const setUp = () =>
      html`<div class="panel panel-body narrow">
        <second-factor-set-up
          .withStepUp=${async <Result>(action: () => Promise<Result>) => await this.#withStepUp(action)}
          @recovery-codes-shown=${() => (this.hasNewCodes = true)}
          @second-factor-canceled=${() => (this.isSettingUp = false)}
          @second-factor-done=${() => this.#finishSecondFactor()}
        ></second-factor-set-up>
      </div>`;
    return section(
      'codes',
      this.text('me.totp'),
      html`<p class="section-text">${hasSecondFactor ? state : this.text('me.totp_text')}</p>
        ${this.isSettingUp ? setUp() : nothing}`,
      this.hasNewCodes ? nothing : action,
    );
  }

  #sessionsSection({ sessions }: AccountSecurity) {
    const otherSessions = sessions.filter(({ isCurrent }) => !isCurrent);
    const endOthers = button(this.text('me.end_others'), () => void this.#endSessions(null));
    const rows = sessions.map(({ id, userAgent, isCurrent, address, method, lastUsedAt }) => {
      const device = deviceName(userAgent) || this.text('me.unknown_device');
      const endButton = () =>
        button(this.text('me.end'), () => void this.#endSessions(id), {
          kind: 'quiet',
          name: this.nameInRow('me.end', device),
        });
      return listRow(
        icon(/iPhone|Android/.test(userAgent) ? 'smartphone' : 'laptop'),
        html`${device} ${isCurrent ? tag(this.text('me.this_device'), 'good') : nothing}`,
        html`<span dir="ltr">${address}</span> · ${this.text(`me.by_${method}`)} · ${this.text('me.last_used')}
          ${this.context.format.relativeTime(lastUsedAt)}`,
        isCurrent ? nothing : endButton(),
      );
    });
    const list = html`<ul class="panel list">${rows}</ul>`;
    return section('sessions', this.text('me.sessions'), list, otherSessions.length > 1 ? endOthers : nothing);
  }
}

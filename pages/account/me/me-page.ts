import { html, nothing } from 'lit';
import { customElement, property, state } from 'lit/decorators.js';
import type { Protection } from '../../../src/api/account.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { trimmedValue, textField } from '../fields.ts';
import { icon } from '../icons.ts';
import { Loader } from '../load.ts';
import { SerialQueue } from '../turns.ts';
import { browserPasskeys, type Passkeys, passkeyFailure } from '../passkeys.ts';
import { deviceOf } from './device.ts';
import type { StepUpDialog } from './step-up-dialog.ts';
import './password-section.ts';
import './second-factor-set-up.ts';
import './step-up-dialog.ts';
import { toProblem } from '../problems.ts';
import { button, listRow, section, tag } from '../parts.ts';

/** How the person's own sign-in is protected, and where it is open. */
@customElement('me-page')
export class MePage extends AccountPage {
  @property({ attribute: false }) passkeys: Passkeys = browserPasskeys;

  @state() private isSettingUp = false;

  readonly #turns = new SerialQueue(this);
  readonly #protection = new Loader(this, async () => await this.context.api.call('readProtection'));

  /** Does one thing after the other; what went wrong is said, unless it stands beside a field. */
  async #do(name: string, act: () => Promise<Protection | null>, done: string | null) {
    await this.#turns.run(name, async () => {
      try {
        const protection = await act();
        if (protection) this.#protection.set(protection);
        if (done !== null) this.context.announce(done);
      } catch (error) {
        const trouble = passkeyFailure(error);
        if (trouble === null) this.context.announce(this.problemSentence(error));
        else if (trouble !== 'aborted') this.context.announce(this.text(`me.passkey_${trouble}`));
      }
    });
  }

  /** Sends a change of credentials again once the person has confirmed their identity; ends as aborted if they do not. */
  async #confirmed<Answer>(act: () => Promise<Answer>): Promise<Answer> {
    try {
      return await act();
    } catch (error) {
      if (toProblem(error).code !== 'step_up_required') throw error;
    }
    const isConfirmed = (await this.querySelector<StepUpDialog>('step-up-dialog')?.ask()) ?? false;
    if (!isConfirmed) throw new DOMException('The identity was not confirmed.', 'AbortError');
    return await act();
  }

  async #rename() {
    const { account } = this.context;
    const answer = await this.context.prompt({
      heading: this.text('me.rename_title'),
      fields: textField({
        ...{ id: 'own-name', name: 'name', label: this.text('me.name'), autocomplete: 'name', maxlength: 100 },
        value: account?.person.name ?? '',
      }),
      confirm: this.text('me.save'),
    });
    const name = answer === null ? '' : trimmedValue(answer, 'name');
    if (name === '' || name === account?.person.name) return;
    await this.#do(
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
    if (this.#turns.has('passkey')) return;
    const answer = await this.context.prompt({
      heading: this.text('me.add_passkey'),
      text: this.text('me.add_passkey_text'),
      fields: textField({
        ...{ id: 'passkey-name', name: 'name', label: this.text('me.passkey_name'), maxlength: 60 },
        ...{ value: deviceOf(navigator.userAgent), hint: this.text('me.passkey_name_hint') },
      }),
      confirm: this.text('me.go_on'),
    });
    if (answer === null) return;
    const name = trimmedValue(answer, 'name') || deviceOf(navigator.userAgent);
    await this.#do(
      'passkey',
      async () => {
        const { api } = this.context;
        const { options } = await this.#confirmed(async () => await api.call('addPasskeyOptions', {}));
        const response = await this.passkeys.create(options);
        return await this.#confirmed(async () => await api.call('addPasskey', { name, response }));
      },
      this.text('me.passkey_added'),
    );
    void this.context.reloadAccount();
  }

  async #removePasskey({ id, name }: Protection['passkeys'][number]) {
    if (!(await this.confirm('me.remove_passkey', { name }, 'me.remove'))) return;
    await this.#do(
      `passkey-${id}`,
      async () => await this.#confirmed(async () => await this.context.api.call('removePasskey', { id })),
      this.text('me.passkey_removed'),
    );
  }

  async #removeSecondFactor() {
    if (!(await this.confirm('me.remove_codes', {}, 'me.remove'))) return;
    await this.#do(
      'codes',
      async () => await this.#confirmed(async () => await this.context.api.call('removeSecondFactor', {})),
      this.text('me.codes_removed'),
    );
    void this.context.reloadAccount();
  }

  async #endSessions(id: number | null) {
    await this.#do(
      id === null ? 'sessions' : `session-${id}`,
      async () => await this.context.api.call('endSessions', { id }),
      this.text(id === null ? 'me.others_ended' : 'me.session_ended'),
    );
  }

  #secondFactorDone() {
    this.isSettingUp = false;
    this.context.announce(this.text('me.codes_on'));
    void this.#protection.run();
    void this.context.reloadAccount();
  }

  override render() {
    const { account } = this.context;
    return html`<header class="page-head">
        <div>
          <h1 tabindex="-1">${this.text('shell.pages.me')}</h1>
          <p class="page-lead"><bdi>${account?.person.name}</bdi> · <bdi>${account?.person.email}</bdi></p>
        </div>
        ${button(this.text('me.rename'), () => void this.#rename())}
      </header>
      ${loadView(this.#protection, this.i18n, {
        skeleton: () => skeletonRows(4),
        content: (protection) => html`<div class="me">
          ${this.#passkeysSection(protection)} ${this.#passwordSection(protection)}
          ${protection.hasPassword || protection.hasSecondFactor ? this.#codesSection(protection) : nothing}
          ${this.#sessionsSection(protection)}
          <step-up-dialog
            .passkeys=${this.passkeys}
            .protection=${protection}
          ></step-up-dialog>
        </div>`,
      })}
      <p class="notices">
        ${button(this.text('me.notices'), '/licences.txt', { kind: 'quiet', isExternal: true })}
      </p>`;
  }

  #passkeysSection({ passkeys, hasPassword }: Protection) {
    const { format } = this.context;
    const add = button(this.text('me.add_passkey'), () => void this.#addPasskey(), {
      ...{ kind: passkeys.length === 0 ? 'main' : undefined, icon: 'plus', isBusy: this.#turns.has('passkey') },
    });
    const rows = passkeys.map((passkey) => {
      const { name, lastUsedAt: used, isSynced } = passkey;
      const usedAt =
        used === null ? this.text('me.never_used') : html`${this.text('me.last_used')} ${format.relativeTime(used)}`;
      const remove = () =>
        button(this.text('me.remove'), () => void this.#removePasskey(passkey), {
          ...{ kind: 'quiet', name: this.nameInRow('me.remove', name) },
        });
      return listRow(
        icon('key-round'),
        html`<bdi>${name}</bdi>`,
        html`${usedAt} · ${this.text(isSynced ? 'me.synced' : 'me.not_synced')}`,
        passkeys.length > 1 || hasPassword ? remove() : nothing,
      );
    });
    return section(
      'passkeys',
      this.text('me.passkeys'),
      html`<p class="section-text">${this.text('me.passkeys_text')}</p>
        ${rows.length === 0 ? nothing : html`<ul class="panel list">${rows}</ul>`}`,
      this.passkeys.isAvailable() ? add : nothing,
    );
  }

  #passwordSection({ hasPassword }: Protection) {
    return html`<password-section
      .hasPassword=${hasPassword}
      .confirmed=${async <Answer>(act: () => Promise<Answer>) => await this.#confirmed(act)}
      .turns=${this.#turns}
      @protection-change=${(event: CustomEvent<Protection>) => this.#protection.set(event.detail)}
    ></password-section>`;
  }

  #codesSection({ hasSecondFactor, recoveryCodesLeft }: Protection) {
    const toggle = () => (this.isSettingUp = !this.isSettingUp);
    const action = hasSecondFactor
      ? button(this.text('me.turn_off'), () => void this.#removeSecondFactor(), { kind: 'quiet' })
      : button(this.text('me.set_up'), toggle, { isOpen: this.isSettingUp });
    const state = html`${tag(this.text('me.on'), 'good', 'check')}
    ${this.text('me.recovery_left', { count: recoveryCodesLeft })}`;
    const setUp = () =>
      html`<div class="panel panel-body narrow">
        <second-factor-set-up
          .confirmed=${async <Answer>(act: () => Promise<Answer>) => await this.#confirmed(act)}
          @second-factor-cancelled=${() => (this.isSettingUp = false)}
          @second-factor-done=${() => this.#secondFactorDone()}
        ></second-factor-set-up>
      </div>`;
    return section(
      'codes',
      this.text('me.codes'),
      html`<p class="section-text">${hasSecondFactor ? state : this.text('me.codes_text')}</p>
        ${this.isSettingUp && !hasSecondFactor ? setUp() : nothing}`,
      action,
    );
  }

  #sessionsSection({ sessions }: Protection) {
    const others = sessions.filter(({ isThisOne }) => !isThisOne);
    const endOthers = button(this.text('me.end_others'), () => void this.#endSessions(null));
    const rows = sessions.map(({ id, userAgent, isThisOne, address, method, lastUsedAt }) => {
      const device = deviceOf(userAgent) || this.text('me.unknown_device');
      const end = () =>
        button(this.text('me.end'), () => void this.#endSessions(id), {
          kind: 'quiet',
          name: this.nameInRow('me.end', device),
        });
      return listRow(
        icon(/iPhone|Android/.test(userAgent) ? 'smartphone' : 'laptop'),
        html`${device} ${isThisOne ? tag(this.text('me.here'), 'good') : nothing}`,
        html`<span dir="ltr">${address}</span> · ${this.text(`me.by_${method}`)} · ${this.text('me.last_used')}
          ${this.context.format.relativeTime(lastUsedAt)}`,
        isThisOne ? nothing : end(),
      );
    });
    const list = html`<ul class="panel list">${rows}</ul>`;
    return section('sessions', this.text('me.sessions'), list, others.length > 1 ? endOthers : nothing);
  }
}

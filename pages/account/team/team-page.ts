import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { InvitePersonResponse, InvitePersonInput, Invitation, Person } from '../../../client/api.ts';
import { merchantRoles, type UserRole } from '../../../src/shared/roles.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { trimmedValue, textField } from '../fields.ts';
import { icon } from '../icons.ts';
import { Loader } from '../loader.ts';
import { SerialQueue } from '../serial-queue.ts';
import { copyButton } from '../copy-button.ts';
import { toProblem, fieldDetail } from '../problems.ts';
import { radioCards } from '../choices.ts';
import { button, emptyState, listRow, pageHead, section, tag } from '../parts.ts';

type Role = InvitePersonInput['role'];

/** The merchant's users, their roles and invitations. */
@customElement('team-page')
export class TeamPage extends AccountPage {
  /** The last created invitation, whose link is shown once. */
  @state() private created: InvitePersonResponse | null = null;

  readonly #queue = new SerialQueue(this);
  readonly #teamLoader = new Loader(this, async (signal) => await this.context.api.listPeople({ signal }));

  async #change(name: string, change: () => Promise<unknown>, message: string) {
    await this.#queue.run(name, async () => {
      if (await this.attempt(change)) this.context.announce(message);
      await this.#teamLoader.run();
    });
  }

  #roleFields(chosen: UserRole) {
    return radioCards({
      ...{ legend: this.text('team.role'), name: 'role', selected: chosen },
      options: merchantRoles.map((role) => ({
        value: role,
        text: html`<span class="row-title">${this.text(`shell.roles.${role}`)}</span>
          <span class="row-text">${this.text(`team.can_${role}`)}</span>`,
      })),
    });
  }

  /** Prompts for an invitation, repeatedly while a field is invalid. */
  async #invite(email = '', role: UserRole = 'operator', fieldError: string | null = null): Promise<void> {
    const values = await this.context.prompt({
      heading: this.text('team.invite_title'),
      fields: html`${textField({
        ...{ id: 'invite-email', name: 'email', type: 'email', label: this.text('sign_in.email'), dir: 'ltr' },
        ...{ value: email, fieldError, required: true },
      })}
      ${this.#roleFields(role)}`,
      confirm: this.text('team.invite'),
    });
    if (values === null) return;
    const newEmail = trimmedValue(values, 'email');
    const chosen = trimmedValue(values, 'role') as Role;
    if (!/^\S+@\S+$/.test(newEmail)) return await this.#invite(newEmail, chosen, this.text('sign_in.email_missing'));
    try {
      this.created = await this.context.api.invitePerson({ email: newEmail, role: chosen });
      await this.#teamLoader.run();
      this.querySelector<HTMLElement>('.created-invitation h2')?.focus();
    } catch (error) {
      const problem = toProblem(error);
      const detail = fieldDetail(problem, 'email');
      if (detail !== null) return await this.#invite(newEmail, chosen, detail);
      this.announceProblem(error);
    }
  }

  async #changeRole({ id, name, email, role }: Person) {
    const values = await this.context.prompt({
      heading: this.text('team.change_role_title', { name: name || email }),
      fields: this.#roleFields(role),
      confirm: this.text('team.save'),
    });
    const chosen = (values === null ? role : trimmedValue(values, 'role')) as Role;
    if (chosen === role) return;
    const change = async () => await this.context.api.setPersonRole({ id, role: chosen });
    await this.#change(`role ${id} ${chosen}`, change, this.text('team.role_changed'));
  }

  async #remove({ id, name, email }: Person) {
    if (!(await this.confirm('team.remove', { name: name || email }))) return;
    await this.#change(
      `remove ${id}`,
      async () => await this.context.api.removePerson({ id }),
      this.text('team.removed'),
    );
  }

  async #revokeInvitation({ id, email }: Invitation) {
    if (!(await this.confirm('team.revoke', { email }))) return;
    const revoke = async () => await this.context.api.revokeInvitation({ id });
    await this.#change(`revoke ${id}`, revoke, this.text('team.revoked'));
  }

  override render() {
    return html`${pageHead(
      this.text('shell.pages.team'),
      button(this.text('team.invite'), () => void this.#invite(), { kind: 'primary', icon: 'user-plus' }),
    )}
      ${this.#invitedPanel()}
      ${loadView(this.#teamLoader, this.i18n, {
        skeleton: () => skeletonRows(3),
        content: (team) => html`<div class="team">
          ${
            team.people.length === 0
              ? emptyState('users', this.text('team.no_members'), this.text('team.no_members_text'))
              : html`<ul class="panel list">
                  ${team.people.map((person) => this.#personRow(person))}
                </ul>`
          }
          ${team.invitations.length === 0 ? nothing : this.#invitationsSection(team.invitations)}
        </div>`,
      })}`;
  }

  /** The owner sends the link over a trusted channel, because anyone with the link can join. */
  #invitedPanel() {
    const { created } = this;
    if (created === null) return nothing;
    return html`<section class="panel panel-body created-invitation" aria-labelledby="created-invitation">
      <h2 class="section-heading" id="created-invitation" tabindex="-1">
        ${this.text(created.is_emailed ? 'team.invited_sent_title' : 'team.invited_title', { email: created.invitation.email })}
      </h2>
      <p class="section-text">${this.text(created.is_emailed ? 'team.invited_sent_text' : 'team.invited_text')}</p>
      <p class="invitation-link"><code dir="ltr">${created.link}</code></p>
      <div class="row-actions">
        ${copyButton(created.link, this.text('team.link'), this.i18n, 'primary')}
        ${button(this.text('shell.close'), () => (this.created = null), { kind: 'quiet' })}
      </div>
    </section>`;
  }

  #personRow(person: Person) {
    const { format, account } = this.context;
    const { email, role, lastSeenAt } = person;
    const name = person.name || email;
    const isCurrentUser = person.id === account?.person.id;
    const action = (key: string, action: () => Promise<void>) =>
      button(this.text(key), () => void action(), { kind: 'quiet', name: this.nameInRow(key, name) });
    return listRow(
      [...name][0]?.toUpperCase(),
      html`<bdi>${name}</bdi> ${isCurrentUser ? tag(this.text('team.you')) : nothing}`,
      html`<bdi>${email}</bdi> ·
        ${lastSeenAt === null ? this.text('team.never_signed_in') : html`${this.text('team.last_active')} ${format.relativeTime(lastSeenAt)}`}`,
      html`<div class="row-end">
        ${tag(this.text(`shell.roles.${role}`))}
        ${
          isCurrentUser
            ? nothing
            : html`<span class="row-actions">
                ${action('team.change_role', async () => await this.#changeRole(person))}
                ${action('team.remove', async () => await this.#remove(person))}
              </span>`
        }
      </div>`,
      true,
    );
  }

  #invitationsSection(invitations: readonly Invitation[]) {
    const rows = invitations.map((invitation) => {
      const { email, expiresAt, role } = invitation;
      const name = this.nameInRow('team.revoke', email);
      return listRow(
        icon('mail'),
        html`<bdi>${email}</bdi>`,
        html`${this.text('team.expires')} ${this.context.format.dateTime(expiresAt)}`,
        html`<div class="row-end">
          ${tag(this.text(`shell.roles.${role}`))}
          <span class="row-actions">
            ${button(this.text('team.revoke'), () => void this.#revokeInvitation(invitation), { kind: 'quiet', name })}
          </span>
        </div>`,
        true,
      );
    });
    return section('invitations', this.text('team.invitations'), html`<ul class="panel list">${rows}</ul>`);
  }
}

import { html, nothing } from 'lit';
import { customElement, state } from 'lit/decorators.js';
import type { InvitePersonAnswer, InvitePersonInput, Invitation, Person } from '../../../client/api.ts';
import { merchantRoles, type PersonRole } from '../../../src/shared/roles.ts';
import { AccountPage } from '../account-page.ts';
import { loadView, skeletonRows } from '../account-state.ts';
import { trimmedValue, textField } from '../fields.ts';
import { icon } from '../icons.ts';
import { Loader } from '../load.ts';
import { SerialQueue } from '../turns.ts';
import { copyButton } from '../copy-button.ts';
import { toProblem, fieldDetail } from '../problems.ts';
import { radioCards } from '../choices.ts';
import { button, listRow, section, tag } from '../parts.ts';

type Role = InvitePersonInput['role'];

/** Who may do what for the merchant. */
@customElement('team-page')
export class TeamPage extends AccountPage {
  /** What the last invitation is to be sent by; shown this once. */
  @state() private invited: InvitePersonAnswer | null = null;

  readonly #turns = new SerialQueue(this);
  readonly #people = new Loader(this, async (signal) => await this.context.api.listPeople({ signal }));

  async #change(name: string, change: () => Promise<unknown>, done: string) {
    await this.#turns.run(name, async () => {
      if (await this.attempt(change)) this.context.announce(done);
      await this.#people.run();
    });
  }

  #roleFields(chosen: PersonRole) {
    return radioCards({
      ...{ legend: this.text('team.role'), name: 'role', selected: chosen },
      options: merchantRoles.map((role) => ({
        value: role,
        text: html`<span class="row-title">${this.text(`shell.roles.${role}`)}</span>
          <span class="row-text">${this.text(`team.can_${role}`)}</span>`,
      })),
    });
  }

  /** Asks again, with what is wrong beside the field, until it is right or given up. */
  async #invite(email = '', mistake: string | null = null): Promise<void> {
    const answer = await this.context.prompt({
      heading: this.text('team.invite_title'),
      fields: html`${textField({
        ...{ id: 'invite-email', name: 'email', type: 'email', label: this.text('sign_in.email'), dir: 'ltr' },
        ...{ value: email, mistake, required: true },
      })}
      ${this.#roleFields('operator')}`,
      confirm: this.text('team.invite'),
    });
    if (answer === null) return;
    const typed = trimmedValue(answer, 'email');
    if (!/^\S+@\S+$/.test(typed)) return await this.#invite(typed, this.text('sign_in.email_missing'));
    try {
      const role = trimmedValue(answer, 'role') as Role;
      this.invited = await this.context.api.invitePerson({ email: typed, role });
      await this.#people.run();
      this.querySelector<HTMLElement>('.invited h2')?.focus();
    } catch (error) {
      const problem = toProblem(error);
      if (fieldDetail(problem, 'email') !== null) return await this.#invite(typed, fieldDetail(problem, 'email'));
      this.announceProblem(error);
    }
  }

  async #changeRole({ id, name, email, role }: Person) {
    const answer = await this.context.prompt({
      heading: this.text('team.change_role_title', { name: name || email }),
      fields: this.#roleFields(role),
      confirm: this.text('team.save'),
    });
    const chosen = (answer === null ? role : trimmedValue(answer, 'role')) as Role;
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

  async #uninvite({ id, email }: Invitation) {
    if (!(await this.confirm('team.uninvite', { email }))) return;
    const takeBack = async () => await this.context.api.takeBackInvitation({ id });
    await this.#change(`uninvite ${id}`, takeBack, this.text('team.uninvited'));
  }

  override render() {
    return html`<header class="page-head">
        <h1 tabindex="-1">${this.text('shell.pages.team')}</h1>
        ${button(this.text('team.invite'), () => void this.#invite(), { kind: 'main', icon: 'user-plus' })}
      </header>
      ${this.#invitedPanel()}
      ${loadView(this.#people, this.i18n, {
        skeleton: () => skeletonRows(3),
        content: (people) => html`<div class="team">
          <ul class="panel list">
            ${people.people.map((person) => this.#person(person))}
          </ul>
          ${people.invitations.length === 0 ? nothing : this.#invitations(people.invitations)}
        </div>`,
      })}`;
  }

  /** The link goes to the person by whatever way the owner trusts: it lets its reader in. */
  #invitedPanel() {
    const { invited } = this;
    if (invited === null) return nothing;
    return html`<section class="panel panel-body invited" aria-labelledby="invited">
      <h2 class="section-heading" id="invited" tabindex="-1">
        ${this.text('team.invited_title', { email: invited.invitation.email })}
      </h2>
      <p class="section-text">${this.text('team.invited_text')}</p>
      <p class="invited-link"><code dir="ltr">${invited.link}</code></p>
      <div class="row-actions">
        ${copyButton(invited.link, this.text('team.link'), this.i18n, 'main')}
        ${button(this.text('shell.close'), () => (this.invited = null), { kind: 'quiet' })}
      </div>
    </section>`;
  }

  #person(person: Person) {
    const { format, account } = this.context;
    const { email, role, lastSeenAt: seen } = person;
    const name = person.name || email;
    const isOneself = person.id === account?.person.id;
    const action = (key: string, act: () => Promise<void>) =>
      button(this.text(key), () => void act(), { kind: 'quiet', name: this.nameInRow(key, name) });
    return listRow(
      [...name][0]?.toUpperCase(),
      html`<bdi>${name}</bdi> ${isOneself ? tag(this.text('team.you')) : nothing}`,
      html`<bdi>${email}</bdi> ·
        ${seen === null ? this.text('team.never_seen') : html`${this.text('team.last_seen')} ${format.relativeTime(seen)}`}`,
      html`<div class="row-end">
        ${tag(this.text(`shell.roles.${role}`))}
        ${
          isOneself
            ? nothing
            : html`${action('team.change_role', async () => await this.#changeRole(person))}
              ${action('team.remove', async () => await this.#remove(person))}`
        }
      </div>`,
      true,
    );
  }

  #invitations(invitations: readonly Invitation[]) {
    const rows = invitations.map((invitation) => {
      const { email, expiresAt, role } = invitation;
      const name = this.nameInRow('team.uninvite', email);
      return listRow(
        icon('mail'),
        html`<bdi>${email}</bdi>`,
        html`${this.text('team.expires')} ${this.context.format.dateTime(expiresAt)}`,
        html`<div class="row-end">
          ${tag(this.text(`shell.roles.${role}`))}
          ${button(this.text('team.uninvite'), () => void this.#uninvite(invitation), { kind: 'quiet', name })}
        </div>`,
        true,
      );
    });
    return section('invitations', this.text('team.invitations'), html`<ul class="panel list">${rows}</ul>`);
  }
}

import { html, nothing } from 'lit';
import { type AccountContext, hasScope } from '../context.ts';
import type { PreferenceKeyEntry } from './preferences.ts';

/** Names of users and tokens that the user may see, by their `updated_by` value. */
export async function readNames(context: AccountContext, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const { api } = context;
  const people = hasScope(context, 'team:manage') ? api.listPeople({ signal }) : Promise.resolve({ people: [] });
  const tokens = hasScope(context, 'token:manage')
    ? api.listAccessTokens({ per_page: 100 }, { signal })
    : Promise.resolve({ tokens: [] });
  const [of, by] = await Promise.all([people.catch(() => ({ people: [] })), tokens.catch(() => ({ tokens: [] }))]);
  return new Map([
    ...of.people.map(({ id, name, email }) => [`person ${id}`, name || email] as const),
    ...by.tokens.flatMap(({ id, name }) => (name === '' ? [] : [[`token ${id}`, name] as const])),
  ]);
}

/** Time and author of the last change of a setting. */
export function lastChange(
  { updated_at: at, updated_by: by }: PreferenceKeyEntry,
  names: ReadonlyMap<string, string>,
  { i18n, format }: AccountContext,
) {
  if (at === null) return nothing;
  const name = by === null ? null : (names.get(by) ?? numberedName(by));
  return html`<p class="setting-note">${i18n.text('account.settings.last_changed')} ${format.relativeTime(at)}${
    name === null ? nothing : html`, <span dir="auto">${name}</span>`
  }</p>`;

  function numberedName(actor: string): string {
    const [kind = '', number = ''] = actor.split(' ');
    return kind === 'person' || kind === 'token' ? i18n.text(`account.settings.by_${kind}`, { number }) : actor;
  }
}

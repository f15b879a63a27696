import type { ReactiveControllerHost } from 'lit';
import type { ListPeopleAnswer } from '../../client/api.ts';
import type { AccountContext } from './context.ts';

/**
 * Who is meant where something says who decided. People stand there by their number: who may see the team is told
 * the name, and others that somebody did it (null). Access tokens stand there by theirs.
 */
export async function nameOfDecider(
  { account, api }: Pick<AccountContext, 'account' | 'api'>,
  by: string,
): Promise<string | null> {
  const [, id] = /^person (\d+)$/.exec(by) ?? [];
  if (id === undefined) return by;
  if (account?.person.id === Number(id)) return account.person.name || account.person.email;
  const team = await api.get<ListPeopleAnswer>('/v1/people').catch(() => null);
  const person = team?.people.find((each) => each.id === Number(id));
  return person ? person.name || person.email : null;
}

/** The name of whoever has decided about what an element shows, which is drawn again when it is known. */
export class DeciderName {
  name: string | null = null;
  #by: string | undefined;
  readonly #host: Pick<ReactiveControllerHost, 'requestUpdate'>;

  constructor(host: Pick<ReactiveControllerHost, 'requestUpdate'>) {
    this.#host = host;
  }

  async follow(context: Pick<AccountContext, 'account' | 'api'>, by: string | undefined): Promise<void> {
    if (by === this.#by) return;
    this.#by = by;
    this.name = null;
    const name = by === undefined ? null : await nameOfDecider(context, by);
    if (by !== this.#by) return;
    this.name = name;
    this.#host.requestUpdate();
  }
}

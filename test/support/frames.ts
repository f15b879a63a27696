import type { FrameRefusal, PageDocument } from '../../src/api/page-state.ts';
import { creation } from './requests.ts';
import type { Answer, World } from './world.ts';

/** What a page's HTML carries for its script. */
export function readPageDocument<Document = PageDocument>(html: string): Document {
  const [, json] = /<script type="application\/json" id="page-document">(.*?)<\/script>/s.exec(html) ?? [];
  if (json === undefined) throw new Error(`There is no page-document in ${html.slice(0, 500)}`);
  return JSON.parse(json) as Document;
}

export function readRefusal(html: string): FrameRefusal['refusal'] {
  return readPageDocument<FrameRefusal>(html).refusal;
}

/** The sources of one directive of an answer's policy; null when it is not in it. */
export function policyOf(answer: Answer, directive: string): string | null {
  const directives = (answer.headers.get('content-security-policy') ?? '').split('; ');
  const found = directives.find((each) => each.startsWith(`${directive} `));
  return found?.slice(directive.length + 1) ?? null;
}

/** A page as a browser asks for it, from a page of `origin` when there is one. */
export async function openPage(
  world: World,
  path: string,
  { origin, headers = {} }: { origin?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const address = new URL(path, world.url);
  if (origin !== undefined) address.searchParams.set('origin', origin);
  return await world.request(address.pathname + address.search, {
    token: null,
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', ...headers },
  });
}

/** A transaction for a form on the merchant's page, with the path of its frame and of its link page. */
export async function createForm(world: World, fields: Record<string, unknown> = {}, token = world.merchant.token) {
  const request = creation({ transaction_type: 'custom_form', ...fields });
  const created = await world.request('/fiat/v1/transaction', { token, body: request });
  if (created.status !== 200) throw new Error(`Creation answered ${created.status}: ${created.text}`);
  const path = new URL(created.body.embed_url).pathname;
  return {
    reference: request.transaction_id,
    request,
    path,
    linkPath: path.replace('/e/', '/p/'),
    clientToken: created.body.client_token as string,
  };
}

export async function allowOrigins(world: World, origins: readonly string[] | null, token = world.merchant.token) {
  const value = origins === null ? null : JSON.stringify(origins);
  const body = { key: 'embed-origin-list', value };
  const answer = await world.request('/v1/merchant/preferences', { method: 'PATCH', token, body });
  if (answer.status !== 200) throw new Error(answer.text);
}

import type { FrameError, PageDocument } from '../../src/api/page-state.ts';
import { creation } from './requests.ts';
import type { FixtureResponse, Fixture } from './fixture.ts';

/** Parses the page document that a page's HTML contains for its script. */
export function readPageDocument<Document = PageDocument>(html: string): Document {
  const [, json] = /<script type="application\/json" id="page-document">(.*?)<\/script>/s.exec(html) ?? [];
  if (json === undefined) throw new Error(`No page-document in ${html.slice(0, 500)}`);
  return JSON.parse(json) as Document;
}

export function readFrameError(html: string): FrameError['error'] {
  return readPageDocument<FrameError>(html).error;
}

/** Returns the sources of a directive of a response's content security policy; null without it. */
export function policyDirective(response: FixtureResponse, directive: string): string | null {
  const directives = (response.headers.get('content-security-policy') ?? '').split('; ');
  const match = directives.find((each) => each.startsWith(`${directive} `));
  return match?.slice(directive.length + 1) ?? null;
}

/** Requests a page like a browser, optionally embedded by a page of `origin`. */
export async function openPage(
  fixture: Fixture,
  path: string,
  { origin, headers = {} }: { origin?: string; headers?: Record<string, string> } = {},
): Promise<FixtureResponse> {
  const address = new URL(path, fixture.url);
  if (origin !== undefined) address.searchParams.set('origin', origin);
  return await fixture.request(address.pathname + address.search, {
    token: null,
    headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8', ...headers },
  });
}

/** Creates a custom_form transaction. Returns the paths of its frame and link page. */
export async function createForm(
  fixture: Fixture,
  fields: Record<string, unknown> = {},
  token = fixture.merchant.token,
) {
  const request = creation({ transaction_type: 'custom_form', ...fields });
  const created = await fixture.request('/fiat/v1/transaction', { token, body: request });
  if (created.status !== 200) throw new Error(`Creation failed with ${created.status}: ${created.text}`);
  const path = new URL(created.body.embed_url).pathname;
  return {
    reference: request.transaction_id,
    request,
    path,
    linkPath: path.replace('/e/', '/p/'),
    clientToken: created.body.client_token as string,
  };
}

export async function allowOrigins(
  fixture: Fixture,
  origins: readonly string[] | null,
  token = fixture.merchant.token,
) {
  const value = origins === null ? null : JSON.stringify(origins);
  const body = { key: 'embed-origin-list', value };
  const response = await fixture.request('/v1/merchant/preferences', { method: 'PATCH', token, body });
  if (response.status !== 200) throw new Error(response.text);
}

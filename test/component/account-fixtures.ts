import axe from 'axe-core';
import { accountLanguages } from '../../pages/locales/account/languages.ts';
import english from '../../pages/locales/en.json' with { type: 'json' };
import type { AccountPage } from '../../pages/account/account-page.ts';
import { createAccountApi } from '../../pages/account/api.ts';
import type { AccountContext, Prompt } from '../../pages/account/context.ts';
import { Format } from '../../pages/account/format.ts';
import { LiveUpdates } from '../../pages/account/live.ts';
import { ReactiveElement } from 'lit';
import { I18n } from '../../pages/checkout/elements/i18n.ts';
import type { Account } from '../../src/api/account.ts';
import { allScopes } from '../../src/shared/scopes.ts';
import { type UserRole, scopesOfRole } from '../../src/shared/roles.ts';

/** The texts of the account area as the server resolves them. */
export const accountTexts: Record<string, string> = flatten({ ...english, account: accountLanguages['en'] ?? {} });
export const accountI18n = new I18n(accountTexts, 'en-US');

function flatten(tree: object, prefix = ''): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(flatten(value, `${prefix}${key}.`))
        : [[`${prefix}${key}`, String(value)]],
    ),
  );
}

/** Third-party texts that must be shown as text, without overflow. */
export const hostileTexts: readonly string[] = [
  '<img src=x onerror="window.hostileTextRan = true">',
  '\u202egnp.exe cod\u202c',
  'a'.repeat(500),
];

let lastKeyAtMs = 0;

/** A keydown event 100 ms after the previous one, independent of the duration of the test. */
export function keydown(key: string, more: KeyboardEventInit = {}): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true, ...more });
  lastKeyAtMs += 100;
  Object.defineProperty(event, 'timeStamp', { value: lastKeyAtMs });
  return event;
}

/** Response to a request: a body, or a problem with an error `status`. */
export interface FakeResponse {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
}
export interface SentRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
}
type FakeResponses = Record<string, FakeResponse | ((request: SentRequest) => FakeResponse | Promise<FakeResponse>)>;

/** A fake service with responses keyed by `GET /v1/people`; offline for others. */
export function fakeService(responses: FakeResponses, merchant: number | null = null) {
  const requests: SentRequest[] = [];
  const fetch = async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, location.origin);
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined;
    const method = init.method ?? 'GET';
    const request = { method, path: url.pathname, query: url.searchParams, headers: new Headers(init.headers), body };
    requests.push(request);
    const found = responses[`${method} ${url.pathname}`];
    const response = typeof found === 'function' ? await found(request) : found;
    if (response === undefined) throw new TypeError('Failed to fetch');
    const text = JSON.stringify(response.body ?? {});
    const sent = new Response(text, { status: response.status ?? 200, headers: response.headers ?? {} });
    // A browser reads a body in another thread, which takes any time on a busy machine: `waitForPage` can't wait for it.
    return Object.assign(sent, { text: async () => text, json: async () => JSON.parse(text) });
  };
  const sending = { fetch: fetch as typeof globalThis.fetch, maxRetries: 0 };
  return { requests, responses, fetch: sending.fetch, api: createAccountApi(sending, merchant) };
}

/** A problem response of the service. */
export function problem(status: number, code: string, details: Record<string, unknown> = {}): FakeResponse {
  return { status, body: { status, code, title: `Title of ${code}`, detail: `Detail of ${code}`, ...details } };
}

export function accountOf(change: Partial<Account> = {}): Account {
  return {
    person: { id: 1, email: 'ada@kettle.example', name: 'Ada Lovelace', isManager: false },
    merchants: [{ id: 7, name: 'Kettle & Co', role: 'owner' }],
    environment: 'sandbox',
    isWeaklyProtected: false,
    sendsEmail: false,
    ...change,
  };
}

/** The context of a page, which records its requests, messages, navigations and prompts. */
/** Names and values of the copy buttons. */
export function copyValues(page: Element): [name: string, value: string][] {
  return [...page.querySelectorAll('wa-copy-button')].map((copy) => [copy.copyLabel, copy.value]);
}

export function accountContext(
  responses: FakeResponses = {},
  role: UserRole = 'owner',
  change: Partial<AccountContext> = {},
) {
  const { api, requests } = fakeService(responses, 7);
  const account = accountOf({ merchants: [{ id: 7, name: 'Kettle & Co', role }] });
  const announced: string[] = [];
  const navigations: string[] = [];
  const prompts: Prompt[] = [];
  /** Answers to the next prompts; without one, the prompt is canceled. */
  const promptValues: Record<string, string>[] = [];
  const live = new LiveUpdates({
    openStream: () => Object.assign(new EventTarget(), { close: () => {} }) as unknown as EventSource,
    schedule: () => () => {},
    page: { addEventListener: () => {}, visibilityState: 'visible' },
  });
  const context: AccountContext = {
    ...{ account, api, live, i18n: accountI18n, merchant: account.merchants[0] ?? null },
    scopes: allScopes(scopesOfRole[role]),
    format: new Format('en-US', () => Date.parse('2026-03-10T12:00:00Z'), 'UTC'),
    navigate: (url) => void navigations.push(url),
    merchantPath: (...segments) => `/account/7/${segments.map(encodeURIComponent).join('/')}`,
    announce: (text) => void announced.push(text),
    async prompt(question) {
      prompts.push(question);
      const result = promptValues.shift();
      if (result === undefined) return null;
      const form = new FormData();
      for (const [name, value] of Object.entries(result)) form.set(name, value);
      return await Promise.resolve(form);
    },
    reloadAccount: async () => await Promise.resolve(void navigations.push('(account changed)')),
    signOut: async () => await Promise.resolve(void navigations.push('(signed out)')),
    refreshReviewCount: () => {},
    ...change,
  };
  return {
    context,
    requests,
    announced,
    navigations,
    prompts,
    promptAnswers: promptValues,
  };
}

/** Shows a page of the account area with its style sheet, as the frame does. */
export async function showPage<Page extends AccountPage>(
  page: Page,
  context: AccountContext,
  params: Record<string, string> = {},
): Promise<Page> {
  Object.assign(page, { context, params });
  const main = document.createElement('main');
  main.className = 'main';
  main.append(page);
  await loadStyles();
  document.body.append(main);
  await waitForPage(page);
  return page;
}

/** Waits until responses have arrived and are rendered. */
export async function waitForPage(page: Element): Promise<void> {
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setTimeout(resolve));
    for (const element of [page, ...page.querySelectorAll('*')])
      if (element instanceof ReactiveElement) await element.updateComplete;
    // A dialog closes one frame later.
    if (document.querySelector('wa-dialog[open]'))
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }
}

/** Sets the width of the page, and waits until resize observers have rendered it. */
export async function resizePage(page: HTMLElement, inlineSize: string): Promise<void> {
  Object.assign(page.style, { display: 'block', inlineSize });
  await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  await waitForPage(page);
}

/** Loads the style sheet of the account area once. */
export async function loadStyles(): Promise<void> {
  if (document.querySelector('link[rel=stylesheet]')) return;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = '/pages/account/account.css';
  const loaded = new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', reject);
  });
  document.head.append(link);
  await loaded;
}

/** Violations that axe finds in light and dark mode. */
export async function accessibilityViolations(): Promise<string[]> {
  const { documentElement } = document;
  documentElement.lang = 'en';
  document.title ||= 'Account';
  const found: string[] = [];
  for (const scheme of ['light', 'dark']) {
    documentElement.style.colorScheme = scheme;
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    const { violations } = await axe.run(document, { runOnly: tags });
    for (const { id, nodes } of violations)
      found.push(`${scheme} ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' ')}`);
  }
  documentElement.style.colorScheme = '';
  return found;
}

/** Number of pixels by which the page is wider than its window. */
export function horizontalOverflow(): number {
  return document.documentElement.scrollWidth - document.documentElement.clientWidth;
}

export const textOf = (element: Element | null | undefined) => element?.textContent?.replace(/\s+/g, ' ').trim() ?? '';

/** The accessible name of a control, from its content. */
export function nameOf(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
  return textOf(copy);
}

/** The element in a component's shadow root that assistive technology sees. */
export function innerControl(component: Element | null): Element {
  const found = component?.shadowRoot?.querySelector('input, textarea, button, a, summary, dialog');
  if (!found) throw new Error('There is no control');
  return found;
}

/** Toggles an expandable row. */
export function toggleExpandable(component: Element | null): void {
  (innerControl(component) as HTMLElement).click();
}

export function button(within: ParentNode, name: RegExp): HTMLElement {
  const found = [...within.querySelectorAll<HTMLElement>('wa-button')].find((each) => name.test(nameOf(each)));
  if (!found) throw new Error(`There is no button ${name}`);
  return found;
}

/** The radio button with this label. */
export function radio(within: ParentNode, name: RegExp): HTMLElement {
  const found = [...within.querySelectorAll<HTMLElement>('wa-radio')].find((each) => name.test(textOf(each)));
  if (!found) throw new Error(`There is no choice ${name}`);
  return found;
}

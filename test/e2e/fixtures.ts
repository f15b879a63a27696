import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { test as base, expect, type Page } from '@playwright/test';
import type { ServerCalls } from './server.ts';

type Remote = {
  [Name in keyof ServerCalls]: (
    ...args: Parameters<ServerCalls[Name]>
  ) => Promise<Awaited<ReturnType<ServerCalls[Name]>>>;
};

interface Reply {
  id: number;
  result?: unknown;
  error?: string;
}

/** Speaks to the server process as if its calls were functions here. */
function remoteOf(child: ChildProcess): { remote: Remote; ready: Promise<void> } {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let last = 0;
  let isReady = () => {};
  const ready = new Promise<void>((resolve) => {
    isReady = resolve;
  });
  child.on('message', ({ id, result, error }: Reply) => {
    if (id === 0) {
      isReady();
      return;
    }
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error));
  });
  const remote = new Proxy({} as Remote, {
    get:
      (_target, name) =>
      (...args: unknown[]) =>
        new Promise((resolve, reject) => {
          last += 1;
          waiting.set(last, { resolve, reject });
          child.send({ id: last, name, args });
        }),
  });
  return { remote, ready };
}

/** Fills the card form as a buyer would, by the labels that a buyer reads. */
export async function fillCard(page: Page, number: string, fields: Partial<Record<string, string>> = {}) {
  const values: Record<string, string> = {
    'Card number': number,
    Expiry: '04 / 30',
    'Security code': number.startsWith('37') ? '1234' : '123',
    'First name': 'Ada',
    'Last name': 'Lovelace',
    Address: '12 St James’s Square',
    City: 'London',
    'State or province': 'London',
    Postcode: 'W1J 7NT',
    Phone: '+44 20 7946 0000',
    Email: 'ada@example.com',
    ...fields,
  };
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel('Country').selectOption(fields.Country ?? 'GB');
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay/ });

/** Messages that Chromium writes when an answer has a status of 400 or more, which some of our pages rightly have. */
const isStatusMessage = (text: string) =>
  /^Failed to load resource: the server responded with a status of 4\d\d/.test(text);

export const test = base.extend<
  { faults: string[]; expectNoFaults: undefined },
  { server: Remote; urls: Awaited<ReturnType<ServerCalls['addresses']>> }
>({
  server: [
    async ({}, use) => {
      const child = fork(join(import.meta.dirname, 'server.ts'), { execArgv: ['--import', 'tsx'] });
      const { remote, ready } = remoteOf(child);
      const died = new Promise<never>((_resolve, reject) => {
        child.once('exit', (code) => reject(new Error(`The server ended with ${code}`)));
      });
      await Promise.race([ready, died]);
      died.catch(() => undefined);
      await use(remote);
      child.disconnect();
    },
    { scope: 'worker' },
  ],
  urls: [async ({ server }, use) => await use(await server.addresses()), { scope: 'worker' }],
  /** What no page may do: errors, policy violations, requests to other hosts. */
  faults: async ({ context }, use) => {
    const faults: string[] = [];
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`policy violated: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
    context.on('console', (message) => {
      if ((message.type() === 'error' || message.type() === 'warning') && !isStatusMessage(message.text()))
        faults.push(message.text());
    });
    context.on('weberror', (error) => faults.push(String(error.error())));
    context.on('request', (request) => {
      const { hostname, protocol } = new URL(request.url());
      if (protocol.startsWith('http') && hostname !== '127.0.0.1') faults.push(`request to ${hostname}`);
    });
    await use(faults);
  },
  expectNoFaults: [
    async ({ faults }, use) => {
      await use(undefined);
      expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

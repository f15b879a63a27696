import { test as base, expect, type Page } from '@playwright/test';
import { cardForm } from '../support/card-form.ts';
import { type RemoteServer, type ServerAddresses, startServerProcess } from '../support/server-process.ts';

/** Fills the card form as a buyer would, by the labels that a buyer reads. */
export async function fillCard(page: Page, number: string, fields: Partial<ReturnType<typeof cardForm>> = {}) {
  const { Country: country, ...values } = { ...cardForm(number), ...fields };
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByLabel('Country').selectOption(country);
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^Pay/ });

/** Messages that Chromium writes when an answer has a status of 400 or more, which some of our pages rightly have. */
const isStatusMessage = (text: string) =>
  /^Failed to load resource: the server responded with a status of 4\d\d/.test(text);

export const test = base.extend<
  { faults: string[]; expectNoFaults: undefined },
  { server: RemoteServer; urls: ServerAddresses }
>({
  server: [
    async ({}, use) => {
      const { server, stop } = await startServerProcess();
      await use(server);
      await stop();
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
      if (protocol.startsWith('http') && hostname !== '127.0.0.1' && hostname !== 'localhost')
        faults.push(`request to ${hostname}`);
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

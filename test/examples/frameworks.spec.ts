import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageRoot } from '../../src/system/root.ts';
import { PayForm, scenarios } from '../../testing/index.ts';
import { expect, test as base } from '../e2e/fixtures.ts';
import { freePort } from '../support/ports.ts';
import { until } from '../support/program.ts';

/** The programs that each example's README commands run, in order; the last one serves. */
const commands = {
  angular: () => [['node_modules/@angular/cli/bin/ng.js', 'build'], ['server.mjs']],
  next: (port: string) => [['node_modules/next/dist/bin/next', 'dev', '--port', port]],
  svelte: (port: string) => [['node_modules/vite/bin/vite.js', '--port', port, '--strictPort']],
} satisfies Record<string, (port: string) => string[][]>;
type Example = keyof typeof commands;

const test = base.extend<{ start: (example: Example) => Promise<string> }>({
  /** Starts an example in its folder, and returns its URL. */
  start: async ({ urls, page }, use) => {
    const running: ChildProcess[] = [];
    await use(async (example) => {
      const port = String(await freePort());
      const run = (args: string[]) =>
        spawn(process.execPath, args, {
          cwd: join(packageRoot(), 'examples', example),
          stdio: ['ignore', 'ignore', 'inherit'],
          // A group of its own: Next.js starts further processes.
          detached: true,
          env: {
            ...process.env,
            ...{ NODE_OPTIONS: '', NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1' },
            ...{ SERVICE_URL: urls.url, ACCESS_TOKEN: urls.token, PORT: port },
          },
        });
      const steps: string[][] = commands[example](port);
      for (const args of steps.slice(0, -1)) {
        const [code] = (await once(run(args), 'exit')) as [number];
        expect(code, args.join(' ')).toBe(0);
      }
      const server = run(steps.at(-1) ?? []);
      running.push(server);
      const address = `http://localhost:${port}`;
      await until(`${example} responds`, async () => {
        if (server.exitCode !== null) throw new Error(`${example} ended with ${server.exitCode}`);
        return await fetch(address).then(
          ({ ok }) => ok,
          () => false,
        );
      });
      return address;
    });
    // A request of the page that is still running would fail with the server.
    await page.goto('about:blank');
    for (const server of running) {
      const ended = server.exitCode === null && server.signalCode === null ? once(server, 'exit') : null;
      if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM');
      await ended;
    }
  },
});

for (const example of Object.keys(commands) as Example[]) {
  test(`${example}: a declined card, then an approved card`, async ({ page, start }) => {
    await page.goto(await start(example));
    // The button of the page, or of the form.
    const payButton = page.getByRole('button', { name: /^Pay/ });
    const form = new PayForm(page.locator('pay-form'), example === 'next' ? { payButton } : {});
    await form.fillAndPay(scenarios.declined);
    await expect(page.getByRole('status')).toContainText('Your card was declined');
    await form.fillAndPay(scenarios.approved);
    await expect(page.getByRole('status')).toHaveText('Thank you. The cups are on their way.');
  });
}

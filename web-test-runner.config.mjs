import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { build } from 'esbuild';
import { chromiumSwitches, findFastChromium } from './scripts/chromium.mjs';

/** Each test file arrives in the browser as one script, with its CommonJS dependencies and decorators turned into what browsers run. */
function bundleTests() {
  return {
    name: 'bundle-tests',
    resolveMimeType(context) {
      return context.path.endsWith('.test.ts') ? 'js' : undefined;
    },
    async serve(context) {
      if (!context.path.endsWith('.test.ts')) return undefined;
      const { outputFiles } = await build({
        entryPoints: [join(import.meta.dirname, context.path)],
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'browser',
        sourcemap: 'inline',
        logLevel: 'silent',
      });
      return outputFiles[0].text;
    },
  };
}

/** What the service serves out of `public/` stands at the root here as well: a missing picture would be a fault on the page. */
function servePublicFiles(context, next) {
  if (/^\/(?:brands|methods)\//.test(context.path)) context.path = `/public${context.path}`;
  return next();
}

/** Leaves the counts where the test command reads them. */
function countReporter() {
  return {
    stop({ sessions }) {
      const results = [...sessions].flatMap(({ testResults }) => (testResults ? leaves(testResults) : []));
      const broken = [...sessions].filter(({ errors }) => errors.length > 0).length;
      const passed = results.filter((result) => result.passed).length;
      const failed = results.filter((result) => !result.passed && !result.skipped).length + broken;
      const skipped = results.filter((result) => result.skipped).length;
      mkdirSync('test-results', { recursive: true });
      writeFileSync('test-results/component.json', JSON.stringify({ passed, failed: failed + skipped }));
    },
  };
}

function leaves(suite) {
  return [...suite.tests, ...suite.suites.flatMap(leaves)];
}

/** A page that leaves what it ran where `scripts/coverage.mjs` reads it. */
async function createPage({ context }) {
  const page = await context.newPage();
  const { COVERAGE } = process.env;
  if (!COVERAGE) return page;
  await page.coverage.startJSCoverage();
  const { goto } = page;
  page.goto = async (url, ...rest) => {
    // Where the runner ends a session.
    if (url === 'about:blank') {
      mkdirSync(COVERAGE, { recursive: true });
      const entries = await page.coverage.stopJSCoverage();
      writeFileSync(join(COVERAGE, `browser-${randomUUID()}.json`), JSON.stringify(entries));
    }
    return await goto.call(page, url, ...rest);
  };
  return page;
}

export default {
  files: 'test/component/**/*.test.ts',
  plugins: [bundleTests()],
  middleware: [servePublicFiles],
  reporters: [defaultReporter(), countReporter()],
  browsers: [
    playwrightLauncher({
      product: 'chromium',
      launchOptions: { executablePath: findFastChromium() ?? '', args: chromiumSwitches },
      createPage,
    }),
  ],
  concurrency: 2,
  // Only what hangs is to fail by its time: a busy machine is no fault.
  testFramework: { config: { timeout: 20_000 } },
};

import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultReporter } from '@web/test-runner';
import { playwrightLauncher } from '@web/test-runner-playwright';
import { build } from 'esbuild';
import { chromiumSwitches, findFastChromium } from './scripts/chromium.mjs';

/** Bundles each test file, its CommonJS dependencies and its decorators into one script that browsers can run. */
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
        loader: { '.css': 'text' },
        sourcemap: 'inline',
        // The coverage report shows the sources.
        sourcesContent: Boolean(process.env.COVERAGE),
        logLevel: 'silent',
      });
      return outputFiles[0].text;
    },
  };
}

/** Serves files of `public/` at the root, like the service: a missing image would count as a page error. */
function servePublicFiles(context, next) {
  if (/^\/(?:brands|methods)\//.test(context.path)) context.path = `/public${context.path}`;
  return next();
}

/** Writes the counts to the file that the test command reads. */
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

/** Creates a page that writes its coverage for `scripts/coverage.mjs`. */
async function createPage({ context }) {
  const page = await context.newPage();
  const { COVERAGE } = process.env;
  if (!COVERAGE) return page;
  await page.coverage.startJSCoverage();
  const { goto } = page;
  page.goto = async (url, ...rest) => {
    // The runner ends a session with this page.
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
  concurrency: 3,
  // Only hanging tests time out: a busy machine slows all of them.
  testFramework: { config: { timeout: 300_000 } },
  testsFinishTimeout: 2_400_000,
};

import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { chromiumSwitches, findFastChromium } from './scripts/chromium.mjs';

process.env.FONTCONFIG_FILE ??= join(import.meta.dirname, 'test/e2e/fonts.conf');

export default defineConfig({
  testDir: process.env.PLAYWRIGHT_FOLDER ?? 'test/e2e',
  outputDir: 'test-results/e2e',
  fullyParallel: true,
  // One more than cores: tests also wait for timers and the network.
  workers: availableParallelism() + 1,
  retries: 0,
  forbidOnly: true,
  // Only hanging tests time out: a busy machine slows all of them.
  timeout: 900_000,
  expect: { timeout: 120_000 },
  reporter: [['dot'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    launchOptions: { executablePath: findFastChromium() ?? '', args: chromiumSwitches },
    locale: 'en-US',
    timezoneId: 'UTC',
    contextOptions: { reducedMotion: 'reduce' },
    actionTimeout: 120_000,
  },
});

// Finds Chromium for browser tests.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

const bundledPath = chromium.executablePath();
const browserPaths = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  bundledPath,
];
/** Headless shells, which run tests in about half the time. */
const shells = ['/usr/bin/chromium-headless-shell'];

const first = (paths) => paths.find((path) => path && existsSync(path)) ?? null;

/** The path of a full Chromium, or null. */
export function findChromium() {
  return first(browserPaths);
}

/** The path of the fastest Chromium for tests without a profile: a headless shell if available. */
export function findFastChromium() {
  return process.env.CHROMIUM_PATH ? findChromium() : first([...shells, ...browserPaths]);
}

/** Switches for tests: no sandbox as root, no background traffic. */
export const chromiumSwitches = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

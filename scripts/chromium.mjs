// Finds the Chromium that browser tests run in.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

const own = chromium.executablePath();
const places = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  own,
];
/** The same engine without windows and profiles: tests take about half the time in it. */
const shells = ['/usr/bin/chromium-headless-shell'];

const first = (paths) => paths.find((path) => path && existsSync(path)) ?? null;

/** The path of a whole Chromium, or null when there is none. */
export function findChromium() {
  return first(places);
}

/** The path of the fastest Chromium for tests that need no profile: a headless shell where there is one. */
export function findFastChromium() {
  return process.env.CHROMIUM_PATH ? findChromium() : first([...shells, ...places]);
}

/** Switches for a Chromium that tests drive: no sandbox as root, no traffic of its own. */
export const chromiumSwitches = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

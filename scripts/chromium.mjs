// Finds the Chromium that browser tests run in.
import { existsSync } from 'node:fs';
import { chromium } from 'playwright';

const places = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The path of a Chromium, or null when there is none. */
export function findChromium() {
  const own = chromium.executablePath();
  return places.find((path) => path && existsSync(path)) ?? (existsSync(own) ? own : null);
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

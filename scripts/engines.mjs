// Finds the browsers besides Chromium that the pages are tested in.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

function inPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

function firstOf(...paths) {
  return paths.find((path) => path && existsSync(path)) ?? null;
}

/** The path of a Firefox, or null when there is none. */
export function findFirefox() {
  return firstOf(
    process.env.FIREFOX_PATH,
    inPath('firefox-esr'),
    inPath('firefox'),
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  );
}

/** The path of WebKitGTK's WebDriver, or null when there is none. */
export function findWebKitDriver() {
  return firstOf(process.env.WEBKIT_DRIVER_PATH, inPath('WebKitWebDriver'));
}

/** The path of the X server without a screen that WebKitGTK draws on, or null when there is none. */
export function findXvfb() {
  return inPath('Xvfb');
}

/** A line for each thing that is not on this machine. */
export function missingForEngines() {
  const needs = [
    [findFirefox(), 'Missing: Firefox. Debian: apt-get install firefox-esr. Elsewhere: set FIREFOX_PATH.'],
    [
      findWebKitDriver(),
      'Missing: WebKitGTK with its driver. Debian: apt-get install webkit2gtk-driver. Elsewhere: set WEBKIT_DRIVER_PATH.',
    ],
    [findXvfb(), 'Missing: Xvfb, which WebKitGTK draws on. Debian: apt-get install xvfb.'],
  ];
  return needs.filter(([path]) => path === null).map(([, line]) => line);
}

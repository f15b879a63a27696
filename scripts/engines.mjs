// Finds the other browsers in which the pages are tested.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

function inPath(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

function firstOf(...paths) {
  return paths.find((path) => path && existsSync(path)) ?? null;
}

/** The path of Firefox, or null. */
export function findFirefox() {
  return firstOf(
    process.env.FIREFOX_PATH,
    inPath('firefox-esr'),
    inPath('firefox'),
    '/Applications/Firefox.app/Contents/MacOS/firefox',
  );
}

/** The path of WebKitGTK's WebDriver, or null. */
export function findWebKitDriver() {
  return firstOf(process.env.WEBKIT_DRIVER_PATH, inPath('WebKitWebDriver'));
}

/** The path of Xvfb, which WebKitGTK needs, or null. */
export function findXvfb() {
  return inPath('Xvfb');
}

/** One line for each missing program. */
export function missingForEngines() {
  const needs = [
    [findFirefox(), 'Missing: Firefox. Debian: apt-get install firefox-esr. Elsewhere: set FIREFOX_PATH.'],
    [
      findWebKitDriver(),
      'Missing: WebKitGTK with its driver. Debian: apt-get install webkit2gtk-driver. Elsewhere: set WEBKIT_DRIVER_PATH.',
    ],
    [findXvfb(), 'Missing: Xvfb, which WebKitGTK needs. Debian: apt-get install xvfb.'],
  ];
  return needs.filter(([path]) => path === null).map(([, line]) => line);
}

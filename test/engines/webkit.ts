import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findWebKitDriver, findXvfb } from '../../scripts/engines.mjs';
import { freePort } from '../support/ports.ts';
import {
  type Browser,
  call,
  COMMAND_TIMEOUT_MS,
  elementAt,
  type Engine,
  type FramePath,
  type Key,
  type Tab,
} from './driver.ts';
import { eventually } from './eventually.ts';

const SCREEN = { width: 1600, height: 1200 };

/** WebKitGTK over classic WebDriver, on a virtual X server. */
export const webkit: Engine = {
  name: 'WebKit',
  async launch(): Promise<Browser> {
    const driverPath = findWebKitDriver();
    const xvfbPath = findXvfb();
    if (driverPath === null || xvfbPath === null) throw new Error('WebKitGTK driver or Xvfb is not installed');
    const home = createProfile();
    const screen = `${SCREEN.width}x${SCREEN.height}x24`;
    // Without -noreset, Xvfb restarts when its last window closes and refuses connections in the meantime.
    const xvfb = spawn(xvfbPath, ['-noreset', '-displayfd', '3', '-nolisten', 'tcp', '-screen', '0', screen], {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    });
    const display = await firstLine(xvfb);
    const port = await freePort();
    const driver = spawn(driverPath, [`--port=${port}`], {
      stdio: 'ignore',
      env: { ...process.env, ...home.environment, DISPLAY: `:${display}`, TZ: 'UTC' },
    });
    const end = () => {
      driver.kill();
      xvfb.kill();
    };
    process.once('exit', end);
    const remote = new Remote(`http://127.0.0.1:${port}`);
    await eventually(async () => await remote.send('GET', '/status'));
    return {
      async newTab() {
        const { sessionId } = (await remote.send('POST', '/session', { capabilities: {} })) as { sessionId: string };
        const tab = new WebKitTab(new Remote(`http://127.0.0.1:${port}/session/${sessionId}`));
        await tab.resize(1280, 800);
        return tab;
      },
      async close() {
        process.off('exit', end);
        const ended = Promise.all([once(driver, 'exit'), once(xvfb, 'exit')]);
        end();
        await ended;
        // Browser processes end after the driver and may still write.
        rmSync(home.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
      },
    };
  },
};

/** Number of the display, which the X server prints once it accepts connections. */
async function firstLine(child: ChildProcess): Promise<string> {
  const pipe = child.stdio[3];
  if (!pipe) throw new Error('The pipe is missing');
  const [line] = (await once(pipe, 'data', { signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS) })) as [Buffer];
  return line.toString().trim();
}

/** Browser settings that are the same on every machine. */
function createProfile() {
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-webkit-'));
  mkdirSync(join(folder, 'gtk-3.0'));
  // The browser's toolbar needs 447 pixels; a phone has 360.
  writeFileSync(join(folder, 'gtk-3.0', 'gtk.css'), 'entry, button { min-width: 0; padding: 0; margin: 0; border: 0 }');
  // The browser takes its language from the locale's name. A minimal machine has only this locale.
  symlinkSync('/usr/lib/locale/C.utf8', join(folder, 'en_US.UTF-8'));
  const environment = {
    XDG_CONFIG_HOME: folder,
    XDG_CACHE_HOME: folder,
    XDG_DATA_HOME: folder,
    // There is no GPU, and accelerated compositing is slow and sometimes crashes without one.
    WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    LOCPATH: folder,
    LC_ALL: 'en_US.UTF-8',
  };
  return { folder, environment };
}

/** A minimal W3C WebDriver client: sends a request and returns its value or error. */
class Remote {
  readonly #address: string;

  constructor(address: string) {
    this.#address = address;
  }

  async send(method: 'GET' | 'POST' | 'DELETE', path: string, body: object = {}): Promise<unknown> {
    const response = await fetch(this.#address + path, {
      method,
      signal: AbortSignal.timeout(COMMAND_TIMEOUT_MS),
      ...(method === 'POST' && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) {
      const { error, message } = value as { error: string; message: string };
      throw new Error(`${error}: ${message}`);
    }
    return value;
  }
}

interface Point {
  x: number;
  y: number;
}

/** Scrolls to an element, or to a point within it, and returns its viewport position. Runs in the page. */
function scrollIntoView(element: Element | undefined, within?: Point): Point {
  if (!element) throw new Error('Element not found');
  if (!within) element.scrollIntoView({ block: 'center', inline: 'nearest' });
  const { left, top, width, height } = element.getBoundingClientRect();
  const point = within ?? { x: width / 2, y: height / 2 };
  const before = scrollY;
  scrollBy({ top: top + point.y - innerHeight / 2, behavior: 'instant' });
  return { x: left + point.x, y: top + point.y - (scrollY - before) };
}

const keys: Record<Key, string> = { Tab: '\uE004', Enter: '\uE007' };
const SHIFT = '\uE008';

type Keystroke = [down: object, up: object];

function keystroke(value: string): Keystroke {
  return [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ];
}

class WebKitTab implements Tab {
  readonly #remote: Remote;
  #currentFrames: FramePath | null = null;

  constructor(remote: Remote) {
    this.#remote = remote;
  }

  async open(address: string) {
    this.#currentFrames = null;
    await this.#remote.send('POST', '/url', { url: address });
  }

  async address() {
    return String(await this.#remote.send('GET', '/url'));
  }

  async resize(width: number, height: number) {
    // Without a window manager, the window under the pointer has the focus, and the pointer is in the center.
    const x = (SCREEN.width - width) / 2;
    const y = (SCREEN.height - height) / 2;
    await this.#remote.send('POST', '/window/rect', { x, y, width, height });
  }

  async evaluate(frames: FramePath, script: string) {
    await this.#switchTo(frames);
    return await this.#execute(script);
  }

  async click(frames: FramePath, script: string) {
    const { x, y } = await this.#scrollTo(frames, script);
    const actions = [
      { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await this.#switchTo([]);
    await this.#remote.send('POST', '/actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] });
  }

  async type(text: string) {
    await this.#sendKeys([...text].flatMap(keystroke));
  }

  async press(key: Key, modifier?: 'Shift') {
    const pressed = keystroke(keys[key]);
    const [down, up] = keystroke(SHIFT);
    await this.#sendKeys(modifier ? [down, ...pressed, up] : pressed);
  }

  takeFaults() {
    return [];
  }

  async close() {
    await this.#remote.send('DELETE', '');
  }

  /**
   * Scrolls the center of an element into view and returns its position in the window. The driver's own click does
   * not scroll outside a cross-origin frame.
   */
  async #scrollTo(frames: FramePath, script: string): Promise<Point> {
    await this.#switchTo(frames);
    let point = (await this.#execute(`(${scrollIntoView.toString()})(${script})`)) as Point;
    for (let depth = frames.length - 1; depth >= 0; depth -= 1) {
      await this.#switchTo(frames.slice(0, depth));
      const frame = call(elementAt, frames[depth] ?? '');
      point = (await this.#execute(`(${scrollIntoView.toString()})(${frame}, ${JSON.stringify(point)})`)) as Point;
    }
    return point;
  }

  async #sendKeys(actions: readonly object[]) {
    await this.#remote.send('POST', '/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  }

  async #execute(script: string): Promise<unknown> {
    try {
      return await this.#remote.send('POST', '/execute/sync', { script: `return ${script}`, args: [] });
    } catch (error) {
      // The frame may have been removed with its page.
      this.#currentFrames = null;
      throw error;
    }
  }

  /** Switches to a frame if it is not the current one, because switching moves the focus. */
  async #switchTo(frames: FramePath) {
    if (isDeepStrictEqual(this.#currentFrames, frames)) return;
    this.#currentFrames = null;
    await this.#remote.send('POST', '/frame', { id: null });
    for (const selector of frames) {
      const element = await this.#execute(call(elementAt, selector));
      if (!element) throw new Error(`Frame not found: ${selector}`);
      await this.#remote.send('POST', '/frame', { id: element });
    }
    this.#currentFrames = frames;
  }
}

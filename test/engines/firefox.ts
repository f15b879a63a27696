import puppeteer, { type ElementHandle, type Frame, type Page } from 'puppeteer-core';
import { findFirefox } from '../../scripts/engines.mjs';
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

/** Firefox over WebDriver BiDi, with site isolation, as buyers use it. */
export const firefox: Engine = {
  name: 'Firefox',
  async launch(): Promise<Browser> {
    const executablePath = findFirefox();
    if (executablePath === null) throw new Error('Firefox is not installed');
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath,
      protocolTimeout: COMMAND_TIMEOUT_MS,
      defaultViewport: { width: 1280, height: 800 },
      extraPrefsFirefox: { 'intl.accept_languages': 'en-US' },
    });
    return {
      async newTab() {
        const context = await browser.createBrowserContext();
        return new FirefoxTab(await context.newPage());
      },
      close: () => browser.close(),
    };
  },
};

/** Error that Firefox before 145 logs for an open stream when the page navigates. */
const INTERRUPTED_STREAM = /\/events was interrupted while the page was loading\.$/;

class FirefoxTab implements Tab {
  readonly #faults: string[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    const record = (fault: string) => {
      if (!INTERRUPTED_STREAM.test(fault)) this.#faults.push(fault);
    };
    page.on('pageerror', (error) => record(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warn') record(message.text());
    });
  }

  async open(address: string) {
    await this.#page.goto(address);
  }

  async address() {
    return String(await this.#page.evaluate('location.href'));
  }

  async resize(width: number, height: number) {
    await this.#page.setViewport({ width, height }).catch((error: unknown) => {
      // Puppeteer sets the orientation with the size, which Firefox before 145 does not support.
      if (!String(error).includes('unknown command emulation.setScreenOrientationOverride')) throw error;
    });
  }

  async evaluate(frames: FramePath, script: string) {
    return await (await this.#frame(frames)).evaluate(script);
  }

  async click(frames: FramePath, script: string) {
    let { x, y } = await this.#centerOf(frames, script);
    // Wait until the layout is stable: a frame that gets its height now would move the target.
    for (;;) {
      await this.#page.evaluate(async () => await new Promise((resolve) => requestAnimationFrame(() => resolve(null))));
      const now = await this.#centerOf(frames, script);
      if (now.x === x && now.y === y) break;
      ({ x, y } = now);
    }
    await this.#page.mouse.click(x, y);
  }

  async #centerOf(frames: FramePath, script: string): Promise<Point> {
    // Puppeteer locates frames with a command that Firefox before 145 does not support.
    let { x, y } = await elementCenter(await this.#frame(frames), script);
    for (let depth = frames.length; depth > 0; depth -= 1) {
      const selector = frames[depth - 1] ?? '';
      const corner = await frameOrigin(await this.#frame(frames.slice(0, depth - 1)), call(elementAt, selector));
      x += corner.x;
      y += corner.y;
    }
    return { x, y };
  }

  async type(text: string) {
    await this.#page.keyboard.type(text);
  }

  async press(key: Key, modifier?: 'Shift') {
    if (modifier) await this.#page.keyboard.down(modifier);
    await this.#page.keyboard.press(key);
    if (modifier) await this.#page.keyboard.up(modifier);
  }

  takeFaults() {
    return this.#faults.splice(0);
  }

  async close() {
    await this.#page.browserContext().close();
  }

  async #frame(path: FramePath): Promise<Frame> {
    let frame = this.#page.mainFrame();
    for (const selector of path) {
      const element = await findElement(frame, call(elementAt, selector));
      const inner = await element.contentFrame();
      await element.dispose();
      if (!inner) throw new Error(`${selector} is not a frame`);
      frame = inner;
    }
    return frame;
  }
}

interface Point {
  x: number;
  y: number;
}

/** Center of the element that a script returns, scrolled into view, in its frame's coordinates. */
async function elementCenter(frame: Frame, script: string): Promise<Point> {
  const element = await findElement(frame, script);
  const point = await element.evaluate((found) => {
    found.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
    const { left, top, width, height } = found.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  });
  await element.dispose();
  return point;
}

/** Origin of a frame's content, in the coordinates of its parent frame. */
async function frameOrigin(frame: Frame, script: string): Promise<Point> {
  const element = await findElement(frame, script);
  const point = await element.evaluate((found) => {
    const { left, top } = found.getBoundingClientRect();
    return { x: left + found.clientLeft, y: top + found.clientTop };
  });
  await element.dispose();
  return point;
}

async function findElement(frame: Frame, script: string): Promise<ElementHandle> {
  const element = (await frame.evaluateHandle(script)).asElement();
  if (!element) throw new Error(`No element: ${script}`);
  return element as ElementHandle;
}

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

/** Firefox over WebDriver BiDi: with its processes apart by site, as buyers have it. */
export const firefox: Engine = {
  name: 'Firefox',
  async launch(): Promise<Browser> {
    const executablePath = findFirefox();
    if (executablePath === null) throw new Error('There is no Firefox on this machine');
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

class FirefoxTab implements Tab {
  readonly #faults: string[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
    page.on('pageerror', (error) => this.#faults.push(String(error)));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warn') this.#faults.push(message.text());
    });
  }

  async open(address: string) {
    await this.#page.goto(address);
  }

  async address() {
    return String(await this.#page.evaluate('location.href'));
  }

  async resize(width: number, height: number) {
    await this.#page.setViewport({ width, height });
  }

  async evaluate(frames: FramePath, script: string) {
    return await (await this.#frame(frames)).evaluate(script);
  }

  async click(frames: FramePath, script: string) {
    const element = await elementOf(await this.#frame(frames), script);
    await element.click();
    await element.dispose();
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
      const element = await elementOf(frame, call(elementAt, selector));
      const inner = await element.contentFrame();
      await element.dispose();
      if (!inner) throw new Error(`${selector} is no frame`);
      frame = inner;
    }
    return frame;
  }
}

async function elementOf(frame: Frame, script: string): Promise<ElementHandle> {
  const element = (await frame.evaluateHandle(script)).asElement();
  if (!element) throw new Error(`No element: ${script}`);
  return element as ElementHandle;
}

import assert from 'node:assert/strict';
import { call, elementAt, type FramePath, type Key, type Tab } from './driver.ts';
import { eventually } from './eventually.ts';

const controls = {
  field: 'input:not([type=hidden]), select, textarea',
  button: 'button',
};
type Role = keyof typeof controls;

/** Simplified accessible name of an element. Runs in the page. */
function nameOf(element: Element): string {
  const labels = 'labels' in element ? [...((element.labels as NodeListOf<Element> | null) ?? [])] : [];
  const text = labels.length > 0 ? labels.map((label) => label.textContent).join(' ') : element.textContent;
  return (element.getAttribute('aria-label') ?? text ?? '').replace(/\s+/g, ' ').trim();
}

/** The first visible element of a selector with a matching name. Runs in the page. */
function findByName(selector: string, pattern: string, nameOf: (element: Element) => string): Element | undefined {
  return [...document.querySelectorAll(selector)].find(
    (element) => element.checkVisibility() && new RegExp(pattern).test(nameOf(element)),
  );
}

/** Names of the visible elements of a selector. Runs in the page. */
function namesOf(selector: string, nameOf: (element: Element) => string): string[] {
  return [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility()).map(nameOf);
}

/** Name of the focused element; empty if there is none. Runs in the page. */
function focusedName(nameOf: (element: Element) => string): string {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body ? '' : nameOf(activeElement);
}

/** Returns true if the element is focused or contains the focus. Runs in the page. */
function hasFocus(selector: string, elementAt: (selector: string) => Element | null): boolean {
  const element = elementAt(selector);
  const root = element?.getRootNode();
  return (root instanceof ShadowRoot || root instanceof Document) && root.activeElement === element;
}

/** Accessible description of a field. Runs in the page. */
function descriptionOf(element: Element): string {
  const ids = (element.getAttribute('aria-describedby') ?? '').split(' ');
  return ids.map((id) => document.getElementById(id)?.textContent?.trim() ?? '').join(' ');
}

/** A page or a frame, with elements located by role and name. */
export class Page {
  readonly tab: Tab;
  readonly #frames: FramePath;

  constructor(tab: Tab, frames: FramePath = []) {
    this.tab = tab;
    this.#frames = frames;
  }

  /** A frame of this document. */
  inFrame(frame: string): Page {
    return new Page(this.tab, [...this.#frames, frame]);
  }

  async open(address: string) {
    await this.tab.open(address);
  }

  async waitForAddress(address: string) {
    await eventually(async () => assert.equal(await this.tab.address(), address));
  }

  async evaluate(script: string): Promise<unknown> {
    return await this.tab.evaluate(this.#frames, script);
  }

  async text(): Promise<string> {
    return String(await this.evaluate('document.body.innerText'));
  }

  async waitForText(text: RegExp) {
    await eventually(async () => assert.match(await this.text(), text));
  }

  /** Waits until an expression is true in the page. */
  async waitForExpression(expression: string, message: string) {
    await eventually(async () => assert.equal(await this.evaluate(expression), true, message));
  }

  /** Waits until a control is enabled. */
  async waitForEnabled(role: Role, name: string | RegExp) {
    await this.waitForExpression(
      `${findScript(role, name)}?.matches(':enabled') ?? false`,
      `No enabled ${role} ${name}`,
    );
  }

  async click(role: Role, name: string | RegExp) {
    await this.waitForEnabled(role, name);
    await this.tab.click(this.#frames, findScript(role, name));
  }

  async type(text: string) {
    await this.tab.type(text);
  }

  async press(key: Key, modifier?: 'Shift') {
    await this.tab.press(key, modifier);
  }

  /** Waits until the control has the focus, in this frame. */
  async waitForFocus(name: string | RegExp) {
    const pattern = typeof name === 'string' ? exactPattern(name) : name;
    await eventually(async () => {
      // Outer frames first: a driver may move the focus to a frame that it inspects.
      for (const [depth, frame] of this.#frames.entries()) {
        const isHere = await this.tab.evaluate(this.#frames.slice(0, depth), call(hasFocus, frame, elementAt));
        assert.equal(isHere, true, `${frame} is not focused`);
      }
      assert.match(String(await this.evaluate(call(focusedName, nameOf))), pattern);
    });
  }

  /** Names of all visible elements of a role, in document order. */
  async names(role: Role): Promise<string[]> {
    return (await this.evaluate(call(namesOf, controls[role], nameOf))) as string[];
  }

  async value(label: string): Promise<unknown> {
    return await this.evaluate(`${findScript('field', label)}.value`);
  }

  /** Text of the selected option of a list. */
  async selectedText(label: string): Promise<unknown> {
    return await this.evaluate(`${findScript('field', label)}.selectedOptions[0].text`);
  }

  async attribute(label: string, attribute: string): Promise<unknown> {
    return await this.evaluate(`${findScript('field', label)}.getAttribute(${JSON.stringify(attribute)})`);
  }

  /** Accessible description of a field, such as its error. */
  async description(label: string): Promise<string> {
    return String(await this.evaluate(`(${descriptionOf.toString()})(${findScript('field', label)})`));
  }
}

function exactPattern(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

function findScript(role: Role, name: string | RegExp): string {
  const { source } = typeof name === 'string' ? exactPattern(name) : name;
  return call(findByName, controls[role], source, nameOf);
}

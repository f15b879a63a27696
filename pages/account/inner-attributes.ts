import { noChange } from 'lit';
import type { LitElement } from 'lit';
import { directive, Directive, type ElementPart } from 'lit/directive.js';

type Attributes = Readonly<Record<string, string | boolean | undefined>>;

const CONTROL = 'input, textarea, button, a, summary, dialog, fieldset';

/**
 * Sets attributes on the control inside a Web Awesome component, or on another element there. Use it if the component has no such property:
 * `aria-expanded` of its button, `aria-invalid` and `dir` of its input. False and undefined remove an attribute; true
 * sets `true`.
 */
class InnerAttributes extends Directive {
  render(_attributes: Attributes, _selector?: string) {
    return noChange;
  }

  override update({ element }: ElementPart, [attributes, selector]: [Attributes, string?]) {
    void applyAttributes(element as LitElement, attributes, selector);
    return noChange;
  }
}

async function applyAttributes(host: LitElement, attributes: Attributes, selector = CONTROL) {
  await host.updateComplete;
  const control = host.shadowRoot?.querySelector(selector);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) control?.removeAttribute(name);
    else control?.setAttribute(name, String(value));
  }
}

export const innerAttributes = directive(InnerAttributes);

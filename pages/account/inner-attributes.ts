import { noChange } from 'lit';
import type { LitElement } from 'lit';
import { directive, Directive, type ElementPart } from 'lit/directive.js';

type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Sets attributes on the control inside a Web Awesome component. Use it if the component has no such property:
 * `aria-expanded` of its button, `aria-invalid` and `dir` of its input. False and undefined remove an attribute; true
 * sets `true`.
 */
class InnerAttributes extends Directive {
  render(_attributes: Attributes) {
    return noChange;
  }

  override update({ element }: ElementPart, [attributes]: [Attributes]) {
    void applyAttributes(element as LitElement, attributes);
    return noChange;
  }
}

async function applyAttributes(host: LitElement, attributes: Attributes) {
  await host.updateComplete;
  const control = host.shadowRoot?.querySelector('input, textarea, button, a, summary, dialog, fieldset');
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) control?.removeAttribute(name);
    else control?.setAttribute(name, String(value));
  }
}

export const innerAttributes = directive(InnerAttributes);

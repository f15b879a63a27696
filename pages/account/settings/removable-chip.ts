import type { TemplateResult } from 'lit';
import { button, tag } from '../parts.ts';

/** A selected item with a remove button; read-only without `remove`. */
export function removableChip(text: TemplateResult, name: string, remove: (() => void) | null): TemplateResult {
  if (remove === null) return tag(text);
  // The second click of a double click is on the chip that has moved there.
  const click = (event: Event) => (event as UIEvent).detail > 1 || remove();
  return button(text, click, { icon: 'x', className: 'chip', name });
}

import type { TemplateResult } from 'lit';
import { button, tag } from '../parts.ts';

/** Something chosen, with a way to remove it; without `remove` it is only shown. */
export function removable(text: TemplateResult, name: string, remove: (() => void) | null): TemplateResult {
  return remove === null ? tag(text) : button(text, remove, { icon: 'x', className: 'chip', name });
}

import type { TemplateResult } from 'lit';
import { button, tag } from '../parts.ts';

/** A selected item with a remove button; read-only without `remove`. */
export function removableChip(text: TemplateResult, name: string, remove: (() => void) | null): TemplateResult {
  return remove === null ? tag(text) : button(text, remove, { icon: 'x', className: 'chip', name });
}

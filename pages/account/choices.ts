import { html, nothing, type TemplateResult } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import { innerAttributes } from './inner-attributes.ts';
import { hiddenLabelAttributes, hintSlot } from './parts.ts';
import '@awesome.me/webawesome/dist/components/checkbox/checkbox.js';
import '@awesome.me/webawesome/dist/components/radio-group/radio-group.js';
import '@awesome.me/webawesome/dist/components/radio/radio.js';

interface Choice {
  value: string;
  text: unknown;
  isDisabled?: boolean;
  image?: unknown;
}

interface Choices {
  legend: string;
  name: string;
  options: readonly Choice[];
  selected: unknown;
  onChoose?: (value: string) => unknown;
  isLegendHidden?: boolean;
  isReadOnly?: boolean;
  before?: unknown;
  after?: unknown;
}

/** A radio group of cards. */
export function radioCards(choices: Choices): TemplateResult {
  return radioGroup(choices, 'choices', 'default', 'vertical');
}

/** A radio group of short labels, side by side. */
export function segmentedControl(choices: Choices): TemplateResult {
  return radioGroup({ isLegendHidden: true, ...choices }, 'segments', 'button', 'horizontal');
}

function radioGroup(choices: Choices, className: string, appearance: string, orientation: string): TemplateResult {
  const { legend, name, options, selected, onChoose, isLegendHidden, isReadOnly = false } = choices;
  return html`<wa-radio-group
    class=${className}
    name=${name}
    label=${isLegendHidden ? nothing : legend}
    orientation=${orientation}
    .value=${selected}
    ${innerAttributes(hiddenLabelAttributes(isLegendHidden, legend))}
    .disabled=${isReadOnly}
    @change=${(event: Event) => onChoose?.((event.target as HTMLInputElement).value)}
  >
    ${choices.before ?? nothing}
    ${options.map(
      ({
        value,
        text,
        isDisabled = false,
        image,
      }) => html`<wa-radio value=${value} appearance=${appearance} .disabled=${isDisabled}
        ><span class="choice-text">${text}</span>${image ?? nothing}</wa-radio
      >`,
    )}
    ${hintSlot(choices.after)}
  </wa-radio-group>`;
}

interface CheckField {
  text: unknown;
  isChecked?: boolean | DirectiveResult;
  isDisabled?: boolean;
  /** Indeterminate: some of its items are selected. */
  isIndeterminate?: boolean;
  name?: string;
  value?: string;
  hint?: unknown;
  onChange?: (isChecked: boolean) => unknown;
}

/** A checkbox with its label. */
export function checkField({
  text,
  isChecked = false,
  isDisabled = false,
  isIndeterminate = false,
  name,
  value,
  hint,
  onChange,
}: CheckField) {
  return html`<wa-checkbox
    name=${name ?? nothing}
    value=${value ?? nothing}
    .checked=${isChecked}
    .indeterminate=${isIndeterminate}
    .disabled=${isDisabled}
    @change=${(event: Event) => onChange?.((event.target as HTMLInputElement).checked)}
    >${text}${hintSlot(hint)}</wa-checkbox
  >`;
}

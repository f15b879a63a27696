import { html, nothing, type TemplateResult } from 'lit';
import { innerAttributes } from './inner-attributes.ts';
import { hiddenLabel, hintSlot } from './parts.ts';
import '@awesome.me/webawesome/dist/components/checkbox/checkbox.js';
import '@awesome.me/webawesome/dist/components/radio-group/radio-group.js';
import '@awesome.me/webawesome/dist/components/radio/radio.js';

interface Choice {
  value: string;
  text: unknown;
  isOff?: boolean;
  mark?: unknown;
}

interface Choices {
  legend: string;
  name: string;
  options: readonly Choice[];
  chosen: unknown;
  choose?: (value: string) => unknown;
  isLegendHidden?: boolean;
  isReadOnly?: boolean;
  before?: unknown;
  after?: unknown;
}

/** A radio group of cards. */
export function choiceList(choices: Choices): TemplateResult {
  return radios(choices, 'choices', 'default', 'vertical');
}

/** A radio group of short words, side by side. */
export function segments(choices: Choices): TemplateResult {
  return radios({ isLegendHidden: true, ...choices }, 'segments', 'button', 'horizontal');
}

function radios(choices: Choices, className: string, appearance: string, orientation: string): TemplateResult {
  const { legend, name, options, chosen, choose, isLegendHidden, isReadOnly = false } = choices;
  return html`<wa-radio-group
    class=${className}
    name=${name}
    label=${isLegendHidden ? nothing : legend}
    orientation=${orientation}
    .value=${chosen}
    ${innerAttributes(hiddenLabel(isLegendHidden, legend))}
    .disabled=${isReadOnly}
    @change=${(event: Event) => choose?.((event.target as HTMLInputElement).value)}
  >
    ${choices.before ?? nothing}
    ${options.map(
      ({
        value,
        text,
        isOff = false,
        mark,
      }) => html`<wa-radio value=${value} appearance=${appearance} .disabled=${isOff}
        ><span class="choice-words">${text}</span>${mark ?? nothing}</wa-radio
      >`,
    )}
    ${hintSlot(choices.after)}
  </wa-radio-group>`;
}

interface CheckField {
  text: unknown;
  isChecked?: boolean;
  isOff?: boolean;
  /** Indeterminate: some of its items are selected. */
  isPartly?: boolean;
  name?: string;
  value?: string;
  hint?: unknown;
  change?: (isChecked: boolean) => unknown;
}

/** A checkbox with its label. */
export function checkField({
  text,
  isChecked = false,
  isOff = false,
  isPartly = false,
  name,
  value,
  hint,
  change,
}: CheckField) {
  return html`<wa-checkbox
    name=${name ?? nothing}
    value=${value ?? nothing}
    .checked=${isChecked}
    .indeterminate=${isPartly}
    .disabled=${isOff}
    @change=${(event: Event) => change?.((event.target as HTMLInputElement).checked)}
    >${text}${hintSlot(hint)}</wa-checkbox
  >`;
}

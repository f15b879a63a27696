import { html, nothing, type TemplateResult } from 'lit';
import { icon } from './icons.ts';

type Content = TemplateResult | string;
export type Tone = 'good' | 'warn' | 'bad' | 'plain';

interface ButtonOptions {
  kind?: 'main' | 'grave' | 'quiet' | undefined;
  icon?: string | undefined;
  /** The accessible name where the visible text is not enough. */
  name?: string | undefined;
  /** It stays focusable while it works. */
  isBusy?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** Of a button that shows and hides something. */
  isOpen?: boolean | undefined;
  className?: string | undefined;
}

/** A button; without `click` it submits its form. */
export function button(
  text: Content,
  click: ((event: Event) => unknown) | null,
  options: ButtonOptions = {},
): TemplateResult {
  const { kind, icon: sign, name, isBusy, isDisabled, isOpen, className } = options;
  const classes = ['button', kind && `button-${kind}`, className].filter(Boolean).join(' ');
  return html`<button
    class=${classes}
    type=${click === null ? 'submit' : 'button'}
    aria-label=${name ?? nothing}
    aria-expanded=${isOpen === undefined ? nothing : String(isOpen)}
    aria-disabled=${isBusy ? 'true' : nothing}
    ?disabled=${isDisabled}
    @click=${click}
  >
    ${sign === undefined ? nothing : icon(sign)} ${text}
  </button>`;
}

/** A button that shows an icon only. */
export function iconButton(sign: string, name: string, click: (event: Event) => unknown): TemplateResult {
  return html`<button class="quiet-button" type="button" @click=${click}>
    ${icon(sign)}<span class="visually-hidden">${name}</span>
  </button>`;
}

/** A section with its heading, and what stands beside that. */
export function section(id: string, heading: Content, content: unknown, aside: unknown = nothing): TemplateResult {
  const title = html`<h2 class="section-heading" id=${id}>${heading}</h2>`;
  return html`<section class="section" aria-labelledby=${id}>
    ${aside === nothing ? title : html`<div class="section-head">${title} ${aside}</div>`} ${content}
  </section>`;
}

/** A word about a state. */
export function tag(text: unknown, tone: Tone | null = null, sign: string | null = null): TemplateResult {
  return html`<span class="tag" data-tone=${tone ?? nothing}>${sign === null ? nothing : icon(sign)}${text}</span>`;
}

/** Facts beside their names; one that is null is left out. */
export function facts(list: readonly (readonly [name: string, value: unknown])[]): TemplateResult {
  return html`<dl class="facts-list">
    ${list.map(([name, value]) => (value === null ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}
  </dl>`;
}

interface Notice {
  icon: string;
  text: unknown;
  heading?: Content;
  tone?: Tone;
  role?: 'alert' | 'status';
  action?: unknown;
}

export function notice({ icon: sign, text, heading, tone, role, action }: Notice): TemplateResult {
  return html`<div class="notice" data-tone=${tone ?? nothing} role=${role ?? nothing}>
    ${icon(sign)}
    <div>${heading === undefined ? nothing : html`<p class="notice-heading">${heading}</p>`}<p>${text}</p></div>
    ${action ?? nothing}
  </div>`;
}

/** Says that there is nothing, and what to do. */
export function emptyState(
  sign: string,
  heading: string,
  text = '',
  action: TemplateResult | null = null,
): TemplateResult {
  return html`<account-state .icon=${sign} .heading=${heading} .text=${text} .action=${action}></account-state>`;
}

interface SelectField {
  id: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
  value: string;
  change: (value: string, select: HTMLSelectElement) => unknown;
  isLabelHidden?: boolean;
  isReadOnly?: boolean;
  name?: string;
  isRequired?: boolean;
  isInvalid?: boolean;
  describedBy?: string;
  after?: unknown;
}

/** A native list of choices with its label. */
export function selectField(field: SelectField): TemplateResult {
  const { id, label, options, value, change, describedBy } = field;
  const changed = ({ target }: Event) => change((target as HTMLSelectElement).value, target as HTMLSelectElement);
  return html`<div class="labelled">
    <label class=${field.isLabelHidden ? 'visually-hidden' : ''} for=${id}>${label}</label>
    <div class="select">
      <select
        class="field"
        id=${id}
        name=${field.name ?? nothing}
        autocomplete="off"
        .value=${value}
        ?disabled=${field.isReadOnly}
        aria-required=${field.isRequired ? 'true' : nothing}
        aria-invalid=${field.isInvalid ? 'true' : nothing}
        aria-describedby=${describedBy ?? nothing}
        @change=${changed}
      >
        ${options.map(([each, text]) => html`<option value=${each} ?selected=${each === value}>${text}</option>`)}
      </select>
      ${icon('chevron-down')}
    </div>
    ${field.after ?? nothing}
  </div>`;
}

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
  describedBy?: string | undefined;
  before?: unknown;
  after?: unknown;
}

/** One of a few, each with words of its own. */
export function choiceList(choices: Choices): TemplateResult {
  const { legend, name, options, chosen, choose, isLegendHidden, describedBy } = choices;
  return html`<fieldset class="choices" ?disabled=${choices.isReadOnly} aria-describedby=${describedBy ?? nothing}>
    <legend class=${isLegendHidden ? 'visually-hidden' : 'label'}>${legend}</legend>
    ${choices.before ?? nothing}
    ${options.map(
      ({ value, text, isOff = false, mark }) => html`<label class="choice" ?data-off=${isOff}>
        <input
          type="radio"
          name=${name}
          value=${value}
          autocomplete="off"
          ?checked=${value === chosen}
          .checked=${value === chosen}
          ?disabled=${isOff}
          @change=${() => choose?.(value)}
        />
        <span class="choice-words">${text}</span>${mark ?? nothing}
      </label>`,
    )}
    ${choices.after ?? nothing}
  </fieldset>`;
}

/** One of a few short words, side by side. */
export function segments({ legend, name, options, chosen, choose }: Choices): TemplateResult {
  return html`<fieldset class="segments">
    <legend class="visually-hidden">${legend}</legend>
    ${options.map(
      ({ value, text }) => html`<label class="segment">
        <input
          class="visually-hidden"
          type="radio"
          name=${name}
          .checked=${value === chosen}
          @change=${() => choose?.(value)}
        />
        <span>${text}</span>
      </label>`,
    )}
  </fieldset>`;
}

export function checkbox(
  text: unknown,
  isChecked: boolean,
  change: ((isChecked: boolean) => unknown) | null,
  { name, value, describedBy }: { name?: string; value?: string; describedBy?: string } = {},
): TemplateResult {
  return html`<label class="check">
    <input
      type="checkbox"
      name=${name ?? nothing}
      value=${value ?? nothing}
      aria-describedby=${describedBy ?? nothing}
      ?checked=${isChecked}
      .checked=${isChecked}
      @change=${(event: Event) => change?.((event.target as HTMLInputElement).checked)}
    />
    <span>${text}</span>
  </label>`;
}

/** A row of a list: its sign, its title, what there is to know, and its actions. */
export function listRow(
  sign: unknown,
  title: unknown,
  text: unknown,
  end: unknown = nothing,
  wraps = false,
): TemplateResult {
  return html`<li class="row ${wraps ? 'row-wraps' : ''}">
    <span class="row-sign" aria-hidden="true">${sign}</span>
    <div class="row-words">
      <span class="row-title">${title}</span>
      <span class="row-text">${text}</span>
    </div>
    ${end}
  </li>`;
}

import { html, nothing, type TemplateResult } from 'lit';
import type { PaylatchError } from '../../client/error.ts';
import { icon } from './icons.ts';
import { innerAttributes } from './inner-attributes.ts';
import './web-awesome.ts';
import '@awesome.me/webawesome/dist/components/button/button.js';
import '@awesome.me/webawesome/dist/components/callout/callout.js';
import '@awesome.me/webawesome/dist/components/option/option.js';
import '@awesome.me/webawesome/dist/components/select/select.js';

type Content = TemplateResult | string;
export type Tone = 'good' | 'warn' | 'bad' | 'plain';

const toneVariants = { good: 'success', warn: 'warning', bad: 'danger', plain: 'neutral' } as const;
const buttonStyles = {
  primary: ['brand', 'accent'],
  danger: ['danger', 'accent'],
  quiet: ['neutral', 'plain'],
  default: ['neutral', 'outlined'],
} as const;

interface ButtonOptions {
  kind?: 'primary' | 'danger' | 'quiet' | undefined;
  icon?: string | undefined;
  /** Accessible name if the visible text is not sufficient. */
  name?: string | undefined;
  /** Shows a spinner; the button stays focusable. */
  isBusy?: boolean | undefined;
  isDisabled?: boolean | undefined;
  /** State of a button that expands content. */
  isOpen?: boolean | undefined;
  /** Opens a link outside the account area in a new tab. */
  isExternal?: boolean;
  className?: string | undefined;
  id?: string | undefined;
  /** Accessible description: an error or a side effect. */
  description?: string | undefined;
}

/** A button; a link if `target` is a URL; a submit button if it is null. */
export function button(
  text: Content,
  target: ((event: Event) => unknown) | string | null,
  options: ButtonOptions = {},
): TemplateResult {
  const {
    kind = 'default',
    icon: iconName,
    name,
    isBusy = false,
    isDisabled = false,
    isOpen,
    isExternal = false,
  } = options;
  const [variant, appearance] = buttonStyles[kind];
  const isLink = typeof target === 'string';
  return html`<wa-button
    id=${options.id ?? nothing}
    class=${options.className ?? nothing}
    variant=${variant}
    appearance=${appearance}
    type=${target === null ? 'submit' : 'button'}
    href=${isLink ? target : nothing}
    target=${isExternal ? '_blank' : nothing}
    rel=${isExternal ? 'noopener' : nothing}
    .loading=${isBusy}
    .disabled=${isDisabled}
    ${innerAttributes({
      'aria-expanded': isOpen === undefined ? undefined : String(isOpen),
      'aria-description': options.description,
    })}
    @click=${isLink ? nothing : target}
    >${iconName === undefined ? nothing : icon(iconName, 'start')}${labeled(text, name)}</wa-button
  >`;
}

function labeled(text: Content, name: string | undefined) {
  if (name === undefined) return text;
  return html`<span aria-hidden="true">${text}</span><span class="visually-hidden">${name}</span>`;
}

/** An unstyled button around a row or chip. */
export function bareButton(
  content: unknown,
  click: (event: Event) => unknown,
  attributes: Readonly<Record<string, string | boolean | undefined>> = {},
): TemplateResult {
  return html`<wa-button class="bare" appearance="plain" ${innerAttributes(attributes)} @click=${click}
    >${content}</wa-button
  >`;
}

/** A button with only an icon. */
export function iconButton(iconName: string, name: string, click: (event: Event) => unknown): TemplateResult {
  return html`<wa-button class="icon-button" appearance="plain" @click=${click}
    >${icon(iconName)}<span class="visually-hidden">${name}</span></wa-button
  >`;
}

/** The heading of a page, with an optional lead below it and content next to it. */
export function pageHead(title: Content, end: unknown = nothing, lead: unknown = nothing): TemplateResult {
  const heading = html`<h1 tabindex="-1">${title}</h1>`;
  return html`<header class="page-head">
    ${lead === nothing ? heading : html`<div>${heading}<p class="page-lead">${lead}</p></div>`} ${end}
  </header>`;
}

/** A section with a heading and optional content next to it. */
export function section(id: string, heading: Content, content: unknown, aside: unknown = nothing): TemplateResult {
  const title = html`<h2 class="section-heading" id=${id}>${heading}</h2>`;
  return html`<section class="section" aria-labelledby=${id}>
    ${aside === nothing ? title : html`<div class="section-head">${title} ${aside}</div>`} ${content}
  </section>`;
}

/** Link to the list that a page belongs to, above its heading. */
export function backLink(url: string, text: Content): TemplateResult {
  return html`<a class="back-link" href=${url}>${icon('chevron-left')}${text}</a>`;
}

/** A label for a state. An element without a shadow tree: long lists have one in each row. */
export function tag(text: unknown, tone: Tone | null = null, iconName: string | null = null): TemplateResult {
  return html`<span class="tag tag-${tone ?? 'plain'}">${iconName === null ? nothing : icon(iconName)}${text}</span>`;
}

/** A description list; entries with a null value are omitted. */
export function factList(entries: readonly (readonly [name: unknown, value: unknown])[]): TemplateResult {
  return html`<dl class="fact-list">
    ${entries.map(([name, value]) => (value === null ? nothing : html`<div><dt>${name}</dt><dd>${value}</dd></div>`))}
  </dl>`;
}

interface Notice {
  icon: string;
  text: unknown;
  heading?: Content;
  tone?: Tone;
  role?: 'alert' | 'status' | 'region' | undefined;
  label?: string;
  action?: unknown;
}

export function notice({ icon: iconName, text, heading, tone = 'plain', role, action, label }: Notice): TemplateResult {
  return html`<wa-callout
    class="notice"
    variant=${toneVariants[tone]}
    appearance=${tone === 'plain' ? 'outlined' : 'filled-outlined'}
    role=${role ?? nothing}
    aria-label=${label ?? nothing}
  >
    ${icon(iconName, 'icon')}
    <div class="notice-body">
      <div>${heading === undefined ? nothing : html`<p class="notice-heading">${heading}</p>`}<div>${text}</div></div>
      ${action ?? nothing}
    </div>
  </wa-callout>`;
}

/** An empty state with an optional next step. */
export function emptyState(
  iconName: string,
  heading: string,
  text = '',
  action: TemplateResult | null = null,
): TemplateResult {
  return html`<account-state .icon=${iconName} .heading=${heading} .text=${text} .action=${action}></account-state>`;
}

/** A problem, with a button to try again; inline above content that was loaded earlier. */
export function problemView(problem: PaylatchError, tryAgain: () => void, isInline = true): TemplateResult {
  return html`<account-state .problem=${problem} .isInline=${isInline} @try-again=${tryAgain}></account-state>`;
}

interface SelectField {
  id: string;
  label: string;
  options: readonly (readonly [value: string, text: unknown])[];
  value: string;
  change: (value: string, select: { value: string }) => unknown;
  isLabelHidden?: boolean;
  isReadOnly?: boolean;
  name?: string;
  isRequired?: boolean;
  isInvalid?: boolean;
  /** Error and hint below the field. */
  after?: unknown;
}

/** A select with its label. */
export function selectField(field: SelectField): TemplateResult {
  const { id, label, options, value, change, isInvalid = false } = field;
  const changed = ({ target }: Event) => {
    const select = target as HTMLInputElement;
    change(select.value, select);
  };
  return html`<wa-select
    id=${id}
    name=${field.name ?? nothing}
    label=${field.isLabelHidden ? nothing : label}
    .value=${value}
    .disabled=${field.isReadOnly ?? false}
    ?data-invalid=${isInvalid}
    ${innerAttributes({ 'aria-required': field.isRequired, ...hiddenLabelAttributes(field.isLabelHidden, label) })}
    .customError=${isInvalid ? label : null}
    @change=${changed}
  >
    ${options.map(([each, text]) => html`<wa-option value=${each}>${text}</wa-option>`)} ${hintSlot(field.after)}
  </wa-select>`;
}

/** Accessible name of a control with a hidden label. */
export function hiddenLabelAttributes(isHidden: boolean | undefined, label: string): Record<string, string | false> {
  return isHidden ? { 'aria-label': label, 'aria-labelledby': false } : {};
}

/** Hint or error below a field. */
export function hintSlot(content: unknown): TemplateResult | typeof nothing {
  return content === undefined || content === nothing ? nothing : html`<div slot="hint">${content}</div>`;
}

/** A row of a list: icon, title, text and actions. */
export function listRow(
  iconName: unknown,
  title: unknown,
  text: unknown,
  end: unknown = nothing,
  wraps = false,
): TemplateResult {
  return html`<li class="row ${wraps ? 'row-wraps' : ''}">
    <span class="row-icon" aria-hidden="true">${iconName}</span>
    <div class="row-content">
      <span class="row-title">${title}</span>
      <span class="row-text">${text}</span>
    </div>
    ${end}
  </li>`;
}

import { html, nothing, type TemplateResult } from 'lit';
import { customElement, property } from 'lit/decorators.js';
import { LightElement } from '../checkout/elements/light-element.ts';
import { consumeContext } from './account-element.ts';
import type { I18n } from '../checkout/elements/i18n.ts';
import { icon } from './icons.ts';
import type { Loader } from './loader.ts';
import type { PaylatchError } from '../../client/error.ts';
import { problemIcon, problemText } from './problems.ts';
import { button, problemView } from './parts.ts';
import '@awesome.me/webawesome/dist/components/skeleton/skeleton.js';

/**
 * Placeholder for missing content: an empty state, or the problem that prevented loading.
 *
 * @fires try-again
 */
@customElement('account-state')
export class AccountState extends LightElement {
  constructor() {
    super();
    consumeContext(this, ({ i18n }) => {
      this.i18n = i18n;
    });
  }

  /** Heading of an empty state. */
  @property({ attribute: false }) heading = '';
  @property({ attribute: false }) text = '';
  @property({ attribute: false }) icon = 'inbox';
  /** Link or button of an empty state. */
  @property({ attribute: false }) action: TemplateResult | null = null;
  /** Problem that prevented loading. */
  @property({ attribute: false }) problem: PaylatchError | null = null;
  /** Shown above content that was loaded earlier. */
  @property({ attribute: false }) isInline = false;

  override render() {
    const { problem } = this;
    const content =
      problem === null ? this : { icon: problemIcon(problem), ...problemText(problem, this.i18n), action: null };
    return html`<div class="state ${this.isInline ? 'state-aside' : ''}" role=${problem === null ? nothing : 'status'}>
      <span class="state-icon">${icon(content.icon)}</span>
      <div class="state-content">
        <p class="state-heading">${content.heading}</p>
        ${content.text === '' ? nothing : html`<p class="state-text">${content.text}</p>`}
        ${
          problem === null || problem.requestId === null
            ? nothing
            : html`<p class="state-reference">
                ${this.i18n.text('account.shell.reference')} <code>${problem.requestId}</code>
              </p>`
        }
      </div>
      ${content.action ?? nothing}
      ${
        problem === null || problem.status === 404
          ? nothing
          : button(this.i18n.text('account.shell.try_again'), () => this.emit('try-again', null))
      }
    </div>`;
  }
}

/** Templates for the states of a loader. */
interface LoadView<T> {
  /** Placeholder with the size of the content. */
  skeleton: () => TemplateResult;
  /** Empty state; null if there is content. */
  empty?: (value: T) => TemplateResult | null;
  content: (value: T) => TemplateResult;
}

/** Renders a loader: skeleton, then content, empty state or problem. */
export function loadView<T>(loader: Loader<T>, i18n: I18n, { skeleton, empty, content }: LoadView<T>): TemplateResult {
  const { value, problem } = loader;
  const shownProblem = problem ? problemView(problem, () => void loader.run(), value !== null) : nothing;
  if (value !== null) return html`${shownProblem}${empty?.(value) ?? content(value)}`;
  if (problem) return html`${shownProblem}`;
  return html`<div class="skeletons" aria-busy="true">
    <p class="visually-hidden" role="status">${i18n.text('account.shell.loading')}</p>
    <div aria-hidden="true">${skeleton()}</div>
  </div>`;
}

/** Placeholder rows of a list, with the height of real rows. */
export function skeletonRows(count: number): TemplateResult {
  return html`<div class="panel">
    ${Array.from({ length: count }, () => html`<div class="row"><wa-skeleton class="skeleton-line"></wa-skeleton><wa-skeleton class="skeleton-line skeleton-line-short"></wa-skeleton></div>`)}
  </div>`;
}

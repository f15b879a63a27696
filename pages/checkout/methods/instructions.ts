import { html, nothing } from 'lit';
import type { BankDetailName, Instructions } from '../../../src/api/instructions.ts';
import type { StartedMethod, OfferedMethod } from '../../../src/api/page-state.ts';
import type { Clock } from '../elements/clock.ts';
import type { Amount, I18n } from '../elements/i18n.ts';
import { httpUrl } from '../elements/http-url.ts';
import { appUrl } from './app-url.ts';
import { coinPayment } from './coin-payment.ts';
import { type CopyableFact, factList } from './fact-list.ts';
import { instructionLink } from './instruction-link.ts';
import { methodName } from '../elements/method-name.ts';
import { qrCard } from './qr-card.ts';
import '../elements/qr-code.ts';

/** Input of the renderers. */
export interface InstructionsView {
  i18n: I18n;
  clock: Clock;
  method: OfferedMethod;
  started: StartedMethod;
  /** Amount to pay. */
  amount: Amount;
  /** In a frame, links open a new tab. */
  isFramed: boolean;
}

type Renderer<Action extends Instructions['action']> = (
  instructions: Extract<Instructions, { action: Action }>,
  view: InstructionsView,
) => unknown;

const renderers: { [Action in Instructions['action']]: Renderer<Action> } = {
  qr({ payload }, view) {
    const { i18n, method } = view;
    const name = methodName(method, i18n);
    return html`<p>${i18n.text('instructions.qr', { name })}</p>
      ${qrCard(payload, i18n.text('instructions.qr_label', { name }), view)}
      <p class="quiet touch-only">${i18n.text('instructions.qr_phone')}</p>
      ${reference(view)}`;
  },

  bank_details({ details }, view) {
    const facts = details.map(({ name, value }) => bankFact(name, value, view));
    return html`<p>${view.i18n.text('instructions.bank_details')}</p>
      ${factList(facts, view)}`;
  },

  redirect({ url }, view) {
    const { i18n, method, started } = view;
    const name = method.choices?.find(({ code }) => code === started.choice)?.name ?? '';
    const label = i18n.text(name ? 'instructions.redirect_continue_to' : 'pay.continue', { name });
    return html`<p>${i18n.text('instructions.redirect')}</p>
      ${instructionLink(httpUrl(url), label, view)}`;
  },

  app_intent({ deepLink, qrPayload, webUrl }, view) {
    const { i18n, method } = view;
    const name = methodName(method, i18n);
    // Scanned from another screen; a copied or saved app link has no use.
    const code = html`<div class="qr-card">
      <qr-code .value=${qrPayload} .label=${i18n.text('instructions.qr_label', { name })}></qr-code>
    </div>`;
    return html`<div class="touch-only instructions-part">
        <p>${i18n.text('instructions.app_phone', { name })}</p>
        ${instructionLink(appUrl(deepLink), i18n.text('instructions.app_open', { name }), view)}
        <details class="more">
          <summary>${i18n.text('instructions.app_other_device')}</summary>
          ${code}
        </details>
      </div>
      <div class="pointer-only instructions-part">
        <p>${i18n.text('instructions.app_desktop', { name })}</p>
        ${code}
        ${instructionLink(httpUrl(webUrl), i18n.text('instructions.app_browser'), view, 'button')}
      </div>
      ${reference(view)}`;
  },

  await: (_instructions, view) => html`<p>${view.i18n.text('instructions.await')}</p>
      ${reference(view)}`,

  crypto: (instructions, view) => coinPayment({ ...instructions, price: view.i18n.amount(view.amount) }, view),
};

/** Renders the payment instructions of a started method. */
export function renderInstructions(view: InstructionsView): unknown {
  const { instructions } = view.started;
  // The table maps each action to its own renderer, which the compiler cannot infer from a lookup.
  const renderer = renderers[instructions.action] as Renderer<Instructions['action']>;
  return renderer(instructions, view);
}

/** The code already contains the reference; it is shown so that the buyer can compare. */
function reference({ started, i18n }: InstructionsView) {
  if (started.reference === null) return nothing;
  return html`<p class="reference">${i18n.text('details.reference')} <bdi translate="no">${started.reference}</bdi></p>`;
}

/** Details by which the bank transfer is matched to the payment; they must be exact. */
const matchingDetails: readonly BankDetailName[] = ['reference', 'transfer_content'];

function bankFact(name: BankDetailName, value: string, { i18n, amount }: InstructionsView): CopyableFact {
  const label = i18n.text(`details.${name}`);
  if (name === 'amount') {
    const note = i18n.text('instructions.amount_exact');
    return { label, value: i18n.amount({ value, currency: amount.currency }), copied: value, note };
  }
  if (matchingDetails.includes(name)) return { label, value, note: i18n.text('instructions.reference_exact') };
  // Banking apps have a list of banks.
  return { label, value: groupDigits(value), copied: name === 'bank_name' ? null : value };
}

/** Formats long numbers in groups of four, `0123 4567 8901`, so that they are easy to compare and read out. */
export function groupDigits(text: string): string {
  // With no-break spaces.
  return /^\d{9,}$/.test(text) ? text.replaceAll(/\d{4}(?=\d)/g, '$&\u00a0') : text;
}

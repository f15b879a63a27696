import { html, nothing } from 'lit';
import type { BankDetailName, Instructions } from '../../../src/api/instructions.ts';
import type { BegunMethod, OfferedMethod } from '../../../src/api/page-state.ts';
import type { Clock } from '../elements/clock.ts';
import type { Wording } from '../elements/text.ts';
import { webAddress } from '../elements/web-address.ts';
import { appAddress } from './app-address.ts';
import { coinFacts } from './coin-facts.ts';
import { type CopyableFact, factList } from './fact-list.ts';
import { inGroups } from './in-groups.ts';
import { methodName } from '../elements/method-name.ts';
import '../elements/qr-code.ts';

/** What the drawing of instructions needs to know. */
export interface InstructionsView {
  words: Wording;
  clock: Clock;
  method: OfferedMethod;
  begun: BegunMethod;
  /** ISO 4217, of the payment. */
  currency: string;
  /** In a frame other pages are opened beside it. */
  isFramed: boolean;
  /** Gives the buyer a QR code as a file. */
  savePicture(payload: string): void;
}

type Drawing<Action extends Instructions['action']> = (
  instructions: Extract<Instructions, { action: Action }>,
  view: InstructionsView,
) => unknown;

const drawings: { [Action in Instructions['action']]: Drawing<Action> } = {
  qr({ payload }, view) {
    const { words, method } = view;
    const name = methodName(method, words);
    return html`<p>${words.text('instructions.qr', { name })}</p>
      ${qrCard(payload, words.text('instructions.qr_label', { name }), view)}
      <p class="quiet touch-only">${words.text('instructions.qr_phone')}</p>
      ${reference(view)}`;
  },

  bank_details({ details }, view) {
    const { words, begun } = view;
    const facts = details.map(({ name, value }) => bankDetail(name, value, view));
    const deadline = { label: words.text('details.deadline'), value: words.dateTime(begun.expiresAt) };
    return html`<p>${words.text('instructions.bank_details')}</p>
      ${factList([...facts, deadline], view)}`;
  },

  redirect({ url }, view) {
    const { words, method, begun } = view;
    const chosen = method.choices?.find(({ code }) => code === begun.choice)?.name;
    const label =
      chosen === undefined
        ? words.text('instructions.redirect_continue')
        : words.text('instructions.redirect_continue_to', { name: chosen });
    return html`<p>${words.text('instructions.redirect')}</p>
      ${leadingLink(webAddress(url), label, view)}`;
  },

  app_intent({ deepLink, qrPayload, webUrl }, view) {
    const { words, method } = view;
    const name = methodName(method, words);
    return html`<div class="touch-only instructions-part">
        <p>${words.text('instructions.app_phone', { name })}</p>
        ${leadingLink(appAddress(deepLink), words.text('instructions.app_open', { name }), view)}
        <details class="more">
          <summary>${words.text('instructions.app_other_device')}</summary>
          ${qrCard(qrPayload, words.text('instructions.qr_label', { name }), view)}
        </details>
      </div>
      <div class="pointer-only instructions-part">
        <p>${words.text('instructions.app_desktop', { name })}</p>
        ${qrCard(qrPayload, words.text('instructions.qr_label', { name }), view)}
        ${
          webAddress(webUrl) === null
            ? nothing
            : html`<a class="button" href=${webAddress(webUrl) ?? ''} target=${view.isFramed ? '_blank' : nothing} rel="noopener"
              >${words.text('instructions.app_browser')}</a
            >`
        }
      </div>
      ${reference(view)}`;
  },

  crypto({ currency, network, address, amount, uri, minConfirmations }, view) {
    const { words } = view;
    const wallet = appAddress(uri);
    return html`<p>${words.text('instructions.crypto', { coin: currency, network })}</p>
      ${qrCard(uri, words.text('instructions.qr_label', { name: currency }), view)}
      ${wallet === null ? nothing : html`<a class="button" href=${wallet}>${words.text('instructions.crypto_wallet')}</a>`}
      ${coinFacts({ amount, code: currency, address, network }, view)}
      <p class="quiet">${words.text('instructions.crypto_confirmations', { count: minConfirmations })}</p>`;
  },
};

/** What the buyer does with what was made for them. */
export function drawInstructions(view: InstructionsView): unknown {
  const { instructions } = view.begun;
  // The table pairs each action with its own drawing, which the compiler cannot follow through a look-up.
  const draw = drawings[instructions.action] as Drawing<Instructions['action']>;
  return draw(instructions, view);
}

function qrCard(payload: string, label: string, view: InstructionsView) {
  const { words, clock } = view;
  return html`<div class="qr-card">
    <qr-code .value=${payload} .label=${label}></qr-code>
    <div class="qr-actions">
      <copy-button
        .words=${words}
        .clock=${clock}
        .value=${payload}
        .what=${words.text('instructions.qr_payload')}
      ></copy-button>
      ${
        // A frame of another site may save no files.
        view.isFramed
          ? nothing
          : html`<button type="button" class="copy" @click=${() => view.savePicture(payload)}>
            ${words.text('instructions.qr_save')}
          </button>`
      }
    </div>
  </div>`;
}

function leadingLink(address: string | null, label: string, { isFramed }: InstructionsView) {
  if (address === null) return nothing;
  return html`<a
    class="button button-main leading"
    href=${address}
    target=${isFramed ? '_blank' : nothing}
    rel=${isFramed ? 'noopener' : nothing}
    >${label}</a
  >`;
}

/** Stands in the code already; shown, so that the buyer can see that it is the same. */
function reference({ begun, words }: InstructionsView) {
  if (begun.reference === null) return nothing;
  return html`<p class="quiet reference">${words.text('details.reference')}: <bdi>${begun.reference}</bdi></p>`;
}

/** What must stand in the transfer exactly, for the bank finds the payment by it. */
const findsPayment: readonly BankDetailName[] = ['reference', 'transfer_content'];

function bankDetail(name: BankDetailName, value: string, { words, currency }: InstructionsView): CopyableFact {
  const label = words.text(`details.${name}`);
  if (name === 'amount') {
    const note = words.text('instructions.amount_exact');
    return { label, value: words.amount({ value, currency }), copied: value, note };
  }
  if (findsPayment.includes(name)) return { label, value, note: words.text('instructions.reference_exact') };
  return { label, value: inGroups(value), copied: value };
}

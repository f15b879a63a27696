import { html, nothing } from 'lit';
import type { Clock } from '../elements/clock.ts';
import type { I18n } from '../elements/i18n.ts';
import { buttonSign } from './copy-button.ts';
import '../elements/qr-code.ts';

/** A QR code with buttons that copy its text and download its image. */
export function qrCard(
  payload: string,
  label: string,
  { i18n, clock, isFramed }: { i18n: I18n; clock: Clock; isFramed: boolean },
) {
  return html`<div class="qr-card">
    <qr-code .value=${payload} .label=${label}></qr-code>
    <div class="qr-actions">
      <copy-button
        .i18n=${i18n}
        .clock=${clock}
        .value=${payload}
        .label=${i18n.text('instructions.qr_payload')}
        .text=${i18n.text('instructions.qr_copy')}
      ></copy-button>
      ${
        // Cross-origin frames cannot download files.
        isFramed
          ? nothing
          : html`<button type="button" class="copy qr-save" @click=${(event: Event) => void saveImage(payload, event, i18n)}>
            ${buttonSign('M8 2.5V10M5 7l3 3 3-3m-8.5 6.5h11')} ${i18n.text('instructions.qr_save')}
          </button>`
      }
    </div>
  </div>`;
}

async function saveImage(payload: string, { currentTarget }: Event, i18n: I18n) {
  try {
    await (await import('./save-code.ts')).saveCode(payload);
  } catch {
    const detail = i18n.text('instructions.qr_save_failed');
    currentTarget?.dispatchEvent(new CustomEvent('announce', { detail, bubbles: true }));
  }
}

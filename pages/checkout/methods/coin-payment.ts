import { html } from 'lit';
import { appUrl } from './app-url.ts';
import { codeText } from './code-text.ts';
import { factList } from './fact-list.ts';
import { instructionLink } from './instruction-link.ts';
import '../elements/qr-code.ts';
import type { Clock } from '../elements/clock.ts';
import type { I18n } from '../elements/i18n.ts';
import { statusIcon } from '../elements/status-icon.ts';

/** Payment details for a wallet. */
export interface CoinPayment {
  /** Whole coins as an exact decimal; null for any amount. */
  amount: string | null;
  /** The formatted price that the amount pays; none if the price is in coins. */
  price?: string;
  /** Uppercase code of the coin. */
  currency: string;
  address: string;
  network: string;
  /** Follows BIP 21 or EIP-681. */
  uri: string;
}

/** A coin payment of a link or an invoice: amount and network, QR code, wallet link, and details. */
export function coinPayment(
  { amount, price, currency, address, network, uri }: CoinPayment,
  view: { i18n: I18n; clock: Clock; isFramed: boolean },
) {
  const { i18n } = view;
  const total = amount === null ? null : `${amount} ${currency}`;
  // Amount and address have their own copy buttons.
  const code = html`<div class="qr-card">
    <qr-code .value=${uri} .label=${i18n.text('instructions.qr_label', { name: currency })}></qr-code>
  </div>`;
  return html`<h2 class="coin">
      <img src="/methods/coin-${currency.toLowerCase()}.svg" width="28" height="28" alt="" />
      <span>${i18n.text('instructions.crypto', { coin: total ?? currency, network })}</span>
    </h2>
    <div class="pay-option">
      <div class="pointer-only">${code}</div>
      ${
        // A wallet's URL opens no page that would need a tab.
        instructionLink(
          appUrl(uri),
          i18n.text('instructions.crypto_wallet'),
          { isFramed: false },
          'button pay-option-wallet',
        )
      }
      <details class="more touch-only">
        <summary>${i18n.text('instructions.app_other_device')}</summary>
        ${code}
      </details>
      <div class="notice" data-tone="warn">
        ${statusIcon('warning')}<p>${i18n.text('instructions.crypto_network', { network })}</p>
      </div>
      ${factList(
        [
          ...(total === null
            ? []
            : [
                {
                  label: i18n.text('details.amount'),
                  value: total,
                  display: html`${total} ${price && html`<bdi class="fact-note">= ${price}</bdi>`}`,
                  copied: amount,
                  note: i18n.text('instructions.crypto_fees'),
                },
              ]),
          {
            label: i18n.text('details.address'),
            value: address,
            display: codeText(address),
          },
        ],
        view,
      )}
    </div>`;
}

import { html, nothing, type TemplateResult } from 'lit';
import '../checkout/elements/qr-code.ts';
import { download, renderPng } from '../checkout/methods/save-image.ts';
import type { AccountContext } from './context.ts';
import { button } from './parts.ts';

interface Message {
  url: string;
  /** Parts of the text before the link: merchant, purpose, amount. Empty parts are omitted. */
  parts: readonly string[];
  /** Replaces the link to the user's email program. */
  send?: TemplateResult | undefined;
}

/** Buttons that open a message with a payment link in the user's email program, messenger or share dialog. */
export function shareActions({ i18n }: AccountContext, { url, parts, send }: Message): TemplateResult {
  const text = parts.filter((part) => part !== '').join(' · ');
  const query = (values: Record<string, string>) =>
    Object.entries(values)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
  const messenger = (name: string, href: string) => button(name, href, { isExternal: true });
  const email = `mailto:?${query({ subject: text, body: `${text}\r\n${url}` })}`;
  const share = i18n.text('account.new_link.share');
  return html`<div class="created-actions" role="group" aria-label=${share}>
    ${send ?? messenger(i18n.text('account.new_link.email'), email)}
    ${messenger('WhatsApp', `https://wa.me/?${query({ text: `${text}\n${url}` })}`)}
    ${messenger('Telegram', `https://t.me/share/url?${query({ url, text })}`)}
    ${
      'share' in navigator
        ? // The user can cancel the share dialog.
          button(share, () => void navigator.share({ url, title: text }).catch(() => {}), { icon: 'share-2' })
        : nothing
    }
  </div>`;
}

/** The QR code of a payment link, with buttons that save and print it. */
export function qrCard(context: AccountContext, url: string, fileName: string): TemplateResult {
  const text = (key: string) => context.i18n.text(`account.new_link.${key}`);
  const save = (kind: 'svg' | 'png') =>
    button(kind.toUpperCase(), () => void saveQrCode(context, url, `${fileName}.${kind}`), { icon: 'download' });
  return html`<div class="qr-card">
    <qr-code .value=${url} .label=${text('qr_label')}></qr-code>
    <div class="qr-actions">
      ${save('svg')} ${save('png')} ${button(text('poster'), () => print(), { icon: 'file-text' })}
    </div>
  </div>`;
}

async function saveQrCode({ i18n, announce }: AccountContext, url: string, fileName: string) {
  try {
    const { qrPath } = await import('../checkout/elements/qr-path.ts');
    const path = qrPath(url);
    download(fileName.endsWith('.png') ? await renderPng(path) : svgOf(path), fileName);
  } catch {
    announce(i18n.text('instructions.qr_save_failed'));
  }
}

function svgOf({ size, d }: { size: number; d: string }): Blob {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${d}"/></svg>\n`;
  return new Blob([svg], { type: 'image/svg+xml' });
}

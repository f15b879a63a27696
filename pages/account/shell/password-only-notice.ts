import { html, nothing, type TemplateResult } from 'lit';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { button, iconButton, notice } from '../parts.ts';
import { readStored, writeStored } from '../storage.ts';

const STORAGE_KEY = 'paylatch.weak-notice-hidden';
const HIDDEN_MS = 14 * 86_400_000;

/** The notice about an account with only a password. Once dismissed, it returns after two weeks. */
export function passwordOnlyNotice(i18n: I18n, onHide: () => void): TemplateResult | typeof nothing {
  if (Date.now() - Number(readStored(STORAGE_KEY) ?? 0) < HIDDEN_MS) return nothing;
  const text = (key: string) => i18n.text(`account.shell.password_only.${key}`);
  const hide = () => {
    writeStored(STORAGE_KEY, String(Date.now()));
    onHide();
  };
  const action = html`${button(text('action'), '/account/me')} ${iconButton('x', text('later'), hide)}`;
  return notice({ icon: 'shield-alert', text: text('text'), action });
}

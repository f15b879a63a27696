import { html, nothing, type TemplateResult } from 'lit';
import './web-awesome.ts';
import '@awesome.me/webawesome/dist/components/dialog/dialog.js';

const FIRST = 'input:not([type=hidden]), wa-input, wa-select, wa-radio-group, wa-checkbox, wa-button';

interface DialogBox {
  label: string;
  isOpen: boolean;
  content: TemplateResult;
  className?: string;
  /** Whether a click on the backdrop closes it. */
  isLight?: boolean;
  /** Called when the user dismisses it; set `isOpen` to false. */
  dismiss: () => void;
  /** Called after it has closed and restored the focus. */
  closed?: () => void;
}

/** A modal dialog, shown while `isOpen`. */
export function dialogBox({ label, isOpen, content, className, isLight = false, dismiss, closed }: DialogBox) {
  // A select inside emits the same events for its listbox.
  const hide = ({ target, currentTarget }: Event) => {
    if (target === currentTarget && isOpen) dismiss();
  };
  const hidden = ({ target, currentTarget }: Event) => {
    if (target !== currentTarget) return;
    // Opened again while it was closing.
    if (isOpen) (currentTarget as HTMLElement & { open: boolean }).open = true;
    else setTimeout(() => closed?.());
  };
  // Without `autofocus`, wa-dialog focuses the dialog itself.
  const show = ({ target, currentTarget }: Event) => {
    if (target !== currentTarget) return;
    const [first] = (currentTarget as HTMLElement).querySelectorAll(FIRST);
    first?.toggleAttribute('autofocus', true);
  };
  return html`<wa-dialog
    class=${className ?? nothing}
    label=${label}
    without-header
    .lightDismiss=${isLight}
    .open=${isOpen}
    @wa-show=${show}
    @wa-hide=${hide}
    @wa-after-hide=${hidden}
    >${isOpen ? content : nothing}</wa-dialog
  >`;
}

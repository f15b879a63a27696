import { html, nothing, type TemplateResult } from 'lit';
import './web-awesome.ts';
import '@awesome.me/webawesome/dist/components/dialog/dialog.js';

const FIRST = 'input:not([type=hidden]), wa-input, wa-select, wa-radio-group, wa-checkbox, wa-button';

interface DialogBox {
  label: string;
  isOpen: boolean;
  content: TemplateResult;
  className?: string;
  /** A press beside it closes it. */
  isLight?: boolean;
  /** The reader wants it closed: `isOpen` is to become false. */
  dismiss: () => void;
  /** It is closed, and the focus is back where it was. */
  closed?: () => void;
}

/** A modal dialog, shown while `isOpen`. */
export function dialogBox({ label, isOpen, content, className, isLight = false, dismiss, closed }: DialogBox) {
  // A select within it tells of its own list by the same events.
  const hide = ({ target, currentTarget }: Event) => {
    if (target === currentTarget && isOpen) dismiss();
  };
  const hidden = ({ target, currentTarget }: Event) => {
    if (target !== currentTarget) return;
    // Asked for again while it was closing.
    if (isOpen) (currentTarget as HTMLElement & { open: boolean }).open = true;
    else setTimeout(() => closed?.());
  };
  // Without such a mark the focus goes to the dialog as a whole.
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

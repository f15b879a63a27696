import { html, nothing, type TemplateResult } from 'lit';
import './web-awesome.ts';
import '@awesome.me/webawesome/dist/components/dialog/dialog.js';

const FOCUSABLE = 'input:not([type=hidden]), wa-input, wa-select, wa-radio-group, wa-checkbox, wa-button';

interface DialogBox {
  label: string;
  isOpen: boolean;
  content: TemplateResult;
  className?: string;
  /** True if a click on the backdrop closes it. */
  isLightDismissible?: boolean;
  /** Called when the user dismisses it; set `isOpen` to false. */
  onDismiss: () => void;
  /** Called after it has closed and restored the focus. */
  onClosed?: () => void;
}

/** A modal dialog, shown while `isOpen`. */
export function dialogBox({
  label,
  isOpen,
  content,
  className,
  isLightDismissible = false,
  onDismiss,
  onClosed,
}: DialogBox) {
  // A select inside emits the same events for its listbox.
  const handleHide = ({ target, currentTarget }: Event) => {
    if (target === currentTarget && isOpen) onDismiss();
  };
  const handleHidden = ({ target, currentTarget }: Event) => {
    if (target !== currentTarget) return;
    // It was opened again while it was closing.
    if (isOpen) (currentTarget as HTMLElement & { open: boolean }).open = true;
    else setTimeout(() => onClosed?.());
  };
  // Without `autofocus`, wa-dialog focuses the dialog itself.
  const handleShow = ({ target, currentTarget }: Event) => {
    if (target !== currentTarget) return;
    const dialog = currentTarget as HTMLElement;
    // Elements within the content have rendered by the next frame, before wa-dialog moves the focus.
    requestAnimationFrame(() => dialog.querySelector(FOCUSABLE)?.toggleAttribute('autofocus', true));
  };
  return html`<wa-dialog
    class=${className ?? nothing}
    label=${label}
    without-header
    .lightDismiss=${isLightDismissible}
    .open=${isOpen}
    @wa-show=${handleShow}
    @wa-hide=${handleHide}
    @wa-after-hide=${handleHidden}
    >${isOpen ? content : nothing}</wa-dialog
  >`;
}

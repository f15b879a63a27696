import { html, nothing } from 'lit';

/** A link to an app or page where the buyer pays. In a frame, it opens a new tab. */
export function instructionLink(
  address: string | null,
  label: string,
  { isFramed }: { isFramed: boolean },
  className = 'button button-main leading',
) {
  if (address === null) return nothing;
  return html`<a
    class=${className}
    href=${address}
    target=${isFramed ? '_blank' : nothing}
    rel="noopener"
    >${label}</a
  >`;
}

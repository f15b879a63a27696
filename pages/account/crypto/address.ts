import { html } from 'lit';

/** Characters at each end that users compare. */
const END = 6;

/** An address with emphasized ends, shortened in the middle where space is narrow. Its text stays whole. */
export function addressView(address: string) {
  return html`<span class="address" dir="ltr" title=${address}
    ><b>${address.slice(0, END)}</b><span>${address.slice(END, -END)}</span><b>${address.slice(END).slice(-END)}</b></span
  >`;
}

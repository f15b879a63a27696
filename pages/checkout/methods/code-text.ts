import { html } from 'lit';

/** Characters at each end that payers compare. */
const END = 6;

/** An address or a hash with emphasized ends. Its text stays whole, so that it can be selected and copied. */
export function codeText(code: string) {
  const middle = code.slice(END, -END);
  return html`<span class="code" dir="ltr"><b>${code.slice(0, END)}</b>${middle}<b>${code.slice(-END)}</b></span>`;
}

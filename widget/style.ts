/*
 * The skeleton is as tall as the form, calculated from the same tokens: nine rows, gaps, headings, button, footer.
 * `medium` is the reader's default text size, which the frame uses too. `CanvasText` reveals the element's color
 * scheme. Probes change their value immediately, so that no intermediate value is read, and fire a transition shortly
 * after, even when they become visible again.
 */
export const style = `\
:host{--button:calc(var(--pay-form-button-height,56px) + 20px);--field:var(--pay-form-field-height,3em);--gap:var(--pay-form-gap,16px);--row:calc(var(--pay-form-label-size,.875em)*1.375 + 6px + var(--field));display:block;position:relative;font:medium/1.5 system-ui;min-height:var(--pay-form-height,calc(5*var(--row) + 2*var(--gap) + 3em + 69px + var(--button)))}\
:host([no-button]){--button:0px}\
:host([theme=dark]){color-scheme:dark}\
:host([theme=light]){color-scheme:light}\
:host([hidden]){display:none}\
iframe{display:block;position:relative;width:100%;height:100%;border:0}\
div,section{position:absolute;inset:0}\
div,i{color:CanvasText}\
div{opacity:.1;background:repeating-linear-gradient(#0000 0 calc(var(--row) - var(--field)),currentColor 0 var(--row),#0000 0 calc(var(--row) + var(--gap)))}\
div:not([hidden])~iframe,section:not(:empty)~iframe{visibility:hidden}\
section{padding:1em;text-align:center}\
button{margin:1em;padding:1em}\
i{transition:1ms step-start;transition-behavior:allow-discrete}\
@starting-style{i{opacity:0}}\
`;

/*
 * The skeleton is as tall as the form, calculated from the same tokens: button, footer, five rows and their gaps. An
 * alert that is not empty contains the element's own error, and is as tall as its content. Otherwise it is the
 * skeleton, or without a box but still rendered, as screen readers require of a live region. `medium` is the reader's
 * default text size, which the frame uses too. `CanvasText` reveals the element's color scheme. Probes change their
 * value immediately, so that no intermediate value is read, and fire a transition shortly after, even when they become
 * visible again.
 */
export const style = `\
:host{--button:calc(var(--pay-form-button-height,56px) + 20px);--field:var(--pay-form-field-height,3em);--gap:var(--pay-form-gap,16px);--row:calc(var(--pay-form-label-size,.875em)*1.375 + 6px + var(--field));display:block;position:relative;font:medium/1.5 system-ui}\
:host([no-button]){--button:0px}\
:host([theme=dark]){color-scheme:dark}\
:host([theme=light]){color-scheme:light}\
:host([hidden]){display:none}\
iframe{display:block;width:100%;height:100%;border:0}\
section:empty{height:var(--pay-form-height,calc(var(--button) + 3em + 21px + 5*var(--row) + 4*var(--gap)));opacity:.1;background:repeating-linear-gradient(#0000 0 calc(var(--row) - var(--field)),currentColor 0 var(--row),#0000 0 calc(var(--row) + var(--gap)))}\
[hidden]{display:inline}\
section:not(:empty),button{padding:12px 16px;border:1px solid gray;border-radius:var(--pay-form-radius,8px);color:var(--pay-form-text)}\
section:not([hidden])~iframe{position:absolute;top:0;max-height:100%;visibility:hidden}\
button{display:block;margin-top:12px;background:0;font:600 1em/1.5 system-ui}\
iframe,i{color:CanvasText}\
i{transition:1ms step-start;transition-behavior:allow-discrete}\
@starting-style{i{opacity:0}}\
`;

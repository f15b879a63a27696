/** The shop's style sheet, of the same family as the payment page, as the text that it serves. */
export const styles = `
:root {
  color-scheme: light dark;
  --accent: light-dark(#1d4f8f, #9cc3f5);
  --on-accent: light-dark(#fff, #0a2340);
  --ground: light-dark(#f3f1ec, #141513);
  --paper: light-dark(#fff, #1d1f1c);
  --scene: light-dark(#dfe7ee, #242b31);
  --ink: light-dark(#1b1c1a, #f0efe9);
  --ink-2: light-dark(#5d5f5a, #a9aba3);
  --line: light-dark(#dedcd4, #363934);
  --field-line: light-dark(#85877f, #767970);
}
* { box-sizing: border-box; }
html {
  font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  background: var(--ground);
  color: var(--ink);
}
body { margin: 0; font-variant-numeric: tabular-nums; }
h1, h2, p, dl, dd, fieldset { margin: 0; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.bar {
  display: flex; align-items: center; justify-content: space-between; gap: 16px;
  max-inline-size: 68rem; margin-inline: auto; padding: 20px 24px;
}
.bar a { display: inline-flex; align-items: center; min-block-size: 44px; font-weight: 700; letter-spacing: -.01em; color: var(--ink); text-decoration: none; }
.bar span { font-size: .8125rem; color: var(--ink-2); }
.shop { display: grid; gap: 32px; max-inline-size: 68rem; margin-inline: auto; padding: 8px 24px 64px; }
.scene { display: grid; place-items: center; border-radius: 16px; background: var(--scene); aspect-ratio: 4 / 3; }
.scene { color: light-dark(#2b2d2f, #6d757c); }
.scene svg { inline-size: 72%; block-size: auto; }
.offer { display: grid; gap: 20px; align-content: center; }
.offer h1 { font-size: clamp(2rem, 6vw, 3rem); font-weight: 650; line-height: 1.1; letter-spacing: -.02em; }
.offer p, .order p { color: var(--ink-2); text-wrap: pretty; }
.offer .price { font-size: 1.5rem; font-weight: 650; color: var(--ink); }
form { display: grid; gap: 20px; }
fieldset { padding: 0; border: 0; }
legend { padding: 0; margin-block-end: 8px; font-size: .875rem; font-weight: 550; }
.choices { display: grid; grid-template-columns: repeat(3, 1fr); gap: 8px; }
.choices label {
  display: grid; gap: 2px; justify-items: center; padding: 10px 8px; min-block-size: 64px; align-content: center;
  border: 1px solid var(--field-line); border-radius: 8px; background: var(--paper); cursor: pointer;
}
.choices input { position: absolute; opacity: 0; pointer-events: none; }
.choices label:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.choices label:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
.choices strong { font-weight: 600; }
.choices small { font-size: .8125rem; color: var(--ink-2); }
.buy {
  display: inline-flex; align-items: center; justify-content: center; min-block-size: 56px; padding: 8px 24px;
  border: 0; border-radius: 8px; background: var(--accent); color: var(--on-accent);
  font: inherit; font-size: 1.0625rem; font-weight: 650; text-decoration: none; cursor: pointer;
}
.buy:hover { filter: brightness(1.08); }
.small { font-size: .8125rem; }
.order { display: grid; gap: 16px; max-inline-size: 30rem; margin: 8vh auto; padding: 32px 24px; border: 1px solid var(--line); border-radius: 16px; background: var(--paper); }
.order h1 { font-size: 1.75rem; font-weight: 650; line-height: 1.2; letter-spacing: -.01em; }
.order dl { border-block-start: 1px solid var(--line); }
.order dl div { display: flex; justify-content: space-between; gap: 16px; padding-block: 10px; border-block-end: 1px solid var(--line); }
.order dt { color: var(--ink-2); }
.order dd { font-weight: 550; text-align: end; overflow-wrap: anywhere; }
.page-order { padding-inline: 16px; }
@media (min-width: 52rem) {
  .shop { grid-template-columns: 1.15fr 1fr; gap: 64px; padding-block: 24px 96px; }
  .scene { aspect-ratio: 1; }
}
@media (forced-colors: active) { .buy, .scene { border: 1px solid; } .choices label:has(:checked) { outline: 3px solid Highlight; } }
`.trim();

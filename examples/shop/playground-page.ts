import { html } from 'hono/html';
import type { ThemeToken } from '../../src/shared/frame/theme.ts';
import { type Html, shopDocument } from './document.ts';
import { contrastPairs, presets, themeControls } from './theme-controls.ts';

/** Playground for developers of a checkout page: change the form's look, then copy the code. */
export function playgroundPage(embedUrl: string): Html {
  return shopDocument(
    'Form playground',
    html`<main class="playground">
<div class="intro">
<h1>Form playground</h1>
<p>Customize <code>&lt;pay-form&gt;</code>, see the changes live, and copy the code. Data that you type into the form stays in the form.</p>
</div>
<div class="workbench">
<div class="result preview">
<div class="head"><h2>Preview</h2><button class="quiet" type="button" id="another">New payment</button></div>
<section class="stage" aria-label="The form on a page">
<pay-form src="${embedUrl}"></pay-form>
<button class="buy" type="button" id="own-button" hidden>The page&rsquo;s own button: submit()</button>
</section>
<div class="calls" role="group" aria-label="Methods">
${['reportValidity', 'checkValidity', 'focus', 'reset'].map(
  (method) => html`<button class="quiet" type="button" data-call="${method}"><code>${method}()</code></button>`,
)}
</div>
</div>
<div class="side">
<form class="controls" aria-label="Appearance and behavior" autocomplete="off">
${group('Presets', presetButtons, true)}
${group('Behavior', behavior)}
${group('Colors', html`${tokenRows('color')}${contrastNotes}`)}
${group('Sizes', tokenRows('size'))}
${group('Font', tokenRows('font'))}
</form>
${snippet('css', 'Style sheet')}
</div>
</div>
<div class="result">
${snippet('markup', 'Markup')}
<section aria-labelledby="events-title">
<div class="head"><h2 id="events-title">Events</h2><button class="quiet" type="button" id="clear">Clear</button></div>
<ol class="events" id="events" tabindex="0" aria-labelledby="events-title"></ol>
</section>
</div>
<p class="message" role="status" id="message"></p>
</main>`,
    { styles: ['playground.css'], script: 'playground.js', paintsAfterScript: true, embedUrl },
  );
}

function group(title: string, controls: Html, isOpen = false): Html {
  return html`<details${isOpen ? html` open` : ''}><summary>${title}</summary><div class="group">${controls}</div></details>`;
}

const presetButtons = html`<div class="presets">
<button class="quiet" type="button" data-preset="{}">Default</button>
${presets.map(
  ({ name, tokens }) =>
    html`<button class="quiet" type="button" data-preset="${JSON.stringify(tokens)}">${name}</button>`,
)}
</div>`;

function selectRow(name: string, label: string, values: readonly (readonly [value: string, words: string])[]): Html {
  return html`<div class="row"><label for="${name}">${label}</label>
<select id="${name}" data-attribute="${name}">${values.map(([value, label]) => html`<option value="${value}">${label}</option>`)}</select></div>`;
}

function checkboxRow(name: string, label: string): Html {
  return html`<div class="row"><label for="${name}">${label}</label><input type="checkbox" id="${name}" data-attribute="${name}"></div>`;
}

const behavior = html`${selectRow('theme', 'Theme', [
  ['', 'auto'],
  ['light', 'light'],
  ['dark', 'dark'],
])}
<div class="row"><label for="locale">Language</label>
<input id="locale" data-attribute="locale" list="locales" placeholder="auto" spellcheck="false" autocapitalize="off"></div>
<datalist id="locales">${['en-US', 'en-GB', 'de-DE', 'fr-FR', 'es-ES', 'ja-JP', 'ar-EG'].map((locale) => html`<option value="${locale}"></option>`)}</datalist>
${selectRow('dir', 'Direction', [
  ['', 'auto'],
  ['ltr', 'left to right'],
  ['rtl', 'right to left'],
])}
${selectRow('redirect', '3-D Secure', [
  ['', 'in the form'],
  ['top', 'redirect'],
])}
${checkboxRow('disabled', 'Disabled')}
${checkboxRow('no-button', 'Hide button')}
<div class="row" data-row="ground"><label for="ground">Page background</label>${resetButton('ground', 'Page background')}
<input type="color" id="ground" data-light="#ffffff" data-dark="#141513"></div>`;

function tokenRows(kind: 'color' | 'size' | 'font'): Html {
  const tokens = Object.keys(themeControls) as ThemeToken[];
  return html`${tokens.filter((token) => themeControls[token].kind === kind).map(tokenRow)}`;
}

function tokenRow(token: ThemeToken): Html {
  const control = themeControls[token];
  const id = `token-${token}`;
  return html`<div class="row" data-row="${token}"><label for="${id}">${control.label}<code>${token}</code></label>${resetButton(token, control.label)}
${tokenInput(token, id)}</div>`;
}

function tokenInput(token: ThemeToken, id: string): Html {
  const control = themeControls[token];
  const follows = control.follows ? html` data-follows="${control.follows}"` : '';
  switch (control.kind) {
    case 'color':
      return html`<input type="color" id="${id}" data-token="${token}"${follows} data-light="${control.light}" data-dark="${control.dark}" value="${control.light}">`;
    case 'size':
      return html`<input type="range" id="${id}" data-token="${token}"${follows} data-default="${control.default}" min="${control.min}" max="${control.max}" value="${control.default}">
<span class="value" aria-hidden="true"></span>`;
    case 'font':
      return html`<select id="${id}" data-token="${token}" data-default=""><option value="">default</option>${control.choices.map(
        ({ name, value }) => html`<option value="${value}">${name}</option>`,
      )}</select>`;
  }
}

function resetButton(name: string, label: string): Html {
  return html`<button class="reset" type="button" data-reset="${name}" hidden>Reset<span class="visually-hidden"> ${label}</span></button>`;
}

const contrastNotes = html`${contrastPairs.map(
  ([text, ground]) =>
    html`<p class="contrast" data-text="${text}" data-ground="${ground}" hidden><strong>${text}</strong> on <strong>${ground}</strong>: contrast <span></span>, but at least 4.5 is needed. The form uses its default colors.</p>`,
)}`;

function snippet(id: string, title: string): Html {
  return html`<section aria-labelledby="${id}-title">
<div class="head"><h2 id="${id}-title">${title}</h2><button class="quiet" type="button" data-copy="${id}">Copy<span class="visually-hidden"> ${title}</span></button></div>
<pre tabindex="0" aria-labelledby="${id}-title"><code id="${id}"></code></pre>
</section>`;
}

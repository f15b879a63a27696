// @ts-check
import { contrastOf } from './contrast.js';

/** @typedef {import('../../../widget/pay-form.ts').PayForm} PayForm */
/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

const MAX_EVENTS = 100;
const MIN_CONTRAST = 4.5;
const MESSAGE_MS = 3000;
/** Session storage key of the settings. They survive a reload and the redirect to the issuer. */
const STORAGE_KEY = 'playground';

const form = /** @type {PayForm} */ (document.querySelector('pay-form'));
const stage = /** @type {HTMLElement} */ (document.querySelector('.stage'));
const ownButton = /** @type {HTMLElement} */ (document.querySelector('#own-button'));
const ground = /** @type {HTMLInputElement} */ (document.querySelector('#ground'));
const events = /** @type {HTMLElement} */ (document.querySelector('#events'));
const tokenControls = /** @type {Control[]} */ ([...document.querySelectorAll('[data-token]')]);
const attributeControls = /** @type {Control[]} */ ([...document.querySelectorAll('[data-attribute]')]);
const systemDark = matchMedia('(prefers-color-scheme: dark)');

/** Changed tokens. @type {Record<string, string>} */
let tokens = {};
/** Changed attributes; '' for boolean attributes. @type {Record<string, string>} */
let attributes = {};
/** Page background behind the form; '' for the default of the scheme. */
let groundColor = '';
/** @type {ReturnType<typeof setTimeout> | undefined} */
let messageTimer;

const isDark = () => attributes['theme'] === 'dark' || (attributes['theme'] !== 'light' && systemDark.matches);

/** Value that a control shows while its token is not set. @param {Control} control @returns {string} */
function defaultOf({ dataset }) {
  const { follows = '' } = dataset;
  const source = tokens[follows] === undefined ? undefined : findControl(follows);
  if (source) return displayValue(source, tokens[follows] ?? '');
  return dataset['default'] ?? (isDark() ? dataset['dark'] : dataset['light']) ?? '';
}

/** Converts a token's value to a value that its control supports. @param {Control} control @param {string} value */
function displayValue({ type }, value) {
  if (type === 'range') return String(parseFloat(value));
  const [, light, dark] = /^light-dark\((.+), (.+)\)$/.exec(value) ?? [];
  return (isDark() ? dark : light) ?? value;
}

function show() {
  for (const control of tokenControls) {
    const token = control.dataset['token'] ?? '';
    const value = tokens[token];
    form.style.setProperty(`--pay-form-${token}`, value ?? null);
    control.value = value === undefined ? defaultOf(control) : displayValue(control, value);
    showState(token, value !== undefined, `${control.value} px`);
  }
  for (const control of attributeControls) {
    const name = control.dataset['attribute'] ?? '';
    const value = attributes[name];
    if (value === undefined) form.removeAttribute(name);
    else form.setAttribute(name, value);
    if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = value !== undefined;
    else control.value = value ?? '';
  }
  stage.dataset['scheme'] = isDark() ? 'dark' : 'light';
  stage.style.backgroundColor = groundColor;
  ground.value = groundColor || defaultOf(ground);
  showState('ground', groundColor !== '');
  ownButton.hidden = attributes['no-button'] === undefined;
  showContrast();
  write('css', styleSheet());
  write('markup', markup());
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify({ tokens, attributes, groundColor }));
}

/** @param {string} name @param {boolean} isChanged @param {string} [value] */
function showState(name, isChanged, value = '') {
  const row = document.querySelector(`[data-row="${name}"]`);
  row?.querySelector('[data-reset]')?.toggleAttribute('hidden', !isChanged);
  write(row?.querySelector('.value') ?? null, value);
}

function styleSheet() {
  const lines = Object.entries(tokens).map(([token, value]) => `  --pay-form-${token}: ${value};`);
  return lines.length === 0 ? '/* No changes yet. */' : ['pay-form {', ...lines, '}'].join('\n');
}

function markup() {
  const written = Object.entries(attributes).map(([name, value]) => (value === '' ? name : `${name}="${value}"`));
  return `<pay-form ${['src="EMBED_URL"', ...written].join(' ')}></pay-form>`;
}

function showContrast() {
  for (const note of document.querySelectorAll('.contrast')) {
    const { text = '', ground: background = '' } = /** @type {HTMLElement} */ (note).dataset;
    const contrast = contrastOf(tokenColor(text), tokenColor(background));
    const isChanged = tokens[text] !== undefined || tokens[background] !== undefined;
    note.toggleAttribute('hidden', !isChanged || contrast >= MIN_CONTRAST);
    write(note.querySelector('span'), contrast.toFixed(2));
  }
}

/** @param {string} token */
function tokenColor(token) {
  return findControl(token)?.value ?? '#000000';
}

/** @param {string} token */
function findControl(token) {
  return tokenControls.find(({ dataset }) => dataset['token'] === token);
}

/** @param {string | Element | null} target @param {string} text */
function write(target, text) {
  const element = typeof target === 'string' ? document.getElementById(target) : target;
  if (element && element.textContent !== text) element.textContent = text;
}

/** @param {string} text */
function showMessage(text) {
  write('message', text);
  clearTimeout(messageTimer);
  messageTimer = setTimeout(() => write('message', ''), MESSAGE_MS);
}

/** @param {string} name @param {unknown} detail */
function log(name, detail) {
  const entry = document.createElement('li');
  const time = document.createElement('time');
  time.textContent = new Date().toLocaleTimeString([], { hour12: false });
  const typeElement = document.createElement('strong');
  typeElement.textContent = name;
  const detailElement = document.createElement('code');
  detailElement.textContent = JSON.stringify(detail) ?? '';
  entry.append(time, typeElement, detailElement);
  events.prepend(entry);
  while (events.children.length > MAX_EVENTS) events.lastElementChild?.remove();
}

for (const control of tokenControls) {
  control.addEventListener('input', () => {
    const token = control.dataset['token'] ?? '';
    if (control.value === '') delete tokens[token];
    else tokens[token] = control.type === 'range' ? `${control.value}px` : control.value;
    show();
  });
}

for (const control of attributeControls) {
  // Language input is applied when complete, not on each key.
  control.addEventListener('change', () => {
    const name = control.dataset['attribute'] ?? '';
    const isFlag = control instanceof HTMLInputElement && control.type === 'checkbox';
    const isSet = isFlag ? control.checked : control.value.trim() !== '';
    if (isSet) attributes[name] = isFlag ? '' : control.value.trim();
    else delete attributes[name];
    show();
  });
}

ground.addEventListener('input', () => {
  groundColor = ground.value;
  show();
});

systemDark.addEventListener('change', show);

document.querySelector('.controls')?.addEventListener('submit', (event) => event.preventDefault());

document.addEventListener('click', ({ target }) => {
  const button = target instanceof Element ? target.closest('button') : null;
  const { reset, preset, copy, call } = button?.dataset ?? {};
  if (reset === 'ground') groundColor = '';
  else if (reset !== undefined) delete tokens[reset];
  if (preset !== undefined) tokens = JSON.parse(preset);
  if (reset !== undefined || preset !== undefined) show();
  // The pressed button is hidden now.
  if (reset !== undefined) (reset === 'ground' ? ground : findControl(reset))?.focus();
  if (copy !== undefined) void copyText(copy);
  if (call !== undefined) callMethod(call);
});

/** @param {string} id */
async function copyText(id) {
  try {
    await navigator.clipboard.writeText(document.getElementById(id)?.textContent ?? '');
    showMessage('Copied');
  } catch {
    getSelection()?.selectAllChildren(/** @type {Element} */ (document.getElementById(id)));
    showMessage('Selected. Copy with your keyboard.');
  }
}

/** @param {string} method */
function callMethod(method) {
  const methods = {
    reportValidity: () => form.reportValidity(),
    checkValidity: () => form.checkValidity(),
    focus: () => form.focus(),
    reset: () => form.reset(),
  };
  log(`${method}()`, methods[/** @type {keyof typeof methods} */ (method)]());
}

ownButton.addEventListener('click', () => void form.submit().then(({ type }) => log('submit()', type)));

document.querySelector('#clear')?.addEventListener('click', () => events.replaceChildren());

document.querySelector('#another')?.addEventListener('click', () => void createAnotherPayment());

async function createAnotherPayment() {
  const response = await fetch('/playground/payments', { method: 'POST' });
  if (response.ok) form.src = (await response.json()).embedUrl;
  else showMessage('The payment service is unavailable');
}

for (const name of /** @type {const} */ ([
  'pay-ready',
  'pay-change',
  'pay-submit',
  'pay-challenge',
  'pay-success',
  'pay-pending',
  'pay-decline',
  'pay-cancel',
  'pay-error',
])) {
  form.addEventListener(name, ({ detail }) => log(name, detail));
}

const back = new URLSearchParams(location.search).get('back');
if (back !== null) log('redirect', back);

({ tokens = {}, attributes = {}, groundColor = '' } = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}'));
show();

// Next to the form, there is room for all groups.
if (matchMedia('(min-width: 60rem)').matches) {
  for (const group of document.querySelectorAll('.controls details')) group.toggleAttribute('open', true);
}

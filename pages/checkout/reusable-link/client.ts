import { decimalSeparator, parseAmountText } from '../../../src/shared/amount-input.ts';
import { formatMinor } from '../../../src/shared/money.ts';
import { I18n } from '../elements/i18n.ts';

/*
 * Shows the total of a chosen amount or quantity, and steps the quantity. Buyers can continue without this script.
 */
const STORAGE_KEY = `buyer-input ${location.pathname}`;
const fieldsOf = (form: HTMLFormElement) => form.querySelectorAll<HTMLInputElement>('.field');

const form = document.querySelector<HTMLFormElement>('form[data-currency]');
if (form) {
  restoreInput(form);
  enhance(form);
}

const languages = document.querySelector<HTMLSelectElement>('.language select');
languages?.addEventListener('change', () => {
  if (form) saveInput(form);
  location.replace(`?${new URLSearchParams({ locale: languages.value })}`);
});

function enhance(form: HTMLFormElement) {
  const { currency = '', locale = 'en', decimals = '2', unit = '' } = form.dataset;
  const minorUnits = Number(decimals);
  const amountInput = form.querySelector<HTMLInputElement>('[name=amount]');
  const quantityInput = form.querySelector<HTMLInputElement>('[name=quantity]');
  const total = form.querySelector<HTMLElement>('.total');
  const sum = form.querySelector<HTMLElement>('.total b');
  const button = form.querySelector('.pay')?.textContent ?? '';
  const i18n = new I18n({ button }, document.documentElement.lang, locale);

  const steps = form.querySelectorAll<HTMLButtonElement>('[data-step]');
  const quantity = () => (quantityInput ? Number(parseAmountText(quantityInput.value, 0, locale) ?? 0n) : 1);
  /** Quantity after a step, within its limits. */
  const quantityAfter = ({ dataset }: HTMLElement) => {
    const [minimum, maximum] = [Number(quantityInput?.min), Number(quantityInput?.max)];
    return Math.max(minimum, Math.min(maximum, quantity() + Number(dataset['step'])));
  };
  const update = () => {
    for (const step of steps) step.disabled = quantityAfter(step) === quantity();
    const each = amountInput
      ? parseAmountText(amountInput.value, minorUnits, locale)
      : parseAmountText(unit, minorUnits, 'en');
    const minor = (each ?? 0n) * BigInt(quantity());
    const text = minor > 0n ? i18n.amount({ value: formatMinor(minor, minorUnits), currency }) : null;
    if (sum) sum.textContent = text ?? '';
    if (total) total.hidden = text === null;
  };
  for (const step of steps) {
    step.hidden = false;
    step.addEventListener('click', () => {
      if (!quantityInput) return;
      quantityInput.value = String(quantityAfter(step));
      update();
    });
  }
  form.addEventListener('input', update);
  update();
}

/** Keeps the buyer's input for the page in another language, in this tab. The amount is kept with a decimal point. */
function saveInput(form: HTMLFormElement) {
  const { locale = 'en', decimals = '2' } = form.dataset;
  const values = [...fieldsOf(form)].map(({ name, value }) => {
    const minor = name === 'amount' ? parseAmountText(value, Number(decimals), locale) : null;
    return [name, minor === null ? value : formatMinor(minor, Number(decimals))];
  });
  try {
    sessionStorage.setItem(STORAGE_KEY, JSON.stringify(Object.fromEntries(values)));
  } catch {
    // The browser blocks storage: the buyer enters it again.
  }
}

function restoreInput(form: HTMLFormElement) {
  try {
    const saved = JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}') as Record<string, string>;
    sessionStorage.removeItem(STORAGE_KEY);
    if (saved['amount'])
      saved['amount'] = saved['amount'].replace('.', decimalSeparator(form.dataset['locale'] ?? 'en'));
    for (const field of fieldsOf(form)) field.value = saved[field.name] ?? field.value;
  } catch {
    // The browser blocks storage, so nothing was saved.
  }
}

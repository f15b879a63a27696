import { html, nothing, type TemplateResult } from 'lit';
import type { LineItem } from '../../../client/api.ts';
import { type CurrencyCode, minorUnitsOf } from '../../../src/shared/currencies.ts';
import { lineItemMinor } from '../../../src/shared/line-items.ts';
import { formatMinor } from '../../../src/shared/money.ts';
import { fieldErrorMessage } from '../../checkout/elements/field-error.ts';
import type { AccountContext } from '../context.ts';
import { expandableRow } from '../expandable-row.ts';
import { textField } from '../fields.ts';
import { button, iconButton, notice } from '../parts.ts';
import { type AmountError, parseAmountInput } from './amounts.ts';
import { type FieldErrors, type ItemValues, MAX_ITEMS } from './link-fields.ts';

/** Items with their sum as a decimal; null while one is incomplete or has an invalid price. */
export interface ParsedItems {
  items: LineItem[];
  total: string;
}

/** Parses typed items. A negative price is a discount. */
export function parseItems(values: readonly ItemValues[], currency: CurrencyCode, locale: string): ParsedItems | null {
  const units = minorUnitsOf(currency);
  const items: LineItem[] = [];
  let sum = 0n;
  for (const { name, quantity, price, image } of values) {
    const count = Number(quantity);
    const [, minus, text = ''] = /^\s*(-?)(.*)$/.exec(price) ?? [];
    const amount = parseAmountInput(text, currency, locale);
    const unit = amount === 'not_positive' ? 0 : amount;
    if (name.trim() === '' || !/^[1-9]\d{0,5}$/.test(quantity.trim()) || typeof unit === 'string') return null;
    const item = {
      ...{ name: name.trim(), quantity: count, unit_amount: minus ? -unit : unit },
      ...(image.trim() !== '' && { image_url: image.trim() }),
    };
    const minor = lineItemMinor(item, units);
    if (minor === null) return null;
    items.push(item);
    sum += minor;
  }
  const sign = sum < 0n ? '-' : '';
  return { items, total: `${sign}${formatMinor(sum < 0n ? -sum : sum, units)}` };
}

interface ItemsField {
  context: AccountContext;
  values: readonly ItemValues[];
  currency: CurrencyCode;
  amount: number | AmountError;
  fieldErrors: FieldErrors;
  change: (values: readonly ItemValues[]) => void;
  /** Sets the amount to the sum of the items. */
  useTotal: () => void;
}

/** Rows of items, with a notice if they do not add up to the amount. */
export function itemsField(field: ItemsField): TemplateResult {
  const { context, values, currency, fieldErrors, change } = field;
  const { i18n, format } = context;
  const text = (key: string, filled = {}) => i18n.text(`account.new_link.${key}`, filled);
  const parsed = parseItems(values, currency, i18n.locale);
  const isMismatch = values.length > 0 && parsed !== null && Number(parsed.total) !== field.amount;
  const money = (value: string | number) => format.money(value, currency);
  const set = (index: number, part: Partial<ItemValues>) =>
    change(values.map((item, each) => (each === index ? { ...item, ...part } : item)));
  const add = () => change([...values, { name: '', quantity: '1', price: '', image: '' }]);
  return html`<p class="hint">${text('items_hint')}</p>
    ${values.map(
      (item, index) => html`<div class="item-row" role="group" aria-label=${`${text('item_name')} ${index + 1}`}>
        ${textField({
          ...{ id: `link-item-name-${index}`, name: 'item_name', label: text('item_name'), value: item.name },
          ...{ maxlength: 150, onInput: (name: string) => set(index, { name }) },
        })}
        ${textField({
          ...{ id: `link-item-quantity-${index}`, name: 'item_quantity', label: text('item_quantity') },
          ...{ value: item.quantity, inputmode: 'numeric' as const, maxlength: 6 },
          onInput: (quantity) => set(index, { quantity }),
        })}
        ${textField({
          ...{ id: `link-item-price-${index}`, name: 'item_price', label: text('item_price'), dir: 'ltr' as const },
          ...{ value: item.price, inputmode: 'decimal' as const, maxlength: 20 },
          onInput: (price) => set(index, { price }),
        })}
        ${iconButton('trash-2', text('item_remove', { number: String(index + 1) }), () =>
          change(values.filter((_, each) => each !== index)),
        )}
        ${expandableRow({
          ...{ className: 'item-image', head: text('item_image') },
          isOpen: item.hasImageField === true || fieldErrors[`item-image-${index}`] !== undefined,
          // Not a change of the items: their errors and the request stay the same.
          onToggle: (isOpen) => (item.hasImageField = isOpen),
          content: textField({
            ...{ id: `link-item-image-${index}`, name: 'item_image', label: text('item_image'), isLabelHidden: true },
            ...{ value: item.image, type: 'url' as const, inputmode: 'url' as const, dir: 'ltr' as const },
            ...{ maxlength: 2048, onInput: (image: string) => set(index, { image, hasImageField: true }) },
            fieldError: fieldErrors[`item-image-${index}`] ?? null,
          }),
        })}
      </div>`,
    )}
    <div role="status">
      ${
        isMismatch
          ? notice({
              ...{ icon: 'triangle-alert', tone: 'warn' },
              text:
                typeof field.amount === 'string'
                  ? text('items_total', { total: money(parsed.total) })
                  : text('items_mismatch', { total: money(parsed.total), amount: money(field.amount) }),
            })
          : nothing
      }
    </div>
    ${fieldErrorMessage('link-line_items-error', fieldErrors.line_items ?? null)}
    <div class="created-actions">
      ${button(text('item_add'), add, { icon: 'plus', id: 'link-line_items', isDisabled: values.length >= MAX_ITEMS })}
      ${
        isMismatch && Number(parsed.total) > 0
          ? button(text('items_use', { total: money(parsed.total) }), field.useTotal)
          : nothing
      }
    </div>`;
}

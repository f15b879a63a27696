import { html, nothing } from 'lit';
import type { OfferedMethod, PageDocument } from '../../../src/api/page-state.ts';
import type { I18n } from '../elements/i18n.ts';
import { amountToPay, cardMethod, type PageView } from '../store/page-view.ts';

/** A form that works without a script. */
interface PlainForm {
  /** Target URL. */
  action: string;
  /** Hidden fields and button, in addition to the fields that the script reads. */
  extra: unknown;
  /** Values of the submitted form. */
  typed: Readonly<Record<string, string>>;
}

/** Forms that work before the script starts, and without one. Rendered by the server only. */
export interface PlainForms {
  /** Null if the script must encrypt the card. */
  card(view: PageView): PlainForm | null;
  method(view: PageView, method: OfferedMethod): PlainForm;
  /** Content below an open challenge or a pending outcome. */
  status(view: PageView): unknown;
}

export function plainForms({ linkPath, submitted }: PageDocument, i18n: I18n): PlainForms {
  const hiddenFields = (
    view: PageView,
    action: string,
    method: string | null,
  ) => html`<input type="hidden" name="do" value=${action} />
    ${method === null ? nothing : html`<input type="hidden" name="payment_method" value=${method} />`}
    <input type="hidden" name="client_token" value=${view.state.clientToken ?? ''} />`;
  // The initially open method uses the page's button; every other method has a button in its panel. It shows an amount
  // with a fee, because the summary shows the amount of the initially open method.
  const payButton = (view: PageView, code: string | null) => {
    if (code === view.selectedMethod) return nothing;
    const amount = amountToPay({ ...view, selectedMethod: code ?? '' });
    const showsAmount = code === cardMethodCode(view) || amount.value !== amountToPay(view).value;
    const label = showsAmount ? i18n.text('pay.button', { amount: i18n.amount(amount) }) : i18n.text('pay.continue');
    return html`<button class="pay pay-apart">${label}</button>`;
  };
  return {
    card: (view) =>
      cardMethod(view.state)?.cardKey
        ? null
        : {
            action: linkPath,
            extra: html`${hiddenFields(view, 'card', cardMethodCode(view))}
              <input type="hidden" name="amount" value=${cardMethod(view.state)?.amount ?? nothing} />
              ${payButton(view, cardMethodCode(view))}`,
            typed: submitted?.values ?? {},
          },
    method: (view, { code }) => ({
      action: linkPath,
      extra: html`${hiddenFields(view, 'method', code)}${payButton(view, code)}`,
      typed: submitted?.values ?? {},
    }),
    status(view) {
      if (view.state.phase === 'checking')
        return html`<a class="button plain-only" href=${linkPath}>${i18n.text('page.reload')}</a>`;
      if (view.state.phase !== 'challenge') return nothing;
      return html`<form method="post" action=${linkPath}>
        ${hiddenFields(view, 'abandon', null)}<button class="button plain-only">${i18n.text('phases.challenge.abandon')}</button>
      </form>`;
    },
  };
}

function cardMethodCode(view: PageView): string | null {
  return cardMethod(view.state)?.code ?? null;
}

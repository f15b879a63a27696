import type { PageAsset } from '../../assets.ts';
import { escapeHtml, htmlDocument } from '../../html-document.ts';
import { sandboxLocale, sandboxTexts } from '../texts.ts';

/** Actions of a tester: each is a button that posts `decision=`. */
const decisions = ['exact', 'underpay', 'overpay', 'duplicate', 'late', 'refuse'] as const;

interface Amount {
  value: string;
  currency: string;
}

export interface SimulatorPage {
  merchantName: string;
  amount: Amount;
  /** Amount received so far, or null. */
  received: Amount | null;
  /** The instructions can still be paid. */
  isOpen: boolean;
  /** Target of the form. */
  actionUrl: string;
  returnUrl: string;
  /** BCP 47 locale for amounts. */
  amountLocale: string;
}

/** Sandbox simulator of the buyer's bank or wallet. A plain form without a script. */
export function renderSimulatorPage(page: SimulatorPage, asset: PageAsset): string {
  const i18n = sandboxTexts(page.amountLocale);
  const text = (key: string, values?: Record<string, string>) => escapeHtml(i18n.text(`simulator.${key}`, values));
  const fact = (key: string, value: string) =>
    `<div><dt>${text(key)}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd></div>`;
  const amountFact = (key: string, amount: Amount | null) => (amount ? fact(key, i18n.amount(amount)) : '');
  const button = (decision: string, label: string, className = '') =>
    `<button class="button button-wide${className}" name="decision" value="${decision}">${label}</button>`;
  const choices = decisions.map((decision) => {
    const isMain = decision === 'exact' && !page.received;
    return button(decision, text(decision), isMain ? ' button-main' : '');
  });
  return htmlDocument({
    ...sandboxLocale,
    title: i18n.text('simulator.title'),
    asset,
    body: `<main class="plain">
<form class="status" method="post" action="${escapeHtml(page.actionUrl)}">
<h1 class="status-heading">${text('title')}</h1>
<p class="status-text">${text(page.isOpen ? 'text' : 'text_ended')}</p>
<dl class="status-facts">
${fact('merchant', page.merchantName)}${amountFact('amount', page.amount)}${amountFact('received', page.received)}
</dl>
<div class="plain-actions plain-outcomes">
${choices.join('\n')}
</div>
</form>
<a class="plain-back" href="${escapeHtml(page.returnUrl)}">${text('back')}</a>
<p class="plain-note">${text('sandbox')}</p>
</main>`,
  });
}

import type { PageAsset } from '../../assets.ts';
import { escapeHtml, htmlDocument } from '../../html-document.ts';
import { sandboxLocale, sandboxTexts } from '../texts.ts';

export interface IssuerPage {
  merchantName: string;
  amount: { value: string; currency: string };
  cardLast4: string;
  /** The form posts `decision=approve` or `decision=refuse` to this URL. */
  actionUrl: string;
  /** BCP 47 locale for amounts. */
  amountLocale: string;
}

/** The sandbox's issuer: asks to approve a payment. A plain form without a script. */
export function renderIssuerPage(page: IssuerPage, asset: PageAsset): string {
  const i18n = sandboxTexts(page.amountLocale);
  const text = (key: string, values?: Record<string, string>) => escapeHtml(i18n.text(`issuer.${key}`, values));
  const amount = i18n.amount(page.amount);
  // A name of a few words stays on one line.
  const merchant = page.merchantName.length > 20 ? page.merchantName : page.merchantName.replaceAll(' ', '\u00a0');
  const fact = (label: string, value: string) => `<div><dt>${label}</dt><dd><bdi>${escapeHtml(value)}</bdi></dd></div>`;
  return htmlDocument({
    ...sandboxLocale,
    title: i18n.text('issuer.title'),
    asset,
    body: `<main class="plain plain-challenge">
<div class="plain-head"><span class="plain-mark">${bankIcon}</span>${text('bank')}</div>
<form class="status" method="post" action="${escapeHtml(page.actionUrl)}">
<h1 class="status-heading">${text('title')}</h1>
<p class="status-text">${text('question', { amount, merchant })}</p>
<dl class="status-facts">
${fact(text('merchant'), page.merchantName)}${fact(text('amount'), amount)}${fact(text('card'), `•••• ${page.cardLast4}`)}
</dl>
<div class="plain-actions plain-row">
<button class="button button-main button-wide" name="decision" value="approve">${text('approve')}</button>
<button class="button button-wide" name="decision" value="refuse">${text('decline')}</button>
</div>
</form>
<p class="plain-note">${text('sandbox')}</p>
</main>`,
  });
}

const bankIcon = `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M4.5 10 12 5.5l7.5 4.5M4.5 18.5h15M6.75 10.5v7.5M10.25 10.5v7.5M13.75 10.5v7.5M17.25 10.5v7.5"/></svg>`;

import type { PageAsset } from '../../assets.ts';
import { escapeHtml, htmlDocument } from '../../html-document.ts';
import type { ChainSimulatorPage } from '../../../src/api/chain-simulator-page.ts';
import { sandboxLocale, sandboxTexts } from '../texts.ts';

/** Actions of a tester: each is a button that posts `do=`. */
const payments = ['exact', 'underpay', 'overpay', 'duplicate'] as const;
const minedBlocks = [1, 6, 100] as const;
const reorgDepths = [1, 2, 10] as const;
const reorgOptions = ['keep', 'drop'] as const;
const pendingActions = ['replace', 'double_spend', 'evict'] as const;

const i18n = sandboxTexts(sandboxLocale.locale);
const text = (key: string, values?: Record<string, string | number>) => escapeHtml(i18n.text(`chain.${key}`, values));

/** Sandbox simulator of a crypto invoice: testers control the payer and the chain. Plain forms without a script. */
export function renderChainSimulatorPage(page: ChainSimulatorPage, asset: PageAsset): string {
  return htmlDocument({
    ...sandboxLocale,
    title: i18n.text('chain.title'),
    asset,
    body: `<main class="plain plain-wide">
<div class="status">
<h1 class="status-heading">${text('title')}</h1>
<dl class="status-facts">${facts(page)}</dl>
</div>
${section('pay', paymentForms(page))}
${section('chain', form(page, chainControls(page)))}
${page.waiting.length > 0 ? section('waiting', form(page, pendingPayments(page))) : ''}
<a class="plain-back" href="${escapeHtml(page.returnUrl)}">${text('back')}</a>
<p class="plain-note">${text('sandbox')}</p>
</main>`,
  });
}

function section(name: string, content: string): string {
  return `<section class="status" aria-labelledby="${name}-title">
<h2 class="plain-heading" id="${name}-title">${text(`${name}_title`)}</h2>
${content}
</section>`;
}

function form({ actionUrl }: ChainSimulatorPage, content: string): string {
  return `<form class="plain-form" method="post" action="${escapeHtml(actionUrl)}">${content}</form>`;
}

function fact(label: string, value: string, more = ''): string {
  const rest = more && `<br><small>${escapeHtml(more)}</small>`;
  return `<div><dt>${label}</dt><dd><bdi>${escapeHtml(value)}</bdi>${rest}</dd></div>`;
}

function facts({ merchantName, reference, requestedAmount, status, labels, payments, address }: ChainSimulatorPage) {
  const invoiceFacts = [
    fact(text('merchant'), merchantName),
    reference === null ? '' : fact(text('reference'), reference),
    fact(text('requested'), requestedAmount ?? i18n.text('chain.any')),
    fact(text('address'), address),
    fact(text('status'), humanize(status), labels.map(humanize).join(', ')),
  ];
  const paymentFacts = payments.map(({ txHash, amount, confirmations, decision }) => {
    const depth =
      confirmations === null ? i18n.text('chain.dropped') : i18n.text('chain.confirmations', { count: confirmations });
    return fact(
      text('payment', { tx: shortHash(txHash) }),
      amount,
      decision === 'pending' ? depth : `${depth}, ${decision}`,
    );
  });
  return [...invoiceFacts, ...paymentFacts].join('');
}

/** `value` is the value of the field `do`: an action and its argument. */
function button(value: string, label: string, className = ''): string {
  return `<button class="button${className}" name="do" value="${escapeHtml(value)}">${label}</button>`;
}

const row = (buttons: readonly string[], className = '') =>
  `<div class="plain-row${className}">${buttons.join('')}</div>`;

/** Three buttons under a common legend. */
function group(legend: string, buttons: readonly string[]): string {
  return `<fieldset class="plain-group"><legend>${legend}</legend>${row(buttons, ' plain-thirds')}</fieldset>`;
}

/** The custom amount has its own form, so that Enter submits it. */
function paymentForms(page: ChainSimulatorPage): string {
  const { requestedAmount, initialAmount, currencies, otherCurrency } = page;
  const exact = payments.map((how) => button(`pay ${how}`, text(how), how === 'exact' ? ' button-main' : ''));
  const options = currencies.map((code) => `<option value="${code.toLowerCase()}">${code}</option>`);
  const amount = `<input class="plain-field" name="amount" inputmode="decimal" autocomplete="off" aria-label="${text('amount')}" value="${escapeHtml(initialAmount)}">`;
  const currency = `<select class="plain-field" name="code" aria-label="${text('currency')}">${options.join('')}</select>`;
  const pay = button('pay amount', text('pay_amount'));
  const other = otherCurrency === null ? '' : button('pay other', text('other', { code: otherCurrency }));
  return `${requestedAmount === null ? '' : form(page, row(exact))}
${form(page, options.length > 1 ? amount + row([currency, pay]) : row([amount, pay]))}
${other && form(page, other)}`;
}

/** Controls of the chain: mining and reorgs. */
function chainControls({ network, height }: ChainSimulatorPage): string {
  const mine = minedBlocks.map((count) => button(`mine ${count}`, text('blocks', { count })));
  const reorg = (option: string) =>
    reorgDepths.map((count) => button(`reorg ${count} ${option}`, text('undo', { count })));
  return `<p class="status-text">${escapeHtml(i18n.text('chain.height', { network, height }))}</p>
${group(text('mine'), mine)}
${reorgOptions.map((option) => group(text(option), reorg(option))).join('')}`;
}

function pendingPayments({ waiting }: ChainSimulatorPage): string {
  const actions = (txHash: string) => pendingActions.map((act) => button(`${act} ${txHash}`, text(act)));
  return waiting
    .map(({ txHash, amount }) => group(escapeHtml(`${amount}, ${shortHash(txHash)}`), actions(txHash)))
    .join('');
}

/** Formats a code of the API as text: `Approved required`. */
function humanize(code: string): string {
  return code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ');
}

/** A prefix of the hash, long enough to identify it. */
function shortHash(txHash: string): string {
  return `${txHash.slice(0, 8)}…`;
}

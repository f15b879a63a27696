import type { PageAsset } from '../../assets.ts';
import { escapeHtml, htmlDocument } from '../../html-document.ts';
import type { ChainSimulatorPage } from '../../../src/shared/chain-simulator-page.ts';
import { sandboxLocale, sandboxWording } from '../texts.ts';

/** What a tester may have happen: each is a button that posts `do=`. */
const payments = ['exact', 'less', 'more', 'twice'] as const;
const minedBlocks = [1, 6, 100] as const;
const replacedBlocks = [1, 2, 10] as const;
const fates = ['keep', 'drop'] as const;
const waitingActs = ['replace', 'withdraw', 'evict'] as const;

const words = sandboxWording(sandboxLocale.locale);
const say = (key: string, values?: Record<string, string | number>) => escapeHtml(words.text(`chain.${key}`, values));

/** The sandbox's other side of a crypto invoice: a tester plays the payer and the chain, in plain forms that need no script. */
export function renderChainSimulatorPage(page: ChainSimulatorPage, asset: PageAsset): string {
  return htmlDocument({
    ...sandboxLocale,
    title: words.text('chain.title'),
    asset,
    body: `<main class="plain plain-wide">
<div class="status">
<h1 class="status-heading">${say('title')}</h1>
<dl class="status-facts">${facts(page)}</dl>
</div>
${part('pay', paying(page))}
${part('chain', form(page, turning(page)))}
${page.waiting.length > 0 ? part('waiting', form(page, waiting(page))) : ''}
<a class="button button-wide" href="${escapeHtml(page.returnUrl)}">${say('back')}</a>
<p class="plain-note">${say('sandbox')}</p>
</main>`,
  });
}

function part(name: string, content: string): string {
  return `<section class="status" aria-labelledby="${name}-title">
<h2 class="plain-heading" id="${name}-title">${say(`${name}_title`)}</h2>
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

function facts({ merchantName, reference, asked, status, labels, payments, address }: ChainSimulatorPage) {
  const known = [
    fact(say('merchant'), merchantName),
    reference === null ? '' : fact(say('reference'), reference),
    fact(say('asked'), asked ?? words.text('chain.any')),
    fact(say('address'), address),
    fact(say('status'), status, labels.join(', ')),
  ];
  const seen = payments.map(({ txHash, amount, confirmations, decision }) => {
    const depth =
      confirmations === null ? words.text('chain.gone') : words.text('chain.confirmations', { count: confirmations });
    return fact(say('payment', { tx: shortened(txHash) }), amount, `${depth}, ${decision}`);
  });
  return [...known, ...seen].join('');
}

/** `value` is what the field `do` holds: a name, and what of it. */
function button(value: string, label: string, look = ''): string {
  return `<button class="button${look}" name="do" value="${escapeHtml(value)}">${label}</button>`;
}

const row = (buttons: readonly string[], look = '') => `<div class="plain-row${look}">${buttons.join('')}</div>`;

/** Three buttons under what they have in common. */
function group(legend: string, buttons: readonly string[]): string {
  return `<fieldset class="plain-group"><legend>${legend}</legend>${row(buttons, ' plain-thirds')}</fieldset>`;
}

/** The amount that is typed has a form of its own: in it the key Enter pays that. */
function paying(page: ChainSimulatorPage): string {
  const { asked, coins, currencies, otherCurrency } = page;
  const exact = payments.map((how) => button(`pay ${how}`, say(how), how === 'exact' ? ' button-main' : ''));
  const options = currencies.map((code) => `<option value="${code.toLowerCase()}">${code}</option>`);
  const amount = `<input class="plain-field" name="amount" inputmode="decimal" autocomplete="off" aria-label="${say('amount')}" value="${escapeHtml(coins)}">`;
  const currency = `<select class="plain-field" name="code" aria-label="${say('currency')}">${options.join('')}</select>`;
  const pay = button('pay amount', say('pay_amount'));
  const other = otherCurrency === null ? '' : button('pay other', say('other', { code: otherCurrency }));
  return `${asked === null ? '' : form(page, row(exact))}
${form(page, options.length > 1 ? amount + row([currency, pay]) : row([amount, pay]))}
${other && form(page, other)}`;
}

/** What becomes of the chain. */
function turning({ network, height }: ChainSimulatorPage): string {
  const blocks = (act: string, counts: readonly number[], fate = '') =>
    counts.map((count) => button(`${act} ${count}${fate}`, say('blocks', { count })));
  return `<p class="status-text">${escapeHtml(words.text('chain.height', { network, height }))}</p>
${group(say('mine'), blocks('mine', minedBlocks))}
${fates.map((fate) => group(say(fate), blocks('reorganise', replacedBlocks, ` ${fate}`))).join('')}`;
}

function waiting({ waiting }: ChainSimulatorPage): string {
  const acts = (txHash: string) => waitingActs.map((act) => button(`${act} ${txHash}`, say(act)));
  return waiting
    .map(({ txHash, amount }) => group(escapeHtml(`${amount}, ${shortened(txHash)}`), acts(txHash)))
    .join('');
}

/** Enough of a hash to tell one from another. */
function shortened(txHash: string): string {
  return `${txHash.slice(0, 8)}…`;
}

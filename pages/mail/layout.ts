import type { MailBrand, RenderedMail } from '../../src/api/mail.ts';
import { brandColors, formatHex, type Scheme } from '../checkout/elements/brand-colors.ts';
import { httpUrl } from '../checkout/elements/http-url.ts';
import { escapeHtml as escape } from '../html-document.ts';

/** The parts of an email, from which both HTML and plain text are rendered. */
export interface MailParts {
  subject: string;
  /** Above the heading, such as a sandbox notice. */
  notice: string | null;
  heading: string;
  /** The amount in large type; null without one. */
  amount: string | null;
  paragraphs: readonly string[];
  /** Names and values. */
  rows: readonly (readonly [name: string, value: string])[];
  /** The name of the row that stands out. */
  total?: string;
  button: { label: string; url: string };
  footer: readonly MailFooterLine[];
}

interface MailFooterLine {
  text: string;
  url?: string;
  /** In plain text, in place of the URL. */
  shownUrl?: string;
}

interface MailPage {
  parts: MailParts;
  brand: MailBrand | null;
  locale: string;
  direction: 'ltr' | 'rtl';
  /** Null: both, by the reader's preference. */
  scheme: Scheme | null;
}

/** The pages' colors (`tokens.css`), which mail clients cannot read from variables. */
const palettes = {
  light: { ground: '#f4f3ef', paper: '#ffffff', ink: '#1b1c1a', muted: '#5d5f5a', line: '#dedcd4' },
  dark: { ground: '#141513', paper: '#1d1f1c', ink: '#f0efe9', muted: '#a9aba3', line: '#363934' },
} as const;
const defaultButtons = {
  light: { fill: '#1f5f4a', label: '#ffffff', edge: '#1f5f4a', link: '#1f5f4a' },
  dark: { fill: '#8fd3b8', label: '#08251b', edge: '#8fd3b8', link: '#8fd3b8' },
} as const;

const FONT = "system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',Arial,sans-serif";

/** The name of the sender in emails without a merchant's branding. */
const SERVICE_NAME = 'Paylatch';

/** Renders an email: tables and inline styles, as mail clients require, with a style sheet for dark mode. */
export function renderMailPage(page: MailPage): RenderedMail {
  return { subject: page.parts.subject, html: htmlOf(page), text: textOf(page) };
}

function textOf({ parts, brand }: MailPage): string {
  const { notice, heading, amount, paragraphs, rows, button, footer } = parts;
  const blocks = [
    ...(notice === null ? [] : [`[${notice}]`]),
    brand?.name ?? SERVICE_NAME,
    [heading, ...(amount === null ? [] : [amount])].join('\n'),
    ...paragraphs,
    rows.map(([name, value]) => `${name}: ${value}`).join('\n'),
    `${button.label}:\n${button.url}`,
    footer.map(({ text, url = '', shownUrl = url }) => `${text} ${shownUrl}`.trim()).join('\n'),
  ];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

function colorsOf(brand: MailBrand | null, scheme: Scheme) {
  const button = brand?.color ? buttonColors(brand.color, scheme) : defaultButtons[scheme];
  return { ...palettes[scheme], ...button };
}

function buttonColors(color: string, scheme: Scheme) {
  const { accent, onAccent, accentEdge } = brandColors(color, scheme);
  return {
    fill: formatHex(accent),
    label: formatHex(onAccent),
    edge: formatHex(accentEdge),
    // Underlined: a pale brand color alone has too little contrast.
    link: palettes[scheme].ink,
  };
}

type Colors = ReturnType<typeof colorsOf>;

/** CSS rules of one color scheme, for the classes of the elements below. They override the inline styles. */
function schemeRules({ ground, paper, ink, muted, line, fill, label, edge, link }: Colors): string {
  return [
    `.ground{background-color:${ground}!important}`,
    `.paper{background-color:${paper}!important;border-color:${line}!important}`,
    `.ink{color:${ink}!important}`,
    `.muted{color:${muted}!important}`,
    `.line{border-color:${line}!important}`,
    `.button{background-color:${fill}!important;border-color:${edge}!important}`,
    `.label{color:${label}!important}`,
    `.link{color:${link}!important}`,
  ].join('');
}

function htmlOf({ parts, brand, locale, direction, scheme }: MailPage): string {
  const colors = colorsOf(brand, scheme ?? 'light');
  const dark = `@media (prefers-color-scheme:dark){${schemeRules(colorsOf(brand, 'dark'))}}`;
  const schemeCss = scheme === null ? `:root{color-scheme:light dark}${dark}` : `:root{color-scheme:${scheme}}`;
  const start = direction === 'rtl' ? 'right' : 'left';
  const end = direction === 'rtl' ? 'left' : 'right';
  const text = (size: number, color: string, more = '') =>
    `margin:0;font-family:${FONT};font-size:${size}px;line-height:1.5;color:${color};text-align:${start};${more}`;
  const { notice, heading, amount, paragraphs, rows, total, button, footer } = parts;
  const table = 'role="presentation" cellpadding="0" cellspacing="0" border="0"';
  const row = ([name, value]: readonly [string, string]) => {
    const isTotal = name === total;
    const weight = isTotal ? 'font-weight:600;' : '';
    const nameColor = isTotal ? colors.ink : colors.muted;
    return `<tr>
<td class="${isTotal ? 'ink' : 'muted'} line" style="${text(14, nameColor, `${weight}padding:10px 0;border-top:1px solid ${colors.line};padding-${end}:16px;vertical-align:top`)}">${escape(name)}</td>
<td class="ink line" style="${text(14, colors.ink, `${weight}padding:10px 0;border-top:1px solid ${colors.line};vertical-align:top;word-break:break-word;text-align:${end}`)}"><bdi>${escape(value)}</bdi></td>
</tr>`;
  };
  const footerLine = ({ text: line, url }: MailFooterLine) =>
    `<p class="muted" style="${text(13, colors.muted, 'margin:0 0 4px')}">${
      url === undefined
        ? escape(line)
        : `<a class="link" href="${escape(url)}" style="color:${colors.link};text-decoration:underline">${escape(line)}</a>`
    }</p>`;
  return `<!doctype html>
<html lang="${escape(locale)}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="${scheme ?? 'light dark'}">
<meta name="supported-color-schemes" content="${scheme ?? 'light dark'}">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escape(parts.subject)}</title>
<style>${schemeCss}@media (max-width:480px){.paper{padding:24px 20px!important}.footer{padding:20px 21px 0!important}}</style>
</head>
<body class="ground" style="margin:0;padding:0;background-color:${colors.ground};-webkit-text-size-adjust:100%">
<div style="display:none;max-height:0;overflow:hidden">${escape(paragraphs[0] ?? amount ?? heading)}</div>
<table ${table} width="100%" class="ground" style="background-color:${colors.ground}"><tr><td align="center" style="padding:24px 12px">
<table ${table} width="100%" style="max-width:560px"><tr><td class="paper" style="padding:32px;background-color:${colors.paper};border:1px solid ${colors.line};border-radius:12px">
${senderHtml(brand, text(16, colors.ink, 'font-weight:600'), table)}
${notice === null ? '' : `<p class="muted" style="${text(13, colors.muted, 'margin:16px 0 0')}">${escape(notice)}</p>`}
<h1 class="ink" style="${text(20, colors.ink, 'margin:24px 0 0;font-weight:600;line-height:1.3')}">${escape(heading)}</h1>
${amount === null ? '' : `<p class="ink" style="${text(32, colors.ink, 'margin:8px 0 0;font-weight:600;line-height:1.2')}"><bdi>${escape(amount)}</bdi></p>`}
${paragraphs.map((paragraph) => `<p class="ink" style="${text(16, colors.ink, 'margin:16px 0 0;word-break:break-word')}">${escape(paragraph)}</p>`).join('\n')}
${rows.length === 0 ? '' : `<table ${table} width="100%" style="margin:24px 0 0">${rows.map(row).join('')}</table>`}
<table ${table} style="margin:24px 0 0"><tr><td class="button" align="center" style="background-color:${colors.fill};border:1px solid ${colors.edge};border-radius:8px"><a class="label" href="${escape(button.url)}" style="display:inline-block;padding:13px 24px;font-family:${FONT};font-size:16px;line-height:1.25;font-weight:600;color:${colors.label};text-decoration:none">${escape(button.label)}</a></td></tr></table>
</td></tr></table>
<table ${table} width="100%" style="max-width:560px"><tr><td class="footer" style="padding:20px 33px 0">
${footer.map(footerLine).join('\n')}
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

/** The merchant's logo on white, as on payment pages, and its name; the service's name in other emails. */
function senderHtml(brand: MailBrand | null, style: string, table: string): string {
  const logo = httpUrl(brand?.logoUrl ?? null);
  const image =
    logo === null
      ? ''
      : `<td style="padding-inline-end:12px"><img src="${escape(logo)}" alt="" width="40" height="40" style="display:block;border:0;border-radius:8px;background-color:#ffffff;object-fit:contain"></td>`;
  return `<table ${table}><tr>${image}<td class="ink" style="${style}"><bdi>${escape(brand?.name ?? SERVICE_NAME)}</bdi></td></tr></table>`;
}

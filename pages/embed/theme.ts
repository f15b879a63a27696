import { type ThemeToken, themeTokens } from '../../src/contract/frame/theme.ts';
import type { ThemeTokens } from '../../src/contract/frame/to-frame.ts';
import { contrastOf, type Rgb } from './contrast.ts';

/** The style sheet's own variable for each token. */
export const variables: Record<ThemeToken, string> = {
  accent: '--accent',
  'accent-text': '--on-accent',
  text: '--ink',
  'text-muted': '--ink-2',
  background: '--ground',
  'field-background': '--paper',
  'field-text': '--field-ink',
  'field-border': '--field-line',
  placeholder: '--placeholder',
  error: '--bad',
  focus: '--focus',
  radius: '--radius-small',
  'button-radius': '--button-radius',
  'border-width': '--border-width',
  'field-height': '--field-height',
  'button-height': '--button-height',
  gap: '--gap',
  'font-size': '--font-size',
  'label-size': '--label-size',
  'font-family': '--font',
};

/** Text and what it stands on: WCAG 2.2, success criterion 1.4.3. */
const textPairs: readonly (readonly [text: ThemeToken, ground: ThemeToken])[] = [
  ['text', 'background'],
  ['text-muted', 'background'],
  ['error', 'background'],
  ['field-text', 'field-background'],
  ['placeholder', 'field-background'],
  ['accent-text', 'accent'],
];
const LEAST_CONTRAST = 4.5;

/** The tokens that can be asked for, as the element is told. */
export const askedTokens = {
  color: [...themeTokens.color],
  width: [...themeTokens.width],
  fontFamily: [...themeTokens.fontFamily],
};

/**
 * Gives the page the merchant's look. A pair of colours that cannot be read is not used: our own
 * stands in for both, and the console says why.
 */
export function applyTheme(root: HTMLElement, scheme: 'light' | 'dark', tokens: ThemeTokens) {
  root.dataset['scheme'] = scheme;
  for (const token of Object.keys(variables) as ThemeToken[]) {
    const value = tokens[token];
    if (value) root.style.setProperty(variables[token], value);
    else root.style.removeProperty(variables[token]);
  }
  // What our own colours have beside the accent goes with it.
  if (tokens.accent) root.style.setProperty('--accent-strong', 'var(--accent)');
  else root.style.removeProperty('--accent-strong');
  if (tokens.accent && !tokens.focus) root.style.setProperty('--focus', 'var(--accent)');
  for (const [text, ground] of textPairs) {
    if (!tokens[text] && !tokens[ground]) continue;
    const contrast = contrastOf(colourOf(root, variables[text]), colourOf(root, variables[ground]));
    if (contrast >= LEAST_CONTRAST) continue;
    for (const token of [text, ground]) root.style.removeProperty(variables[token]);
    // oxlint-disable-next-line no-console -- for the developer who chose the colours
    console.warn(
      `<pay-form>: --pay-form-${text} on --pay-form-${ground} has a contrast of ${contrast.toFixed(2)}, and 4.5 is needed to be readable (WCAG 2.2, 1.4.3). The form uses its own colours for both.`,
    );
  }
}

let pen: CanvasRenderingContext2D | null = null;

/** What a variable comes to, whatever notation it is written in. */
function colourOf(root: HTMLElement, variable: string): Rgb {
  const probe = document.createElement('i');
  probe.style.color = `var(${variable})`;
  root.append(probe);
  const colour = getComputedStyle(probe).color;
  probe.remove();
  pen ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!pen) return [0, 0, 0];
  pen.clearRect(0, 0, 1, 1);
  pen.fillStyle = colour;
  pen.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

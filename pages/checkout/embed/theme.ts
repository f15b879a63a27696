import { type ThemeToken, themeTokens } from '../../../src/shared/frame/theme.ts';
import type { FrameConfiguration } from '../../../src/shared/frame/to-frame.ts';
import { contrastOf, type Rgb } from '../elements/contrast.ts';

/** Style sheet variable of each token. */
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

/**
 * Text and its background: WCAG 2.2, success criterion 1.4.3. The pair of field text is checked twice, because the
 * placeholder check may change the background.
 */
const textPairs: readonly (readonly [text: ThemeToken, ground: ThemeToken])[] = [
  ['text', 'background'],
  ['text-muted', 'background'],
  ['error', 'background'],
  ['field-text', 'field-background'],
  ['placeholder', 'field-background'],
  ['field-text', 'field-background'],
  ['accent-text', 'accent'],
];
const LEAST_CONTRAST = 4.5;

/** Media query for colours that the reader's system forces. */
export const FORCED_COLORS = '(forced-colors: active)';

/** Tokens by the CSS property that resolves them, for the element. */
export const askedTokens = {
  color: [...themeTokens.color],
  columnGap: [...themeTokens.columnGap],
  fontFamily: [...themeTokens.fontFamily],
};

/**
 * Applies the merchant's theme and returns warnings for the developer. An unreadable pair of colours falls back to
 * the default colours.
 */
export function applyTheme(
  root: HTMLElement,
  { scheme, tokens }: Pick<FrameConfiguration, 'scheme' | 'tokens'>,
): string[] {
  const unusable: string[] = [];
  root.dataset['scheme'] = scheme;
  const set = (variable: string, value: string | undefined) => {
    if (value) root.style.setProperty(variable, value);
    else root.style.removeProperty(variable);
  };
  const all = Object.keys(variables) as ThemeToken[];
  for (const token of all) set(variables[token], undefined);
  const own = new Map(textPairs.flat().map((token) => [token, colourOf(root, variables[token])]));
  for (const token of all) set(variables[token], tokens[token]);
  for (const token of themeTokens.columnGap) {
    const length = tokens[token];
    if (!length || /^[\d.e+-]+px$/.test(length)) continue;
    set(variables[token], undefined);
    unusable.push(`--pay-form-${token} must be a length such as 8px or 0.5rem. The form uses its default.`);
  }
  // Colours derived from the default colours follow the merchant's.
  set('--accent-strong', tokens.accent && 'var(--accent)');
  if (!tokens.focus) set('--focus', tokens.accent && 'var(--accent)');
  set('--bad-soft', tokens.text || tokens['field-text'] || tokens['field-background'] ? 'var(--paper)' : undefined);
  // Forced colours replace all of these, and only they are visible.
  if (matchMedia(FORCED_COLORS).matches) return unusable;
  const base = own.get('background') ?? '';
  for (const [text, ground] of textPairs) {
    const contrast = contrastIn(root, text, ground, base);
    if (contrast >= LEAST_CONTRAST) continue;
    set(variables[text], own.get(text));
    // The background is the merchant's page; a default for it would have no effect.
    if (ground !== 'background') set(variables[ground], own.get(ground));
    else if (contrastIn(root, text, ground, base) < LEAST_CONTRAST) {
      set(variables[text], '#fff');
      if (contrastIn(root, text, ground, base) < LEAST_CONTRAST) set(variables[text], '#000');
    }
    unusable.push(
      `--pay-form-${text} on --pay-form-${ground} has a contrast of ${contrast.toFixed(2)} but needs ${LEAST_CONTRAST} (WCAG 2.2, 1.4.3). The form uses its defaults.`,
    );
  }
  return unusable;
}

/** Contrast as displayed, with transparent colours blended; `base` is the lowest layer. */
function contrastIn(root: HTMLElement, text: ThemeToken, ground: ThemeToken, base: string): number {
  const below = ground === 'background' ? [base] : [base, colourOf(root, variables.background)];
  const grounds = [...below, colourOf(root, variables[ground])];
  return contrastOf(drawn([...grounds, colourOf(root, variables[text])]), drawn(grounds));
}

/** Computed value of a colour variable. */
function colourOf(root: HTMLElement, variable: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${variable})`;
  root.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

let pen: CanvasRenderingContext2D | null = null;

/** Blends layered colours of any CSS notation into one opaque colour. */
function drawn(colours: readonly string[]): Rgb {
  pen ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!pen) return [0, 0, 0];
  for (const colour of colours) {
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

import { type ThemeToken, themeTokens } from '../../../src/shared/frame/theme.ts';
import type { FrameConfiguration } from '../../../src/shared/frame/to-frame.ts';
import { contrastOf, type Rgb } from '../elements/contrast.ts';

/** Style sheet variable of each token. */
export const cssVariables: Record<ThemeToken, string> = {
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
 * Text and its background: WCAG 2.2, success criterion 1.4.3. The pair with the field text is checked twice, because
 * the placeholder check may change the background.
 */
const contrastPairs: readonly (readonly [text: ThemeToken, ground: ThemeToken])[] = [
  ['text', 'background'],
  ['text-muted', 'background'],
  ['error', 'background'],
  ['field-text', 'field-background'],
  ['placeholder', 'field-background'],
  ['field-text', 'field-background'],
  ['accent-text', 'accent'],
];
const MIN_CONTRAST = 4.5;

/** Media query for colors that the operating system forces. */
export const FORCED_COLORS = '(forced-colors: active)';

/** Tokens by the CSS property that resolves them, for the element. */
export const tokensByProperty = {
  color: [...themeTokens.color],
  columnGap: [...themeTokens.columnGap],
  fontFamily: [...themeTokens.fontFamily],
};

/**
 * Applies the merchant's theme and returns warnings for the developer. An unreadable pair of colors falls back to
 * the default colors.
 */
export function applyTheme(
  root: HTMLElement,
  { scheme, tokens }: Pick<FrameConfiguration, 'scheme' | 'tokens'>,
): string[] {
  const warnings: string[] = [];
  root.dataset['scheme'] = scheme;
  const set = (variable: string, value: string | undefined) => {
    if (value) root.style.setProperty(variable, value);
    else root.style.removeProperty(variable);
  };
  const tokenNames = Object.keys(cssVariables) as ThemeToken[];
  for (const token of tokenNames) set(cssVariables[token], undefined);
  const defaults = new Map(contrastPairs.flat().map((token) => [token, resolveColor(root, cssVariables[token])]));
  for (const token of tokenNames) set(cssVariables[token], tokens[token]);
  for (const token of themeTokens.columnGap) {
    const length = tokens[token];
    if (!length || /^[\d.e+-]+px$/.test(length)) continue;
    set(cssVariables[token], undefined);
    warnings.push(`--pay-form-${token} must be a length such as 8px or 0.5rem. The form uses its default.`);
  }
  // Colors derived from the default colors follow the merchant's.
  set('--accent-strong', tokens.accent && 'var(--accent)');
  if (!tokens.focus) set('--focus', tokens.accent && 'var(--accent)');
  set('--bad-soft', tokens.text || tokens['field-text'] || tokens['field-background'] ? 'var(--paper)' : undefined);
  // Forced colors replace all of these, and only they are visible.
  if (matchMedia(FORCED_COLORS).matches) return warnings;
  const base = defaults.get('background') ?? '';
  for (const [text, ground] of contrastPairs) {
    const contrast = contrastBetween(root, text, ground, base);
    if (contrast >= MIN_CONTRAST) continue;
    set(cssVariables[text], defaults.get(text));
    // The background is the merchant's page; a default for it would have no effect.
    if (ground !== 'background') set(cssVariables[ground], defaults.get(ground));
    else if (contrastBetween(root, text, ground, base) < MIN_CONTRAST) {
      set(cssVariables[text], '#fff');
      if (contrastBetween(root, text, ground, base) < MIN_CONTRAST) set(cssVariables[text], '#000');
    }
    warnings.push(
      `--pay-form-${text} on --pay-form-${ground} has a contrast of ${contrast.toFixed(2)} but needs ${MIN_CONTRAST} (WCAG 2.2, 1.4.3). The form uses its defaults.`,
    );
  }
  return warnings;
}

/** Contrast as displayed, with transparent colors blended; `base` is the lowest layer. */
function contrastBetween(root: HTMLElement, text: ThemeToken, ground: ThemeToken, base: string): number {
  const layersBelow = ground === 'background' ? [base] : [base, resolveColor(root, cssVariables.background)];
  const layers = [...layersBelow, resolveColor(root, cssVariables[ground])];
  return contrastOf(blend([...layers, resolveColor(root, cssVariables[text])]), blend(layers));
}

/** Computed value of a color variable. */
function resolveColor(root: HTMLElement, variable: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${variable})`;
  root.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

let canvas: CanvasRenderingContext2D | null = null;

/** Blends layered colors of any CSS notation into one opaque color. */
function blend(colors: readonly string[]): Rgb {
  canvas ??= document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  if (!canvas) return [0, 0, 0];
  for (const color of colors) {
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
  }
  const [red = 0, green = 0, blue = 0] = canvas.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

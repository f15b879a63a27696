import { type ThemeToken, themeTokens } from '../../../src/shared/frame/theme.ts';
import type { FrameConfiguration } from '../../../src/shared/frame/to-frame.ts';
import { contrastOf, type Rgb } from '../elements/contrast.ts';

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

/**
 * Text and what it stands on: WCAG 2.2, success criterion 1.4.3. Text on fields comes twice: what a
 * placeholder has changed of their ground is judged with what is typed on it.
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

/** Whether the reader has colours of their own stand in for all that pages have. */
export const FORCED_COLORS = '(forced-colors: active)';

/** The tokens that can be asked for, as the element is told. */
export const askedTokens = {
  color: [...themeTokens.color],
  columnGap: [...themeTokens.columnGap],
  fontFamily: [...themeTokens.fontFamily],
};

/**
 * Gives the page the merchant's look, and answers what of it could not be used, for the developer. A
 * pair of colours that cannot be read is not used: our own stands in for both.
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
    unusable.push(`--pay-form-${token} is no length (such as 8px or 0.5rem). The form uses its own.`);
  }
  // What our own colours have beside them goes with them.
  set('--accent-strong', tokens.accent && 'var(--accent)');
  if (!tokens.focus) set('--focus', tokens.accent && 'var(--accent)');
  set('--bad-soft', tokens.text || tokens['field-text'] || tokens['field-background'] ? 'var(--paper)' : undefined);
  // Colours that the reader has forced stand in for all of these, and are all that can be seen of them.
  if (matchMedia(FORCED_COLORS).matches) return unusable;
  const base = own.get('background') ?? '';
  for (const [text, ground] of textPairs) {
    const contrast = contrastIn(root, text, ground, base);
    if (contrast >= LEAST_CONTRAST) continue;
    set(variables[text], own.get(text));
    // What the form stands on is the merchant's page, whatever we would have there.
    if (ground !== 'background') set(variables[ground], own.get(ground));
    else if (contrastIn(root, text, ground, base) < LEAST_CONTRAST) {
      set(variables[text], '#fff');
      if (contrastIn(root, text, ground, base) < LEAST_CONTRAST) set(variables[text], '#000');
    }
    unusable.push(
      `--pay-form-${text} on --pay-form-${ground} has a contrast of ${contrast.toFixed(2)}; ${LEAST_CONTRAST} is needed (WCAG 2.2, 1.4.3). The form uses its own.`,
    );
  }
  return unusable;
}

/** As it is seen, what shines through included; `base` stands below everything. */
function contrastIn(root: HTMLElement, text: ThemeToken, ground: ThemeToken, base: string): number {
  const below = ground === 'background' ? [base] : [base, colourOf(root, variables.background)];
  const grounds = [...below, colourOf(root, variables[ground])];
  return contrastOf(drawn([...grounds, colourOf(root, variables[text])]), drawn(grounds));
}

/** What a variable comes to. */
function colourOf(root: HTMLElement, variable: string): string {
  const probe = document.createElement('i');
  probe.style.color = `var(${variable})`;
  root.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

let pen: CanvasRenderingContext2D | null = null;

/** What colours come to that are laid over each other, in whatever notation they are written. */
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

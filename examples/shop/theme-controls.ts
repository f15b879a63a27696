import type { ThemeToken } from '../../src/shared/frame/theme.ts';

interface TokenControl {
  label: string;
  /** Token whose value this one uses while it is not set. */
  follows?: ThemeToken;
}

interface ColorControl extends TokenControl {
  kind: 'color';
  /** Default value in each scheme. */
  light: string;
  dark: string;
}

interface SizeControl extends TokenControl {
  kind: 'size';
  default: number;
  min: number;
  max: number;
}

interface FontControl extends TokenControl {
  kind: 'font';
  choices: readonly { name: string; value: string }[];
}

const color = (label: string, light: string, dark: string): ColorControl => ({ kind: 'color', label, light, dark });
const size = (label: string, initial: number, min: number, max: number): SizeControl => ({
  kind: 'size',
  label,
  default: initial,
  min,
  max,
});

/** A control for each theme token. Without one for every token, this does not compile. */
export const themeControls: Readonly<Record<ThemeToken, ColorControl | SizeControl | FontControl>> = {
  accent: color('Button', '#1f5f4a', '#8fd3b8'),
  'accent-text': color('Button text', '#ffffff', '#08251b'),
  focus: { ...color('Focus ring', '#1f5f4a', '#8fd3b8'), follows: 'accent' },
  text: color('Text', '#1b1c1a', '#f0efe9'),
  'text-muted': color('Muted text', '#5d5f5a', '#a9aba3'),
  background: color('Background behind the form', '#f4f3ef', '#141513'),
  error: color('Errors', '#b3261e', '#ffb4ab'),
  'field-background': color('Field', '#ffffff', '#1d1f1c'),
  'field-text': { ...color('Field text', '#1b1c1a', '#f0efe9'), follows: 'text' },
  'field-border': color('Field border', '#85877f', '#767970'),
  placeholder: { ...color('Placeholder', '#5d5f5a', '#a9aba3'), follows: 'text-muted' },
  radius: size('Corners', 8, 0, 24),
  'button-radius': { ...size('Button corners', 8, 0, 40), follows: 'radius' },
  'border-width': size('Border width', 1, 1, 4),
  'field-height': size('Field height', 48, 40, 72),
  'button-height': size('Button height', 56, 44, 80),
  gap: size('Gap between fields', 16, 8, 32),
  'font-size': size('Text in fields', 16, 14, 22),
  'label-size': size('Labels', 14, 12, 20),
  'font-family': {
    kind: 'font',
    label: 'Font',
    choices: [
      { name: 'System', value: 'system-ui, sans-serif' },
      { name: 'Serif', value: 'Georgia, "Times New Roman", serif' },
      { name: 'Rounded', value: 'ui-rounded, "Arial Rounded MT Bold", sans-serif' },
      { name: 'Monospace', value: 'ui-monospace, Menlo, Consolas, monospace' },
    ],
  },
};

/** Text and background pairs, as the form checks them: below a contrast of 4.5 it uses its default colors. */
export const contrastPairs: readonly (readonly [text: ThemeToken, ground: ThemeToken])[] = [
  ['text', 'background'],
  ['text-muted', 'background'],
  ['error', 'background'],
  ['field-text', 'field-background'],
  ['placeholder', 'field-background'],
  ['accent-text', 'accent'],
];

export interface Preset {
  name: string;
  tokens: Partial<Record<ThemeToken, string>>;
}

/** Starting points for a theme. */
export const presets: readonly Preset[] = [
  {
    name: 'Ink',
    tokens: {
      accent: 'light-dark(#161616, #f4f4f4)',
      'accent-text': 'light-dark(#ffffff, #161616)',
      focus: 'light-dark(#0f62fe, #78a9ff)',
      'field-border': 'light-dark(#161616, #f4f4f4)',
      radius: '0px',
      'button-radius': '0px',
      'border-width': '2px',
      'font-family': 'Georgia, "Times New Roman", serif',
    },
  },
  {
    name: 'Round',
    tokens: {
      accent: 'light-dark(#6d28d9, #c4b5fd)',
      'accent-text': 'light-dark(#ffffff, #2e1065)',
      focus: 'light-dark(#6d28d9, #c4b5fd)',
      radius: '16px',
      'button-radius': '40px',
      'field-height': '56px',
      'button-height': '60px',
      gap: '20px',
    },
  },
  {
    name: 'Compact',
    tokens: {
      accent: 'light-dark(#0b57d0, #a8c7fa)',
      'accent-text': 'light-dark(#ffffff, #062e6f)',
      focus: 'light-dark(#0b57d0, #a8c7fa)',
      radius: '4px',
      'button-radius': '4px',
      'field-height': '40px',
      'button-height': '44px',
      gap: '10px',
      'label-size': '13px',
    },
  },
];

import type { ThemeToken } from '../src/shared/frame/theme.ts';

/** What markup can say of a `<pay-form>`; the words of `theme` and `redirect` are those that mean something. */
export interface PayFormAttributes {
  src?: string | undefined;
  locale?: string | undefined;
  theme?: 'light' | 'dark' | 'auto' | undefined;
  name?: string | undefined;
  redirect?: 'frame' | 'top' | undefined;
  disabled?: boolean | undefined;
}

/** Custom properties that the form takes its look from. Lengths have a unit: a custom property has no default one. */
export type PayFormTokens = { [Token in ThemeToken | 'height' as `--pay-form-${Token}`]?: string };

import type { ThemeToken } from '../src/shared/frame/theme.ts';

/** Attributes of `<pay-form>` in markup. `theme` and `redirect` list their meaningful values. */
export interface PayFormAttributes {
  src?: string | undefined;
  locale?: string | undefined;
  theme?: 'light' | 'dark' | 'auto' | undefined;
  name?: string | undefined;
  redirect?: 'frame' | 'top' | undefined;
  disabled?: boolean | undefined;
}

/** Custom properties that style the form. Lengths need a unit, because custom properties have no default one. */
export type PayFormTokens = { [Token in ThemeToken | 'height' as `--pay-form-${Token}`]?: string };

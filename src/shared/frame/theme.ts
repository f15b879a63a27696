/**
 * The form's look: custom properties of `<pay-form>`, `--pay-form-accent` and so on, by the CSS
 * property whose computed value resolves them on the merchant's page. The frame gets colours as CSS
 * colours and lengths in px, under the same names. Lengths are read as `column-gap`, whose computed
 * value is a length in px, whatever it was written in, and the word `normal` where it was none.
 */
export const themeTokens = {
  color: [
    'accent',
    'accent-text',
    'text',
    'text-muted',
    'background',
    'field-background',
    'field-text',
    'field-border',
    'placeholder',
    'error',
    'focus',
  ],
  columnGap: [
    'radius',
    'button-radius',
    'border-width',
    'field-height',
    'button-height',
    'gap',
    'font-size',
    'label-size',
  ],
  fontFamily: ['font-family'],
} as const;

export type ThemeToken = (typeof themeTokens)[keyof typeof themeTokens][number];

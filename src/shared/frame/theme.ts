/**
 * Theme tokens of the form: custom properties of `<pay-form>` such as `--pay-form-accent`, grouped by the CSS property
 * whose computed value resolves them on the merchant's page. The frame receives colors as CSS colors and lengths in
 * px, under the same names. Lengths are read through `column-gap`: its computed value is a length in px for every unit, or `normal` for an invalid length.
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

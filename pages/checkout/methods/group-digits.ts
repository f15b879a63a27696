const NO_BREAK_SPACE = '\u00a0';

/** Formats long numbers in groups of four, `0123 4567 8901`, so that they are easy to compare and read out. */
export function groupDigits(text: string): string {
  if (!/^\d{9,}$/.test(text)) return text;
  return text.replaceAll(/\d{4}(?=\d)/g, `$&${NO_BREAK_SPACE}`);
}

const NO_BREAK_SPACE = '\u00a0';

/** `0123 4567 8901`: long numbers in groups of four, so that they can be compared and read out. */
export function inGroups(text: string): string {
  if (!/^\d{9,}$/.test(text)) return text;
  return text.replaceAll(/\d{4}(?=\d)/g, `$&${NO_BREAK_SPACE}`);
}

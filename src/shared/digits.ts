/** Replaces decimal digits of any script with ASCII digits. The digits of a script are ten consecutive characters. */
export function asciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    // Some scripts have several sets of digits in a row.
    return String((code - zero) % 10);
  });
}

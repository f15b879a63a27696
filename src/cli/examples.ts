/** Formats the examples at the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return ['', lines.length > 1 ? 'Examples:' : 'Example:', ...lines.map((line) => `  ${line}`)].join('\n');
}

import english from '../pages/locales/en.json' with { type: 'json' };
import sandbox from '../pages/locales/sandbox.json' with { type: 'json' };

/** Texts of the pages, from the pages' own sources. */
export const texts = { ...english, ...sandbox };

/** Matches any of these texts as a whole; placeholders match any value. */
export function matchAny(...texts: string[]): RegExp {
  return new RegExp(`^(?:${texts.map(pattern).join('|')})$`);
}

function pattern(text: string): string {
  return text
    .split(/\{\{\w+\}\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.+');
}

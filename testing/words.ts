import english from '../pages/locales/en.json' with { type: 'json' };
import sandbox from '../pages/locales/sandbox.json' with { type: 'json' };

/** What stands on the pages, from where they have it themselves. */
export const words = { ...english, ...sandbox };

/** Matches one of these texts as a whole, whatever stands in its gaps. */
export function anyOf(...texts: string[]): RegExp {
  return new RegExp(`^(?:${texts.map(pattern).join('|')})$`);
}

function pattern(text: string): string {
  return text
    .split(/\{\{\w+\}\}/)
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.+');
}

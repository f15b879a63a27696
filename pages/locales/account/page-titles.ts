import type { Texts } from '../languages.ts';

/** Moves the page titles, which each area has under `pages`, into the shell, whose navigation shows all of them. */
export function withPageTitles(areas: Readonly<Record<string, Texts>>): Texts {
  const titles: Record<string, Texts[string]> = {};
  const texts = Object.entries(areas).map(([area, { pages, ...rest }]) => {
    if (typeof pages === 'object') Object.assign(titles, pages);
    return [area, rest] as const;
  });
  const { shell, ...others }: Readonly<Record<string, Texts>> = Object.fromEntries(texts);
  return { ...others, shell: { ...shell, pages: titles } };
}

import { queryAll } from './query-all.ts';

const KEY = 'reference-language';

/** Keeps the chosen language of the examples for the next page. */
export function rememberLanguage(): void {
  const choices = queryAll<HTMLInputElement>('input[name="language"]');
  try {
    const remembered = choices.find(({ value }) => value === localStorage.getItem(KEY));
    if (remembered) remembered.checked = true;
    for (const choice of choices) {
      choice.addEventListener('change', () => localStorage.setItem(KEY, choice.value));
    }
  } catch {
    // Without storage the choice lasts for this page.
  }
}

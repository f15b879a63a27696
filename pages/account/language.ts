const KEY = 'paylatch-account-language';

/** The language that was chosen here before; null where none was, or none is kept. */
export function chosenLanguage(languages: readonly string[]): string | null {
  try {
    const tag = localStorage.getItem(KEY);
    return tag !== null && languages.includes(tag) ? tag : null;
  } catch {
    return null;
  }
}

export function rememberLanguage(tag: string): void {
  try {
    localStorage.setItem(KEY, tag);
  } catch {
    // It holds for this page, then.
  }
}

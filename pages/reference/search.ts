import type { SearchEntry } from './search-entry.ts';

const MAX_RESULTS = 40;

/** Searches all pages of the reference. `closeContents` closes the table of contents where it covers the page. */
export function startSearch(closeContents: () => void): void {
  const field = document.querySelector<HTMLInputElement>('#find');
  const found = document.querySelector<HTMLElement>('#found');
  const results = document.querySelector<HTMLElement>('.results');
  const pages = document.querySelector<HTMLElement>('.pages');
  if (!field || !found || !results || !pages) return;

  let entries: Promise<SearchEntry[]> | undefined;
  const load = () => (entries ??= fetchEntries());

  async function search(): Promise<void> {
    if (!field || !found || !results || !pages) return;
    const text = field.value;
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) {
      pages.hidden = false;
      found.textContent = '';
      results.replaceChildren();
      return;
    }
    const all = await load().catch(() => null);
    // The search text may have changed in the meantime.
    if (field.value !== text) return;
    // The table of contents stays visible until the entries are loaded, and if they cannot be loaded.
    pages.hidden = all !== null;
    if (!all) {
      entries = undefined;
      results.replaceChildren();
      found.textContent = 'Search is not available. Check your connection and try again.';
      return;
    }
    const matches = findMatches(all, words);
    found.textContent =
      matches.length === 0 ? 'No matches. Try fewer words.' : `${matches.length} of ${all.length} found`;
    results.replaceChildren(...matches.slice(0, MAX_RESULTS).map(resultItem));
  }

  function close(): void {
    if (!field) return;
    field.value = '';
    void search();
    closeContents();
  }

  field.parentElement?.removeAttribute('hidden');
  field.addEventListener('focus', () => void load().catch(() => (entries = undefined)));
  field.addEventListener('input', () => void search());
  field.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') void search().then(() => results.querySelector('a')?.click());
    if (event.key === 'Escape') close();
  });
  results.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a')) close();
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.matches('input:not([type=radio]), textarea');
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    field.focus();
  });
  // Browsers may keep the search text after a reload.
  void search();
}

async function fetchEntries(): Promise<SearchEntry[]> {
  const response = await fetch('/reference/search.json');
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return (await response.json()) as SearchEntry[];
}

/** Entries that contain all words; those with a word in their title or note come first. */
function findMatches(entries: readonly SearchEntry[], words: readonly string[]): SearchEntry[] {
  const heading = ({ title, note }: SearchEntry) => `${title} ${note}`.toLowerCase();
  const count = (entry: SearchEntry) => words.filter((word) => heading(entry).includes(word)).length;
  return entries
    .filter((entry) => words.every((word) => heading(entry).includes(word) || entry.text.includes(word)))
    .sort((a, b) => count(b) - count(a));
}

function resultItem({ href, title, note }: SearchEntry): HTMLElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = href;
  const name = document.createElement('span');
  name.textContent = title;
  const details = document.createElement('code');
  details.textContent = note;
  link.append(name, details);
  item.append(link);
  return item;
}

import { queryAll } from './query-all.ts';

/**
 * Filters the page and its contents to the sections that contain all words of the search. `links` maps hashes to
 * links of the contents. `closeContents` closes the contents where they cover the page.
 */
export function startSearch(links: ReadonlyMap<string, HTMLAnchorElement>, closeContents: () => void): void {
  const searchField = document.querySelector<HTMLInputElement>('#find');
  const matchCount = document.querySelector<HTMLElement>('#found');
  const noMatches = document.querySelector<HTMLElement>('.nothing');
  const sections = queryAll<HTMLElement>('[data-finds]').map((section) => ({
    section,
    text: (section.textContent ?? '').toLowerCase(),
  }));
  if (!searchField) return;

  function filter(searchText: string): void {
    const words = searchText.toLowerCase().split(/\s+/).filter(Boolean);
    let count = 0;
    for (const { section, text } of sections) {
      section.hidden = !words.every((word) => text.includes(word));
      if (!section.hidden) count += 1;
      const item = links.get(`#${section.id}`)?.parentElement;
      if (item) item.hidden = section.hidden;
    }
    const isSearching = words.length > 0;
    document.documentElement.classList.toggle('is-searching', isSearching);
    for (const group of queryAll<HTMLElement>('.group')) {
      const isEmpty = queryAll<HTMLElement>('[data-finds]', group).every(({ hidden }) => hidden);
      group.hidden = isEmpty;
      const item = links.get(`#${group.id}`)?.parentElement;
      if (item) item.hidden = isEmpty;
    }
    if (matchCount) matchCount.textContent = isSearching ? `${count} of ${sections.length} found` : '';
    if (noMatches) noMatches.hidden = count > 0;
  }

  /** A hash always shows its section, even if the search has hidden it. */
  function reveal(): void {
    const target = document.querySelector(':target');
    if (!searchField || !target?.closest('[hidden]')) return;
    searchField.value = '';
    filter('');
    target.scrollIntoView();
  }

  searchField.parentElement?.removeAttribute('hidden');
  searchField.addEventListener('input', () => filter(searchField.value));
  searchField.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') closeContents();
  });
  addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    searchField.focus();
  });
  addEventListener('hashchange', reveal);
  // Browsers may keep the search text after a reload.
  filter(searchField.value);
  reveal();
}

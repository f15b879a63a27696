/*
 * Script of the API reference: search, copy buttons, and the current section in the table of contents. The page is
 * complete without it.
 */
import { queryAll } from './query-all.ts';
import { startSearch } from './search.ts';

const contents = document.querySelector<HTMLElement>('#contents');
const links = new Map(
  queryAll<HTMLAnchorElement>('a[href^="#"]', contents ?? document).map((link) => [link.hash, link]),
);

/** On wide screens, and in browsers without popovers, the contents are always visible. */
function closeContents(): void {
  if ('popover' in HTMLElement.prototype) contents?.togglePopover(false);
}

startSearch(links, closeContents);

contents?.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('a')) closeContents();
});

for (const block of queryAll<HTMLElement>('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${block.querySelector('figcaption')?.textContent ?? ''}`);
  const showResult = (word: string) => {
    button.textContent = word;
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  };
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(block.querySelector('pre')?.textContent ?? '').then(
      () => showResult('Copied'),
      () => showResult('Copying failed'),
    );
  });
  block.querySelector('figcaption')?.append(button);
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const link = links.get(`#${target.id}`);
      if (isIntersecting) link?.setAttribute('aria-current', 'true');
      else link?.removeAttribute('aria-current');
    }
  },
  // The section that crosses a line one third from the top is the current one.
  { rootMargin: '-33% 0px -67% 0px' },
);
for (const section of queryAll('.start, .operation, .webhook, #problems')) observer.observe(section);

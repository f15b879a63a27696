/*
 * Script of the API reference: search, copy buttons, the language of the examples, requests to the sandbox, and the
 * current section in the table of contents. The pages are complete without it.
 */
import { queryAll } from './query-all.ts';
import { startSearch } from './search.ts';
import { addTryItButtons } from './try-it.ts';

/** Storage key of the chosen language of the examples. */
const LANGUAGE_KEY = 'reference-language';

const contents = document.querySelector<HTMLElement>('#contents');

/** On wide screens, and in browsers without popovers, the table of contents is always visible. */
function closeContents(): void {
  if ('popover' in HTMLElement.prototype) contents?.togglePopover(false);
}

/** The reference used to be a single page: redirects its anchors to the pages that contain them now. */
function openPageOfAnchor(): void {
  const { hash, pathname } = location;
  if (pathname !== '/reference' || hash === '' || document.getElementById(hash.slice(1))) return;
  const page = `/reference/${hash.slice(1)}`;
  const link = queryAll<HTMLAnchorElement>('.page a').find((each) => each.hash === hash || each.pathname === page);
  const [, list] = /^#(problem|webhook)-/.exec(hash) ?? [];
  if (link) location.replace(link.href);
  else if (list !== undefined) location.replace(`/reference/${list}s${hash}`);
}

/** Keeps the chosen language of the examples for the next page. */
function rememberLanguage(): void {
  const choices = queryAll<HTMLInputElement>('input[name="language"]');
  try {
    const remembered = choices.find(({ value }) => value === localStorage.getItem(LANGUAGE_KEY));
    if (remembered) remembered.checked = true;
    for (const choice of choices) {
      choice.addEventListener('change', () => localStorage.setItem(LANGUAGE_KEY, choice.value));
    }
  } catch {
    // Without storage the choice lasts for this page.
  }
}

openPageOfAnchor();
addEventListener('hashchange', openPageOfAnchor);
startSearch(closeContents);
rememberLanguage();

contents?.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('a')) closeContents();
});

/** Adds a button that copies what `read` returns. */
function addCopyButton(parent: Element | null, name: string, read: () => string): void {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy: ${name}`);
  const showResult = (word: string) => {
    button.textContent = word;
    setTimeout(() => (button.textContent = 'Copy'), 2000);
  };
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(read()).then(
      () => showResult('Copied'),
      () => showResult('Copy failed'),
    );
  });
  parent?.append(button);
}

for (const block of queryAll<HTMLElement>('.code')) {
  const caption = block.querySelector('figcaption');
  addCopyButton(caption, caption?.textContent ?? '', () => {
    const shown = queryAll('pre', block).find((each) => each.clientHeight);
    return shown?.textContent ?? '';
  });
}

for (const { parentElement, textContent } of queryAll('.endpoint > code'))
  addCopyButton(parentElement, parentElement?.textContent ?? '', () => textContent);

addTryItButtons();

const links = new Map(queryAll<HTMLAnchorElement>('.pages ul a').map((link) => [link.hash, link]));
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
for (const section of queryAll('.operation, .webhook')) observer.observe(section);

/*
 * Functions that run inside the page, sent there as text: they stand alone, without imports.
 */

export type Role = 'field' | 'button' | 'link' | 'heading' | 'any';

/** The visible elements with that role and a name that matches, by what a screen reader would call them. */
export function named(role: Role, pattern: string): HTMLElement[] {
  const selectors: Record<Role, string> = {
    field: 'input:not([type=hidden]), select, textarea',
    button: 'button, [role=button]',
    link: 'a[href]',
    heading: 'h1, h2, h3',
    any: 'input, select, textarea, button, a[href], iframe',
  };
  const nameOf = (element: HTMLElement) => {
    const labels = 'labels' in element ? [...((element.labels as NodeListOf<HTMLElement> | null) ?? [])] : [];
    const text = labels.length > 0 ? labels.map((label) => label.textContent).join(' ') : element.textContent;
    return (element.getAttribute('aria-label') ?? text ?? '').replace(/\s+/g, ' ').trim();
  };
  const isMeant = new RegExp(pattern);
  return [...document.querySelectorAll<HTMLElement>(selectors[role])].filter(
    (element) => element.checkVisibility() && isMeant.test(nameOf(element)),
  );
}

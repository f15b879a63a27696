import type { LightElement } from './light-element.ts';

const DURATION_MS = 180;

/** Fades in content that has replaced other content, once it is rendered. It moves nothing else. */
export async function fadeIn(page: LightElement, selector: string) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  await page.updateComplete;
  const element = page.querySelector(selector);
  element?.animate([{ opacity: 0, translate: '0 6px' }, {}], { duration: DURATION_MS, easing: 'ease-out' });
}

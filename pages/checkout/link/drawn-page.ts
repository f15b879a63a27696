import { takeDrawn } from './handover.ts';

const drawn = document.querySelector('link-page');

/**
 * What had been typed into the server's drawing, which is out of the document from here on. A module
 * of its own, imported first, because modules run in the order of their imports and the elements are
 * defined while theirs run.
 */
export const typedSoFar = drawn && takeDrawn(drawn);

import { takeDrawn } from './handover.ts';

const drawn = document.querySelector('link-page');

/**
 * Buyer input from the server-rendered page, which this removes from the document. It is a separate module and
 * imported first: modules run in import order, and the elements are defined when theirs run.
 */
export const typedSoFar = drawn && takeDrawn(drawn);

import { removePage } from './saved-input.ts';

const serverRendered = document.querySelector('link-page');

/**
 * Buyer input from the server-rendered page, which this removes from the document. It is a separate module and
 * imported first: modules run in import order, and the elements are defined when theirs run.
 */
export const savedInput = serverRendered && removePage(serverRendered);

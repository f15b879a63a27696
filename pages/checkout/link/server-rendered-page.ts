import { removePage } from './saved-input.ts';

const serverRendered = document.querySelector('link-page');

/**
 * Buyer input from the server-rendered page, which this module removes from the document. It is imported first: modules
 * run in import order, and this one must run before the modules that define the elements.
 */
export const savedInput = serverRendered && removePage(serverRendered);

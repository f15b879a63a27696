import './web-awesome.ts';
import '@awesome.me/webawesome/dist/components/dropdown/dropdown.js';
import '@awesome.me/webawesome/dist/components/dropdown-item/dropdown-item.js';

/*
 * Components of the user menu, in a separate chunk. Public pages and phones do not show the menu, which is as large as
 * the rest of the shell.
 */

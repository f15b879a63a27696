// An entry of its own: an import() of the shared file would add code for a namespace object to every page.
export { methods } from './methods.ts';

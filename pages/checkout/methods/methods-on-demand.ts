// A separate entry: an import() of the shared file would add code for a namespace object to every page.
export { methods } from './methods.ts';

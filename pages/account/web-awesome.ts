import { registerIconLibrary } from '@awesome.me/webawesome/dist/components/icon/library.js';
import { registerTranslation, type Translation } from '@awesome.me/webawesome/dist/utilities/localize.js';
import type { I18n } from '../checkout/elements/i18n.ts';
import { iconUrl } from './icons.ts';

/*
 * Imported before any component of Web Awesome. Replaces the components' icons with our icon sprite. By default they
 * fetch icons from another host and parse them as HTML, which the page's policy forbids.
 */

/** Names in our icon sprite, by the components' icon names. */
const iconNames: Readonly<Record<string, string>> = {
  xmark: 'x',
  'circle-xmark': 'circle-x',
  'eye-slash': 'eye-off',
  'circle-question': 'circle-help',
  'magnifying-glass': 'search',
  gear: 'settings',
  user: 'user-round',
};

const resolver = (name: string) => iconUrl(iconNames[name] ?? name);
/** An SVG without `viewBox` is 300 pixels wide. */
const mutator = (svg: SVGElement) => svg.setAttribute('viewBox', '0 0 24 24');
for (const library of ['default', 'system']) registerIconLibrary(library, { resolver, spriteSheet: true, mutator });

/** Translates the components' own text, such as the label of a busy button. */
export function translateComponents(i18n: I18n): void {
  const { locale } = i18n;
  const translation = { $code: locale, $name: locale, $dir: 'ltr', loading: i18n.text('account.shell.loading') };
  registerTranslation(translation as Translation);
}

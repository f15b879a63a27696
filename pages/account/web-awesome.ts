import { registerIconLibrary } from '@awesome.me/webawesome/dist/components/icon/library.js';
import { registerTranslation, type Translation } from '@awesome.me/webawesome/dist/utilities/localize.js';
import type { I18n } from '../checkout/elements/i18n.ts';
import { iconUrl } from './icons.ts';

/*
 * Imported before any component of Web Awesome. All icons come out of our own sheet, also those of the
 * components: left alone they fetch pictures from elsewhere and read them as HTML, which the page's policy
 * forbids.
 */

/** Names of icons in our sheet, by the names that the components use. */
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
/** Without a size of its own an SVG is 300 pixels wide. */
const mutator = (svg: SVGElement) => svg.setAttribute('viewBox', '0 0 24 24');
for (const library of ['default', 'system']) registerIconLibrary(library, { resolver, spriteSheet: true, mutator });

/** Translates the components' own texts, such as that of a busy button. */
export function translateComponents(i18n: I18n): void {
  const { locale } = i18n;
  const translation = { $code: locale, $name: locale, $dir: 'ltr', loading: i18n.text('account.shell.loading') };
  registerTranslation(translation as Translation);
}

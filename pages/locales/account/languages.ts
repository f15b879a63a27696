import type { Texts } from '../languages.ts';
import en from './en.ts';
import es from './es.ts';
import id from './id.ts';
import pt from './pt.ts';
import th from './th.ts';
import vi from './vi.ts';

/** What the account area says, by the BCP 47 tags of the languages that it speaks; each is one of those that buyers' pages speak. */
export const accountLanguages: Readonly<Record<string, Texts>> = { en, es, id, pt, th, vi };

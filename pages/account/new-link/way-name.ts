import { methodName } from '../../elements/method-name.ts';
import type { Wording } from '../../elements/text.ts';

/** A way to pay for people; what goes by one name in every language is not in the texts. */
export function wayName(code: string, words: Wording): string {
  return methodName({ code, brand: code === 'on_ramp_ideal' ? 'iDEAL' : null }, words);
}

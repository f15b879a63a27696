import ar from './ar.json' with { type: 'json' };
import bg from './bg.json' with { type: 'json' };
import bn from './bn.json' with { type: 'json' };
import ca from './ca.json' with { type: 'json' };
import cs from './cs.json' with { type: 'json' };
import da from './da.json' with { type: 'json' };
import de from './de.json' with { type: 'json' };
import el from './el.json' with { type: 'json' };
import en from './en.json' with { type: 'json' };
import es from './es.json' with { type: 'json' };
import et from './et.json' with { type: 'json' };
import fa from './fa.json' with { type: 'json' };
import fi from './fi.json' with { type: 'json' };
import fil from './fil.json' with { type: 'json' };
import fr from './fr.json' with { type: 'json' };
import gu from './gu.json' with { type: 'json' };
import ha from './ha.json' with { type: 'json' };
import he from './he.json' with { type: 'json' };
import hi from './hi.json' with { type: 'json' };
import hr from './hr.json' with { type: 'json' };
import hu from './hu.json' with { type: 'json' };
import id from './id.json' with { type: 'json' };
import ig from './ig.json' with { type: 'json' };
import it from './it.json' with { type: 'json' };
import ja from './ja.json' with { type: 'json' };
import kn from './kn.json' with { type: 'json' };
import ko from './ko.json' with { type: 'json' };
import lt from './lt.json' with { type: 'json' };
import lv from './lv.json' with { type: 'json' };
import ml from './ml.json' with { type: 'json' };
import mr from './mr.json' with { type: 'json' };
import ms from './ms.json' with { type: 'json' };
import nb from './nb.json' with { type: 'json' };
import nl from './nl.json' with { type: 'json' };
import pa from './pa.json' with { type: 'json' };
import pl from './pl.json' with { type: 'json' };
import pt from './pt.json' with { type: 'json' };
import ro from './ro.json' with { type: 'json' };
import ru from './ru.json' with { type: 'json' };
import sk from './sk.json' with { type: 'json' };
import sl from './sl.json' with { type: 'json' };
import sr from './sr.json' with { type: 'json' };
import sv from './sv.json' with { type: 'json' };
import sw from './sw.json' with { type: 'json' };
import ta from './ta.json' with { type: 'json' };
import te from './te.json' with { type: 'json' };
import th from './th.json' with { type: 'json' };
import tr from './tr.json' with { type: 'json' };
import uk from './uk.json' with { type: 'json' };
import ur from './ur.json' with { type: 'json' };
import vi from './vi.json' with { type: 'json' };
import yo from './yo.json' with { type: 'json' };
import zhHans from './zh-Hans.json' with { type: 'json' };
import zhHant from './zh-Hant.json' with { type: 'json' };

/** The texts of a language by key; a key can hold a group of texts. */
export interface Texts {
  readonly [key: string]: string | Texts;
}

/** All languages with texts, by BCP 47 tag. A new language needs a file in this folder and a line here. */
export const languages: Readonly<Record<string, Texts>> = {
  ar,
  bg,
  bn,
  ca,
  cs,
  da,
  de,
  el,
  en,
  es,
  et,
  fa,
  fi,
  fil,
  fr,
  gu,
  ha,
  he,
  hi,
  hr,
  hu,
  id,
  ig,
  it,
  ja,
  kn,
  ko,
  lt,
  lv,
  ml,
  mr,
  ms,
  nb,
  nl,
  pa,
  pl,
  pt,
  ro,
  ru,
  sk,
  sl,
  sr,
  sv,
  sw,
  ta,
  te,
  th,
  tr,
  uk,
  ur,
  vi,
  yo,
  'zh-Hans': zhHans,
  'zh-Hant': zhHant,
};

/** Tags that browsers send for languages listed under another tag. */
const otherTags: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb', bs: 'hr' };

/** Returns the tag of the supported language for `locale`, in the same script; null if there is none. */
export function languageFor(locale: string): string | null {
  const { language, script } = new Intl.Locale(locale).maximize();
  const tag = otherTags[language] ?? language;
  const supported = [`${tag}-${script ?? ''}`, tag].find((candidate) => Object.hasOwn(languages, candidate));
  return supported !== undefined && new Intl.Locale(supported).maximize().script === script ? supported : null;
}

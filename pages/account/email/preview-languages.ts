/** Languages of emails to payers, as in `pages/locales/`, without their texts (a test compares them). */
export const payerLanguages: readonly string[] =
  'ar bg bn ca cs da de el en es et fa fi fil fr gu ha he hi hr hu id ig it ja kn ko lt lv ml mr ms nb nl pa pl pt ro ru sk sl sr sv sw ta te th tr uk ur vi yo zh-Hans zh-Hant'.split(
    ' ',
  );
/** Languages of emails to members, as in `pages/locales/account/`. */
export const memberLanguages: readonly string[] = 'ar de en es fr hi id ja pt th vi zh-Hans'.split(' ');

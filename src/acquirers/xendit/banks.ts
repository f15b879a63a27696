import type { MethodChoice } from '../../api/instructions.ts';

/** Banks that offer online banking, by country, the most used first. Their codes are Xendit's channels. */
export const onlineBanks: Readonly<Record<'MYS' | 'PHL' | 'THA', readonly MethodChoice[]>> = {
  MYS: banks('_FPX', {
    MAYB2U: '*Maybank2U',
    CIMB: '*CIMB Clicks',
    PUBLIC: '*Public Bank',
    RHB: '*RHB Now',
    HLB: 'Hong Leong Connect',
    AFFIN: 'Affin Bank',
    AGRO: 'AGRONet',
    ALLIANCE: 'Alliance Bank',
    AMBANK: 'AmOnline',
    BOC: 'Bank of China',
    BSN: 'BSN',
    HSBC: 'HSBC',
    ISLAM: 'Bank Islam',
    KFH: 'KFH',
    MAYB2E: 'Maybank2E',
    MUAMALAT: 'Bank Muamalat',
    OCBC: 'OCBC Bank',
    RAKYAT: 'Bank Rakyat',
    SCH: 'Standard Chartered',
    UOB: 'UOB',
  }),
  PHL: banks('_ONLINE_BANKING', {
    BDO: '*BDO',
    BPI: '*BPI',
    METROBANK: '*Metrobank',
    UNIONBANK: '*UnionBank',
    BOC: 'Bank of Commerce',
    CHINABANK: 'China Bank',
    INSTAPAY: 'InstaPay',
    LANDBANK: 'LandBank',
    MAYBANK: 'Maybank',
    PESONET: 'PESONet',
    PNB: 'PNB',
    PSBANK: 'PSBank',
    RCBC: 'RCBC',
    ROBINSONS_BANK: 'Robinsons Bank',
    SECURITY_BANK: 'Security Bank',
  }),
  THA: banks('_MOBILE_BANKING', {
    KBANK: '*KASIKORNBANK',
    SCB: '*SCB',
    BBL: '*Bangkok Bank',
    KTB: '*Krungthai Bank',
    KRUNGSRI: 'Krungsri',
  }),
};

/** A star marks a popular bank. */
function banks(suffix: string, names: Readonly<Record<string, string>>): MethodChoice[] {
  return Object.entries(names).map(([code, name]) => ({
    code: code + suffix,
    name: name.replace('*', ''),
    isPopular: name.startsWith('*'),
  }));
}

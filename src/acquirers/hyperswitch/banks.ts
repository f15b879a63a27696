import type { MethodChoice } from '../../api/instructions.ts';

/** FPX consumer banks in Malaysia, from Hyperswitch's schema `BankNames`, most used first. */
export const fpxBanks: readonly MethodChoice[] = [
  popular('maybank', 'Maybank2U'),
  popular('cimb_bank', 'CIMB Clicks'),
  popular('public_bank', 'Public Bank'),
  popular('rhb_bank', 'RHB Now'),
  bank('affin_bank', 'Affin Bank'),
  bank('agro_bank', 'AGRONet'),
  bank('alliance_bank', 'Alliance Bank'),
  bank('am_bank', 'AmOnline'),
  bank('bank_islam', 'Bank Islam'),
  bank('bank_muamalat', 'Bank Muamalat'),
  bank('bank_rakyat', 'Bank Rakyat'),
  bank('bank_simpanan_nasional', 'BSN'),
  bank('hong_leong_bank', 'Hong Leong Connect'),
  bank('hsbc_bank', 'HSBC'),
  bank('kuwait_finance_house', 'KFH'),
  bank('ocbc_bank', 'OCBC'),
  bank('standard_chartered_bank', 'Standard Chartered'),
  bank('uob_bank', 'UOB'),
];

/** Banks for online banking in Thailand. */
export const thaiBanks: readonly MethodChoice[] = [
  popular('kasikorn_bank', 'KASIKORNBANK'),
  popular('the_siam_commercial_bank', 'SCB'),
  popular('bangkok_bank', 'Bangkok Bank'),
  popular('krung_thai_bank', 'Krungthai Bank'),
  bank('krungsri_bank', 'Krungsri'),
];

function popular(code: string, name: string): MethodChoice {
  return { code, name, isPopular: true };
}

function bank(code: string, name: string): MethodChoice {
  return { code, name, isPopular: false };
}

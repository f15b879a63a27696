/** Banks that issue virtual accounts in Indonesia, with Hyperswitch's names and the bank's code at Bank Indonesia. */
export const accountBanks = {
  permata: { type: 'permata_bank_transfer', data: 'permata_bank_transfer', name: 'Bank Permata', code: '013' },
  bca: { type: 'bca_bank_transfer', data: 'bca_bank_transfer', name: 'BCA', code: '014' },
  bni: { type: 'bni_va', data: 'bni_va_bank_transfer', name: 'BNI', code: '009' },
  bri: { type: 'bri_va', data: 'bri_va_bank_transfer', name: 'BRI', code: '002' },
  cimb: { type: 'cimb_va', data: 'cimb_va_bank_transfer', name: 'CIMB Niaga', code: '022' },
  danamon: { type: 'danamon_va', data: 'danamon_va_bank_transfer', name: 'Bank Danamon', code: '011' },
  mandiri: { type: 'mandiri_va', data: 'mandiri_va_bank_transfer', name: 'Bank Mandiri', code: '008' },
} as const;
export type AccountBank = keyof typeof accountBanks;

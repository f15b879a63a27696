/** Banks that issue virtual accounts in Indonesia through Doku, with Adyen's payment method type. */
export const accountBanks = {
  permata: { type: 'doku_permata_lite_atm', name: 'Bank Permata' },
  bca: { type: 'doku_bca_va', name: 'BCA' },
  bni: { type: 'doku_bni_va', name: 'BNI' },
  bri: { type: 'doku_bri_va', name: 'BRI' },
  cimb: { type: 'doku_cimb_va', name: 'CIMB Niaga' },
  danamon: { type: 'doku_danamon_va', name: 'Bank Danamon' },
  mandiri: { type: 'doku_mandiri_va', name: 'Bank Mandiri' },
} as const;

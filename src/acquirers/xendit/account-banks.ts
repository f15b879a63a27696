/** Banks that issue virtual accounts, by country, with their names. Xendit's channel is `CODE_VIRTUAL_ACCOUNT`. */
export const accountBanks = {
  IDN: {
    permata: 'Bank Permata',
    bca: 'BCA',
    bjb: 'Bank BJB',
    bnc: 'Bank Neo Commerce',
    bni: 'BNI',
    bri: 'BRI',
    bsi: 'BSI',
    bss: 'Bank Sahabat Sampoerna',
    cimb: 'CIMB Niaga',
    hana: 'Bank Hana',
    mandiri: 'Bank Mandiri',
    muamalat: 'Bank Muamalat',
  },
  VNM: {
    vietcapital: 'BVBank (Viet Capital)',
    bidv: 'BIDV',
    msb: 'MSB',
    pv: 'PVcomBank',
    vpb: 'VPBank',
    woori: 'Woori Bank',
  },
} as const;
export type IndonesianBank = keyof (typeof accountBanks)['IDN'];
export type VietnameseBank = keyof (typeof accountBanks)['VNM'];

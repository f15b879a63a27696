import type { MethodChoice } from '../../api/instructions.ts';

/** Well-known banks of each country (alpha-3), most used first. */
const banks: Readonly<Record<string, readonly string[]>> = {
  ARG: ['Banco Nación', 'Banco Galicia', 'Santander', 'BBVA', 'Banco Macro', 'Banco Provincia', 'Brubank', 'ICBC'],
  AUS: [
    'CommBank',
    'Westpac',
    'ANZ',
    'NAB',
    'ING',
    'Macquarie',
    'Bendigo Bank',
    'Bankwest',
    'St.George',
    'Suncorp Bank',
  ],
  BGD: ['Dutch-Bangla Bank', 'BRAC Bank', 'Islami Bank', 'City Bank', 'Sonali Bank', 'Eastern Bank', 'Prime Bank'],
  BRA: [
    'Nubank',
    'Itaú',
    'Bradesco',
    'Caixa',
    'Banco do Brasil',
    'Santander',
    'Inter',
    'C6 Bank',
    'Sicredi',
    'Banrisul',
  ],
  IDN: ['BCA', 'Bank Mandiri', 'BRI', 'BNI', 'CIMB Niaga', 'Permata Bank', 'Danamon', 'BSI', 'BTN', 'OCBC'],
  IND: [
    'State Bank of India',
    'HDFC Bank',
    'ICICI Bank',
    'Axis Bank',
    'Kotak Mahindra Bank',
    'Punjab National Bank',
    'Bank of Baroda',
    'Canara Bank',
    'Union Bank of India',
    'IndusInd Bank',
    'Yes Bank',
    'IDFC First Bank',
  ],
  MEX: ['BBVA México', 'Banamex', 'Santander', 'Banorte', 'HSBC', 'Scotiabank', 'Banco Azteca', 'Inbursa'],
  MYS: ['Maybank', 'CIMB', 'Public Bank', 'RHB', 'Hong Leong Bank', 'AmBank', 'Bank Islam', 'BSN', 'UOB', 'Affin Bank'],
  NZL: ['ANZ', 'ASB', 'BNZ', 'Westpac', 'Kiwibank', 'TSB', 'The Co-operative Bank', 'SBS Bank'],
  PHL: ['BDO', 'BPI', 'Metrobank', 'UnionBank', 'LandBank', 'PNB', 'RCBC', 'Security Bank', 'China Bank'],
  THA: ['Kasikornbank', 'SCB', 'Bangkok Bank', 'Krungthai', 'Krungsri', 'ttb', 'Government Savings Bank', 'UOB'],
  VNM: [
    'Vietcombank',
    'Techcombank',
    'MB Bank',
    'VietinBank',
    'BIDV',
    'ACB',
    'VPBank',
    'TPBank',
    'Sacombank',
    'Agribank',
  ],
};

const POPULAR_COUNT = 4;

/** Lists the banks of a country (alpha-3). */
export function listBankChoices(country: string): MethodChoice[] {
  return (banks[country] ?? []).map((name, index) => ({ code: toSlug(name), name, isPopular: index < POPULAR_COUNT }));
}

function toSlug(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .toLowerCase()
    .replaceAll(/[ -]+/g, '_');
}

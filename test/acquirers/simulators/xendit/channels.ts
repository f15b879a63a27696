/** A channel of Xendit's list of payment channels, of those that Paylatch can use. */
export interface Channel {
  code: string;
  country: string;
  currency: string;
  action: 'card' | 'redirect' | 'qr' | 'account';
  refunds: 'none' | 'full' | 'partial';
  category: 'CARDS' | 'EWALLET' | 'QR_CODE' | 'VIRTUAL_ACCOUNT' | 'BANK';
}

type Row = [
  country: string,
  currency: string,
  action: Channel['action'],
  Channel['category'],
  Channel['refunds'],
  string,
];

const rows: readonly Row[] = [
  ['ID', 'IDR', 'card', 'CARDS', 'partial', 'CARDS'],
  ['MY', 'MYR', 'card', 'CARDS', 'partial', 'CARDS'],
  ['PH', 'PHP', 'card', 'CARDS', 'partial', 'CARDS'],
  ['TH', 'THB', 'card', 'CARDS', 'partial', 'CARDS'],
  ['VN', 'VND', 'card', 'CARDS', 'partial', 'CARDS'],
  ['TH', 'THB', 'qr', 'QR_CODE', 'none', 'PROMPTPAY'],
  ['ID', 'IDR', 'qr', 'QR_CODE', 'full', 'QRIS'],
  ['PH', 'PHP', 'qr', 'QR_CODE', 'none', 'QRPH'],
  ['TH', 'THB', 'redirect', 'EWALLET', 'none', 'TRUEMONEY'],
  ['PH', 'PHP', 'redirect', 'EWALLET', 'partial', 'GCASH PAYMAYA GRABPAY SHOPEEPAY'],
  ['VN', 'VND', 'redirect', 'EWALLET', 'partial', 'MOMO ZALOPAY'],
  ['ID', 'IDR', 'account', 'VIRTUAL_ACCOUNT', 'none', 'BCA BJB BNC BNI BRI BSI BSS CIMB HANA MANDIRI MUAMALAT PERMATA'],
  ['VN', 'VND', 'account', 'VIRTUAL_ACCOUNT', 'none', 'BIDV MSB PV VIETCAPITAL VPB WOORI'],
  [
    ...(['MY', 'MYR', 'redirect', 'BANK', 'none'] as const),
    'AFFIN AGRO ALLIANCE AMBANK BOC BSN CIMB HLB HSBC ISLAM KFH MAYB2E MAYB2U MUAMALAT OCBC PUBLIC RAKYAT RHB SCH UOB',
  ],
  [
    ...(['PH', 'PHP', 'redirect', 'BANK', 'none'] as const),
    'BDO BOC BPI CHINABANK INSTAPAY LANDBANK MAYBANK METROBANK PESONET PNB PSBANK RCBC ROBINSONS_BANK SECURITY_BANK UNIONBANK',
  ],
  ['TH', 'THB', 'redirect', 'BANK', 'none', 'BBL KBANK KRUNGSRI KTB SCB'],
];

const bankSuffix: Readonly<Record<string, string>> = {
  MY: '_FPX',
  PH: '_ONLINE_BANKING',
  TH: '_MOBILE_BANKING',
};

/** All channels. Their capabilities are those of the vendor's list, read in 2026. */
export const channels: readonly Channel[] = rows.flatMap(([country, currency, action, category, refunds, names]) => {
  const suffixes = { VIRTUAL_ACCOUNT: '_VIRTUAL_ACCOUNT', BANK: bankSuffix[country] ?? '' } as const;
  const suffix = category === 'VIRTUAL_ACCOUNT' || category === 'BANK' ? suffixes[category] : '';
  return names.split(' ').map((name) => ({ code: name + suffix, country, currency, action, refunds, category }));
});

/** Currencies other than their country's own that cards are charged in (card multi-currency processing). */
const foreignCardCurrencies = ['USD', 'EUR'];

/** The channel of a request; undefined if Xendit has none for the country and currency. */
export function channelOf(request: { channel_code: string; country: string; currency: string }): Channel | undefined {
  return channels.find(
    ({ code, country, currency, action }) =>
      code === request.channel_code &&
      country === request.country &&
      (currency === request.currency || (action === 'card' && foreignCardCurrencies.includes(request.currency))),
  );
}

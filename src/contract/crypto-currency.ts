/** Cryptocurrencies that the service knows, by their code in lower case, with the decimals of their whole coin. */
export const cryptoCurrencyDecimals = { btc: 8, eth: 18, usdt: 6, usdc: 6 } as const;

export type CryptoCurrencyCode = keyof typeof cryptoCurrencyDecimals;

export const cryptoCurrencyCodes = Object.keys(cryptoCurrencyDecimals) as CryptoCurrencyCode[];

// The configuration of docs/shops.md, with the addresses of a test.
const { bootstrap, DefaultLogger, LogLevel } = require('@vendure/core');
const { PaylatchPlugin } = require('@paylatch/vendure');

const {
  PAYLATCH_URL,
  PAYLATCH_TOKEN,
  PAYLATCH_MERCHANT_ID,
  PAYLATCH_WEBHOOK_KEY,
  PAYLATCH_CAPTURE,
  STOREFRONT_URL,
  PORT,
} = process.env;

module.exports = bootstrap({
  apiOptions: { port: Number(PORT), adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: {
    tokenMethod: 'bearer',
    superadminCredentials: { identifier: 'superadmin', password: 'kettle-and-co' },
  },
  dbConnectionOptions: { type: 'postgres', url: process.env.DATABASE_URL, synchronize: true },
  paymentOptions: { paymentMethodHandlers: [] },
  logger: new DefaultLogger({ level: LogLevel.Info }),
  plugins: [
    PaylatchPlugin.init({
      baseUrl: PAYLATCH_URL,
      token: PAYLATCH_TOKEN,
      merchantId: Number(PAYLATCH_MERCHANT_ID),
      webhookKey: PAYLATCH_WEBHOOK_KEY,
      returnUrl: STOREFRONT_URL,
      currencies: { USD: { country: 'USA' } },
      capture: PAYLATCH_CAPTURE,
    }),
  ],
});

const { defineConfig } = require('@medusajs/framework/utils');

// The configuration of docs/shops.md, with the addresses and the capture mode of a test.
const paylatch = (id, capture) => ({
  resolve: '@paylatch/medusa',
  id,
  options: {
    baseUrl: process.env.PAYLATCH_URL,
    token: process.env.PAYLATCH_TOKEN,
    merchantId: Number(process.env.PAYLATCH_MERCHANT_ID),
    webhookKey: process.env.PAYLATCH_WEBHOOK_KEY,
    returnUrl: process.env.STOREFRONT_URL,
    currencies: { USD: { country: 'USA' } },
    capture,
  },
});

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { ssl: false },
    http: { storeCors: '*', adminCors: '*', authCors: '*', jwtSecret: 'test', cookieSecret: 'test' },
  },
  admin: { disable: true },
  modules: [
    {
      resolve: '@medusajs/medusa/payment',
      // Medusa processes webhooks after 5 seconds by default, which would hide the race with the storefront.
      options: { webhook_delay: 1, providers: [paylatch('paylatch', 'automatic'), paylatch('manual', 'manual')] },
    },
  ],
});

// Stryker changes the pure modules in every way that it knows: each change must fail a unit test.
export default {
  mutate: [
    'src/shared/card.ts',
    'src/shared/money.ts',
    'src/shared/rate-arithmetic.ts',
    'src/system/mask.ts',
    'src/shared/fees.ts',
    'src/payments/states.ts',
    'src/payments/review/rules.ts',
    'src/invoices/judge.ts',
    'src/deposits/attribute.ts',
    'src/invoices/coin-payments/price.ts',
    'src/webhooks/signing.ts',
    'src/webhooks/schedule.ts',
  ],
  testRunner: 'tap',
  tap: {
    testFiles: [
      'test/server/card.test.ts',
      'test/server/money.test.ts',
      'test/server/mask.test.ts',
      'test/server/payment-states.test.ts',
      'test/server/invoice-judge.test.ts',
      'test/server/invoice-attribution.test.ts',
      'test/server/coin-price.test.ts',
      'test/server/callback-signer.test.ts',
    ],
    // Node.js strips the types by itself. With the same examples each time, a score says something about the tests.
    nodeArgs: ['--test-reporter=tap', '--import=./test/support/property-seed.mjs'],
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // Only what these modules and tests read is copied.
  ignorePatterns: ['/*', '!src', '!test/server', '!test/support', '!package.json'],
  tempDirName: 'test-results/stryker',
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'test-results/stryker.json' },
};

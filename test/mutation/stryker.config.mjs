// Stryker applies all of its mutations to the pure modules: each must fail a unit test.
export default {
  mutate: [
    'src/shared/card.ts',
    'src/shared/money.ts',
    'src/shared/rate-arithmetic.ts',
    'src/system/mask.ts',
    'src/shared/fees.ts',
    'src/payments/states.ts',
    'src/payments/review/rules.ts',
    'src/invoices/evaluate.ts',
    'src/invoices/attribute.ts',
    'src/invoices/link-payments/price.ts',
    'src/webhooks/signing.ts',
    'src/webhooks/schedule.ts',
  ],
  testRunner: 'tap',
  tap: {
    testFiles: [
      'test/shared/card.test.ts',
      'test/shared/money.test.ts',
      'test/system/mask.test.ts',
      'test/payments/payment-states.test.ts',
      'test/invoices/invoice-evaluation.test.ts',
      'test/invoices/invoice-attribution.test.ts',
      'test/invoices/link-price.test.ts',
      'test/webhooks/webhook-signer.test.ts',
    ],
    // Node.js strips the types by itself. With the same examples each time, a score says something about the tests.
    nodeArgs: ['--test-reporter=tap', '--import=./test/support/property-seed.mjs'],
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // Only files that these modules and tests read are copied.
  ignorePatterns: [
    ...['/*', '!/src', '!/package.json', '!/test', '/test/*'],
    ...['support', 'shared', 'system', 'payments', 'invoices', 'webhooks'].map((folder) => `!/test/${folder}`),
  ],
  tempDirName: 'test-results/stryker',
  reporters: ['clear-text', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  jsonReporter: { fileName: 'test-results/stryker.json' },
};

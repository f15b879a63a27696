import { PluginCommonModule, VendurePlugin } from '@vendure/core';
import { PaylatchController } from './controller.ts';
import { paylatchPaymentHandler } from './handler.ts';
import { orderProcess, paymentProcess } from './processes.ts';
import { readRawBody } from './raw-body.ts';
import { parseVendureOptions, PAYLATCH_OPTIONS, PaylatchService, type PaylatchVendureOptions } from './service.ts';

/** Adds the payment method handler `paylatch`, and its webhook endpoint at `/paylatch/webhook`. */
@VendurePlugin({
  imports: [PluginCommonModule],
  providers: [{ provide: PAYLATCH_OPTIONS, useFactory: () => PaylatchPlugin.options }, PaylatchService],
  controllers: [PaylatchController],
  configuration: (config) => {
    config.paymentOptions.paymentMethodHandlers.push(paylatchPaymentHandler);
    config.paymentOptions.process = [...(config.paymentOptions.process ?? []), paymentProcess];
    config.orderOptions.process = [...(config.orderOptions.process ?? []), orderProcess];
    config.apiOptions.middleware.push({ route: '/paylatch/webhook', beforeListen: true, handler: readRawBody });
    return config;
  },
  compatibility: '^3.7.0',
})
// oxlint-disable-next-line typescript/no-extraneous-class -- Vendure's plugins are classes
export class PaylatchPlugin {
  /** @internal */
  static options: PaylatchVendureOptions;

  /** Sets the options. Throws an error that lists every invalid option. */
  static init(options: PaylatchVendureOptions): typeof PaylatchPlugin {
    PaylatchPlugin.options = parseVendureOptions(options);
    return PaylatchPlugin;
  }
}

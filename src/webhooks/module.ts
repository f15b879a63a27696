import type { Module } from '../http/context.ts';
import { createWebhookCleanup } from './cleanup.ts';
import { createDeliveryJob } from './deliver.ts';
import { webhookEndpointRoutes } from './endpoint-routes.ts';
import { webhookRoutes } from './routes.ts';

type Options = Parameters<typeof webhookRoutes>[0] &
  Parameters<typeof webhookEndpointRoutes>[0] &
  Parameters<typeof createWebhookCleanup>[0] &
  Parameters<typeof createDeliveryJob>[0];

export function webhookModule(options: Options): Module {
  return {
    routes: [webhookRoutes(options), webhookEndpointRoutes(options)],
    jobs: [createWebhookCleanup(options), createDeliveryJob(options)],
  };
}

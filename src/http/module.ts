import type { Database } from '../database/database.ts';
import type { Module } from './context.ts';
import { healthRoutes } from './health-routes.ts';
import type { LiveUpdates } from './live-updates.ts';
import { createRateLimitCleanup } from './rate-limiter.ts';
import { referenceRoutes } from './reference-routes.ts';
import { securityTextRoutes } from './security-text-routes.ts';
import { type PageTextSource, textRoutes } from './text-routes.ts';

type Options = Parameters<typeof healthRoutes>[0] &
  Parameters<typeof securityTextRoutes>[0] &
  Parameters<typeof referenceRoutes>[0] & { database: Database; pages: PageTextSource; liveUpdates: LiveUpdates };

export function httpModule(options: Options): Module {
  const { database, clock, pages, liveUpdates } = options;
  return {
    routes: [healthRoutes(options), securityTextRoutes(options), textRoutes(pages), referenceRoutes(options)],
    jobs: [createRateLimitCleanup(database, clock), liveUpdates.job],
  };
}

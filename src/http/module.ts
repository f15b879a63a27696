import type { Hono } from 'hono';
import type { Job } from '../jobs/runner.ts';
import type { HttpEnv } from './context.ts';

/** What a module adds to the service. */
export interface Module {
  routes?: readonly Hono<HttpEnv>[];
  jobs?: readonly Job[];
}

import type { Hono } from 'hono';
import type { Job } from '../jobs/runner.ts';
import type { HttpEnv } from './context.ts';

/** A module's routes and jobs. */
export interface Module {
  routes?: readonly Hono<HttpEnv>[];
  jobs?: readonly Job[];
}

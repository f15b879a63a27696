import type { Module } from '../http/context.ts';
import { logoRoutes } from './logo/routes.ts';
import { merchantRoutes } from './routes.ts';

export function merchantModule(
  options: Parameters<typeof merchantRoutes>[0] & Parameters<typeof logoRoutes>[0],
): Module {
  return { routes: [merchantRoutes(options), logoRoutes(options)] };
}

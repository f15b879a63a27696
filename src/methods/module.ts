import type { Module } from '../http/context.ts';
import { initialsRoutes } from './initials-routes.ts';
import { methodRoutes } from './routes.ts';

export function methodModule(options: Parameters<typeof methodRoutes>[0]): Module {
  return { routes: [methodRoutes(options), initialsRoutes()] };
}

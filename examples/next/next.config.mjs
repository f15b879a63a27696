import { join } from 'node:path';

/** @type {import('next').NextConfig} */
export default {
  // For `../server.mjs`, which the examples share.
  turbopack: { root: join(import.meta.dirname, '..') },
};

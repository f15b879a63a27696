import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { payments } from '../server.mjs';

export default defineConfig({
  // Variables with this prefix are public in index.html. The access token has a different prefix.
  envPrefix: 'SERVICE_URL',
  plugins: [svelte(), payments()],
});

import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { payments } from '../server.mjs';

export default defineConfig({
  // Variables with this prefix are public in index.html. The access token has a different prefix.
  envPrefix: 'SERVICE_URL',
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'pay-form' } } }), payments()],
});

import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';
import { payments } from './payments.js';

process.env.PAYLATCH_URL ??= 'http://localhost:8080';

export default defineConfig({
  // What begins like this is for everybody to read, in index.html; the token does not.
  envPrefix: 'PAYLATCH_URL',
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'pay-form' } } }), payments()],
});

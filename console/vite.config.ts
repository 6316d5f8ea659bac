import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { budget } from './plugins/budget.ts';
import { documentation } from './plugins/documentation.ts';
import { permissions } from './plugins/permissions.ts';
import { worldMap } from './plugins/world-map.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

export default defineConfig({
  base: '/console/',
  plugins: [react(), worldMap(), documentation(), permissions(), budget({ initialScriptBytes: 220_000 })],
  resolve: { alias: { 'signpost-client': path('../clients/typescript/src/index.ts') } },
  server: { proxy: { '/api': 'http://localhost:3000' } },
  build: {
    outDir: path('../dist/console'),
    emptyOutDir: true,
    // Data URLs would need an exception in the Content-Security-Policy.
    assetsInlineLimit: 0,
    // The service answers only files, so the page has no inline polyfill.
    modulePreload: { polyfill: false },
    // Minified files lack the notices of the packages, which their licences require in copies.
    license: { fileName: 'third-party-licences.txt' },
    reportCompressedSize: false,
    // The plugin `budget` limits the scripts of the first page, by what is sent.
    chunkSizeWarningLimit: Infinity,
    rolldownOptions: { input: [path('index.html'), path('silent-renew.html')] },
  },
});

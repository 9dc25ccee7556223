import { join } from 'node:path';
import { lingui, linguiTransformerBabelPreset } from '@lingui/vite-plugin';
import babel from '@rolldown/plugin-babel';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { groups, preloadConsole } from './chunks.ts';

const configPath = join(import.meta.dirname, 'lingui.config.ts');
// The Babel plugin of Lingui looks for its configuration in the current folder.
process.chdir(import.meta.dirname);
// `npm run dev:console` shows changes at once, with the API of a running service.
const target = process.env.SIGHTLINE_URL ?? 'http://localhost:8099';
// It recommends the plugin's own transform, which npm does not install on Node 20.
process.env.LINGUI_SUPPRESS_BABEL_WARNING = '1';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    tailwindcss(),
    babel({ presets: [linguiTransformerBabelPreset({}, { configPath })] }),
    lingui({ configPath }),
    preloadConsole,
  ],
  server: { proxy: { '^/(api|docs|openapi.json)': { target, changeOrigin: true, headers: { origin: target } } } },
  build: {
    target: 'baseline-widely-available',
    // Inlined files would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // `scripts/check-console.ts` has limits.
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: {
      output: { codeSplitting: { groups } },
      onwarn(warning, warn) {
        // Libraries mark components for servers that render them; there is none here.
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});

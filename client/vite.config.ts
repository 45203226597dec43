import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite';

const root = import.meta.dirname;

export default defineConfig({
  root,
  base: '/',
  plugins: [react(), tailwindcss(), beforeFirstPaint()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // The bundle budgets are counted over it.
    manifest: true,
    modulePreload: { polyfill: false },
    // The theme stands on light-dark(), which these are the first to know.
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { main: `${root}/index.html`, 'theme-boot': `${root}/app/theme-boot.ts` },
      output: {
        // What every page needs in two chunks, not thirty: small ones compress badly.
        codeSplitting: {
          groups: [
            { name: 'vendor', tags: ['$initial'], test: /\/node_modules\// },
            {
              name: 'first',
              tags: ['$initial'],
              test: /\/client\/(?!app\/theme-boot)|\/contract\//,
            },
          ],
        },
        entryFileNames: 'static/js/[name]-[hash].js',
        chunkFileNames: 'static/js/[name]-[hash].js',
        assetFileNames: ({ names }) =>
          names[0]?.endsWith('.css')
            ? 'static/css/[name]-[hash][extname]'
            : 'static/media/[name]-[hash][extname]',
      },
    },
  },
});

/**
 * Puts into the page's head what must be there before the first paint: the script that applies the
 * chosen theme, as a blocking file because the policy forbids inline scripts, and the two fonts.
 */
function beforeFirstPaint(): Plugin {
  return {
    name: 'before-first-paint',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const outputs = Object.values(bundle ?? {});
        const theme = outputs.filter((file) => file.type === 'chunk' && file.name === 'theme-boot');
        const fonts = outputs.filter((file) =>
          /-latin-wght-normal-[^/]*\.woff2$/.test(file.fileName),
        );
        const scripts = theme.map<HtmlTagDescriptor>(({ fileName }) => ({
          tag: 'script',
          attrs: { src: `/${fileName}` },
          injectTo: 'head-prepend',
        }));
        const preloads = fonts.map<HtmlTagDescriptor>(({ fileName }) => ({
          tag: 'link',
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            href: `/${fileName}`,
            crossorigin: true,
          },
          injectTo: 'head-prepend',
        }));
        return [...scripts, ...preloads];
      },
    },
  };
}

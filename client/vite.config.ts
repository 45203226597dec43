import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite';

const root = import.meta.dirname;

/** Seen from the repository, which may itself be in a folder called client. */
const isOurs = /^client\/(?!core\/theme-boot)|^contract\//;

export default defineConfig({
  root,
  base: '/',
  plugins: [react(), tailwindcss(), beforeFirstPaint(), pdfParts()],
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
      input: { main: `${root}/index.html`, 'theme-boot': `${root}/core/theme-boot.ts` },
      output: {
        // What every page needs in two chunks, not thirty: small ones compress badly.
        codeSplitting: {
          groups: [
            { name: 'vendor', tags: ['$initial'], test: /\/node_modules\// },
            {
              name: 'first',
              tags: ['$initial'],
              test: (id) => isOurs.test(path.relative(path.dirname(root), id)),
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
 * What the PDF engine fetches by itself: its worker, and what only some documents need: character
 * maps, the standard fonts, and decoders of pictures as scripts, for the policy lets no WebAssembly run.
 */
function pdfParts(): Plugin {
  const manifest = createRequire(import.meta.url).resolve('pdfjs-dist/package.json');
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
  const parts = {
    build: /^pdf\.worker\.min\.mjs$/,
    cmaps: /\.bcmap$/,
    standard_fonts: /\.(pfb|ttf)$/,
    wasm: /_nowasm_fallback\.js$/,
  };
  const base = `static/js/pdf-${version}`;
  return {
    name: 'pdf-parts',
    config: () => ({ define: { PDF_PARTS: JSON.stringify(`/${base}`) } }),
    generateBundle() {
      for (const [folder, wanted] of Object.entries(parts)) {
        const home = path.join(path.dirname(manifest), folder);
        for (const file of readdirSync(home).filter((name) => wanted.test(name)))
          this.emitFile({
            type: 'asset',
            fileName: `${base}/${folder}/${file}`,
            source: readFileSync(path.join(home, file)),
          });
      }
    },
  };
}

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

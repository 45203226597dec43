import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type HtmlTagDescriptor, type Plugin, runnerImport } from 'vite';
import type * as firstFrame from './shell/first-frame.tsx';

const root = import.meta.dirname;

type FirstFrame = typeof firstFrame;

/** Seen from the repository, which may itself be in a folder called client. */
const isOurs = /^client\/(?!core\/before-paint)|^contract\//;

const COMPRESSIBLE = /^static\/.*\.(js|mjs|css|svg)$/;

const FORMATS = [
  ['.br', (bytes: Buffer) => promisify(brotliCompress)(bytes, atBest(bytes))],
  ['.gz', (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 })],
] as const;

export default defineConfig({
  root,
  base: '/',
  plugins: [
    withoutSummaries(),
    react(),
    tailwindcss(),
    beforeFirstPaint(),
    pdfParts(),
    guides(),
    thirdPartyNotices(),
    precompress(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    sourcemap: false,
    // The bundle budgets are counted over it.
    manifest: true,
    modulePreload: { polyfill: false },
    // The theme relies on light-dark(), which these versions are the first to support.
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
    // The content security policy allows no data: addresses.
    assetsInlineLimit: 0,
    rolldownOptions: {
      input: { main: `${root}/index.html`, 'before-paint': `${root}/core/before-paint.ts` },
      output: {
        // Bundles the code of every page into two chunks, not thirty: small ones compress badly.
        codeSplitting: {
          groups: [
            { name: 'vendor', tags: ['$initial'], test: /\/node_modules\// },
            {
              name: 'first',
              tags: ['$initial'],
              test: (id) => isOurs.test(path.relative(path.dirname(root), id)),
            },
            // With all that it imports, for the same reason.
            { name: 'shell', test: /\/client\/shell\/Shell\.tsx$/ },
            // Icons of many pages: a chunk for each costs a request, and a name in the first page.
            { name: 'icons', test: /\/lucide-react\/dist\/esm\/icons\//, minShareCount: 4 },
            // Parts of most pages, and of most lists, each a few hundred bytes: two requests instead of ten.
            {
              name: 'page-parts',
              test: /\/client\/(?:core\/(?:use-attempt|Pending)|ui\/(?:Skeleton|EmptyState|Chip|PageHeader))\.tsx?$/,
            },
            {
              name: 'list-parts',
              test: /\/client\/(?:core\/use-address|ui\/(?:SearchInput|ClearSearch|list-keys|Checkbox))\.tsx?$/,
            },
            // The list of tasks shares these with the board, which it does not load.
            { name: 'task-views', test: /\/tasks\/components\/(?:DoneBox|ViewSwitch)\.tsx$/ },
          ],
        },
        entryFileNames: 'static/js/[name]-[hash].js',
        // The first page names every chunk, and the compressed page holds a hash as it is.
        chunkFileNames: 'static/js/[name]-[hash:7].js',
        assetFileNames: ({ names }) =>
          names[0]?.endsWith('.css')
            ? 'static/css/[name]-[hash:7][extname]'
            : 'static/media/[name]-[hash][extname]',
      },
    },
  },
});

/** Leaves out what the contract says of each route: the description of the API has it, and no page shows it. */
function withoutSummaries(): Plugin {
  const filter = { id: /\/contract\/[^/]*\.ts$/, code: 'defineRoute' };
  const summary = /\bsummary:\s*'(?:[^'\\]|\\.)*',/g;
  const handler = (code: string) => ({ code: code.replace(summary, ''), map: null });
  return {
    name: 'without-summaries',
    apply: 'build',
    enforce: 'pre',
    transform: { filter, handler },
  };
}

/**
 * Files that the PDF engine fetches by itself: its worker, and parts that only some documents need: character
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

/** The guides for admins, which the help page shows as they are in `docs`. */
function guides(): Plugin {
  const read = (name: string) => readFileSync(path.join(root, `../docs/${name}.md`), 'utf8');
  const found = { google: read('google'), twilio: read('twilio') };
  return { name: 'guides', config: () => ({ define: { GUIDES: JSON.stringify(found) } }) };
}

/**
 * Puts into the page's head what must be there before the first paint: a blocking file, because the
 * policy forbids inline scripts, with the addresses of the two fonts that it may preload. And the frame of the sign-in page in its body.
 */
function beforeFirstPaint(): Plugin {
  return {
    name: 'before-first-paint',
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle }) {
        const outputs = Object.values(bundle ?? {});
        const isFont = /-latin-wght-normal-[^/]*\.woff2$/;
        const fonts = outputs.filter((file) => isFont.test(file.fileName));
        const tags = outputs
          .filter((file) => file.type === 'chunk' && file.name === 'before-paint')
          .map<HtmlTagDescriptor>(({ fileName }) => ({
            tag: 'script',
            attrs: {
              src: `/${fileName}`,
              'data-fonts': fonts.map((font) => `/${font.fileName}`).join(' '),
            },
            injectTo: 'head-prepend',
          }));
        const { module } = await runnerImport<FirstFrame>(`${root}/shell/first-frame.tsx`, {
          configFile: false,
          plugins: [react()],
        });
        const place = '<div id="root">';
        return { html: html.replace(place, () => place + module.renderFirstFrame()), tags };
      },
    },
  };
}

/** Leaves a Brotli and a gzip version beside each script, style sheet and drawing of the build. */
function precompress(): Plugin {
  let served = '';
  return {
    name: 'precompress',
    apply: 'build',
    configResolved({ root }) {
      served = path.join(root, 'dist');
    },
    async writeBundle({ dir = served }, bundle) {
      const files = Object.keys(bundle).filter((file) => COMPRESSIBLE.test(file));
      await Promise.all(files.map((file) => compress(dir, served, file)));
    },
  };
}

async function compress(dir: string, served: string, file: string): Promise<void> {
  const bytes = await fs.readFile(path.join(dir, file));
  for (const [extension, pack] of FORMATS) {
    // A file's name changes with its content, so that the last build has done most of this work.
    const done = await fs.readFile(path.join(served, file + extension)).catch(() => undefined);
    const packed = done ?? (await pack(bytes));
    if (packed.length < bytes.length) await fs.writeFile(path.join(dir, file + extension), packed);
  }
}

function atBest(bytes: Buffer) {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, BROTLI_MAX_QUALITY } = constants;
  return {
    params: {
      [BROTLI_PARAM_QUALITY]: BROTLI_MAX_QUALITY,
      [BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  };
}

// The licenses of what the build contains, in one text file.

type Bundle = Parameters<Extract<Plugin['generateBundle'], (...args: never[]) => unknown>>[1];
type Manifest = { name?: string; version?: string; license?: string };

const FILE = 'static/third-party-notices.txt';

/** Inside other packages' files, where the bundle does not name them: the reset of the style sheet, and the parts of jszip. */
const INSIDE = ['tailwindcss', 'immediate', 'lie', 'pako', 'readable-stream', 'setimmediate'];

// Also one folder down: the decoders of the PDF engine have licenses of their own.
const LICENSES = '{.,*}/{LICEN[CS]E,licen[cs]e,OFL,NOTICE,COPYING}*';

const HEAD = `Third-party notices

Matterdesk's pages contain the following packages.`;

/**
 * Lists the package of each module, font and style sheet of the build with its license.
 *
 * @throws Error for a package that names none
 */
function thirdPartyNotices(): Plugin {
  let root = '';
  return {
    name: 'third-party-notices',
    apply: 'build',
    configResolved: (config) => void ({ root } = config),
    generateBundle(_, bundle) {
      const packages = new Map<string, string>();
      const home = path.join(path.dirname(root), 'node_modules');
      for (const folder of [
        ...INSIDE.map((name) => path.join(home, name)),
        ...foldersOf(bundle, root),
      ]) {
        const { name = '', version = '', ...manifest } = readManifest(folder);
        packages.set(`${name} ${version}`, noticeOf(`${name} ${version}`, manifest, folder));
      }
      const notices = [...packages].toSorted(([a], [b]) => (a < b ? -1 : 1));
      const source = [HEAD, ...notices.map(([, notice]) => notice)].join(
        `\n\n${'-'.repeat(79)}\n\n`,
      );
      this.emitFile({ type: 'asset', fileName: FILE, source: `${source}\n` });
    },
  };
}

/** Folders of the packages whose files are in the build. */
function foldersOf(bundle: Bundle, root: string): Set<string> {
  const files = Object.values(bundle).flatMap((output) =>
    output.type === 'chunk' ? output.moduleIds : output.originalFileNames,
  );
  const folders = files
    .map((file) => path.resolve(root, file.replace('\0', '').split('?')[0] ?? ''))
    .map((file) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0])
    .filter((folder) => folder !== undefined);
  return new Set(folders.filter((folder) => existsSync(path.join(folder, 'package.json'))));
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}

function noticeOf(title: string, { license }: Manifest, folder: string): string {
  const files = globSync(LICENSES, { cwd: folder }).toSorted();
  if (license === undefined && files.length === 0) throw new Error(`${title} names no license`);
  const texts = files.map((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8').trim();
    return file.includes('/') ? `${file}:\n\n${text}` : text;
  });
  return [`${title} (${license})`, ...new Set(texts)].join('\n\n');
}

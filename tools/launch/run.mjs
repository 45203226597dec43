import { PINNED_NODE, refuseUnsupported, ROOT, SERVER_FLAGS } from './requirements.mjs';

refuseUnsupported();
const { prepareOrExit } = await import('./setup.mjs');
const { becomeParentOf } = await import('./child.mjs');
const { TETHER } = await import('./setup.mjs');
const build = process.argv[2] === '--build';
const [first, ...rest] = process.argv.slice(build ? 3 : 2);
if (!first || (first === '--bin' && !rest[0])) {
  process.stderr.write(
    'Usage: run.mjs [--build] <file.ts> [arguments], or run.mjs --bin <name> [arguments]\n',
  );
  process.exit(2);
}
await prepareOrExit({ build });
if (first === '--bin') {
  const [name, ...args] = rest;
  becomeParentOf(`${ROOT}/node_modules/.bin/${name}`, args, { isTied: false });
} else {
  const flags = first === 'server/main.ts' ? SERVER_FLAGS : [];
  becomeParentOf(PINNED_NODE, [...flags, '--import', TETHER, first, ...rest], { isTied: true });
}

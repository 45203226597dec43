import { PINNED_NODE, refuseUnsupported } from './requirements.mjs';

refuseUnsupported();
const { prepareOrExit } = await import('./setup.mjs');
const { becomeParentOf } = await import('./child.mjs');
await prepareOrExit({ build: true });
becomeParentOf(PINNED_NODE, ['tools/checks/suite.ts', ...process.argv.slice(2)], { isTied: true });

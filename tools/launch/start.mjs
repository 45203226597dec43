import { PINNED_NODE, refuseUnsupported } from './requirements.mjs';

refuseUnsupported();
const { prepareOrExit } = await import('./setup.mjs');
const { becomeParentOf } = await import('./child.mjs');
await prepareOrExit({ build: true });
becomeParentOf(PINNED_NODE, ['server/main.ts'], { isTied: true });

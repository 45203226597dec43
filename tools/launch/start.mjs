import { PINNED_NODE, refuseUnsupported, SERVER_FLAGS } from './requirements.mjs';

refuseUnsupported();
const { prepareOrExit } = await import('./setup.mjs');
const { becomeParentOf } = await import('./child.mjs');
await prepareOrExit({ build: true });
becomeParentOf(PINNED_NODE, [...SERVER_FLAGS, 'server/main.ts'], { isTied: true });

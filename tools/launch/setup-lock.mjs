import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from './requirements.mjs';

/** Runs `work` alone on this checkout, after any setup that is running. */
export async function withSetupLock(work) {
  const { dev, ino } = fs.statSync(ROOT, { bigint: true });
  const lock = await takeName(`matterdesk-setup-${dev}-${ino}`);
  try {
    await work();
  } finally {
    lock.close();
  }
}

/** A kernel name, which is released however this process ends. */
async function takeName(name) {
  const begun = Date.now();
  for (let isReported = false; ;) {
    const lock = await tryName(name);
    if (lock) return lock;
    if (!isReported && Date.now() - begun > 1000) {
      console.log('Waiting for another start that prepares this checkout …');
      isReported = true;
    }
    await delay(100);
  }
}

function tryName(name) {
  return new Promise((resolve, reject) => {
    const server = net.createServer((visitor) => visitor.destroy());
    server.once('error', (error) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    );
    server.listen(`\0${name}`, () => resolve(server));
  });
}

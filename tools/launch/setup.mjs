import fs from 'node:fs';
import { buildClient, isClientBuilt } from './client-build.mjs';
import { arePackagesInstalled, installPackages } from './packages.mjs';
import { ROOT } from './requirements.mjs';
import { withSetupLock } from './setup-lock.mjs';

/** Installs the lockfile's packages and, on request, builds the client, if stale. Throws one sentence on failure, after the failed output. */
export async function prepare({ build }) {
  const isReady = () => arePackagesInstalled() && (!build || isClientBuilt());
  if (isReady()) return;
  requireWritable();
  await withSetupLock(async () => {
    if (!arePackagesInstalled()) await installPackages();
    if (build && !isClientBuilt()) await buildClient();
  });
}

/** The same for launchers: exits on failure with the sentence as the last line. */
export async function prepareOrExit(options) {
  try {
    await prepare(options);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function requireWritable() {
  try {
    fs.accessSync(ROOT, fs.constants.W_OK);
  } catch (error) {
    throw new Error(
      `Packages or client are not up to date, and this user may not write to ${ROOT}; let its owner run npm start once`,
      { cause: error },
    );
  }
}

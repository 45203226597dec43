import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Where the build of the client leaves the hash of its sources. */
export const BUILD_STAMP = 'client/dist/.matterdesk-build';

const LENGTH = 16;

/** Names the built client, for pages to notice that the server has another one; undefined before the first build. */
export function readBuildName(): string | undefined {
  const file = path.resolve(import.meta.dirname, '../..', BUILD_STAMP);
  return existsSync(file) ? readFileSync(file, 'utf8').slice(0, LENGTH) : undefined;
}

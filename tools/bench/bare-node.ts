import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Starts a bare node:http server in its own process. */
export async function startBareNode(): Promise<{ port: number; stop: () => Promise<void> }> {
  const child = fork(path.join(import.meta.dirname, 'bare-server.ts'), {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (!child.stdout) throw new Error('the bare server has no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return {
    port: Number(line),
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

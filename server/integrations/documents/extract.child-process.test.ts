import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text as textIn } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { longContract } from '../../testing/papers.ts';
import { frameOf } from '../confinement/frames.ts';
import { extractPages, type ExtractedPage } from './extract.ts';
import type { DocumentKind } from './kinds.ts';

const SLOW = 90_000;

function extract(kind: DocumentKind, bytes: Buffer): AsyncGenerator<ExtractedPage> {
  const { signal } = new AbortController();
  const open = async () => Readable.from([bytes]);
  return extractPages({ kind, size: bytes.length, open, from: 1, signal });
}

async function textOf(kind: DocumentKind, bytes: Buffer): Promise<string> {
  const seen = await Array.fromAsync(extract(kind, bytes));
  return seen.map((event) => (event.type === 'page' ? event.page.text : '')).join('');
}

/** Ids of this process's document readers. */
async function readers(): Promise<number[]> {
  const found: number[] = [];
  for (const entry of await readdir('/proc')) {
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '');
    const line = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    const isChild = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === process.pid;
    if (isChild && line.includes('documents/child.ts')) found.push(Number(entry));
  }
  return found;
}

/** Kills them with the programs that confine them, which are one group each. @returns their ids */
async function killReaders(): Promise<number[]> {
  const found = await readers();
  for (const pid of found)
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It ended meanwhile.
    }
  return found;
}

/** Waits until the system has reaped killed processes. */
const UNTIL_REAPED = { timeout: 20_000 };

describe('the document reader process', () => {
  it(
    'reads each file in a process of its own, which ends with it',
    async () => {
      const before = await readers();
      const used = new Set<number>();
      for (const text of ['the first', 'a second one 😀', 'x'.repeat(300_000), 'the last']) {
        const reading = extract('text', Buffer.from(text));
        await reading.next();
        const now = (await readers()).filter((pid) => !before.includes(pid));
        expect(now.some((pid) => !used.has(pid))).toBe(true);
        for (const pid of now) used.add(pid);
        const seen = await Array.fromAsync(reading);
        const read = seen.map((event) => (event.type === 'page' ? event.page.text : '')).join('');
        expect(read.trim()).toBe(text);
      }
      // One spare process waits for the next file.
      const left = async () => (await readers()).filter((pid) => used.has(pid)).length;
      await expect.poll(left, UNTIL_REAPED).toBeLessThanOrEqual(1);
    },
    SLOW,
  );

  it(
    'reads for a server that runs at a lower priority than its own',
    async () => {
      const program = `
        import { Readable } from 'node:stream';
        import { extractPages } from ${JSON.stringify(import.meta.resolve('./extract.ts'))};
        const open = async () => Readable.from([Buffer.from('read')]);
        const { signal } = new AbortController();
        for await (const { page } of extractPages({ kind: 'text', size: 4, open, from: 1, signal }))
          if (page) console.log(page.text);
        process.exit();`;
      const node = [process.execPath, '--input-type=module', '--eval', program];
      const { stdout } = await promisify(execFile)('nice', ['-n', '15', ...node]);
      expect(stdout.trim()).toBe('read');
    },
    SLOW,
  );

  it(
    'fails no other file when it is killed',
    async () => {
      await textOf('text', Buffer.from('before'));
      const reading = extract('html', Buffer.from(`<p>${'many words '.repeat(400_000)}</p>`));
      const ended: PromiseSettledResult<unknown>[] = [];
      void Promise.allSettled([reading.next()]).then((settled) => ended.push(...settled));
      const killed = new Set<number>();
      // Again and again, since the first check may come before the file has its process.
      const killMore = async () => {
        for (const pid of await killReaders()) killed.add(pid);
        return ended.length;
      };
      await expect.poll(killMore).toBe(1);
      const left = async () => (await readers()).filter((pid) => killed.has(pid)).length;
      await expect.poll(left, UNTIL_REAPED).toBe(0);
      const [{ status, reason }] = ended as [PromiseRejectedResult];
      expect([status, String(reason)]).toEqual([
        'rejected',
        expect.stringContaining('Couldn’t read'),
      ]);
      expect((await textOf('text', Buffer.from('after'))).trim()).toBe('after');
    },
    SLOW,
  );

  it(
    'takes no part of a file for the whole',
    async () => {
      const script = path.join(import.meta.dirname, 'child.ts');
      const order = { task: 'extract', kind: 'text', size: 8, from: 1, ahead: 0 };
      const read = async (...parts: string[]) => {
        const child = spawn(process.execPath, [script], {
          stdio: ['pipe', 'ignore', 'ignore', 'pipe'],
        });
        for (const part of parts) for (const bytes of frameOf(part)) child.stdin?.write(bytes);
        child.stdin?.end();
        const [said, [code]] = await Promise.all([
          textIn(child.stdio[3] as Readable),
          once(child, 'close'),
        ]);
        return { hasPage: said.includes('"page"'), isDone: code === 0 };
      };
      const whole = [JSON.stringify(order), 'one ', 'two '];
      expect(await read(...whole, '')).toEqual({ hasPage: true, isDone: true });
      expect(await read(...whole)).toEqual({ hasPage: false, isDone: false });
    },
    SLOW,
  );

  it(
    'ends when the rest of its file is no longer needed',
    async () => {
      const reading = extract('pdf', longContract(300));
      await reading.next();
      const those = await readers();
      await reading.return(undefined);
      const left = async () => (await readers()).filter((pid) => those.includes(pid)).length;
      await expect.poll(left, UNTIL_REAPED).toBeLessThan(those.length);
    },
    SLOW,
  );
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadSecretKey, openDataDirectory } from './data-directory.ts';

let base: string;

beforeAll(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-data-directory-'));
});

afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

test('the data directory creates the directory for this user alone', async () => {
  const opened = await openDataDirectory(path.join(base, 'new/of mine'));
  expect(opened.path).toBe(path.join(base, 'new/of mine'));
  expect(fs.statSync(opened.path).mode & 0o777).toBe(0o700);
  await opened.release();
});

test('the data directory refuses a second holder, even through a symbolic link, until the first releases the lock', async () => {
  const directory = path.join(base, 'shared');
  const link = path.join(base, 'link');
  const first = await openDataDirectory(directory);
  fs.symlinkSync(directory, link);
  await expect(openDataDirectory(link)).rejects.toThrow(
    `DATA_DIR ${link} is already in use by another Matterdesk`,
  );
  await first.release();
  const second = await openDataDirectory(link);
  expect(second.path).toBe(directory);
  await second.release();
});

test('the data directory releases the lock when its holder is killed', async () => {
  const directory = path.join(base, 'killed');
  const module = path.join(import.meta.dirname, 'data-directory.ts');
  const script = `const { openDataDirectory } = await import(${JSON.stringify(module)});
    await openDataDirectory(${JSON.stringify(directory)});
    console.log('held');
    setInterval(() => undefined, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script]);
  const exited = once(holder, 'exit');
  await once(holder.stdout, 'data');
  await expect(openDataDirectory(directory)).rejects.toThrow('already in use');
  holder.kill('SIGKILL');
  await exited;
  await (await openDataDirectory(directory)).release();
});

test('reports in one line why a directory cannot be used', async () => {
  const file = path.join(base, 'file');
  fs.writeFileSync(file, '');
  await expect(openDataDirectory(file)).rejects.toThrow(
    `DATA_DIR ${file} cannot be used: there is a file in its place`,
  );
  await expect(openDataDirectory(path.join(file, 'below'))).rejects.toThrow(
    'there is a file in its place',
  );
  await expect(openDataDirectory('/proc/matterdesk')).rejects.toThrow(
    /^DATA_DIR \/proc\/matterdesk cannot be used: [^\n]+$/,
  );
  await expect(openDataDirectory(path.join(base, 'two\nlines'))).rejects.toThrow(
    /must not hold control characters$/,
  );
  const long = path.join(base, ...Array.from({ length: 5 }, () => 'd'.repeat(200)));
  await expect(openDataDirectory(long)).rejects.toThrow('longer than 900 bytes');
});

test('generates the secret key once, readable by this user alone', async () => {
  const key = await loadSecretKey(base);
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  expect(await loadSecretKey(base)).toBe(key);
  expect(fs.statSync(path.join(base, 'secret.key')).mode & 0o777).toBe(0o600);
  expect(fs.readdirSync(base).filter((name) => name.startsWith('secret.key'))).toHaveLength(1);
});

test('the data directory refuses an invalid secret key, and leaves its file unchanged', async () => {
  const directory = fs.mkdtempSync(path.join(base, 'bad-key-'));
  const file = path.join(directory, 'secret.key');
  fs.writeFileSync(file, 'cut of');
  await expect(loadSecretKey(directory)).rejects.toThrow(`${file} must hold 64 hexadecimal digits`);
  expect(fs.readFileSync(file, 'utf8')).toBe('cut of');
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { draftIn, finishSwap, swapIn } from './swap.ts';

const now = new Date('2026-11-20T12:34:56Z');

let dataDir: string;

beforeEach(() => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-swap-'));
});

afterEach(() => fs.rmSync(dataDir, { recursive: true, force: true }));

function write(files: Record<string, string>, place = dataDir) {
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(place, name)), { recursive: true });
    fs.writeFileSync(path.join(place, name), text);
  }
}

function read(place = dataDir) {
  const found = fs.readdirSync(place, { recursive: true, withFileTypes: true });
  const files = found.filter((entry) => entry.isFile());
  const paths = files.map((entry) => path.join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((file) => [path.relative(place, file), fs.readFileSync(file, 'utf8')]),
  );
}

const old = { 'postgres/data': 'old', 'secret.key': 'old', 'files/one': 'old' };
const fresh = { 'postgres/data': 'new', 'secret.key': 'new' };
const aside = 'before-restore-20261120123456';
const swapped = {
  ...fresh,
  [`${aside}/postgres/data`]: 'old',
  [`${aside}/secret.key`]: 'old',
  [`${aside}/files/one`]: 'old',
};

test('the swap replaces the old data with the draft and sets the old data aside', async () => {
  write(old);
  write(fresh, draftIn(dataDir));
  expect(await swapIn(dataDir, now)).toBe(path.join(dataDir, aside));
  expect(read()).toEqual(swapped);
});

test('the swap sets nothing aside in an empty directory', async () => {
  write(fresh, draftIn(dataDir));
  expect(await swapIn(dataDir, now)).toBeUndefined();
  expect(read()).toEqual(fresh);
});

test('the swap leaves data of an earlier restore in place', async () => {
  write({ ...old, 'before-restore-1/secret.key': 'older' });
  write(fresh, draftIn(dataDir));
  await swapIn(dataDir, now);
  expect(read()).toEqual({ ...swapped, 'before-restore-1/secret.key': 'older' });
});

/** Steps of a swap, after each of which it may crash. */
const steps: (() => void)[] = [
  () => fs.mkdirSync(path.join(dataDir, aside)),
  ...['postgres', 'secret.key', 'files'].map((name) => () => {
    fs.renameSync(path.join(dataDir, name), path.join(dataDir, aside, name));
  }),
  ...['secret.key', 'postgres'].map((name) => () => {
    fs.renameSync(path.join(draftIn(dataDir), name), path.join(dataDir, name));
  }),
  () => fs.rmSync(draftIn(dataDir), { recursive: true }),
];

test.each(steps.map((_, done) => done))(
  'completes a swap that was interrupted after step %i',
  async (done) => {
    write(old);
    write(fresh, draftIn(dataDir));
    write({
      'restore.journal': JSON.stringify({ aside, old: ['postgres', 'secret.key', 'files'] }),
    });
    for (const step of steps.slice(0, done + 1)) step();
    await finishSwap(dataDir);
    expect(read()).toEqual(swapped);
    await finishSwap(dataDir);
    expect(read()).toEqual(swapped);
  },
);

test('the swap does nothing without a swap', async () => {
  write(old);
  write(fresh, draftIn(dataDir));
  await finishSwap(dataDir);
  expect(read(draftIn(dataDir))).toEqual(fresh);
  expect(read()).toMatchObject(old);
});

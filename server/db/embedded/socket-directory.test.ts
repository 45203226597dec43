import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentUser } from './identity.ts';
import { makeSocketDirectory, socketDirectoryOf } from './socket-directory.ts';

let base: string;
const me = { ...currentUser(), prefix: [], switchesUser: false };

beforeAll(() => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-socket-'));
});

afterAll(() => fs.rmSync(base, { recursive: true, force: true }));

test('the socket’s directory is next to a cluster with a plain, short path', () => {
  expect(socketDirectoryOf('/srv/desk/postgres')).toBe('/srv/desk/postgres.sock');
});

test.each(['/srv/a b/postgres', '/srv/a,b/postgres', '/srv/ü/postgres', `/${'d'.repeat(90)}`])(
  'the socket’s directory is elsewhere for a path that PostgreSQL cannot listen below: %s',
  (directory) => {
    const found = socketDirectoryOf(directory);
    expect(found).toMatch(/\/matterdesk-[0-9a-f]{16}$/);
    expect(found.length).toBeLessThanOrEqual(90);
    expect(socketDirectoryOf(`${directory}2`)).not.toBe(found);
  },
);

test('the socket’s directory is private to its user and can be created repeatedly', () => {
  const directory = path.join(base, 'own');
  makeSocketDirectory(directory, me);
  makeSocketDirectory(directory, me);
  expect(fs.statSync(directory).mode & 0o777).toBe(0o700);
});

test('the socket’s directory refuses a directory that others may enter, and a link to one', () => {
  const open = path.join(base, 'open');
  fs.mkdirSync(open);
  fs.chmodSync(open, 0o755);
  expect(() => makeSocketDirectory(open, me)).toThrow(`${open} must be a directory of this user`);
  const link = path.join(base, 'link');
  fs.symlinkSync(base, link);
  expect(() => makeSocketDirectory(link, me)).toThrow(`${link} must be a directory of this user`);
});

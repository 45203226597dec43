import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { caseRoutes } from '@matterdesk/contract/cases.ts';
import { contentUrl } from '@matterdesk/contract/files.ts';
import { intakeRoutes } from '@matterdesk/contract/intake-routes.ts';
import { openDatabase, openPool } from '../db/connect.ts';
import { findRunningPostgres } from '../db/embedded/connections.ts';
import { sealEntries } from '../features/audit/seals/service.ts';
import { copyCluster } from '../testing/database.ts';
import {
  addDeadline,
  addIntake,
  newPerson,
  openCase,
  register,
  signIn,
} from '../testing/factories.ts';
import {
  freePort,
  runOperation,
  removeAll,
  startProcess,
  type ServerProcess,
} from '../testing/process.ts';
import { sendFile, sendVersion } from '../testing/uploads.ts';

const WRITERS = 8;

let base: string;
/** A DATA_DIR of a stopped server with an admin, a case and a file; and its backup. */
let firm: string;
let backupOfFirm: string;
const running = new Set<ServerProcess>();

beforeAll(async () => {
  base = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-backup-'));
  firm = path.join(base, 'firm');
  copyCluster(firm);
  const server = await startServer(firm);
  const { token } = await register(server, admin);
  await openCase(server, token, { caseNo: 'ONLY-1' });
  await stop(server);
  fs.mkdirSync(path.join(firm, 'files/ab'), { recursive: true });
  fs.writeFileSync(path.join(firm, 'files/ab/Klage "Ö".pdf'), 'bytes');
  backupOfFirm = path.join(base, 'not yet there', 'backup of the firm');
  await succeed('backup', firm, [backupOfFirm]);
});

afterAll(async () => {
  for (const server of running) await server.kill();
  removeAll(base);
});

const admin = newPerson({ role: 'admin' });

async function startServer(dataDir: string): Promise<ServerProcess> {
  const server = startProcess({ env: { DATA_DIR: dataDir, PORT: String(await freePort()) } });
  running.add(server);
  await server.ready;
  return server;
}

async function stop(server: ServerProcess) {
  server.signal('SIGTERM');
  await server.exited;
  running.delete(server);
}

async function run(
  command: 'backup' | 'restore' | 'verify',
  dataDir: string,
  args: string[] = [],
  env: Record<string, string> = {},
) {
  const { code: status, ...said } = await runOperation(command, dataDir, { args, env });
  return { status, ...said };
}

/** @returns what the command complained of all the same */
async function succeed(...command: Parameters<typeof run>) {
  const { status, stderr } = await run(...command);
  if (status !== 0) throw new Error(stderr);
  return stderr;
}

/** Keeps file modes, which Node's own copy loses. */
function copyOf(directory: string, name: string, ...options: string[]) {
  const copy = path.join(base, name);
  expect(spawnSync('cp', ['--archive', ...options, directory, copy]).status).toBe(0);
  return copy;
}

/** Files of a backup that tests damage where they are. */
const DAMAGED = ['data/secret.key', 'SHA256SUMS'];

/** A copy to damage, which shares all other files with the backup. */
function linkedCopyOf(backup: string, name: string) {
  const copy = copyOf(backup, name, '--link');
  for (const file of DAMAGED) {
    fs.rmSync(path.join(copy, file));
    fs.copyFileSync(path.join(backup, file), path.join(copy, file));
  }
  return copy;
}

async function caseNumbers(server: ServerProcess) {
  const { token } = await signIn(server, admin.email);
  const { cases } = (await server.call(caseRoutes.listCases, { token })).body;
  return cases.map((one) => one.caseNo);
}

/** Opens cases as fast as possible; `acknowledged` collects the numbers of the created ones. */
function writeAtFullSpeed(server: ServerProcess, token: string) {
  const acknowledged: string[] = [];
  const stopping = new AbortController();
  async function writer() {
    while (!stopping.signal.aborted) {
      acknowledged.push((await openCase(server, token)).caseNo);
    }
  }
  const writers = Promise.all(Array.from({ length: WRITERS }, writer));
  async function stop() {
    stopping.abort();
    await writers;
  }
  return { acknowledged, stop };
}

/** Errors that PostgreSQL's own checker finds in tables and indexes; it verifies every page's checksum. */
async function findDamage(dataDir: string): Promise<string[]> {
  const found = findRunningPostgres(path.join(dataDir, 'postgres'));
  const client = new pg.Client({ ...found?.superuser, database: 'app' });
  await client.connect();
  try {
    await client.query('create extension amcheck');
    await client.query(`
      select case am.amname when 'btree' then bt_index_check(c.oid, true)::text
        else gin_index_check(c.oid)::text end
      from pg_class c join pg_am am on am.oid = c.relam
      where c.relkind = 'i' and am.amname in ('btree', 'gin')`);
    const { rows } = await client.query<{ wrong: string }>(`
      select c.relname || ': ' || found.msg as wrong
      from pg_class c, verify_heapam(c.oid) found where c.relkind in ('r', 't', 'm')`);
    return rows.map((row) => row.wrong);
  } finally {
    await client.end();
  }
}

describe('a backup during writes', () => {
  const VERSIONS = ['the first draft', 'the second draft', 'the brief as filed'];
  let dataDir: string;
  let restored: string;
  /** Restored from a backup that was made after an entry of a history had been changed. */
  let broken: string;
  let again: ServerProcess;
  /** Case numbers that were acknowledged before the backup started, before it ended, and at all. */
  let before: string[];
  let meanwhile: string[];
  let acknowledged: string[];
  /** Said by the restorations. */
  const complaints: string[] = [];
  /** A file with versions. */
  let at: { caseId: string; folder: string; name: string };

  beforeAll(async () => {
    dataDir = path.join(base, 'busy');
    [restored, broken] = [path.join(base, 'restored'), path.join(base, 'broken')];
    copyCluster(dataDir);
    const server = await startServer(dataDir);
    const { id: owner, token } = await register(server, admin).then(() =>
      signIn(server, admin.email),
    );
    const { id: caseId } = await openCase(server, token);
    at = { caseId, folder: 'Pleadings', name: 'Brief.txt' };
    await sendVersions(server, token);
    await addDeadline(server, token, { owner });
    const found = findRunningPostgres(path.join(dataDir, 'postgres'));
    const options = '-c session_replication_role=replica';
    const pool = openPool({ ...found?.superuser, database: 'app', options }, () => undefined);
    await sealEntries(openDatabase(pool));
    const writing = writeAtFullSpeed(server, token);
    acknowledged = writing.acknowledged;
    await vi.waitUntil(() => acknowledged.length > 200, { timeout: 300_000 });
    before = [...acknowledged];
    await succeed('backup', dataDir, [`${restored} backup`]);
    meanwhile = [...acknowledged];
    await writing.stop();
    await pool.query(`update base.deadline_history set action = 'verified'`);
    await pool.end();
    await succeed('backup', dataDir, [`${broken} backup`]);
    await stop(server);
    for (const target of [restored, broken])
      complaints.push(await succeed('restore', target, [`${target} backup`]));
  }, 600_000);

  async function sendVersions(server: ServerProcess, token: string) {
    const [first = Buffer.alloc(0), ...later] = VERSIONS.map((text) => Buffer.from(text));
    const file = { name: at.name, bytes: first };
    await sendFile(server, { token, ...at }, file);
    for (const bytes of later) await sendVersion(server, { token, ...at }, bytes);
  }

  test('is as whole, and as broken, as what was copied', async () => {
    expect(complaints).toEqual(['', '']);
    expect(await run('verify', restored)).toMatchObject({ status: 0, stderr: '' });
    expect(await run('verify', broken)).toMatchObject({
      status: 1,
      stderr: 'The record is broken: entry 1 of the history of deadlines does not fit its seal\n',
    });
  });

  test('holds everything acknowledged before it started', async () => {
    expect(meanwhile.length).toBeGreaterThan(before.length);
    again = await startServer(restored);
    const found = await caseNumbers(again);
    expect(before.filter((number) => !found.includes(number))).toEqual([]);
    const others = found.filter((number) => !acknowledged.includes(number ?? ''));
    // The matter of the file.
    expect(others).toHaveLength(1);
    expect(await findDamage(restored)).toEqual([]);
    const key = (where: string) => fs.readFileSync(path.join(where, 'secret.key'), 'utf8');
    expect(key(restored)).toBe(key(dataDir));
  });

  test('opens the newest and every earlier version of a file', async () => {
    const session = await signIn(again, admin.email);
    const headers = { 'x-auth-token': session.token };
    const url = contentUrl(at.caseId, at.folder, at.name);
    const textOf = async (query: string) => (await again.request(url + query, { headers })).text;
    expect(await textOf('')).toBe(VERSIONS.at(-1));
    expect(await Promise.all([1, 2, 3].map((n) => textOf(`?version=${n}`)))).toEqual(VERSIONS);
    await stop(again);
  });
});

/** Files below a directory that hold a word. */
function holding(directory: string, word: string): string[] {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => fs.readFileSync(file).includes(word));
}

describe('beside a running server', () => {
  let used: string;
  let server: ServerProcess;

  beforeAll(async () => {
    used = copyOf(firm, 'used');
    server = await startServer(used);
  });

  test('nothing is restored into its directory', async () => {
    const before = fs.readdirSync(used).toSorted();
    const refused = await run('restore', used, [backupOfFirm, '--replace']);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/^DATA_DIR .* is already in use by another Matterdesk\n$/);
    expect(fs.readdirSync(used).toSorted()).toEqual(before);
    expect(await caseNumbers(server)).toEqual(['ONLY-1']);
  });

  test('a backup that is made after an erasure holds nothing of what was erased', async () => {
    const word = 'Quetzalwort';
    const { token } = await signIn(server, admin.email);
    const { id } = await addIntake(server, token, { description: `A fall beside ${word}` });
    const params = { id };
    const body = { kind: 'note', text: `${word} sends the report` } as const;
    await server.call(intakeRoutes.addNote, { token, params, body });
    const [before, after] = ['before', 'after'].map((name) => path.join(base, `${name} erasing`));
    expect((await run('backup', used, [before ?? ''])).status).toBe(0);
    expect(holding(before ?? '', word)).not.toEqual([]);
    expect((await server.call(intakeRoutes.eraseIntake, { token, params })).status).toBe(200);
    expect((await run('backup', used, [after ?? ''])).status).toBe(0);
    await stop(server);
    expect(holding(after ?? '', word)).toEqual([]);
  });
});

test('a backup can be verified without Matterdesk, and never overwrites anything', async () => {
  const check = ['--check', '--quiet', 'SHA256SUMS'];
  expect(spawnSync('sha256sum', check, { cwd: backupOfFirm }).status).toBe(0);
  const again = await run('backup', firm, [backupOfFirm]);
  expect(again.stderr).toMatch(/^.* already exists: choose a new directory\n$/);
  const inside = await run('backup', firm, [path.join(firm, 'files/backup')]);
  expect(inside.stderr).toBe('A backup must not lie in DATA_DIR itself\n');
  expect(fs.readdirSync(path.dirname(backupOfFirm))).toEqual([path.basename(backupOfFirm)]);
});

test('the command restores over another firm, which is set aside, and only on request', async () => {
  const other = copyOf(firm, 'other');
  const key = path.join(other, 'secret.key');
  fs.writeFileSync(key, 'f'.repeat(64));
  const refused = await run('restore', other, [backupOfFirm]);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(/^DATA_DIR .* is not empty: --replace[^\n]*\n$/);
  expect(fs.readFileSync(key, 'utf8')).toBe('f'.repeat(64));

  const { status, stdout } = await run('restore', other, [backupOfFirm, '--replace']);
  expect(status).toBe(0);
  const aside = /data is in (.*): remove/.exec(stdout)?.[1] ?? '';
  expect(fs.readFileSync(path.join(aside, 'secret.key'), 'utf8')).toBe('f'.repeat(64));
  expect(fs.readdirSync(path.join(aside, 'postgres'))).toContain('PG_VERSION');
  expect(fs.readFileSync(path.join(other, 'files/ab/Klage "Ö".pdf'), 'utf8')).toBe('bytes');
  const server = await startServer(other);
  expect(await caseNumbers(server)).toEqual(['ONLY-1']);
  await stop(server);
});

test.each([
  ['a changed file', (data: string) => fs.appendFileSync(path.join(data, 'secret.key'), 'x')],
  ['a missing file', (data: string) => fs.rmSync(path.join(data, 'postgres/PG_VERSION'))],
  ['a strange file', (data: string) => fs.writeFileSync(path.join(data, 'strange'), '')],
])('the command refuses a backup with %s before anything changes', async (name, damage) => {
  const backup = linkedCopyOf(backupOfFirm, `backup with ${name}`);
  damage(path.join(backup, 'data'));
  const names = () => fs.readdirSync(firm, { recursive: true, encoding: 'utf8' }).toSorted();
  const before = names();
  const refused = await run('restore', firm, [backup, '--replace']);
  expect(refused.status).toBe(1);
  expect(refused.stderr).toMatch(
    /^The backup .* is damaged: data\/[\w/.]+ is not as it was[^\n]*\n$/,
  );
  expect(names()).toEqual(before);
});

describe('a backup with BACKUP_KEY', () => {
  const PASSPHRASE = 'seven words that no one else would choose';
  let backup: string;
  let own: Record<string, string>;
  const keyFile = (name: string, passphrase: string) => {
    const file = path.join(base, name);
    fs.writeFileSync(file, `${passphrase}\n`);
    return { BACKUP_KEY: file };
  };

  beforeAll(async () => {
    own = keyFile('passphrase', PASSPHRASE);
    backup = path.join(base, 'encrypted');
    await succeed('backup', firm, [backup], own);
  });

  test('holds nothing of the firm that can be read, and restores it whole', async () => {
    const names = fs.readdirSync(path.join(backup, 'data'), { recursive: true, encoding: 'utf8' });
    const files = names
      .map((name) => path.join(backup, 'data', name))
      .filter((file) => fs.statSync(file).isFile());
    const secrets = [fs.readFileSync(path.join(firm, 'secret.key')), Buffer.from(admin.email)];
    expect(files.length).toBeGreaterThan(100);
    for (const file of files)
      for (const secret of secrets) expect(fs.readFileSync(file).includes(secret)).toBe(false);
    const check = ['--check', '--quiet', 'SHA256SUMS'];
    expect(spawnSync('sha256sum', check, { cwd: backup }).status).toBe(0);

    const restored = path.join(base, 'decrypted');
    expect(await run('restore', restored, [backup], own)).toMatchObject({ status: 0, stderr: '' });
    expect(fs.readFileSync(path.join(restored, 'files/ab/Klage "Ö".pdf'), 'utf8')).toBe('bytes');
    const server = await startServer(restored);
    expect(await caseNumbers(server)).toEqual(['ONLY-1']);
    await stop(server);
  });

  const one = 'data/secret.key';
  const other = 'data/postgres/PG_VERSION';
  const at = (...parts: string[]) => path.join(...parts);
  const exchange = (directory: string) => {
    fs.renameSync(at(directory, one), at(directory, 'aside'));
    fs.renameSync(at(directory, other), at(directory, one));
    fs.renameSync(at(directory, 'aside'), at(directory, other));
  };
  /** As someone without the passphrase can. */
  const sumAgain = (directory: string) =>
    spawnSync('sh', ['-c', 'find data backup.json -type f -exec sha256sum {} + > SHA256SUMS'], {
      cwd: directory,
    });
  const flip = (file: string) => {
    const bytes = fs.readFileSync(file);
    bytes.writeUInt8((bytes.at(-1) ?? 0) ^ 1, bytes.length - 1);
    fs.writeFileSync(file, bytes);
  };
  const damages: [string, (directory: string) => void, RegExp][] = [
    ['a flipped byte', (to) => flip(at(to, one)), /is damaged: data\/secret\.key/],
    ['a cut file', (to) => fs.truncateSync(at(to, one), 40), /is damaged: data\/secret\.key/],
    ['exchanged files', exchange, /is damaged: data\//],
    ['new checksums', (to) => void (exchange(to), sumAgain(to)), /does not fit BACKUP_KEY/],
    ['no signature', (to) => fs.rmSync(at(to, 'SIGNATURE')), /does not fit BACKUP_KEY/],
  ];
  test.each(damages)('with %s is refused before anything changes', async (name, damage, line) => {
    const copy = linkedCopyOf(backup, `encrypted, ${name}`);
    damage(copy);
    const target = path.join(base, `target of ${name}`);
    const refused = await run('restore', target, [copy], own);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(line) as string });
    const left = fs.existsSync(target) ? fs.readdirSync(target) : [];
    expect(left.filter((file) => !file.endsWith('.lock'))).toEqual([]);
    fs.rmSync(copy, { recursive: true });
  });

  test('needs its passphrase, and a passphrase needs a backup with a key', async () => {
    const target = path.join(base, 'untouched');
    const [wrong, none, readable, short, lost] = [
      await run('restore', target, [backup], keyFile('wrong', `${PASSPHRASE}!`)),
      await run('restore', target, [backup]),
      await run('restore', target, [backupOfFirm], own),
      await run('restore', target, [backup], keyFile('short', 'too short')),
      await run('restore', target, [backup], { BACKUP_KEY: path.join(base, 'no file') }),
    ];
    expect(wrong.stderr).toMatch(/^.* does not fit BACKUP_KEY: [^\n]*\n$/);
    expect(none.stderr).toMatch(/^.* is encrypted: set BACKUP_KEY [^\n]*\n$/);
    expect(readable.stderr).toMatch(/^.* was made without a key[^\n]*\n$/);
    expect(short.stderr).toMatch(/^BACKUP_KEY takes [^\n]*\n$/);
    expect(lost.stderr).toMatch(/^BACKUP_KEY takes [^\n]*\n$/);
    expect(fs.existsSync(target)).toBe(false);
  });
});

test('the command prints a one-line usage', async () => {
  const missing = path.join(base, 'nobody');
  const managed = { DATABASE_URL: 'postgres://u:p@localhost/d', SECRET_KEY: 'a'.repeat(64) };
  const lines = await Promise.all([
    run('backup', missing, []),
    run('backup', missing, ['one', 'two']),
    run('backup', missing, [path.join(base, 'empty-backup')]),
    run('backup', missing, ['x'], managed),
    run('restore', missing, []),
    run('restore', missing, ['x', '--replaces']),
    run('restore', missing, [base]),
    run('restore', missing, ['x'], managed),
  ]);
  for (const { status, stdout, stderr } of lines) {
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^[^\n]+\n$/);
  }
  expect(lines[3]?.stderr).toContain('backed up where it is managed');
  expect(fs.existsSync(missing)).toBe(false);
});

#!/usr/bin/env node
// Checks an unpacked volume of a matter pack (BagIt 1.0, RFC 8493). Needs Node.js 18 or later and nothing else:
//
//   node verify.mjs [folder]
//
// Exits with 1 when anything is not as it was packed.

import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { lstat, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const MANIFEST = 'manifest-sha256.txt';
const TAG_MANIFEST = 'tagmanifest-sha256.txt';
const INFO = 'bag-info.txt';
const RECORD = 'data/record.jsonl';
const PROOF = 'Unchanged since it was packed. This does not prove that what was packed was true.';
const ZEROS = '0'.repeat(64);
/** Bytes of `,"hash":"…"}` at the end of a line of the record. */
const TAIL_BYTES = 75;
const TAIL = /^,"hash":"([0-9a-f]{64})"\}$/;
const FROM_FILE_MANAGER = /(?:^|\/)(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/i;

/** Sentences on all that is wrong, each once. */
const problems = new Set();

await main();

async function main() {
  const root = findRoot();
  const { files, others } = await walk(root);
  for (const name of others) problems.add(`Not a file: ${name}`);
  if (!files.has('bagit.txt')) problems.add('Missing: bagit.txt');
  const listed = [
    ...(await readManifest(files, { name: MANIFEST, isPayload: true })),
    ...(await readManifest(files, { name: TAG_MANIFEST, isPayload: false })),
  ];
  const found = await findFiles(root, { files, listed });
  const hashes = await checkFiles(found);
  const info = await readInfo(files);
  if (info.has('Manifest-SHA256') && info.get('Manifest-SHA256') !== hashes.get(MANIFEST)) {
    problems.add(`Manifest-SHA256 of ${INFO} is not the hash of ${MANIFEST}`);
  }
  if (files.has(RECORD)) await checkRecord(files.get(RECORD), info.get('Record-Head'));
  report({ found, info, manifest: hashes.get(MANIFEST) });
}

/** The folder that was asked for, else the one this runs in, else the one this file is in. */
function findRoot() {
  const asked = process.argv[2];
  if (asked !== undefined) return path.resolve(asked);
  const here = process.cwd();
  return existsSync(path.join(here, 'bagit.txt'))
    ? here
    : path.dirname(fileURLToPath(import.meta.url));
}

/** Files by their path with `/`. Links are not followed, so nothing outside the folder is read. */
async function walk(root) {
  const files = new Map();
  const others = [];
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of await list(path.join(root, folder))) {
      const name = folder + entry.name;
      if (entry.isDirectory()) folders.push(`${name}/`);
      else if (entry.isFile()) files.set(name, path.join(root, name));
      else others.push(name);
    }
  }
  return { files, others };
}

async function list(folder) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    problems.add(`Cannot be read: ${folder} (${error.code ?? error.message})`);
    return [];
  }
}

/** `{ name, sha256 }` of each line. */
async function readManifest(files, { name, isPayload }) {
  if (!files.has(name)) {
    problems.add(`Missing: ${name}`);
    return [];
  }
  const lines = (await readFile(files.get(name), 'utf8')).split(/\r\n|\n|\r/);
  const seen = new Set();
  return lines.flatMap((line, index) => {
    if (line === '') return [];
    const [, sha256, written] = /^([0-9a-fA-F]{64})[ \t]+(\S.*)$/s.exec(line) ?? [];
    if (written === undefined) {
      problems.add(`Line ${index + 1} of ${name} is not a hash and a path`);
      return [];
    }
    const target = decoded(written);
    if (!isInside(target) || target.startsWith('data/') !== isPayload) {
      problems.add(`${name} names a path that it must not: ${target}`);
      return [];
    }
    if (seen.has(target)) problems.add(`${name} names a file twice: ${target}`);
    seen.add(target);
    return [{ name: target, sha256: sha256.toLowerCase() }];
  });
}

/** Reverses the encoding of RFC 8493, 2.1.3. */
function decoded(written) {
  return written.replace(/%(?:0[aAdD]|25)/g, (code) => decodeURIComponent(code));
}

function isInside(name) {
  return !/[\\\0]/.test(name) && name.split('/').every((part) => !['', '.', '..'].includes(part));
}

/** Pairs what is listed with what is there; reports the rest of both. */
async function findFiles(root, { files, listed }) {
  const names = new Set([TAG_MANIFEST, ...listed.map(({ name }) => name)]);
  const extra = new Set([...files.keys()].filter((name) => !names.has(name)));
  const missing = listed.filter(({ name }) => !files.has(name));
  const spelled = missing.length > 0 && extra.size > 0 ? await identify(extra, files) : new Map();
  const found = [];
  for (const { name, sha256 } of listed) {
    const other = files.has(name)
      ? undefined
      : spelled.get(await identityOf(path.join(root, name)));
    if (other !== undefined) extra.delete(other);
    const place = files.get(other ?? name);
    if (place === undefined) problems.add(`Missing: ${name}`);
    else found.push({ name, sha256, place });
  }
  for (const name of extra) {
    const isOfManager = FROM_FILE_MANAGER.test(name);
    const advice = isOfManager ? ' (written by the file manager: delete it and check again)' : '';
    problems.add(`Extra: ${name}${advice}`);
  }
  return found;
}

/** Some disks of macOS list accents in another spelling than they were given, and still open both. */
async function identify(names, files) {
  const known = new Map();
  for (const name of names) {
    const identity = await identityOf(files.get(name));
    if (identity !== undefined) known.set(identity, name);
  }
  return known;
}

async function identityOf(place) {
  try {
    const { dev, ino } = await lstat(place, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** Hashes by name. */
async function checkFiles(found) {
  const hashes = new Map();
  for (const { name, sha256, place } of found) {
    try {
      const actual = await hashOf(place);
      hashes.set(name, actual);
      if (actual !== sha256) problems.add(`Differs: ${name}`);
    } catch (error) {
      problems.add(`Cannot be read: ${name} (${error.code ?? error.message})`);
    }
  }
  return hashes;
}

async function hashOf(place) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(place, { highWaterMark: 1024 * 1024 })) {
    hash.update(chunk);
  }
  return hash.digest('hex');
}

/** Values by label, unfolded. */
async function readInfo(files) {
  if (!files.has(INFO)) return new Map();
  const text = await readFile(files.get(INFO), 'utf8');
  const lines = text.replace(/(?:\r\n|\n|\r)[ \t]+/g, ' ').split(/\r\n|\n|\r/);
  return new Map(
    lines
      .filter((line) => line.includes(':'))
      .map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
      }),
  );
}

/** Each entry of the record holds the hash of the entry before, so none can be changed or left out alone. */
async function checkRecord(place, head) {
  let last = { seq: -Infinity, hash: ZEROS };
  let number = 0;
  for await (const line of linesOf(place)) {
    number += 1;
    const problem = problemOf(line, last);
    if (problem !== undefined) {
      problems.add(`${RECORD}, line ${number}: ${problem}`);
      return;
    }
    last = JSON.parse(line.toString('utf8'));
  }
  if (head !== undefined && head.toLowerCase() !== last.hash) {
    problems.add(`${RECORD} does not end with the Record-Head of ${INFO}`);
  }
}

function problemOf(line, last) {
  const body = line.subarray(0, -TAIL_BYTES);
  const stated = TAIL.exec(line.subarray(body.length).toString('latin1'))?.[1];
  if (stated === undefined) return 'it does not end with its hash';
  let entry;
  try {
    entry = JSON.parse(line.toString('utf8'));
  } catch {
    return 'it is not JSON';
  }
  if (createHash('sha256').update(body).update('}').digest('hex') !== stated) {
    return 'its hash does not match its text';
  }
  if (entry.prev !== last.hash || entry.hash !== stated)
    return 'it does not follow the line before';
  return Number.isInteger(entry.seq) && entry.seq > last.seq
    ? undefined
    : 'its number is out of order';
}

/** Lines as bytes: what `readline` yields breaks at more than line feeds. */
async function* linesOf(place) {
  let pieces = [];
  for await (const chunk of createReadStream(place)) {
    let from = 0;
    for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
      yield Buffer.concat([...pieces, chunk.subarray(from, to)]);
      pieces = [];
      from = to + 1;
    }
    if (from < chunk.length) pieces.push(chunk.subarray(from));
  }
  if (pieces.length > 0) yield Buffer.concat(pieces);
}

function report({ found, info, manifest }) {
  for (const problem of problems) say(problem);
  say(`${found.length} files checked.`);
  if (manifest !== undefined) say(`SHA-256 of ${MANIFEST}: ${manifest}`);
  const count = info.get('Bag-Count');
  if (count !== undefined && count !== '1 of 1') say(`Volume ${count}: check each of them.`);
  if (problems.size === 0) {
    say(PROOF);
    return;
  }
  say(`Not as it was packed: ${problems.size} ${problems.size === 1 ? 'problem' : 'problems'}.`);
  process.exitCode = 1;
}

/** Names in the folder may hold anything, so what would steer a terminal is replaced. */
function say(line) {
  process.stdout.write(`${line.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '\uFFFD')}\n`);
}

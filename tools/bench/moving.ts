// Shows how long a firm takes to move in, what it costs in memory, and how the list of cases answers meanwhile.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Import, ImportTables } from '@matterdesk/contract/imports.ts';
import { signInAdmin, startProduct, withData } from './firm.ts';
import { treeParts } from './footprint.ts';
import { HttpClient } from './http-client.ts';
import { say } from './load.ts';

const { values: options } = parseArgs({ options: { quick: { type: 'boolean' } } });
/** A tenth of everything only shows that it runs. */
const SHARE = options.quick ? 10 : 1;
const [CONTACTS, MATTERS, NOTES] = [100_000 / SHARE, 30_000 / SHARE, 200_000 / SHARE];
const [DOCUMENTS, DOCUMENT_BYTES] = [5000 / SHARE, 1_000_000];
const FIRM = { cases: 2000, users: 20, tasks: 2000 };
/** Milliseconds between two looks, and of the time before the move. */
const [LOOK, IDLE] = [200, 20_000];
/** A look at memory goes through the pages of all processes, and takes time from what is measured. */
const LOOKS_AT_MEMORY = 10;
/** Rows that are written at once. */
const BATCH = 1000;
const TABLES: ImportTables = {
  type: { 'Personal Injury': 'PI', 'Medical Malpractice': 'Med-Mal', Contract: 'Civil' },
};

/** The least and the most MB that were seen. */
class Range {
  #least = 0;
  #most = 0;

  see(memory: number): void {
    this.#least ||= memory;
    this.#most = Math.max(this.#most, memory);
  }

  restart(): void {
    this.#most = 0;
  }

  growth(): string {
    return Math.round(this.#most - this.#least).toString();
  }
}

/** Reads the first page of the list again and again, and looks at the memory of all processes. */
class LoadWatch {
  #times: number[] = [];
  #looks = 0;
  readonly #own = new Range();
  readonly #all = new Range();
  readonly #timer: NodeJS.Timeout;

  constructor(client: HttpClient, pid: number) {
    this.#timer = setInterval(() => void this.#look(client, pid), LOOK);
  }

  async #look(client: HttpClient, pid: number): Promise<void> {
    const begun = performance.now();
    await client.ask({ path: '/api/v1/cases?limit=50' });
    this.#times.push(performance.now() - begun);
    this.#looks += 1;
    if (this.#looks % LOOKS_AT_MEMORY !== 0) return;
    const { own, all } = treeParts(pid);
    this.#own.see(own);
    this.#all.see(all);
  }

  /** The times from here on; memory is compared with that of the first look. */
  restart(): void {
    this.#times = [];
    this.#own.restart();
    this.#all.restart();
  }

  p95(): string {
    const sorted = this.#times.toSorted((a, b) => a - b);
    return (sorted[Math.floor((sorted.length - 1) * 0.95)] ?? 0).toFixed(1);
  }

  growth(): string {
    return `${this.#own.growth()} | ${this.#all.growth()}`;
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'matterdesk-moving-'));
try {
  writeTables(path.join(folder, 'tables'));
  writeDocuments(path.join(folder, 'documents'));
  await withData(
    FIRM,
    () => say('Seeding'),
    async (dataDir) => {
      const product = await startProduct(dataDir, { IMPORT_DIR: folder });
      try {
        await measureMoves(product);
      } finally {
        await product.stop();
      }
    },
  );
} finally {
  fs.rmSync(folder, { recursive: true, force: true });
}

async function measureMoves({ port, pid }: { port: number; pid: number }): Promise<void> {
  const { token } = await signInAdmin(port);
  const client = new HttpClient(port, 2, [token]);
  const watch = new LoadWatch(client, pid);
  await delay(IDLE);
  say('| | minutes | list, p95, ms | more memory, MB | with the database’s cache, MB |');
  say('| --- | --- | --- | --- | --- |');
  say(`| before | | ${watch.p95()} | | |`);
  const rows = [CONTACTS, MATTERS, NOTES].map((count) => count.toLocaleString('en-US'));
  const names = ['contacts', 'cases', 'notes'].map((name, place) => `${rows[place]} ${name}`);
  await move(client, watch, { profile: 'clio', dir: 'tables', name: names.join(', ') });
  await move(client, watch, { profile: 'clio', dir: 'tables', name: 'the same again' });
  const gigabytes = (DOCUMENTS * DOCUMENT_BYTES) / 1e9;
  const name = `${DOCUMENTS.toLocaleString('en-US')} documents, ${gigabytes} GB`;
  await move(client, watch, { profile: 'folders', dir: 'documents', name });
  watch.end();
  client.close();
}

type Move = { profile: string; dir: string; name: string };

async function move(client: HttpClient, watch: LoadWatch, { name, ...asked }: Move): Promise<void> {
  const path = await begin(client, asked);
  watch.restart();
  const begun = performance.now();
  const found = await run(client, path);
  const minutes = ((performance.now() - begun) / 60_000).toFixed(1);
  say(`| ${name} | ${minutes} | ${watch.p95()} | ${watch.growth()} |`);
  for (const [kind, counts] of Object.entries(found.counts))
    say(`${kind}: ${JSON.stringify(counts)}`);
  for (const problem of found.problems.slice(0, 3)) say(JSON.stringify(problem));
}

async function begin(client: HttpClient, { profile, dir }: Omit<Move, 'name'>): Promise<string> {
  const form = new FormData();
  form.set('profile', profile);
  form.set('dir', dir);
  const sent = new Response(form);
  const type = sent.headers.get('content-type') ?? '';
  const raw = { type, bytes: Buffer.from(await sent.arrayBuffer()) };
  const reply = await client.askJson<{ import: Import }>({
    method: 'POST',
    path: '/api/v1/imports',
    raw,
  });
  const path = `/api/v1/imports/${reply.import.id}`;
  await client.ask({ method: 'PATCH', path, json: { tables: TABLES } });
  return path;
}

async function run(client: HttpClient, path: string): Promise<Import> {
  await client.ask({ method: 'POST', path: `${path}/run`, json: { dryRun: false } });
  for (;;) {
    const { import: now } = await client.askJson<{ import: Import }>({ path });
    if (now.state === 'done') return now;
    if (now.state !== 'running') throw new Error(`The import is ${now.state}: ${now.error ?? ''}`);
    await delay(LOOK);
  }
}

function writeTables(directory: string): void {
  fs.mkdirSync(directory);
  const types = Object.keys(TABLES.type ?? {});
  write(path.join(directory, 'contacts.csv'), {
    header:
      'Id,first_name,last_name,company,business_street,business_city,email_address,primary_phone',
    count: CONTACTS,
    row: (n) =>
      n % 10 === 0
        ? `${n},,,Company ${n},${n} Main Street,Springfield,office${n}@company.example,212 555 ${n}`
        : `${n},Given${n % 997},Family${n},,${n} Oak Avenue,Springfield,person${n}@mail.example,415 555 ${n}`,
  });
  write(path.join(directory, 'matters.csv'), {
    header: 'Id,custom_number,description,status,practice_area,open_date,client_id,Referral source',
    count: MATTERS,
    row: (n) => {
      const opened = `${1 + (n % 12)}/${1 + (n % 28)}/20${10 + (n % 15)}`;
      const status = n % 3 === 0 ? 'Closed' : 'Open';
      return `${n},M-${n},Matter of Family${n},${status},${types[n % 3]},${opened},${n},Radio ${n % 7}`;
    },
  });
  write(path.join(directory, 'notes.csv'), {
    header: 'Id,matter,date,subject,note',
    count: NOTES,
    row: (n) =>
      `${n},M-${1 + (n % MATTERS)},${1 + (n % 12)}/${1 + (n % 28)}/2023,Call ${n},"<p>Spoke with the adjuster about ${n}.</p><p>She will send the records next week, and calls again.</p>"`,
  });
}

type Table = { header: string; count: number; row: (n: number) => string };

function write(file: string, { header, count, row }: Table): void {
  const out = fs.openSync(file, 'w');
  fs.writeSync(out, `${header}\n`);
  for (let from = 1; from <= count; from += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, count - from + 1) }, (_, n) => row(from + n));
    fs.writeSync(out, `${rows.join('\n')}\n`);
  }
  fs.closeSync(out);
}

/** Documents differ, since the same file twice is one. */
function writeDocuments(directory: string): void {
  const bytes = Buffer.alloc(DOCUMENT_BYTES, 'All parties agree as follows. ');
  for (let n = 1; n <= DOCUMENTS; n += 1) {
    const matter = path.join(directory, `Family${1 + (n % MATTERS)} – M-${1 + (n % MATTERS)}`);
    fs.mkdirSync(path.join(matter, 'Medical'), { recursive: true });
    bytes.write(`Document ${n}. `);
    fs.writeFileSync(path.join(matter, 'Medical', `record ${n}.txt`), bytes);
  }
}

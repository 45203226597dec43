// Exports of whole matters as packs: requested, written by a job, downloaded, and erased once they expire.

import { type NewPack, type Pack, PACK_DAYS } from '@matterdesk/contract/packs.ts';
import { type ActorContext, asActor, type Context, write, writePrepared } from '../../context.ts';
import { type Actor, allow, fullName } from '../../core/actor.ts';
import { nowAt } from '../../core/dates.ts';
import { DAY_MS } from '../../core/durations.ts';
import type { IdempotencyKey } from '../../core/idempotency-key.ts';
import { isId } from '../../core/ids.ts';
import { notFound, Refusal } from '../../core/refusal.ts';
import type { Transaction } from '../../db/schema.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Content } from '../../http/content.ts';
import { type Bag, writeBag } from '../../integrations/bags/bag.ts';
import { Names } from '../../integrations/bags/names.ts';
import type { Attempt } from '../../jobs/queue.ts';
import { actorFor, listActiveUserIds } from '../accounts/service.ts';
import { verifySeals } from '../audit/seals/service.ts';
import { caseExists } from '../cases/service.ts';
import {
  claimStored,
  orStorageRefusal,
  type StoredBlob,
  storeFiles,
} from '../files/service.incoming.ts';
import { readFirm } from '../firm/service.ts';
import { raiseNotices } from '../notices/service.ts';
import { requireStorageSpace } from '../storage/service.ts';
import * as rules from './rules.ts';
import { type Contents, listContents } from './service.contents.ts';
import * as store from './store.ts';

const MAX_LISTED = 50;
/** Packs that are erased in one transaction. */
const ERASE_BATCH = 20;
const WHY_ERASE = 'packs are erased after their time, whatever their matters allow';
const NUMBER = /^[1-9]\d{0,8}$/;
const WHY_WRITE = 'a pack is written after its request, as its person';
/** Interrupted attempts after which a pack has failed. */
const MAX_FAILURES = 5;
const FAILED = 'The matter could not be packed. Try again.';
const LOST = 'The user who asked for it may not export this matter any more';

/** Counts what a pack would hold. @throws Refusal notPermitted, notFound */
export async function tryPack(
  context: ActorContext,
  caseId: string,
  { parts }: NewPack,
): Promise<{ pack: Pack }> {
  const { sums, contents } = await plan(context, caseId, parts);
  const { id, firstName, lastName } = context.actor;
  const written = { volumes: [], manifestSha256: null, expiresAt: null, error: null };
  const by = { id, firstName, lastName };
  const at = new Date().toISOString();
  const { leftOut } = contents;
  return { pack: { n: 0, state: 'waiting', ...sums, ...written, leftOut, by, at } };
}

/** Asks for a pack, which a job writes. @throws Refusal notPermitted, notFound, storageFull */
export async function makePack(
  context: ActorContext,
  caseId: string,
  { input, once }: { input: NewPack; once: IdempotencyKey | undefined },
): Promise<{ pack: Pack }> {
  allow(context.actor, 'exportMatters');
  const prepare = async () => {
    const planned = await plan(context, caseId, input.parts);
    await requireStorageSpace(context, planned.sums.bytes);
    return planned;
  };
  const repeatable = once && {
    ...once,
    again: async (trx: Transaction) => {
      if (!(await caseExists(trx, caseId))) throw notFound('Case');
    },
  };
  const finish = (planned: PlannedPack) =>
    write(context, (unit) => insertPack(context, unit, { caseId, planned }), repeatable);
  return writePrepared(context, { prepare, finish }, repeatable);
}

async function insertPack(
  context: ActorContext,
  unit: Unit,
  { caseId, planned }: { caseId: string; planned: PlannedPack },
): Promise<{ pack: Pack }> {
  const { sums, contents } = planned;
  await store.lockPacks(unit.trx, caseId);
  const asked = { caseId, byId: context.actor.id, leftOut: contents.leftOut };
  const row = await store.insertPack(unit.trx, { ...asked, ...sums });
  const after = { caseName: contents.caseName };
  await unit.record({ action: 'exported', entity: 'case', entityId: caseId, caseId, after });
  await announce(context, unit, { caseId, n: row.n });
  await context.queue.add(unit, 'pack', [row.id]);
  return { pack: rules.toPack(row) };
}

type PlannedPack = { contents: Contents; sums: Pick<Pack, 'parts' | 'files' | 'bytes'> };

async function plan(
  context: ActorContext,
  caseId: string,
  parts: NewPack['parts'],
): Promise<PlannedPack> {
  allow(context.actor, 'exportMatters');
  const contents = await listContents(context, { caseId, parts, at: new Date() });
  const { items } = contents;
  const bytes = items.reduce((sum, { size }) => sum + size, 0);
  const sums = { parts: rules.sumParts(parts, items), files: items.length, bytes };
  return { contents, sums };
}

/** Notifies everyone with access; the notices leave out all others. */
async function announce(
  context: ActorContext,
  unit: Unit,
  { caseId, n }: { caseId: string; n: number },
): Promise<void> {
  const people = await listActiveUserIds(context.db);
  const news = {
    case_id: caseId,
    event_id: null,
    deadline_id: null,
    type: 'exported',
    subject: `exported ${caseId} ${n}`,
    title: `${fullName(context.actor)} exported this matter`,
    body: '',
    at: new Date(),
    missed: false,
  } as const;
  await raiseNotices(
    context,
    unit,
    people.map((id) => ({ ...news, user_id: id })),
  );
}

/** @throws when it is interrupted, to be begun again */
export async function writePack(context: Context, id: string, attempt: Attempt): Promise<void> {
  const system = <T>(work: Parameters<typeof context.writer.runAsSystem<T>>[2]) =>
    context.writer.runAsSystem<T>(null, WHY_WRITE, work);
  const pack = await system(({ trx }) => store.beginPack(trx, id));
  if (!pack) return;
  try {
    if (attempt.before > MAX_FAILURES) throw new Refusal('unexpected');
    const actor = await actorFor(context.db, pack.by_id);
    if (!actor?.permissions.exportMatters) throw new Refusal('conflict', LOST);
    await writeContents(context, { pack, actor, attempt });
  } catch (error) {
    if (attempt.signal.aborted) throw error;
    const isForUser = error instanceof Refusal && error.code !== 'unexpected';
    if (!isForUser) context.log.error({ err: error }, 'a pack failed');
    const why = isForUser ? (error.code === 'notFound' ? LOST : error.message) : FAILED;
    await system(({ trx }) => store.failPack(trx, id, why));
  }
}

type PackJob = { pack: store.WaitingPack; actor: Actor; attempt: Attempt };

async function writeContents(shared: Context, { pack, actor, attempt }: PackJob): Promise<void> {
  const context = { ...shared, actor };
  const at = new Date();
  const parts = pack.parts.map(({ part }) => part);
  const contents = await listContents(context, { caseId: pack.case_id, parts, at });
  const bag = await describe(context, { pack, contents, at, signal: attempt.signal });
  const { volumes, written } = writeBag({ ...bag, payload: contents.items });
  async function* partsOf() {
    for await (const { name, bytes } of volumes) yield { name, bytes };
  }
  await storeFiles(context, { parts: partsOf() }, async (stored) => {
    const { files, bytes, sizes, manifestSha256 } = await written;
    const items = contents.items.map((item) => ({
      ...item,
      size: sizes.get(item.path) ?? item.size,
    }));
    await context.writer.runAsSystem(null, WHY_WRITE, async ({ trx }) => {
      const isWanted = await store.finishPack(trx, pack.id, {
        volumes: volumesOf(stored),
        parts: rules.sumParts(parts, items),
        leftOut: contents.leftOut,
        files,
        bytes,
        manifestSha256: Buffer.from(manifestSha256, 'hex'),
        expiresAt: new Date(Date.now() + PACK_DAYS * DAY_MS),
      });
      if (!isWanted) throw new Refusal('unexpected');
      await claimStored(trx, stored);
    });
  });
}

function volumesOf(stored: readonly StoredBlob[]) {
  return stored.map(({ key, name, size, sha256 }, at) => ({
    n: at + 1,
    name,
    size,
    sha256: sha256.toString('hex'),
    key,
  }));
}

type PackDescription = {
  pack: store.WaitingPack;
  contents: Contents;
  at: Date;
  signal: AbortSignal;
};

/** Its name, and the lines that say where it comes from. */
async function describe(
  context: Context & { actor: Actor },
  { pack, contents, at, signal }: PackDescription,
): Promise<Pick<Bag, 'name' | 'info' | 'at' | 'signal'>> {
  const [firm, { seal }] = await Promise.all([readFirm(context), verifySeals(context)]);
  const [name = ''] = new Names().add([`${pack.case_name} ${nowAt(at, firm.timeZone).day}`]);
  const info = () => ({
    'Source-Organization': firm.name,
    'External-Description': pack.case_name,
    ...(pack.case_no !== null && { 'External-Identifier': pack.case_no }),
    'Contact-Name': fullName(context.actor),
    'Record-Head': contents.chain.head,
    ...(seal !== null && { 'Firm-Seal': seal }),
  });
  return { name, info, at, signal };
}

/** The newest ones, newest first. @throws Refusal notPermitted, notFound */
export async function listPacks(context: ActorContext, caseId: string): Promise<{ packs: Pack[] }> {
  allow(context.actor, 'exportMatters');
  const db = asActor(context);
  if (!isId(caseId) || !(await caseExists(db, caseId))) throw notFound('Case');
  const rows = await store.listPacks(db, caseId, MAX_LISTED);
  return { packs: rows.map(rules.toPack) };
}

type Place = { id: string; n: string; volume: string };

/** Only for the user who asked for the pack. @throws Refusal notPermitted, notFound */
export async function openVolume(context: ActorContext, place: Place): Promise<Content> {
  const { actor, blobs } = context;
  allow(actor, 'exportMatters');
  const isNamed = isId(place.id) && NUMBER.test(place.n) && NUMBER.test(place.volume);
  const row = isNamed
    ? await store.findPack(asActor(context), { caseId: place.id, n: Number(place.n) })
    : undefined;
  const volume = row?.volumes.find(({ n }) => n === Number(place.volume));
  if (!row || row.by.id !== actor.id || row.state !== 'ready' || !volume) throw notFound('Pack');
  const { name, size, sha256, key } = volume;
  return {
    name,
    mimeType: 'application/zip',
    isShown: true,
    size,
    etag: `"${sha256}"`,
    about: { entity: 'pack', entityId: row.id, caseId: place.id, after: { name } },
    read: (range) => orStorageRefusal(blobs.read(key, range)),
  };
}

/** Removes the bytes of packs whose time is over. */
export async function erasePacks({ writer, blobs }: Context): Promise<void> {
  const erase = async ({ trx }: Unit) => {
    const keys = await store.eraseExpired(trx, ERASE_BATCH);
    for (const key of keys) await blobs.remove(key);
    return keys.length;
  };
  while ((await writer.runAsSystem(null, WHY_ERASE, erase)) > 0);
}

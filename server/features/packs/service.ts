// Matters that are packed to be carried away: asked for, listed, downloaded, and erased after their time.

import type { NewPack, Pack } from '@matterdesk/contract/packs.ts';
import { type ActorContext, asActor, type Context, write } from '../../context.ts';
import { allow, fullName } from '../../core/actor.ts';
import { isId } from '../../core/ids.ts';
import type { Once } from '../../core/once.ts';
import { notFound } from '../../core/refusal.ts';
import type { Unit } from '../../db/unit-of-work.ts';
import type { Content } from '../../http/content.ts';
import { caseExists } from '../cases/service.ts';
import { orStorageRefusal } from '../files/service.incoming.ts';
import { raiseNotices } from '../notices/service.ts';
import { requireStorageSpace } from '../storage/service.ts';
import * as rules from './rules.ts';
import { type Contents, listContents } from './service.contents.ts';
import * as store from './store.ts';

const LISTED = 50;
/** Packs that are erased in a transaction. */
const ERASED = 20;
const WHY = 'packs are erased after their time, whatever their matters allow';
const NUMBER = /^[1-9]\d{0,8}$/;

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
  { input, once }: { input: NewPack; once: Once | undefined },
): Promise<{ pack: Pack }> {
  const { sums, contents } = await plan(context, caseId, input.parts);
  await requireStorageSpace(context, sums.bytes);
  const { leftOut } = contents;
  return write(
    context,
    async (unit) => {
      await store.lockPacks(unit.trx, caseId);
      const asked = { caseId, byId: context.actor.id, leftOut };
      const row = await store.insertPack(unit.trx, { ...asked, ...sums });
      const after = { caseName: contents.caseName };
      await unit.record({ action: 'exported', entity: 'case', entityId: caseId, caseId, after });
      await announce(context, unit, { caseId, n: row.n });
      await context.queue.add(unit.trx, 'pack', row.id);
      unit.afterCommit(() => context.queue.wake());
      return { pack: rules.toPack(row) };
    },
    once && {
      ...once,
      again: async (trx) => {
        if (!(await caseExists(trx, caseId))) throw notFound('Case');
      },
    },
  );
}

type Planned = { contents: Contents; sums: Pick<Pack, 'parts' | 'files' | 'bytes'> };

async function plan(
  context: ActorContext,
  caseId: string,
  parts: NewPack['parts'],
): Promise<Planned> {
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
  const people = await store.listActivePeople(context.db);
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

/** The newest ones, newest first. @throws Refusal notPermitted, notFound */
export async function listPacks(context: ActorContext, caseId: string): Promise<{ packs: Pack[] }> {
  allow(context.actor, 'exportMatters');
  const db = asActor(context);
  if (!isId(caseId) || !(await caseExists(db, caseId))) throw notFound('Case');
  const rows = await store.listPacks(db, caseId, LISTED);
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
    isShown: false,
    size,
    etag: `"${sha256}"`,
    about: { entity: 'pack', entityId: row.id, caseId: place.id, after: { name } },
    read: (range) => orStorageRefusal(blobs.read(key, range)),
  };
}

/** Removes the bytes of packs whose time is over. */
export async function erasePacks({ writer, blobs }: Context): Promise<void> {
  const erase = async ({ trx }: Unit) => {
    const keys = await store.eraseExpired(trx, ERASED);
    for (const key of keys) await blobs.remove(key);
    return keys.length;
  };
  while ((await writer.runAsSystem(null, WHY, erase)) > 0);
}

// Writes a pack into the storage, in the background.

import { PACK_DAYS } from '@matterdesk/contract/packs.ts';
import type { Context } from '../../context.ts';
import type { Actor } from '../../core/actor.ts';
import { Refusal } from '../../core/refusal.ts';
import { type Bag, writeBag } from '../../integrations/bags/bag.ts';
import { Names } from '../../integrations/bags/names.ts';
import type { Attempt } from '../../jobs/queue.ts';
import { actorFor } from '../accounts/service.ts';
import { verifySeals } from '../audit/seals/service.ts';
import { claimStored, type Stored, storeFiles } from '../files/service.incoming.ts';
import { readFirm } from '../firm/service.ts';
import * as rules from './rules.ts';
import { type Contents, listContents } from './service.contents.ts';
import * as store from './store.ts';

const WHY = 'a pack is written after its request, as its person';
/** Interrupted attempts after which a pack has failed. */
const MOST_FAILURES = 5;
const DAY = 86_400_000;
const FAILED = 'The matter could not be packed. Try again.';
const LOST = 'The user who asked for it may not export this matter any more';

/** @throws when it is interrupted, to be begun again */
export async function writePack(context: Context, id: string, attempt: Attempt): Promise<void> {
  const system = <T>(work: Parameters<typeof context.writer.runAsSystem<T>>[2]) =>
    context.writer.runAsSystem<T>(null, WHY, work);
  const pack = await system(({ trx }) => store.beginPack(trx, id));
  if (!pack) return;
  try {
    if (attempt.before > MOST_FAILURES) throw new Refusal('unexpected');
    const actor = await actorFor(context.db, pack.by_id);
    if (!actor?.permissions.exportMatters) throw new Refusal('conflict', LOST);
    await write(context, { pack, actor, attempt });
  } catch (error) {
    if (attempt.signal.aborted) throw error;
    const isForUser = error instanceof Refusal && error.code !== 'unexpected';
    if (!isForUser) context.log.error({ err: error }, 'a pack failed');
    const why = isForUser ? (error.code === 'notFound' ? LOST : error.message) : FAILED;
    await system(({ trx }) => store.failPack(trx, id, why));
  }
}

type Writing = { pack: store.Waiting; actor: Actor; attempt: Attempt };

async function write(shared: Context, { pack, actor, attempt }: Writing): Promise<void> {
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
    await context.writer.runAsSystem(null, WHY, async ({ trx }) => {
      const isWanted = await store.finishPack(trx, pack.id, {
        volumes: volumesOf(stored),
        parts: rules.sumParts(parts, items),
        leftOut: contents.leftOut,
        files,
        bytes,
        manifestSha256: Buffer.from(manifestSha256, 'hex'),
        expiresAt: new Date(Date.now() + PACK_DAYS * DAY),
      });
      if (!isWanted) throw new Refusal('unexpected');
      await claimStored(trx, stored);
    });
  });
}

function volumesOf(stored: readonly Stored[]) {
  return stored.map(({ key, name, size, sha256 }, at) => ({
    n: at + 1,
    name,
    size,
    sha256: sha256.toString('hex'),
    key,
  }));
}

type Described = { pack: store.Waiting; contents: Contents; at: Date; signal: AbortSignal };

/** Its name, and the lines that say where it comes from. */
async function describe(
  context: Context & { actor: Actor },
  { pack, contents, at, signal }: Described,
): Promise<Pick<Bag, 'name' | 'info' | 'at' | 'signal'>> {
  const [firm, { seal }] = await Promise.all([readFirm(context), verifySeals(context)]);
  const [name = ''] = new Names().add([`${pack.case_name} ${at.toISOString().slice(0, 10)}`]);
  const info = () => ({
    'Source-Organization': firm.name,
    'External-Description': pack.case_name,
    ...(pack.case_no !== null && { 'External-Identifier': pack.case_no }),
    'Contact-Name': `${context.actor.firstName} ${context.actor.lastName}`,
    'Record-Head': contents.chain.head,
    ...(seal !== null && { 'Firm-Seal': seal }),
  });
  return { name, info, at, signal };
}

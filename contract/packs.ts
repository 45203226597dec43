import * as z from 'zod/mini';
import { PersonSchema } from './cases.ts';
import { defineRoute } from './route.ts';
import { choice } from './text.ts';

export const packParts = [
  ...(['documents', 'mail', 'texts', 'stream', 'calendar'] as const),
  ...(['contacts', 'tasks', 'deadlines', 'answers', 'record'] as const),
] as const;
export type PackPart = (typeof packParts)[number];
export const packStates = [
  ...(['waiting', 'running', 'ready', 'failed', 'erased'] as const),
] as const;
/** Days from the end of packing until a pack is erased. */
export const PACK_DAYS = 7;

const NewPackSchema = z.strictObject({
  /** Every part without any. */
  parts: z._default(
    z
      .array(choice('Parts', packParts), 'Parts must be a list of parts')
      .check(
        z.minLength(1, 'Choose a part'),
        z.maxLength(packParts.length, `Parts can have at most ${packParts.length} entries`),
      ),
    [...packParts],
  ),
  /** Only says what a pack would hold. */
  dryRun: z._default(z.boolean('dryRun must be true or false'), false),
});
export type NewPack = z.infer<typeof NewPackSchema>;

const text = z.string();

const VolumeSchema = z.object({
  /** From 1. */
  n: z.number(),
  name: text,
  /** Bytes. */
  size: z.number(),
  /** Hexadecimal. */
  sha256: text,
});

/** Items of the matter that the reader may not see. */
const LeftOutSchema = z.object({
  texts: z.number(),
  mails: z.number(),
  events: z.number(),
  answers: z.number(),
});
export type LeftOut = z.infer<typeof LeftOutSchema>;

export const PackSchema = z.object({
  /** From 1 within the matter; 0 for a dry run. */
  n: z.number(),
  state: z.enum(packStates),
  /** In the order of the contract's parts. */
  parts: z.array(z.object({ part: z.enum(packParts), files: z.number(), bytes: z.number() })),
  volumes: z.array(VolumeSchema),
  files: z.number(),
  /** Size of its contents; that of generated files is estimated until they are written. */
  bytes: z.number(),
  leftOut: LeftOutSchema,
  /** Hash in hexadecimal of the manifests of all volumes, one after the other. Null until they are written. */
  manifestSha256: z.nullable(text),
  by: PersonSchema,
  at: text,
  /** Null until it is ready. */
  expiresAt: z.nullable(text),
  /** Why it failed, in a sentence. */
  error: z.nullable(text),
});
export type Pack = z.infer<typeof PackSchema>;

export const packRoutes = {
  makePack: defineRoute({
    method: 'POST',
    path: '/api/v1/cases/{id}/pack',
    summary: 'Packs a matter to carry it away; with dryRun it says what the pack would hold',
    access: { permission: 'exportMatters' },
    body: NewPackSchema,
    reply: z.object({ pack: PackSchema }),
    status: 202,
    otherStatus: 200,
    message: 'The matter is being packed',
    idempotent: true,
  }),
  listPacks: defineRoute({
    method: 'GET',
    path: '/api/v1/cases/{id}/packs',
    summary: 'The newest 50 packs of a matter, the newest first',
    access: { permission: 'exportMatters' },
    reply: z.object({ packs: z.array(PackSchema) }),
    message: 'OK',
  }),
  readPackVolume: defineRoute({
    method: 'GET',
    path: '/api/v1/cases/{id}/pack/{n}/{volume}',
    summary: 'A volume of a pack as zip, whole or in ranges; the session cookie opens it too',
    access: { permission: 'exportMatters' },
    cookie: true,
    message: 'OK',
  }),
};

import * as z from 'zod/mini';
import { accessModes, PersonSchema } from './cases.ts';
import { wholeNumber } from './numbers.ts';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';
import { choice, id, optionalLine, paragraphs } from './text.ts';
import { instant } from './time.ts';

/** Subjects that can be walled. */
export const walledKinds = ['cases', 'intakes'] as const;
export type WalledKind = (typeof walledKinds)[number];

export type AccessMode = (typeof accessModes)[number];

/** Maximum hours of an emergency opening. */
export const OPEN_HOURS_MAX = 24;
export const REASON_MAX = 500;
const PEOPLE_MAX = 500;
export const HISTORY_SHOWN = 200;

const text = z.string();

export const AdmittedSchema = z.object({
  person: PersonSchema,
  /** Opened: for a time and with a reason, by someone who manages walls. */
  why: z.enum(['assigned', 'added', 'opened']),
  until: z.nullable(text),
});

export const ScreenedSchema = z.object({
  person: PersonSchema,
  reason: text,
  by: z.nullable(PersonSchema),
  at: text,
});

/** Someone else's link set the person's password; while restricted they wait to be let in again. */
export const PausedSchema = z.object({
  person: PersonSchema,
  why: z.enum(['assigned', 'added']),
  /** The maker of the link. */
  by: z.nullable(PersonSchema),
  at: text,
});

export const accessActions = ['opened', 'restricted', 'changed', 'glassOpened', 'paused'] as const;

export const AccessEntrySchema = z.object({
  at: text,
  by: z.nullable(PersonSchema),
  action: z.enum(accessActions),
  people: z.array(PersonSchema),
  reason: text,
});

/** People who see a matter, and why. */
export const AccessSchema = z.object({
  updatedAt: text,
  mode: z.enum(accessModes),
  people: z.array(AdmittedSchema),
  screened: z.array(ScreenedSchema),
  /** Present only while someone is paused; naming them in `people` lets them in again. */
  paused: z.optional(z.array(PausedSchema)),
  /** Newest first. */
  history: z.array(AccessEntrySchema),
});
export type Access = z.infer<typeof AccessSchema>;

const person = id('Please select any user');

export const AccessChangeSchema = z.strictObject({
  mode: choice('Mode', accessModes),
  people: z
    .array(person, 'People must be a list of user ids')
    .check(z.maxLength(PEOPLE_MAX, `People can have at most ${PEOPLE_MAX} entries`)),
  screened: z
    .array(
      z.strictObject({
        person,
        reason: paragraphs('Reason', { required: 'Please enter a reason', max: REASON_MAX }),
      }),
      'Screened must be a list of people with reasons',
    )
    .check(z.maxLength(PEOPLE_MAX, `Screened can have at most ${PEOPLE_MAX} entries`)),
  reason: z.optional(z.nullable(optionalLine('Reason', { max: REASON_MAX }))),
  updatedAt: instant('Updated At'),
});
export type AccessChange = z.infer<typeof AccessChangeSchema>;

export const EmergencyAccessSchema = z.strictObject({
  reason: paragraphs('Reason', { required: 'Please enter a reason', max: REASON_MAX }),
  hours: wholeNumber('Hours', { min: 1, max: OPEN_HOURS_MAX }),
});
export type EmergencyAccess = z.infer<typeof EmergencyAccessSchema>;

/** Numbers of active people who would see the matter, and who would lose it. */
export const AccessPreviewSchema = z.object({ sees: z.number(), loses: z.number() });
export type AccessPreview = z.infer<typeof AccessPreviewSchema>;

export const WalledMatterSchema = z.object({
  kind: z.enum(walledKinds),
  id: text,
  number: text,
  name: text,
  mode: z.enum(accessModes),
});
export type WalledMatter = z.infer<typeof WalledMatterSchema>;

/** Whether access was gained or lost, clients drop their copy and refetch. */
export const AccessChangedSchema = z.object({ id: text });
export const AccessOpenedSchema = z.object({ id: text, person: PersonSchema, until: text });

const manageWalls = { permission: 'manageWalls' } as const;

export const accessRoutes = {
  readAccess: defineRoute({
    method: 'GET',
    path: '/api/v1/access/{kind}/{id}',
    summary: 'Who sees a matter; for those with access, and for manageWalls',
    access: 'signedIn',
    reply: z.object({ access: AccessSchema }),
    message: 'OK',
  }),
  changeAccess: defineRoute({
    method: 'PUT',
    path: '/api/v1/access/{kind}/{id}',
    summary: 'Sets who sees a matter; with dryRun=1 it only counts them',
    access: { anyOf: ['createCases', 'manageWalls'] },
    query: z.object({
      dryRun: z.optional(z.enum(['0', '1'], { error: 'dryRun must be one of 0, 1' })),
    }),
    body: AccessChangeSchema,
    reply: z.union([z.object({ access: AccessSchema }), AccessPreviewSchema]),
    message: 'Access changed',
  }),
  listAccess: defineRoute({
    method: 'GET',
    path: '/api/v1/access',
    summary: 'Matters with a wall, newest first',
    access: manageWalls,
    query: z.object({ limit: pagingQuery.limit, cursor: pagingQuery.cursor }),
    reply: z.object({ matters: z.array(WalledMatterSchema), ...pagingReply }),
    message: 'OK',
  }),
  openAccess: defineRoute({
    method: 'POST',
    path: '/api/v1/access/{kind}/{id}/open',
    summary: 'Opens a walled matter for the caller for some hours, told to everyone with access',
    access: manageWalls,
    body: EmergencyAccessSchema,
    reply: z.object({ until: text }),
    message: 'Opened',
  }),
};

import * as z from 'zod/mini';
import { defineRoute } from './route.ts';
import { choice, line, optionalLine, optionalParagraphs } from './text.ts';
import { timeOfDay, timeZone } from './time.ts';

/** Users who must have a second factor. */
export const secondFactorRules = ['optional', 'admins', 'everyone'] as const;
export const IDLE_MINUTES_MIN = 5;
export const IDLE_MINUTES_MAX = 1440;

/** The settings of the whole firm. */
export const FirmSchema = z.object({
  /** Empty until an admin enters it. */
  name: z.string(),
  /** In lines, for letters; empty until an admin enters it. */
  address: z.string(),
  phone: z.string(),
  /** In lines, below the firm's name in letters. */
  letterhead: z.string(),
  /** An IANA zone. Until an admin chooses one, the server's own zone, if it names a place. */
  timeZone: z.string(),
  /** When warnings and digests are due, `HH:MM` in the firm's zone. */
  morning: z.string(),
  /** Whether a second person decides about hard deadlines. */
  dualControl: z.boolean(),
  secondFactor: z.enum(secondFactorRules),
  /** Minutes without a touch after which a page covers itself, and without a request after which a session ends. */
  idleMinutes: z.number(),
  /** Whether files are trained as they are uploaded. */
  trainUploads: z.boolean(),
  /** Whether an admin entered the first settings, or put them off; asked once. */
  setUp: z.boolean(),
});
export type Firm = z.infer<typeof FirmSchema>;

const idleMinutes = `Idle Minutes must be a whole number from ${IDLE_MINUTES_MIN} to ${IDLE_MINUTES_MAX}`;

export const FirmPatchSchema = z.partial(
  z.strictObject({
    name: line('Name'),
    address: optionalParagraphs('Address', { max: 500 }),
    phone: optionalLine('Phone', { max: 40 }),
    letterhead: optionalParagraphs('Letterhead', { max: 500 }),
    timeZone: timeZone('Time Zone'),
    morning: timeOfDay('Morning'),
    dualControl: z.boolean('Dual Control must be true or false'),
    secondFactor: choice('Second Factor', secondFactorRules),
    idleMinutes: z
      .int(idleMinutes)
      .check(z.minimum(IDLE_MINUTES_MIN, idleMinutes), z.maximum(IDLE_MINUTES_MAX, idleMinutes)),
    trainUploads: z.boolean('Train Uploads must be true or false'),
    setUp: z.boolean('Set Up must be true or false'),
  }),
);
export type FirmPatch = z.infer<typeof FirmPatchSchema>;

const path = '/api/v1/firm';
const reply = z.object({ firm: FirmSchema });

export const firmRoutes = {
  readFirm: defineRoute({
    method: 'GET',
    path,
    summary: 'The settings of the firm',
    access: 'signedIn',
    reply,
    message: 'OK',
  }),
  changeFirm: defineRoute({
    method: 'PATCH',
    path,
    summary: 'Changes settings of the firm',
    access: 'admin',
    body: FirmPatchSchema,
    reply,
    message: 'Settings saved',
  }),
};

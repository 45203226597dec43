import * as z from 'zod/mini';
import { pagingQuery, pagingReply } from './paging.ts';
import { defineRoute } from './route.ts';

export const noticeTypes = [
  ...(['reminder', 'warning', 'escalation'] as const),
  ...(['change', 'proposal', 'digest'] as const),
  /** Changes of access to a matter, and acts of others on the caller's account or, for admins, on anyone's. */
  ...(['access', 'account'] as const),
  'mention',
  /** A matter was packed to be carried away. */
  'exported',
] as const;
export type NoticeType = (typeof noticeTypes)[number];

const SNOOZE_MINUTES_MAX = 10_080;
const minutes = `Snooze must be a whole number of minutes from 1 to ${SNOOZE_MINUTES_MAX}`;

export const NoticeChangeSchema = z
  .strictObject({
    seen: z.optional(z.boolean('Seen must be true or false')),
    /** Minutes after which it is raised again. */
    snooze: z.optional(
      z.int(minutes).check(z.minimum(1, minutes), z.maximum(SNOOZE_MINUTES_MAX, minutes)),
    ),
  })
  .check(
    z.refine(
      ({ seen, snooze }) => seen !== undefined || snooze !== undefined,
      'Send seen or snooze',
    ),
  );
export type NoticeChange = z.infer<typeof NoticeChangeSchema>;

const text = z.string();

export const NoticeSchema = z.object({
  id: text,
  type: z.enum(noticeTypes),
  title: text,
  /** When it was due. */
  at: text,
  item: z.nullable(
    z.object({
      /** Access to a case or an intake, or its export; an entry that mentions the reader. */
      type: z.enum(['event', 'deadline', 'case', 'intake', 'entry']),
      id: text,
      case: z.nullable(z.object({ id: text, caseName: text })),
      /** When the event starts, the deadline is, or the rest happened: an instant, or a day. */
      start: text,
    }),
  ),
  seenAt: z.nullable(text),
  /** Null where no mail is wished, or it waits; `no` where none is set up. */
  mailed: z.nullable(z.enum(['sent', 'failed', 'unknown', 'no'])),
  /** Whether the server was off when it was due. */
  missed: z.boolean(),
});
export type Notice = z.infer<typeof NoticeSchema>;

/** Deliveries besides the notices themselves. */
export const CalendarSettingsSchema = z.object({
  /** A digest of the day, each morning. */
  digest: z.boolean(),
  /** Whether notices are mailed too. */
  mail: z.boolean(),
});
export type CalendarSettings = z.infer<typeof CalendarSettingsSchema>;

export const CalendarSettingsPatchSchema = z.partial(
  z.strictObject({
    digest: z.boolean('Digest must be true or false'),
    mail: z.boolean('Mail must be true or false'),
  }),
);
export type CalendarSettingsPatch = z.infer<typeof CalendarSettingsPatchSchema>;

const settings = {
  path: '/api/v1/calendar/settings',
  access: 'signedIn',
  reply: z.object({ settings: CalendarSettingsSchema }),
} as const;

export const noticeRoutes = {
  listNotices: defineRoute({
    method: 'GET',
    path: '/api/v1/notices',
    summary: 'Notices of the caller, the newest first',
    access: 'signedIn',
    query: z.object({ limit: pagingQuery.limit, cursor: pagingQuery.cursor }),
    reply: z.object({ notices: z.array(NoticeSchema), unseen: z.number(), ...pagingReply }),
    message: 'OK',
  }),
  changeNotice: defineRoute({
    method: 'POST',
    path: '/api/v1/notices/{id}',
    summary: 'Marks a notice as seen, or raises it again later',
    access: 'signedIn',
    body: NoticeChangeSchema,
    reply: NoticeSchema,
    message: 'Notice updated',
    idempotent: true,
  }),
  readSettings: defineRoute({
    ...settings,
    method: 'GET',
    summary: 'Whether the caller receives digests, and mails of notices',
    message: 'OK',
  }),
  changeSettings: defineRoute({
    ...settings,
    method: 'PATCH',
    summary: 'Changes whether the caller receives digests, and mails of notices',
    body: CalendarSettingsPatchSchema,
    message: 'Settings saved',
  }),
};

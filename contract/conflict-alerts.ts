import * as z from 'zod/mini';
import { decision, HitSchema, MadeDecisionSchema, reason } from './conflicts.ts';
import { defineRoute } from './route.ts';

export const AlertDecisionSchema = z.strictObject({ decision, reason });
export type AlertDecision = z.infer<typeof AlertDecisionSchema>;

const text = z.string();

/** A new or changed name that meets another one, reported once. */
export const AlertSchema = z.object({
  id: text,
  at: text,
  /** The new name, and where it stands; its role is null where it has none. */
  asked: z.object({ name: text, role: z.nullable(text) }),
  subject: z.nullable(z.object({ kind: z.enum(['cases', 'intakes']), id: text, name: text })),
  hit: HitSchema,
  decision: z.nullable(MadeDecisionSchema),
});
export type Alert = z.infer<typeof AlertSchema>;

export const AlertedSchema = z.object({ id: text });

const path = '/api/v1/conflicts/alerts';

export const alertRoutes = {
  listAlerts: defineRoute({
    method: 'GET',
    path,
    summary: 'Alerts without a decision, newest first, for clearConflicts and those assigned',
    access: 'signedIn',
    query: z.object({
      decided: z.optional(z.enum(['0', '1'], { error: 'decided must be one of 0, 1' })),
    }),
    reply: z.object({ alerts: z.array(AlertSchema) }),
    message: 'OK',
  }),
  decideAlert: defineRoute({
    method: 'POST',
    path: `${path}/{id}`,
    summary: 'Decides about an alert, once',
    access: { permission: 'clearConflicts' },
    body: AlertDecisionSchema,
    reply: z.object({ alert: AlertSchema }),
    message: 'Decision saved',
  }),
};

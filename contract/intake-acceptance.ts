import * as z from 'zod/mini';
import {
  CaseSchema,
  caseTypes,
  filed,
  NewCaseSchema,
  notFiledError,
  OpposingCounselInfoSchema,
  statuses,
  statusTypes,
  UnfiledCaseSchema,
} from './cases.ts';
import { IntakeSchema } from './intakes.ts';
import { defineRoute } from './route.ts';

/** A case as it is opened from an intake, when opposing counsel is seldom known. */
const AcceptedSchema = z.extend(NewCaseSchema, {
  ...filed,
  opposingCounselInfo: z.nullable(OpposingCounselInfoSchema),
});
const AcceptSchema = z.discriminatedUnion('notFiled', [AcceptedSchema, UnfiledCaseSchema], {
  error: notFiledError,
});
export type Accept = z.infer<typeof AcceptSchema>;

const text = z.nullable(z.string());

/** The intake's values for a case; null where it has none. */
export const ProposedCaseSchema = z.object({
  caseName: text,
  caseNo: text,
  statusType: z.nullable(z.enum(statusTypes)),
  status: z.nullable(z.enum(statuses)),
  type: z.nullable(z.enum(caseTypes)),
  judge: text,
  dateOfOpening: text,
  managingAttorney: text,
  DOI: text,
  SOL: text,
  daysOpen: z.nullable(z.number()),
  assignedUsers: z.array(z.string()),
  clientInfo: z.object({ name: text, phoneNumber: text, email: text, address: text }),
  opposingCounselInfo: z.nullable(
    z.object({ organization: text, name: text, phoneNumber: text, email: text, address: text }),
  ),
});
export type CaseProposal = z.infer<typeof ProposedCaseSchema>;

export const acceptingRoutes = {
  readProposal: defineRoute({
    method: 'GET',
    path: '/api/v1/intakes/{id}/proposal',
    summary: 'The case that an intake would become',
    access: 'signedIn',
    reply: z.object({ case: ProposedCaseSchema }),
    message: 'OK',
  }),
  acceptIntake: defineRoute({
    method: 'POST',
    path: '/api/v1/intakes/{id}/accept',
    summary: 'Opens a case from an intake, with its files and its access',
    access: { permission: 'createCases' },
    body: AcceptSchema,
    reply: z.object({ case: CaseSchema, intake: IntakeSchema }),
    status: 201,
    message: 'Matter opened',
    idempotent: true,
  }),
};

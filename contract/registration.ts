import * as z from 'zod/mini';
import { defineRoute } from './route.ts';
import { line } from './text.ts';

export const registrationModes = ['open', 'approval', 'closed'] as const;
export type RegistrationMode = (typeof registrationModes)[number];

/** Whether registration is open, and to whom. */
export const RegistrationTermsSchema = z.object({
  mode: z.enum(registrationModes),
  /** The first account brings the code that the server prints at its start. */
  needsSetupCode: z.boolean(),
  /** No account exists yet: the next one is the admin, whatever role it chooses. */
  isFirst: z.boolean(),
  /** The system can send mail. */
  mail: z.boolean(),
  /** The address of the invitation in the query, while it is open. */
  invited: z.optional(z.string()),
});
export type RegistrationTerms = z.infer<typeof RegistrationTermsSchema>;

export const registrationRoutes = {
  readTerms: defineRoute({
    method: 'GET',
    path: '/api/v1/users/registration',
    summary: 'Who may register now, and whether the system can send mail',
    access: 'anyone',
    query: z.object({ invitation: z.optional(line('Invitation')) }),
    reply: RegistrationTermsSchema,
    message: 'OK',
  }),
};

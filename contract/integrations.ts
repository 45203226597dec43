import * as z from 'zod/mini';
import { defineRoute, type Integration } from './route.ts';

/** Null when configured, else a sentence on what the administrator sets. */
const lacking = z.nullable(z.string());
export const IntegrationsSchema = z.object({
  google: lacking,
  twilio: lacking,
} satisfies Record<Integration, typeof lacking>);
export type Integrations = z.infer<typeof IntegrationsSchema>;

export const integrationRoutes = {
  listIntegrations: defineRoute({
    method: 'GET',
    path: '/api/v1/integrations',
    summary: 'Configured integrations: null, or a sentence on what the administrator sets',
    access: 'signedIn',
    reply: IntegrationsSchema,
    message: 'OK',
  }),
};

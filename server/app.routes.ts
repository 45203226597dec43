// Every route of the contract, by feature.

import { routes } from '@matterdesk/contract/routes.ts';
import type { Config } from './config.ts';
import { serveAccess } from './features/access/routes.ts';
import { serveAccounts } from './features/accounts/routes.ts';
import { serveAi, serveTrainAll } from './features/ai/routes.ts';
import { serveAudit } from './features/audit/routes.ts';
import { serveCalendar } from './features/calendar/routes.ts';
import { serveCases } from './features/cases/routes.ts';
import { serveConflicts } from './features/conflicts/routes.ts';
import { serveContacts } from './features/contacts/routes.ts';
import { serveDashboard } from './features/dashboard/routes.ts';
import { serveDeadlines } from './features/deadlines/routes.ts';
import { serveFiles } from './features/files/routes.ts';
import { serveFirm } from './features/firm/routes.ts';
import { serveImports } from './features/imports/routes.ts';
import { serveIntakes } from './features/intakes/routes.ts';
import { serveMails } from './features/mails/routes.ts';
import { serveWebhooks } from './features/messages/inbound/routes.ts';
import { serveMessages } from './features/messages/routes.ts';
import { serveNotices } from './features/notices/routes.ts';
import { servePacks } from './features/packs/routes.ts';
import { serveStorage } from './features/storage/routes.ts';
import { serveStream } from './features/stream/routes.ts';
import { serveTasks } from './features/tasks/routes.ts';
import { serveTemplates } from './features/templates/routes.ts';
import { serveTray } from './features/tray/routes.ts';
import { serveViews } from './features/views/routes.ts';
import { Cookies } from './http/authenticate.ts';
import type { Binder } from './http/bind.ts';
import { missingSetupOf, serveIntegrations } from './http/integrations.ts';

export function serveRoutes(binder: Binder, config: Config): void {
  serveIntegrations(binder, missingSetupOf(config));
  serveAccounts(binder, new Cookies(config.publicUrl));
  serveCases(binder);
  serveFirm(binder);
  serveAccess(binder);
  serveDeadlines(binder);
  serveConflicts(binder);
  serveAudit(binder);
  serveTasks(binder);
  serveContacts(binder);
  serveCalendar(binder);
  serveFiles(binder);
  serveIntakes(binder);
  serveStorage(binder);
  serveAi(binder);
  serveTrainAll(binder);
  serveNotices(binder);
  serveDashboard(binder);
  serveMessages(binder);
  serveWebhooks(binder);
  serveMails(binder);
  serveStream(binder);
  serveTray(binder);
  serveTemplates(binder);
  servePacks(binder);
  serveImports(binder);
  serveViews(binder);
  requireWholeContract(binder);
}

/** Refuses to start with contract routes that lack a handler, or with others that have one. */
function requireWholeContract(binder: Binder) {
  const odd = binder.mismatchedRoutes(routes).map((route) => `${route.method} ${route.path}`);
  if (odd.length > 0) throw new Error(`Not both in the contract and bound: ${odd.join(', ')}`);
}

import { accessRoutes } from './access.ts';
import { accountRoutes } from './accounts.ts';
import { aiRoutes } from './ai.ts';
import { auditRoutes } from './audit.ts';
import { exchangeRoutes, feedRoutes, eventInvitationRoutes } from './calendar-exchange.ts';
import { gridRoutes } from './calendar-grid.ts';
import { calendarRoutes } from './calendar.ts';
import { caseRoutes, activityRoutes } from './cases.ts';
import { alertRoutes, conflictRoutes } from './conflicts.ts';
import { contactRoutes } from './contacts.ts';
import { courtRuleRoutes } from './court-rules.ts';
import { dashboardRoutes } from './dashboard.ts';
import { deadlineRoutes } from './deadlines.ts';
import { deviceRoutes } from './devices.ts';
import { fileRoutes, fileVersionRoutes, trainingRoutes } from './files.ts';
import { firmRoutes } from './firm.ts';
import { importRoutes } from './imports.ts';
import { acceptingRoutes } from './intake-acceptance.ts';
import { intakeFormRoutes } from './intake-forms.ts';
import { letterRoutes, intakeRoutes, intakeStatRoutes } from './intake-routes.ts';
import { intakeFileRoutes } from './intakes.ts';
import { integrationRoutes } from './integrations.ts';
import { invitationRoutes } from './invitations.ts';
import {
  mailSignatureRoutes,
  mailChangeRoutes,
  mailPushRoutes,
  mailRoutes,
  mailAccountRoutes,
  mailWritingRoutes,
} from './mails.ts';
import { messageRoutes, textWebhookRoutes } from './messages.ts';
import { noticeRoutes } from './notices.ts';
import { packRoutes } from './packs.ts';
import { passwordRoutes } from './passwords.ts';
import { proposalRoutes } from './proposals.ts';
import { registrationRoutes } from './registration.ts';
import type { Route } from './route.ts';
import { passkeyRoutes, secondFactorRoutes } from './second-factors.ts';
import { storageRoutes, trashRoutes } from './storage.ts';
import { streamRoutes, textFilingRoutes } from './stream.ts';
import { taskListRoutes } from './task-lists.ts';
import { taskRoutes } from './tasks.ts';
import { templateRoutes } from './templates.ts';
import { trayRoutes } from './tray.ts';
import { viewRoutes } from './views.ts';

/** Every route. Starting fails when one lacks a handler. */
export const routes: Route[] = [
  ...Object.values(accountRoutes),
  ...Object.values(registrationRoutes),
  ...Object.values(passwordRoutes),
  ...Object.values(invitationRoutes),
  ...Object.values(deviceRoutes),
  ...Object.values(secondFactorRoutes),
  ...Object.values(passkeyRoutes),
  ...Object.values(firmRoutes),
  ...Object.values(auditRoutes),
  ...Object.values(caseRoutes),
  ...Object.values(activityRoutes),
  ...Object.values(streamRoutes),
  ...Object.values(textFilingRoutes),
  ...Object.values(packRoutes),
  ...Object.values(importRoutes),
  ...Object.values(trayRoutes),
  ...Object.values(templateRoutes),
  ...Object.values(accessRoutes),
  ...Object.values(contactRoutes),
  ...Object.values(taskRoutes),
  ...Object.values(taskListRoutes),
  ...Object.values(courtRuleRoutes),
  ...Object.values(calendarRoutes),
  ...Object.values(gridRoutes),
  ...Object.values(proposalRoutes),
  ...Object.values(exchangeRoutes),
  ...Object.values(feedRoutes),
  ...Object.values(eventInvitationRoutes),
  ...Object.values(deadlineRoutes),
  ...Object.values(noticeRoutes),
  ...Object.values(alertRoutes),
  ...Object.values(conflictRoutes),
  ...Object.values(intakeRoutes),
  ...Object.values(letterRoutes),
  ...Object.values(intakeFileRoutes),
  ...Object.values(intakeFormRoutes),
  ...Object.values(acceptingRoutes),
  ...Object.values(intakeStatRoutes),
  ...Object.values(dashboardRoutes),
  ...Object.values(fileRoutes),
  ...Object.values(fileVersionRoutes),
  ...Object.values(trainingRoutes),
  ...Object.values(storageRoutes),
  ...Object.values(trashRoutes),
  ...Object.values(integrationRoutes),
  ...Object.values(mailRoutes),
  ...Object.values(mailWritingRoutes),
  ...Object.values(mailSignatureRoutes),
  ...Object.values(mailAccountRoutes),
  ...Object.values(mailChangeRoutes),
  ...Object.values(mailPushRoutes),
  ...Object.values(messageRoutes),
  ...Object.values(textWebhookRoutes),
  ...Object.values(aiRoutes),
  ...Object.values(viewRoutes),
];

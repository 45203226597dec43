// Wires features to those built on them: notifications and questions.

import type { Context } from './context.ts';
import { accessReported, pauseAfterPassword } from './features/access/service.overrides.ts';
import { forgetSecondFactors } from './features/accounts/second-factors/service.ts';
import {
  accountActReported,
  passwordRecovered,
  userDeactivated,
} from './features/accounts/service.ts';
import { trainNewContent, trainNewFiles } from './features/ai/training/service.ts';
import { deleteFeedsOf } from './features/calendar/feeds/store.ts';
import { findInvitation, cancelInvitations } from './features/calendar/invitations/service.ts';
import { eventCanceled } from './features/calendar/service.ts';
import { changeCaseCopy, followLimitation } from './features/cases/service.ts';
import { countWaiting } from './features/conflicts/alerts/service.ts';
import { checkChanged } from './features/conflicts/checks/service.ts';
import { mergeFollower } from './features/contacts/service.merges.ts';
import { caseCopies, contactSources } from './features/contacts/service.ts';
import { proposeAfterChange, proposeAfterHolidays } from './features/deadlines/chains/service.ts';
import { holidaysChanged } from './features/deadlines/counting/service.ts';
import { deadlineChanged, limitationMoved } from './features/deadlines/service.changes.ts';
import { countIdleCases } from './features/deadlines/service.idle.ts';
import { notifyOfLimitation } from './features/deadlines/service.limitations.ts';
import { countWaitingDeadlines } from './features/deadlines/service.ts';
import { recordSeenNotice, warnOfDeadlines } from './features/deadlines/warnings/service.ts';
import { filesAdopted, trashChanged, unsortedUploads } from './features/files/service.ts';
import { contentReplaced } from './features/files/service.versions.ts';
import {
  intakeFollower,
  isInIntake,
  listIntakesOf,
  noteOutreach,
} from './features/intakes/service.contacts.ts';
import { noteCheck } from './features/intakes/service.record.ts';
import { mailSent } from './features/mails/compose/service.ts';
import { disconnectUser } from './features/mails/connect/service.ts';
import { mailFiled } from './features/mails/read/service.filing.ts';
import { listMailsWith, invitationReader } from './features/mails/read/service.ts';
import { mailsArrived } from './features/mails/service.arrivals.ts';
import { listTextsWith } from './features/messages/conversations/service.ts';
import { textSent } from './features/messages/sending/service.ts';
import { textReceived } from './features/messages/service.ingest.ts';
import { digestSources } from './features/notices/digest/service.ts';
import { notifyOfAccess, notifyOfAct } from './features/notices/service.people.ts';
import { remindersRaised } from './features/notices/service.reminders.ts';
import { noticeSeen } from './features/notices/service.ts';
import { waitingChecks } from './features/storage/service.ts';
import { textsFiled } from './features/stream/service.texts.ts';
import {
  closeFiledMail,
  followFiledTexts,
  followFileOfMail,
  offerMails,
  offerText,
} from './features/tray/service.arrivals.ts';
import { putInTray } from './features/tray/service.ts';

/** Once for each context, before it is used. */
export function connectFeatures(context: Context): void {
  accountActReported.on(context, (unit, handled) => pauseAfterPassword(context, unit, handled));
  accountActReported.on(context, (unit, handled) => notifyOfAct(context, unit, handled));
  accessReported.on(context, (unit, news) => notifyOfAccess(context, unit, news));
  passwordRecovered.on(context, forgetSecondFactors);
  passwordRecovered.on(context, ({ trx }, userId, since) => deleteFeedsOf(trx, userId, since));
  userDeactivated.on(context, ({ trx }, userId) => deleteFeedsOf(trx, userId));
  userDeactivated.on(context, (unit, userId) => disconnectUser(context, unit, userId));
  filesAdopted.on(context, (unit, actor, ids) => trainNewFiles({ ...context, actor }, unit, ids));
  contentReplaced.on(context, (unit, actor, replaced) =>
    trainNewContent({ ...context, actor }, unit, replaced),
  );
  eventCanceled.on(context, (actor, id) => cancelInvitations({ ...context, actor }, id));
  checkChanged.on(context, noteCheck);
  limitationMoved.on(context, followLimitation);
  deadlineChanged.on(context, (unit, change) => notifyOfLimitation(context, unit, change));
  deadlineChanged.on(context, proposeAfterChange);
  holidaysChanged.on(context, proposeAfterHolidays);
  remindersRaised.on(context, (running) => warnOfDeadlines(context, running));
  noticeSeen.on(context, recordSeenNotice);
  mailSent.on(context, (unit, actor, { emails, subject }) =>
    noteOutreach(unit, actor, { emails, kind: 'mail', text: subject }),
  );
  textSent.on(context, (unit, actor, { to, body }) =>
    noteOutreach(unit, actor, { numbers: [to], kind: 'message', text: body }),
  );
  textReceived.on(context, offerText);
  textsFiled.on(context, followFiledTexts);
  mailsArrived.on(context, offerMails);
  mailFiled.on(context, closeFiledMail);
  trashChanged.on(context, followFileOfMail);
  invitationReader.fill(context, findInvitation);
  digestSources.fill(context, { countWaitingDeadlines, countIdleCases });
  waitingChecks.fill(context, () => countWaiting(context));
  unsortedUploads.fill(context, putInTray);
  caseCopies.fill(context, changeCaseCopy);
  mergeFollower.fill(context, intakeFollower);
  contactSources.fill(context, {
    mails: listMailsWith,
    texts: listTextsWith,
    intakes: listIntakesOf,
    isInIntake,
  });
}

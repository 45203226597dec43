import { isAnyOf, type Middleware } from '@reduxjs/toolkit';
import type { FileEvent } from '@matterdesk/contract/files.ts';
import { actedOnCase, filedToCase } from '../core/filed.ts';
import { matterLost } from '../core/matter-lost.ts';
import { calendarChanged, calendarWindow } from '../features/calendar/slice.ts';
import { activity, caseReceived, caseActivityChanged, details } from '../features/cases/slice.ts';
import { contactsChanged } from '../features/contacts/slice.ts';
import { overviewOfDay } from '../features/dashboard/slice.ts';
import { deadlineChanged, mattersChanged } from '../features/deadlines/slice.ts';
import { fileDeleted, fileReceived, libraries } from '../features/files/slice.ts';
import { noticesChanged } from '../features/notices/slice.ts';
import { streamChanged } from '../features/stream/slice.ts';
import {
  moveDone,
  taskDeleted,
  taskChanged,
  taskRemoved,
  taskSaved,
} from '../features/tasks/slice.ts';

const changesOverview = isAnyOf(
  caseReceived,
  matterLost,
  taskChanged,
  taskDeleted,
  taskSaved,
  taskRemoved,
  moveDone,
);
const isOfTask = isAnyOf(taskChanged, taskDeleted);
const isOfFile = isAnyOf(fileReceived, fileDeleted);

const isOwnOfTask = isAnyOf(taskSaved, taskRemoved, moveDone);
/** Their events do not name the matter. */
const isOfDates = isAnyOf(deadlineChanged, calendarChanged, isOwnOfTask);

function isInTraining(file: Partial<FileEvent>) {
  return (file.training?.progress ?? null) !== null;
}

/** Invalidates data in one feature when another changes. */
export const invalidation: Middleware =
  ({ dispatch }) =>
  (next) =>
  (action) => {
    const result = next(action);
    if (changesOverview(action)) {
      dispatch(overviewOfDay.invalidated());
      dispatch(mattersChanged());
      dispatch(calendarWindow.invalidated());
    }
    // Its client and its counsel are contacts too.
    if (caseReceived.match(action)) dispatch(contactsChanged());
    if (deadlineChanged.match(action)) {
      // Warnings of a deadline that is done are no longer new.
      dispatch(noticesChanged());
      dispatch(overviewOfDay.invalidated());
      dispatch(calendarWindow.invalidated());
    }
    if (filedToCase.match(action)) {
      dispatch(libraries.invalidated(action.payload));
      dispatch(details.invalidated(action.payload));
      dispatch(caseActivityChanged(action.payload));
    }
    if (actedOnCase.match(action)) {
      dispatch(details.invalidated(action.payload));
      dispatch(caseActivityChanged(action.payload));
    }
    if (isOfTask(action)) dispatch(caseActivityChanged(action.payload.case));
    // Training progress is not part of a case's activity.
    if (isOfFile(action) && !isInTraining(action.payload)) {
      // A new version is an upload, too, so that only the server can count.
      dispatch(details.invalidated(action.payload.case));
      dispatch(caseActivityChanged(action.payload.case));
    }
    if (caseActivityChanged.match(action)) dispatch(streamChanged(action.payload));
    if (caseReceived.match(action)) dispatch(streamChanged(action.payload.id));
    if (isOwnOfTask(action)) dispatch(activity.invalidated());
    if (isOfDates(action)) dispatch(streamChanged(null));
    return result;
  };

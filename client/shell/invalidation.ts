import type { FileEvent } from '@matterdesk/contract/files.ts';
import { isAnyOf, type Middleware } from '@reduxjs/toolkit';
import { filedToCase } from '../core/filed.ts';
import { caseHeard, caseTouched } from '../features/cases/slice.ts';
import { days } from '../features/dashboard/slice.ts';
import { fileGone, fileHeard, libraries } from '../features/files/slice.ts';
import {
  moveDone,
  taskDeleted,
  taskChanged,
  taskRemoved,
  taskSaved,
} from '../features/tasks/slice.ts';

const changesOverview = isAnyOf(
  caseHeard,
  taskChanged,
  taskDeleted,
  taskSaved,
  taskRemoved,
  moveDone,
);
const isOfTask = isAnyOf(taskChanged, taskDeleted);
const isOfFile = isAnyOf(fileHeard, fileGone);

function isInTraining(file: Partial<FileEvent>) {
  return (file.training?.progress ?? null) !== null;
}

/** What a change in one feature makes stale in another. */
export const invalidation: Middleware =
  ({ dispatch }) =>
  (next) =>
  (action) => {
    const result = next(action);
    if (changesOverview(action)) dispatch(days.invalidated());
    if (filedToCase.match(action)) {
      dispatch(libraries.invalidated(action.payload));
      dispatch(caseTouched(action.payload));
    }
    if (isOfTask(action)) dispatch(caseTouched(action.payload.case));
    // The progress of a training is no part of a case's activity.
    if (isOfFile(action) && !isInTraining(action.payload))
      dispatch(caseTouched(action.payload.case));
    return result;
  };

import { isAnyOf, type Middleware } from '@reduxjs/toolkit';
import { caseHeard } from '../features/cases/slice.ts';
import { overviewOutdated } from '../features/dashboard/slice.ts';
import {
  moveDone,
  taskChanged,
  taskDeleted,
  taskRemoved,
  taskSaved,
} from '../features/tasks/slice.ts';

const isChange = isAnyOf(caseHeard, taskChanged, taskDeleted, taskSaved, taskRemoved, moveDone);

/** Whatever changes a case or a task, here or elsewhere, makes the overview old. */
export const tellOverview: Middleware =
  ({ dispatch }) =>
  (next) =>
  (action) => {
    const result = next(action);
    if (isChange(action)) dispatch(overviewOutdated());
    return result;
  };

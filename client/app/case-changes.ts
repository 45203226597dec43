import { isAnyOf, type Middleware } from '@reduxjs/toolkit';
import { caseTouched } from '../features/cases/slice.ts';
import { taskGone, taskHeard } from '../features/tasks/slice.ts';

const isOfTask = isAnyOf(taskHeard, taskGone);

/** What others do to a task belongs to the story of its case. */
export const tellCase: Middleware =
  ({ dispatch }) =>
  (next) =>
  (action) => {
    const result = next(action);
    if (isOfTask(action)) dispatch(caseTouched(action.payload.case));
    return result;
  };

import type { FileHeard } from '@matterdesk/contract/files.ts';
import { isAnyOf, type Middleware } from '@reduxjs/toolkit';
import { caseTouched } from '../features/cases/slice.ts';
import { fileGone, fileHeard } from '../features/files/slice.ts';
import { taskChanged, taskDeleted } from '../features/tasks/slice.ts';

const isOfTask = isAnyOf(taskChanged, taskDeleted);
const isOfFile = isAnyOf(fileHeard, fileGone);

function isUnderWay(file: Partial<FileHeard>) {
  return (file.training?.progress ?? null) !== null;
}

/** What others do to a task or a file belongs to the story of its case. */
export const tellCase: Middleware =
  ({ dispatch }) =>
  (next) =>
  (action) => {
    const result = next(action);
    if (isOfTask(action)) dispatch(caseTouched(action.payload.case));
    // How far a training has come is no part of the story.
    if (isOfFile(action) && !isUnderWay(action.payload)) dispatch(caseTouched(action.payload.case));
    return result;
  };

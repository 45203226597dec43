import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Board, Task } from '@matterdesk/contract/tasks.ts';

/** The `tasks` store: the board of the chosen case. */
export type TasksState = {
  caseId: string | null;
  board: Board | null;
};

const initialState: TasksState = { caseId: null, board: null };

const slice = createSlice({
  name: 'tasks',
  initialState,
  reducers: {
    boardCame(state, { payload }: PayloadAction<{ caseId: string; board: Board }>) {
      state.caseId = payload.caseId;
      state.board = payload.board;
    },
    /** A task is new or has changed, here or elsewhere. */
    taskHeard(state, { payload }: PayloadAction<Task>) {
      if (state.caseId !== payload.case || !state.board) return;
      for (const column of Object.values(state.board.columns))
        column.items = column.items.filter((task) => task.id !== payload.id);
      state.board.columns[payload.type].items.push(payload);
    },
    taskGone(state, { payload }: PayloadAction<{ id: string; case: string }>) {
      if (state.caseId !== payload.case || !state.board) return;
      for (const column of Object.values(state.board.columns))
        column.items = column.items.filter((task) => task.id !== payload.id);
    },
  },
});

export const { boardCame, taskHeard, taskGone } = slice.actions;
export const tasksReducer = slice.reducer;

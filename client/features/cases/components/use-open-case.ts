import { nanoid } from '@reduxjs/toolkit';
import { useRef } from 'react';
import type { Case, NewCase } from '@matterdesk/contract/cases.ts';
import { CallError } from '../../../api.ts';
import { useAppDispatch } from '../../../core/store.ts';
import { openCase } from '../api.ts';
import { caseHeard } from '../slice.ts';

/** Opens a case once, however often the same one is sent; it stands in the store when the promise resolves. */
export function useOpenCase() {
  const dispatch = useAppDispatch();
  const once = useRef({ body: '', key: '' });
  /** @throws CallError after its toast */
  return async (body: NewCase): Promise<Case> => {
    const text = JSON.stringify(body);
    // The same key for the same case, so that a repeat after a lost answer makes no second one.
    if (once.current.body !== text) once.current = { body: text, key: nanoid() };
    try {
      const opened = await openCase(body, once.current.key);
      dispatch(caseHeard(opened.case));
      return opened.case;
    } catch (error) {
      // What was refused may be right a moment later, and must then be looked at anew.
      if (error instanceof CallError && error.status !== 0) once.current = { body: '', key: '' };
      throw error;
    }
  };
}
